package knobscape.hls.evaluate.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.vendor.ToolProcess.Ended;
import knobscape.hls.evaluate.vendor.ToolProcess.Job;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs on a real Slurm: results, stops, controllers that go away, and jobs found again.
@Tag("slow")
class SlurmEngineTest {
    @TempDir
    Path dir;

    private Job job(String name, String script) throws Exception {
        Path folder = Files.createDirectories(dir.resolve("a folder").resolve(name));
        Files.writeString(folder.resolve("tool.sh"), script);
        return new Job(
                folder + "#hls",
                List.of("sh", "tool.sh", "it's"),
                folder,
                Map.of("WORD", "a 'quoted' $word"),
                folder.resolve("log"),
                Duration.ofMinutes(2));
    }

    @Test
    void runsStopsAndFindsJobsAgain() throws Exception {
        try (Slurm slurm = Slurm.start(dir.resolve("slurm"))) {
            // The engine's commands find this Slurm by the same variable as a person's would.
            var engine = new SlurmEngine(List.of(), 200) {
                @Override
                Map<String, String> environment() {
                    return Map.of(
                            "LC_ALL", "C", "SLURM_CONF", slurm.configuration().toString());
                }
            };
            Job ok = job("ok", "echo \"$1 $WORD\"; exit 3\n");
            Ended e = engine.run(ok, new CancellationSignal());
            assertThat(e.status()).hasValue(3);
            assertThat(e.timedOut()).isFalse();
            assertThat(Files.readString(ok.log())).contains("it's a 'quoted' $word");
            assertThat(engine.isRunning(ok)).isFalse();

            Job stopped = job("stopped", "sleep 300\n");
            var cancel = new CancellationSignal();
            Thread.ofVirtual().start(() -> {
                try {
                    Thread.sleep(1500);
                } catch (InterruptedException x) {
                    Thread.currentThread().interrupt();
                }
                cancel.cancel();
            });
            assertThatThrownBy(() -> engine.run(stopped, cancel)).isInstanceOf(CancellationException.class);
            assertThat(slurm.ask("squeue", "-h", "-t", "RUNNING,PENDING")).isBlank();

            // Another start of the program finds the job of the first.
            Job again = job("again", "sleep 3; exit 0\n");
            var begun = Thread.ofPlatform().start(() -> engine.run(again, new CancellationSignal()));
            while (!engine.isRunning(again)) {
                Thread.sleep(100);
            }
            var other = new SlurmEngine(List.of(), 200) {
                @Override
                Map<String, String> environment() {
                    return engine.environment();
                }
            };
            assertThat(other.isRunning(again)).isTrue();
            begun.join();

            // The controller goes away and comes back.
            Job through = job("through", "sleep 3; exit 5\n");
            var result = new Ended[1];
            var watched = Thread.ofPlatform().start(() -> result[0] = engine.run(through, new CancellationSignal()));
            while (!engine.isRunning(through)) {
                Thread.sleep(100);
            }
            slurm.stopController();
            Thread.sleep(1500);
            slurm.startController();
            watched.join();
            assertThat(result[0].status()).hasValue(5);
        }
    }
}

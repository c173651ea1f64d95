package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import knobscape.hls.HlsTools;
import knobscape.project.Runner;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HistoryCommandTest {
    @TempDir
    Path folder;

    private String out = "";
    private String err = "";

    /// A command line whose runs fill the history `h.db`.
    private int run(String... words) {
        var written = new StringWriter();
        var said = new StringWriter();
        int code = Main.execute(
                new CommandContext(
                        HlsTools::standard,
                        () -> new Runner(
                                Clock.systemUTC(),
                                System::nanoTime,
                                () -> Optional.of(TuningHistory.open(folder.resolve("h.db")))),
                        folder,
                        false),
                new PrintWriter(written),
                new PrintWriter(said),
                words);
        out = written.toString();
        err = said.toString();
        return code;
    }

    private JsonNode json() {
        return JsonMapper.shared().readTree(out);
    }

    private long rows() {
        assertThat(run("history", "--history", "h.db", "--json")).as(() -> err).isZero();
        return json().path("tasks")
                .valueStream()
                .mapToLong(t -> t.path("rows").asLong())
                .sum();
    }

    @Test
    void everyRunFillsItAndFilesComeAndGo() throws IOException {
        try (InputStream in = HistoryCommandTest.class.getResourceAsStream("/knobscape/gpu/tuning/small.json")) {
            Files.write(folder.resolve("small.json"), in.readAllBytes());
        }
        try (InputStream in = HistoryCommandTest.class.getResourceAsStream("/knobscape/gpu/kernel_tuner/cache.json")) {
            Files.write(folder.resolve("cache.json"), in.readAllBytes());
        }
        String[] tune = {"tune", "small.json", "--method", "random", "--trials", "30", "--out", "t"};
        assertThat(run(tune)).as(() -> err).isZero();
        long first = rows();
        assertThat(first).isGreaterThanOrEqualTo(30);
        assertThat(json().path("tasks")).allSatisfy(t -> {
            assertThat(t.path("source").asString()).isEqualTo("model");
            assertThat(t.path("device").asString()).isEqualTo("model:gtx1080ti");
        });
        // The same run again measures nothing new.
        assertThat(run(tune)).as(() -> err).isZero();
        assertThat(rows()).isEqualTo(first);
        assertThat(run("history", "--history", "h.db", "--import", "cache.json"))
                .as(() -> err)
                .isZero();
        assertThat(out).contains("5 of 5 measurements are new");
        assertThat(run("history", "--history", "h.db", "--device", "A100"))
                .as(() -> err)
                .isZero();
        assertThat(out).contains("convolution_kernel", "5 measurements of 1 tasks");
        assertThat(run("history", "--history", "h.db", "--device", "A100", "--export", "db", "--out", "c.db"))
                .as(() -> err)
                .isZero();
        assertThat(run("history", "--history", "d.db", "--import", "c.db"))
                .as(() -> err)
                .isZero();
        assertThat(out).contains("5 of 5");
        assertThat(run("history", "--history", "d.db", "--export", "cache", "--out", "small.json"))
                .as("not over a file of the user's")
                .isEqualTo(ErrorReporter.WORK_FAILED);
        assertThat(run("history", "--history", "d.db", "--export", "t4", "--out", "t4.json"))
                .as(() -> err)
                .isZero();
        assertThat(run("tune", "--device", "replay:t4.json", "--trials", "3", "--method", "random", "--out", "r"))
                .as(() -> err)
                .isZero();
        assertThat(run("history", "--history", "none.db")).isEqualTo(ErrorReporter.WORK_FAILED);
        assertThat(err).contains("There is no tuning history").doesNotContain("\tat ");
    }

    @Test
    void directivesAreInItByFidelity() throws IOException {
        Files.writeString(
                folder.resolve("sum.cpp"),
                "int sum(int a[64]) { int s = 0; loop: for (int i = 0; i < 64; i++) { s += a[i]; } return s; }");
        assertThat(run("explore", "sum.cpp", "--method", "random", "--steps", "2", "--init", "3"))
                .as(() -> err)
                .isZero();

        assertThat(rows()).isGreaterThanOrEqualTo(3);
        assertThat(json().path("tasks").valueStream())
                .allSatisfy(t -> {
                    assertThat(t.path("area").asString()).isEqualTo("hls");
                    assertThat(t.path("group").asString()).isEqualTo("sum");
                    assertThat(t.path("source").asString()).isEqualTo("model");
                })
                .extracting(t -> t.path("template").asString())
                .contains("directives@1/hls", "directives@1/impl");
        String task = json().path("tasks").get(0).path("task").asString();
        for (String form : new String[] {"cache", "t4", "autotvm"}) {
            assertThat(run("history", "--history", "h.db", "--task", task, "--export", form, "--out", "x." + form))
                    .as("a file that calls every design failed")
                    .isEqualTo(ErrorReporter.WORK_FAILED);
            assertThat(err).contains("'sum, ", "it can be exported as db").doesNotContain("\tat ");
            assertThat(folder.resolve("x." + form)).doesNotExist();
        }
        assertThat(run("history", "--history", "h.db", "--task", task, "--export", "db", "--out", "x.db"))
                .as(() -> err)
                .isZero();
    }

    @Test
    void measuredDesignsAreTheSameWhereverTheirFileLies() throws IOException {
        for (String name : new String[] {"here/made.csv", "there/made.csv"}) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "unroll,pipeline,delay,lut\n1,0,9,1\n1,1,5,2\n2,0,4,3\n2,1,3,5\n");
            assertThat(run("explore", name, "--method", "random", "--steps", "4", "--init", "3"))
                    .as(() -> err)
                    .isZero();
        }

        assertThat(rows()).isEqualTo(4);
        assertThat(json().path("tasks").get(0).path("device").asString()).isEqualTo("replay");
    }
}

package knobscape.work.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.work.tool.ToolProcess.Job;
import knobscape.work.tool.ToolProcess.ProcessExit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs on a real Slurm: results, arrays, stops, nodes that fail, controllers that go away, and jobs found again.
@Tag("slow")
class SlurmEngineTest {
    private static Slurm slurm;

    @TempDir
    static Path cluster;

    @TempDir
    Path dir;

    private final SlurmEngine engine = engine(300);

    @BeforeAll
    static void start() throws Exception {
        slurm = Slurm.start(cluster);
    }

    @AfterAll
    static void stop() {
        if (slurm != null) {
            slurm.close();
        }
    }

    private static SlurmEngine engine(long gatherMillis, String... options) {
        return new SlurmEngine(
                List.of(options),
                1,
                new SlurmEngine.Pace(200, gatherMillis),
                // As a person's: by the variable.
                slurm == null
                        ? Map.of()
                        : Map.of("SLURM_CONF", slurm.configuration().toString()));
    }

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

    private static CompletableFuture<ProcessExit> begin(SlurmEngine engine, Job job, CancellationSignal cancel) {
        return CompletableFuture.supplyAsync(
                () -> engine.run(job, cancel), r -> Thread.ofPlatform().daemon().start(r));
    }

    private static String id(Job job) throws Exception {
        Path file = SlurmFiles.of(job).id();
        while (!Files.exists(file) || !Files.readString(file).matches("\\d+(_\\d+)?")) {
            Thread.sleep(20);
        }
        return Files.readString(file);
    }

    private static void awaitState(Job job, String state) throws Exception {
        String id = id(job);
        while (!slurm.ask("squeue", "-h", "-r", "--states=all", "--jobs=" + id, "--format=%T")
                .strip()
                .equals(state)) {
            Thread.sleep(100);
        }
    }

    @Test
    void aJobGetsItsArgumentsEnvironmentAndLogAndTellsItsStatus() throws Exception {
        Job ok = job("ok", "echo \"$1 $WORD\"; exit 3\n");
        ProcessExit e = engine.run(ok, new CancellationSignal());
        assertThat(e.status()).hasValue(3);
        assertThat(e.timedOut()).isFalse();
        assertThat(Files.readString(ok.log())).contains("it's a 'quoted' $word");
        assertThat(engine.isRunning(ok)).isFalse();
    }

    /// One submission for all; each task has its own design's folder, log and end; at most so many at once; a task is
    /// cancelled alone, and found by another start of the program.
    @Test
    void jobsThatAreReadyAtOnceAreOneArray() throws Exception {
        List<Job> jobs = IntStream.range(0, 4)
                .mapToObj(k -> {
                    try {
                        return job(
                                "design " + k,
                                "pwd; touch begun; while [ ! -e go ]; do sleep 0.1; done; exit 1" + k + "\n");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
        SlurmEngine together = engine(2000);
        List<CancellationSignal> cancels =
                Stream.generate(CancellationSignal::new).limit(4).toList();
        List<CompletableFuture<ProcessExit>> ends = IntStream.range(0, 4)
                .mapToObj(k -> begin(together, jobs.get(k), cancels.get(k)))
                .toList();
        String array = SlurmQueue.base(id(jobs.getFirst()));
        for (Job job : jobs) {
            assertThat(id(job)).matches(array + "_[0-3]");
        }
        assertThat(slurm.ask("scontrol", "show", "job", array)).contains("ArrayTaskThrottle=1");
        Job first = jobs.stream()
                .filter(j -> SlurmFiles.of(j)
                        .readId(new SlurmQueue(new SlurmCommands(Map.of()), 200))
                        .orElse("")
                        .endsWith("_0"))
                .findFirst()
                .orElseThrow();
        awaitState(first, "RUNNING");
        assertThat(slurm.ask("squeue", "-h", "-r", "--states=RUNNING", "--jobs=" + array)
                        .lines())
                .as("one at once")
                .hasSize(1);

        Job stopped = jobs.stream().filter(j -> j != first).findFirst().orElseThrow();
        String gone = id(stopped);
        cancels.get(jobs.indexOf(stopped)).cancel();
        assertThatThrownBy(() -> ends.get(jobs.indexOf(stopped)).join())
                .hasCauseInstanceOf(CancellationException.class);
        assertThat(slurm.ask("squeue", "-h", "-r", "--format=%i").lines().map(String::strip))
                .hasSize(3)
                .doesNotContain(gone);

        SlurmEngine other = engine(0);
        assertThat(jobs).allMatch(j -> other.isRunning(j) == (j != stopped));
        for (Job job : jobs) {
            Files.writeString(job.folder().resolve("go"), "");
        }
        for (int k = 0; k < 4; k++) {
            Job job = jobs.get(k);
            if (job == stopped) {
                assertThat(job.folder().resolve("begun")).doesNotExist();
            } else {
                assertThat(ends.get(k).join().status()).hasValue(10 + k);
                assertThat(Files.readString(job.log())).isEqualTo(job.folder().toRealPath() + "\n");
            }
        }
    }

    @Test
    void whereArraysAreRefusedJobsAreSubmittedOneByOne() throws Exception {
        assertThat(slurm.ask(
                        "sbatch",
                        "--array=0-" + Slurm.LARGEST_ARRAY,
                        "--wrap=true",
                        "--chdir=" + dir,
                        "--output=/dev/null"))
                .contains("array");
        SlurmEngine together = engine(2000);
        List<Job> jobs = new ArrayList<>();
        for (int k = 0; k <= Slurm.LARGEST_ARRAY; k++) {
            jobs.add(job("single " + k, "echo $SLURM_JOB_ID${SLURM_ARRAY_TASK_ID:+ of an array}; exit 3" + k + "\n"));
        }
        List<CompletableFuture<ProcessExit>> ends = jobs.stream()
                .map(j -> begin(together, j, new CancellationSignal()))
                .toList();
        for (int k = 0; k < jobs.size(); k++) {
            assertThat(ends.get(k).join().status()).hasValue(30 + k);
        }
        List<String> ids = new ArrayList<>();
        for (Job j : jobs) {
            ids.add(Files.readString(j.log()).strip());
        }
        assertThat(ids).as("jobs, no tasks").allMatch(i -> i.matches("\\d+")).doesNotHaveDuplicates();
    }

    /// A program that was killed has left an array; its next start follows the task that runs and the one that waits.
    @Test
    void tasksOfAnArrayAreFoundAgain() throws Exception {
        var submission = new SlurmSubmission(
                new SlurmCommands(Map.of("SLURM_CONF", slurm.configuration().toString())), List.of(), 1, 2000, 200);
        List<Job> jobs = List.of(
                job("one", "while [ ! -e go ]; do sleep 0.1; done; exit 21\n"),
                job("two", "while [ ! -e go ]; do sleep 0.1; done; exit 22\n"));
        List<CompletableFuture<String>> ids = jobs.stream()
                .map(j -> CompletableFuture.supplyAsync(
                        () -> {
                            SlurmFiles.of(j).writeScript(j);
                            return submission.submit(j, SlurmFiles.of(j), new CancellationSignal());
                        },
                        r -> Thread.ofPlatform().daemon().start(r)))
                .toList();
        assertThat(ids.stream()
                        .map(CompletableFuture::join)
                        .map(SlurmQueue::base)
                        .distinct())
                .hasSize(1);
        assertThat(jobs).allMatch(engine::isRunning);
        for (Job job : jobs) {
            Files.writeString(job.folder().resolve("go"), "");
        }
        assertThat(jobs.stream()
                        .map(j -> engine.await(j, new CancellationSignal())
                                .status()
                                .orElse(-1)))
                .containsExactly(21, 22);
        assertThat(jobs).noneMatch(engine::isRunning);
    }

    @Test
    void aStopCancelsTheJob() throws Exception {
        Job stopped = job("stopped", "sleep 300\n");
        var cancel = new CancellationSignal();
        var end = begin(engine, stopped, cancel);
        awaitState(stopped, "RUNNING");
        cancel.cancel();
        assertThatThrownBy(end::join).hasCauseInstanceOf(CancellationException.class);
        assertThat(slurm.ask("squeue", "-h", "-t", "RUNNING,PENDING")).isBlank();
    }

    /// A program that was killed after it submitted, before it had the number, has left the job's name.
    @Test
    void aJobWhoseNumberWasNotKeptIsFoundByItsName() throws Exception {
        Job job = job("named", "while [ ! -e go ]; do sleep 0.1; done; exit 4\n");
        var begun = begin(engine, job, new CancellationSignal());
        String id = id(job);
        String name = slurm.ask("squeue", "-h", "--jobs=" + id, "--format=%j").strip();
        SlurmFiles.of(job).writeName(name, -1);
        SlurmEngine other = engine(0);
        assertThat(other.isRunning(job)).isTrue();
        Files.writeString(job.folder().resolve("go"), "");
        assertThat(Stream.of(
                                begun.join(),
                                other.isRunning(job) ? other.await(job, new CancellationSignal()) : begun.join())
                        .map(ProcessExit::status))
                .allMatch(s -> s.getAsInt() == 4);

        SlurmFiles.of(job).writeName("knobscape-hls-nosuchjob", 2);
        assertThat(other.isRunning(job)).as("never submitted").isFalse();
    }

    @Test
    void aNodeThatFailsIsNoFaultOfTheDesign() throws Exception {
        Job job = job("lost", "sleep 300\n");
        var end = begin(engine(0, "--no-requeue"), job, new CancellationSignal());
        awaitState(job, "RUNNING");
        String node =
                slurm.ask("squeue", "-h", "--jobs=" + id(job), "--format=%N").strip();
        slurm.ask("scontrol", "update", "nodename=" + node, "state=down", "reason=test");
        try {
            assertThat(end.join().timedOut()).isFalse();
        } finally {
            slurm.ask("scontrol", "update", "nodename=" + node, "state=resume");
        }
        String log = Files.readString(job.log());
        assertThat(log).contains("its node failed (NODE_FAIL)").containsPattern("(?m)^Slurm: job \\d");
    }

    /// Slurm itself starts a job again whose node failed, unless it is told not to.
    @Test
    void aJobThatSlurmStartsAgainIsFollowedToItsEnd() throws Exception {
        Job job = job("again", "if [ -e once ]; then exit 6; fi; touch once; sleep 300\n");
        var end = begin(engine(0, "--requeue"), job, new CancellationSignal());
        awaitState(job, "RUNNING");
        while (!Files.exists(job.folder().resolve("once"))) {
            Thread.sleep(50);
        }
        String node =
                slurm.ask("squeue", "-h", "--jobs=" + id(job), "--format=%N").strip();
        slurm.ask("scontrol", "update", "nodename=" + node, "state=down", "reason=test");
        slurm.ask("scontrol", "update", "nodename=" + node, "state=resume");
        // Slurm lets two minutes pass before it starts such a job again; it may be told to do so at once.
        slurm.ask("scontrol", "update", "jobid=" + id(job), "starttime=now");
        assertThat(end.join().status())
                .as(() -> org.assertj.core.api.Assertions.contentOf(job.log().toFile()))
                .hasValue(6);
    }

    @Test
    void aControllerMayGoAwayAndComeBack() throws Exception {
        Job through = job("through", "while [ ! -e go ]; do sleep 0.1; done; exit 5\n");
        var end = begin(engine, through, new CancellationSignal());
        awaitState(through, "RUNNING");
        slurm.stopController();
        // Submitted while nobody answers.
        var later = begin(engine, job("later", "exit 7\n"), new CancellationSignal());
        Thread.sleep(1500);
        slurm.startController();
        Files.writeString(through.folder().resolve("go"), "");
        assertThat(end.join().status()).hasValue(5);
        assertThat(later.join().status()).hasValue(7);
    }

    @Test
    void whatSbatchRefusesIsSaid() throws Exception {
        Job job = job("refused", "exit 0\n");
        assertThatThrownBy(() -> engine(0, "--partition=nosuch").run(job, new CancellationSignal()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nosuch")
                .hasMessageContaining("--engine local");
        assertThat(engine.isRunning(job)).isFalse();
    }
}

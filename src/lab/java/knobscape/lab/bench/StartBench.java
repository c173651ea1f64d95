package knobscape.lab.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Folders;
import knobscape.project.ThisProgram;

/// `src/lab/run start`: how long a person waits for the window with a project that has a stored run, in whole processes
/// from the command to the picture. Without a display JavaFX draws into memory.
final class StartBench implements Bench {
    private static final int STARTS = 9;
    private static final int QUICK_STARTS = 3;
    private static final long PATIENCE_SECONDS = 900;
    private static final double WINDOW_AIM = 1.5;
    private static final double FRONT_AIM = 2.5;
    private static final List<String> MARKS = List.of("window", "front", "whole");
    /// Processor time until then, which other work on the machine hardly changes.
    private static final String CPU = " cpu";

    /// A start: seconds until each mark, and processor time until then.
    private record Start(Map<String, Double> seconds) {}

    /// A project with a stored run, opened in a process of its own.
    private record StoredProject(Job job, Path project) implements TrialSubject<Start> {
        @Override
        public String name() {
            return project.getFileName().toString();
        }

        /// Time on the machine as it is now.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public String words(Start s) {
            return s.seconds.toString();
        }

        @Override
        public Start run(String method, long seed, Map<String, Start> earlier) {
            Path times = job.out().resolve("times.txt");
            remove(times);
            process(job, List.of("-Dknobscape.times=" + times), List.of(method, project.toString()));
            return new Start(read(times));
        }
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String description() {
        return "Seconds from the command to the window, the stored front and the open project, in whole processes.";
    }

    @Override
    public BenchReport run(Job job) {
        Folders.writable(job.out());
        Path project = job.out().resolve("gemm");
        if (!Files.isRegularFile(project.resolve("runs.db"))) {
            job.progress().accept("Storing a run of the sample gemm");
            copy(job.requiredSamples().resolve("gemm"), project);
            process(job, List.of(), List.of("explore", project.toString(), "--steps", "20"));
        }
        // The first start reads what the others find in the machine's memory; it does not count.
        List<Map<String, Double>> all = TrialRunner.inTurn(
                        job, "trials.jsonl", Start.class, 1 + job.seeds().orElse(job.quick() ? QUICK_STARTS : STARTS))
                .run(new StoredProject(job, project), List.of("gui"))
                .stream()
                .skip(1)
                .map(t -> t.figures().seconds())
                .toList();
        List<List<Cell>> rows = IntStream.range(0, all.size())
                .mapToObj(i -> Stream.concat(
                                Stream.of(Cell.of(i + 1)),
                                MARKS.stream()
                                        .flatMap(m -> Stream.of(m, m + CPU))
                                        .map(m -> Cell.of(all.get(i).getOrDefault(m, Double.NaN))))
                        .toList())
                .toList();
        return new BenchReport(
                name(),
                "Seconds after the process began until what is named was drawn.",
                Column.list(
                        "start",
                        "start",
                        "window",
                        "window (s)",
                        "windowCpu",
                        "processor (s)",
                        "front",
                        "stored front (s)",
                        "frontCpu",
                        "processor (s)",
                        "whole",
                        "open (s)",
                        "wholeCpu",
                        "processor (s)"),
                rows,
                List.of(
                        Aim.atMost("median seconds to the window", median(all, "window"), WINDOW_AIM),
                        Aim.atMost("median seconds to the stored front", median(all, "front"), FRONT_AIM)),
                List.of(
                        "The column behind each time is the processor time that the process had taken until then; median"
                                + " to the stored front " + Math.round(10 * median(all, "front" + CPU)) / 10.0 + " s.",
                        "Each start is a process of its own with the arguments of this one; a first one is not counted.",
                        "Without a display JavaFX's headless platform and its software pipeline draw."));
    }

    private static double median(List<Map<String, Double>> starts, String mark) {
        return Statistics.median(starts.stream()
                .mapToDouble(s -> s.getOrDefault(mark, Double.NaN))
                .toArray());
    }

    private static Map<String, Double> read(Path times) {
        try {
            var found = new HashMap<String, Double>();
            if (Files.exists(times)) {
                Files.readAllLines(times).stream().map(l -> l.split(" ")).forEach(l -> {
                    found.put(l[0], Double.parseDouble(l[1]) / 1000);
                    found.put(l[0] + CPU, Double.parseDouble(l[2]) / 1000);
                });
            }
            if (!found.keySet().containsAll(MARKS)) {
                throw new UserError("The window did not show everything, only " + found.keySet()
                        + "; why stands in process.log beside the results.");
            }
            return found;
        } catch (IOException e) {
            throw new UserError("The window did not start: " + e.getMessage() + ".", e);
        }
    }

    /// Runs this program once more with the options of this virtual machine. What it measures is made up or known, and
    /// nothing that the user's tuning history should have.
    static void process(Job job, List<String> options, List<String> arguments) {
        var settled = Stream.concat(
                        options.stream(),
                        Stream.of("-Dglass.platform=Headless", "-Dprism.order=sw", "-Dknobscape.history=none"))
                .distinct()
                .toList();
        List<String> words = ThisProgram.command(settled, arguments);
        File log = job.out().resolve("process.log").toFile();
        Process p = null;
        try {
            p = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            for (long waited = 0; !p.waitFor(1, TimeUnit.SECONDS); waited++) {
                job.cancel().throwIfCancelled();
                if (waited > PATIENCE_SECONDS) {
                    throw new UserError(
                            "The program did not end within " + PATIENCE_SECONDS + " s; it wrote " + log + ".");
                }
            }
            if (p.exitValue() != 0) {
                throw new UserError("The program ended with code " + p.exitValue() + "; it wrote " + log + ".");
            }
        } catch (IOException e) {
            throw new UserError("The program cannot be started: " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("The bench was interrupted.", e);
        } finally {
            if (p != null) {
                p.descendants().forEach(ProcessHandle::destroyForcibly);
                p.destroyForcibly();
            }
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path f : files.sorted(Comparator.naturalOrder()).toList()) {
                Path there = to.resolve(from.relativize(f).toString());
                if (Files.isDirectory(f)) {
                    Files.createDirectories(there);
                } else if (!f.getFileName().toString().startsWith("runs.db")) {
                    Files.copy(f, there);
                }
            }
        } catch (IOException e) {
            throw new UserError("The sample cannot be copied to " + to + ": " + e.getMessage() + ".", e);
        }
    }

    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UserError(file + " cannot be replaced: " + e.getMessage() + ".", e);
        }
    }
}

package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Folders;

/// How fast the window answers, and what memory it takes, while a run of 10^5 designs goes on in it: a process of its
/// own continues a stored run of a table of made designs to that number, and is given input as a hand gives it.
final class WindowBench implements Bench {
    private static final int DESIGNS = 100_000;
    private static final int QUICK_DESIGNS = 10_000;
    /// Designs that arrive while the window is measured.
    private static final int LIVE = 5_000;
    private static final List<String> LEFT = List.of("window.json", ".knobscape.owner", "runs.db-wal", "runs.db-shm");
    private static final double ANSWER_AIM = 50;
    private static final double MEMORY_AIM = 700;
    private static final double PERCENTILE = 0.99;

    /// The window's answer times.
    ///
    /// @param answers milliseconds by kind of input
    /// @param computing of them on the window's own thread, by kind of input
    /// @param facts other figures by name
    private record Answers(
            Map<String, List<Double>> answers, Map<String, List<Double>> computing, Map<String, Double> facts) {}

    /// A stored run that goes on in a window.
    private record LiveRun(Job job, Path project) implements TrialSubject<Answers> {
        @Override
        public String name() {
            return LIVE + " designs arrive";
        }

        /// Time on the machine as it is now.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public String words(Answers a) {
            return a.answers.values().stream().mapToInt(List::size).sum() + " inputs answered";
        }

        @Override
        public Answers run(String method, long seed, Map<String, Answers> earlier) {
            Path fresh = job.out().resolve("run");
            // What an earlier window remembers of it, a filter say, or left where it was ended, is not measured.
            LEFT.forEach(name -> StartBench.remove(fresh.resolve(name)));
            copy(project, fresh);
            Path answers = job.out().resolve("answers.txt");
            StartBench.remove(answers);
            job.progress().accept("Giving input while " + LIVE + " designs arrive");
            StartBench.process(
                    job,
                    List.of("-Dknobscape.answers=" + answers, "-Dknobscape.answers.more=" + LIVE),
                    List.of(method, fresh.toString()));
            return read(answers);
        }
    }

    @Override
    public String name() {
        return "window";
    }

    @Override
    public String description() {
        return "Milliseconds until the window has answered input while a run reaches 10^5 designs, and its memory.";
    }

    @Override
    public BenchReport run(Job job) {
        Folders.writable(job.out());
        int designs = job.quick() ? QUICK_DESIGNS : DESIGNS;
        Path folder = job.out().resolve("designs-" + designs);
        Path project = folder.resolve("run");
        if (!Files.exists(folder.resolve("stored.txt"))) {
            job.progress().accept("Storing a run of " + (designs - LIVE) + " made designs");
            Path table = folder.resolve("made.csv");
            FileOutput.write(table, made(job.firstSeed(), designs + LIVE));
            StartBench.process(
                    job,
                    List.of(),
                    List.of(
                            "explore",
                            table.toString(),
                            "--method",
                            "random",
                            "--steps",
                            Integer.toString(designs - LIVE),
                            "--init",
                            "8",
                            "--early-stop",
                            "0",
                            "--out",
                            project.toString()));
            // Says that the run is whole.
            FileOutput.write(folder.resolve("stored.txt"), "stored\n");
        }
        return report(TrialRunner.inTurn(job, "trials.jsonl", Answers.class, 1)
                .run(new LiveRun(job, project), List.of("gui"))
                .getFirst()
                .figures());
    }

    /// A table of designs whose figures trade off against each other, in the order of its knobs.
    private static String made(long seed, int designs) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var b = new StringBuilder("unroll,pipeline,partition,tile,width,mode,delay,lut,power\n");
        for (int i = 0; i < designs; i++) {
            int pipeline = i % 10;
            int partition = i / 10 % 10;
            int tile = i / 100 % 10;
            int width = i / 1000 % 5;
            int mode = i / 5000 % 2;
            int unroll = 1 + i / 10_000;
            double parallel = unroll * (1.0 + pipeline) * (1 + width);
            double delay = 1e6 / parallel * (1 + 0.03 * partition) * (1 + 0.2 * random.nextDouble()) + 100 * tile;
            double lut = 300 + 40 * parallel * (1 + 0.05 * partition) + 30 * tile + 50 * mode;
            b.append(String.format(
                    Locale.ROOT,
                    "%d,%d,%d,%d,%d,%s,%.1f,%.0f,%.4f%n",
                    unroll,
                    pipeline,
                    partition,
                    tile,
                    1 << width,
                    mode == 0 ? "a" : "b",
                    delay,
                    lut,
                    0.2 + lut / 40_000 + 0.02 * random.nextDouble()));
        }
        return b.toString();
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            for (Path f : files.filter(f -> List.of("knobscape.json", "runs.db")
                            .contains(f.getFileName().toString()))
                    .toList()) {
                Files.copy(f, to.resolve(f.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UserError("The stored run cannot be copied to " + to + ": " + e.getMessage() + ".", e);
        }
    }

    private static Answers read(Path file) {
        var byKind = new TreeMap<String, List<Double>>();
        var computing = new TreeMap<String, List<Double>>();
        var facts = new TreeMap<String, Double>();
        try {
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] w = line.split(" ");
                if (w[0].equals("answer")) {
                    String kind = w[1].replace('_', ' ');
                    byKind.computeIfAbsent(kind, k -> new ArrayList<>()).add(Double.parseDouble(w[2]));
                    computing.computeIfAbsent(kind, k -> new ArrayList<>()).add(Double.parseDouble(w[3]));
                } else {
                    facts.put(w[0], Double.parseDouble(w[1]));
                }
            }
        } catch (IOException e) {
            throw new UserError("The window did not answer: " + e.getMessage() + ".", e);
        }
        if (byKind.isEmpty() || !facts.keySet().containsAll(List.of("designs", "resident", "rested"))) {
            throw new UserError("The window did not answer; why stands in process.log beside the results.");
        }
        return new Answers(byKind, computing, facts);
    }

    private static BenchReport report(Answers a) {
        double[] all = values(a.answers.values().stream().flatMap(List::stream));
        var rows = new ArrayList<List<Cell>>();
        for (Map.Entry<String, List<Double>> e : a.answers.entrySet()) {
            double[] v = values(e.getValue().stream());
            double[] own = values(a.computing.getOrDefault(e.getKey(), List.of()).stream());
            rows.add(List.of(
                    Cell.of(e.getKey()),
                    Cell.of(v.length),
                    Cell.of(Statistics.quantile(v, 0.5)),
                    Cell.of(Statistics.quantile(v, PERCENTILE)),
                    Cell.of(v[v.length - 1]),
                    Cell.of(Statistics.quantile(own, 0.5)),
                    Cell.of(Statistics.quantile(own, PERCENTILE))));
        }
        return new BenchReport(
                "window",
                "Milliseconds from an input until the window was laid out anew with its answer.",
                Column.list(
                        "input",
                        "input",
                        "count",
                        "inputs",
                        "median",
                        "median (ms)",
                        "p99",
                        "99 % (ms)",
                        "most",
                        "longest (ms)",
                        "computed",
                        "its thread's median",
                        "computed99",
                        "99 %"),
                rows,
                List.of(
                        Aim.atMost(
                                "milliseconds that 99 % of the answers take",
                                Statistics.quantile(all, PERCENTILE), ANSWER_AIM),
                        Aim.atMost(
                                "megabytes resident at the last input",
                                a.facts.getOrDefault("resident", Double.NaN),
                                MEMORY_AIM),
                        Aim.atMost(
                                "megabytes resident when nobody has touched it for some seconds",
                                a.facts.getOrDefault("rested", Double.NaN),
                                MEMORY_AIM)),
                List.of(
                        Math.round(a.facts.getOrDefault("designs", 0.0)) + " designs at the end, "
                                + Math.round(a.facts.getOrDefault("live", 0.0))
                                + " of them arrived while input was given; " + all.length + " inputs.",
                        "The last two columns are what the window's own thread computed of it, which other work on the"
                                + " machine hardly changes; 99 % of all inputs took "
                                + Math.round(Statistics.quantile(
                                        values(a.computing.values().stream().flatMap(List::stream)), PERCENTILE))
                                + " ms of that.",
                        "Heap in use at the end " + Math.round(a.facts.getOrDefault("heap", 0.0)) + " MB.",
                        "Without a display JavaFX's headless platform and its software pipeline draw."));
    }

    private static double[] values(Stream<Double> all) {
        return all.mapToDouble(v -> v).sorted().toArray();
    }
}

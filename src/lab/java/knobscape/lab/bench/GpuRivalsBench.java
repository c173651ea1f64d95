package knobscape.lab.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Folders;
import knobscape.work.tool.ToolProcess;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `src/lab/run gpu-rivals`: `bo` beside Kernel Tuner's annealing and genetic search on spaces that Kernel Tuner's
/// authors measured whole, by caches of its own. The rivals are Kernel Tuner itself, which searches the same cache in
/// its simulation mode, once for each budget, because its annealing cools within the budget it is given.
final class GpuRivalsBench implements Bench {
    private static final String OURS = "bo";
    /// Methods by the name that Kernel Tuner has for them; `bo` has none.
    private static final Map<String, String> METHODS = methodNames();
    private static final int[] MARKS = {32, 64, 128, 256};
    private static final double[] AIMS = {.90, .96, .99, .998};
    private static final int SEEDS = 6;
    private static final int QUICK_SEEDS = 2;
    private static final int QUICK_SETS = 2;
    private static final int PROTOCOL = 1;
    private static final String PYTHON = "python3";
    private static final String SCRIPT = "kernel_tuner_search.py";
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private static Map<String, String> methodNames() {
        var names = new LinkedHashMap<String, String>();
        names.put(OURS, "");
        names.put("annealing of Kernel Tuner", "simulated_annealing");
        names.put("genetic search of Kernel Tuner", "genetic_algorithm");
        return names;
    }

    /// The shares of the optimum that a search reached, one for each of [#MARKS].
    record Reached(List<Double> shares) {}

    /// A space that was measured whole.
    private record Published(Job job, Path file, MeasuredSet set, Path script) implements TrialSubject<Reached> {
        @Override
        public String name() {
            return set.name();
        }

        @Override
        public Optional<String> key(String method) {
            return Optional.of("protocol=" + PROTOCOL + " set=" + set.name() + " size="
                    + set.space().size());
        }

        @Override
        public String words(Reached r) {
            return String.format(
                    Locale.ROOT,
                    "%s of the optimum",
                    String.join(
                            ", ",
                            r.shares.stream()
                                    .map(s -> String.format(Locale.ROOT, "%.3f", s))
                                    .toList()));
        }

        @Override
        public Reached run(String method, long seed, Map<String, Reached> earlier) {
            String strategy = Objects.requireNonNull(METHODS.get(method));
            return strategy.isEmpty() ? ours(method, seed) : rival(strategy, seed);
        }

        private Reached ours(String method, long seed) {
            DgpBench.Progress p = DgpBench.search(job, set, List.of(), method, MARKS[MARKS.length - 1], 0, seed);
            return new Reached(Arrays.stream(MARKS)
                    .mapToObj(m -> p.marks().get(Arrays.binarySearch(DgpBench.MARKS, m)))
                    .toList());
        }

        private Reached rival(String strategy, long seed) {
            Path folder = job.out().resolve("rival");
            Folders.writable(folder);
            Path log = folder.resolve("log.txt");
            var command = new ArrayList<>(
                    List.of(PYTHON, "-W", "ignore", script.toString(), file.toString(), strategy, Long.toString(seed)));
            Arrays.stream(MARKS).mapToObj(Integer::toString).forEach(command::add);
            try {
                Files.deleteIfExists(log);
                ToolProcess.ProcessExit end = ToolProcess.run(
                        new ToolProcess.Job(log.toString(), command, folder, Map.of(), log, PATIENCE), job.cancel());
                String text = Files.readString(log);
                String last = text.lines()
                        .filter(l -> !l.isBlank())
                        .reduce((_, b) -> b)
                        .orElse("");
                if (end.status().orElse(1) != 0 || !last.startsWith("{")) {
                    throw new UserError("Kernel Tuner's " + strategy + " on " + file + " failed: " + last + ".");
                }
                JsonNode found = JsonMapper.shared().readTree(last);
                return new Reached(Arrays.stream(MARKS)
                        .mapToObj(m -> found.path(Integer.toString(m)))
                        .map(t -> t.isNumber() ? set.speed(t.asDouble()) / set.bestSpeed() : 0)
                        .toList());
            } catch (IOException e) {
                throw new UserError("Kernel Tuner's answer in " + log + " cannot be read: " + e.getMessage() + ".", e);
            }
        }
    }

    @Override
    public String name() {
        return "gpu-rivals";
    }

    @Override
    public String description() {
        return "bo beside Kernel Tuner's annealing and genetic search on spaces that its authors measured whole.";
    }

    @Override
    public List<String> methods() {
        return List.copyOf(METHODS.keySet());
    }

    @Override
    public BenchReport run(Job job) {
        Folders.writable(job.out());
        List<Path> files = files(job.requiredData());
        Path script = script(job.out());
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var notes = new ArrayList<String>();
        boolean isThere = hasKernelTuner(job.out(), job.cancel());
        if (!isThere) {
            notes.add("Kernel Tuner is not there: '" + PYTHON + "' cannot import kernel_tuner (pip install"
                    + " kernel-tuner). Its searches are left out.");
        }
        List<String> methods = methods().stream()
                .filter(m -> job.methods().isEmpty() || job.methods().contains(m))
                .filter(m -> isThere || m.equals(OURS))
                .toList();
        var runner = TrialRunner.<Reached>inTurn(job, "rivals.jsonl", Reached.class, seeds);
        var trials = new ArrayList<Trial<Reached>>();
        for (Path file : job.quick() ? files.subList(0, Math.min(QUICK_SETS, files.size())) : files) {
            trials.addAll(runner.run(new Published(job, file, MeasuredSet.open(file), script), methods));
        }
        return report(trials, methods, notes);
    }

    /// Caches of Kernel Tuner in a folder and in the folders in it; its T4 files hold the same measurements.
    private static List<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder, 2)) {
            List<Path> found = all.filter(f -> f.getFileName().toString().matches(".*(?<!_T4)\\.json(\\.gz)?"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new UserError("There is no cache of Kernel Tuner (.json or .json.gz) in " + folder
                        + "; name the folder 'cachefiles' of its benchmark hub.");
            }
            return found;
        } catch (IOException e) {
            throw new UserError("Cannot read " + folder + ": " + e.getMessage() + ".", e);
        }
    }

    private static Path script(Path out) {
        try (InputStream in = Objects.requireNonNull(
                GpuRivalsBench.class.getResourceAsStream("/knobscape/lab/" + SCRIPT), "the script of the bench")) {
            return Files.write(out.resolve(SCRIPT), in.readAllBytes()).toAbsolutePath();
        } catch (IOException e) {
            throw new UserError("Cannot write into " + out + ": " + e.getMessage() + ".", e);
        }
    }

    private static boolean hasKernelTuner(Path out, CancellationSignal cancel) {
        try {
            Path log = TemporaryFiles.file("kernel-tuner", ".txt");
            try {
                return ToolProcess.run(
                                        new ToolProcess.Job(
                                                log.toString(),
                                                List.of(PYTHON, "-c", "import kernel_tuner"),
                                                out,
                                                Map.of(),
                                                log,
                                                PATIENCE),
                                        cancel)
                                .status()
                                .orElse(1)
                        == 0;
            } finally {
                Files.deleteIfExists(log);
            }
        } catch (IOException | UserError e) {
            return false;
        }
    }

    private BenchReport report(List<Trial<Reached>> trials, List<String> methods, List<String> notes) {
        var rows = new ArrayList<List<Cell>>();
        var means = new LinkedHashMap<String, Map<String, double[]>>();
        for (Trial<Reached> t : trials) {
            means.computeIfAbsent(t.subject(), _ -> new LinkedHashMap<>()).computeIfAbsent(t.method(), m -> {
                List<Reached> all = trials.stream()
                        .filter(o ->
                                o.subject().equals(t.subject()) && o.method().equals(m))
                        .map(Trial::figures)
                        .toList();
                return shares(all);
            });
        }
        means.forEach((set, byMethod) ->
                byMethod.forEach((method, shares) -> rows.add(BenchReport.row(List.of(set, method), shares))));
        var aims = new ArrayList<Aim>();
        var over = new LinkedHashMap<String, double[]>();
        for (String method : methods) {
            List<double[]> sets = means.values().stream()
                    .map(m -> Objects.requireNonNull(m.get(method)))
                    .toList();
            double[] mean = new double[MARKS.length];
            for (int m = 0; m < MARKS.length; m++) {
                int mark = m;
                mean[m] = Statistics.mean(sets, s -> s[mark]);
            }
            over.put(method, mean);
            rows.add(BenchReport.row(List.of("mean of " + sets.size() + " sets", method), mean));
        }
        double[] ours = over.get(OURS);
        for (int m = 0; ours != null && m < MARKS.length; m++) {
            int mark = m;
            aims.add(Aim.atLeast("bo at " + MARKS[m] + ", mean of the sets", ours[m], AIMS[m]));
            over.forEach((method, mean) -> {
                if (!method.equals(OURS)) {
                    aims.add(Aim.atLeast(
                            "bo less " + method + " at " + MARKS[mark] + ", mean of the sets",
                            ours[mark] - mean[mark],
                            0));
                }
            });
            Map.Entry<String, Map<String, double[]>> worst = means.entrySet().stream()
                    .min(Comparator.comparingDouble(
                            e -> Objects.requireNonNull(e.getValue().get(OURS))[mark]))
                    .orElseThrow();
            notes.add(String.format(
                    Locale.ROOT,
                    "Worst set of bo at %d: %s, %.3f.",
                    MARKS[m],
                    worst.getKey(),
                    Objects.requireNonNull(worst.getValue().get(OURS))[mark]));
        }
        notes.add("A share is the least time of the set over the least time found, the mean over seeds. Configurations"
                + " that did not run count as measurements.");
        return new BenchReport(
                name(),
                "Share of the optimum after equal measurements, on spaces that Kernel Tuner's authors measured whole",
                Column.list(
                        "set", "set", "method", "method", "at32", "at 32", "at64", "at 64", "at128", "at 128", "at256",
                        "at 256"),
                rows,
                aims,
                notes);
    }

    private static double[] shares(List<Reached> seeds) {
        double[] mean = new double[MARKS.length];
        for (int m = 0; m < MARKS.length; m++) {
            int mark = m;
            mean[m] = Statistics.mean(seeds, r -> r.shares.get(mark));
        }
        return mean;
    }
}

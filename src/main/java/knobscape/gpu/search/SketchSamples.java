package knobscape.gpu.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import knobscape.explore.Exploration;
import knobscape.explore.LevelText;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.feature.SubgraphFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import knobscape.space.FeatureEncoder;
import knobscape.space.Sha256;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.NodeGraph;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What Ansor's search has measured of the kernels of networks: the rows that cost models learn from and are compared
/// on. Every kernel is searched by itself, from nothing, so that a collection that was interrupted resumes with the
/// kernel it was at.
public final class SketchSamples {
    private static final JsonMapper JSON = JsonMapper.shared();

    /// What is collected.
    ///
    /// @param networks as [TunableNetwork#read] takes them
    /// @param trials measurements of each kernel
    /// @param population schedules of each generation of the search
    public record Settings(List<String> networks, int trials, int population, long seed) {
        /// Throws [IllegalArgumentException] for less than one network, trial or two schedules.
        public Settings {
            networks = List.copyOf(networks);
            if (networks.isEmpty() || trials < 1 || population < 2) {
                throw new IllegalArgumentException(
                        "a collection needs a network, at least 1 trial per kernel and a population of at least 2");
            }
        }
    }

    /// A kernel with its measurements.
    ///
    /// @param name of its work and tail
    record Kernel(String name, NodeGraph graph, List<RunRecords.Row> rows) {}

    private final List<Kernel> kernels;
    private final String fingerprint;

    private SketchSamples(List<Kernel> kernels, String fingerprint) {
        this.kernels = List.copyOf(kernels);
        this.fingerprint = fingerprint;
    }

    /// Collects what is missing and gives all.
    ///
    /// @param file what was collected, a line for each kernel; it grows
    /// @param progress told a line for each kernel
    /// @param cancel stops it by a `CancellationException`
    public static SketchSamples collect(
            Settings settings, GpuDevice device, Path file, Consumer<String> progress, CancellationSignal cancel) {
        Map<String, JsonNode> known = read(file);
        Map<String, NetworkKernel> wanted = new LinkedHashMap<>();
        for (String network : settings.networks) {
            TunableNetwork.read(network, 1, Map.of(), false, true, true)
                    .kernels()
                    .forEach(k -> wanted.putIfAbsent(name(k), k));
        }
        var all = new ArrayList<Kernel>();
        var text = new StringBuilder();
        for (Map.Entry<String, NetworkKernel> e : wanted.entrySet()) {
            cancel.throwIfCancelled();
            String key = device.info().name() + " " + device.info().version() + " trials=" + settings.trials
                    + " population=" + settings.population + " seed=" + settings.seed + " space="
                    + space(e.getValue()) + " " + e.getKey();
            Optional<JsonNode> kept = Optional.ofNullable(known.get(key));
            if (kept.isEmpty()) {
                String line = search(key, e.getValue(), settings, device, cancel);
                append(file, line);
                kept = Optional.of(JSON.readTree(line));
            }
            text.append(kept.get()).append('\n');
            all.add(kernel(e.getKey(), e.getValue(), kept.get()));
            progress.accept(all.size() + " of " + wanted.size() + " kernels measured: " + e.getKey());
        }
        return new SketchSamples(all, Sha256.of(text.toString()));
    }

    private static String name(NetworkKernel k) {
        return k.id() + "+" + k.tails().getFirst().epilogue().id();
    }

    /// What tells a kernel's sketches and their knobs from others: rows are told by levels of these knobs.
    private static String space(NetworkKernel k) {
        var source = (SketchSource) k.source().orElseThrow();
        return Sha256.of(source.sketches(k.tails().getFirst().epilogue())
                        + source.space().fingerprint())
                .substring(0, 12);
    }

    private static Map<String, JsonNode> read(Path file) {
        Map<String, JsonNode> known = new HashMap<>();
        if (Files.isRegularFile(file)) {
            try {
                for (String line : Files.readAllLines(file)) {
                    try {
                        JsonNode node = JSON.readTree(line);
                        known.put(node.path("key").asString(""), node);
                    } catch (JacksonException _) {
                        // The line that was being written when the process died: that kernel is searched again.
                    }
                }
            } catch (IOException e) {
                throw new UserError("Cannot read '" + file + "': " + e.getMessage() + ".", e);
            }
        }
        return known;
    }

    private static void append(Path file, String line) {
        try {
            // The line feeds around it: after a cut-off line the new one starts afresh.
            Files.writeString(file, "\n" + line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UserError("Cannot write '" + file + "': " + e.getMessage() + ".", e);
        }
    }

    /// What a search of one kernel is given.
    static TuningProblem problem(NetworkKernel k, GpuDevice device, long seed) {
        EvaluatorInfo info = evaluator(k, device).info();
        return new TuningProblem(
                        k.space(),
                        FeatureEncoder.numbers(k.space().knobs()),
                        FeatureEncoder.coordinates(k.space().knobs()),
                        info,
                        info.metric(ScheduleEvaluator.TIME),
                        seed * 1_000_003L + k.id().hashCode())
                .with(c -> k.schedule(c)
                        .orElseThrow()
                        .check(device.info().limits())
                        .isEmpty())
                .lowered(k);
    }

    private static ScheduleEvaluator evaluator(NetworkKernel k, GpuDevice device) {
        return new ScheduleEvaluator(
                k.source().orElseThrow(), k.tails().getFirst().epilogue(), device);
    }

    private static String search(
            String key, NetworkKernel k, Settings settings, GpuDevice device, CancellationSignal cancel) {
        TuningProblem p = problem(k, device, settings.seed);
        var explorer = new EvolutionaryExplorer("ansor", p, new ScheduleScorer.Trees(), settings.population);
        var search = new Exploration(
                List.of(new Subject(
                        k.id(),
                        1,
                        p.space(),
                        explorer,
                        evaluator(k, device),
                        List.of(p.metric()),
                        64,
                        new Termination.Never(),
                        List.of())),
                Scheduler.roundRobin(),
                new Exploration.Settings(settings.seed, Integer.MAX_VALUE, settings.trials, 0, 1, 0),
                System::nanoTime,
                Runnable::run);
        var configurations = new ArrayList<Configuration>();
        var node = JSON.createObjectNode().put("key", key);
        var times = node.putArray("ms");
        search.addListener(event -> {
            if (event instanceof RunEvent.StageDone d) {
                configurations.add(d.evaluation().configuration());
                times.add(d.evaluation().value(ScheduleEvaluator.TIME).orElse(0));
            }
        });
        cancel.onCancel(search::stop);
        RunEvent.Finished end = search.run(List.of());
        cancel.throwIfCancelled();
        if (end.ending() == RunEvent.Ending.FAILED) {
            throw new UserError("The search of " + k.id() + " failed: " + end.reason());
        }
        return JSON.writeValueAsString(node.put("levels", LevelText.write(configurations)));
    }

    private static Kernel kernel(String name, NetworkKernel k, JsonNode line) {
        var source = (SketchSource) k.source().orElseThrow();
        var tail = k.tails().getFirst().epilogue();
        List<Configuration> configurations =
                LevelText.read(k.space().knobs(), line.path("levels").asString(""));
        List<RunRecords.Row> rows = IntStream.range(0, configurations.size())
                .parallel()
                .mapToObj(i -> {
                    double ms = line.path("ms").path(i).asDouble(0);
                    return new RunRecords.Row(
                            ScheduleFeatures.of(source.schedule(configurations.get(i), tail)),
                            ms > 0 ? 1 / ms : 0,
                            ms > 0 ? ms : Double.POSITIVE_INFINITY);
                })
                .toList();
        return new Kernel(name, SubgraphFeatures.of(source.computation(tail)), rows);
    }

    /// The measured trace of one sketch of a matrix product by Ansor on a GPU (columns i0 .. i4, j0 .. j4, k0
    /// .. k2, split_a, split_b, unroll, status, time_ms): the function of each element behind the product is
    /// not modelled, and vector splits are taken as the nearest that our sketches have. Throws [UserError]
    /// where the file is no such trace.
    public static SketchSamples trace(Path file, long m, long n, long k) {
        SketchSource source = SketchSource.of(new Workload.Dense(ElementType.FLOAT32, m, n, k))
                .orElseThrow();
        var rows = new ArrayList<RunRecords.Row>();
        CsvTable table = CsvTable.read(file);
        if (!table.header().containsAll(List.of("i0", "j4", "k2", "split_a", "unroll", "status", "time_ms"))) {
            throw new UserError(file + ": line 1: this is no trace of a sketch of a matrix product.");
        }
        for (int row = 0; row < table.rowCount(); row++) {
            var r = new HashMap<String, String>();
            for (int c = 0; c < table.header().size(); c++) {
                r.put(table.header().get(c), table.cell(row, c));
            }
            Optional<Configuration> c = configuration(source.space(), r);
            if (c.isPresent() && "ok".equals(r.get("status"))) {
                double ms = Double.parseDouble(r.getOrDefault("time_ms", "NaN"));
                rows.add(new RunRecords.Row(ScheduleFeatures.of(source.schedule(c.get())), 1 / ms, ms));
            }
        }
        return new SketchSamples(
                List.of(new Kernel(
                        file.getFileName().toString(), SubgraphFeatures.of(source.computation(Epilogue.NONE)), rows)),
                Sha256.of(file.toString() + rows.size()));
    }

    private static Optional<Configuration> configuration(ScheduleSpace space, Map<String, String> row) {
        int[] levels = new int[space.knobs().size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = switch (space.scheduleKnobs().get(i)) {
                case ScheduleKnob.Split s -> {
                    String axis = s.name().equals("tile_y") ? "i" : s.name().equals("tile_x") ? "j" : "k";
                    yield s.levelOf(IntStream.range(0, s.parts())
                            .mapToLong(p -> Long.parseLong(row.getOrDefault(axis + p, "0")))
                            .toArray());
                }
                case ScheduleKnob.Option o -> {
                    int value = Integer.parseInt(row.getOrDefault(
                            switch (o.name()) {
                                case "unroll" -> "unroll";
                                case "vector_data" -> "split_a";
                                default -> "split_b";
                            },
                            "0"));
                    yield IntStream.range(0, o.values().size())
                            .boxed()
                            .min(Comparator.comparingInt(l -> Math.abs(o.value(l) - value)))
                            .orElseThrow();
                }
            };
            if (levels[i] < 0) {
                return Optional.empty();
            }
        }
        Configuration c = Configuration.of(space.knobs(), levels);
        return space.contains(c) ? Optional.of(c) : Optional.empty();
    }

    /// Every second measurement of every kernel, from the first or from the second on.
    public SketchSamples everySecond(int from) {
        return new SketchSamples(
                kernels.stream()
                        .map(k -> new Kernel(
                                k.name,
                                k.graph,
                                IntStream.range(0, k.rows.size())
                                        .filter(i -> i % 2 == from)
                                        .mapToObj(k.rows::get)
                                        .toList()))
                        .toList(),
                fingerprint + " from " + from);
    }

    /// Measurements in all.
    public int size() {
        return kernels.stream().mapToInt(k -> k.rows.size()).sum();
    }

    /// The kernels with their measurements.
    List<Kernel> kernels() {
        return kernels;
    }

    /// Of what was measured.
    public String fingerprint() {
        return fingerprint;
    }

    /// All rows of kernels of which anything ran; the target is as in [RunRecords#graphRows()].
    public GraphRows graphRows() {
        return GraphRows.join(kernels.stream()
                .filter(k -> k.rows.stream().anyMatch(r -> r.score() > 0))
                .map(k -> RunRecords.graphRows(k.graph, k.rows))
                .toList());
    }
}

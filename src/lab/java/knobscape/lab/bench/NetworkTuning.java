package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.LevelText;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.search.ScheduleScorer;
import knobscape.gpu.search.SketchCollector;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.table.NetworkJson;
import knobscape.space.Sha256;
import knobscape.surrogate.graph.GraphModelFile;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.GraphTraining;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;

/// Whole networks tuned on a model device in a bench; nothing of them is stored but what they came to.
final class NetworkTuning {
    static final String DEVICE = "model:gtx1080ti";
    /// Measurements of each kernel of the probe: with templates more than the drawn ones that searches begin with, with
    /// sketches so many that every cost model has begun.
    private static final int PROBED = 72;

    private static final int PROBED_SKETCHES = 32;

    private final Bench.Job job;
    private final Map<TuningMethod, String> fingerprints = new HashMap<>();

    /// A network tuned once.
    ///
    /// @param milliseconds of all its kernels
    /// @param algorithmSeconds of the search
    /// @param deviceSeconds of compiling and measuring, as the device says
    record TuningOutcome(double milliseconds, double algorithmSeconds, double deviceSeconds) {
        static TuningOutcome mean(List<TuningOutcome> all) {
            return new TuningOutcome(
                    Statistics.mean(all, TuningOutcome::milliseconds),
                    Statistics.mean(all, TuningOutcome::algorithmSeconds),
                    Statistics.mean(all, TuningOutcome::deviceSeconds));
        }

        /// Time of the search and of the device.
        double seconds() {
            return algorithmSeconds + deviceSeconds;
        }
    }

    /// A network that searches tune. What a search came to is kept until the search changes.
    abstract class Tuned implements TrialSubject<TuningOutcome> {
        /// The search of a name.
        abstract TuningMethod method(String name);

        /// Everything else that the outcome of a search depends on.
        abstract String settings(String method);

        abstract TuningOutcome tune(TuningMethod method, long seed);

        @Override
        public Optional<String> key(String method) {
            return Optional.of(settings(method) + " search=" + fingerprint(method(method)));
        }

        @Override
        public String words(TuningOutcome t) {
            return String.format(Locale.ROOT, "%.4f ms", t.milliseconds);
        }

        @Override
        public TuningOutcome run(String method, long seed, Map<String, TuningOutcome> earlier) {
            return tune(method(method), seed);
        }
    }

    /// Where runs would be kept; none are.
    private record Folder(Path folder) implements WorkLocation {
        @Override
        public boolean isScratch() {
            return true;
        }
    }

    NetworkTuning(Bench.Job job) {
        this.job = job;
    }

    /// The fingerprint of a search: a digest of all that it measures of a small network,
    /// so that it changes with the search, its space and the device, and with nothing else.
    String fingerprint(TuningMethod method) {
        return fingerprints.computeIfAbsent(method, m -> {
            boolean sketches = m.model().isPresent();
            try {
                Path folder = TemporaryFiles.folder("probe");
                Path network = folder.resolve("probe.json");
                Path rows = folder.resolve("rows.jsonl");
                Path weights = folder.resolve("weights" + GraphModelFile.EXTENSION);
                try {
                    Files.writeString(network, NetworkJson.write(probe()).toString());
                    GpuWorkbench bench = open(GpuSettings.of(network.toString())
                            .with(
                                    GpuSettings.TEMPLATES,
                                    sketches ? TunableNetwork.Ways.SKETCHES : TunableNetwork.Ways.FIRST)
                            .weights(m.graph().map(g -> weights(g, network, rows, weights))));
                    int each = sketches ? PROBED_SKETCHES : PROBED;
                    var measured = new StringBuilder();
                    search(
                            bench,
                            m,
                            each * bench.network().kernels().size(),
                            0,
                            1,
                            d -> measured.append(d.subject())
                                    .append(' ')
                                    .append(LevelText.write(
                                            List.of(d.evaluation().configuration())))
                                    .append(' ')
                                    .append(d.evaluation().value(ScheduleEvaluator.TIME))
                                    .append('\n'));
                    return Sha256.of(measured.toString()).substring(0, 12);
                } finally {
                    for (Path p : List.of(network, rows, weights, folder)) {
                        Files.deleteIfExists(p);
                    }
                }
            } catch (IOException e) {
                throw new UserError("Cannot write a temporary file: " + e.getMessage() + ".", e);
            }
        });
    }

    /// A graph model to begin with, as the bench's searches do: trained for one epoch on a few measurements.
    private WeightsUse weights(ScheduleScorer.Graph graph, Path network, Path rows, Path file) {
        try (var device = Devices.open(DEVICE)) {
            GraphRows known = SketchCollector.collect(
                            new SketchCollector.Settings(List.of(network.toString()), 16, 64, 1),
                            device,
                            rows,
                            _ -> {},
                            job.cancel())
                    .graphRows();
            GraphModelFile.train(
                    file,
                    graph.architecture(),
                    new GraphModelFile.Provenance(
                            StatementFeatures.VERSION,
                            "probe",
                            DEVICE,
                            "probe",
                            known.size(),
                            new GraphTraining.Settings(1, known.size(), 1e-3, graph.ranks(), 1)),
                    known,
                    (_, _, _, _) -> {},
                    job.cancel());
            return WeightsUse.of(file);
        }
    }

    /// A convolution with its activation, and a dense layer.
    private static Network probe() {
        var b = new NetworkBuilder("probe", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 16, 14, 14));
        var window = new Window(List.of(3, 3), List.of(1, 1), List.of(1, 1), List.of(1, 1), List.of(1, 1));
        String conv = b.add("conv", new Operator.Conv(window, 1), x, b.weight("w", 32, 16, 3, 3), b.weight("b", 32));
        String flat = b.add(
                "flat", new Operator.Flatten(1), b.add("relu", new Operator.Unary(Operator.Unary.Function.RELU), conv));
        String dense = b.add("dense", new Operator.Gemm(false, true, 1, 1), flat, b.weight("v", 64, 32 * 14 * 14));
        return b.output(dense).build();
    }

    /// Opens what is tuned.
    GpuWorkbench open(GpuSettings settings) {
        return GpuWorkbench.open(new Folder(job.out().toAbsolutePath()), settings);
    }

    /// @param budget measurements in all
    /// @param earlyStop a kernel is done after so many measurements without a new best, 0 never
    TuningOutcome tune(GpuWorkbench bench, TuningMethod method, int budget, int earlyStop, long seed) {
        // By subject: the kernels, and behind them those that end in another way.
        var measured = new HashMap<Integer, RepeatedMeasurements>();
        double[] device = new double[1];
        double seconds = search(bench, method, budget, earlyStop, seed, d -> {
            device[0] += d.evaluation().costSeconds();
            measured.computeIfAbsent(
                            d.subject(),
                            _ -> RepeatedMeasurements.bySpeed(
                                    e -> 1 / e.value(ScheduleEvaluator.TIME).orElse(Double.POSITIVE_INFINITY)))
                    .add(d.evaluation());
        });
        return new TuningOutcome(latency(bench, measured).orElse(Double.NaN), seconds, device[0]);
    }

    /// @param each told of every measurement
    /// @return seconds of the search
    private double search(
            GpuWorkbench bench,
            TuningMethod method,
            int budget,
            int earlyStop,
            long seed,
            Consumer<RunEvent.StageDone> each) {
        var run = RunSettings.of(method.name(), DEVICE, budget, 1, earlyStop).with(RunSettings.SEED, seed);
        try (RunPlan plan = bench.plan(run, method, Devices.open(DEVICE))) {
            var search = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            search.addListener(event -> {
                if (event instanceof RunEvent.StageDone d) {
                    each.accept(d);
                }
            });
            job.cancel().onCancel(search::stop);
            RunEvent.Finished end = search.run(List.of());
            job.cancel().throwIfCancelled();
            if (end.ending() == RunEvent.Ending.FAILED) {
                throw new UserError(method.name() + " on " + bench.network().name() + ": " + end.reason());
            }
            return end.progress().algorithmSeconds();
        }
    }

    /// The kernels' best times, each as often as the network runs it, of the work that templates and sketches both
    /// compute; empty where one never ran.
    private static OptionalDouble latency(GpuWorkbench bench, Map<Integer, RepeatedMeasurements> measured) {
        TunableNetwork other = TunableNetwork.read(
                bench.settings().source(),
                1,
                Map.of(),
                bench.settings().templates() == TunableNetwork.Ways.SKETCHES
                        ? TunableNetwork.Ways.FIRST
                        : TunableNetwork.Ways.SKETCHES,
                true);
        Set<String> both = other.kernels().stream().map(NetworkTuning::workload).collect(Collectors.toSet());
        double sum = 0;
        for (int k = 0; k < bench.network().kernels().size(); k++) {
            NetworkKernel kernel = bench.network().kernels().get(k);
            if (both.contains(workload(kernel))) {
                OptionalDouble best = Optional.ofNullable(measured.get(k))
                        .flatMap(RepeatedMeasurements::best)
                        .map(e -> e.value(ScheduleEvaluator.TIME))
                        .orElse(OptionalDouble.empty());
                if (best.isEmpty()) {
                    return OptionalDouble.empty();
                }
                sum += kernel.count() * best.getAsDouble();
            }
        }
        return OptionalDouble.of(sum);
    }

    private static String workload(NetworkKernel kernel) {
        return kernel.source().orElseThrow().workload().id();
    }
}

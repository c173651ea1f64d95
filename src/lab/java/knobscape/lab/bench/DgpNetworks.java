package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.search.DgpExplorer;
import knobscape.gpu.search.PlannedRival;
import knobscape.gpu.search.TuningMethod;
import knobscape.lab.bench.BenchReport.Aim;

/// Table 4.1 of the thesis on a model of its card: whole networks tuned by AutoTVM with all its measurements, and by
/// the deep process, its ablations (Figure 4.4) and its rivals with fewer; before it what the process says of single
/// layers ([DgpLayers]). Search time is what the device says of compiling and measuring and what the search itself took
/// here.
final class DgpNetworks {
    private static final int PROTOCOL = 2;
    private static final String BASE = "autotvm";
    private static final String DEEP = "dgp";
    private static final String RANDOM_SET = "dgp-random-set";
    private static final String UNTUNED = "dgp-untuned";
    private static final List<String> NETWORKS = List.of("mobilenet_v1", "alexnet", "vgg16", "resnet18");
    /// Search time and latency less than AutoTVM's in percent, hypervolume.
    private static final PublishedTable THESIS = PublishedTable.named("thesis-dgp");
    private static final List<String> METHODS =
            List.of(BASE, DEEP, RANDOM_SET, UNTUNED, "bo", "guided-genetic", "adaptive-sampling");
    private static final int PLAN = 64;

    /// Measurements per kernel.
    ///
    /// @param base of AutoTVM, at most
    /// @param stop of AutoTVM, after so many without a new best
    /// @param others of all others
    private record Trials(int base, int stop, int others) {}

    private static final Trials FULL = new Trials(1000, 400, 364);
    private static final Trials QUICK = new Trials(64, 0, 22);

    /// The figures of a network.
    ///
    /// @param layers the deep process's predictions
    /// @param lines by method
    /// @param aims on the predictions and on the deep process's hypervolume
    record Table(List<Line> layers, List<Line> lines, List<Aim> aims) {}

    /// A method on a network, in words.
    record Line(String network, String text) {}

    private DgpNetworks() {}

    static Table of(Bench.Job job, int seeds) {
        var tunings = new NetworkTuning(job);
        var predictions = new DgpLayers(job, tunings, seeds);
        var runner = TrialRunner.inTurn(job, "dgp-networks.jsonl", NetworkTuning.TuningOutcome.class, seeds);
        var layers = new ArrayList<DgpLayers.Layer>();
        var predicted = new ArrayList<Line>();
        var lines = new ArrayList<Line>();
        var volumes = new ArrayList<Aim>();
        Trials trials = job.quick() ? QUICK : FULL;
        for (String network : job.quick() ? List.of("alexnet") : NETWORKS) {
            GpuWorkbench bench = tunings.open(GpuSettings.of("zoo:" + network));
            for (Trial<DgpLayers.Group> group : predictions.of(bench, network, trials.others)) {
                for (DgpLayers.Layer layer : group.figures().layers()) {
                    layers.add(layer);
                    predicted.add(new Line(network, "seed " + group.seed() + ": " + layer.text()));
                }
            }
            Map<String, NetworkTuning.TuningOutcome> tuned = new LinkedHashMap<>();
            Trial.byMethod(runner.run(tuned(tunings, network, bench, trials), METHODS))
                    .forEach((m, all) -> tuned.put(m, NetworkTuning.TuningOutcome.mean(all)));
            NetworkTuning.TuningOutcome base = requireNonNull(tuned.get(BASE));
            for (var e : tuned.entrySet()) {
                String method = e.getKey();
                NetworkTuning.TuningOutcome t = e.getValue();
                double search = 1 - t.seconds() / base.seconds();
                double latency = 1 - t.milliseconds() / base.milliseconds();
                double volume = 100 * Math.max(0, search) * Math.max(0, latency);
                double published = THESIS.figure("hypervolume", network);
                double gflops = flops(bench) / (t.milliseconds() * 1e6);
                double peak = GpuSpec.find("gtx1080ti").orElseThrow().peakGflops();
                lines.add(new Line(
                        network,
                        String.format(
                                        Locale.ROOT,
                                        "%s, %d measurements a kernel: search %.2f h, %.4f ms, %.0f GFLOPS (%.0f %% of the card's peak)",
                                        method,
                                        method.equals(BASE) ? trials.base : trials.others,
                                        t.seconds() / 3600,
                                        t.milliseconds(),
                                        gflops,
                                        100 * gflops / peak)
                                + (method.equals(BASE)
                                        ? ""
                                        : String.format(
                                                Locale.ROOT,
                                                "; search %+.1f %%, latency %+.2f %%, HV %.3f",
                                                -100 * search,
                                                -100 * latency,
                                                volume))
                                + (method.equals(DEEP)
                                        ? String.format(
                                                Locale.ROOT,
                                                " (published -%.1f %%, -%.2f %%, %.3f)",
                                                THESIS.figure("search time %", network),
                                                THESIS.figure("latency %", network),
                                                published)
                                        : "")));
                if (method.equals(DEEP)) {
                    volumes.add(Aim.atLeast("HV of dgp on " + network, volume, published));
                }
            }
        }
        return new Table(
                predicted,
                lines,
                Stream.concat(DgpLayers.aims(layers).stream(), volumes.stream()).toList());
    }

    private static NetworkTuning.Tuned tuned(NetworkTuning tunings, String network, GpuWorkbench bench, Trials trials) {
        return tunings.new Tuned() {
            @Override
            public String name() {
                return network;
            }

            @Override
            TuningMethod method(String name) {
                return DgpNetworks.method(name);
            }

            @Override
            String settings(String method) {
                return "protocol=" + PROTOCOL + " " + network + " trials=" + each(method) + " stop=" + trials.stop;
            }

            private int each(String method) {
                return method.equals(BASE) ? trials.base : trials.others;
            }

            @Override
            NetworkTuning.TuningOutcome tune(TuningMethod method, long seed) {
                return tunings.tune(
                        bench,
                        method,
                        each(method.name()) * bench.network().kernels().size(),
                        method.name().equals(BASE) ? trials.stop : 0,
                        seed);
            }
        };
    }

    private static TuningMethod method(String name) {
        return switch (name) {
            case RANDOM_SET -> ablation(name, 1, true);
            case UNTUNED -> ablation(name, DgpExplorer.Settings.DEFAULT.randomShare(), false);
            case "guided-genetic" -> rival(name, PlannedRival.Kind.GUIDED_GENETIC);
            case "adaptive-sampling" -> rival(name, PlannedRival.Kind.ADAPTIVE_SAMPLING);
            default -> TuningMethod.standard().named(name);
        };
    }

    private static TuningMethod ablation(String name, double randomShare, boolean isTuned) {
        DgpExplorer.Settings d = DgpExplorer.Settings.DEFAULT;
        var settings = new DgpExplorer.Settings(d.sample(), d.tuning(), randomShare, isTuned, d.round(), d.model());
        return new TuningMethod(
                        name,
                        name,
                        name,
                        TuningMethod.standard().named(DEEP).batch(),
                        p -> new DgpExplorer(name, p, settings))
                .learning(TuningMethod.Lessons.LEADERS);
    }

    private static TuningMethod rival(String name, PlannedRival.Kind kind) {
        return new TuningMethod(name, name, name, PLAN, p -> new PlannedRival(kind, p, PLAN));
    }

    private static double flops(GpuWorkbench bench) {
        return bench.network().kernels().stream()
                .mapToDouble(k -> (double) k.count() * k.flops())
                .sum();
    }
}

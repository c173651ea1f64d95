package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.search.EvolutionaryExplorer;
import knobscape.gpu.search.ScheduleScorer;
import knobscape.gpu.search.SketchCollector;
import knobscape.gpu.search.SketchRanking;
import knobscape.gpu.search.SketchSamples;
import knobscape.gpu.search.SketchTrace;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.surrogate.graph.GraphModelFile;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.GraphTraining;

/// `src/lab/run gtuner`: schedules without templates, learned with graph attention (thesis, chapter 5): how well models
/// that
/// were trained on two networks rank schedules of others, and the networks' times after tuning, on the model of a
/// device.
public final class GtunerBench implements Bench {
    private static final int PROTOCOL = 1;
    /// Of whole networks: how measurements are shared among kernels has no fingerprint.
    private static final int NETWORKS_PROTOCOL = 2;
    private static final String DEVICE = "model:gtx1080ti";
    private static final String GTUNER = "gtuner";
    private static final String PUBLISHED_SEARCH = "gtuner-published";
    private static final String ANSOR = "ansor";
    private static final String TREES = "ansor-trees";
    /// Graph models compared: the method, its ablations and our ranking loss.
    private static final List<String> MODELS = List.of(
            GTUNER, "gtuner-rank", "gtuner-mhsa", "gtuner-mlp", "gtuner-spectral", "gtuner-masked", "gtuner-sage");
    private static final List<String> RIVALS =
            List.of(ANSOR, GTUNER, PUBLISHED_SEARCH, "gtuner-mhsa", "autotvm", "bted+bao", "dgp");
    private static final List<String> NETWORKS = List.of("resnet18", "resnet34", "squeezenet_v1.1", "mobilenet_v1");
    /// Latencies of the thesis in milliseconds on an RTX 3090 (tables 5.1 to 5.3).
    private static final PublishedTable THESIS = PublishedTable.named("thesis-gtuner");

    private static final String TRACE = "ansor_m1_gemm/M1_swish_gemm_m128_n3072_k768.csv.gz";
    private static final int CANDIDATES = 2000;

    /// How much is done.
    private record Size(
            List<String> training,
            int collected,
            int epochs,
            int population,
            List<String> networks,
            int trials,
            int seeds,
            List<Integer> marks,
            List<String> models) {
        static final Size FULL = new Size(
                List.of("inception_v3", "vgg11"),
                256,
                300,
                2048,
                NETWORKS,
                80,
                5,
                List.of(5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60),
                MODELS);
        static final Size QUICK = new Size(
                List.of("vgg11", "alexnet"),
                48,
                30,
                64,
                List.of("resnet18"),
                16,
                1,
                List.of(5),
                List.of(GTUNER, "gtuner-rank", "gtuner-mhsa", "gtuner-mlp"));
    }

    /// A ranking of schedules not learned from.
    record RankingScore(double pairs, double recall) {}

    /// By how many per cent GTuner is ahead of Ansor on a network of the thesis.
    private static double margin(String network) {
        double share = THESIS.figure("ms", network, PUBLISHED_SEARCH) / THESIS.figure("ms", network, ANSOR);
        return Math.round(1e4 * (1 - share)) / 100.0;
    }

    @Override
    public String name() {
        return GTUNER;
    }

    @Override
    public String description() {
        return "Schedules without templates: graph attention beside boosted trees and the template searches.";
    }

    @Override
    public List<String> methods() {
        return Stream.concat(RIVALS.stream(), MODELS.stream()).distinct().toList();
    }

    @Override
    public BenchReport run(Job job) {
        return new Work(job).report();
    }

    /// One run of the bench.
    private static final class Work {
        private final Job job;
        private final Size size;
        private final int seeds;
        private final List<String> rivals;
        private final List<String> models;
        private final NetworkTuning tunings;
        private final TrialRunner<NetworkTuning.TuningOutcome> tuner;
        private final TrialRunner<RankingScore> ranker;
        private final Map<String, TuningMethod> methods = new HashMap<>();
        private final List<List<Cell>> rows = new ArrayList<>();
        private final List<Aim> aims = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        /// Of ansor by network and trials: what others are compared with.
        private final Map<String, double[]> ansor = new LinkedHashMap<>();

        Work(Job job) {
            this.job = job;
            size = job.quick() ? Size.QUICK : Size.FULL;
            seeds = job.seeds().orElse(size.seeds);
            rivals = chosen(RIVALS);
            models = chosen(size.models);
            tunings = new NetworkTuning(job);
            tuner = TrialRunner.inTurn(job, "gtuner-tunings.jsonl", NetworkTuning.TuningOutcome.class, seeds);
            ranker = TrialRunner.inTurn(job, "gtuner-rankings.jsonl", RankingScore.class, 1);
        }

        /// The methods asked for, all without a choice; ansor always, for others are compared with it.
        private List<String> chosen(List<String> all) {
            return all.stream()
                    .filter(m -> job.methods().isEmpty()
                            || m.equals(ANSOR)
                            || job.methods().contains(m))
                    .toList();
        }

        BenchReport report() {
            try {
                Files.createDirectories(job.out());
            } catch (IOException e) {
                throw new UserError("Cannot write " + job.out() + ": " + e.getMessage() + ".", e);
            }
            SketchSamples learned = samples(size.training, size.collected);
            job.progress().accept(SketchTrace.size(learned) + " rows to learn from");
            rankings(learned);
            trace(learned);
            speed();
            latencies(learned);
            notes.add(
                    "Device: the model of a GTX 1080 Ti, on which only sketches and templates that run are told apart;"
                            + " published figures were measured on an RTX 3090.");
            notes.add("Learned from " + SketchTrace.size(learned) + " schedules that ansor's search measured of "
                    + String.join(" and ", size.training) + " at " + size.collected + " trials per kernel, "
                    + size.epochs + " epochs; the thesis has 170 000 and 300. Seeds: " + seeds + ", paired.");
            notes.add("dgp has no history here and begins as autotvm; autotvm, bted+bao and dgp tune templates.");
            return new BenchReport(
                    GTUNER,
                    "Schedules without templates, learned with graph attention",
                    Column.list(
                            "part",
                            "part",
                            "what",
                            "what",
                            "method",
                            "method",
                            "value",
                            "value",
                            "unit",
                            "unit",
                            "ansor",
                            "better than ansor, %",
                            "published",
                            "published",
                            "seconds",
                            "search s"),
                    rows,
                    aims,
                    notes);
        }

        private void row(
                String part,
                String what,
                String method,
                double value,
                String unit,
                double ansor,
                double published,
                double seconds) {
            rows.add(List.of(
                    Cell.of(part),
                    Cell.of(what),
                    Cell.of(method),
                    Cell.of(value),
                    Cell.of(unit),
                    Cell.of(ansor),
                    Cell.of(published),
                    Cell.of(seconds)));
        }

        private void row(String part, String what, String method, double value, String unit) {
            row(part, what, method, value, unit, Double.NaN, Double.NaN, Double.NaN);
        }

        private SketchSamples samples(List<String> networks, int trials) {
            try (var device = Devices.open(DEVICE)) {
                return SketchCollector.collect(
                        new SketchCollector.Settings(
                                networks.stream().map(n -> "zoo:" + n).toList(),
                                trials,
                                size.population,
                                job.firstSeed()),
                        device,
                        job.out().resolve("gtuner-rows.jsonl"),
                        job.progress(),
                        job.cancel());
            }
        }

        /// The trained model of a method; what was begun is continued.
        private Path model(String method, SketchSamples learned, String data, GraphTraining.Settings settings) {
            ScheduleScorer.Graph graph =
                    LabMethods.tuning().named(method).graph().orElseThrow();
            var training = new GraphTraining.Settings(
                    settings.epochs(), settings.batch(), settings.rate(), graph.ranks(), settings.seed());
            Path file = job.out()
                    .resolve("gtuner-" + method + "-" + data + "-" + training.epochs() + "-"
                            + learned.fingerprint().substring(0, 8) + "-" + search(method) + GraphModelFile.EXTENSION);
            if (!isFinished(file)) {
                GraphRows all = learned.graphRows();
                GraphModelFile.train(
                        file,
                        graph.architecture(),
                        new GraphModelFile.Provenance(
                                StatementFeatures.VERSION, learned.fingerprint(), DEVICE, data, all.size(), training),
                        all,
                        (done, of, loss, rate) -> {
                            if (done == of) {
                                job.progress()
                                        .accept(String.format(
                                                Locale.ROOT,
                                                "%s trained: loss %.4f, %.0f rows per second",
                                                method,
                                                loss,
                                                rate));
                            }
                        },
                        job.cancel());
            }
            return file;
        }

        private static boolean isFinished(Path file) {
            if (!Files.isRegularFile(file)) {
                return false;
            }
            try {
                GraphModelFile.read(file, StatementFeatures.VERSION);
                return true;
            } catch (UserError e) {
                return false;
            }
        }

        private GraphTraining.Settings training(int batch, double rate) {
            return new GraphTraining.Settings(size.epochs, batch, rate, false, job.firstSeed());
        }

        private Path model(String method, SketchSamples learned) {
            if (method.equals(PUBLISHED_SEARCH)) {
                return model(GTUNER, learned);
            }
            // The thesis's batches and steps are for fifty times as many rows.
            return model(method, learned, "model", job.quick() ? training(128, 1e-3) : training(512, 1e-4));
        }

        /// Schedules that models rank, boosted trees the first of them.
        private final class Ranking implements TrialSubject<RankingScore> {
            private final String what;
            private final String key;
            private final SketchSamples known;
            private final SketchSamples test;
            private final Function<String, Path> weights;

            /// @param what the schedules, in words
            /// @param key what the scores depend on besides the method
            /// @param known what boosted trees learn from
            /// @param test those to rank
            /// @param weights gives the trained model of a method
            Ranking(String what, String key, SketchSamples known, SketchSamples test, Function<String, Path> weights) {
                this.what = what;
                this.key = key;
                this.known = known;
                this.test = test;
                this.weights = weights;
            }

            @Override
            public String name() {
                return what;
            }

            @Override
            public Optional<String> key(String method) {
                return Optional.of("protocol=" + PROTOCOL + " " + key + " search=" + search(method));
            }

            @Override
            public String words(RankingScore r) {
                return BenchReport.decimals(r.pairs, 3) + " of the pairs in order";
            }

            @Override
            public RankingScore run(String method, long seed, Map<String, RankingScore> earlier) {
                SketchRanking r = method.equals(TREES)
                        ? SketchRanking.ofTrees(known, test, seed)
                        : SketchRanking.of(
                                GraphModelFile.read(weights.apply(method), StatementFeatures.VERSION)
                                        .model(),
                                test);
                return new RankingScore(r.pairs(), r.recall());
            }
        }

        private Map<String, RankingScore> ranked(String part, Ranking ranking) {
            Map<String, RankingScore> scores = new LinkedHashMap<>();
            ranker.run(ranking, Stream.concat(Stream.of(TREES), models.stream()).toList())
                    .forEach(t -> scores.put(t.method(), t.figures()));
            scores.forEach((m, r) -> {
                String method = m.equals(TREES) ? "boosted trees" : m;
                row(part, ranking.what, method, r.pairs, "pairs in order");
                row(part, ranking.what, method, r.recall, "recall of the best tenth");
            });
            return scores;
        }

        private void aheadOfTrees(String aim, Map<String, RankingScore> scores) {
            Optional.ofNullable(scores.get(GTUNER))
                    .ifPresent(own -> aims.add(Aim.atLeast(
                            aim + " in order, gtuner above boosted trees",
                            own.pairs - requireNonNull(scores.get(TREES)).pairs,
                            0)));
        }

        private void rankings(SketchSamples learned) {
            SketchSamples test = samples(size.networks, size.collected);
            aheadOfTrees(
                    "pairs of unseen networks",
                    ranked(
                            "networks not learned from",
                            new Ranking(
                                    String.join(", ", size.networks),
                                    "unseen " + learned.fingerprint() + test.fingerprint() + size.epochs,
                                    learned,
                                    test,
                                    m -> model(m, learned))));
        }

        private String search(String method) {
            return tunings.fingerprint(used(method));
        }

        /// The measured trace: models of the device model as they are, and models of every second row on the
        /// others.
        private void trace(SketchSamples learned) {
            Optional<Path> file = job.data()
                    .map(d -> Files.isDirectory(d.resolve("gpu")) ? d.resolve("gpu") : d)
                    .map(d -> d.resolve(TRACE))
                    .filter(Files::isRegularFile);
            if (file.isEmpty()) {
                notes.add("The measured trace of a sketch (" + TRACE
                        + ") is not in the folder of --data; it is left out.");
                return;
            }
            SketchSamples all = SketchTrace.read(file.get(), 128, 3072, 768);
            SketchSamples known = SketchTrace.everySecond(all, 0);
            String key = "trace " + learned.fingerprint() + size.epochs;
            ranked(
                    "measured trace",
                    new Ranking("Apple M1, nothing of it learned", key, learned, all, m -> model(m, learned)));
            aheadOfTrees(
                    "pairs of the measured trace's other half",
                    ranked(
                            "measured trace",
                            new Ranking(
                                    "Apple M1, the other half of the trace",
                                    key + " every second",
                                    known,
                                    SketchTrace.everySecond(all, 1),
                                    m -> model(m, known, "trace", training(64, 5e-4)))));
        }

        private void speed() {
            double seconds = SketchRanking.secondsToScore(CANDIDATES, job.firstSeed());
            row("speed", CANDIDATES + " candidates featurised and scored", GTUNER, seconds, "s");
            aims.add(Aim.below(CANDIDATES + " candidates featurised and scored, s", seconds, 2));
        }

        private void latencies(SketchSamples learned) {
            for (String network : size.networks) {
                Map<String, double[]> all = tuned("table 5.3", new Tuned(network, size.trials, learned), rivals);
                double[] base = requireNonNull(all.get(ANSOR));
                Optional.ofNullable(all.get(GTUNER))
                        .ifPresent(ms -> aims.add(Aim.atLeast(
                                "gtuner better than ansor on " + network + ", %", better(ms, base), margin(network))));
                List.of("autotvm", "bted+bao").stream()
                        .flatMap(m -> Optional.ofNullable(all.get(m)).stream())
                        .mapToDouble(Statistics::mean)
                        .min()
                        .ifPresent(templates -> aims.add(Aim.atMost(
                                "ansor behind the best template search on " + network + ", %",
                                100 * (Statistics.mean(base) / templates - 1),
                                5)));
            }
            tuned(
                    "tables 5.1, 5.2",
                    new Tuned("resnet18", size.trials, learned),
                    models.stream().filter(m -> !RIVALS.contains(m)).toList());
            for (int trials : size.marks) {
                tuned(
                        "figure 5.8, " + trials + " trials",
                        new Tuned("resnet18", trials, learned),
                        chosen(List.of(ANSOR, GTUNER, PUBLISHED_SEARCH)));
            }
        }

        /// Mean of the paired improvements in per cent of the rival's time.
        private static double better(double[] own, double[] rival) {
            double[] gains = new double[Math.min(own.length, rival.length)];
            Arrays.setAll(gains, i -> 100 * (1 - own[i] / rival[i]));
            return Statistics.mean(gains);
        }

        /// A network tuned with so many measurements a kernel.
        private final class Tuned extends NetworkTuning.Tuned {
            private final String network;
            private final int trials;
            private final SketchSamples learned;

            /// @param learned what graph models learn from
            Tuned(String network, int trials, SketchSamples learned) {
                tunings.super();
                this.network = network;
                this.trials = trials;
                this.learned = learned;
            }

            @Override
            public String name() {
                return network + ", " + trials + " measurements a kernel";
            }

            @Override
            TuningMethod method(String name) {
                return used(name);
            }

            @Override
            String settings(String method) {
                return "protocol=" + NETWORKS_PROTOCOL + " " + network + " trials=" + trials + " population="
                        + size.population
                        + (used(method).graph().isPresent() ? " learned=" + learned.fingerprint() + size.epochs : "");
            }

            @Override
            NetworkTuning.TuningOutcome tune(TuningMethod used, long seed) {
                GpuWorkbench bench = tunings.open(GpuSettings.of("zoo:" + network)
                        .with(
                                GpuSettings.TEMPLATES,
                                used.model().isPresent() ? TunableNetwork.Ways.SKETCHES : TunableNetwork.Ways.FIRST)
                        .weights(used.graph().map(_ -> WeightsUse.of(model(used.name(), learned)))));
                return tunings.tune(
                        bench, used, trials * bench.network().kernels().size(), 0, seed);
            }
        }

        /// Milliseconds of each method by seed; published ones stand beside those of the full number of measurements.
        private Map<String, double[]> tuned(String part, Tuned tuned, List<String> asked) {
            Map<String, double[]> milliseconds = new LinkedHashMap<>();
            Trial.byMethod(tuner.run(tuned, asked)).forEach((method, all) -> {
                double[] ms = all.stream()
                        .mapToDouble(NetworkTuning.TuningOutcome::milliseconds)
                        .toArray();
                milliseconds.put(method, ms);
                if (method.equals(ANSOR)) {
                    ansor.put(tuned.name(), ms);
                }
                NetworkTuning.TuningOutcome mean = NetworkTuning.TuningOutcome.mean(all);
                row(
                        part,
                        tuned.network,
                        method,
                        mean.milliseconds(),
                        "ms",
                        better(ms, ansor.getOrDefault(tuned.name(), new double[0])),
                        tuned.trials == size.trials ? THESIS.figure("ms", tuned.network, method) : Double.NaN,
                        mean.algorithmSeconds());
                if (part.equals("table 5.3")) {
                    row(
                            "table 5.4",
                            tuned.network,
                            method,
                            mean.seconds() / 60,
                            "min, with the device's simulated time");
                }
            });
            return milliseconds;
        }

        /// A method with this bench's population.
        private TuningMethod used(String method) {
            return methods.computeIfAbsent(method, name -> {
                TuningMethod standard = LabMethods.tuning().named(name);
                return standard.model()
                        .map(m -> new TuningMethod(
                                name,
                                standard.label(),
                                standard.description(),
                                standard.batch(),
                                p -> new EvolutionaryExplorer(name, p, m, size.population),
                                standard.model()))
                        .orElse(standard);
            });
        }
    }
}

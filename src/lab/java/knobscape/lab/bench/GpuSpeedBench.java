package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import knobscape.explore.Candidates;
import knobscape.explore.History;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.search.AutoTvmExplorer;
import knobscape.gpu.search.InitialDesign;
import knobscape.gpu.search.TuningProblem;
import knobscape.gpu.space.feature.LoopFeatures;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Template;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.network.task.TuningTasks;
import knobscape.network.zoo.Zoo;
import knobscape.space.Configuration;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;

/// `src/lab/run gpu-speed`: what the searches themselves cost on the first layer of VGG-16 (202 309 632
/// configurations): features, a plan of AutoTVM after 64 measurements, BTED's initial set. Medians of several
/// repeats after warm-up, on one thread unless the program uses more.
public final class GpuSpeedBench implements Bench {
    private static final int REPEATS = 7;
    private static final int QUICK_REPEATS = 3;
    private static final int ROWS = 10_000;
    private static final int MEASURED = 64;

    @Override
    public String name() {
        return "gpu-speed";
    }

    @Override
    public String description() {
        return "Time of the GPU searches themselves: features, AutoTVM's plan, BTED's initial set.";
    }

    /// The time of a piece of work.
    ///
    /// @param result of the work, so that none of it is left out
    private record Timing(double seconds, int result) {}

    /// A part of a search, done by methods in turn.
    ///
    /// @param work by method: what is timed, made ready for a seed
    /// @param row words of a method's row
    /// @param aim of a method, of its median in seconds
    private record Part(
            String name,
            Map<String, LongFunction<IntSupplier>> work,
            UnaryOperator<String> row,
            BiFunction<String, Double, Aim> aim)
            implements TrialSubject<Timing> {
        /// Time on the machine as it is now.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public Timing run(String method, long seed, Map<String, Timing> earlier) {
            IntSupplier ready = requireNonNull(work.get(method)).apply(seed);
            long before = System.nanoTime();
            int result = ready.getAsInt();
            return new Timing((System.nanoTime() - before) * 1e-9, result);
        }

        @Override
        public String words(Timing t) {
            return BenchReport.decimals(t.seconds, 3) + " s";
        }
    }

    private static List<Part> suite(Job job, Template template) {
        List<Configuration> drawn =
                Candidates.draw(template.space(), Set.of(), ROWS, new SplittableRandom(job.firstSeed()));
        Map<String, Encoder> forms = new LinkedHashMap<>();
        forms.put("knob", FeatureEncoder.numbers(template.space().knobs()));
        forms.put("itervar", new LoopFeatures(template, LoopFeatures.Form.ITERVAR));
        forms.put("curve", new LoopFeatures(template, LoopFeatures.Form.CURVE));
        Map<String, LongFunction<IntSupplier>> features = new LinkedHashMap<>();
        Map<String, LongFunction<IntSupplier>> plans = new LinkedHashMap<>();
        forms.forEach((name, form) -> {
            features.put(name, seed -> () -> features(form, drawn));
            plans.put(name, seed -> {
                TuningProblem problem = problem(template, form, seed);
                History history = measured(problem, template);
                return () -> new AutoTvmExplorer(
                                "autotvm", problem, InitialDesign.random(), AutoTvmExplorer.Settings.DEFAULT)
                        .ask(history, MEASURED)
                        .size();
            });
        });
        return List.of(
                new Part(
                        "features",
                        features,
                        m -> m + " features (" + requireNonNull(forms.get(m)).length() + ") of " + ROWS
                                + " configurations",
                        (m, s) -> new Aim(m + " features per second", ROWS / s, "at least 10 000", ROWS / s >= ROWS)),
                new Part(
                        "plan",
                        plans,
                        m -> "AutoTVM's plan after 64 measurements, " + m + " features",
                        (m, s) -> Aim.below("seconds of AutoTVM's plan, " + m + " features", s, 2)),
                new Part(
                        "initial set",
                        Map.of("knob", seed -> {
                            TuningProblem problem = problem(template, requireNonNull(forms.get("knob")), seed);
                            return () -> InitialDesign.bted()
                                    .choose(problem, MEASURED, new SplittableRandom(seed))
                                    .size();
                        }),
                        m -> "BTED's 64 out of 10 x 500",
                        (m, s) -> Aim.below("seconds of BTED's initial set", s, 1)));
    }

    @Override
    public BenchReport run(Job job) {
        int repeats = job.seeds().orElse(job.quick() ? QUICK_REPEATS : REPEATS);
        Template template = Templates.of(
                        TuningTasks.of(Zoo.VGG16.network(1)).tasks().getFirst().workload())
                .getFirst();
        // The first repeat is for the virtual machine to compile what the others use.
        TrialRunner<Timing> runner = TrialRunner.inTurn(job, "trials.jsonl", Timing.class, 1 + repeats);
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        for (Part part : suite(job, template)) {
            Trial.byMethod(runner.run(part, List.copyOf(part.work.keySet()))).forEach((method, timings) -> {
                if (timings.stream().mapToInt(Timing::result).distinct().count() > 1) {
                    throw new IllegalStateException("the same work gave another result");
                }
                double seconds = Statistics.median(
                        timings.stream().skip(1).mapToDouble(Timing::seconds).toArray());
                rows.add(BenchReport.row(List.of(part.row.apply(method)), seconds));
                aims.add(part.aim.apply(method, seconds));
            });
        }
        return new BenchReport(
                name(),
                "Time of the searches themselves, " + template.id(),
                Column.list("what", "what", "seconds", "median s"),
                rows,
                aims,
                List.of("Medians of " + repeats + " repeats on "
                        + Runtime.getRuntime().availableProcessors()
                        + " processors; another program on the machine shows in them."));
    }

    private static int features(Encoder features, List<Configuration> drawn) {
        int nonZero = 0;
        for (Configuration c : drawn) {
            double[] row = features.encode(c);
            nonZero += row[row.length - 1] != 0 ? 1 : 0;
        }
        return nonZero;
    }

    private static TuningProblem problem(Template template, Encoder features, long seed) {
        var info = new ScheduleEvaluator(template, Epilogue.NONE, ModelDevice.named("gtx1080ti")).info();
        return new TuningProblem(
                template.space(),
                features,
                FeatureEncoder.coordinates(template.space().knobs()),
                info,
                info.metric(ScheduleEvaluator.GFLOPS),
                seed);
    }

    private static History measured(TuningProblem problem, Template template) {
        var evaluator = new ScheduleEvaluator(template, Epilogue.NONE, ModelDevice.named("gtx1080ti"));
        var history = new History();
        var cancel = new knobscape.evaluate.CancellationSignal();
        for (Configuration c : InitialDesign.random().choose(problem, MEASURED, new SplittableRandom(problem.seed()))) {
            evaluator.evaluate(c, problem.info().top(), cancel).forEach(history::add);
        }
        return history;
    }
}

package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
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

    @Override
    public BenchReport run(Job job) {
        int repeats = job.quick() ? QUICK_REPEATS : REPEATS;
        Template template = Templates.of(
                        TuningTasks.of(Zoo.VGG16.network(1)).tasks().getFirst().workload())
                .getFirst();
        List<Configuration> drawn =
                Candidates.draw(template.space(), Set.of(), ROWS, new SplittableRandom(job.firstSeed()));
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        var forms = new ArrayList<Encoder>(List.of(
                FeatureEncoder.numbers(template.space().knobs()),
                new LoopFeatures(template, LoopFeatures.Form.ITERVAR),
                new LoopFeatures(template, LoopFeatures.Form.CURVE)));
        List<String> names = List.of("knob", "itervar", "curve");
        for (int f = 0; f < forms.size(); f++) {
            Encoder features = forms.get(f);
            double seconds = median(repeats, job, () -> features(features, drawn));
            double rate = ROWS / seconds;
            rows.add(BenchReport.row(
                    List.of(names.get(f) + " features (" + features.length() + ") of " + ROWS + " configurations"),
                    seconds));
            aims.add(new Aim(names.get(f) + " features per second", rate, "at least 10 000", rate >= ROWS));
        }
        for (int f = 0; f < forms.size(); f++) {
            TuningProblem problem = problem(template, forms.get(f), job.firstSeed());
            History history = measured(problem, template);
            double seconds = median(
                    repeats,
                    job,
                    () -> new AutoTvmExplorer(
                                    "autotvm", problem, InitialDesign.random(), AutoTvmExplorer.Settings.DEFAULT)
                            .ask(history, MEASURED)
                            .size());
            rows.add(BenchReport.row(
                    List.of("AutoTVM's plan after 64 measurements, " + names.get(f) + " features"), seconds));
            aims.add(Aim.below("seconds of AutoTVM's plan, " + names.get(f) + " features", seconds, 2));
        }
        TuningProblem problem = problem(template, forms.getFirst(), job.firstSeed());
        double seconds = median(
                repeats,
                job,
                () -> InitialDesign.bted()
                        .choose(problem, MEASURED, new SplittableRandom(job.firstSeed()))
                        .size());
        rows.add(BenchReport.row(List.of("BTED's 64 out of 10 x 500"), seconds));
        aims.add(Aim.below("seconds of BTED's initial set", seconds, 1));
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

    private static double median(int repeats, Job job, IntSupplier work) {
        double[] seconds = new double[repeats];
        int check = work.getAsInt();
        for (int i = 0; i < repeats; i++) {
            job.cancel().throwIfCancelled();
            long before = System.nanoTime();
            if (work.getAsInt() != check) {
                throw new IllegalStateException("the same work gave another result");
            }
            seconds[i] = (System.nanoTime() - before) * 1e-9;
        }
        return Statistics.median(seconds);
    }
}

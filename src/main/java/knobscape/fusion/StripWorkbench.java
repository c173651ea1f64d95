package knobscape.fusion;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.evaluate.strip.StripEvaluator;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripExplorer;
import knobscape.fusion.search.strip.StripSearch;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.space.GroupingSpace;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Sha256;
import knobscape.work.Choices;
import knobscape.work.Named;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;

/// Layer fusion in strips opened: network, accelerator and batch, and the space of groupings. Immutable; edit the
/// settings and open again.
public final class StripWorkbench implements Workbench {
    /// Sums of the same numbers in another order differ in their last digits.
    private static final double EQUAL = 1e-9;

    private final FusionSettings settings;
    private final StripWork work;
    private final StripModel model;
    private final GroupingSpace groupings;

    private StripWorkbench(FusionSettings settings, StripWork work) {
        this.settings = settings;
        this.work = work;
        model = work.model();
        long buffer = work.accelerator().bufferBytes();
        groupings = new GroupingSpace(
                work.graph(),
                model.samples(),
                work.machine().counting().columns(),
                GroupingSpace.rooms(rooms(buffer), buffer));
    }

    /// Parts of the buffer that are looked at beside the whole.
    private LongStream rooms(long buffer) {
        LongStream parts = settings.isFrontAsked()
                ? StripSweep.buffers(work.graph(), work.machine(), work.batch(), buffer).stream()
                        .mapToLong(Double::longValue)
                : LongStream.empty();
        return settings.objective() == Objective.ROOM
                ? LongStream.concat(parts, LongStream.of(StripSearch.smallest(model, new CancellationSignal())))
                : parts;
    }

    /// Opens work; relative paths start at `place`. Throws [UserError] for whatever is wrong with network, accelerator
    /// or numbers.
    public static StripWorkbench open(WorkLocation place, FusionSettings settings) {
        return new StripWorkbench(settings, StripWork.open(place, settings));
    }

    @Override
    public FusionSettings settings() {
        return settings;
    }

    /// Network, accelerator and batch.
    public StripWork work() {
        return work;
    }

    /// The costs of groups.
    public StripModel model() {
        return model;
    }

    /// Configurations and groupings.
    public GroupingSpace groupings() {
        return groupings;
    }

    @Override
    public CartesianSpace space() {
        return groupings.space();
    }

    @Override
    public Choices<FusionMethod> methods() {
        return FusionMethods.strips();
    }

    @Override
    public List<? extends Named> evaluators() {
        return new FusionArea().evaluators().all();
    }

    @Override
    public List<String> warnings() {
        return work.notes();
    }

    /// Over the rows and edges, the accelerator and the settings: a file that says the same in other words is the same.
    @Override
    public String sourceHash() {
        var text = new StringBuilder("strips ");
        work.graph().nodes().forEach(n -> text.append(n).append('\n'));
        text.append(AcceleratorFile.json(work.accelerator()))
                .append(work.batch())
                .append(settings.objective())
                .append(groupings.rooms());
        return Sha256.of(text.toString());
    }

    private Evaluator evaluator(RunSettings run) {
        if (!StripSearch.fits(model, new CancellationSignal())) {
            throw work.tooSmall(new CancellationSignal());
        }
        var evaluator = new StripEvaluator(model, groupings, unfused().total(), objectives());
        if (EvaluatorKind.TOLD.isOf(run.toolchain())) {
            return new ReportedResults(evaluator.info(), UnaryOperator.identity());
        }
        if (!run.toolchain().equals(FusionEvaluator.NAME)) {
            throw new UserError("Fusion strategies are evaluated by the toolchain " + FusionEvaluator.NAME + ", not by "
                    + run.toolchain() + ".");
        }
        return evaluator;
    }

    private List<String> objectives() {
        return settings.isFrontAsked()
                ? !model.machine().energy().equals(StripMachine.Energy.NONE)
                        ? List.of(
                                FusionEvaluator.LATENCY,
                                StripEvaluator.TRAFFIC,
                                StripEvaluator.ENERGY,
                                FusionEvaluator.MEMORY)
                        : List.of(FusionEvaluator.LATENCY, StripEvaluator.TRAFFIC, FusionEvaluator.MEMORY)
                : List.of(metric(), second());
    }

    /// Name of the metric that counts among equals: a run keeps an answer that is better in this one alone.
    private String second() {
        return settings.objective() == Objective.TIME ? StripEvaluator.TRAFFIC : FusionEvaluator.LATENCY;
    }

    /// Name of the metric that is made least.
    private String metric() {
        return switch (settings.objective()) {
            case TIME -> FusionEvaluator.LATENCY;
            case TRAFFIC -> StripEvaluator.TRAFFIC;
            case ENERGY -> StripEvaluator.ENERGY;
            case ROOM -> FusionEvaluator.MEMORY;
        };
    }

    @Override
    public RunPlan plan(RunSettings run) {
        methods().named(run.method());
        return RunPlan.of(
                this,
                run,
                evaluator(run),
                info -> new StripExplorer(
                        run.method(),
                        model,
                        groupings,
                        settings.objective(),
                        run.method().equals(FusionMethods.NONE)
                                ? StripExplorer.Scope.UNFUSED
                                : settings.isFrontAsked() ? StripExplorer.Scope.FRONT : StripExplorer.Scope.BEST));
    }

    @Override
    public Optional<Evaluator> single(RunSettings run) {
        return Optional.of(evaluator(run));
    }

    /// The best of these in what is made least, of equals the one of least time, then traffic; empty where none fits.
    public Optional<Configuration> best(Stream<Evaluation> evaluations) {
        List<Evaluation> left =
                evaluations.filter(e -> e.value(metric()).isPresent()).toList();
        for (String metric : List.of(metric(), FusionEvaluator.LATENCY, StripEvaluator.TRAFFIC)) {
            double least = left.stream()
                    .mapToDouble(e -> e.value(metric).orElseThrow())
                    .min()
                    .orElse(0);
            left = left.stream()
                    .filter(e -> e.value(metric).orElseThrow() <= least * (1 + EQUAL))
                    .toList();
        }
        return left.stream().findFirst().map(Evaluation::configuration);
    }

    /// Gives designs as answers, beside the best of every layer alone and the least possible, which are found once;
    /// empty for a design that does not fit. One thread.
    public Function<Configuration, Optional<StripAnswer>> answers() {
        Objective objective = settings.objective();
        StripAnswer.Unfused unfused = unfused();
        var evaluator = new StripEvaluator(model, groupings, unfused.total(), objectives());
        return design -> evaluator
                .plans(groupings.grouping(design))
                .map(groups -> new StripAnswer(
                        objective, groups, StripSearch.total(groups), unfused, model.bound(), model.samples()));
    }

    private StripAnswer.Unfused unfused() {
        return StripSearch.unfused(model, settings.objective(), new CancellationSignal());
    }
}

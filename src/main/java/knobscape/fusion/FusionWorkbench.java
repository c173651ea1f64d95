package knobscape.fusion;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.export.FusionResult;
import knobscape.fusion.search.ExactSearch;
import knobscape.fusion.search.FusionExplorer;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import knobscape.network.ImportedNetwork;
import knobscape.space.CartesianSpace;
import knobscape.space.Sha256;
import knobscape.work.Choices;
import knobscape.work.Named;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;

/// Layer fusion opened: the network as a chain of layers, the accelerator, the cost model of both, and the
/// space of strategies. Immutable; edit the settings and open again.
public final class FusionWorkbench implements Workbench {
    /// Maximum evaluations of a run.
    public static final int MOST_EVALUATIONS = 100_000;

    private final FusionSettings settings;
    private final FusionCostModel model;
    private final StrategySpace strategies;
    private final Choices<FusionMethod> methods;
    private final List<String> warnings;
    /// The proof of the last exact search.
    private final AtomicReference<Optional<ExactSearch.Answer>> proof = new AtomicReference<>(Optional.empty());

    private FusionWorkbench(
            FusionSettings settings, FusionCostModel model, Choices<FusionMethod> methods, List<String> warnings) {
        this.settings = settings;
        this.model = model;
        this.strategies = StrategySpace.of(model.network(), model.batch());
        this.methods = methods;
        this.warnings = List.copyOf(warnings);
    }

    /// Opens work; relative paths start at `place`. Throws [UserError] for whatever is wrong with network,
    /// accelerator or numbers.
    public static FusionWorkbench open(WorkLocation place, FusionSettings settings) {
        return open(place, settings, FusionMethods.standard());
    }

    /// The same with other methods.
    public static FusionWorkbench open(WorkLocation place, FusionSettings settings, Choices<FusionMethod> methods) {
        // Costs are for the samples of the settings; the file's own batch, where it has one, only scales its
        // shapes.
        ImportedNetwork imported = settings.network(place);
        FusionNetwork network;
        try {
            network = FusionNetwork.of(imported.network());
        } catch (UserError e) {
            throw new UserError(
                    settings.source(place) + ": "
                            + Character.toLowerCase(e.getMessage().charAt(0))
                            + e.getMessage().substring(1),
                    e);
        }
        return new FusionWorkbench(settings, costs(place, settings, network), methods, imported.notes());
    }

    private static FusionCostModel costs(WorkLocation place, FusionSettings settings, FusionNetwork network) {
        return new FusionCostModel(network, settings.accelerator(place), settings.batch());
    }

    /// The same network with other settings; it is read again only where they name another one.
    public FusionWorkbench with(WorkLocation place, FusionSettings other) {
        if (!other.source().equals(settings.source()) || !other.dims().equals(settings.dims())) {
            return open(place, other, methods);
        }
        return new FusionWorkbench(other, costs(place, other, model.network()), methods, warnings);
    }

    @Override
    public FusionSettings settings() {
        return settings;
    }

    /// The costs of strategies.
    public FusionCostModel model() {
        return model;
    }

    /// Configurations and strategies.
    public StrategySpace strategies() {
        return strategies;
    }

    @Override
    public Choices<FusionMethod> methods() {
        return methods;
    }

    @Override
    public List<? extends Named> evaluators() {
        return new FusionArea().evaluators().all();
    }

    /// The method called `name`, models from files included. Throws [UserError] where there is none.
    public FusionMethod method(String name) {
        return FusionMethods.named(methods, name);
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public CartesianSpace space() {
        return strategies.space();
    }

    /// Over the layers, what goes between them, the accelerator and the settings: a file that says the same in
    /// other words is the same.
    @Override
    public String sourceHash() {
        return Sha256.of(model.network().text()
                + AcceleratorFile.json(model.accelerator())
                + settings.batch()
                + settings.constraint());
    }

    private Evaluator evaluator(RunSettings run) {
        if (EvaluatorKind.TOLD.isOf(run.toolchain())) {
            return new ReportedResults(new FusionEvaluator(model, strategies).info(), this::withSpeedup);
        }
        if (!run.toolchain().equals(FusionEvaluator.NAME)) {
            throw new UserError("Fusion strategies are evaluated by the toolchain " + FusionEvaluator.NAME + ", not by "
                    + run.toolchain() + ".");
        }
        return new FusionEvaluator(model, strategies);
    }

    private Map<String, Double> withSpeedup(Map<String, Double> told) {
        if (told.containsKey(FusionEvaluator.LATENCY)) {
            told.putIfAbsent(
                    FusionEvaluator.SPEEDUP, model.speedup(requireNonNull(told.get(FusionEvaluator.LATENCY)) * 1e-6));
        }
        return told;
    }

    /// Throws [UserError] for an unknown method, and for more evaluations than are worth keeping.
    private Explorer explorer(RunSettings run) {
        if (run.steps() > MOST_EVALUATIONS) {
            throw new UserError(run.steps() + " evaluations are more than a run can keep; give at most "
                    + MOST_EVALUATIONS + ", with several seeds if need be.");
        }
        return new FusionExplorer(
                method(run.method()),
                model,
                strategies,
                settings.constraint(),
                run.seed(),
                p -> proof.set(Optional.of(p)));
    }

    /// True if a run goes through strategies one by one, and not to one answer at once.
    public boolean isSearch(RunSettings run) {
        FusionMethod method = method(run.method());
        return method.spendsSteps()
                || EvaluatorKind.TOLD.isOf(run.toolchain())
                || (method.name().equals(FusionMethods.AUTO)
                        && ExactSearch.obstacle(model).isPresent());
    }

    @Override
    public RunPlan plan(RunSettings run) {
        return RunPlan.of(this, run, evaluator(run), info -> explorer(run));
    }

    @Override
    public Optional<Evaluator> single(RunSettings run) {
        return Optional.of(evaluator(run));
    }

    /// The fastest strategy that fits, of equals the first; empty where none does.
    public Optional<Strategy> best(Stream<Evaluation> evaluations) {
        return evaluations
                .filter(e -> e.value(FusionEvaluator.LATENCY).isPresent())
                .min(Comparator.comparingDouble(
                        e -> e.value(FusionEvaluator.LATENCY).getAsDouble()))
                .map(e -> strategies.strategy(e.configuration()));
    }

    /// The result in full: the strategy, why a learned answer gave way, and how near the best there is it
    /// is proven to be.
    ///
    /// @param run how it was searched
    /// @param reason why the strategy was evaluated
    public FusionResult result(RunSettings run, Strategy strategy, String reason) {
        FusionMethod method = method(run.method());
        boolean proves = Set.of(FusionMethods.AUTO, "exact").contains(method.name())
                && ExactSearch.obstacle(model).isEmpty();
        if (proves && requireNonNull(proof.get()).isEmpty()) {
            proof.set(Optional.of(ExactSearch.solve(model, () -> {})));
        }
        return new FusionResult(
                model,
                strategy,
                reason.equals(method.label()) ? Optional.empty() : Optional.of(reason),
                proves ? requireNonNull(proof.get()) : Optional.empty());
    }

    /// Settings of a run where nothing is said: the automatic method, for searches 2 000 evaluations, seed 1.
    public static RunSettings defaultRun() {
        return RunSettings.of(FusionMethods.AUTO, FusionEvaluator.NAME, Mapping.EVALUATIONS, 1, 0);
    }
}

package knobscape.hls;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import knobscape.evaluate.UserError;
import knobscape.explore.Budget;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.explore.peers.PoolExplorer;
import knobscape.explore.peers.Rules;
import knobscape.explore.regression.RegressionExplorer;
import knobscape.explore.regression.RegressionMethods;
import knobscape.surrogate.Average;
import knobscape.surrogate.ChosenModel;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.ensemble.XgBoost;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.ProcessTrainer;
import knobscape.surrogate.neural.TorchRuntime;
import knobscape.work.Choices;
import knobscape.work.Method;

/// The search methods of the HLS area, in the order shown.
public final class HlsMethods {
    /// Designs of a training set of the regression baselines (thesis section 3.6.4).
    private static final int REGRESSION_DESIGNS = 48;

    /// Algorithm 2 of the thesis as printed.
    private static final BayesSettings PAPER = BayesSettings.DEFAULT
            .with(BayesSettings.FidelityRule.OWN_FRONT)
            .with(BayesSettings.Gain.HYPERVOLUME)
            .with(BayesSettings.Volume.NORMALISED);

    private static final Model.Trainer CHOSEN = IndependentOutputs.trainer(ChosenModel.trainer(
            List.of(
                    new ProcessTrainer(BayesSettings.CGP.gp()),
                    new ProcessTrainer(BayesSettings.CGP.gp().with(GpSettings.LowerLink.LINEAR)),
                    ProcessTrainer.chain(BayesSettings.CGP.gp())),
            Model::heldOut));

    private static final Model.Trainer TREES =
            Average.bagging(XgBoost.trainer(new XgBoost.Options(XgBoost.Objective.REGRESSION, 6, 1, 0, 1, 0, 1)), 30);

    /// CGP that is given a guess, among the ablations.
    public static final String ESTIMATE_PRIOR = "cgp-estimate";

    private HlsMethods() {}

    /// The methods that come with the program.
    public static Choices<Method> standard() {
        return new Choices<>(
                "method",
                List.of(
                        new Method(
                                "cgp",
                                "CGP",
                                "Bayesian optimisation over all fidelities: a Gaussian process per objective that sees the whole report of the stage below, fronts drawn from the posterior.",
                                p -> cgp("cgp", p)),
                        new Method(
                                "random",
                                "Random search",
                                "Uniform draws, each run to the highest fidelity.",
                                p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed())),
                        new Method(
                                "dcgp",
                                "DCGP",
                                "The thesis's DCGP: correlated processes with a deep kernel, a network trained together with them (needs LibTorch); slower and, on measured designs, worse than cgp.",
                                HlsMethods::deep),
                        new Method(
                                "cgp-paper",
                                "CGP as published",
                                "Algorithm 2 of the thesis: correlated processes, the improvement of each fidelity's own front, weighed by cost.",
                                p -> bayes("cgp-paper", p, PAPER, CgpExplorer.gaussianProcesses(PAPER))),
                        new Method(
                                "fpl18",
                                "FPL18",
                                "Bayesian optimisation over all fidelities, a linear chain per objective, objectives apart (Lo and Chow 2018).",
                                p -> bayes(
                                        "fpl18",
                                        p,
                                        BayesSettings.FPL18,
                                        IndependentOutputs.trainer(ProcessTrainer.chain(BayesSettings.FPL18.gp())))),
                        new Method(
                                "mes",
                                "MES",
                                "DCGP's loop with max-value entropy search over independent Gaussian processes.",
                                p -> bayes(
                                        "mes", p, BayesSettings.MES, CgpExplorer.gaussianProcesses(BayesSettings.MES))),
                        regression(
                                "ann",
                                "Neural network",
                                "48 random designs, a network per objective, then the predicted front is run.",
                                RegressionMethods.neuralNetwork(),
                                seed -> RegressionExplorer.Plan.random(REGRESSION_DESIGNS)),
                        regression(
                                "bt",
                                "Boosted trees",
                                "48 random designs, boosted trees per objective, then the predicted front is run.",
                                RegressionMethods.boostedTrees(),
                                seed -> RegressionExplorer.Plan.random(REGRESSION_DESIGNS)),
                        regression(
                                "dac19",
                                "DAC19",
                                "Several sets of 48 designs by transductive design, hls reports as inputs, then the predicted fronts are run.",
                                RegressionMethods.bestOf(
                                        List.of(RegressionMethods.ridge(), RegressionMethods.boostedTrees(3, 0.1))),
                                seed -> RegressionExplorer.Plan.dac19(REGRESSION_DESIGNS, seed))));
    }

    /// CGP and DCGP with one ingredient taken out or put back as printed, for the bench that asks what each is
    /// worth; not offered for work.
    public static List<Method> ablations() {
        return List.of(
                variant(
                        "cgp-correlated",
                        "CGP with objectives joined by coregionalisation; the stage below is seen by its objectives.",
                        s -> s.with(BayesSettings.ObjectiveModel.CORRELATED).with(BayesSettings.Report.OBJECTIVES)),
                variant(
                        "cgp-objectives-only",
                        "CGP that sees of the stage below the objectives alone.",
                        s -> s.with(BayesSettings.Report.OBJECTIVES)),
                variant(
                        "cgp-linear-fidelity",
                        "CGP with links between fidelities that are only proportional.",
                        s -> s.with(s.gp().with(GpSettings.LowerLink.LINEAR))),
                variant(
                        "cgp-random-start",
                        "CGP that begins with nested random sets.",
                        s -> s.with(BayesSettings.Start.RANDOM)),
                variant(
                        "cgp-shared-normals",
                        "CGP whose fronts are drawn with the same normals for all candidates.",
                        s -> s.with(BayesSettings.Fronts.SHARED)),
                variant(
                        "cgp-no-prior",
                        "CGP that knows nothing from other kernels.",
                        s -> s.with(BayesSettings.Prior.NONE)),
                new Method(
                        ESTIMATE_PRIOR,
                        ESTIMATE_PRIOR,
                        "CGP with the built-in estimate as prior mean, where the kernel's source is at hand (--sources).",
                        p -> cgp(ESTIMATE_PRIOR, p)),
                variant(
                        "cgp-no-escape",
                        "CGP that stays with its gain where runs bring no new design of the front.",
                        s -> s.with(BayesSettings.Stall.NONE)),
                variant(
                        "cgp-no-look",
                        "CGP that does not screen the least known design where it is stalled.",
                        s -> s.with(BayesSettings.Stall.EXACT)),
                variant(
                        "cgp-any-stage",
                        "CGP that may stop after any stage.",
                        s -> s.with(BayesSettings.Screening.ANY)),
                variant(
                        "cgp-penalised",
                        "CGP for which invalid designs count as ten times the worst.",
                        s -> s.with(BayesSettings.Invalid.PENALISED)),
                variant(
                        "cgp-no-cost",
                        "CGP for which all stages take equally long.",
                        s -> s.with(BayesSettings.CostRule.IGNORED)),
                variant(
                        "cgp-hypervolume",
                        "CGP with the exact hypervolume gain throughout.",
                        s -> s.with(BayesSettings.Gain.HYPERVOLUME).with(BayesSettings.AcquisitionKind.EXACT)),
                variant(
                        "cgp-encoded",
                        "CGP that tells the values of a knob apart as encoded, not by their ranks.",
                        s -> s.with(BayesSettings.Features.ENCODED)),
                new Method(
                        "cgp-untimed",
                        "cgp-untimed",
                        "CGP that is not told the tool hours there are.",
                        p -> cgp("cgp-untimed", untimed(p))),
                new Method(
                        "cgp-chosen",
                        "cgp-chosen",
                        "CGP whose links (curved, linear, a linear chain) are chosen by leave-one-out density at every fit.",
                        p -> bayes("cgp-chosen", p, own(p), CHOSEN)),
                new Method(
                        "fpl18-as-printed",
                        "fpl18-as-printed",
                        "FPL18 by the improvement of each fidelity's own front, weighed by cost.",
                        p -> bayes(
                                "fpl18-as-printed",
                                p,
                                BayesSettings.FPL18
                                        .with(BayesSettings.FidelityRule.OWN_FRONT)
                                        .with(BayesSettings.Volume.NORMALISED),
                                IndependentOutputs.trainer(ProcessTrainer.chain(BayesSettings.FPL18.gp())))));
    }

    /// What an engineer might try instead, as far as it can be put on this program's models; for the bench.
    public static List<Method> peers() {
        var ehvi = BayesSettings.DEFAULT
                .with(BayesSettings.ObjectiveModel.INDEPENDENT)
                .with(BayesSettings.Report.NONE)
                .with(BayesSettings.FidelityRule.TOP_ONLY)
                .with(BayesSettings.Gain.HYPERVOLUME);
        return List.of(
                new Method(
                        "gp-ehvi",
                        "gp-ehvi",
                        "Processes on the knobs alone with the exact expected hypervolume improvement, one design at a time: what BoTorch's qEHVI and, without noise, qNEHVI come to.",
                        p -> new CgpExplorer(
                                "gp-ehvi",
                                p.space(),
                                p.encoder(),
                                p.info(),
                                ehvi.withInitialDesigns(p.initialDesigns(), p.initialDesigns()),
                                CgpExplorer.gaussianProcesses(ehvi),
                                p.seed(),
                                System::nanoTime)),
                peer("tpe", "Multi-objective tree-structured Parzen estimator.", p -> Rules.parzen()),
                peer("nsga2", "Steady-state NSGA-II.", p -> Rules.genetic()),
                peer(
                        "forest",
                        "Random scalarisations by bagged trees, as HyperMapper.",
                        p -> Rules.forest(p.encoder(), TREES)),
                peer(
                        "neighbours",
                        "Coordinate search as AutoDSE's, without its bottleneck reports.",
                        p -> Rules.neighbours()));
    }

    private static Method peer(String name, String description, Function<Method.Problem, PoolExplorer.Rule> rule) {
        return new Method(
                name,
                name,
                description,
                p -> new PoolExplorer(name, p.space(), p.info(), p.initialDesigns(), rule.apply(p), p.seed()));
    }

    /// CGP as it is for a problem, with one thing changed.
    private static Method variant(String name, String description, UnaryOperator<BayesSettings> change) {
        return new Method(name, name, description, p -> {
            BayesSettings settings = change.apply(own(p));
            return bayes(name, p, settings, CgpExplorer.gaussianProcesses(settings));
        });
    }

    private static BayesSettings own(Method.Problem p) {
        return BayesSettings.cgp(p.info(), p.objectives().size());
    }

    private static Method.Problem untimed(Method.Problem p) {
        return new Method.Problem(
                p.space(),
                p.encoder(),
                p.info(),
                p.objectives(),
                p.seed(),
                p.initialDesigns(),
                p.bounds(),
                Budget.NONE,
                p.guess());
    }

    private static Explorer cgp(String name, Method.Problem p) {
        BayesSettings s = own(p);
        return bayes(name, p, s, CgpExplorer.gaussianProcesses(s), p.guess());
    }

    private static Explorer bayes(String name, Method.Problem p, BayesSettings settings, Model.Trainer trainer) {
        return bayes(name, p, settings, trainer, Optional.empty());
    }

    private static Explorer bayes(
            String name, Method.Problem p, BayesSettings settings, Model.Trainer trainer, Optional<Guess> guess) {
        return new CgpExplorer(
                name,
                p.space(),
                p.encoder(),
                p.info(),
                settings.withInitialDesigns(p.initialDesigns())
                        .withBounds(p.bounds())
                        .with(p.budget()),
                trainer,
                p.seed(),
                System::nanoTime,
                p.objectives(),
                guess);
    }

    private static Explorer deep(Method.Problem p) {
        TorchRuntime.problem().ifPresent(why -> {
            throw new UserError(why + " Use the method cgp instead.");
        });
        return bayes("dcgp", p, BayesSettings.DEFAULT, new DeepKernelTrainer(DeepKernelSettings.DEFAULT));
    }

    private static Method regression(
            String name,
            String label,
            String description,
            Model.Trainer method,
            LongFunction<RegressionExplorer.Plan> plan) {
        return new Method(
                name,
                label,
                description,
                p -> new RegressionExplorer(
                        name, p.space(), p.encoder(), p.info(), method, plan.apply(p.seed()), p.seed()));
    }
}

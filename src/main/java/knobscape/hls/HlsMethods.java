package knobscape.hls;

import java.util.List;
import java.util.function.LongFunction;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.explore.regression.RegressionExplorer;
import knobscape.explore.regression.RegressionMethods;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.LinearChainTrainer;
import knobscape.surrogate.neural.TorchRuntime;
import knobscape.work.Choices;
import knobscape.work.Method;

/// The search methods of the HLS area, in the order shown.
public final class HlsMethods {
    /// Designs of a training set of the regression baselines (thesis section 3.6.4).
    private static final int REGRESSION_DESIGNS = 48;

    private HlsMethods() {}

    /// The methods that come with the program.
    public static Choices<Method> standard() {
        return new Choices<>(
                "method",
                List.of(
                        new Method(
                                "cgp",
                                "CGP",
                                "Bayesian optimisation over all fidelities with correlated Gaussian processes.",
                                p -> bayes(
                                        "cgp",
                                        p,
                                        BayesSettings.DEFAULT,
                                        CgpExplorer.gaussianProcesses(BayesSettings.DEFAULT))),
                        new Method(
                                "random",
                                "Random search",
                                "Uniform draws, each run to the highest fidelity.",
                                p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed())),
                        new Method(
                                "dcgp",
                                "DCGP",
                                "CGP with a deep kernel, a network trained together with the processes (needs LibTorch).",
                                HlsMethods::deep),
                        new Method(
                                "fpl18",
                                "FPL18",
                                "Bayesian optimisation over all fidelities, a linear chain per objective, objectives apart (Lo and Chow 2018).",
                                p -> bayes(
                                        "fpl18",
                                        p,
                                        BayesSettings.FPL18,
                                        IndependentOutputs.trainer(new LinearChainTrainer(BayesSettings.FPL18.gp())))),
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
                        "cgp-independent",
                        "CGP without correlation: a process per objective.",
                        BayesSettings.DEFAULT.with(BayesSettings.ObjectiveModel.INDEPENDENT)),
                variant(
                        "cgp-linear-fidelity",
                        "CGP with links between fidelities that are only proportional.",
                        BayesSettings.DEFAULT.with(GpSettings.DEFAULT.with(GpSettings.LowerLink.LINEAR))),
                variant(
                        "cgp-no-cost",
                        "CGP for which all stages take equally long.",
                        BayesSettings.DEFAULT.with(BayesSettings.CostRule.IGNORED)),
                variant(
                        "cgp-top-only",
                        "CGP that runs every design to the highest fidelity.",
                        BayesSettings.DEFAULT
                                .with(BayesSettings.FidelityRule.TOP_ONLY)
                                .with(BayesSettings.Gain.HYPERVOLUME)),
                variant(
                        "cgp-hypervolume",
                        "CGP with hypervolume for the gain.",
                        BayesSettings.DEFAULT.with(BayesSettings.Gain.HYPERVOLUME)),
                variant(
                        "cgp-as-printed",
                        "CGP by Algorithm 2: the improvement of each fidelity's own front, weighed by cost.",
                        BayesSettings.DEFAULT
                                .with(BayesSettings.FidelityRule.OWN_FRONT)
                                .with(BayesSettings.Gain.HYPERVOLUME)
                                .with(BayesSettings.Volume.NORMALISED)),
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
                                IndependentOutputs.trainer(new LinearChainTrainer(BayesSettings.FPL18.gp())))),
                new Method(
                        "dcgp-as-printed",
                        "dcgp-as-printed",
                        "DCGP with the deep kernel of Eq. 3.17-3.19, features only, unguarded.",
                        p -> bayes(
                                "dcgp-as-printed",
                                p,
                                BayesSettings.DEFAULT,
                                new DeepKernelTrainer(DeepKernelSettings.AS_PRINTED))));
    }

    private static Method variant(String name, String description, BayesSettings settings) {
        return new Method(
                name, name, description, p -> bayes(name, p, settings, CgpExplorer.gaussianProcesses(settings)));
    }

    private static Explorer bayes(String name, Method.Problem p, BayesSettings settings, Model.Trainer trainer) {
        return new CgpExplorer(
                name,
                p.space(),
                p.encoder(),
                p.info(),
                settings.withInitialDesigns(p.initialDesigns()),
                trainer,
                p.seed(),
                System::nanoTime);
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

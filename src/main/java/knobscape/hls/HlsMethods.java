package knobscape.hls;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.explore.regression.RegressionExplorer;
import knobscape.explore.regression.RegressionMethods;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.gp.ProcessTrainer;
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
                                "Bayesian (CGP)",
                                "Recommended: Bayesian optimisation over all stages of the tool, each seen through the"
                                        + " whole report of the stage below.",
                                p -> {
                                    BayesSettings s = own(p);
                                    return bayes("cgp", p, s, CgpExplorer.gaussianProcesses(s), p.guess());
                                }),
                        new Method(
                                "cgp-paper",
                                "CGP (Sun 2022)",
                                "To repeat the paper: correlated Gaussian processes, the improvement of each stage's"
                                        + " own front weighed by its cost.",
                                p -> bayes(
                                        "cgp-paper",
                                        p,
                                        BayesSettings.PUBLISHED,
                                        CgpExplorer.gaussianProcesses(BayesSettings.PUBLISHED))),
                        new Method(
                                "dcgp-paper",
                                "DCGP (Sun 2022)",
                                "To repeat the paper: the same search with a network trained as the kernel of its"
                                        + " processes; slower, and needs LibTorch.",
                                p -> deep(
                                        "dcgp-paper",
                                        p,
                                        BayesSettings.PUBLISHED,
                                        DeepKernelSettings.DEFAULT.with(BayesSettings.PUBLISHED
                                                .learning()
                                                .gp()))),
                        new Method(
                                "fpl18",
                                "FPL18 (Lo and Chow 2018)",
                                "Where the stages of the tool agree closely: a linear chain of Gaussian processes for"
                                        + " each objective by itself.",
                                p -> bayes(
                                        "fpl18",
                                        p,
                                        BayesSettings.FPL18,
                                        IndependentOutputs.trainer(ProcessTrainer.chain(
                                                BayesSettings.FPL18.learning().gp())))),
                        regression(
                                "ann",
                                "Neural network",
                                "Where 48 tools can run at once: 48 random designs, a network per objective, then its"
                                        + " predicted front.",
                                RegressionMethods.neuralNetwork(),
                                seed -> RegressionExplorer.Plan.random(REGRESSION_DESIGNS)),
                        regression(
                                "bt",
                                "Boosted trees",
                                "The same with boosted trees in place of the network, which copes better with jumps in"
                                        + " the tool's results.",
                                RegressionMethods.boostedTrees(),
                                seed -> RegressionExplorer.Plan.random(REGRESSION_DESIGNS)),
                        new Method(
                                "random",
                                "Random search",
                                "As a reference: uniform draws, each run through all stages.",
                                p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed()))),
                List.of(
                        new Method(
                                "dcgp",
                                "Deep kernel",
                                "A baseline: the paper's network as kernel under the gain of cgp per hour; on measured"
                                        + " designs worse than cgp.",
                                p -> deep("dcgp", p, BayesSettings.DEFAULT, DeepKernelSettings.DEFAULT)),
                        new Method(
                                "mes",
                                "MES (Belakaria 2019)",
                                "A baseline: the loop of DCGP with max-value entropy search over independent Gaussian"
                                        + " processes.",
                                p -> bayes(
                                        "mes", p, BayesSettings.MES, CgpExplorer.gaussianProcesses(BayesSettings.MES))),
                        regression(
                                "dac19",
                                "DAC19",
                                "A baseline: sets of 48 designs by transductive design with hls reports as inputs,"
                                        + " then the predicted fronts.",
                                RegressionMethods.bestOf(
                                        List.of(RegressionMethods.ridge(), RegressionMethods.boostedTrees(3, 0.1))),
                                seed -> RegressionExplorer.Plan.dac19(REGRESSION_DESIGNS, seed))));
    }

    /// The settings that `cgp` has for a problem.
    public static BayesSettings own(Method.Problem p) {
        return BayesSettings.cgp(p.info(), p.objectives().size());
    }

    private static Explorer bayes(String name, Method.Problem p, BayesSettings settings, Model.Trainer trainer) {
        return bayes(name, p, settings, trainer, Optional.empty());
    }

    /// A Bayesian search of a problem.
    ///
    /// @param name of the method
    /// @param trainer of its surrogate
    /// @param guess what results would be, where the method uses one
    public static Explorer bayes(
            String name, Method.Problem p, BayesSettings settings, Model.Trainer trainer, Optional<Guess> guess) {
        return new CgpExplorer(
                name,
                p.space(),
                p.encoder(),
                p.info(),
                settings.with(settings.start().of(p.initialDesigns()))
                        .with(new BayesSettings.Limits(p.bounds(), p.budget())),
                trainer,
                p.seed(),
                System::nanoTime,
                p.objectives(),
                guess);
    }

    private static Explorer deep(String name, Method.Problem p, BayesSettings settings, DeepKernelSettings kernel) {
        TorchRuntime.problem().ifPresent(why -> {
            throw new UserError(why + " Use the method cgp instead.");
        });
        return bayes(name, p, settings, new DeepKernelTrainer(kernel));
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

package knobscape.study;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.FinalRounds;
import knobscape.explore.FinishedInPairs;
import knobscape.explore.PopulationExplorer;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.explore.bo.BoExplorer;
import knobscape.explore.bo.BoSettings;
import knobscape.explore.bo.Target;
import knobscape.explore.bo.TransferExplorer;
import knobscape.explore.population.Nsga2Explorer;
import knobscape.study.source.OwnKernel;
import knobscape.study.source.Study;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// The search methods of studies.
final class StudyMethods {
    private static final String BO = "bo";
    /// The method that learns from the history.
    static final String TRANSFER = "transfer";

    private static final String CGP = "cgp";
    private static final int POPULATION = 16;
    /// Two points are the fewest that a model is fitted to.
    private static final int LEAST_INITIAL = 2;

    private StudyMethods() {}

    /// @param positive names of the objectives that are always above 0
    /// @param earlier what was measured before of one of them
    static Choices<Method> of(List<String> positive, BiFunction<Method.Problem, Metric, Experience> earlier) {
        return new Choices<>(
                "method",
                List.of(
                        new Method(
                                "auto",
                                "Recommended",
                                "Recommended, as it fits the study: bo for one objective that is always positive, cgp"
                                        + " for several objectives or stages.",
                                p -> isForBo(p, positive) ? bo(p, positive) : cgp(p)),
                        new Method(
                                BO,
                                "Model-based",
                                "For one objective: a process and boosted trees, one measurement at a time.",
                                p -> bo(p, positive)),
                        new Method(
                                TRANSFER,
                                "Transfer",
                                "For one objective, where the same study was measured on another device or with other"
                                        + " sizes: begins with that, and trusts it as far as it proves true.",
                                p -> transfer(p, positive, earlier)),
                        new Method(
                                CGP,
                                "Bayesian (CGP)",
                                "For several objectives or stages: correlated processes, the gain of the front for the"
                                        + " time it takes.",
                                StudyMethods::cgp),
                        new Method(
                                Nsga2Explorer.NAME,
                                "NSGA-II",
                                "Where a measurement takes no time and thousands are made: generations of sixteen by"
                                        + " rank and crowding.",
                                p -> new Nsga2Explorer(p.space(), p.info(), p.initialDesigns(), POPULATION, p.seed())),
                        new Method(
                                "random",
                                "Random search",
                                "To have something to compare with: uniform draws.",
                                p -> new RandomExplorer(p.space(), p.info().top(), p.initialDesigns(), p.seed()))));
    }

    private static boolean isForBo(Method.Problem p, List<String> positive) {
        return p.objectives().size() == 1
                && p.info().fidelities().size() == 1
                && p.bounds().isEmpty()
                && positive.contains(p.objectives().getFirst().name());
    }

    private static Explorer bo(Method.Problem p, List<String> positive) {
        return new BoExplorer(Target.of(p.space(), p.info(), only(BO, p, positive), p.seed()), settings(p));
    }

    private static Explorer transfer(
            Method.Problem p, List<String> positive, BiFunction<Method.Problem, Metric, Experience> earlier) {
        Metric metric = only(TRANSFER, p, positive);
        return new TransferExplorer(
                new Target(p.space(), p.info(), metric, _ -> true, earlier.apply(p, metric), p.seed()), settings(p));
    }

    private static BoSettings settings(Method.Problem p) {
        return BoSettings.DEFAULT.beginningWith(Math.max(LEAST_INITIAL, p.initialDesigns()));
    }

    /// The objective of a search for one.
    private static Metric only(String method, Method.Problem p, List<String> positive) {
        if (p.objectives().size() != 1) {
            throw new UserError("The method " + method + " searches for one objective, and here are "
                    + p.objectives().size() + "; take cgp, or name one with --objectives.");
        }
        if (!p.bounds().isEmpty()) {
            throw new UserError("The method " + method + " keeps to no bounds; take cgp for --goal.");
        }
        if (!positive.contains(p.objectives().getFirst().name())) {
            throw new UserError("The method " + method
                    + " needs an objective that is above 0; write 'positive: true' for '"
                    + p.objectives().getFirst().name() + "' in the study if it is, or take cgp.");
        }
        return p.objectives().getFirst();
    }

    private static Explorer cgp(Method.Problem p) {
        BayesSettings s = BayesSettings.cgp(p.info(), p.objectives().size());
        return new CgpExplorer(
                CGP,
                p.space(),
                p.encoder(),
                p.info(),
                s.with(s.start().of(p.initialDesigns())).with(new BayesSettings.Limits(p.bounds(), p.budget())),
                CgpExplorer.gaussianProcesses(s),
                p.seed(),
                System::nanoTime,
                p.objectives(),
                Optional.empty());
    }

    /// A kernel's time differs from run to run, so the search for it ends with rounds of the best.
    static Explorer finished(Study study, Explorer search, RunSettings run, EvaluatorInfo info) {
        List<Metric> objectives = Workbench.objectives(run, info);
        boolean isTimed = !study.stages().isEmpty()
                && study.stages().getLast().kernel().isPresent()
                && objectives.size() == 1
                && OwnKernel.SPEEDS.contains(objectives.getFirst().name())
                && !(search instanceof PopulationExplorer);
        return isTimed
                ? new FinishedInPairs(
                        search,
                        new FinalRounds(e -> StudyHistory.score(e.outcome(), objectives.getFirst())),
                        info.top(),
                        RunPlan.steps(run, search))
                : search;
    }
}

package knobscape.lab.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import knobscape.explore.Budget;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.gpu.search.ScheduleScorer;
import knobscape.gpu.search.TuningMethod;
import knobscape.hls.HlsMethods;
import knobscape.hls.HlsTools;
import knobscape.surrogate.Average;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.ensemble.XgBoost;
import knobscape.surrogate.gp.ProcessTrainer;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.GraphArchitecture.Convolution;
import knobscape.work.Choices;
import knobscape.work.Method;

/// Methods of the laboratory alone: CGP with one ingredient changed, and what an engineer might try instead.
public final class LabMethods {
    private static final Model.Trainer TREES =
            Average.bagging(XgBoost.trainer(new XgBoost.Options(XgBoost.Objective.REGRESSION, 6, 1, 0, 1, 0, 1)), 30);

    /// CGP that is given a guess, among the ablations.
    public static final String ESTIMATE_PRIOR = "cgp-estimate";

    private LabMethods() {}

    /// The parts that HLS work is put together from, the methods of the laboratory among them.
    public static HlsTools tools() {
        HlsTools tools = HlsTools.standard();
        return new HlsTools(
                tools.reader(),
                tools.spaces(),
                tools.toolchains(),
                tools.methods()
                        .with(Stream.concat(peers().stream(), ablations().stream())
                                .toList()));
    }

    /// The methods of the GPU area and the ablations of GTuner: parts of its model left out or exchanged.
    public static Choices<TuningMethod> tuning() {
        return TuningMethod.standard()
                .with(List.of(
                        graph(
                                "gtuner-rank",
                                "a ranking loss in place of the squared error",
                                GraphArchitecture.GTUNER,
                                true),
                        graph(
                                "gtuner-mhsa",
                                "attention over the statistics alone",
                                new GraphArchitecture(Convolution.NONE, true),
                                false),
                        graph(
                                "gtuner-mlp",
                                "graph and statistics to the perceptron",
                                new GraphArchitecture(Convolution.WL, false),
                                false),
                        graph(
                                "gtuner-spectral",
                                "the convolution of Kipf and Welling",
                                new GraphArchitecture(Convolution.SPECTRAL, true),
                                false),
                        graph(
                                "gtuner-masked",
                                "masked attention between neighbours",
                                new GraphArchitecture(Convolution.MASKED, true),
                                false),
                        graph(
                                "gtuner-sage",
                                "the convolution of GraphSAGE",
                                new GraphArchitecture(Convolution.SAGE, true),
                                false)));
    }

    private static TuningMethod graph(String name, String change, GraphArchitecture architecture, boolean ranks) {
        return TuningMethod.sketches(
                name, name, "GTuner with " + change + ".", new ScheduleScorer.Graph(architecture, ranks));
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
                        "CGP with the built-in estimate as prior mean, where the kernel's source is at hand"
                                + " (--sources).",
                        p -> cgp(ESTIMATE_PRIOR, p, p.guess())),
                variant(
                        "cgp-no-escape",
                        "CGP that stays with its gain where runs bring no new design of the front.",
                        s -> s.with(BayesSettings.Stall.NONE)),
                new Method(
                        "cgp-no-look",
                        "cgp-no-look",
                        "CGP that does not screen the least known design where it is stalled.",
                        p -> new UnscreenedExplorer(cgp("cgp-no-look", p, Optional.empty()))),
                variant(
                        "cgp-any-stage",
                        "CGP that may stop after any stage.",
                        s -> s.with(new BayesSettings.Screening(1))),
                variant(
                        "cgp-penalised",
                        "CGP for which invalid designs count as ten times the worst.",
                        s -> s.with(BayesSettings.Invalid.PENALISED)),
                variant(
                        "cgp-no-cost",
                        "CGP for which all stages take equally long.",
                        s -> s.with(EqualCosts.RULE).with(new BayesSettings.Screening(0.5))),
                variant(
                        "cgp-hypervolume",
                        "CGP with the exact hypervolume gain throughout.",
                        s -> s.with(BayesSettings.Gain.HYPERVOLUME)),
                variant(
                        "cgp-encoded",
                        "CGP that tells the values of a knob apart as encoded, not by their ranks.",
                        s -> s.with(BayesSettings.Features.ENCODED)),
                new Method(
                        "cgp-untimed",
                        "cgp-untimed",
                        "CGP that is not told the tool hours there are.",
                        p -> cgp("cgp-untimed", untimed(p), p.guess())),
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
                                IndependentOutputs.trainer(ProcessTrainer.chain(
                                        BayesSettings.FPL18.learning().gp())))));
    }

    /// Methods an engineer might try instead, as far as they can be put on this program's models; for the bench.
    public static List<Method> peers() {
        var ehvi = BayesSettings.DEFAULT
                .with(BayesSettings.ObjectiveModel.INDEPENDENT)
                .with(IntervalCalibration.UNSEEN)
                .with(BayesSettings.FidelityRule.OWN_FRONT)
                .with(BayesSettings.Gain.HYPERVOLUME);
        return List.of(
                new Method(
                        "gp-ehvi",
                        "gp-ehvi",
                        "Processes on the knobs alone with the exact expected hypervolume improvement, one design at a"
                                + " time: what BoTorch's qEHVI and, without noise, qNEHVI come to.",
                        p -> new CgpExplorer(
                                "gp-ehvi",
                                p.space(),
                                p.encoder(),
                                p.info(),
                                ehvi.with(new BayesSettings.FirstDesigns(
                                        p.initialDesigns(),
                                        p.initialDesigns(),
                                        ehvi.start().kind())),
                                CgpExplorer.gaussianProcesses(ehvi),
                                p.seed(),
                                System::nanoTime)),
                peer("tpe", "Multi-objective tree-structured Parzen estimator.", p -> SelectionRules.parzen()),
                peer(
                        "nsga2",
                        "NSGA-II: generations of sixteen by rank and crowding.",
                        p -> SelectionRules.nsga2(16, 16)),
                peer(
                        "steady-nsga2",
                        "NSGA-II in its steady-state form: sixteen members, one child at a time.",
                        p -> SelectionRules.nsga2(16, 1)),
                peer(
                        "forest",
                        "Random scalarisations by bagged trees, as HyperMapper.",
                        p -> SelectionRules.forest(p.encoder(), TREES)),
                peer(
                        "neighbours",
                        "Coordinate search as AutoDSE's, without its bottleneck reports.",
                        p -> SelectionRules.neighbours()));
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
            BayesSettings settings = change.apply(HlsMethods.own(p));
            return bayes(name, p, settings, CgpExplorer.gaussianProcesses(settings));
        });
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

    private static Explorer bayes(String name, Method.Problem p, BayesSettings settings, Model.Trainer trainer) {
        return HlsMethods.bayes(name, p, settings, trainer, Optional.empty());
    }

    private static Explorer cgp(String name, Method.Problem p, Optional<Guess> guess) {
        BayesSettings s = HlsMethods.own(p);
        return HlsMethods.bayes(name, p, s, CgpExplorer.gaussianProcesses(s), guess);
    }
}

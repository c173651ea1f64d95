package knobscape.gpu.search;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.explore.Explorer;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bo.BoExplorer;
import knobscape.explore.bo.BoSettings;
import knobscape.explore.bo.TransferExplorer;
import knobscape.surrogate.deepgp.DeepGp;
import knobscape.surrogate.deepgp.DeepGpSettings;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.GraphArchitecture.Convolution;
import knobscape.work.Choices;
import knobscape.work.Named;

/// A search for fast kernels by name.
///
/// @param name as on the command line
/// @param label for a person
/// @param description one sentence
/// @param batch configurations it asks for at once by itself
/// @param factory makes one explorer for a problem
/// @param model of a search over sketches its cost model; empty for others
public record TuningMethod(
        String name,
        String label,
        String description,
        int batch,
        Function<TuningProblem, Explorer> factory,
        Optional<CostModel> model)
        implements Named {

    private static final int PLAN = 64;
    /// Of sketches at once. Ansor's release takes 64: half of what a kernel is often given, before its model has seen
    /// any of them.
    static final int SKETCHES = 16;
    private static final int TRIALS = 256;

    TuningMethod(String name, String label, String description, int batch, Function<TuningProblem, Explorer> factory) {
        this(name, label, description, batch, factory, Optional.empty());
    }

    /// Measurements per kernel where nothing is said: 256, or as many as the method needs to come to its end.
    public int trials() {
        return hasLeaders() ? DgpExplorer.Settings.DEFAULT.trials() : TRIALS;
    }

    /// Whether the first kernel of a group is tuned before the others, which learn from its trace; `dgp` and its
    /// ablations.
    public boolean hasLeaders() {
        return name.matches("dgp(-.*)?");
    }

    /// Whether a method can search sketches only: it needs their loop nests.
    public static boolean needsSketches(String method) {
        return method.matches("(ansor|gtuner).*");
    }

    /// Its graph model, which can be trained before; empty where it has none.
    public Optional<CostModel.Graph> graph() {
        return model.filter(CostModel.Graph.class::isInstance).map(CostModel.Graph.class::cast);
    }

    private static TuningMethod sketches(String name, String label, String description, CostModel model) {
        return new TuningMethod(
                name, label, description, SKETCHES, p -> new EvolutionaryExplorer(name, p, model), Optional.of(model));
    }

    /// The methods that come with the program.
    public static Choices<TuningMethod> standard() {
        return new Choices<>(
                "method",
                List.of(
                        new TuningMethod(
                                "bo",
                                "Model-based search",
                                "A few random designs, then expected improvement by a Gaussian process and boosted trees.",
                                1,
                                p -> new BoExplorer(p.target(), BoSettings.DEFAULT)),
                        new TuningMethod(
                                "transfer",
                                "Transfer",
                                "Begins with what was measured of comparable kernels, and trusts it as far as it proves true.",
                                1,
                                p -> new TransferExplorer(p.target(), BoSettings.DEFAULT)),
                        new TuningMethod(
                                "transfer-dgp",
                                "Transfer, deep prior",
                                "The same with a deep Gaussian process in place of boosted trees.",
                                1,
                                p -> new TransferExplorer(
                                        "transfer-dgp",
                                        p.target(),
                                        BoSettings.DEFAULT,
                                        DeepGp.trainer(DeepGpSettings.DEFAULT))),
                        new TuningMethod(
                                "dgp",
                                "Deep GP transfer",
                                "A deep process trained on the history chooses what is measured, is tuned on it and replaces the device.",
                                32,
                                p -> new DgpExplorer("dgp", p, DgpExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                "autotvm",
                                "AutoTVM",
                                "Boosted trees rank, annealing searches, 64 random designs begin.",
                                PLAN,
                                p -> new AutoTvmExplorer(
                                        "autotvm", p, InitialDesign.random(), AutoTvmExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                "bted",
                                "BTED",
                                "AutoTVM begun with 64 designs by batch transductive experimental design.",
                                PLAN,
                                p -> new AutoTvmExplorer(
                                        "bted", p, InitialDesign.bted(), AutoTvmExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                "bted+bao",
                                "BTED+BAO",
                                "BTED's designs, then bootstrap models in a neighbourhood of the best that adapts.",
                                1,
                                p -> new BaoExplorer(
                                        "bted+bao", p, InitialDesign.bted(), BaoExplorer.Settings.DEFAULT)),
                        sketches(
                                "ansor",
                                "Ansor",
                                "Evolutionary search over sketches, chosen by expected improvement under a Gaussian process.",
                                new CostModel.Process()),
                        sketches(
                                "ansor-trees",
                                "Ansor, trees",
                                "Ansor's search as published: under boosted trees of the sketches' statements.",
                                new CostModel.Trees()),
                        sketches(
                                "gtuner",
                                "GTuner",
                                "The same under a graph attention model of subgraph and schedule; of a model trained before, a process learns what it misses by.",
                                CostModel.Graph.ours()),
                        sketches(
                                "gtuner-published",
                                "GTuner, published",
                                "GTuner as published: a model trained before is trained further on what is measured.",
                                new CostModel.Graph(GraphArchitecture.GTUNER, false)),
                        sketches(
                                "gtuner-rank",
                                "GTuner, by rank",
                                "GTuner with a ranking loss of ours in place of the squared error.",
                                new CostModel.Graph(GraphArchitecture.GTUNER, true)),
                        sketches(
                                "gtuner-mhsa",
                                "GTuner without graph",
                                "Attention over the statistics alone.",
                                new CostModel.Graph(new GraphArchitecture(Convolution.NONE, true), false)),
                        sketches(
                                "gtuner-mlp",
                                "GTuner without attention",
                                "Graph and statistics to the perceptron.",
                                new CostModel.Graph(new GraphArchitecture(Convolution.WL, false), false)),
                        sketches(
                                "gtuner-spectral",
                                "GTuner, spectral graph",
                                "GTuner with the convolution of Kipf and Welling.",
                                new CostModel.Graph(new GraphArchitecture(Convolution.SPECTRAL, true), false)),
                        sketches(
                                "gtuner-masked",
                                "GTuner, masked graph",
                                "GTuner with masked attention between neighbours.",
                                new CostModel.Graph(new GraphArchitecture(Convolution.MASKED, true), false)),
                        sketches(
                                "gtuner-sage",
                                "GTuner, GraphSAGE",
                                "GTuner with GraphSAGE's convolution.",
                                new CostModel.Graph(new GraphArchitecture(Convolution.SAGE, true), false)),
                        new TuningMethod(
                                "ga",
                                "Genetic search",
                                "Generations of 100, crossover and mutation.",
                                GeneticExplorer.Settings.DEFAULT.population(),
                                p -> new GeneticExplorer(p, GeneticExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                "random",
                                "Random search",
                                "Uniform draws without repetition.",
                                PLAN,
                                p -> new RandomExplorer(p.space(), p.info().top(), PLAN, p.seed())),
                        new TuningMethod(
                                "grid",
                                "Grid",
                                "Every configuration in the order of the space.",
                                PLAN,
                                GridExplorer::new)));
    }
}

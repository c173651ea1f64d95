package knobscape.gpu.search;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import knobscape.explore.Explorer;
import knobscape.explore.RandomExplorer;
import knobscape.explore.bo.BoExplorer;
import knobscape.explore.bo.BoSettings;
import knobscape.explore.bo.TransferExplorer;
import knobscape.surrogate.graph.GraphArchitecture;
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
/// @param lessons what it learns from besides its own measurements
public record TuningMethod(
        String name,
        String label,
        String description,
        int batch,
        Function<TuningProblem, Explorer> factory,
        Optional<ScheduleScorer> model,
        Lessons lessons)
        implements Named {

    /// The lessons of a search besides its own measurements.
    public enum Lessons {
        /// Nothing.
        NONE,
        /// The tuning history.
        HISTORY,
        /// The tuning history, and the kernel of its group that is tuned before it.
        LEADERS
    }

    private static final int PLAN = 64;
    private static final int TRIALS = 256;

    /// A search without a cost model of sketches.
    public TuningMethod(
            String name, String label, String description, int batch, Function<TuningProblem, Explorer> factory) {
        this(name, label, description, batch, factory, Optional.empty());
    }

    /// A search that learns from its own run alone.
    public TuningMethod(
            String name,
            String label,
            String description,
            int batch,
            Function<TuningProblem, Explorer> factory,
            Optional<ScheduleScorer> model) {
        this(name, label, description, batch, factory, model, Lessons.NONE);
    }

    /// The same, learning from more.
    public TuningMethod learning(Lessons more) {
        return new TuningMethod(name, label, description, batch, factory, model, more);
    }

    /// True if a method of the program by name has a property; no name of another version has.
    public static boolean has(String method, Predicate<TuningMethod> property) {
        return standard().all().stream().anyMatch(m -> m.name().equals(method) && property.test(m));
    }

    /// True if it learns from the tuning history.
    public boolean learns() {
        return lessons != Lessons.NONE;
    }

    /// Measurements per kernel where nothing is said: 256, or as many as the method needs to come to its end.
    public int trials() {
        return hasLeaders() ? DgpExplorer.Settings.DEFAULT.trials() : TRIALS;
    }

    /// True if the first kernel of a group is tuned before the others, which learn from its trace.
    public boolean hasLeaders() {
        return lessons == Lessons.LEADERS;
    }

    /// True if it can search sketches only: its cost model needs their loop nests.
    public boolean needsSketches() {
        return model.isPresent();
    }

    /// True if it has a graph model, which can be trained before.
    public boolean learnsGraph() {
        return graph().isPresent();
    }

    /// Its graph model, which can be trained before; empty where it has none.
    public Optional<ScheduleScorer.Graph> graph() {
        return model.filter(ScheduleScorer.Graph.class::isInstance).map(ScheduleScorer.Graph.class::cast);
    }

    /// A search over sketches under a cost model.
    public static TuningMethod sketches(String name, String label, String description, ScheduleScorer model) {
        return new TuningMethod(
                name,
                label,
                description,
                ScheduleScorer.AT_ONCE,
                p -> new EvolutionaryExplorer(name, p, model),
                Optional.of(model));
    }

    /// The methods that come with the program.
    public static Choices<TuningMethod> standard() {
        return new Choices<>(
                "method",
                List.of(
                        new TuningMethod(
                                "bo",
                                "Model-based search",
                                "Take it where nothing comparable was measured before: expected improvement by a Gaussian process and boosted trees.",
                                1,
                                p -> new BoExplorer(p.target(), BoSettings.DEFAULT)),
                        new TuningMethod(
                                        "transfer",
                                        "Transfer",
                                        "Recommended: it begins with what was measured of comparable kernels, and trusts it as far as it proves true.",
                                        1,
                                        p -> new TransferExplorer(p.target(), BoSettings.DEFAULT))
                                .learning(Lessons.HISTORY),
                        sketches(
                                "ansor",
                                "Ansor",
                                "Where templates are too narrow: evolution of whole loop nests, chosen by a Gaussian process.",
                                new ScheduleScorer.Process()),
                        new TuningMethod(
                                "autotvm",
                                "AutoTVM (Chen 2018)",
                                "To compare with TVM: boosted trees rank, annealing searches, 64 random designs begin.",
                                PLAN,
                                p -> new AutoTvmExplorer(
                                        "autotvm", p, InitialDesign.random(), AutoTvmExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                "bted+bao",
                                "BTED+BAO (Sun 2021)",
                                "To repeat the paper: diverse designs begin, then bootstrap models search near the best so far.",
                                1,
                                p -> new BaoExplorer(
                                        "bted+bao", p, InitialDesign.bted(), BaoExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                        "dgp",
                                        "DGP (Sun 2021)",
                                        "Where measuring is expensive and a history is at hand: a deep process trained on the history replaces most measurements.",
                                        32,
                                        p -> new DgpExplorer("dgp", p, DgpExplorer.Settings.DEFAULT))
                                .learning(Lessons.LEADERS),
                        sketches(
                                "gtuner",
                                "GTuner",
                                "Where a model of gtuner-train is at hand: sketches under graph attention, and a process that learns what the model misses by.",
                                ScheduleScorer.Graph.ours()),
                        new TuningMethod(
                                "random",
                                "Random search",
                                "As a reference: uniform draws without repetition.",
                                PLAN,
                                p -> new RandomExplorer(p.space(), p.info().top(), PLAN, p.seed()))),
                List.of(
                        new TuningMethod(
                                "bted",
                                "BTED (Sun 2021)",
                                "A baseline: AutoTVM begun with 64 designs by batch transductive experimental design.",
                                PLAN,
                                p -> new AutoTvmExplorer(
                                        "bted", p, InitialDesign.bted(), AutoTvmExplorer.Settings.DEFAULT)),
                        sketches(
                                "ansor-trees",
                                "Ansor (Zheng 2020)",
                                "A baseline: Ansor's search as published, under boosted trees of the sketches' statements.",
                                new ScheduleScorer.Trees()),
                        sketches(
                                "gtuner-published",
                                "GTuner (Sun 2022)",
                                "A baseline: GTuner as published, which trains its model further on what is measured.",
                                new ScheduleScorer.Graph(GraphArchitecture.GTUNER, false)),
                        new TuningMethod(
                                "ga",
                                "Genetic search",
                                "A baseline: generations of 100, crossover and mutation.",
                                GeneticExplorer.Settings.DEFAULT.population(),
                                p -> new GeneticExplorer(p, GeneticExplorer.Settings.DEFAULT)),
                        new TuningMethod(
                                "grid",
                                "Grid",
                                "A baseline: every configuration in the order of the space.",
                                PLAN,
                                GridExplorer::new)));
    }
}

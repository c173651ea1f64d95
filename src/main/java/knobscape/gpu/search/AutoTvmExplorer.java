package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.LevelText;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;
import knobscape.surrogate.ensemble.XgBoost;

/// AutoTVM's search (Chen et al., NeurIPS 2018, as released with TVM 0.6): boosted trees learn to rank what has
/// been measured, annealing searches for the configurations they rank highest, a plan of these is measured with a
/// few random ones in it, and the trees are grown afresh. With [InitialDesign#bted()] it is the method BTED.
public final class AutoTvmExplorer implements Explorer {
    /// Settings.
    ///
    /// @param plan measurements per plan; also the number of initial designs
    /// @param randomShare share of a plan that is drawn at random (epsilon)
    /// @param annealing how the plan is searched
    /// @param objective of the trees
    public record Settings(int plan, double randomShare, Annealing.Settings annealing, XgBoost.Objective objective) {
        /// Plans of 64 with 5 % random ones, ranking.
        public static final Settings DEFAULT =
                new Settings(64, 0.05, Annealing.Settings.AUTO_TVM, XgBoost.Objective.RANK);

        public Settings {
            if (plan < 1 || randomShare < 0 || randomShare > 1) {
                throw new IllegalArgumentException(
                        "a plan needs at least one measurement and a random share in [0, 1]");
            }
        }
    }

    private final String name;
    private final TuningProblem problem;
    private final InitialDesign initialDesign;
    private final Settings settings;
    private final Annealing annealing;
    private List<Configuration> plan = List.of();
    private List<Configuration> chains = List.of();
    private Map<String, double[]> diagnostics = Map.of();

    /// @param name as on the command line
    /// @param problem what to tune
    /// @param initialDesign what is measured first
    /// @param settings how
    public AutoTvmExplorer(String name, TuningProblem problem, InitialDesign initialDesign, Settings settings) {
        this.name = name;
        this.problem = problem;
        this.initialDesign = initialDesign;
        this.settings = settings;
        this.annealing = new Annealing(problem.space(), settings.annealing);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Proposal> initial() {
        return initialDesign.proposals(problem, settings.plan);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        SplittableRandom random = StepRandom.of(problem.seed(), history.asks() + 1L);
        Set<Configuration> asked = TuningProblem.asked(history);
        var proposals = new ArrayList<Proposal>();
        while (proposals.size() < count) {
            var open = new ArrayList<>(plan);
            open.removeIf(asked::contains);
            if (open.isEmpty()) {
                if (!proposals.isEmpty()) {
                    break;
                }
                open.addAll(nextPlan(history, asked, random));
                if (open.isEmpty()) {
                    break;
                }
            }
            int take = Math.min(count - proposals.size(), open.size());
            for (Configuration c : open.subList(0, take)) {
                asked.add(c);
                proposals.add(problem.proposal(c, Double.NaN, "annealed plan"));
            }
            plan = List.copyOf(open.subList(take, open.size()));
        }
        return proposals;
    }

    private List<Configuration> nextPlan(History history, Set<Configuration> asked, SplittableRandom random) {
        TuningProblem.Data data = problem.data(history);
        int drawn = (int) (settings.randomShare * settings.plan);
        var next = new LinkedHashSet<Configuration>();
        if (data.hasSignal()) {
            Annealing.Score model = problem.fit(
                    data,
                    XgBoost.trainer(XgBoost.Options.autoTvm(settings.objective, settings.plan)),
                    random.nextLong());
            Annealing.Result result = annealing.run(model, chains, settings.plan - drawn, asked, random);
            next.addAll(result.best());
            chains = result.chains();
            diagnostics = new HashMap<>(Map.of("score", result.scores()));
        }
        Set<Configuration> taken = new LinkedHashSet<>(asked);
        taken.addAll(next);
        next.addAll(Candidates.draw(problem.space(), taken, settings.plan - next.size(), random));
        return List.copyOf(next);
    }

    @Override
    public String state() {
        return LevelText.write(plan) + "|" + LevelText.write(chains);
    }

    @Override
    public void restore(String state) {
        int bar = state.indexOf('|');
        plan = bar < 0 ? List.of() : LevelText.read(problem.space().knobs(), state.substring(0, bar));
        chains = bar < 0 ? List.of() : LevelText.read(problem.space().knobs(), state.substring(bar + 1));
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return Map.copyOf(diagnostics);
    }
}

package knobscape.gpu.search;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.space.Configuration;

/// Tunes sketches: a cost model that learns from all kernels of the run, and [SketchEvolution] under it. With
/// [ScheduleScorer.Trees] it is Ansor's search, with [ScheduleScorer.Process] the same under a process, with
/// [ScheduleScorer.Graph]
/// GTuner's. Every plan follows from the records, how
/// many of them the model has learned from, and the seed.
public final class EvolutionaryExplorer implements Explorer {
    /// Schedules that the attention shown is averaged over.
    private static final int ATTENDED = 32;
    /// Fewest schedules of a generation.
    private static final int FEWEST = 256;

    private final String name;
    private final TuningProblem problem;
    private final ScheduleScorer model;
    private final SketchEvolution.Settings settings;
    private final RunRecords records;
    private final int kernel;
    private Map<String, double[]> diagnostics = Map.of();

    /// Throws [UserError] for a kernel without sketches.
    ///
    /// @param name as on the command line
    /// @param population schedules of each generation
    public EvolutionaryExplorer(String name, TuningProblem problem, ScheduleScorer model, int population) {
        if (problem.kernel().filter(k -> k.source() instanceof SketchSource).isEmpty()) {
            throw new UserError(
                    "The method " + name
                            + " tunes sketches of a network's kernels; a measured set and templates have none. Use bo or bted+bao.");
        }
        this.name = name;
        this.problem = problem;
        this.model = model;
        this.settings = SketchEvolution.Settings.ANSOR.withPopulation(population);
        this.records = problem.records().orElseGet(() -> new RunRecords(Optional.empty()));
        if (model instanceof ScheduleScorer.Graph g
                && records.stored()
                        .filter(m -> !m.architecture().equals(g.architecture()))
                        .isPresent()) {
            throw new UserError("The model to begin with has another shape than the method " + name
                    + " uses; train one for it, or begin with nothing.");
        }
        this.kernel = records.add(problem.kernel().orElseThrow(), problem::score);
    }

    /// With Ansor's population of 2048.
    public EvolutionaryExplorer(String name, TuningProblem problem, ScheduleScorer model) {
        this(name, problem, model, SketchEvolution.Settings.ANSOR.population());
    }

    @Override
    public String name() {
        return name;
    }

    /// None: the first plan may come from the model already.
    @Override
    public List<Proposal> initial() {
        return List.of();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        records.look(kernel, history);
        Set<Configuration> asked = TuningProblem.asked(history);
        Optional<ScheduleScorer.Scorer> scorer = records.model(model).filter(s -> s.knows(kernel));
        List<Configuration> best = history.evaluations().stream()
                .filter(e -> problem.score(e) > 0)
                .sorted(Comparator.comparingDouble(problem::score).reversed())
                .map(Evaluation::configuration)
                .distinct()
                .toList();
        diagnostics = scorer.map(m -> m.diagnostics(
                        kernel,
                        records.rows().get(kernel).stream()
                                .limit(ATTENDED)
                                .map(RunRecords.Row::features)
                                .toList()))
                .orElse(Map.of());
        // A population is made for a round of Ansor's; fewer measurements need fewer candidates.
        int population = Math.clamp(
                (long) settings.population() * count / ScheduleScorer.ROUND,
                Math.min(FEWEST, settings.population()),
                settings.population());
        var evolution = new SketchEvolution(
                problem,
                settings.withPopulation(population),
                asked,
                StepRandom.of(problem.seed(), history.asks() + 1L));
        return evolution.plan(count, best, scorer.map(s -> new SketchEvolution.Guide(s, kernel))).stream()
                .map(p -> proposal(p, scorer))
                .toList();
    }

    private Proposal proposal(SketchEvolution.PlannedCandidate p, Optional<ScheduleScorer.Scorer> scorer) {
        double expected = p.features().isPresent() && problem.metric().name().equals("time")
                ? scorer.map(s -> s.milliseconds(kernel, p.features().get())).orElse(Double.NaN)
                : Double.NaN;
        Optional<Prediction> prediction = Double.isNaN(expected)
                ? Optional.empty()
                : Optional.of(new Prediction(
                        problem.info().top().name(),
                        Map.of(problem.metric().name(), new Prediction.Interval(expected, expected, expected))));
        return new Proposal(
                p.configuration(),
                problem.info().top(),
                p.score(),
                prediction,
                Double.isNaN(p.score()) ? "drawn at random" : "evolved");
    }

    @Override
    public String state() {
        return records.learned();
    }

    @Override
    public void restore(String state) {
        records.restore(state);
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return diagnostics;
    }
}

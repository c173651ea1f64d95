package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;

/// The search for one kernel, a batch at a time, so that a scheduler may turn to another kernel between batches. One thread uses it.
///
/// It goes on where it was from what was stored: every answer with its step, and the explorer's state after the last completed step. Answers of a step that was
/// interrupted are not measured again. What was measured elsewhere ([#KNOWN]) is known to the explorer and can be the best, but is no measurement of the search; it stands for as many
/// initial designs.
public final class TaskSearch {
    /// Step of an answer that was known before the search began.
    public static final int KNOWN = -1;

    private final TuningProblem problem;
    private final Explorer explorer;
    private final Evaluator evaluator;
    private final int batch;
    private final History history = new History();
    /// Answers of an interrupted step.
    private final Map<Configuration, Evaluation> known = new HashMap<>();
    private final List<Double> curve = new ArrayList<>();
    private Optional<Evaluation> best = Optional.empty();
    private double bestScore;
    private int lastGain;
    private int given;
    private int step = -1;
    private boolean exhausted;
    private double toolSeconds;

    /// One measurement.
    ///
    /// @param step 0 for initial designs, [#KNOWN] for what is none of this search
    /// @param number of the measurement, from 1
    /// @param proposal what was asked
    /// @param evaluation what came back
    public record Answer(int step, int number, Proposal proposal, Evaluation evaluation) { }

    /// What was stored of a search.
    ///
    /// @param evaluations in order, with their steps
    /// @param completedStep last step that was answered in full, -1 for none
    /// @param state of the explorer after it
    public record Past(List<Stored> evaluations, int completedStep, String state) {
        /// One stored answer.
        public record Stored(int step, Evaluation evaluation) { }

        /// Nothing.
        public static Past none() {
            return new Past(List.of(), -1, "");
        }
    }

    /// @param problem what to tune
    /// @param explorer fresh, made for it
    /// @param evaluator measures
    /// @param batch configurations asked for at once
    public TaskSearch(TuningProblem problem, Explorer explorer, Evaluator evaluator, int batch) {
        if (batch < 1) {
            throw new IllegalArgumentException("a batch needs at least one configuration, was " + batch);
        }
        this.problem = problem;
        this.explorer = explorer;
        this.evaluator = evaluator;
        this.batch = batch;
    }

    /// Goes on from what was stored; called before the first [#round].
    public void restore(Past past) {
        for (Past.Stored s : past.evaluations) {
            if (s.step == KNOWN) {
                know(s.evaluation);
            } else if (s.step <= past.completedStep) {
                remember(s.evaluation);
            } else {
                known.put(s.evaluation.configuration(), s.evaluation);
            }
        }
        if (past.completedStep >= 0) {
            explorer.initial();
            step = past.completedStep;
            for (int i = 0; i < step; i++) {
                history.countAsk();
            }
            explorer.restore(past.state);
        }
    }

    /// Measures the next batch (the initial designs first), at most `most` of it; what lies beyond is dropped. Whether there was anything left to measure.
    ///
    /// @param most measurements allowed
    /// @param each told of every measurement at once
    public boolean round(int most, CancellationSignal cancel, Consumer<Answer> each) {
        if (exhausted || most < 1) {
            return false;
        }
        List<Proposal> proposals = step < 0 ? initial() : explorer.ask(history, Math.min(batch, most));
        if (step < 0 && proposals.isEmpty()) {
            step = 0;
            return round(most, cancel, each);
        }
        if (proposals.isEmpty()) {
            exhausted = true;
            return false;
        }
        int next = step + 1;
        for (Proposal p : proposals.subList(0, Math.min(most, proposals.size()))) {
            Evaluation e = known.remove(p.configuration());
            boolean stored = e != null;
            if (!stored) {
                cancel.throwIfCancelled();
                e = evaluator.evaluate(p.configuration(), p.upTo(), cancel).getLast();
            }
            remember(e);
            if (!stored) {
                each.accept(new Answer(next, curve.size(), p, e));
            }
        }
        step = next;
        if (step > 0) {
            history.countAsk();
        }
        return true;
    }

    private List<Proposal> initial() {
        List<Proposal> all = explorer.initial();
        return all.stream().filter(p -> history.find(p.configuration(), p.upTo()).isEmpty()).limit(Math.max(0, all.size() - given)).toList();
    }

    private void know(Evaluation e) {
        history.add(e);
        given++;
        isBest(e);
    }

    private void remember(Evaluation e) {
        history.add(e);
        toolSeconds += e.costSeconds();
        if (isBest(e)) {
            lastGain = curve.size() + 1;
        }
        curve.add(bestScore);
    }

    private boolean isBest(Evaluation e) {
        double score = problem.score(e);
        if (score <= bestScore) {
            return false;
        }
        bestScore = score;
        best = Optional.of(e);
        return true;
    }

    /// The problem.
    public TuningProblem problem() {
        return problem;
    }

    /// Last completed step, -1 before the initial designs.
    public int step() {
        return step;
    }

    /// State of the explorer, to be stored with the completed step.
    public String state() {
        return explorer.state();
    }

    /// Measurements so far.
    public int trials() {
        return curve.size();
    }

    /// What was known before the search began.
    public int known() {
        return given;
    }

    /// Measurements since the best was found.
    public int sinceGain() {
        return curve.size() - lastGain;
    }

    /// The best so far; empty while nothing valid was found.
    public Optional<Evaluation> best() {
        return best;
    }

    /// Best score after each measurement (see [TuningProblem#score]).
    public List<Double> curve() {
        return List.copyOf(curve);
    }

    /// Time of the device in seconds.
    public double toolSeconds() {
        return toolSeconds;
    }

    /// Whether nothing is left to measure.
    public boolean isExhausted() {
        return exhausted;
    }
}

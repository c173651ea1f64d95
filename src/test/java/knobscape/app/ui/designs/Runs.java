package knobscape.app.ui.designs;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.GridSpace;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// Made-up runs over a grid of knobs, evaluated by a tool with a known answer.
public final class Runs {
    public static final GridSpace SPACE = GridSpace.of(6, 6, 6);
    private static final BoxEvaluator BOX = new BoxEvaluator();
    private static final RunEvent.Progress NO_PROGRESS =
            new RunEvent.Progress(0, 10, 0, Double.NaN, 0, 0, 0, 0, Double.NaN);

    private Runs() {}

    /// The baseline: every knob at its lowest.
    public static Design baseline() {
        Configuration c = SPACE.at(BigInteger.ZERO);
        return new Design(0, c, evaluated(c, BoxEvaluator.IMPL), 0, "no directives", Optional.empty());
    }

    public static List<Evaluation> evaluated(Configuration c, Fidelity upTo) {
        return BOX.evaluate(c, upTo, new CancellationSignal());
    }

    public static RunEvent.Started started() {
        return new RunEvent.Started("random", 1, BOX.info(), 10, 4, 0);
    }

    /// The end of a step, with what the method told.
    public static RunEvent.StepDone stepDone(int step, Map<String, double[]> diagnostics) {
        return new RunEvent.StepDone(0, step, NO_PROGRESS, diagnostics);
    }

    public static RunEvent.Proposed proposed(Configuration c, int step, Optional<Prediction> prediction) {
        return new RunEvent.Proposed(0, step, 0, new Proposal(c, BoxEvaluator.IMPL, Double.NaN, prediction, "test"));
    }

    public static List<RunEvent> evaluated(Configuration c, int step, Fidelity upTo) {
        var proposal = new Proposal(c, upTo, Double.NaN, Optional.empty(), "test");
        var events = new ArrayList<RunEvent>();
        evaluated(c, upTo).forEach(e -> events.add(new RunEvent.StageDone(0, step, 0, proposal, e)));
        events.add(new RunEvent.Evaluated(0, step, 0, proposal, evaluated(c, upTo), NO_PROGRESS));
        return events;
    }

    /// Events of a run over `n` different configurations drawn by `seed`; every third stops at `hls`.
    public static List<RunEvent> events(int n, long seed) {
        var random = new Random(seed);
        var drawn = new java.util.LinkedHashSet<Configuration>();
        while (drawn.size() < n) {
            drawn.add(SPACE.draw(random));
        }
        var events = new ArrayList<RunEvent>();
        events.add(started());
        int step = 0;
        for (Configuration c : drawn) {
            events.add(proposed(c, step, Optional.empty()));
            events.addAll(evaluated(c, step, step % 3 == 2 ? BoxEvaluator.HLS : BoxEvaluator.IMPL));
            if (step == 3) {
                events.add(new RunEvent.ObjectivesFixed(
                        0, Objectives.calibrate(BOX.info().metrics().subList(0, 3), List.of())));
            }
            step++;
        }
        return events;
    }

    /// The designs after those events.
    public static DesignSet set(int n, long seed) {
        var fold = new DesignFold(SPACE.knobs(), Optional.of(baseline()));
        fold.apply(events(n, seed));
        return fold.set();
    }
}

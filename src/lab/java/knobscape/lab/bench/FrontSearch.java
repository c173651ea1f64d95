package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Exploration;
import knobscape.explore.Prediction;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.pareto.Adrs;
import knobscape.space.Configuration;

/// Runs one exploration in memory and measures how near it comes to a reference front.
final class FrontSearch implements RunListener {
    /// The thesis's limits: steps, and steps without gain; as in the program, only steps that reached the top
    /// fidelity count among the latter.
    private static final int STEPS = 40;
    private static final int EARLY_STOP = 5;

    private final ReferenceFront reference;
    private final EvaluatorInfo info;
    private final double budgetSeconds;
    private final Runnable spent;
    private final Map<Configuration, double[]> found = new HashMap<>();
    private final Set<Configuration> seen = new HashSet<>();
    private final List<Approach.Point> curve = new ArrayList<>();
    private double toolSeconds;
    private double distance = Double.POSITIVE_INFINITY;
    private boolean over;
    private double bestVolume = Double.NEGATIVE_INFINITY;
    private int withoutGain;
    private boolean reachedTop;
    private int predicted;
    private int inside;
    private Optional<Approach.Point> stopped = Optional.empty();
    private final List<Approach.Promise> promises = new ArrayList<>();
    private Optional<Approach.Promise> asked = Optional.empty();

    private FrontSearch(ReferenceFront reference, EvaluatorInfo info, double budgetSeconds, Runnable spent) {
        this.reference = reference;
        this.info = info;
        this.budgetSeconds = budgetSeconds;
        this.spent = spent;
    }

    /// Explores until the explorer's own end or until the tool time is spent. A proposal that would exceed the
    /// budget does not count.
    ///
    /// @param reference what to come near to
    /// @param subject with a fresh explorer; its termination ends it
    /// @param budgetSeconds tool time, positive infinity for no limit
    /// @param cancel ends it at once by `CancellationException`
    static Approach run(
            ReferenceFront reference,
            Subject subject,
            Exploration.Settings settings,
            double budgetSeconds,
            CancellationSignal cancel) {
        var exploration =
                new Exploration(List.of(subject), Scheduler.roundRobin(), settings, System::nanoTime, Runnable::run);
        var trial = new FrontSearch(reference, subject.evaluator().info(), budgetSeconds, exploration::stop);
        exploration.addListener(trial);
        cancel.onCancel(exploration::stop);
        RunEvent.Finished end = exploration.run(List.of());
        if (cancel.isCancelled()) {
            throw new CancellationException("stopped on request");
        }
        if (end.ending() == RunEvent.Ending.FAILED) {
            throw new IllegalStateException(subject.explorer().name() + " on " + reference.subject() + ", seed "
                    + settings.seed() + ": " + end.reason());
        }
        double[][] points = trial.found.values().toArray(double[][]::new);
        return new Approach(
                trial.distance,
                Adrs.of(reference.vectors(), points, Adrs.Distance.EUCLIDEAN_SCALED),
                trial.toolSeconds / 3600,
                end.progress().algorithmSeconds(),
                end.progress().step(),
                trial.seen.size(),
                points.length,
                trial.stopped,
                trial.promises,
                trial.predicted,
                trial.inside,
                trial.curve);
    }

    /// Finds where the protocol would have stopped, without ending the run.
    private void count(RunEvent.StepDone step) {
        asked.ifPresent(p -> promises.add(p.doneBy(toolSeconds / 3600)));
        asked = Optional.empty();
        double volume = step.progress().hypervolume();
        if (step.step() > 0 && volume <= bestVolume) {
            withoutGain += reachedTop ? 1 : 0;
        } else {
            withoutGain = 0;
        }
        bestVolume = Math.max(bestVolume, volume);
        reachedTop = false;
        if (stopped.isEmpty() && (withoutGain >= EARLY_STOP || step.step() >= STEPS)) {
            stopped = Optional.of(new Approach.Point(toolSeconds / 3600, distance));
        }
    }

    /// Counts what came of the intervals predicted for a design.
    private void compare(Prediction prediction, Evaluation measured) {
        prediction
                .metrics()
                .forEach((metric, interval) -> measured.value(metric).ifPresent(v -> {
                    if (Double.isFinite(interval.low()) && Double.isFinite(interval.high())) {
                        predicted++;
                        inside += v >= interval.low() && v <= interval.high() ? 1 : 0;
                    }
                }));
    }

    /// Keeps what is expected of the hour that begins as a step is asked for.
    private void keep(RunEvent.Asked step) {
        asked = step.diagnostics().containsKey(Termination.PROMISE)
                ? Optional.of(Approach.Promise.of(toolSeconds / 3600, step.diagnostics()))
                : Optional.empty();
    }

    @Override
    public void onEvent(RunEvent event) {
        if (!over && event instanceof RunEvent.Asked step) {
            keep(step);
        }
        if (!over && event instanceof RunEvent.StepDone step) {
            count(step);
        }
        if (over || !(event instanceof RunEvent.Evaluated e)) {
            return;
        }
        double cost =
                e.evaluations().stream().mapToDouble(Evaluation::costSeconds).sum();
        if (toolSeconds + cost > budgetSeconds) {
            over = true;
            spent.run();
            return;
        }
        toolSeconds += cost;
        seen.add(e.proposal().configuration());
        for (Evaluation v : e.evaluations()) {
            if (v.fidelity().rank() == info.top().rank()) {
                reachedTop = true;
                e.proposal().prediction().ifPresent(p -> compare(p, v));
                reference.vector(v).ifPresent(y -> {
                    found.put(v.configuration(), y);
                    double now = Adrs.of(
                            reference.vectors(), found.values().toArray(double[][]::new), Adrs.Distance.RELATIVE_WORST);
                    if (now < distance) {
                        distance = now;
                        curve.add(new Approach.Point(toolSeconds / 3600, now));
                    }
                });
            }
        }
    }
}

package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.Quantity;
import knobscape.explore.RunEvent;
import knobscape.project.RunRecord;
import knobscape.work.RunSettings;

/// The state of a run in words: always what happened, what became of the work in flight, and what can be done
/// next.
final class StatusWords {
    private StatusWords() {}

    static RunViewModel.Status live(RunState state, RunNews news, RunSettings settings) {
        int maxSteps = settings.steps();
        int initial = Math.min(
                settings.initialDesigns(),
                news.progress().map(RunEvent.Progress::evaluated).orElse(0));
        Optional<RunEvent.Progress> p = news.progress();
        var figures = new ArrayList<String>();
        boolean beginning = p.map(RunEvent.Progress::step).orElse(0) == 0 && state.isActive();
        figures.add(
                beginning
                        ? "initial design " + Math.min(initial + 1, settings.initialDesigns()) + " of "
                                + settings.initialDesigns()
                        : "step " + p.map(RunEvent.Progress::step).orElse(0) + " of " + Quantity.count(maxSteps));
        p.ifPresent(q -> {
            if (state == RunState.RUNNING && Double.isFinite(q.secondsLeft())) {
                figures.add("about " + Quantity.duration(q.secondsLeft()) + " left");
            }
            figures.add(Quantity.hours(q.toolSeconds()) + " tool hours");
            figures.add("algorithm " + Quantity.duration(q.algorithmSeconds()));
            figures.add("elapsed " + Quantity.duration(q.elapsedSeconds()));
        });
        int step = p.map(RunEvent.Progress::step).orElse(0);
        String flight = news.inFlight();
        String words = switch (state) {
            case RUNNING -> flight.isEmpty() ? "Choosing the next design" : "Evaluating " + flight;
            case PAUSING -> flight.isEmpty() ? "Pausing" : "Pausing when " + flight + " has come back";
            case PAUSED -> "Paused. What was in flight has come back and is stored; nothing runs.";
            case STOPPING -> flight.isEmpty() ? "Stopping" : "Stopping; " + flight + " is cancelled";
            case STOPPED ->
                "Stopped. What was in flight was cancelled, the rest is stored; Resume continues from here.";
            case COMPLETED ->
                "Finished: " + news.end().map(RunEvent.Finished::reason).orElse("");
            case FAILED ->
                "Failed: " + news.end().map(RunEvent.Finished::reason).orElse("");
            case NONE, STARTING, INTERRUPTED -> "";
        };
        return new RunViewModel.Status(
                state, words, List.copyOf(figures), share(state, step + initial, maxSteps + settings.initialDesigns()));
    }

    static String stored(RunState state, RunRecord run) {
        return switch (state) {
            case STOPPED -> "Stopped; Resume continues from here.";
            case INTERRUPTED ->
                "The program ended while this run was active; at most the design in flight is lost, and Resume continues from here.";
            case COMPLETED -> "Finished: " + run.reason();
            case FAILED -> "Failed: " + run.reason();
            default -> "";
        };
    }

    /// Share of the run that is done, counted in initial designs and steps.
    static double share(RunState state, int step, int maxSteps) {
        if (state == RunState.COMPLETED) {
            return 1;
        }
        return maxSteps <= 0 ? Double.NaN : Math.clamp(step / (double) maxSteps, 0, 1);
    }

    /// Words beside the progress bar, joined for a narrow bar and for screen readers.
    static String joined(List<String> figures) {
        return String.join("  \u00b7  ", figures);
    }
}

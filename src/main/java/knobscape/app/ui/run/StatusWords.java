package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.Quantity;
import knobscape.explore.RunEvent;
import knobscape.project.RunRecord;

/// The state of a run in words: always what happened, what became of the work in flight, and what can be done next.
final class StatusWords {
    private StatusWords() {
    }

    static RunViewModel.Status live(RunState state, RunNews news, int maxSteps) {
        Optional<RunEvent.Progress> p = news.progress();
        var figures = new ArrayList<String>();
        p.ifPresent(q -> {
            figures.add(q.step() == 0 && state.isActive() ? "initial designs" : "step " + q.step() + " of " + Quantity.count(q.maxSteps()));
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
            case RUNNING -> flight.isEmpty() ? "Choosing the next design" : "Judging " + flight;
            case PAUSING -> flight.isEmpty() ? "Pausing" : "Pausing when " + flight + " has come back";
            case PAUSED -> "Paused. What was in flight has come back and is stored; nothing runs.";
            case STOPPING -> flight.isEmpty() ? "Stopping" : "Stopping; " + flight + " is cancelled";
            case STOPPED -> "Stopped. What was in flight was cancelled, the rest is stored; Resume goes on from here.";
            case COMPLETED -> "Finished: " + news.end().map(RunEvent.Finished::reason).orElse("");
            case FAILED -> "Failed: " + news.end().map(RunEvent.Finished::reason).orElse("");
            case NONE, STARTING, INTERRUPTED -> "";
        };
        return new RunViewModel.Status(state, words, List.copyOf(figures), share(state, step, maxSteps));
    }

    static String stored(RunState state, RunRecord run) {
        return switch (state) {
            case STOPPED -> "Stopped; Resume goes on from here.";
            case INTERRUPTED -> "The program ended while this run went on; at most the design in flight is lost, and Resume goes on from here.";
            case COMPLETED -> "Finished: " + run.reason();
            case FAILED -> "Failed: " + run.reason();
            default -> "";
        };
    }

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

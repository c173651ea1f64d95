package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.Quantity;
import knobscape.evaluate.Provenance;
import knobscape.explore.RunEvent;
import knobscape.project.RunRecord;
import knobscape.work.RunSettings;

/// The status in the bar at the bottom: always what happened, what became of the work in flight, and what can be
/// done next.
///
/// @param state what the run is doing
/// @param words a sentence on the state; while running, what is in flight
/// @param figures step, time left, hours of tools, algorithm time, one text each
/// @param share of the run that is done, 0 to 1; NaN where unknown
public record Status(RunState state, String words, List<String> figures, double share) {
    /// Stands between figures.
    static final String BETWEEN = "  \u00b7  ";

    /// Evaluations before the time left is told.
    private static final int MIN_PACE = 16;

    /// The limit of a run.
    ///
    /// @param settings steps and initial designs
    /// @param evaluations most evaluations; 0 where steps are limited
    /// @param before evaluations of earlier starts
    record Limit(RunSettings settings, int evaluations, int before) {}

    /// Nothing runs.
    static Status idle(String words) {
        return new Status(RunState.NONE, words, List.of(), Double.NaN);
    }

    /// A run is being set up.
    static Status starting() {
        return new Status(RunState.STARTING, "Setting up the run", List.of(), Double.NaN);
    }

    /// A run of this process.
    ///
    /// @param source of what evaluates
    static Status live(RunState state, RunNews news, Limit limit, Provenance.Source source) {
        Optional<RunEvent.Progress> p = news.progress();
        int step = p.map(RunEvent.Progress::step).orElse(0);
        int initial = limit.settings().initialDesigns();
        int begun = Math.min(initial, p.map(RunEvent.Progress::evaluated).orElse(0));
        boolean counted = limit.evaluations() > 0;
        double left = counted
                ? p.filter(q -> news.evaluated() - limit.before() >= MIN_PACE)
                        .map(q -> q.elapsedSeconds()
                                / (news.evaluated() - limit.before())
                                * Math.max(0, limit.evaluations() - news.evaluated()))
                        .orElse(Double.NaN)
                : Double.NaN;
        var figures = new ArrayList<String>();
        figures.add(
                counted
                        ? evaluated(state, news.evaluated(), limit.evaluations())
                        : step == 0 && state.isActive()
                                ? "initial design " + Math.min(begun + 1, initial) + " of " + initial
                                : "step " + limit.settings().stepsDone(step, " of "));
        if (!news.best().isEmpty()) {
            figures.add(news.best());
        }
        p.ifPresent(q -> {
            if (state == RunState.RUNNING && !counted) {
                news.left().ifPresent(r -> figures.add(left(r)));
            } else if (state == RunState.RUNNING && Double.isFinite(left)) {
                figures.add("about " + Quantity.duration(left) + " left");
            }
            figures.addAll(spent(q.toolSeconds(), source, q.algorithmSeconds()));
            figures.add("elapsed " + Quantity.duration(q.elapsedSeconds()));
        });
        return new Status(
                state,
                words(state, news),
                List.copyOf(figures),
                counted
                        ? share(state, news.evaluated(), limit.evaluations())
                        : share(
                                state,
                                step + begun,
                                limit.settings(),
                                initial,
                                p.map(RunEvent.Progress::toolSeconds).orElse(0.0)));
    }

    private static String left(RunForecast.Range r) {
        String least = Quantity.duration(r.least());
        String most = Quantity.duration(r.most());
        return (least.equals(most) ? "about " + most : least + " to " + most) + " left";
    }

    private static String words(RunState state, RunNews news) {
        String flight = news.inFlight();
        return switch (state) {
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
    }

    /// A stored run.
    ///
    /// @param evaluated evaluations, where they are limited
    /// @param left how long it goes on in another process, where that can be told
    static Status stored(RunState state, RunRecord run, int evaluated, Limit limit, Optional<RunForecast.Range> left) {
        boolean counted = limit.evaluations() > 0;
        var figures = new ArrayList<String>();
        figures.add(
                counted
                        ? evaluated(state, evaluated, limit.evaluations())
                        : "step " + run.settings().stepsDone(run.step(), " of "));
        left.filter(r -> !counted).map(Status::left).ifPresent(figures::add);
        figures.addAll(spent(run.toolSeconds(), run.info().source(), run.algorithmSeconds()));
        String words = switch (state) {
            case STOPPED -> "Stopped; Resume continues from here.";
            case INTERRUPTED ->
                "The program ended while this run was active; at most the design in flight is lost, and Resume continues from here.";
            case COMPLETED -> "Finished: " + run.reason();
            case FAILED -> "Failed: " + run.reason();
            case RUNNING -> "Running in another process; closing the window does not stop it.";
            case PAUSING -> "Pausing when what is in flight has come back, in another process";
            case PAUSED -> "Paused in another process. What was in flight has come back and is stored.";
            case STOPPING -> "Stopping, in another process";
            case NONE, STARTING -> "";
        };
        return new Status(
                state,
                words,
                List.copyOf(figures),
                counted
                        ? share(state, evaluated, limit.evaluations())
                        : share(state, run.step(), run.settings(), 0, run.toolSeconds()));
    }

    /// A run that ended before its budget, as one whose answer is exact, had no use for the rest.
    private static String evaluated(RunState state, int done, int all) {
        return state == RunState.COMPLETED && done < all
                ? Quantity.count(done) + " evaluated"
                : Quantity.count(Math.min(done, all)) + " of " + Quantity.count(all);
    }

    private static List<String> spent(double toolSeconds, Provenance.Source source, double algorithmSeconds) {
        String algorithm = "algorithm " + Quantity.duration(algorithmSeconds);
        return toolSeconds > 0 ? List.of(Quantity.spent(toolSeconds, source.hours()), algorithm) : List.of(algorithm);
    }

    /// Of the steps, or of the tool time where only that is limited.
    private static double share(RunState state, int done, RunSettings settings, int initial, double toolSeconds) {
        if (settings.hasSteps()) {
            return share(state, done, settings.steps() + initial);
        }
        double most = settings.toolSeconds();
        return state == RunState.COMPLETED
                ? 1
                : Double.isInfinite(most) ? Double.NaN : Math.clamp(toolSeconds / most, 0, 1);
    }

    private static double share(RunState state, int done, int all) {
        return state == RunState.COMPLETED ? 1 : all <= 0 ? Double.NaN : Math.clamp(done / (double) all, 0, 1);
    }

    /// The same with a sentence before its own, where the figures of one run are no longer what is shown.
    Status after(String sentence) {
        return words.startsWith(sentence)
                ? this
                : new Status(state, sentence + (words.isEmpty() ? "" : ". " + words), List.of(), share);
    }

    /// The same run as one of several that follow each other.
    Status of(int number, int all) {
        if (all < 2) {
            return this;
        }
        var more = new ArrayList<>(figures);
        more.add("run " + number + " of " + all);
        double done = Double.isNaN(share) ? 0 : share;
        return new Status(state, words, List.copyOf(more), (number - 1 + done) / all);
    }

    /// The figures in one line.
    String line() {
        return String.join(BETWEEN, figures);
    }
}

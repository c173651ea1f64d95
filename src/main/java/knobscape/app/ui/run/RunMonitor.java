package knobscape.app.ui.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.project.RunResults.LogLine;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// Watches a run: gathers its events, folds them away from the screen, and tells the screen at most 30 times a
/// second.
final class RunMonitor implements RunListener {
    private final RunPictures.Fold fold;
    private final RunSettings settings;
    private final Consumer<RunNews> screen;
    private final EventBatch<RunEvent> batch;
    // Only the batch's thread uses what follows; batches come one at a time.
    private final Map<InFlight, Proposal> open = new LinkedHashMap<>();
    private LogWords words = new LogWords(List.of());
    private boolean ladder;
    private Optional<RunEvent.Progress> progress = Optional.empty();
    private Optional<RunEvent.Finished> end = Optional.empty();
    private final RunForecast pace = new RunForecast();
    private boolean paused;

    private record InFlight(int subject, Configuration configuration) {}

    /// @param fold takes the events; already holds what was stored
    /// @param screen takes news, on the JavaFX thread
    RunMonitor(Background background, RunPictures.Fold fold, RunSettings settings, Consumer<RunNews> screen) {
        this.fold = fold;
        this.settings = settings;
        this.screen = screen;
        this.batch = new EventBatch<>(background, this::take);
    }

    @Override
    public void onEvent(RunEvent event) {
        batch.add(event);
    }

    private synchronized Runnable take(List<RunEvent> events) {
        fold.apply(events);
        var texts = new ArrayList<String>();
        events.forEach(e -> read(e, texts));
        Instant now = Instant.now();
        var lines = texts.stream().map(t -> new LogLine(now, t)).toList();
        var news = new RunNews(
                fold.picture(), fold.evaluated(), fold.best(), progress, pace.left(), inFlight(), lines, paused, end);
        return () -> screen.accept(news);
    }

    private void read(RunEvent event, List<String> lines) {
        switch (event) {
            case RunEvent.Started s -> {
                words = new LogWords(Workbench.objectives(settings, s.info()));
                ladder = s.info().fidelities().size() > 1;
                lines.add("Run begins: " + s.method() + ", seed " + s.seed() + ", evaluated by "
                        + s.info().description()
                        + (s.replayed() > 0 ? " " + s.replayed() + " evaluations were stored already." : ""));
            }
            case RunEvent.Known _, RunEvent.Asked _, RunEvent.StageDone _ -> {}
            case RunEvent.ObjectivesFixed o -> lines.add("Objectives and reference point are fixed.");
            case RunEvent.Proposed p ->
                open.put(new InFlight(p.subject(), p.proposal().configuration()), p.proposal());
            case RunEvent.Evaluated e -> {
                open.remove(new InFlight(e.subject(), e.proposal().configuration()));
                progress = Optional.of(e.progress());
                lines.add(words.line(
                        e.step(), fold.title(e.subject(), e.proposal().configuration()), e.evaluations()));
            }
            case RunEvent.StepDone s -> {
                progress = Optional.of(s.progress());
                pace.step(s.progress());
            }
            case RunEvent.Batch b -> progress = Optional.of(b.progress());
            case RunEvent.Note n -> lines.add(n.text());
            case RunEvent.Paused p -> {
                paused = true;
                progress = Optional.of(p.progress());
                lines.add("Paused.");
            }
            case RunEvent.Resumed r -> {
                paused = false;
                lines.add("Running again.");
            }
            case RunEvent.Finished f -> {
                open.clear();
                end = Optional.of(f);
                progress = Optional.of(f.progress());
                lines.add("Run ended: " + f.reason());
            }
        }
    }

    private String inFlight() {
        return open.entrySet().stream()
                .findFirst()
                .map(e -> fold.title(e.getKey().subject(), e.getKey().configuration())
                        + (open.size() > 1
                                ? " and " + (open.size() - 1) + (open.size() == 2 ? " other" : " others")
                                : ladder ? " up to " + e.getValue().upTo().name() : ""))
                .orElse("");
    }
}

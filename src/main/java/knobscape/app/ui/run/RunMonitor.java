package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.space.Configuration;

/// Watches a run: gathers its events, folds them away from the screen, and tells the screen at most 30 times a
/// second.
final class RunMonitor implements RunListener {
    private final DesignFold fold;
    private final Consumer<RunNews> screen;
    private final EventBatch<RunEvent> batch;
    // Only the batch's thread uses what follows; batches come one at a time.
    private final Map<Configuration, Proposal> open = new LinkedHashMap<>();
    private Optional<RunEvent.Progress> progress = Optional.empty();
    private Optional<RunEvent.Finished> end = Optional.empty();
    private boolean paused;

    /// @param fold takes the designs; already holds what was stored
    /// @param screen takes news, on the JavaFX thread
    RunMonitor(Background background, DesignFold fold, Consumer<RunNews> screen) {
        this.fold = fold;
        this.screen = screen;
        this.batch = new EventBatch<>(background, this::take);
    }

    @Override
    public void onEvent(RunEvent event) {
        batch.add(event);
    }

    private synchronized Runnable take(List<RunEvent> events) {
        fold.apply(events);
        var lines = new ArrayList<String>();
        events.forEach(e -> read(e, lines));
        DesignSet set = fold.set();
        var news = new RunNews(set, progress, inFlight(), List.copyOf(lines), paused, end);
        return () -> screen.accept(news);
    }

    private void read(RunEvent event, List<String> lines) {
        switch (event) {
            case RunEvent.Started s ->
                lines.add("Run begins: " + s.method() + ", seed " + s.seed() + ", evaluated by "
                        + s.info().description()
                        + (s.replayed() > 0 ? " " + s.replayed() + " evaluations were stored already." : ""));
            case RunEvent.Known _, RunEvent.Asked _, RunEvent.StageDone _ -> {}
            case RunEvent.ObjectivesFixed o -> lines.add("Objectives and reference point are fixed.");
            case RunEvent.Proposed p -> open.put(p.proposal().configuration(), p.proposal());
            case RunEvent.Evaluated e -> {
                open.remove(e.proposal().configuration());
                progress = Optional.of(e.progress());
                lines.add(words(e));
            }
            case RunEvent.StepDone s -> progress = Optional.of(s.progress());
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

    private String words(RunEvent.Evaluated e) {
        var b = new StringBuilder(e.step() == 0 ? "initial design" : "step " + e.step());
        for (Evaluation v : e.evaluations()) {
            b.append("; ").append(v.fidelity().name()).append(": ");
            switch (v.outcome()) {
                case Outcome.Measured m -> b.append(values(m));
                case Outcome.Failure f ->
                    b.append(f.kind().status()).append(", ").append(f.reason());
            }
        }
        return b.toString();
    }

    private String values(Outcome.Measured m) {
        var parts = new ArrayList<String>();
        fold.objectives().forEach(o -> {
            OptionalDouble v = m.value(o.name());
            if (v.isPresent()) {
                parts.add(o.label() + " "
                        + Quantity.of(o, v.getAsDouble(), v.getAsDouble()).withUnit(v.getAsDouble()));
            }
        });
        return String.join(", ", parts);
    }

    private String inFlight() {
        if (open.isEmpty()) {
            return "";
        }
        Proposal p = open.values().iterator().next();
        String first = fold.number(p.configuration()).stream()
                        .mapToObj(n -> "#" + n)
                        .findFirst()
                        .orElse("a design") + " up to " + p.upTo().name();
        return open.size() == 1
                ? first
                : first + " and " + (open.size() - 1) + (open.size() == 2 ? " other" : " others");
    }
}

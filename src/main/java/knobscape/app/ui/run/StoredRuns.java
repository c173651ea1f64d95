package knobscape.app.ui.run;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Objectives;
import knobscape.project.Design;
import knobscape.project.RunControl;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunResults.LogLine;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what the screen needs of a project's runs. Every method works away from the JavaFX thread.
final class StoredRuns {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRuns.class);

    /// Most lines of a log that are shown.
    static final int MAX_LINES = 2_000;

    private StoredRuns() {}

    static List<RunRecord> list(Session<?> workbench, RunPictures pictures) {
        ScreenThread.mustNotBe("reading the runs");
        return workbench.project().runs().map(RunStore::list).orElse(List.of()).stream()
                .filter(r -> pictures.shows(workbench, r))
                .toList();
    }

    /// The run that is shown when a project was opened: the one that was wanted, else one that is running, else the
    /// newest where that did not come to its end. Empty for the best of all.
    ///
    /// @param all at least one, oldest first
    static OptionalLong first(List<RunRecord> all, OptionalLong wanted) {
        if (all.stream().anyMatch(r -> wanted.equals(OptionalLong.of(r.id())))) {
            return wanted;
        }
        return all.reversed().stream()
                .filter(r -> r.status() == RunStatus.RUNNING)
                .findFirst()
                .or(() -> Optional.of(all.getLast()).filter(r -> r.status() != RunStatus.COMPLETED))
                .stream()
                .mapToLong(RunRecord::id)
                .findFirst();
    }

    /// After the end of a run.
    ///
    /// @param all the runs there are
    /// @param run the one that ended
    /// @param show what is to be done on the screen
    /// @param problem what went wrong with its results
    record RunListing(List<RunRecord> all, Optional<RunRecord> run, Runnable show, Optional<Exception> problem) {}

    /// Does what is to be done when run `id` has ended.
    static RunListing ended(Session<?> opened, long id, RunPictures pictures) {
        List<RunRecord> all = list(opened, pictures);
        Optional<RunRecord> run = all.stream().filter(r -> r.id() == id).findFirst();
        try {
            Runnable show = run.map(r -> pictures.ended(opened, r)).orElse(() -> {});
            return new RunListing(all, run, show, Optional.empty());
        } catch (RuntimeException e) {
            return new RunListing(all, run, () -> {}, Optional.of(e));
        }
    }

    /// The metrics a run explores.
    static List<Metric> metrics(RunRecord run) {
        return run.objectives()
                .map(Objectives::metrics)
                .orElseGet(() -> Workbench.objectives(run.settings(), run.info()));
    }

    /// A run as it is stored.
    ///
    /// @param state what it is doing; active where another process works on it
    record RunContent(
            RunRecord run,
            RunPictures.Picture picture,
            List<LogLine> log,
            int evaluated,
            Status.Limit limit,
            RunState state) {}

    static RunContent read(Session<?> opened, long id, RunPictures pictures) {
        ScreenThread.mustNotBe("reading a run");
        RunResults stored = opened.project().runs().orElseThrow().results(id);
        RunPictures.Fold fold = pictures.looked(opened, stored);
        RunSettings settings = stored.run().settings();
        return new RunContent(
                stored.run(),
                fold.picture(),
                log(opened.project().runs().orElseThrow(), stored, fold),
                fold.evaluated(),
                new Status.Limit(settings, pictures.budget(opened, settings), 0),
                state(opened, stored.run()));
    }

    /// The log of a run as it went on: what is stored of it as text, and each evaluated design.
    private static List<LogLine> log(RunStore store, RunResults stored, RunPictures.Fold fold) {
        record Proposal(int subject, int step, int position, int design) {}
        RunRecord run = stored.run();
        var words = new LogWords(metrics(run));
        Map<Integer, Design> designs =
                stored.designs().stream().collect(Collectors.toMap(Design::number, Function.identity()));
        var answers = new LinkedHashMap<Proposal, List<RunResults.Arrival>>();
        store.arrivals(run.id(), MAX_LINES * run.info().fidelities().size()).stream()
                .filter(a -> designs.containsKey(a.design()))
                .forEach(a -> answers.computeIfAbsent(
                                new Proposal(a.subject(), a.step(), a.position(), a.design()), p -> new ArrayList<>())
                        .add(a));
        var lines = new ArrayList<>(stored.events());
        answers.forEach((p, arrived) -> {
            Design d = requireNonNull(designs.get(p.design));
            lines.add(new LogLine(
                    arrived.getLast().at(),
                    words.line(
                            p.step,
                            fold.title(p.subject, d.configuration()),
                            d.evaluations().stream()
                                    .filter(e -> arrived.stream()
                                            .anyMatch(a ->
                                                    a.rank() == e.fidelity().rank()))
                                    .toList())));
        });
        lines.sort(Comparator.comparing(LogLine::at));
        return lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size());
    }

    /// The state of a run, also of one that another process works on.
    static RunState state(Session<?> opened, RunRecord run) {
        Path folder = opened.project().runsFolder();
        if (run.status() != RunStatus.RUNNING || opened.project().isLocked()) {
            return RunState.of(run.status());
        }
        boolean paused = RunControl.isPaused(folder, run.id());
        return RunControl.asked(folder, run.id())
                .map(w -> switch (w) {
                    case PAUSE -> RunState.PAUSING;
                    case RESUME -> RunState.RUNNING;
                    case STOP -> RunState.STOPPING;
                })
                .orElse(paused ? RunState.PAUSED : RunState.RUNNING);
    }

    /// Deletes a run, or brings it back; gives the runs there are then.
    static List<RunRecord> change(Session<?> opened, long id, boolean delete, RunPictures pictures) {
        RunStore store = opened.project().lock();
        if (delete) {
            store.delete(id);
        } else {
            store.undelete(id);
        }
        return list(opened, pictures);
    }

    /// The workbench with exactly the knobs of a run: the open one, or one opened with the run's own settings.
    /// Empty where the source has changed since.
    static <W extends Workbench> Optional<Session<W>> workbench(Session<W> open, RunRecord run) {
        ScreenThread.mustNotBe("opening the space of a run");
        if (run.knobs().equals(open.bench().space().knobs())
                && run.work().equals(open.bench().settings())) {
            return Optional.of(open);
        }
        try {
            return Optional.of(open.with(run.work()))
                    .filter(w -> w.bench().space().knobs().equals(run.knobs()));
        } catch (UserError e) {
            LOG.info("run {} is shown without its space: {}", run.id(), e.getMessage());
            return Optional.empty();
        }
    }
}

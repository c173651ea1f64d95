package knobscape.app.ui.run;

import java.util.List;
import java.util.Optional;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.UserError;
import knobscape.project.Opened;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.work.Workbench;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what the screen needs of a project's runs. Every method works away from the JavaFX thread.
final class StoredRuns {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRuns.class);

    private StoredRuns() {}

    static List<RunRecord> list(Opened<?> workbench, RunPictures pictures) {
        ScreenThread.mustNotBe("reading the runs");
        return workbench.project().runs().map(RunStore::list).orElse(List.of()).stream()
                .filter(r -> pictures.shows(workbench, r))
                .toList();
    }

    /// The workbench with exactly the knobs of a run: the open one, or one opened with the run's own settings.
    /// Empty where the source has changed since.
    static <W extends Workbench> Optional<Opened<W>> workbench(Opened<W> open, RunRecord run) {
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

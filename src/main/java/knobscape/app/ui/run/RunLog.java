package knobscape.app.ui.run;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.project.RunResults.LogLine;

/// The log of one run, oldest line first. It stays in sight while the best of all runs is shown, where designs have
/// other numbers. Used from the JavaFX thread.
final class RunLog {
    private final ObservableList<LogLine> lines = FXCollections.observableArrayList();
    private OptionalLong run = OptionalLong.empty();

    /// The lines; to be read.
    ObservableList<LogLine> lines() {
        return lines;
    }

    /// The run they are of.
    OptionalLong run() {
        return run;
    }

    /// Shows what there is of a run.
    void show(long id, List<LogLine> all) {
        run = OptionalLong.of(id);
        lines.setAll(all);
    }

    /// Shows a run that is under way.
    void join(long id) {
        show(id, List.of(new LogLine(Instant.now(), "The log shows what arrived since the run was selected.")));
    }

    /// Takes newer lines of the same run; the oldest give way to them.
    void add(List<LogLine> newer) {
        lines.addAll(newer);
        lines.remove(0, Math.max(0, lines.size() - StoredRuns.MAX_LINES));
    }

    void clear() {
        run = OptionalLong.empty();
        lines.clear();
    }
}

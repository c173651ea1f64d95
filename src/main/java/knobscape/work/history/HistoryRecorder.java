package knobscape.work.history;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import org.slf4j.LoggerFactory;

/// Adds the measurements of a run to the history, some at a time. A history that cannot be written is given up with
/// a warning: the run itself is stored elsewhere.
public final class HistoryRecorder implements RunListener {
    private static final int MOST = 500;
    private static final long MOST_MILLISECONDS = 2000;
    /// The fidelity of what has only one.
    private static final String ONLY = "run";

    private final TuningHistory history;
    private final List<HistoryTask> tasks;
    private final String origin;
    private final Clock clock;
    private final Map<HistoryTask, List<HistoryRow>> waiting = new LinkedHashMap<>();
    private int count;
    private long flushed;
    private boolean broken;

    /// @param tasks of the subjects of the run, in order; drivers are those that answer
    /// @param origin how a person names the run
    public HistoryRecorder(TuningHistory history, List<HistoryTask> tasks, String origin, Clock clock) {
        this.history = history;
        this.tasks = List.copyOf(tasks);
        this.origin = origin;
        this.clock = clock;
        this.flushed = clock.millis();
    }

    @Override
    public void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.Evaluated e -> {
                e.evaluations().forEach(x -> add(e.subject(), x));
                if (count >= MOST || clock.millis() - flushed > MOST_MILLISECONDS) {
                    flush();
                }
            }
            case RunEvent.Finished _ -> flush();
            default -> {}
        }
    }

    /// A measurement of a subject.
    public void add(int subject, Evaluation e) {
        if (subject < tasks.size() && !broken) {
            HistoryTask task = tasks.get(subject);
            boolean replayed = e.provenance().source() == Provenance.Source.REPLAYED;
            String fidelity = e.fidelity().name();
            waiting.computeIfAbsent(
                            task.by(
                                    replayed ? task.driver() : e.provenance().version(),
                                    fidelity.equals(ONLY) ? "" : "/" + fidelity),
                            _ -> new ArrayList<>())
                    .add(new HistoryRow(
                            e.configuration().text(), e.outcome(), e.costSeconds(), clock.millis() / 1000.0, origin));
            count++;
        }
    }

    /// Writes what waits.
    public void flush() {
        try {
            waiting.forEach(history::add);
        } catch (UserError e) {
            broken = true;
            LoggerFactory.getLogger(HistoryRecorder.class).warn("The history is not filled: {}", e.getMessage());
        }
        waiting.clear();
        count = 0;
        flushed = clock.millis();
    }
}

package knobscape.app.ui.run;

import java.util.OptionalInt;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.project.RunResults.LogLine;

/// The log of the run and the warnings about the source; at most one of them is open.
public final class LogViewModel {
    /// Facts about the source that a person should know.
    ///
    /// @param warning whether something may be wrong
    /// @param text with its place
    /// @param show brings its place to sight
    public record Note(boolean warning, String text, Runnable show) {}

    private static final Pattern DESIGN = Pattern.compile("#(\\d{1,9})\\b");

    private final ObservableList<LogLine> lines;
    private final IntConsumer choose;
    private final ObservableList<Note> warnings = FXCollections.observableArrayList();
    private final BooleanProperty logShown = new SimpleBooleanProperty();
    private final BooleanProperty warningsShown = new SimpleBooleanProperty();

    /// @param lines of the run's log
    /// @param choose selects the design of a line
    public LogViewModel(ObservableList<LogLine> lines, IntConsumer choose) {
        this.lines = lines;
        this.choose = choose;
        logShown.addListener((o, was, is) -> {
            if (is) {
                warningsShown.set(false);
            }
        });
        warningsShown.addListener((o, was, is) -> {
            if (is) {
                logShown.set(false);
            }
        });
    }

    /// Lines of the log, oldest first.
    public ObservableList<LogLine> lines() {
        return lines;
    }

    /// Number of the design that a line is about, where it names one.
    static OptionalInt design(LogLine line) {
        Matcher m = DESIGN.matcher(line.text());
        return m.find() ? OptionalInt.of(Integer.parseInt(m.group(1))) : OptionalInt.empty();
    }

    /// Selects the design that a line is about.
    void choose(LogLine line) {
        design(line).ifPresent(choose);
    }

    /// Facts about the source that a person should know.
    public ObservableList<Note> warnings() {
        return warnings;
    }

    /// True if the log is open.
    public BooleanProperty logShown() {
        return logShown;
    }

    /// True if the warnings are open.
    public BooleanProperty warningsShown() {
        return warningsShown;
    }

    /// `2 warnings`, `1 warning, 3 notes`.
    public String warningWords() {
        long notes = warnings.stream().filter(n -> !n.warning()).count();
        long bad = warnings.size() - notes;
        String first = bad == 0 ? "" : bad == 1 ? "1 warning" : bad + " warnings";
        String second = notes == 0 ? "" : notes == 1 ? "1 note" : notes + " notes";
        return first.isEmpty() ? second : second.isEmpty() ? first : first + ", " + second;
    }
}

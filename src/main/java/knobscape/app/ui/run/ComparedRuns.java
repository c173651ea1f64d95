package knobscape.app.ui.run;

import java.util.function.LongPredicate;
import javafx.beans.Observable;
import javafx.collections.FXCollections;
import javafx.collections.ObservableMap;

/// Which runs are drawn beside the one shown: as a person chose, else as the area has it.
public final class ComparedRuns {
    private final ObservableMap<Long, Boolean> chosen = FXCollections.observableHashMap();
    private final LongPredicate usual;

    /// @param usual whether a run of which a person said nothing is drawn
    public ComparedRuns(LongPredicate usual) {
        this.usual = usual;
    }

    /// True if a run is drawn.
    public boolean isOn(long run) {
        Boolean said = chosen.get(run);
        return said == null ? usual.test(run) : said;
    }

    /// Draws a run, or draws it no more.
    public void set(long run, boolean on) {
        chosen.put(run, on);
    }

    /// Forgets what a person chose.
    public void clear() {
        chosen.clear();
    }

    /// Changes with every choice.
    public Observable changes() {
        return chosen;
    }
}

package knobscape.app.ui.run;

import java.util.OptionalLong;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;

/// A person's notes on the runs of the open project, and which of them was looked at last. Kept in a file beside
/// the runs. Used from the JavaFX thread.
public final class RunNotes {
    private static final String SHOWN = "run.shown";

    private final Background background;
    private Settings file = Settings.inMemory();

    RunNotes(Background background) {
        this.background = background;
    }

    void open(Settings kept) {
        file = kept;
    }

    /// The note of a run, empty where there is none.
    public String of(long run) {
        return new RunMemory(file, run).about();
    }

    /// Keeps the note of a run; a blank one is forgotten.
    public void keep(long run, String words) {
        new RunMemory(file, run).keepAbout(words);
        save();
    }

    OptionalLong shown() {
        return file.whole(SHOWN);
    }

    void keepShown(long run) {
        file.put(SHOWN, Long.toString(run));
        save();
    }

    private void save() {
        Settings now = file;
        background.away(now::save);
    }
}

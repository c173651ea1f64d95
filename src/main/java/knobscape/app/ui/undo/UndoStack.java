package knobscape.app.ui.undo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/// Edits done and undone, newest first. Used from the JavaFX thread.
public final class UndoStack {
    private static final int MAX = 200;

    /// One edit that can be taken back.
    ///
    /// @param name what it does, as it follows "Undo" in the menu (`pin design 27`)
    /// @param apply does it (again)
    /// @param revert takes it back
    public record Edit(String name, Runnable apply, Runnable revert) {}

    private final Deque<Edit> done = new ArrayDeque<>();
    private final Deque<Edit> undone = new ArrayDeque<>();
    private final ReadOnlyObjectWrapper<Optional<String>> undoName = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<String>> redoName = new ReadOnlyObjectWrapper<>(Optional.empty());
    private Object mergeKey = new Object();

    /// Does `edit` and remembers it.
    public void perform(Edit edit) {
        perform(edit, new Object());
    }

    /// Does `edit`; where the edit before it had an equal `key` (typing in one field, dragging one brush), both
    /// become one.
    public void perform(Edit edit, Object key) {
        edit.apply().run();
        if (key.equals(mergeKey) && !done.isEmpty()) {
            Edit earlier = done.pop();
            done.push(new Edit(edit.name(), edit.apply(), earlier.revert()));
        } else {
            done.push(edit);
        }
        mergeKey = key;
        undone.clear();
        while (done.size() > MAX) {
            done.removeLast();
        }
        publish();
    }

    /// Takes the newest edit back; nothing happens where there is none.
    public void undo() {
        if (!done.isEmpty()) {
            Edit edit = done.pop();
            edit.revert().run();
            undone.push(edit);
            mergeKey = new Object();
            publish();
        }
    }

    /// Does again what was taken back last.
    public void redo() {
        if (!undone.isEmpty()) {
            Edit edit = undone.pop();
            edit.apply().run();
            done.push(edit);
            mergeKey = new Object();
            publish();
        }
    }

    /// Forgets everything, when another project is opened.
    public void clear() {
        done.clear();
        undone.clear();
        mergeKey = new Object();
        publish();
    }

    /// Name of what [#undo()] would take back.
    public ReadOnlyObjectProperty<Optional<String>> undoName() {
        return undoName.getReadOnlyProperty();
    }

    /// Name of what [#redo()] would do again.
    public ReadOnlyObjectProperty<Optional<String>> redoName() {
        return redoName.getReadOnlyProperty();
    }

    private void publish() {
        undoName.set(Optional.ofNullable(done.peek()).map(Edit::name));
        redoName.set(Optional.ofNullable(undone.peek()).map(Edit::name));
    }
}

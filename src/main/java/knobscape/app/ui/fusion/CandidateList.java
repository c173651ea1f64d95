package knobscape.app.ui.fusion;

import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.app.ui.undo.UndoStack;
import knobscape.fusion.space.Strategy;

/// The strategies kept for a second look, and the one of them that others are compared with. Used from the
/// JavaFX thread.
final class CandidateList {
    private static final int MOST = 500;

    private final UndoStack undo;
    private final ObservableList<Candidate> all = FXCollections.observableArrayList();
    private final ReadOnlyObjectWrapper<Optional<Candidate>> pinned = new ReadOnlyObjectWrapper<>(Optional.empty());
    private int made;

    CandidateList(UndoStack undo) {
        this.undo = undo;
    }

    ObservableList<Candidate> all() {
        return all;
    }

    ReadOnlyObjectProperty<Optional<Candidate>> pinned() {
        return pinned.getReadOnlyProperty();
    }

    void clear() {
        all.clear();
        pinned.set(Optional.empty());
        made = 0;
    }

    /// Keeps what a search found, or what the network was opened with.
    Candidate add(String origin, long bufferBytes, int evaluations, double seconds, Strategy strategy) {
        var c = new Candidate(++made, origin, bufferBytes, evaluations, seconds, strategy);
        keep(c);
        return c;
    }

    /// Keeps what a person set; can be undone.
    void keep(String origin, Setup setup) {
        var c = new Candidate(++made, origin, setup.accelerator().bufferBytes(), 0, 0, setup.strategy());
        undo.perform(new UndoStack.Edit("keeping a strategy", () -> keep(c), () -> all.remove(c)));
    }

    /// The first of all, no fusion, stays whatever comes.
    private void keep(Candidate c) {
        all.add(c);
        if (all.size() > MOST) {
            all.remove(1);
        }
    }

    /// The newest with a strategy.
    Optional<Candidate> of(Strategy strategy) {
        return all.reversed().stream()
                .filter(c -> c.strategy().equals(strategy))
                .findFirst();
    }

    /// Compares with the first, no fusion, where nothing is compared with.
    void pinFirst() {
        if (pinned.get().isEmpty()) {
            pinned.set(Optional.of(all.getFirst()));
        }
    }

    /// Compares with one of them, or with none where it is compared already; can be undone.
    void togglePin(Candidate candidate) {
        Optional<Candidate> before = pinned.get();
        Optional<Candidate> after =
                before.filter(candidate::equals).isPresent() ? Optional.empty() : Optional.of(candidate);
        undo.perform(new UndoStack.Edit(
                after.isPresent() ? "pin" : "unpin", () -> pinned.set(after), () -> pinned.set(before)));
    }
}

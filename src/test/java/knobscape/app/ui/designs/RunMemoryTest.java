package knobscape.app.ui.designs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Goal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person did with a run is there again after closing.
class RunMemoryTest {
    @TempDir
    private Path folder;

    private final UndoStack undo = new UndoStack();

    private Results opened(long run) {
        var results = new Results(Background.direct(), undo);
        Settings file = Settings.load(folder.resolve("window.json"));
        results.remember(() -> Optional.of(new RunMemory(file, run)));
        results.open(Runs.set(80, 3));
        return results;
    }

    @Test
    void pinsFilterSelectionAndNotesSurviveClosing() {
        Results before = opened(1);
        DesignFilter filter = DesignFilter.none()
                .withParetoOnly(true)
                .withValidOnly(true)
                .withText("k0=1 k2")
                .withRange(Axis.metric("lut"), new Range(Double.NEGATIVE_INFINITY, 8_000))
                .withRange(Axis.knob("k1"), new Range(0.75, 2.25))
                .withBest(Optional.of(new Goal.Best("delay", false)));
        before.setFilter(filter);
        before.togglePin(4);
        before.togglePin(9);
        before.togglePin(4);
        before.select(17);
        before.noteKeeper(17).accept("ship this one");

        Results after = opened(1);
        assertThat(after.filter().get()).isEqualTo(filter);
        assertThat(after.shown().get().count()).isEqualTo(before.shown().get().count());
        assertThat(after.pins()).containsExactly(9);
        assertThat(after.selected().get()).isEqualTo(17);
        assertThat(after.note(17)).isEqualTo("ship this one");
    }

    @Test
    void tagsAndNotesAreFoundByTheFilterAndAfterReopening() {
        Results before = opened(1);
        before.noteKeeper(17).accept("#Ship, fits the small part");
        before.noteKeeper(30).accept("slow #ship-later");
        assertThat(DesignNotes.tags("#Ship, fits #3 and #ship #x_1")).containsExactly("ship", "x_1");

        Results after = opened(1);
        after.setFilter(DesignFilter.none().withText("#ship"));
        assertThat(after.shown().get().matching().stream()).containsExactly(16);
        after.setFilter(DesignFilter.none().withText("slow"));
        assertThat(after.shown().get().matching().stream()).containsExactly(29);
        after.setFilter(DesignFilter.none().withText("#30"));
        assertThat(after.shown().get().matching().stream()).containsExactly(29);
        after.setFilter(DesignFilter.none().withText("#none"));
        assertThat(after.unknownWord()).hasValue("#none");
        // A tag that is written while it is searched for is found at once.
        after.noteKeeper(5).accept("#none");
        assertThat(after.shown().get().matching().stream()).containsExactly(4);
        assertThat(after.unknownWord()).isEmpty();
        assertThat(after.notes().byDesign()).containsOnlyKeys(5, 17, 30);
    }

    @Test
    void aGoalOutlivesARunThatHasNoDesignYet() {
        Results results = opened(1);
        DesignFilter goal = DesignFilter.none().withBest(Optional.of(new Goal.Best("delay", false)));
        results.setFilter(goal);
        Settings file = Settings.load(folder.resolve("window.json"));
        results.remember(() -> Optional.of(new RunMemory(file, 2)));
        results.open(Runs.set(0, 3));
        assertThat(results.filter().get()).isEqualTo(goal);
        results.open(Runs.set(80, 3));
        assertThat(results.filter().get()).isEqualTo(goal);
        results.remember(Optional::empty);
        results.open(DesignSet.none());
        assertThat(results.filter().get()).isEqualTo(DesignFilter.none());
    }

    @Test
    void undoneChangesAreNotKept() {
        Results before = opened(1);
        before.setFilter(DesignFilter.none().withText("k0=1"));
        before.togglePin(4);
        undo.undo();
        undo.undo();
        Results after = opened(1);
        assertThat(after.filter().get()).isEqualTo(DesignFilter.none());
        assertThat(after.pins()).isEmpty();
    }

    @Test
    void everyRunHasItsOwnAndAFileThatIsDamagedHarmsNothing() {
        opened(1).togglePin(4);
        assertThat(opened(2).pins()).isEmpty();
        Settings file = Settings.load(folder.resolve("window.json"));
        file.put("run.1.pins", "4\nx\n99999");
        file.put("run.1.filter", "metric\tlut\tlow\t3\nnonsense\nbest=lut\tperhaps");
        file.save();
        Results after = opened(1);
        assertThat(after.pins()).containsExactly(4);
        assertThat(after.filter().get().ranges()).isEmpty();
    }

    @Test
    void whereNothingWasSelectedTheKneeOfTheFrontIs() {
        Results results = opened(1);
        assertThat(results.set().standing(results.selected().get() - 1)).isEqualTo(DesignStanding.FRONT);
    }
}

package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What processes leave for one another in the folder of the runs.
class RunControlTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(RunControl.Wish.class)
    void aWishIsHeardOnceByTheRunItIsFor(RunControl.Wish wish) {
        RunControl.ask(folder, 12, wish);
        assertThat(RunControl.asked(folder, 1)).isEmpty();
        assertThat(RunControl.take(folder, 1)).isEmpty();
        assertThat(RunControl.asked(folder, 12)).contains(wish);
        assertThat(RunControl.asked(folder, 12)).as("looking does not take it").contains(wish);
        assertThat(RunControl.take(folder, 12)).contains(wish);
        assertThat(RunControl.take(folder, 12)).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theLastWishCounts() {
        RunControl.ask(folder, 3, RunControl.Wish.PAUSE);
        RunControl.ask(folder, 3, RunControl.Wish.STOP);
        assertThat(RunControl.take(folder, 3)).contains(RunControl.Wish.STOP);
        assertThat(RunControl.take(folder, 3)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "3",
                "3 DANCE",
                "3 pause",
                "x PAUSE",
                "3 PAUSE STOP",
                "1234567890123456789 PAUSE",
                "3 PAUSE                                                             "
            })
    void whatIsNoWishIsPassedOver(String text) throws Exception {
        Files.writeString(folder.resolve(".knobscape.asked"), text);
        assertThat(RunControl.asked(folder, 3)).isEmpty();
    }

    @Test
    void aWishOf64CharactersIsRead() throws Exception {
        Files.writeString(folder.resolve(".knobscape.asked"), "3 PAUSE" + " ".repeat(64 - 7));
        assertThat(RunControl.asked(folder, 3)).contains(RunControl.Wish.PAUSE);
    }

    @Test
    void aFolderIsNoWish() throws Exception {
        Files.createDirectory(folder.resolve(".knobscape.asked"));
        assertThat(RunControl.asked(folder, 3)).isEmpty();
    }

    @Test
    void aPauseIsToldUntilItEnds() {
        assertThat(RunControl.isPaused(folder, 3)).isFalse();
        RunControl.tell(folder, 3, true);
        assertThat(RunControl.isPaused(folder, 3)).isTrue();
        assertThat(RunControl.isPaused(folder, 30)).isFalse();
        RunControl.tell(folder, 3, false);
        assertThat(RunControl.isPaused(folder, 3)).isFalse();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aRunThatBeginsHearsNothingOfBefore() {
        RunControl.ask(folder, 3, RunControl.Wish.STOP);
        RunControl.tell(folder, 3, true);
        RunControl.begin(folder, 3);
        assertThat(RunControl.asked(folder, 3)).isEmpty();
        assertThat(RunControl.isPaused(folder, 3)).isFalse();
        RunControl.ask(folder, 4, RunControl.Wish.STOP);
        RunControl.begin(folder, 3);
        assertThat(RunControl.asked(folder, 4)).as("another run's").contains(RunControl.Wish.STOP);
    }

    @Test
    void whereNothingCanBeWrittenAWishIsRefusedAndAPauseGoesUntold() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> RunControl.ask(file, 1, RunControl.Wish.STOP)).isInstanceOf(UserError.class);
        RunControl.tell(file, 1, true);
        assertThat(RunControl.isPaused(file, 1)).isFalse();
    }
}

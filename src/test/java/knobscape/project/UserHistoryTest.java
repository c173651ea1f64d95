package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserHistoryTest {
    @TempDir
    private Path folder;

    @Test
    void itIsTheFileNamedElseTheUsersOrNone() {
        Path named = folder.resolve("h.db");
        assertThat(FoldersTest.with(Map.of(UserHistory.PROPERTY, named.toString()), UserHistory::file))
                .contains(named);
        assertThat(FoldersTest.with(Map.of(UserHistory.PROPERTY, "none"), UserHistory::file))
                .isEmpty();
        assertThat(FoldersTest.with(
                        Map.of(UserHistory.PROPERTY, "", "knobscape.config", folder.toString()), UserHistory::file))
                .contains(folder.resolve("history.db"));
    }

    @Test
    void oneThatCannotBeUsedIsLeftAlone() throws Exception {
        Path named = folder.resolve("h.db");
        try (TuningHistory opened = FoldersTest.with(Map.of(UserHistory.PROPERTY, named.toString()), UserHistory::open)
                .orElseThrow()) {
            assertThat(opened).isNotNull();
        }
        assertThat(named).isRegularFile();
        assertThat(FoldersTest.with(Map.of(UserHistory.PROPERTY, "none"), UserHistory::open))
                .isEmpty();
        String words = "this is no database, only words that are long enough to be taken for the head of one";
        Files.writeString(named, words);
        Optional<TuningHistory> none =
                FoldersTest.with(Map.of(UserHistory.PROPERTY, named.toString()), UserHistory::open);
        assertThat(none).isEmpty();
        assertThat(named).hasContent(words);
    }
}

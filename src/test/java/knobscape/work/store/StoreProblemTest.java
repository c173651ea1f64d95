package knobscape.work.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Codes of SQLite (<https://www.sqlite.org/rescode.html>), plain and extended, in words.
class StoreProblemTest {
    @TempDir
    private Path folder;

    private static SQLException failure(int code) {
        return new SQLException("what SQLite says.", "", code);
    }

    private String said(String doing, Path file, int code) {
        return StoreProblem.of(doing, file, failure(code)).getMessage();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "13 | the disk is full; make room. What was stored is kept, and the run can be resumed.",
                "10 | the disk refuses (is it full?); make room. What was stored is kept, and the run can be resumed.",
                "778 | the disk refuses (is it full?); make room.",
                "5 | another process keeps it locked; try again, or end that process.",
                "261 | another process keeps it locked; try again, or end that process.",
                "9 | a question takes far longer than runs of this program can; the file is not as it was made, move it away.",
                "18 | a value is larger than any of this program; the file is not as it was made, move it away.",
                "14 | what SQLite says.",
                "8 | what SQLite says.",
                "1 | what SQLite says."
            })
    void everyCodeHasItsWords(int code, String words) {
        Path file = folder.resolve("runs.db");
        assertThat(said("Cannot store the run in", file, code))
                .startsWith("Cannot store the run in " + file + ": " + words);
    }

    @ParameterizedTest
    @CsvSource({"11", "267", "26"})
    void damageIsNamedWithWhatToDo(int code) {
        Path file = folder.resolve("runs.db");
        assertThat(said("Cannot open the runs in", file, code)).startsWith(file + " is damaged; put a copy of it back");
    }

    @Test
    void ofAHistoryNoRunIsResumed() {
        assertThat(said("Cannot use the tuning history", folder.resolve("h.db"), 13))
                .endsWith("What was stored is kept.");
    }

    @Test
    void theCauseIsSaidWhereThereIsOne() {
        SQLException e = failure(1);
        e.initCause(new IOException("the cable is out"));
        assertThat(StoreProblem.of("Cannot read", folder, e)).hasMessageEndingWith(": the cable is out.");
    }

    @Test
    void aPathIsTooLongFromItsFirstByteOnThatIs() {
        int more = 500 - folder.resolve("x").toString().length();
        Path longest = folder.resolve("x".repeat(1 + more));
        assertThat(said("Cannot open", longest, 14)).contains("what SQLite says");
        assertThat(said("Cannot open", Path.of(longest + "x"), 14))
                .contains("its path has 501 bytes, more than the store can open; name a shorter one (--out)");
    }

    /// Nobody may write there, root neither.
    @Test
    void aReadOnlyFolderIsNamed() {
        Path forbidden = Path.of("/proc/self/runs.db");
        org.assertj.core.api.Assumptions.assumeThat(
                        Files.isDirectory(forbidden.getParent()) && !Files.isWritable(forbidden.getParent()))
                .as("this system has no folder that nobody may write")
                .isTrue();
        for (int code : new int[] {14, 8}) {
            assertThat(said("Cannot open", forbidden, code)).contains("its folder is read-only; name another place");
        }
        assertThat(said("Cannot open", forbidden.resolve("none/runs.db"), 8)).contains("what SQLite says");
        assertThat(said("Cannot open", forbidden, 1)).contains("what SQLite says");
    }

    @ParameterizedTest
    @CsvSource({"11, true", "267, true", "26, true", "18, true", "5, false", "13, false", "0, false"})
    void damageIsWhatOfTheFileItself(int code, boolean damage) {
        assertThat(StoreProblem.isDamage(failure(code))).isEqualTo(damage);
    }

    @ParameterizedTest
    @CsvSource({"5, true", "261, true", "6, false", "11, false"})
    void busyIsALockOfAnother(int code, boolean busy) {
        assertThat(StoreProblem.isBusy(failure(code))).isEqualTo(busy);
    }
}

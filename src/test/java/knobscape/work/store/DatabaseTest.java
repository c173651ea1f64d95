package knobscape.work.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void make() {
        file = folder.resolve("runs.db");
        try (Database d = Database.openForWriting(file)) {
            d.run("CREATE TABLE t(n INTEGER, text TEXT)");
            add(d, 1);
        }
    }

    private static void add(Database d, int n) {
        d.change("INSERT INTO t VALUES (?,?)", n, "x".repeat(2000));
    }

    private static List<Integer> numbers(Database d) {
        return d.query("SELECT n FROM t ORDER BY n", r -> r.getInt(1));
    }

    private List<String> files() throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    /// As in a folder that cannot be written: nothing is made beside the file.
    @Test
    void aFileIsReadWithoutMakingAnotherBesideIt() throws Exception {
        List<String> before = files();
        try (Database d = Database.openUnchanged(file)) {
            assertThat(numbers(d)).containsExactly(1);
            assertThat(files()).isEqualTo(before);
        }
    }

    @Test
    void whatOnlyTheLogHoldsIsReadToo() throws Exception {
        try (Database writer = Database.openForWriting(file)) {
            add(writer, 2);
            assertThat(files()).contains("runs.db-wal");
            try (Database d = Database.openUnchanged(file)) {
                assertThat(numbers(d)).containsExactly(1, 2);
            }
        }
    }

    @Test
    void aFullDiskIsOneSentenceAndNothingStoredIsLost() {
        try (Database d = Database.openForWriting(file)) {
            d.run("PRAGMA max_page_count=4");
            assertThatThrownBy(() -> d.transaction(() -> {
                        for (int i = 2; i < 100; i++) {
                            add(d, i);
                        }
                        return 0;
                    }))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("runs.db: the disk is full; make room")
                    .hasMessageContaining("can be resumed");
            assertThat(numbers(d)).containsExactly(1);
            d.run("PRAGMA max_page_count=1000");
            add(d, 2);
        }
        try (Database d = Database.open(file)) {
            assertThat(numbers(d)).containsExactly(1, 2);
        }
    }

    /// Names that SQLite would take as options or escapes.
    @ParameterizedTest
    @ValueSource(strings = {"a?mode=memory", "b#c", "100%41", "d e", "\u00fc"})
    void aNameIsANameWhateverItHolds(String name) throws Exception {
        Path inside = Files.createDirectory(folder.resolve(name));
        try (Database d = Database.openForWriting(inside.resolve("runs.db"))) {
            d.run("CREATE TABLE t(n INTEGER, text TEXT)");
            add(d, 3);
        }
        try (Database d = Database.openUnchanged(inside.resolve("runs.db"))) {
            assertThat(numbers(d)).containsExactly(3);
        }
        assertThat(files()).containsExactlyInAnyOrder("runs.db", name);
        try (Stream<Path> made = Files.list(inside)) {
            assertThat(made).containsExactly(inside.resolve("runs.db"));
        }
    }

    @Test
    void aPathThatIsTooLongIsNamedAsSuch() throws Exception {
        Path deep = folder;
        for (int i = 0; i < 12; i++) {
            deep = Files.createDirectory(deep.resolve("x".repeat(180)));
        }
        Path at = deep.resolve("runs.db");
        assertThatThrownBy(() -> Database.openForWriting(at))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("bytes, more than the store can open");
    }

    /// SQLite itself gives up at once where a file is looked at while it is put into write-ahead mode.
    @Test
    void whoeverOnlyLooksAtANewFileIsWaitedFor() throws Exception {
        Path fresh = folder.resolve("new.db");
        try (Connection reader = DriverManager.getConnection("jdbc:sqlite:" + fresh);
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            reader.createStatement().execute("CREATE TABLE t(n INTEGER, text TEXT)");
            reader.setAutoCommit(false);
            try (var look = reader.prepareStatement("SELECT count(*) FROM t")) {
                look.executeQuery().close();
            }
            Future<Database> writer = other.submit(() -> Database.openForWriting(fresh));
            assertThatThrownBy(() -> writer.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            reader.rollback();
            try (Database d = writer.get(10, TimeUnit.SECONDS)) {
                add(d, 7);
                assertThat(numbers(d)).containsExactly(7);
            }
        }
    }
}

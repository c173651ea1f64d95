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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
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

    @Test
    void aPieceOfWorkIsDoneWholeOrNotAtAll() {
        try (Database d = Database.open(file)) {
            assertThat(d.transaction(() -> {
                        add(d, 2);
                        return d.transaction(() -> {
                            add(d, 3);
                            return "both";
                        });
                    }))
                    .isEqualTo("both");
            assertThatThrownBy(() -> d.transaction(() -> {
                        add(d, 4);
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            add(d, 5);
        }
        try (Database d = Database.open(file)) {
            assertThat(numbers(d)).containsExactly(1, 2, 3, 5);
            assertThat(d.file()).isEqualTo(file);
        }
    }

    @Test
    void numbersThatAreNoneAreNull() {
        try (Database d = Database.open(file)) {
            d.run("CREATE TABLE v(x REAL)");
            d.change("INSERT INTO v VALUES (?), (?), (?)", 1.5, Double.NaN, Double.NEGATIVE_INFINITY);
            assertThat(d.query("SELECT x FROM v", r -> Database.number(r, "x")))
                    .containsExactly(1.5, Double.NaN, Double.NaN);
            assertThat(d.query("SELECT count(*) FROM v WHERE x IS NULL", r -> r.getInt(1)))
                    .containsExactly(2);
        }
    }

    @Test
    void aRowThatCannotBeReadIsDamageOrCounted() {
        try (Database d = Database.open(file)) {
            add(d, 2);
            Database.RowReader<Integer> reader = r -> Integer.parseInt(r.getInt(1) == 1 ? "x" : "7");
            assertThatThrownBy(() -> d.query("SELECT n FROM t", reader))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is damaged");
            var damaged = new AtomicInteger();
            assertThat(d.readable("SELECT n FROM t", reader, damaged)).containsExactly(7);
            assertThat(damaged).hasValue(1);
            assertThatThrownBy(() -> d.readable(
                            "SELECT n FROM t",
                            r -> {
                                throw new UserError("said already");
                            },
                            damaged))
                    .hasMessage("said already");
        }
    }

    @Test
    void whatSqliteRefusesIsASentence() {
        try (Database d = Database.open(file)) {
            assertThatThrownBy(() -> d.run("NONSENSE"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("NONSENSE");
            assertThatThrownBy(() -> d.change("INSERT INTO none VALUES (1)"))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("Cannot store the run in " + file);
            assertThatThrownBy(() -> d.query("SELECT * FROM none", r -> 1))
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("Cannot read the runs in " + file);
            var damaged = new AtomicInteger();
            assertThatThrownBy(() -> d.readable("SELECT * FROM none", r -> 1, damaged))
                    .isInstanceOf(UserError.class);
            assertThat(damaged).hasValue(0);
        }
    }

    /// The page in the middle of the file is no page.
    @Test
    void rowsUpToWhereTheFileIsDamagedAreRead() throws Exception {
        try (Database d = Database.open(file)) {
            for (int i = 2; i < 200; i++) {
                add(d, i);
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        java.util.Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 0x5a);
        Files.write(file, bytes);
        try (Database d = Database.open(file)) {
            var damaged = new AtomicInteger();
            List<Integer> read = d.readable("SELECT n FROM t", r -> r.getInt(1), damaged);
            assertThat(read.size()).isBetween(1, 198);
            assertThat(damaged).hasPositiveValue();
            assertThatThrownBy(() -> numbers(d)).isInstanceOf(UserError.class).hasMessageContaining("is damaged");
        }
    }

    @Test
    void onlyTablesOfTheKnownColumnsAreTaken() {
        try (Database d = Database.open(file)) {
            d.requireTable("t", List.of("text", "n"));
            d.refuseForeignParts();
            for (List<String> columns : List.of(List.of("n"), List.of("n", "text", "more"), List.of("n", "other"))) {
                assertThatThrownBy(() -> d.requireTable("t", columns))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("its table 't' is of another shape");
            }
            assertThatThrownBy(() -> d.requireTable("none", List.of("n")))
                    .hasMessageContaining("its table 'none' is missing");
            d.run("CREATE VIEW v AS SELECT n, text FROM t");
            assertThatThrownBy(() -> d.requireTable("v", List.of("n", "text")))
                    .hasMessageContaining("was not made by Knobscape as it is (its table 'v' is a view)");
            assertThatThrownBy(d::refuseForeignParts).hasMessageContaining("it holds the view v");
            d.run("DROP VIEW v");
            d.run("CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END");
            assertThatThrownBy(d::refuseForeignParts).hasMessageContaining("it holds the trigger g");
            d.run("DROP TRIGGER g");
            d.run("CREATE VIRTUAL TABLE w USING fts5(n, text)");
            assertThatThrownBy(() -> d.requireTable("w", List.of("n", "text")))
                    .hasMessageContaining("is a table (virtual)");
            assertThatThrownBy(d::refuseForeignParts).hasMessageContaining("it holds the table w");
        }
    }

    @Test
    void aNewerFormatIsRefused() {
        try (Database d = Database.open(file)) {
            assertThat(d.version()).isZero();
            d.run("PRAGMA user_version=3");
            assertThat(d.version()).isEqualTo(3);
            d.refuseNewerThan(3);
            assertThatThrownBy(() -> d.refuseNewerThan(2))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("(format 3, this program reads up to 2)");
        }
    }

    @Test
    void valuesAreBounded() {
        try (Database d = Database.open(file)) {
            assertThatThrownBy(() -> d.query("SELECT length(zeroblob(300000000))", r -> r.getInt(1)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("a value is larger than any of this program");
        }
    }

    /// A file of somebody else may hold anything.
    @Test
    void questionsAreBounded() throws Exception {
        try (Database d = Database.open(file)) {
            d.limit(20);
            assertThatThrownBy(() -> d.query(
                            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
                            r -> r.getLong(1)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("far longer than runs of this program can");
            assertThat(numbers(d)).as("the next question has its own patience").containsExactly(1);
        }
    }

    @Test
    void aFileOfSomebodyElseDoesNotCallFunctions() throws Exception {
        try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + file);
                var s = c.createStatement()) {
            s.execute("CREATE VIEW v AS SELECT fts3_tokenizer('simple') AS n");
        }
        try (Database d = Database.open(file)) {
            assertThat(d.query("PRAGMA trusted_schema", r -> r.getInt(1))).containsExactly(0);
            assertThat(d.query("PRAGMA busy_timeout", r -> r.getInt(1))).containsExactly(10_000);
            assertThat(d.query("PRAGMA journal_mode", r -> r.getString(1))).containsExactly("wal");
        }
        try (Database d = Database.openForWriting(file)) {
            assertThat(d.query("PRAGMA synchronous", r -> r.getInt(1))).containsExactly(1);
        }
    }

    @Test
    void aCopyInMemoryLeavesNothingBehind() throws Exception {
        String before = System.getProperty("java.io.tmpdir");
        Path own = Files.createDirectory(folder.resolve("tmp"));
        System.setProperty("java.io.tmpdir", own.toString());
        try (Database writer = Database.openForWriting(file)) {
            add(writer, 2);
            try (Database d = Database.openUnchanged(file)) {
                add(d, 3);
                assertThat(numbers(d)).containsExactly(1, 2, 3);
            }
            assertThat(numbers(writer)).as("the file itself").containsExactly(1, 2);
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
        try (Stream<Path> left = Files.list(own)) {
            assertThat(left).isEmpty();
        }
    }
}

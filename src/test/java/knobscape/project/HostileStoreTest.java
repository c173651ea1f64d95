package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores of somebody else, made to hang, to fill the memory or to write.
class HostileStoreTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void run() throws Exception {
        BoxTools.makeProject(folder);
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            runner.start(BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(1), List.of())
                    .await();
        }
    }

    private void sql(String... statements) throws Exception {
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(RunStore.FILE_NAME));
                var s = c.createStatement()) {
            for (String statement : statements) {
                s.execute(statement);
            }
        }
    }

    private static final String ENDLESS =
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT x AS run, x AS number FROM n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE steps; CREATE VIEW steps AS " + ENDLESS,
                "ALTER TABLE runs RENAME TO others; CREATE VIEW runs AS SELECT * FROM others",
                "CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM designs; END",
                "DROP TABLE events; CREATE VIRTUAL TABLE events USING fts5(run, at, text)",
                "ALTER TABLE runs ADD COLUMN more TEXT",
                "DROP TABLE events; CREATE TABLE events(id INTEGER PRIMARY KEY, run, at, text AS (id || 'x'))",
                "DROP TABLE proposals",
            })
    void aFileWithPartsThatTheProgramDoesNotMakeIsNotRead(String change) throws Exception {
        sql(change.startsWith("CREATE TRIGGER") ? new String[] {change} : change.split("; "));
        for (boolean writing : new boolean[] {false, true}) {
            assertThatThrownBy(() -> {
                        try (Project p = Project.open(folder)) {
                            if (writing) {
                                p.lock();
                            } else {
                                p.runs();
                            }
                        }
                    })
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("was not made by Knobscape as it is");
        }
    }

    @Test
    void aNameOfMillionsIsCutAndALargerOneIsDamage() throws Exception {
        sql("UPDATE runs SET name=printf('%.*c', 20000000, 'x')");
        try (Project p = Project.open(folder)) {
            assertThat(p.runs().orElseThrow().list().getFirst().name()).hasSizeLessThan(2100);
        }
        sql(
                "INSERT INTO runs SELECT 2, 'good', kernel, settings, source_hash, status, reason, created, updated, command, program, step, tool_seconds, algorithm_seconds, hypervolume, deleted, results FROM runs",
                "INSERT INTO subjects SELECT 2, number, name, weight, knobs, space_size, info, objectives FROM subjects WHERE run=1",
                "UPDATE runs SET name=zeroblob(300000000) WHERE id=1");
        try (Project p = Project.open(folder)) {
            var read = new ArrayList<RunRecord>();
            assertThat(p.runs().orElseThrow().pages(read::addAll)).isEqualTo(1);
            assertThat(read).extracting(RunRecord::name).containsExactly("good");
        }
        Files.delete(folder.resolve(RunStore.FILE_NAME));
    }

    @Test
    void aHundredThousandRunsAreListedInPages() throws Exception {
        sql(
                "WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x+1 FROM n WHERE x<100000) INSERT INTO runs SELECT x, 'r'||x, kernel, settings, source_hash, status, reason, created, updated, command, program, step, tool_seconds, algorithm_seconds, hypervolume, deleted, results FROM n, runs",
                "INSERT INTO subjects SELECT r.id, s.number, s.name, weight, knobs, space_size, info, objectives FROM runs r, subjects s WHERE r.id>1",
                "UPDATE runs SET kernel='{}' WHERE id=777");
        try (Project p = Project.open(folder)) {
            var pages = new ArrayList<Integer>();
            var ids = new ArrayList<Long>();
            int damaged = p.runs().orElseThrow().pages(page -> {
                pages.add(page.size());
                page.forEach(r -> ids.add(r.id()));
            });
            assertThat(damaged).isEqualTo(1);
            assertThat(ids).hasSize(99_999).doesNotHaveDuplicates().isSorted();
            assertThat(pages).hasSizeGreaterThan(100);
        }
    }
}

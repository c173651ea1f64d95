package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.UserError;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.export.TunedNetwork;
import knobscape.work.store.Database;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The runs of a project of version 0.1, which kept tunings in a store of their own: one completed; one stopped
/// within a round, with records of an imported log; one killed while it ran.
class EarlierStoresTest {
    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void before() throws IOException {
        folder = Files.createDirectory(temporary.resolve("old.knobscape"));
        try (InputStream network = EarlierStoresTest.class.getResourceAsStream("/knobscape/gpu/tuning/small.json")) {
            Files.write(folder.resolve("small.json"), network.readAllBytes());
        }
        Files.writeString(
                folder.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"kind\": \"gpu\", \"source\": \"small.json\"}");
        try (InputStream in = new GZIPInputStream(
                        EarlierStoresTest.class.getResourceAsStream("/knobscape/gpu/tuning/tuning.db.gz"));
                OutputStream out = Files.newOutputStream(folder.resolve("tuning.db"))) {
            in.transferTo(out);
        }
    }

    /// What the old file says, asked without the program.
    private List<List<Object>> old(String sql) throws Exception {
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("tuning.db"));
                var s = c.createStatement();
                var r = s.executeQuery(sql)) {
            var all = new java.util.ArrayList<List<Object>>();
            while (r.next()) {
                var row = new java.util.ArrayList<Object>();
                for (int i = 1; i <= r.getMetaData().getColumnCount(); i++) {
                    row.add(r.getObject(i));
                }
                all.add(row);
            }
            return all;
        }
    }

    private static double sum(List<List<Object>> one) {
        return ((Number) one.getFirst().getFirst()).doubleValue();
    }

    @Test
    void readingTakesThemOverAndChangesNothing() throws Exception {
        byte[] bytes = Files.readAllBytes(folder.resolve("tuning.db"));
        List<Double> seconds = new java.util.ArrayList<>();
        List<Integer> counts = new java.util.ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            seconds.add(sum(old("SELECT sum(cost) FROM measurements WHERE step>=0 AND tuning=" + i)));
            counts.add((int) sum(old("SELECT count(*) FROM measurements WHERE tuning=" + i)));
        }
        try (Project project = Project.open(folder)) {
            RunStore store = project.runs().orElseThrow();
            assertThat(store.list())
                    .extracting(RunRecord::status)
                    .containsExactly(RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.INTERRUPTED);
            for (RunRecord run : store.list()) {
                assertThat(run.program()).isEqualTo("0.1 (run " + run.id() + " of tuning.db)");
                assertThat(run.command()).isEmpty();
                RunResults results = store.results(run.id());
                List<StoredSubject> kernels = run.subjects().stream()
                        .filter(s -> !s.name().contains("+"))
                        .toList();
                assertThat(results.designs())
                        .hasSizeBetween(counts.get((int) run.id() - 1) / 2, counts.get((int) run.id() - 1) * 2);
                assertThat(kernels)
                        .isNotEmpty()
                        .allMatch(s -> s.weight() >= 1 && new java.math.BigInteger(s.spaceSize()).signum() > 0);
                assertThat(results.trace()).isNotEmpty();
                double last = results.trace().getLast().toolSeconds();
                assertThat(last).isPositive().isLessThanOrEqualTo(seconds.get((int) run.id() - 1) * 1.5 + 1);
                assertThat(results.trace())
                        .extracting(RunResults.TracePoint::toolSeconds)
                        .isSorted();
                assertThat(run.subjects()).anyMatch(s -> s.objectives().isPresent());
            }
            List<RunEvent> past = store.past(store.find(1).orElseThrow());
            assertThat(past.stream()
                            .filter(e -> e instanceof RunEvent.StageDone)
                            .count())
                    .isEqualTo(past.stream()
                            .filter(e -> e instanceof RunEvent.Proposed)
                            .count())
                    .isGreaterThanOrEqualTo(counts.getFirst());
            assertThat(store.past(store.find(2).orElseThrow()))
                    .as("what was imported")
                    .anyMatch(e -> e instanceof RunEvent.Known);
        }
        assertThat(folder.resolve(RunStore.FILE_NAME)).doesNotExist();
        assertThat(folder.resolve("tuning.db")).hasBinaryContent(bytes);
    }

    @Test
    void aWriterTakesThemOverOnceAndKeepsTheFile() throws Exception {
        byte[] bytes = Files.readAllBytes(folder.resolve("tuning.db"));
        assertThat(EarlierStores.isDue(folder)).isTrue();
        try (Project project = Project.open(folder)) {
            assertThat(project.lock().list()).hasSize(3);
        }
        assertThat(EarlierStores.isDue(folder)).isFalse();
        assertThat(folder.resolve("tuning.db")).doesNotExist();
        assertThat(folder.resolve("tuning.db.v1")).hasSize(bytes.length);
        try (Project project = Project.open(folder)) {
            assertThat(project.lock().list()).hasSize(3);
        }
    }

    /// Killed between taking the runs over and renaming the file.
    @Test
    void whatWasTakenOverIsNotTakenAgain() throws Exception {
        byte[] bytes = Files.readAllBytes(folder.resolve("tuning.db"));
        try (Project project = Project.open(folder)) {
            project.lock();
        }
        Files.write(folder.resolve("tuning.db"), bytes);
        Files.delete(folder.resolve("tuning.db.v1"));
        try (Project project = Project.open(folder)) {
            assertThat(project.lock().list()).extracting(RunRecord::id).containsExactly(1L, 2L, 3L);
        }
        assertThat(folder.resolve("tuning.db.v1")).exists();
    }

    /// A folder of runs that had no project file.
    @Test
    void theNewestSaysWhatTheFolderIsOf() throws Exception {
        Files.delete(folder.resolve(ProjectFile.FILE_NAME));
        try (Project project = Project.open(folder)) {
            assertThat(project.name()).isEqualTo("old");
            assertThat(project.isScratch()).isTrue();
            assertThat(project.file().run().method())
                    .isEqualTo(project.runs()
                            .orElseThrow()
                            .newest()
                            .orElseThrow()
                            .settings()
                            .method())
                    .isEqualTo("ga");
            assertThat(project.file().work()).isInstanceOf(GpuSettings.class);
        }
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("tuning.db"));
                var s = c.createStatement()) {
            s.execute("DELETE FROM tunings");
        }
        assertThatThrownBy(() -> Project.open(folder))
                .isInstanceOf(UserError.class)
                .hasMessage(folder + " has no tuning runs.");
    }

    @Test
    void aDamagedFileIsNamedAndNothingIsTakenOver() throws Exception {
        try (Database d = Database.openForWriting(folder.resolve("tuning.db"))) {
            d.run("UPDATE tunings SET settings='null' WHERE id=3");
        }
        try (Project project = Project.open(folder)) {
            assertThatThrownBy(project::runs).isInstanceOf(UserError.class).hasMessageContaining("tuning.db");
            assertThatThrownBy(project::lock).isInstanceOf(UserError.class).hasMessageContaining("tuning.db");
        }
        assertThat(folder.resolve("tuning.db")).exists();
        Files.delete(folder.resolve(ProjectFile.FILE_NAME));
        Files.deleteIfExists(folder.resolve(RunStore.FILE_NAME));
        assertThatThrownBy(() -> Project.open(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("tuning.db");
    }

    /// Of all that tuned the same on the same device.
    @Test
    void theBestRunIsTheOneThatFoundMost() {
        try (Project project = Project.open(folder)) {
            RunStore store = project.runs().orElseThrow();
            var network = GpuWorkbench.open(project, project.file().work(GpuSettings.class))
                    .network();
            List<RunRecord> all = store.list();
            assertThat(all)
                    .extracting(RunRecord::sourceHash)
                    .containsOnly(all.getFirst().sourceHash());
            for (RunRecord asked : all) {
                RunRecord best = BestTuning.of(store, network, asked);
                TunedNetwork found = BestTuning.results(store, network, best).picture();
                assertThat(best.settings().toolchain())
                        .isEqualTo(asked.settings().toolchain());
                for (RunRecord other : all) {
                    if (other.settings().toolchain().equals(asked.settings().toolchain())) {
                        int order = TunedNetwork.byResult()
                                .compare(
                                        found,
                                        BestTuning.results(store, network, other)
                                                .picture());
                        assertThat(order).isGreaterThanOrEqualTo(0);
                        assertThat(order > 0 || best.id() >= other.id()).isTrue();
                    }
                }
            }
        }
    }
}

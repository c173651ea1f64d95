package knobscape.work.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.work.store.Database;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuningHistoryTest {
    @TempDir
    Path folder;

    private static HistoryTask task(String device, boolean isModel, Integer... values) {
        return new HistoryTask(
                "gpu",
                new HistoryTask.Measurer(device, "1", isModel),
                "g",
                "s",
                "words",
                "",
                "t@1",
                "bare",
                Optional.of(new KnobSet(List.of(new Knob("x", new Domain.Factors(List.of(values)))))));
    }

    private static HistoryRow ran(int x, double ms) {
        return new HistoryRow("x=" + x, new Outcome.Measured(Map.of("time", ms)), 1, 5, "here");
    }

    private static HistoryRow failed(int x) {
        return new HistoryRow("x=" + x, new Outcome.Failure(FailureKind.CRASHED, "gone"), 1, 4, "here");
    }

    @Test
    void rowsAreMergedWithoutDuplicatesAndKnobsUnited() {
        try (TuningHistory h = TuningHistory.open(folder.resolve("deep/a.db"));
                TuningHistory other = TuningHistory.open(folder.resolve("b.db"))) {
            assertThat(h.add(task("d", false, 1, 2), List.of(ran(1, 3), failed(2))))
                    .isEqualTo(2);
            assertThat(h.add(task("d", false, 1, 2), List.of(ran(1, 9), failed(2), ran(2, 4))))
                    .isEqualTo(1);
            assertThat(other.add(task("d", false, 2, 8), List.of(ran(8, 1), ran(2, 4))))
                    .isEqualTo(2);

            assertThat(h.merge(other)).isEqualTo(1);
            assertThat(h.merge(other)).isZero();
            assertThat(h.tasks()).singleElement().satisfies(t -> {
                assertThat(t.best()).isEqualTo(1);
                assertThat(t.ran()).isEqualTo(3);
                assertThat(t.task().knobs().orElseThrow().get(0).domain().labels())
                        .containsExactly("1", "2", "8");
                // What failed and later ran is told by its time.
                assertThat(h.rows(t.id(), Long.MAX_VALUE))
                        .extracting(HistoryRow::configuration)
                        .containsExactly("x=1", "x=2", "x=8");
                // As it was before the configuration ran.
                assertThat(h.rows(t.id(), 2))
                        .extracting(HistoryRow::configuration)
                        .containsExactly("x=1", "x=2");
            });
        }
    }

    @Test
    void modelsAndDevicesAreTasksOfTheirOwn() {
        try (TuningHistory h = TuningHistory.open(folder.resolve("a.db"))) {
            h.add(task("d", false, 1), List.of(ran(1, 3)));
            h.add(task("d", true, 1), List.of(ran(1, 2)));
            h.add(task("e", false, 1), List.of(ran(1, 1)));

            assertThat(h.tasks()).hasSize(3).allMatch(t -> t.rows() == 1);
        }
    }

    @Test
    void twoWritersAtATimeLoseNothing() {
        Path file = folder.resolve("a.db");
        try (TuningHistory a = TuningHistory.open(file);
                TuningHistory b = TuningHistory.open(file)) {
            IntStream.range(0, 40)
                    .parallel()
                    .forEach(i -> (i % 2 == 0 ? a : b).add(task("d" + i % 3, false, 1), List.of(ran(i, i + 1.0))));

            assertThat(a.tasks().stream()
                            .mapToLong(TuningHistory.StoredTuning::rows)
                            .sum())
                    .isEqualTo(40);
        }
    }

    @Test
    void foreignNewerAndDamagedFilesAreRefusedInOneSentenceAndKept() throws IOException {
        Path newer = folder.resolve("newer.db");
        TuningHistory.open(newer).close();
        try (Database d = Database.open(newer)) {
            d.run("PRAGMA user_version=7");
        }
        Path foreign = folder.resolve("foreign.db");
        try (Database d = Database.openForWriting(foreign)) {
            d.run("CREATE TABLE a(b)");
        }
        Path damaged = folder.resolve("damaged.db");
        Files.writeString(damaged, "no database at all, but long enough to be read as a header of one".repeat(40));
        for (Path file : List.of(newer, foreign, damaged, folder)) {
            byte[] before = Files.isDirectory(file) ? new byte[0] : Files.readAllBytes(file);
            assertThatThrownBy(() -> TuningHistory.open(file))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(file.getFileName().toString());
            assertThat(Files.isDirectory(file) ? new byte[0] : Files.readAllBytes(file))
                    .isEqualTo(before);
        }
        assertThatThrownBy(() -> TuningHistory.existing(folder.resolve("none.db")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no tuning history");
        assertThat(folder.resolve("none.db")).doesNotExist();
    }
}

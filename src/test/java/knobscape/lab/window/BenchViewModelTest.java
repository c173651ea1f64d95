package knobscape.lab.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Lines;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.OwnScreen;
import knobscape.evaluate.UserError;
import knobscape.lab.bench.Bench;
import knobscape.lab.bench.BenchReport;
import knobscape.lab.window.BenchViewModel.State;
import knobscape.project.BoxTools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchViewModelTest {
    @TempDir
    private Path folder;

    private final OwnScreen screen = new OwnScreen();
    private final Messages messages = new Messages();
    private final Settings settings = Settings.inMemory();

    /// A bench that does what it is told.
    private record Told(String name, java.util.function.Function<Bench.Job, BenchReport> work) implements Bench {
        @Override
        public String description() {
            return "Does as told.";
        }

        @Override
        public BenchReport run(Job job) {
            return work.apply(job);
        }
    }

    private static BenchReport report(String name, double value) {
        return new BenchReport(
                name,
                "A table.",
                List.of(new BenchReport.Column("k", "kernel"), new BenchReport.Column("v", "value")),
                List.of(List.of(BenchReport.Cell.of("aes"), BenchReport.Cell.of(value))),
                List.of(new BenchReport.Aim("small", value, "at most 1", value <= 1)),
                List.of("A note."));
    }

    private final class Nobody implements FileChoices {
        @Override
        public Optional<Path> openFile(String title, List<Kind> kinds) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> openFolder(String title) {
            return Optional.of(folder.resolve("chosen"));
        }

        @Override
        public Optional<Path> saveFile(String title, String name, Kind kind) {
            return Optional.empty();
        }

        @Override
        public boolean agrees(String what, List<knobscape.evaluate.report.FilePlan> plans) {
            return true;
        }
    }

    private BenchViewModel model(Bench... benches) {
        return new BenchViewModel(
                screen,
                messages,
                settings,
                new Nobody(),
                BoxTools.tools(),
                Optional.empty(),
                List.of(benches),
                folder.resolve("results"));
    }

    private static double value(BenchViewModel m) {
        return ((BenchReport.Cell.Number)
                        m.shown().get().orElseThrow().report().rows().getFirst().get(1))
                .value();
    }

    @Test
    void aBenchRunsInTheBackgroundTellsWhatItDoesAndLeavesItsTable() throws InterruptedException {
        var asked = new AtomicReference<Bench.Job>();
        BenchViewModel m = model(new Told("one", job -> {
            asked.set(job);
            job.progress().accept("half way");
            return report("one", 0.5);
        }));
        m.quick().set(false);
        m.seeds().set(" 3 ");
        m.chooseData();
        m.run();
        assertThat(m.state().get()).isEqualTo(State.RUNNING);
        screen.await(() -> m.state().get() == State.IDLE);
        assertThat(asked.get().seeds()).contains(3);
        assertThat(asked.get().data()).contains(folder.resolve("chosen"));
        assertThat(asked.get().quick()).isFalse();
        assertThat(value(m)).isEqualTo(0.5);
        screen.await(() -> m.lines().size() >= 2 || m.lines().contains("half way"));
        assertThat(folder.resolve("results/one/one.json")).exists();

        // Another window finds the table again, without running.
        BenchViewModel later = model(new Told("one", job -> report("one", 9)));
        assertThat(value(later)).isEqualTo(0.5);
        assertThat(later.data().get()).contains(folder.resolve("chosen"));
    }

    @Test
    void aStoppedBenchSaysThatItCanBeResumed() throws InterruptedException {
        var begun = new CountDownLatch(1);
        BenchViewModel m = model(new Told("slow", job -> {
            begun.countDown();
            while (true) {
                job.cancel().throwIfCancelled();
                Thread.onSpinWait();
            }
        }));
        m.run();
        begun.await();
        m.run();
        m.stop();
        assertThat(m.state().get()).isEqualTo(State.STOPPING);
        screen.await(() -> m.state().get() == State.IDLE);
        assertThat(m.lines().getLast()).startsWith("Stopped. Run resumes");
        assertThat(m.shown().get()).isEmpty();
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void whatGoesWrongIsSaid() throws InterruptedException {
        BenchViewModel m = model(new Told("needy", job -> {
            throw new UserError("Measured designs are needed.");
        }));
        m.seeds().set("many");
        m.run();
        assertThat(messages.shown().getFirst().text()).startsWith("Seeds must be a whole number");
        assertThat(m.state().get()).isEqualTo(State.IDLE);
        m.seeds().set("");
        m.run();
        screen.await(() -> m.state().get() == State.IDLE);
        assertThat(messages.shown().getFirst().text()).isEqualTo("Measured designs are needed.");
    }

    @Test
    void aTableThatWasKeptIsOpenedAndStaysThoughItsBenchHasAnother() throws IOException {
        BenchViewModel m = model(new Told("one", job -> report("one", 1)), new Told("two", job -> report("two", 2)));
        Path kept = Files.createDirectories(folder.resolve("results/two-quick")).resolve("two.json");
        Files.writeString(kept, report("two", 2).json().toString());
        Path file = Files.writeString(
                Files.createDirectories(folder.resolve("old")).resolve("two.json"),
                report("two", 7).json().toString());
        m.open(file);
        assertThat(m.selected().get().name()).isEqualTo("two");
        assertThat(value(m)).isEqualTo(7);
        m.selected().set(m.benches().getFirst());
        assertThat(m.shown().get()).isEmpty();
        m.selected().set(m.benches().getLast());
        assertThat(value(m)).isEqualTo(2);
        m.open(Files.writeString(folder.resolve("broken.json"), "[1"));
        assertThat(messages.shown().getFirst().text()).contains("broken.json").contains("is not the table of a bench");
        assertThat(value(m)).isEqualTo(2);
    }

    @Test
    void curvesAreMeansOverSeedsFromTheMomentAllHaveAValue() throws IOException {
        Files.writeString(
                folder.resolve("curves.csv"),
                "kernel,method,seed,tool hours,ADRS\r\naes,cgp,1,1,0.8\r\naes,cgp,1,3,0.2\r\naes,cgp,2,2,0.4\r\naes,ann,1,5,0.5\r\n");
        Lines lines = BenchCurves.read(folder).get("aes");
        assertThat(lines.lines())
                .containsExactly(
                        new Lines.Line(
                                "cgp",
                                new double[] {2, 3},
                                new double[] {0.6000000000000001, 0.30000000000000004},
                                Lines.Form.STAIRS),
                        new Lines.Line("ann", new double[] {5}, new double[] {0.5}, Lines.Form.STAIRS));
        assertThat(lines.xLabel()).isEqualTo("Tool hours");
        assertThat(BenchCurves.read(folder.resolve("none"))).isEmpty();
        Files.writeString(folder.resolve("curves.csv"), "kernel,method,seed,tool hours,ADRS\naes,cgp,1,soon,0.8\n");
        assertThatThrownBy(() -> BenchCurves.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("curves.csv:2");
    }

    @Test
    void wholeNumbersKeptAsWordsAreCounts() {
        var columns = List.of(
                new BenchReport.Column("k", "kernel"),
                new BenchReport.Column("s", "space"),
                new BenchReport.Column("v", "value"));
        var cells = List.of(BenchReport.Cell.of("aes"), BenchReport.Cell.of("4525056"), BenchReport.Cell.of(2));
        var report = new BenchReport("b", "A table.", columns, List.of(cells), List.of(), List.of());
        assertThat(List.of(BenchView.isCount(report, 0), BenchView.isCount(report, 1), BenchView.isCount(report, 2)))
                .containsExactly(false, true, false);
        assertThat(BenchView.isCount(new BenchReport("b", "A table.", columns, List.of(), List.of(), List.of()), 1))
                .isFalse();
    }
}

package knobscape.app.ui.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.hls.HlsViewModel;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.OwnScreen;
import knobscape.app.ui.undo.UndoStack;
import knobscape.project.BoxTools;
import knobscape.project.Runner;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastRunTest {
    private final Settings settings = Settings.inMemory();

    @TempDir
    private Path folder;

    private static final class NoFiles implements FileChoices {
        @Override
        public Optional<Path> openFile(String title, List<Kind> kinds) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> openFolder(String title) {
            return Optional.empty();
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

    @Test
    void workThatWasRunShowsItsFrontBestValueAndState() throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("kernel.cpp"), "void f() { }\n");
        assertThat(LastRun.of(source, new SummaryCache(settings))).isEmpty();
        var screen = new OwnScreen();
        try (Runner runner = Runner.withSystemClocks()) {
            var model = new HlsViewModel(
                    screen,
                    BoxTools.tools(),
                    runner,
                    new Messages(),
                    new UndoStack(),
                    Settings.inMemory(),
                    new NoFiles());
            model.open(source);
            model.runs().form().text(RunSettings.STEPS).set("3");
            model.runs().form().text(RunSettings.INITIAL).set("4");
            model.runs().start();
            screen.await(() -> model.runs().status().get().state() == RunState.COMPLETED
                    && !model.runs().anyActive());
            model.close();
            LastRun last = LastRun.of(source, new SummaryCache(settings)).orElseThrow();
            assertThat(last.best()).endsWith("s");
            assertThat(last.front()).matches("front [1-9][0-9]*");
            assertThat(last.state()).startsWith("completed today ");
            assertThat(last.thumbnail()).isNotEmpty().allSatisfy(p -> {
                assertThat(p[0]).isBetween(0.0, 1.0);
                assertThat(p[1]).isBetween(0.0, 1.0);
            });
            isReadOnceUntilARunChanges(source, last);
        }
    }

    /// The settings say whether it was read: what they keep is shown as long as no run changed.
    private void isReadOnceUntilARunChanges(Path source, LastRun last) {
        String key = settings.under("").keySet().stream()
                .filter(k -> k.startsWith("start.found."))
                .findFirst()
                .orElseThrow();
        String kept = settings.get(key).orElseThrow();
        settings.put(key, kept.replace("\"front " + last.front().substring(6), "\"front 77"));
        assertThat(again(source).front()).isEqualTo("front 77");
        settings.put(key, kept.replaceFirst("20[0-9]{2}-", "1999-"));
        assertThat(again(source).front()).isEqualTo(last.front());
        settings.put(key, "{\"of\": 1");
        assertThat(again(source).front()).isEqualTo(last.front());
        settings.put(key, kept.replace("\"best\"", "\"worst\""));
        assertThat(again(source).best()).isEqualTo(last.best());
        new SummaryCache(settings).keepOnly(List.of(source));
        assertThat(settings.get(key)).isPresent();
        new SummaryCache(settings).keepOnly(List.of(folder));
        assertThat(settings.get(key)).isEmpty();
    }

    private LastRun again(Path source) {
        return LastRun.of(source, new SummaryCache(settings)).orElseThrow();
    }

    @Test
    void whatCannotBeReadShowsNothing() throws IOException {
        Path project = Files.createDirectory(folder.resolve("p"));
        assertThat(LastRun.of(project, new SummaryCache(settings))).isEmpty();
        Files.writeString(project.resolve("knobscape.json"), "{");
        assertThat(LastRun.of(project, new SummaryCache(settings))).isEmpty();
    }

    @Test
    void earlierDaysAreDates() {
        var at = Instant.parse("2026-03-04T08:05:00Z");
        assertThat(LastRun.when(at, ZoneOffset.UTC, LocalDate.of(2026, 3, 4))).isEqualTo("today 08:05");
        assertThat(LastRun.when(at, ZoneOffset.UTC, LocalDate.of(2026, 3, 5))).isEqualTo("2026-03-04");
    }
}

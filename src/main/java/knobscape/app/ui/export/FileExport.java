package knobscape.app.ui.export;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.PlotExport;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.FilePlan;

/// Writes what areas export: asks where first, shows what would be written into a folder or over a file, writes
/// away from the screen, says what was written.
///
/// @param background where files are written
/// @param choices asks for files
/// @param messages takes what was done and what went wrong
/// @param sources never lets a file that the open work is made from be replaced
public record FileExport(Background background, FileChoices choices, Messages messages, Supplier<FileGuard> sources) {
    /// Tables.
    public static final Kind CSV = new Kind("Comma-separated values", List.of("csv"));
    private static final Kind PNG = new Kind("PNG picture", List.of("png"));
    private static final Kind SVG = new Kind("SVG picture", List.of("svg"));

    /// Files for folders, and the sentence that says they are written.
    public record ExportBatch(List<FilePlan> plans, String done) {}

    /// Text into a file asked for; where one is there, how it changes is shown first.
    ///
    /// @param what the subject of the sentence that says it is done
    public void save(String title, String name, Kind kind, String what, Callable<String> text) {
        choices.saveFile(title, name, kind).ifPresent(file -> {
            FileGuard guard = sources.get();
            prepare(
                    what,
                    () -> {
                        byte[] content = text.call().getBytes(StandardCharsets.UTF_8);
                        var plan = new FilePlan(
                                guard, folder(file), Map.of(file.getFileName().toString(), content), Map.of());
                        return new ExportBatch(List.of(plan.checked()), what + " was written to " + file + ".");
                    },
                    p -> {
                        FilePlan plan = p.plans().getFirst();
                        if (!Files.exists(file) || choices.agrees(what, p.plans())) {
                            run(what, () -> {
                                FileOutput.write(
                                        file, plan.files().values().iterator().next());
                                return p.done();
                            });
                        }
                    });
        });
    }

    private static Path folder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file.toAbsolutePath() : folder;
    }

    /// Files into a folder asked for, after what would be written there is shown.
    ///
    /// @param title of the question for a folder
    /// @param what the subject of the sentence that says what went wrong
    /// @param files for the folder
    public void folder(String title, String what, Function<Path, ExportBatch> files) {
        choices.openFolder(title)
                .ifPresent(folder -> prepare(
                        what,
                        () -> {
                            ExportBatch p = files.apply(folder);
                            p.plans().forEach(FilePlan::checked);
                            return p;
                        },
                        p -> {
                            if (choices.agrees(what, p.plans())) {
                                run(what, () -> {
                                    p.plans().forEach(FilePlan::write);
                                    return p.done();
                                });
                            }
                        }));
    }

    private void prepare(String what, Callable<ExportBatch> work, java.util.function.Consumer<ExportBatch> then) {
        background.compute(work, then, e -> messages.fail(what + " cannot be written", e));
    }

    /// A figure.
    public void figure(String name, FigureView.Content content, boolean svg) {
        content.plot()
                .ifPresentOrElse(
                        f -> choices.saveFile("Save the figure", name + (svg ? ".svg" : ".png"), svg ? SVG : PNG)
                                .ifPresent(file -> {
                                    FileGuard guard = sources.get();
                                    run("The figure", () -> {
                                        guard.check(
                                                folder(file),
                                                List.of(file.getFileName().toString()));
                                        FileOutput.write(
                                                file, svg ? PlotExport.svg(f.call()) : PlotExport.png(f.call()));
                                        return "The figure was written to " + file + ".";
                                    });
                                }),
                        () -> messages.show(
                                Message.warning("There is no figure to export yet: " + content.reason() + ".")));
    }

    /// Work that gives the sentence that says it is done.
    private void run(String what, Callable<String> work) {
        background.compute(
                work, done -> messages.show(Message.done(done)), e -> messages.fail(what + " cannot be written", e));
    }
}

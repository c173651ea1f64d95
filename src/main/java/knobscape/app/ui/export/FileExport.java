package knobscape.app.ui.export;

import java.util.List;
import java.util.concurrent.Callable;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.PlotExport;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.report.FileOutput;

/// Writes what areas export: asks where first, writes away from the screen, says what was written.
///
/// @param background where files are written
/// @param choices asks for files
/// @param messages takes what was done and what went wrong
public record FileExport(Background background, FileChoices choices, Messages messages) {
    /// Tables.
    public static final Kind CSV = new Kind("Comma-separated values", List.of("csv"));
    private static final Kind PNG = new Kind("PNG picture", List.of("png"));
    private static final Kind SVG = new Kind("SVG picture", List.of("svg"));

    /// Text into a file asked for.
    ///
    /// @param what the subject of the sentence that says it is done
    public void save(String title, String name, Kind kind, String what, Callable<String> text) {
        choices.saveFile(title, name, kind)
                .ifPresent(file -> run(what, () -> {
                    FileOutput.write(file, text.call());
                    return what + " was written to " + file + ".";
                }));
    }

    /// A figure.
    public void figure(String name, FigureView.Content content, boolean svg) {
        content.plot()
                .ifPresentOrElse(
                        f -> choices.saveFile("Save the figure", name + (svg ? ".svg" : ".png"), svg ? SVG : PNG)
                                .ifPresent(file -> run("The figure", () -> {
                                    FileOutput.write(file, svg ? PlotExport.svg(f.call()) : PlotExport.png(f.call()));
                                    return "The figure was written to " + file + ".";
                                })),
                        () -> messages.show(
                                Message.warning("There is no figure to export yet: " + content.reason() + ".")));
    }

    /// Work that gives the sentence that says it is done.
    public void run(String what, Callable<String> work) {
        background.compute(
                work, done -> messages.show(Message.done(done)), e -> messages.fail(what + " cannot be written", e));
    }
}

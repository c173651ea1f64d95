package knobscape.app.ui.hls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.Shown;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Curves;
import knobscape.app.ui.plot.Plot;
import knobscape.app.ui.plot.PlotExport;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.Metric;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.DesignJson;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.project.Design;
import knobscape.project.Opened;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;

/// Writes what the person asks for: one design as directives or annotated source, the designs shown as CSV or
/// JSON, plots as PNG or SVG. Asks where first; writes away from the screen; says afterwards what was written.
public final class ExportViewModel {
    private static final Kind CSV = new Kind("Comma-separated values", List.of("csv"));
    private static final Kind JSON = new Kind("JSON", List.of("json"));
    private static final Kind PNG = new Kind("PNG picture", List.of("png"));
    private static final Kind SVG = new Kind("SVG picture", List.of("svg"));

    private final Background background;
    private final FileChoices choices;
    private final Messages messages;
    private final Results results;

    /// What is being exported from.
    ///
    /// @param workbench the project
    /// @param run the selected run; empty before the first
    /// @param curves its curves
    public record Origin(Opened<HlsWorkbench> workbench, Optional<RunRecord> run, Curves curves) {}

    private final Function<Boolean, Optional<Origin>> origin;

    /// @param background where files are written
    /// @param choices asks where
    /// @param messages says what was written, or why not
    /// @param results holds the selection and the filter
    /// @param origin what is shown now; the argument says whether a run is needed (the baseline can be
    /// exported without)
    public ExportViewModel(
            Background background,
            FileChoices choices,
            Messages messages,
            Results results,
            Function<Boolean, Optional<Origin>> origin) {
        this.background = background;
        this.choices = choices;
        this.messages = messages;
        this.results = results;
        this.origin = origin;
    }

    /// Whether a design is selected.
    public BooleanExpression canExportDesign() {
        return Bindings.createBooleanBinding(
                () -> results.selectedDesign().isPresent(), results.selected(), results.shown());
    }

    /// Whether there are designs.
    public BooleanExpression canExportDesigns() {
        return Bindings.createBooleanBinding(() -> results.set().size() > 0, results.shown());
    }

    /// Writes the selected design as `directives.tcl` with its sources and a script for the vendor's tool, into
    /// a folder asked for.
    public void tcl(Dialect dialect) {
        design("Choose a folder for the Tcl directives", "Tcl directives", dialect, HlsExporter::tcl);
    }

    /// Writes the sources with the selected design's directives as pragmas, into a folder asked for.
    public void annotatedSource(Dialect dialect) {
        design("Choose a folder for the annotated source", "Annotated source", dialect, HlsExporter::pragmas);
    }

    private interface DesignWriter {
        HlsExporter.Written write(
                HlsExporter exporter,
                knobscape.hls.space.DirectiveSpace space,
                knobscape.space.Configuration configuration,
                Path folder);
    }

    private void design(String title, String what, Dialect dialect, DesignWriter writer) {
        Optional<Design> design = results.selectedDesign();
        Optional<Origin> from = origin.apply(false);
        if (design.isEmpty() || from.isEmpty()) {
            messages.show(Message.warning("Select a design to export first."));
            return;
        }
        if (from.get().workbench().bench().measured().isPresent()) {
            messages.show(Message.warning(
                    "Measured designs have no source to write directives for; export them as CSV or JSON."));
            return;
        }
        Optional<Path> folder = choices.openFolder(title);
        if (folder.isEmpty()) {
            return;
        }
        run(what, () -> {
            Opened<HlsWorkbench> opened =
                    RunViewModel.workbench(from.get().workbench(), from.get().run());
            HlsWorkbench bench = opened.bench();
            var settings = new HlsExporter.Settings(
                    bench.tools().toolPart().apply(bench.settings().part()),
                    bench.settings().clockNs(),
                    true,
                    bench.settings().includeDirs().stream()
                            .map(opened.project()::resolve)
                            .toList(),
                    bench.settings().defines());
            HlsExporter.Written written = writer.write(
                    new HlsExporter(dialect, settings),
                    bench.directives(),
                    design.get().configuration(),
                    folder.get());
            return what + " of " + Results.title(design.get().number()) + " for " + dialect.words() + " written to "
                    + folder.get() + " (" + written.files().size() + " files)." + notes(written);
        });
    }

    private static String notes(HlsExporter.Written written) {
        return written.notes().isEmpty()
                ? ""
                : " " + written.notes().size() + (written.notes().size() == 1 ? " note: " : " notes, the first: ")
                        + written.notes().getFirst().message();
    }

    /// Writes the designs that pass the filter as CSV.
    public void csv() {
        designs("Save the designs shown as CSV", CSV, "csv", DesignCsv::write);
    }

    /// Writes the designs that pass the filter as JSON.
    public void json() {
        designs("Save the designs shown as JSON", JSON, "json", table -> new DesignJson().write(table));
    }

    private void designs(
            String title, Kind kind, String extension, Function<knobscape.evaluate.report.DesignTable, String> form) {
        Optional<Origin> from = origin.apply(true);
        if (from.isEmpty()) {
            messages.show(Message.warning("There is no run to export yet."));
            return;
        }
        Origin o = from.get();
        Optional<Path> file = choices.saveFile(
                title,
                o.workbench().project().name() + "-run" + o.run().orElseThrow().id() + "." + extension,
                kind);
        if (file.isEmpty()) {
            return;
        }
        Shown shown = results.shown().get();
        run("The designs", () -> {
            RunResults stored = o.workbench()
                    .project()
                    .runs()
                    .orElseThrow()
                    .results(o.run().orElseThrow().id());
            List<Design> chosen = stored.designs().stream()
                    .filter(d -> shown.set().indexOf(d.number()).isPresent() && shown.matches(d.number() - 1))
                    .filter(d -> !d.evaluations().isEmpty())
                    .toList();
            FileOutput.write(file.get(), form.apply(RunFiles.table(o.workbench().project(), stored, chosen)));
            return chosen.size() + (chosen.size() == 1 ? " design" : " designs") + " written to " + file.get() + ".";
        });
    }

    /// Writes a scatter plot of two metrics.
    public void plot(Metric x, Metric y, boolean log, boolean asSvg) {
        Shown shown = results.shown().get();
        picture(x.name() + "-" + y.name(), asSvg, () -> PlotExport.scatter(shown, x, y, log));
    }

    /// Writes the hypervolume curves.
    public void hypervolume(boolean asSvg) {
        origin.apply(true).ifPresent(o -> picture("hypervolume", asSvg, () -> o.curves()));
    }

    private void picture(String name, boolean asSvg, java.util.function.Supplier<Plot> picture) {
        String extension = asSvg ? "svg" : "png";
        Optional<Path> file = choices.saveFile("Save the plot", name + "." + extension, asSvg ? SVG : PNG);
        file.ifPresent(f -> run("The plot", () -> {
            FileOutput.write(f, asSvg ? PlotExport.svg(picture.get()) : PlotExport.png(picture.get()));
            return "Plot written to " + f + ".";
        }));
    }

    private void run(String what, Callable<String> work) {
        background.compute(
                work, done -> messages.show(Message.done(done)), e -> messages.fail(what + " cannot be written", e));
    }
}

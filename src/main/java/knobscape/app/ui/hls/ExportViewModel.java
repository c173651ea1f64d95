package knobscape.app.ui.hls;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.export.DesignsExport;
import knobscape.app.ui.export.FileExport;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.hls.source.SourceOverlay;
import knobscape.app.ui.insight.Insight;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.plot.Curves;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.plot.Plot;
import knobscape.app.ui.plot.PlotsView.Pair;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.view.Nodes;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.DirectiveSpace;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.Session;
import knobscape.space.Configuration;

/// Writes what the person asks for: one design as directives or annotated source, the designs shown as CSV or
/// JSON, plots as PNG or SVG.
public final class ExportViewModel {
    private static final Pattern ORIGIN = Pattern.compile("run (\\d{1,18}), #(\\d{1,9})\\b");

    private final FileExport files;
    private final Results results;

    /// The origin of an export.
    ///
    /// @param workbench the open project
    /// @param run the run shown, of several the newest; empty before the first
    /// @param several whether the designs of all runs are taken together
    /// @param curves hypervolume as shown
    private record Origin(Session<HlsWorkbench> workbench, Optional<RunRecord> run, boolean several, Curves curves) {}

    private final DesignWork<HlsWorkbench> work;

    ExportViewModel(DesignWork<HlsWorkbench> work) {
        this.work = work;
        this.files = work.files();
        this.results = work.models().results();
    }

    /// The origin of an export; empty where none is open.
    ///
    /// @param runNeeded whether there must be a run; a directive space that was never run can be exported without
    private Optional<Origin> origin(boolean runNeeded) {
        RunViewModel runs = work.runs();
        boolean several = runs.best().get();
        Optional<RunRecord> shown =
                runs.current().get().or(() -> several ? runs.runs().stream().reduce((a, b) -> b) : Optional.empty());
        return work.session()
                .get()
                .filter(w -> !runNeeded || shown.isPresent())
                .map(w -> new Origin(w, shown, several, work.pictures().curves().get()));
    }

    /// True if there are designs.
    public BooleanExpression canExportDesigns() {
        return Bindings.createBooleanBinding(() -> results.set().size() > 0, results.shown());
    }

    /// Writes the selected design as `directives.tcl` with its sources and a script for the vendor's tool, into
    /// a folder asked for.
    public void tcl(Dialect dialect) {
        design("Tcl directives", dialect, HlsExporter::planTcl);
    }

    /// Writes the selected design as `hls_config.cfg` with its sources, into a folder asked for.
    public void configuration() {
        design("Configuration file", Dialect.VITIS_HLS, HlsExporter::planConfig);
    }

    /// Writes the sources with the selected design's directives as pragmas, into a folder asked for.
    public void annotatedSource(Dialect dialect) {
        design("Annotated source", dialect, HlsExporter::planPragmas);
    }

    /// Puts the pragmas of the selected design on the clipboard, each with the line it follows.
    public void copyPragmas() {
        results.selectedDesign()
                .ifPresent(d -> origin(false)
                        .ifPresent(from -> files.background()
                                .compute(
                                        () -> SourceOverlay.of(
                                                        DesignPictures.workbench(from.workbench(), from.run())
                                                                .bench(),
                                                        d.configuration())
                                                .text(),
                                        text -> {
                                            Nodes.copy(text);
                                            files.messages()
                                                    .show(Message.done(
                                                            text.isEmpty()
                                                                    ? Results.title(d.number()) + " has no directives."
                                                                    : "The pragmas of " + Results.title(d.number())
                                                                            + " were copied."));
                                        },
                                        e -> files.messages().fail("The pragmas cannot be written", e))));
    }

    /// Puts the command line that exports the selected design on the clipboard.
    public void copyCommand() {
        results.selectedDesign()
                .ifPresent(d -> origin(true).ifPresent(from -> {
                    // Of several runs taken together the design says which one it is of.
                    var origin = ORIGIN.matcher(d.reason());
                    boolean found = origin.lookingAt();
                    long run = found
                            ? Long.parseLong(origin.group(1))
                            : from.run().orElseThrow().id();
                    String command = "knobscape export \""
                            + from.workbench().project().text(run) + "\" --design "
                            + (found ? origin.group(2) : String.valueOf(d.number())) + " --as tcl";
                    Nodes.copy(command);
                    files.messages().show(Message.done(command + " copied."));
                }));
    }

    private interface DesignWriter {
        HlsExporter.Plan plan(HlsExporter exporter, DirectiveSpace space, Configuration configuration, Path folder);
    }

    private void design(String what, Dialect dialect, DesignWriter writer) {
        Optional<Design> design = results.selectedDesign();
        Optional<Origin> from = origin(false);
        if (design.isEmpty() || from.isEmpty()) {
            files.messages().show(Message.warning("Select a design to export first."));
        } else {
            files.folder("Choose a folder: " + what, what, folder -> {
                HlsExporter.Plan plan = plan(from.get(), design.get(), dialect, writer, folder);
                return new FileExport.ExportBatch(
                        List.of(plan.files()),
                        what + " of " + Results.title(design.get().number()) + " for " + dialect.words()
                                + " written to " + folder + " ("
                                + plan.files().files().size() + " files)." + notes(plan.notes()));
            });
        }
    }

    private static HlsExporter.Plan plan(
            Origin from, Design design, Dialect dialect, DesignWriter writer, Path folder) {
        Session<HlsWorkbench> opened = DesignPictures.workbench(from.workbench(), from.run());
        HlsWorkbench bench = opened.bench();
        HlsExporter.Settings settings = bench.kernelWork()
                .toolWork()
                .settings(true, Optional.of(opened.project().folder()));
        return writer.plan(new HlsExporter(dialect, settings), bench.directives(), design.configuration(), folder);
    }

    private static String notes(List<SourceNote> notes) {
        int n = notes.size();
        return n == 0
                ? ""
                : " " + n + (n == 1 ? " note: " : " notes, the first: ")
                        + notes.getFirst().message();
    }

    /// Writes the designs that pass the filter as CSV.
    public void csv() {
        designs(true);
    }

    /// Writes the designs that pass the filter as JSON.
    public void json() {
        designs(false);
    }

    private void designs(boolean isCsv) {
        Optional<Origin> from = origin(true);
        if (from.isEmpty()) {
            files.messages().show(Message.warning("There is no run to export yet."));
            return;
        }
        Project project = from.get().workbench().project();
        RunRecord run = from.get().run().orElseThrow();
        Map<String, String> how = RunFiles.origin(project, run);
        if (from.get().several()) {
            how.put("run", "best of all runs");
            List.of("method", "seed").forEach(how::remove);
        }
        new DesignsExport(files, results)
                .save(
                        isCsv,
                        project.name() + (from.get().several() ? "-runs" : "-run" + run.id()),
                        project.name(),
                        how);
    }

    /// Writes one page with settings, figures, the front, what decides it, and where everything comes from.
    public void html(Optional<Pair> pair, Optional<Insight> insight) {
        Optional<Origin> from = origin(true);
        if (from.isEmpty()) {
            files.messages().show(Message.warning("There is no run to report yet."));
            return;
        }
        VisibleDesigns shown = results.shown().get();
        Project project = from.get().workbench().project();
        RunRecord run = from.get().run().orElseThrow();
        boolean several = from.get().several();
        Curves curves = from.get().curves();
        files.save(
                "Save the report",
                project.name() + (several ? "-runs" : "-run" + run.id()) + ".html",
                new Kind("Web page", List.of("html")),
                "The report",
                () -> {
                    var figures = new LinkedHashMap<String, Plot>();
                    if (pair.isPresent()) {
                        figures.put(
                                pair.get().x().label() + " and "
                                        + pair.get().y().label(),
                                pair.get().content(shown).plot().orElseThrow().call());
                    }
                    if (!curves.curves().isEmpty()) {
                        figures.put("Hypervolume", curves);
                    }
                    List<RunRecord> runs = several
                            ? DesignPictures.alike(
                                    project.runs().orElseThrow(),
                                    r -> HlsFiles.shows(from.get().workbench(), r))
                            : List.of(run);
                    return new HtmlReport(project, runs, shown.set(), figures, insight).text();
                });
    }

    /// Writes a scatter plot of two metrics.
    public void plot(Pair pair, boolean svg) {
        VisibleDesigns shown = results.shown().get();
        files.figure(pair.x().name() + "-" + pair.y().name(), pair.content(shown), svg);
    }

    /// Writes the hypervolume curves.
    public void hypervolume(boolean svg) {
        origin(true).ifPresent(o -> files.figure("hypervolume", Content.plot(o::curves), svg));
    }
}

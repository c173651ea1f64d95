package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.export.PragmaWriter;
import knobscape.hls.export.TclWriter;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.open.OpenFlow;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;

/// The directives of a design as files for the vendor's tool.
///
/// @param wanted what they are written for, the tool of the project where empty
/// @param implement whether the tool's script runs implementation
/// @param tools the parts HLS work is put together from
record DirectivesExport(
        ExportOutput output, ExportForm form, Optional<Dialect> wanted, boolean implement, HlsTools tools) {
    void write(Project project, RunResults results, Design chosen, ForceOption overwriting) {
        RunRecord record = results.run();
        HlsWorkbench bench = HlsWorkbench.open(project, record.work(HlsSettings.class), tools);
        var space = bench.directives();
        ToolOptions options = bench.kernelWork().toolWork().options();
        Dialect tool = wanted.orElse(options.dialect());
        if (!bench.sourceHash().equals(record.sourceHash())
                || !bench.space().knobs().equals(record.knobs())) {
            throw new UserError("The source or its directive file has changed since run " + record.id()
                    + "; only --as json and --as csv still fit it.");
        }
        if (form == ExportForm.VERILOG) {
            Map<String, String> files = bench.kernelWork()
                    .verilog(chosen.configuration(), record.settings().toolchain());
            if (output.out().isPresent()) {
                output.write(List.of(new FilePlan(
                        overwriting.guard(project, record.work()), output.folder(), FileGuard.bytes(files), Map.of())));
            } else {
                output.document(OpenFlow.DESIGN, requireNonNull(files.get(OpenFlow.DESIGN)));
            }
            return;
        }
        if (form == ExportForm.CFG && tool == Dialect.VIVADO_HLS) {
            throw new UserError("Vivado HLS reads no configuration files; leave --tool out, or export as tcl.");
        }
        if (output.out().isPresent() || form == ExportForm.CFG) {
            HlsExporter.Settings settings =
                    bench.kernelWork().toolWork().settings(implement, Optional.of(project.folder()));
            var exporter = new HlsExporter(tool, settings, overwriting.guard(project, record.work()));
            var plan = switch (form) {
                case TCL -> exporter.planTcl(space, chosen.configuration(), output.folder());
                case CFG ->
                    exporter.planConfig(
                            space,
                            chosen.configuration(),
                            output.out().isPresent()
                                    ? output.folder()
                                    : output.verb().context().here());
                default -> exporter.planPragmas(space, chosen.configuration(), output.folder());
            };
            output.notes(plan.notes());
            if (output.out().isEmpty()) {
                output.document(
                        HlsExporter.CONFIG,
                        new String(
                                requireNonNull(plan.files().files().get(HlsExporter.CONFIG)), StandardCharsets.UTF_8));
                return;
            }
            output.write(List.of(plan.files()));
        } else if (form == ExportForm.TCL) {
            var tcl = new TclWriter(tool, options).write(space, chosen.configuration());
            output.notes(tcl.notes());
            output.document("directives.tcl", tcl.text());
        } else {
            var annotated = new PragmaWriter(tool).write(space, chosen.configuration());
            output.notes(annotated.notes());
            if (annotated.files().size() > 1 && !output.verb().isJson()) {
                throw new UserError("The pragmas of design #" + chosen.number() + " go into "
                        + annotated.files().size() + " files; name a folder for them with --out.");
            }
            annotated.files().forEach(output::document);
            if (annotated.files().isEmpty()) {
                output.document(bench.kernel().file(), bench.kernel().text());
            }
        }
    }
}

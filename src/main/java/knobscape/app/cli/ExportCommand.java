package knobscape.app.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.DesignJson;
import knobscape.evaluate.report.DesignTable;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.export.TuningExport;
import knobscape.hls.export.Dialect;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunResults;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// `knobscape export`: a design of a run as files for the vendor's tool or as Verilog, or designs as a table.
@Command(
        name = "export",
        description = {
            "Export a design of a run as Tcl directives, configuration file, annotated source or Verilog, or designs as CSV or JSON.",
            "Of a tuning run: kernels as CUDA or OpenCL source with a host example, schedules as JSON, measurements as CSV or as an AutoTVM log."
        })
final class ExportCommand extends Verb {
    @Parameters(
            paramLabel = "RUN",
            description =
                    "PROJECT:NUMBER, a project (its newest run; for a tuned network its best), a folder of results, or the folder of a tuning run.")
    private String run;

    @Option(
            names = "--design",
            paramLabel = "ID",
            description =
                    "Number of the design as shown (27 or #27), or its identifier; of a tuning run, a task (T1) or kernel (T1-direct). Without it, all designs or kernels.")
    private Optional<String> design = Optional.empty();

    @Option(
            names = "--as",
            paramLabel = "FORM",
            required = true,
            description =
                    "tcl, cfg, pragma, verilog (hardware with its testbench), json or csv; of a study header (C macros), command, triton (a triton.Config), vllm (fused-MoE JSON), cache or t4 (both of Kernel Tuner), json or csv; of a tuning run cuda, opencl, autotvm, tvm (schedules for TVM 0.27), json or csv.")
    private ExportForm form;

    @Option(
            names = "--tool",
            paramLabel = "NAME",
            description =
                    "Tool the directives are written for: ${COMPLETION-CANDIDATES} (default: that of --tool-version, else vitis_hls).",
            converter = DialectConverter.class,
            completionCandidates = DialectConverter.Names.class)
    private Optional<Dialect> dialect = Optional.empty();

    @Option(names = "--implement", description = "Let the tool's script run implementation after C synthesis.")
    private boolean implement;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write files into this folder (default: print on standard output).")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--dry-run",
            description =
                    "Write nothing; print which files would be written into --out, and how they differ from what is there or from the source they copy.")
    private boolean dryRun;

    @Mixin
    private ForceOption overwriting;

    ExportCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        if (dryRun && out.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "Name the folder of --dry-run with --out.");
        }
        var output = new ExportOutput(this, out, dryRun);
        var kernels = new TunedExport(output, form, run, design);
        Path folder = context().here().resolve(run).normalize();
        if (TuningExport.isAlone(folder)) {
            kernels.write(TuningExport.of(folder), overwriting.guard());
            return 0;
        }
        RunReference reference = RunReference.parse(run, context().here());
        try (Project project = reference.open()) {
            RunRecord record = reference.run(project);
            if (record.work() instanceof GpuSettings work) {
                kernels.write(
                        kernels.read(project, record, work, reference.id().isEmpty()),
                        overwriting.guard(project, work));
                return 0;
            }
            RunResults results = project.runs()
                    .orElseThrow(() -> new UserError("The project " + project.runsFolder() + " has no runs yet."))
                    .results(record.id());
            output.noteDamage(results);
            Optional<Design> chosen = design.map(results::named);
            switch (form) {
                case TCL, PRAGMA, CFG, VERILOG ->
                    new DirectivesExport(
                                    output,
                                    form,
                                    dialect,
                                    implement,
                                    context().tools().get())
                            .write(
                                    project,
                                    results,
                                    chosen.orElseThrow(() -> new ParameterException(
                                            spec().commandLine(), "Name the design to export with --design.")),
                                    overwriting);
                case JSON, CSV -> table(output, project, results, chosen);
                case HEADER, COMMAND, TRITON, VLLM, CACHE, T4 ->
                    output.text(
                            StudyForms.fileName(form),
                            StudyForms.text(form, project, results, chosen),
                            overwriting.guard(project, record.work()));
                case CUDA, OPENCL, AUTOTVM, TVM ->
                    throw new UserError("Run " + record.id()
                            + " tuned no GPU kernels; it can be exported as tcl, cfg, pragma, verilog, json or csv.");
            }
            out().flush();
            err().flush();
            return 0;
        }
    }

    private void table(ExportOutput output, Project project, RunResults results, Optional<Design> chosen) {
        DesignTable table = RunFiles.table(
                        project, results, chosen.map(List::of).orElse(results.designs()))
                .withNotes(new RunMemory(
                                Settings.load(project.runsFolder().resolve(RunMemory.FILE)),
                                results.run().id())
                        .notes()
                        .byDesign());
        String name =
                chosen.map(d -> "design-" + d.number()).orElse("designs") + (form == ExportForm.CSV ? ".csv" : ".json");
        String text = form == ExportForm.CSV ? DesignCsv.write(table) : new DesignJson().write(table);
        if (out.isPresent()) {
            output.write(name, text, overwriting.guard(project, results.run().work()));
        } else if (isJson() && form == ExportForm.CSV) {
            throw new ParameterException(spec().commandLine(), "With --json, --as csv needs --out.");
        } else {
            out().print(text);
        }
    }
}

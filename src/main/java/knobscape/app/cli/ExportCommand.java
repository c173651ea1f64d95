package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.DesignJson;
import knobscape.evaluate.report.DesignTable;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.FilePlan;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.GpuExporter;
import knobscape.gpu.export.RecordTable;
import knobscape.gpu.export.TuningExport;
import knobscape.gpu.export.TuningRecord;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.export.TvmModule;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.export.PragmaWriter;
import knobscape.hls.export.TclWriter;
import knobscape.hls.source.SourceNote;
import knobscape.project.BestTuning;
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
import tools.jackson.databind.json.JsonMapper;

/// `knobscape export`: a design of a run as files for the vendor's tool, or designs as a table.
@Command(
        name = "export",
        description = {
            "Export a design of a run as Tcl directives, configuration file or annotated source, or designs as CSV or JSON.",
            "Of a tuning run: kernels as CUDA or OpenCL source with a host example, schedules as JSON, measurements as CSV or as an AutoTVM log."
        })
final class ExportCommand extends Verb {
    /// What can leave.
    enum Form {
        TCL,
        PRAGMA,
        CFG,
        JSON,
        CSV,
        CUDA,
        OPENCL,
        AUTOTVM,
        TVM,
        HEADER,
        COMMAND
    }

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
                    "tcl, cfg, pragma, json or csv; of a study header (C macros), command, json or csv; of a tuning run cuda, opencl, autotvm, tvm (schedules for TVM 0.27), json or csv.")
    private Form form;

    @Option(
            names = "--tool",
            paramLabel = "NAME",
            description = "Tool the directives are written for: ${COMPLETION-CANDIDATES} (default: vitis_hls).",
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
        Path folder = context().here().resolve(run).normalize();
        if (TuningExport.isAlone(folder)) {
            tuned(TuningExport.of(folder), overwriting.guard());
            return 0;
        }
        RunReference reference = RunReference.parse(run, context().here());
        try (Project project = reference.open()) {
            RunRecord record = reference.run(project);
            if (record.work() instanceof GpuSettings work) {
                tuned(tuning(project, record, work, reference.id().isEmpty()), overwriting.guard(project, work));
                return 0;
            }
            RunResults results = project.runs()
                    .orElseThrow(() -> new UserError("The project " + project.runsFolder() + " has no runs yet."))
                    .results(record.id());
            noteDamage(results);
            Optional<Design> chosen = design.map(id -> find(results, id));
            switch (form) {
                case TCL, PRAGMA, CFG ->
                    directives(
                            project,
                            results,
                            chosen.orElseThrow(() -> new ParameterException(
                                    spec().commandLine(), "Name the design to export with --design.")));
                case JSON, CSV -> table(project, results, chosen);
                case HEADER, COMMAND ->
                    text(
                            form == Form.HEADER ? "best.h" : "best.sh",
                            StudyForms.text(form == Form.HEADER, project, results, chosen),
                            overwriting.guard(project, record.work()));
                case CUDA, OPENCL, AUTOTVM, TVM ->
                    throw new UserError("Run " + record.id()
                            + " tuned no GPU kernels; it can be exported as tcl, cfg, pragma, json or csv.");
            }
            out().flush();
            err().flush();
            return 0;
        }
    }

    private void noteDamage(RunResults results) {
        if (results.damaged() > 0) {
            err().println("Note: " + results.damaged()
                    + " stored rows of this run are damaged and left out; the rest is exported.");
            err().flush();
        }
    }

    /// What a stored tuning run has for export. Where its network cannot be read any more, the files that it
    /// left are taken.
    private TuningExport tuning(Project project, RunRecord named, GpuSettings work, boolean best) {
        RunRecord run = named;
        try {
            GpuWorkbench bench = GpuWorkbench.open(project, work);
            if (!bench.sourceHash().equals(run.sourceHash())) {
                throw new UserError("The network has changed since run " + run.id()
                        + " began, so its kernels cannot be made any more.");
            }
            if (best) {
                run = BestTuning.of(project.runs().orElseThrow(), bench.network(), named);
                if (run.id() != named.id()) {
                    err().println("Run " + run.id() + " is exported, the best on "
                            + run.settings().toolchain() + "; name another by its number.");
                    err().flush();
                }
            }
            RunResults stored = project.runs().orElseThrow().results(run.id());
            noteDamage(stored);
            TuningResults results = TuningResults.of(bench.network(), stored.found());
            return TuningExport.of(
                    "Run " + run.id() + " of " + project.runsFolder(),
                    results.picture().states(),
                    results.rows());
        } catch (UserError e) {
            if (TuningExport.isOf(project.runsFolder(), run.id())) {
                return TuningExport.of(project.runsFolder());
            }
            throw e;
        }
    }

    /// Exports of a tuning run.
    private void tuned(TuningExport tuning, FileGuard guard) {
        if (List.of(Form.TCL, Form.PRAGMA, Form.CFG, Form.HEADER, Form.COMMAND).contains(form)) {
            throw new UserError(
                    "A tuning run has no directives; it can be exported as cuda, opencl, autotvm, tvm, json or csv.");
        }
        List<TuningExport.Best> kernels = tuning.kernels(design);
        if (form == Form.TVM) {
            TvmModule.ModuleText module = TvmModule.write("Kernels of " + run + " by Knobscape", kernels);
            module.left().forEach(l -> err().println("Note: " + l));
            text("schedules.py", module.text(), guard);
        } else if (form == Form.AUTOTVM || form == Form.CSV) {
            Set<String> ids =
                    kernels.stream().map(k -> k.schedule().source().id()).collect(Collectors.toSet());
            List<TuningRecord> all = tuning.records().stream()
                    .filter(r -> ids.contains(r.source().id()))
                    .toList();
            List<TuningRecord> ofTemplates =
                    all.stream().filter(r -> r.source() instanceof Template).toList();
            boolean skips = form == Form.AUTOTVM && !ofTemplates.isEmpty() && ofTemplates.size() < all.size();
            if (skips) {
                err().println("Note: " + (all.size() - ofTemplates.size())
                        + " measurements of sketches are left out: AutoTVM's log has no place for them.");
            }
            List<TuningRecord> records = skips ? ofTemplates : all;
            text(
                    form == Form.CSV ? "records.csv" : "autotvm.json",
                    form == Form.CSV ? RecordTable.write(records) : AutoTvmLog.write(records, "cuda"),
                    guard);
        } else if (out.isPresent()) {
            if (form == Form.JSON) {
                var files = new LinkedHashMap<String, String>();
                kernels.forEach(k -> files.put(k.name() + ".json", GpuExporter.json(k.schedule())));
                write(List.of(new FilePlan(guard, folder(), FileGuard.bytes(files), Map.of())));
            } else {
                write(kernels.stream()
                        .map(k -> GpuExporter.plan(k.schedule(), language(), folder().resolve(k.name()), guard))
                        .toList());
            }
        } else {
            if (kernels.size() > 1) {
                throw new UserError("The run has " + kernels.size()
                        + " kernels; name a folder for them with --out, or one of them with --design.");
            }
            Schedule s = kernels.getFirst().schedule();
            text(
                    kernels.getFirst().name(),
                    form == Form.JSON ? GpuExporter.json(s) : KernelPrinter.source(s, language()),
                    guard);
        }
        out().flush();
    }

    private knobscape.gpu.codegen.KernelLanguage language() {
        return form == Form.CUDA
                ? knobscape.gpu.codegen.KernelLanguage.CUDA
                : knobscape.gpu.codegen.KernelLanguage.OPENCL;
    }

    private void text(String name, String text, FileGuard guard) {
        if (out.isPresent()) {
            write(name, text, guard);
        } else {
            document(name, text);
        }
    }

    private static Design find(RunResults results, String id) {
        String bare = id.startsWith("#") ? id.substring(1) : id;
        return results.designs().stream()
                .filter(d -> Integer.toString(d.number()).equals(bare)
                        || d.configuration().id().equals(bare.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("Run " + results.run().id() + " has no design " + id
                        + "; it has #1 to #" + results.designs().size() + "."));
    }

    private void table(Project project, RunResults results, Optional<Design> chosen) {
        DesignTable table = RunFiles.table(
                        project, results, chosen.map(List::of).orElse(results.designs()))
                .withNotes(new RunMemory(
                                Settings.load(project.runsFolder().resolve(RunMemory.FILE)),
                                results.run().id())
                        .notes()
                        .byDesign());
        String name = chosen.map(d -> "design-" + d.number()).orElse("designs") + (form == Form.CSV ? ".csv" : ".json");
        String text = form == Form.CSV ? DesignCsv.write(table) : new DesignJson().write(table);
        if (out.isPresent()) {
            write(name, text, overwriting.guard(project, results.run().work()));
        } else if (isJson() && form == Form.CSV) {
            throw new ParameterException(spec().commandLine(), "With --json, --as csv needs --out.");
        } else {
            out().print(text);
        }
    }

    private Path folder() {
        return context().here().resolve(out.orElseThrow()).normalize();
    }

    private void write(String name, String text, FileGuard guard) {
        write(List.of(new FilePlan(guard, folder(), FileGuard.bytes(Map.of(name, text)), Map.of())));
    }

    /// Writes all, or nothing where one of the files must not be replaced; with `--dry-run` only says what
    /// would be written.
    private void write(List<FilePlan> plans) {
        plans.forEach(p -> FileOutput.requireInside(folder(), p.folder()));
        plans.forEach(FilePlan::checked);
        if (!dryRun) {
            wrote(plans.stream().flatMap(p -> p.write().stream()).toList());
        } else if (isJson()) {
            var root = JsonMapper.shared().createObjectNode().put("dryRun", true);
            var list = root.putArray("files");
            plans.forEach(p -> p.files()
                    .forEach((name, content) -> list.addObject()
                            .put("path", p.folder().resolve(name).toString())
                            .put("state", p.state(name).word())
                            .put("bytes", content.length)));
            root.put("differences", plans.stream().map(FilePlan::differences).collect(Collectors.joining()));
            print(root);
        } else {
            out().print(FilePlan.text(plans));
        }
    }

    private void directives(Project project, RunResults results, Design chosen) {
        RunRecord record = results.run();
        HlsWorkbench bench = HlsWorkbench.open(
                project, record.work(HlsSettings.class), context().tools().get());
        var space = bench.directives();
        if (!bench.sourceHash().equals(record.sourceHash())
                || !bench.space().knobs().equals(record.knobs())) {
            throw new UserError("The source or its directive file has changed since run " + record.id()
                    + "; only --as json and --as csv still fit it.");
        }
        Dialect tool = dialect.orElse(DialectConverter.DEFAULT);
        if (form == Form.CFG && tool == Dialect.VIVADO_HLS) {
            throw new UserError("Vivado HLS reads no configuration files; leave --tool out, or export as tcl.");
        }
        if (out.isPresent() || form == Form.CFG) {
            var settings = new HlsExporter.Settings(
                    context()
                            .tools()
                            .get()
                            .toolPart()
                            .apply(record.work(HlsSettings.class).part()),
                    record.work(HlsSettings.class).clockNs(),
                    implement,
                    record.work(HlsSettings.class).includeDirs().stream()
                            .map(project::resolve)
                            .toList(),
                    record.work(HlsSettings.class).defines(),
                    Optional.of(project.folder()),
                    bench.toolOptions());
            var exporter = new HlsExporter(tool, settings, overwriting.guard(project, record.work()));
            var plan = switch (form) {
                case TCL -> exporter.planTcl(space, chosen.configuration(), folder());
                case CFG ->
                    exporter.planConfig(
                            space,
                            chosen.configuration(),
                            out.isPresent() ? folder() : context().here());
                default -> exporter.planPragmas(space, chosen.configuration(), folder());
            };
            notes(plan.notes());
            if (out.isEmpty()) {
                document(
                        HlsExporter.CONFIG,
                        new String(
                                requireNonNull(plan.files().files().get(HlsExporter.CONFIG)), StandardCharsets.UTF_8));
                return;
            }
            write(List.of(plan.files()));
        } else if (form == Form.TCL) {
            var tcl = new TclWriter(tool).write(space, chosen.configuration());
            notes(tcl.notes());
            document("directives.tcl", tcl.text());
        } else {
            var annotated = new PragmaWriter(tool).write(space, chosen.configuration());
            notes(annotated.notes());
            if (annotated.files().size() > 1 && !isJson()) {
                throw new UserError("The pragmas of design #" + chosen.number() + " go into "
                        + annotated.files().size() + " files; name a folder for them with --out.");
            }
            annotated.files().forEach(this::document);
            if (annotated.files().isEmpty()) {
                document(bench.kernel().file(), bench.kernel().text());
            }
        }
    }

    private void notes(List<SourceNote> notes) {
        notes.forEach(n -> err().println("Note: " + n));
    }

    private void document(String name, String text) {
        if (isJson()) {
            var root = JsonMapper.builder().build().createObjectNode();
            root.put("file", name);
            root.put("text", text);
            print(root);
        } else {
            out().print(text.endsWith("\n") ? text : text + "\n");
        }
    }

    private void wrote(List<Path> files) {
        if (isJson()) {
            var root = JsonMapper.builder().build().createObjectNode();
            var list = root.putArray("files");
            for (Path f : files) {
                list.add(f.toString());
            }
            print(root);
        } else {
            for (Path f : files) {
                out().println(f);
            }
        }
    }
}

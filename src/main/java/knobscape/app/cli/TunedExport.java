package knobscape.app.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.codegen.KernelLanguage;
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
import knobscape.project.BestTuning;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;

/// The export of a tuning run: kernels, schedules and measurements.
///
/// @param run as it was named
/// @param design the task or kernel; empty for all
record TunedExport(ExportOutput output, ExportForm form, String run, Optional<String> design) {
    /// The exports of a stored tuning run. Where its network cannot be read any more, the files that it
    /// left are taken.
    TuningExport read(Project project, RunRecord named, GpuSettings work, boolean best) {
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
                    output.verb()
                            .err()
                            .println("Run " + run.id() + " is exported, the best on "
                                    + run.settings().toolchain() + "; name another by its number.");
                    output.verb().err().flush();
                }
            }
            RunResults stored = project.runs().orElseThrow().results(run.id());
            output.noteDamage(stored);
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
    void write(TuningExport tuning, FileGuard guard) {
        if (!List.of(
                        ExportForm.CUDA,
                        ExportForm.OPENCL,
                        ExportForm.AUTOTVM,
                        ExportForm.TVM,
                        ExportForm.JSON,
                        ExportForm.CSV)
                .contains(form)) {
            throw new UserError(
                    "A tuning run has no directives and no study; it can be exported as cuda, opencl, autotvm, tvm, json or csv.");
        }
        List<TuningExport.Best> kernels = tuning.kernels(design);
        if (form == ExportForm.TVM) {
            TvmModule.ModuleText module = TvmModule.write("Kernels of " + run + " by Knobscape", kernels);
            module.left().forEach(l -> output.verb().err().println("Note: " + l));
            output.text("schedules.py", module.text(), guard);
        } else if (form == ExportForm.AUTOTVM || form == ExportForm.CSV) {
            Set<String> ids =
                    kernels.stream().map(k -> k.schedule().source().id()).collect(Collectors.toSet());
            List<TuningRecord> all = tuning.records().stream()
                    .filter(r -> ids.contains(r.source().id()))
                    .toList();
            List<TuningRecord> ofTemplates =
                    all.stream().filter(r -> r.source() instanceof Template).toList();
            boolean skips = form == ExportForm.AUTOTVM && !ofTemplates.isEmpty() && ofTemplates.size() < all.size();
            if (skips) {
                output.verb()
                        .err()
                        .println("Note: " + (all.size() - ofTemplates.size())
                                + " measurements of sketches are left out: AutoTVM's log has no place for them.");
            }
            List<TuningRecord> records = skips ? ofTemplates : all;
            output.text(
                    form == ExportForm.CSV ? "records.csv" : "autotvm.json",
                    form == ExportForm.CSV ? RecordTable.write(records) : AutoTvmLog.write(records, "cuda"),
                    guard);
        } else if (output.out().isPresent()) {
            if (form == ExportForm.JSON) {
                var files = new LinkedHashMap<String, String>();
                kernels.forEach(k -> files.put(k.name() + ".json", GpuExporter.json(k.schedule())));
                output.write(List.of(new FilePlan(guard, output.folder(), FileGuard.bytes(files), Map.of())));
            } else {
                output.write(kernels.stream()
                        .map(k -> GpuExporter.plan(
                                k.schedule(), language(), output.folder().resolve(k.name()), guard))
                        .toList());
            }
        } else {
            if (kernels.size() > 1) {
                throw new UserError("The run has " + kernels.size()
                        + " kernels; name a folder for them with --out, or one of them with --design.");
            }
            Schedule s = kernels.getFirst().schedule();
            output.text(
                    kernels.getFirst().name(),
                    form == ExportForm.JSON ? GpuExporter.json(s) : KernelPrinter.source(s, language()),
                    guard);
        }
        output.verb().out().flush();
    }

    private KernelLanguage language() {
        return form == ExportForm.CUDA ? KernelLanguage.CUDA : KernelLanguage.OPENCL;
    }
}

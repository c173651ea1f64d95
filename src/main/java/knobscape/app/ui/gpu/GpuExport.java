package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javafx.beans.binding.BooleanExpression;
import knobscape.app.ui.export.FileExport;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureSet;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.GpuExporter;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TuningJson;
import knobscape.gpu.export.TuningRecord;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.space.Configuration;

/// Kernels, schedules, logs and figures as files. Asks where first; writes away from the screen; says what was
/// written.
final class GpuExport {
    private static final Kind JSON = new Kind("Schedule", List.of("json"));
    private static final Kind LOG = new Kind("JSON lines", List.of("jsonl"));
    private static final Kind AUTOTVM = new Kind("AutoTVM log", List.of("json", "log", "txt"));
    private static final Kind MEASURED = new Kind("Measured kernels", List.of("csv", "csv.gz"));
    private final FileExport files;
    private final GpuViewModel model;

    GpuExport(Background background, FileChoices choices, Messages messages, GpuViewModel model) {
        this.files = new FileExport(background, choices, messages, model::guard);
        this.model = model;
    }

    /// The kernel of the selected configuration, with a launch header, a reference and a host example, into a
    /// folder asked for; of the best one, where places of the task end differently, one for each end, the others in
    /// folders of their own.
    void source(KernelLanguage dialect) {
        Map<String, Schedule> best = chosen();
        if (best.isEmpty()) {
            files.messages().show(Message.warning(untuned()));
            return;
        }
        files.folder("Choose a folder for the kernel", "The kernel", folder -> {
            var plans = new ArrayList<FilePlan>();
            best.forEach((tail, s) -> plans.add(plan(s, dialect, plans.isEmpty() ? folder : folder.resolve(tail))));
            return new FileExport.ExportBatch(
                    plans,
                    "The kernel was written to " + folder + " ("
                            + plans.stream().mapToInt(p -> p.files().size()).sum() + " files"
                            + (best.size() == 1 ? "" : ", a kernel for each of " + best.size() + " ends") + ").");
        });
    }

    /// The schedules of the selected design, by the tail behind it: of the best one a schedule for each tail of its
    /// places.
    private Map<String, Schedule> chosen() {
        int k = model.selected().get();
        Optional<Configuration> best =
                model.states().get().stream().skip(k).findFirst().flatMap(KernelState::best);
        return model.results()
                .selectedDesign()
                .filter(d -> !best.equals(Optional.of(d.configuration())))
                .map(d -> model.network()
                        .get()
                        .flatMap(n -> n.schedule(k, d))
                        .map(s -> Map.of(s.epilogue().id(), s))
                        .orElse(Map.of()))
                .orElseGet(() -> model.tuned().bestOfEachTail(k));
    }

    /// Adds the commands of exports and imports.
    ///
    /// @param figures whose shown one is exported
    void addTo(Commands commands, BooleanExpression open, BooleanExpression idle, Supplier<FigureSet> figures) {
        commands.add(GpuCommands.CUDA, () -> source(KernelLanguage.CUDA), open);
        commands.add(GpuCommands.OPENCL, () -> source(KernelLanguage.OPENCL), open);
        commands.add(GpuCommands.ALL_CUDA, () -> allSources(KernelLanguage.CUDA), open);
        commands.add(GpuCommands.ALL_OPENCL, () -> allSources(KernelLanguage.OPENCL), open);
        commands.add(GpuCommands.JSON, this::json, open);
        commands.add(GpuCommands.LOG, this::log, open);
        commands.add(GpuCommands.AUTOTVM, this::autoTvm, open);
        commands.add(GpuCommands.IMPORT, this::importLog, open.and(idle));
        commands.add(GpuCommands.REPLAY, this::openMeasured, idle);
        commands.add(GpuCommands.CSV, this::csv, open);
        commands.add(GpuCommands.PNG, () -> figure(figures.get(), false), open);
        commands.add(GpuCommands.SVG, () -> figure(figures.get(), true), open);
    }

    private void figure(FigureSet figures, boolean svg) {
        figures.shown(
                model.network().get().map(GpuNetwork::name).orElse("network"),
                (name, content) -> files.figure(name, content, svg));
    }

    private static FilePlan plan(Schedule schedule, KernelLanguage dialect, Path folder) {
        return GpuExporter.plan(schedule, dialect, folder, FileGuard.standard());
    }

    private String untuned() {
        return model.network().get().filter(n -> n.what().isMeasured()).isPresent()
                ? "Measured kernels of a file have no source here; open a network to make kernels."
                : "No kernel of this task has run yet; tune it first.";
    }

    /// The best kernels of all tasks, a folder each.
    void allSources(KernelLanguage dialect) {
        GpuNetwork n = model.network().get().orElseThrow();
        Map<String, Schedule> named = new LinkedHashMap<>();
        for (int k = 0; k < n.kernels().size(); k++) {
            String name = n.title(k).replace(' ', '-');
            model.tuned()
                    .bestOfEachTail(k)
                    .forEach((tail, s) -> named.put(named.containsKey(name) ? name + "-" + tail : name, s));
        }
        if (named.isEmpty()) {
            files.messages()
                    .show(Message.warning(n.what().isMeasured() ? untuned() : "No kernel has run yet; tune first."));
            return;
        }
        files.folder(
                "Choose a folder for the kernels",
                "The kernels",
                folder -> new FileExport.ExportBatch(
                        named.entrySet().stream()
                                .map(e -> plan(e.getValue(), dialect, folder.resolve(e.getKey())))
                                .toList(),
                        named.size() + (named.size() == 1 ? " kernel was" : " kernels were") + " written to " + folder
                                + ", a folder each."));
    }

    /// The selected schedule.
    void json() {
        int k = model.selected().get();
        chosen().values().stream()
                .findFirst()
                .ifPresentOrElse(
                        s -> files.save(
                                "Save the schedule",
                                name(k) + ".json",
                                JSON,
                                "The schedule",
                                () -> GpuExporter.json(s)),
                        () -> files.messages().show(Message.warning(untuned())));
    }

    private String name(int k) {
        GpuNetwork n = model.network().get().orElseThrow();
        return n.name() + "-" + n.title(k).replace(' ', '-');
    }

    /// Every measurement of the newest run.
    void log() {
        Callable<List<TuningJson.Row>> rows = model.measurements().rows();
        files.save(
                "Save the log",
                model.network().get().orElseThrow().name() + "-log.jsonl",
                LOG,
                "The log",
                () -> TuningJson.log(rows.call()));
    }

    /// The table of tasks.
    void csv() {
        GpuNetwork n = model.network().get().orElseThrow();
        List<KernelState> states = model.states().get();
        files.save("Save the table of tasks", n.name() + "-tasks.csv", FileExport.CSV, "The table", () -> {
            var b = new StringBuilder(
                    "task,work,template,places,flop,space,measurements,best_gflops,best_ms,source,knobs\r\n");
            for (int k = 0; k < n.kernels().size(); k++) {
                NetworkKernel kernel = n.kernels().get(k);
                KernelState s = states.get(k);
                b.append(String.join(
                        ",",
                        kernel.task(),
                        quoted(kernel.work()),
                        kernel.tag(),
                        "" + kernel.count(),
                        "" + kernel.flops(),
                        "" + kernel.size(),
                        "" + s.trials(),
                        s.bestGflops() > 0
                                ? String.format(Locale.ROOT, "%.6g,%.6g", s.bestGflops(), s.bestMilliseconds())
                                : ",",
                        s.fastest().map(e -> e.provenance().source().words()).orElse(""),
                        quoted(s.best().map(Configuration::text).orElse("")) + "\r\n"));
            }
            return b.toString();
        });
    }

    private static String quoted(String cell) {
        return "\"" + cell.replace("\"", "\"\"") + "\"";
    }

    /// Every measurement of the newest run for AutoTVM.
    void autoTvm() {
        files.save(
                "Save the log for AutoTVM",
                model.network().get().orElseThrow().name() + "-autotvm.json",
                AUTOTVM,
                "The log",
                autoTvm(model.measurements().rows()));
    }

    private static Callable<String> autoTvm(Callable<List<TuningJson.Row>> rows) {
        return () -> {
            List<TuningRecord> records = rows.call().stream()
                    .filter(r -> r.kernel()
                            .source()
                            .filter(Template.class::isInstance)
                            .isPresent())
                    .map(r -> TuningRecord.of(r.kernel(), r.evaluation()))
                    .toList();
            if (records.isEmpty()) {
                throw new UserError(
                        "There is nothing to write: nothing was measured yet, or the kernels are measured ones of a file, which AutoTVM has no template for.");
            }
            return AutoTvmLog.write(records, "cuda");
        };
    }

    /// Reads an AutoTVM log as a run.
    void importLog() {
        files.choices().openFile("Import an AutoTVM log", List.of(AUTOTVM)).ifPresent(model.measurements()::importLog);
    }

    /// Opens measured kernels as what is tuned.
    void openMeasured() {
        files.choices()
                .openFile("Choose measured kernels", List.of(MEASURED))
                .ifPresent(file -> model.open(EvaluatorKind.REPLAY.with(
                        file.toAbsolutePath().normalize().toString())));
    }
}

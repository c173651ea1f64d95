package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.ImportedLog;
import knobscape.gpu.export.TuningJson;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.NetworkKernel;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.DesignSpace;
import knobscape.work.RunSettings;

/// Measurements as logs: those of a run, and a log of AutoTVM as a run.
///
/// @param background where logs are read
/// @param runner stores a log
/// @param messages takes what goes wrong
/// @param runs shows a log as a run
/// @param opened the open network
record TuningLogs(
        Background background,
        Runner runner,
        Messages messages,
        RunViewModel runs,
        Supplier<Optional<Session<GpuWorkbench>>> opened) {
    /// Stores the records of an AutoTVM log that belong to kernels of the network as a run, and shows it.
    void importLog(Path log) {
        opened.get()
                .filter(s -> !runs.anyActive())
                .ifPresent(s -> background.compute(
                        () -> {
                            ImportedLog read = ImportedLog.read(log, s.bench().network(), true);
                            store(s, read);
                            return read;
                        },
                        i -> {
                            runs.reread(() -> {});
                            messages.show(Message.done(i.words() + " are shown as a run. " + i.rest()));
                        },
                        e -> messages.fail("The log cannot be read", e)));
    }

    private void store(Session<GpuWorkbench> s, ImportedLog log) {
        var spaces = new LinkedHashMap<String, DesignSpace>();
        var evaluations = new ArrayList<List<Evaluation>>();
        for (NetworkKernel k : s.bench().network().kernels()) {
            spaces.put(k.id(), k.space());
            evaluations.add(log.of(evaluations.size()));
        }
        String file = String.valueOf(log.log().getFileName());
        String named = EvaluatorKind.LOG.with(file);
        runner.store(
                s,
                GpuSettings.defaultRun()
                        .with(RunSettings.METHOD, TuningState.LOG)
                        .with(RunSettings.TOOLCHAIN, named)
                        .with(RunSettings.STEPS, log.count())
                        .with(RunSettings.EARLY_STOP, 0),
                ScheduleEvaluator.info(named, file, Provenance.Source.REPLAYED),
                spaces,
                evaluations,
                "imported from " + file);
    }

    /// Every measurement of the selected run. Away from the screen. Throws [UserError] where there is none.
    Callable<List<TuningJson.Row>> rows() {
        Session<GpuWorkbench> s = opened.get().orElseThrow();
        // Of the best of all runs, those of the newest.
        long run = runs.current()
                .get()
                .or(() -> runs.runs().reversed().stream().findFirst())
                .map(RunRecord::id)
                .orElseThrow(() -> new UserError("Nothing was measured yet; tune first."));
        return () -> TuningResults.of(
                        s.bench().network(),
                        s.project().runs().orElseThrow().results(run).found())
                .rows();
    }
}

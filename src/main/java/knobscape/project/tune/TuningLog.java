package knobscape.project.tune;

import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.explore.Proposal;
import knobscape.explore.tuning.TaskSearch;
import knobscape.gpu.device.Measurement;
import knobscape.gpu.device.ScheduleEvaluator;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.TuningRecord;
import knobscape.gpu.nest.Rejection;
import knobscape.project.RunStatus;
import knobscape.space.Configuration;

/// AutoTVM's logs as stored runs, and stored runs as AutoTVM's logs.
public final class TuningLog {
    /// What stands for the method of a run that was imported.
    public static final String METHOD = "log";
    private static final Fidelity RUN = new Fidelity("run", 0);
    private static final double MILLI = 1e-3;

    private TuningLog() {
    }

    /// What came of an import.
    ///
    /// @param run number in the store
    /// @param taken records that belong to kernels of the network
    /// @param others records of other work
    /// @param damaged lines that are no records
    public record Imported(long run, int taken, int others, int damaged) { }

    /// Stores the records of a log that belong to kernels of `target` as a completed run; of equal configurations the first counts. AutoTVM measures kernels bare, whatever the
    /// settings say. Throws [UserError] where the file cannot be read or nothing in it belongs to the network.
    ///
    /// @param settings how the network is seen; method and device are the log's
    public static Imported read(Path log, TuneSettings settings, TuningTarget target, TuningStore store, Clock clock) {
        AutoTvmLog.Read read = AutoTvmLog.read(log);
        Map<String, Integer> kernels = new HashMap<>();
        for (int k = 0; k < target.kernels().size(); k++) {
            kernels.put(target.kernels().get(k).id(), k);
        }
        Map<Integer, Map<Configuration, TuningRecord>> found = new LinkedHashMap<>();
        int others = 0;
        for (TuningRecord r : read.records()) {
            Integer k = kernels.get(r.template().id());
            if (k == null) {
                others++;
            } else {
                found.computeIfAbsent(k, _ -> new LinkedHashMap<>()).putIfAbsent(r.configuration(), r);
            }
        }
        if (found.isEmpty()) {
            throw new UserError(log + " has " + read.records().size() + " records, but none is of a kernel of '" + target.name() + "'; is it of another network, batch or template?");
        }
        String name = String.valueOf(log.getFileName());
        int taken = found.values().stream().mapToInt(Map::size).sum();
        long run = store.create(new TuneSettings(settings.network(), METHOD, "log:" + name, taken, 0, 0, settings.batch(), settings.allTemplates(), settings.features(), settings.seed(),
                settings.tails()), target, clock.instant());
        found.forEach((k, records) -> {
            int number = 0;
            for (TuningRecord r : records.values()) {
                var e = new Evaluation(r.configuration(), RUN, ScheduleEvaluator.outcome(r.measurement(), target.kernels().get(k).flops()), r.measurement().costSeconds(),
                        new Provenance("AutoTVM log", name, 0, Provenance.Source.REPLAYED));
                store.add(run, k, new TaskSearch.Answer(0, ++number, new Proposal(r.configuration(), RUN, Double.NaN, Optional.empty(), METHOD), e), clock.instant());
            }
            store.stepDone(run, k, 0, "", 0);
        });
        store.status(run, RunStatus.COMPLETED, "imported from " + name, clock.instant());
        return new Imported(run, taken, others, read.left().stream().mapToInt(AutoTvmLog.Left::count).sum());
    }

    /// The measurements of a stored run as an AutoTVM log. Throws [UserError] where it has none, or is of measured kernels, which no template computes.
    ///
    /// @param dialect `cuda` or `opencl`
    public static String write(long run, TuningTarget target, TuningStore store, String dialect) {
        var records = new java.util.ArrayList<TuningRecord>();
        for (int k = 0; k < target.kernels().size(); k++) {
            TuningTarget.Kernel kernel = target.kernels().get(k);
            List<TuningStore.Row> rows = kernel.template().isPresent() ? store.rows(run, k, target) : List.of();
            rows.forEach(r -> records.add(new TuningRecord(kernel.template().orElseThrow(), r.evaluation().configuration(), measurement(r.evaluation()), 0)));
        }
        if (records.isEmpty()) {
            throw new UserError("There is nothing to write: nothing was measured yet, or the kernels are measured ones of a file, which AutoTVM has no template for.");
        }
        return AutoTvmLog.write(records, dialect);
    }

    private static Measurement measurement(Evaluation e) {
        double cost = e.costSeconds();
        double seconds = e.value(ScheduleEvaluator.TIME).orElse(0) * MILLI;
        return switch (e.outcome()) {
            case Outcome.Measured m -> seconds > 0 ? new Measurement.Timed(seconds, 0, List.of(seconds), false, cost) : new Measurement.Unknown("no time", cost);
            case Outcome.Invalid i -> new Measurement.Rejected(new Rejection.Recorded(i.reason()), cost);
            case Outcome.Failed f -> new Measurement.RunFailed(f.reason(), cost);
            case Outcome.TimedOut t -> new Measurement.RunTimedOut(cost);
        };
    }
}

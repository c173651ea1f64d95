package knobscape.project.tune;

import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.explore.Proposal;
import knobscape.gpu.search.TaskSearch;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.TuningRecord;
import knobscape.gpu.space.nest.Rejection;
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

    /// The records of a log that belong to kernels of a network.
    ///
    /// @param log the file
    /// @param kernels measurements by index of the kernel, in the log's order; of equal configurations the first
    /// @param others records of other work
    /// @param left lines that are no records
    public record Matched(Path log, Map<Integer, List<Evaluation>> kernels, int others, List<AutoTvmLog.Left> left) {
        /// Copies the lists.
        public Matched {
            kernels = Map.copyOf(kernels);
            left = List.copyOf(left);
        }

        /// How many they are.
        public int count() {
            return kernels.values().stream().mapToInt(List::size).sum();
        }

        /// `96 records of net.json`.
        public String words() {
            return amount(count(), "record") + " of " + log.getFileName();
        }

        /// What became of the others, as a sentence.
        public String rest() {
            if (others == 0 && left.isEmpty()) {
                return "All of the log fits.";
            }
            int lines = left.stream().mapToInt(AutoTvmLog.Left::count).sum();
            String damaged = lines == 0 ? "" : amount(lines, "line") + (lines == 1 ? " is" : " are") + " left out (" + log.getFileName() + ":" + left.getFirst().line() + " "
                    + left.getFirst().reason() + ")";
            String foreign = others == 0 ? "" : amount(others, "record") + (others == 1 ? " is" : " are") + " of other work or other templates";
            return foreign + (foreign.isEmpty() || damaged.isEmpty() ? "" : ", ") + damaged + ".";
        }

        void store(long run, int step, TuningStore store, Clock clock) {
            kernels.forEach((k, evaluations) -> {
                int number = 0;
                for (Evaluation e : evaluations) {
                    store.add(run, k, new TaskSearch.Answer(step, ++number, new Proposal(e.configuration(), RUN, Double.NaN, Optional.empty(), METHOD), e), clock.instant());
                }
            });
        }
    }

    private static String amount(int n, String what) {
        return n + " " + what + (n == 1 ? "" : "s");
    }

    /// The records of a log that belong to kernels of `target`. AutoTVM measures kernels bare, whatever the target says. Throws [UserError] where the file cannot be read or nothing in
    /// it belongs to the network.
    public static Matched match(Path log, TuningTarget target) {
        AutoTvmLog.Read read = AutoTvmLog.read(log);
        Map<String, Integer> kernels = new HashMap<>();
        for (int k = 0; k < target.kernels().size(); k++) {
            kernels.put(target.kernels().get(k).id(), k);
        }
        var provenance = new Provenance("AutoTVM log", String.valueOf(log.getFileName()), 0, Provenance.Source.REPLAYED);
        Map<Integer, Map<Configuration, Evaluation>> found = new HashMap<>();
        int others = 0;
        for (TuningRecord r : read.records()) {
            Integer k = kernels.get(r.template().id());
            if (k == null) {
                others++;
            } else {
                found.computeIfAbsent(k, _ -> new LinkedHashMap<>()).putIfAbsent(r.configuration(), new Evaluation(r.configuration(), RUN,
                        ScheduleEvaluator.outcome(r.measurement(), target.kernels().get(k).flops()), r.measurement().costSeconds(), provenance));
            }
        }
        if (found.isEmpty()) {
            throw new UserError("'" + log + "' has " + amount(read.records().size(), "record") + ", but none is of a kernel of '" + target.name()
                    + "'; is it of another network, batch or template?");
        }
        var lists = new HashMap<Integer, List<Evaluation>>();
        found.forEach((k, e) -> lists.put(k, List.copyOf(e.values())));
        return new Matched(log, lists, others, read.left());
    }

    /// Stores the records of a log that belong to kernels of `target` as a completed run, and gives them. Throws [UserError] as [#match] does.
    ///
    /// @param settings how the network is seen; method and device are the log's
    public static Matched read(Path log, TuneSettings settings, TuningTarget target, TuningStore store, Clock clock) {
        Matched matched = match(log, target);
        String name = String.valueOf(log.getFileName());
        long run = store.create(new TuneSettings(settings.network(), METHOD, "log:" + name, matched.count(), 0, 0, settings.batch(), settings.allTemplates(), settings.features(),
                settings.seed(), settings.tails(), settings.dims()), target, clock.instant());
        matched.store(run, 0, store, clock);
        matched.kernels().keySet().forEach(k -> store.stepDone(run, k, 0, "", 0));
        store.status(run, RunStatus.COMPLETED, "imported from " + name, clock.instant());
        return matched;
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
            case Outcome.Failure f when f.kind().isInvalid() -> new Measurement.Rejected(new Rejection.Recorded(f.reason()), cost);
            case Outcome.Failure f when f.kind() == FailureKind.TIMED_OUT -> new Measurement.RunTimedOut(cost);
            case Outcome.Failure f -> new Measurement.RunFailed(f.reason(), cost);
        };
    }
}

package knobscape.gpu.export;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.space.Configuration;

/// The records of an AutoTVM log that belong to kernels of a network.
///
/// @param log the file
/// @param kernels evaluations by index of the kernel, in the log's order; of equal configurations the first
/// @param others records of other work
/// @param left lines that are no records
public record ImportedLog(
        Path log, Map<Integer, List<Evaluation>> kernels, int others, List<AutoTvmLog.SkippedRecords> left) {
    private static final Fidelity RUN = new Fidelity("run", 0);

    /// Copies the lists.
    public ImportedLog {
        kernels = Map.copyOf(kernels);
        left = List.copyOf(left);
    }

    /// Reads a log for a network. AutoTVM measures kernels bare, whatever the network fuses behind them. Throws
    /// [UserError] where the file cannot be read or nothing in it belongs to the network.
    ///
    /// @param models whether times that the log marks as a model's are taken too; they never stand beside
    /// measured ones
    public static ImportedLog read(Path log, TunableNetwork network, boolean models) {
        AutoTvmLog.LogContent read = AutoTvmLog.read(log);
        Map<String, Integer> index = new HashMap<>();
        network.kernels().forEach(k -> index.put(k.id(), index.size()));
        var provenance =
                new Provenance("AutoTVM log", String.valueOf(log.getFileName()), 0, Provenance.Source.REPLAYED);
        var model = new Provenance("AutoTVM log", provenance.version(), 0, Provenance.Source.MODEL);
        Map<Integer, Map<Configuration, Evaluation>> found = new HashMap<>();
        int others = 0;
        int modelled = 0;
        for (TuningRecord r : read.records()) {
            if (r.origin().model() && !models) {
                modelled++;
                continue;
            }
            Integer k = index.get(r.source().id());
            if (k == null) {
                others++;
            } else {
                NetworkKernel kernel = network.kernels().get(k);
                found.computeIfAbsent(k, _ -> new LinkedHashMap<>())
                        .putIfAbsent(
                                r.configuration(),
                                new Evaluation(
                                        r.configuration(),
                                        RUN,
                                        ScheduleEvaluator.outcome(r.measurement(), kernel.flops()),
                                        r.measurement().costSeconds(),
                                        r.origin().model() ? model : provenance));
            }
        }
        if (found.isEmpty()) {
            throw new UserError(
                    modelled > 0
                            ? "'" + log
                                    + "' has times of a model, which are not mixed with measured ones; import it for the model device."
                            : "'" + log + "' has " + amount(read.records().size(), "record")
                                    + ", but none is of a kernel of '" + network.name()
                                    + "'; is it of another network, batch or template?");
        }
        var lists = new HashMap<Integer, List<Evaluation>>();
        found.forEach((k, e) -> lists.put(k, List.copyOf(e.values())));
        var left = new ArrayList<>(read.left());
        if (modelled > 0) {
            left.add(new AutoTvmLog.SkippedRecords(
                    "is a model's time, which is not mixed with measured ones", modelled, 1));
        }
        return new ImportedLog(log, lists, others, left);
    }

    /// The evaluations of a kernel, in the log's order.
    public List<Evaluation> of(int kernel) {
        return kernels.getOrDefault(kernel, List.of());
    }

    /// How many they are.
    public int count() {
        return kernels.values().stream().mapToInt(List::size).sum();
    }

    /// `96 records of net.json`.
    public String words() {
        return amount(count(), "record") + " of " + log.getFileName();
    }

    /// The fate of the others, as a sentence.
    public String rest() {
        if (others == 0 && left.isEmpty()) {
            return "All of the log fits.";
        }
        int lines = left.stream().mapToInt(AutoTvmLog.SkippedRecords::count).sum();
        String damaged = lines == 0
                ? ""
                : amount(lines, "line") + (lines == 1 ? " is" : " are") + " left out (" + log.getFileName() + ":"
                        + left.getFirst().line() + " " + left.getFirst().reason() + ")";
        String foreign = others == 0
                ? ""
                : amount(others, "record") + (others == 1 ? " is" : " are") + " of other work or other templates";
        return foreign + (foreign.isEmpty() || damaged.isEmpty() ? "" : ", ") + damaged + ".";
    }

    private static String amount(int n, String what) {
        return n + " " + what + (n == 1 ? "" : "s");
    }
}

package knobscape.gpu.export;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import knobscape.evaluate.report.FileGuard;
import knobscape.work.RunSummary;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The results of a tuning run as documents: `tuning.json` (the best of every kernel) and `log.jsonl` (every
/// measurement, a JSON object per line).
public final class TuningFiles {
    private static final double SECONDS_PER_HOUR = 3600;

    private TuningFiles() {}

    /// The names of both.
    public static List<String> names() {
        return List.of("tuning.json", "log.jsonl");
    }

    /// Writes both into a folder.
    public static void write(Path folder, RunSummary run, TuningResults results, FileGuard guard) {
        var files = new LinkedHashMap<String, String>();
        files.put(
                "tuning.json",
                JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json(run, results)) + "\n");
        files.put("log.jsonl", TuningJson.log(results.rows()));
        guard.write(folder, FileGuard.bytes(files));
    }

    /// The document that `tune --json` prints. `front` has the best configuration of every kernel.
    public static ObjectNode json(RunSummary run, TuningResults results) {
        TunedNetwork tuned = results.picture();
        List<KernelState> states = tuned.states();
        double seconds =
                states.stream().mapToDouble(s -> s.effort().toolSeconds()).sum();
        ObjectNode root = JsonMapper.shared()
                .createObjectNode()
                .put("run", run.reference())
                .put("network", results.network().name())
                .put("status", run.status())
                .put("reason", run.reason())
                .put("method", run.settings().method())
                .put("device", run.settings().toolchain())
                .put("source", run.info().source().words())
                .put("seed", run.settings().seed())
                .put(
                        "evaluations",
                        states.stream().mapToInt(KernelState::trials).sum())
                .put("known", states.stream().mapToInt(s -> s.effort().known()).sum())
                .put("hours", seconds / SECONDS_PER_HOUR)
                .put("algorithmSeconds", run.algorithmSeconds());
        double latency = tuned.latencyMilliseconds();
        root.put("latencyMs", Double.isFinite(latency) ? (Double) latency : null);
        tuned.soFar()
                .ifPresent(s -> root.putObject("soFar")
                        .put("measuredMs", s.milliseconds())
                        .put("tasksLeft", s.left())
                        .put("leftMsAtBestRate", Double.isNaN(s.rest()) ? null : (Double) s.rest()));
        TuningJson.front(root.putArray("front"), states);
        TuningJson.untuned(root.putArray("untuned"), results.network().untuned());
        return root;
    }
}

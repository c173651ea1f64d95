package knobscape.project;

import java.util.LinkedHashMap;
import java.util.List;
import knobscape.evaluate.report.FileGuard;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningJson;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.TunableNetwork;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The results of a tuning run as documents: `tuning.json` (the best of every kernel) and `log.jsonl` (every
/// measurement, a JSON object per line).
public final class TuningFiles {
    private static final double SECONDS_PER_HOUR = 3600;

    private TuningFiles() {}

    /// What a stored run has found.
    public static TuningResults results(RunResults stored, TunableNetwork network) {
        var results = new TuningResults(network);
        stored.designs().forEach(d -> d.evaluations().forEach(e -> results.add(d.subject(), d.step(), e)));
        return results;
    }

    /// How many measurements a run has, without what it knew before and without other tails.
    public static long measurements(RunResults stored) {
        return stored.designs().stream()
                .filter(d -> d.step() >= 0
                        && !stored.run().subjects().get(d.subject()).name().contains(GpuWorkbench.OTHER_TAIL))
                .mapToLong(d -> d.evaluations().size())
                .sum();
    }

    /// The names of both.
    public static List<String> names() {
        return List.of("tuning.json", "log.jsonl");
    }

    /// Writes both into the folder of the project's runs.
    public static void write(Project project, RunRecord run, TuningResults results, FileGuard guard) {
        var files = new LinkedHashMap<String, String>();
        files.put(
                "tuning.json",
                JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json(project, run, results))
                        + "\n");
        files.put("log.jsonl", TuningJson.log(results.rows()));
        guard.write(project.runsFolder(), FileGuard.bytes(files));
    }

    /// The document that `tune --json` prints. `front` has the best configuration of every kernel.
    public static ObjectNode json(Project project, RunRecord run, TuningResults results) {
        TunedNetwork tuned = results.picture();
        ObjectNode root = JsonMapper.shared()
                .createObjectNode()
                .put("run", RunReference.text(project, run.id()))
                .put("network", results.network().name())
                .put("status", run.status().words())
                .put("reason", run.reason())
                .put("method", run.settings().method())
                .put("device", run.settings().toolchain())
                .put("source", run.info().source().words())
                .put("seed", run.settings().seed())
                .put(
                        "evaluations",
                        tuned.states().stream().mapToInt(KernelState::trials).sum())
                .put(
                        "known",
                        tuned.states().stream().mapToInt(KernelState::known).sum())
                .put(
                        "toolHours",
                        tuned.states().stream()
                                        .mapToDouble(KernelState::toolSeconds)
                                        .sum()
                                / SECONDS_PER_HOUR)
                .put("algorithmSeconds", run.algorithmSeconds());
        double latency = tuned.latencyMilliseconds();
        if (Double.isFinite(latency)) {
            root.put("latencyMs", latency);
        } else {
            root.putNull("latencyMs");
        }
        TuningJson.front(root.putArray("front"), tuned.states());
        return root;
    }
}

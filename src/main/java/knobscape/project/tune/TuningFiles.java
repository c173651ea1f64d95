package knobscape.project.tune;

import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.report.FileOutput;
import knobscape.gpu.search.TaskSearch;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.space.Configuration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The results of a tuning run as documents: `tuning.json` (the best of every kernel) and `log.jsonl` (every measurement, a JSON object a line).
public final class TuningFiles {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double SECONDS_PER_HOUR = 3600;

    private TuningFiles() {
    }

    /// Writes both into a folder and gives their paths.
    public static List<Path> write(TuningRun run, TuningRun.Ending end, TuningStore store, Path folder) {
        Path json = folder.resolve("tuning.json");
        Path log = folder.resolve("log.jsonl");
        FileOutput.write(json, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json(run, end, folder)) + "\n");
        FileOutput.write(log, log(run, store));
        return List.of(json, log);
    }

    /// The document that `tune --json` prints. `front` has the best configuration of every kernel.
    public static ObjectNode json(TuningRun run, TuningRun.Ending end, Path folder) {
        ObjectNode root = JSON.createObjectNode();
        root.put("run", folder + ":" + run.id());
        root.put("network", run.target().name());
        root.put("status", end.status().words());
        root.put("reason", end.reason());
        root.put("method", run.settings().method());
        root.put("device", run.settings().device());
        root.put("source", run.target().kernels().getFirst().evaluator().info().source().words());
        root.put("seed", run.settings().seed());
        root.put("evaluations", run.trials());
        root.put("known", run.known());
        root.put("toolHours", run.searches().stream().mapToDouble(TaskSearch::toolSeconds).sum() / SECONDS_PER_HOUR);
        root.put("algorithmSeconds", run.algorithmSeconds());
        number(root, "latencyMs", run.latencyMilliseconds());
        var front = root.putArray("front");
        for (int k = 0; k < run.searches().size(); k++) {
            TuningTarget.Kernel kernel = run.target().kernels().get(k);
            TaskSearch s = run.searches().get(k);
            ObjectNode node = front.addObject();
            node.put("design", kernel.id());
            node.put("task", kernel.task());
            node.put("count", kernel.count());
            node.put("flops", kernel.flops());
            node.put("spaceSize", kernel.space().size().toString());
            node.put("trials", s.trials());
            ObjectNode knobs = node.putObject("knobs");
            ObjectNode values = node.putObject("objectives");
            s.best().ifPresent(e -> {
                knobs(knobs, e.configuration());
                kernel.schedule(e.configuration()).ifPresent(x -> node.set("schedule", ScheduleJson.write(x)));
                values(values, e);
            });
            tails(node, run, k);
        }
        return root;
    }

    private static void values(ObjectNode node, Evaluation e) {
        if (e.outcome() instanceof Outcome.Measured m) {
            m.values().forEach(node::put);
        }
    }

    /// A kernel for each distinct tail of the task's places, the one of the search first.
    private static void tails(ObjectNode node, TuningRun run, int k) {
        TuningTarget.Kernel kernel = run.target().kernels().get(k);
        if (kernel.tails().isEmpty()) {
            return;
        }
        var list = node.putArray("tails");
        for (int t = 0; t < kernel.tails().size(); t++) {
            FusedTail tail = kernel.tails().get(t);
            ObjectNode entry = list.addObject().put("tail", tail.epilogue().id()).put("count", tail.count());
            run.withTail(k, t).ifPresent(e -> {
                // A real device compares the first result of a kernel, and each new best, with the reference.
                entry.put("checked", e.provenance().source() == Provenance.Source.MEASURED);
                knobs(entry.putObject("knobs"), e.configuration());
                values(entry.putObject("objectives"), e);
                entry.set("schedule", ScheduleJson.write(kernel.template().orElseThrow().schedule(e.configuration(), tail.epilogue())));
            });
        }
    }

    private static void knobs(ObjectNode node, Configuration configuration) {
        configuration.toMap().forEach(node::put);
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.putNull(name);
        }
    }

    /// Every measurement, kernel after kernel, in order of arrival.
    private static String log(TuningRun run, TuningStore store) {
        var b = new StringBuilder();
        for (int k = 0; k < run.searches().size(); k++) {
            TuningTarget.Kernel kernel = run.target().kernels().get(k);
            for (TuningStore.Row row : store.rows(run.id(), k, run.target())) {
                ObjectNode line = JSON.createObjectNode();
                line.put("task", kernel.task());
                line.put("kernel", kernel.id());
                line.put("number", row.number());
                line.put("step", row.step());
                knobs(line.putObject("knobs"), row.evaluation().configuration());
                switch (row.evaluation().outcome()) {
                    case Outcome.Measured m -> {
                        line.put("status", "ok");
                        m.values().forEach(line::put);
                    }
                    case Outcome.Failure f -> line.put("status", f.kind().status()).put("reason", f.reason());
                }
                line.put("costSeconds", row.evaluation().costSeconds());
                line.put("source", row.evaluation().provenance().source().words());
                b.append(JSON.writeValueAsString(line)).append('\n');
            }
        }
        return b.toString();
    }
}

package knobscape.gpu.export;

import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.UntunedOperator;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.space.Configuration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The results of a tuning as JSON: the best of every kernel, and every measurement as a line.
public final class TuningJson {
    private TuningJson() {}

    /// A measurement with its place.
    ///
    /// @param step of its search, -1 where it was known before
    /// @param number of the measurement in its kernel, from 1
    public record Row(NetworkKernel kernel, int step, int number, Evaluation evaluation) {}

    /// Adds the best configuration of every kernel, with a schedule for each distinct tail of the kernel's
    /// places, the one of the search first.
    public static void front(ArrayNode front, List<KernelState> states) {
        for (KernelState s : states) {
            NetworkKernel kernel = s.kernel();
            ObjectNode node = front.addObject()
                    .put("design", kernel.id())
                    .put("task", kernel.task())
                    .put("count", kernel.count())
                    .put("flops", kernel.flops())
                    .put("spaceSize", kernel.size().toString())
                    .put("trials", s.trials());
            ObjectNode knobs = node.putObject("knobs");
            ObjectNode values = node.putObject("objectives");
            s.fastest().ifPresent(e -> {
                knobs(knobs, e.configuration());
                s.schedule().ifPresent(x -> node.set("schedule", ScheduleJson.write(x)));
                values(values, e);
            });
            if (!kernel.tails().isEmpty()) {
                ArrayNode tails = node.putArray("tails");
                kernel.tails().forEach(t -> tail(tails.addObject(), s, t));
            }
        }
    }

    /// Adds every node without a template, with its share of the network's operations (null where it is not
    /// known).
    public static void untuned(ArrayNode nodes, List<UntunedOperator> untuned) {
        for (UntunedOperator u : untuned) {
            ObjectNode node = nodes.addObject()
                    .put("node", u.node())
                    .put("operator", u.operator())
                    .put("reason", u.reason());
            if (u.flops().isPresent()) {
                node.put("flops", u.flops().getAsLong()).put("share", u.share());
            } else {
                node.putNull("flops").putNull("share");
            }
        }
    }

    private static void tail(ObjectNode node, KernelState s, FusedTail tail) {
        node.put("tail", tail.epilogue().id()).put("count", tail.count());
        s.with(tail).ifPresent(e -> {
            // A real device compares the first result of a kernel, and each new best, with the reference.
            node.put("checked", e.provenance().source() == Provenance.Source.MEASURED);
            knobs(node.putObject("knobs"), e.configuration());
            values(node.putObject("objectives"), e);
            node.set(
                    "schedule",
                    ScheduleJson.write(s.kernel().source().orElseThrow().schedule(e.configuration(), tail.epilogue())));
        });
    }

    private static void values(ObjectNode node, Evaluation e) {
        if (e.outcome() instanceof Outcome.Measured m) {
            m.values().forEach(node::put);
        }
    }

    private static void knobs(ObjectNode node, Configuration configuration) {
        configuration.toMap().forEach(node::put);
    }

    /// Every measurement, a JSON object per line.
    public static String log(List<Row> rows) {
        var b = new StringBuilder();
        for (Row row : rows) {
            Evaluation e = row.evaluation;
            ObjectNode line = JsonMapper.shared()
                    .createObjectNode()
                    .put("task", row.kernel.task())
                    .put("kernel", row.kernel.id())
                    .put("number", row.number)
                    .put("step", row.step);
            knobs(line.putObject("knobs"), e.configuration());
            switch (e.outcome()) {
                case Outcome.Measured m -> {
                    line.put("status", "ok");
                    m.values().forEach(line::put);
                }
                case Outcome.Failure f -> line.put("status", f.kind().status()).put("reason", f.reason());
            }
            line.put("costSeconds", e.costSeconds())
                    .put("source", e.provenance().source().words());
            b.append(JsonMapper.shared().writeValueAsString(line)).append('\n');
        }
        return b.toString();
    }
}

package knobscape.app.ui.gpu;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.designs.Quantity;
import knobscape.network.Arithmetic;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Tensor;
import knobscape.network.subgraph.Subgraph;

/// The file's facts about the operators of a layer: attributes, tensors, operations.
///
/// @param title name of the operator in its network and what it is
/// @param rows name to value, in the order shown
record LayerFacts(String title, Map<String, String> rows) {
    private static final int LONGEST = 160;

    /// Of every operator of a subgraph, in order of execution.
    static List<LayerFacts> of(Network network, Subgraph subgraph) {
        return subgraph.nodes().stream().map(n -> of(network, n)).toList();
    }

    private static LayerFacts of(Network network, Node n) {
        var rows = new LinkedHashMap<String, String>();
        attributes((Record) n.operator(), rows);
        long weights = 0;
        for (String name : n.inputs()) {
            if (!name.isEmpty()) {
                Tensor t = network.tensor(name);
                rows.put(t.isWeight() ? "weights " + name : "input " + name, words(t));
                weights += t.isWeight() && t.shape().isPresent() ? t.elements() : 0;
            }
        }
        for (String name : n.outputs()) {
            if (!name.isEmpty()) {
                rows.put("output " + name, words(network.tensor(name)));
            }
        }
        if (weights > 0) {
            rows.put("parameters", Quantity.count(weights));
        }
        long macs = Arithmetic.macs(network, n);
        if (macs > 0) {
            rows.put("FLOP", Quantity.count(2 * macs));
        }
        return new LayerFacts(n.name() + ": " + n.operator().label(), rows);
    }

    private static String words(Tensor t) {
        return t.shape().map(Object::toString).orElse("shape not known") + " "
                + t.type().label();
    }

    /// The components of an operator's record; those of a window among them.
    private static void attributes(Record of, Map<String, String> rows) {
        if (of instanceof Operator.Opaque o) {
            o.attributes().forEach((name, value) -> rows.put(name, cut(value)));
            return;
        }
        for (RecordComponent c : of.getClass().getRecordComponents()) {
            Object value = value(of, c);
            if (value instanceof Record inside) {
                attributes(inside, rows);
            } else if (!(value instanceof Enum<?>)) {
                rows.put(spaced(c.getName()), text(value));
            }
        }
    }

    private static Object value(Record of, RecordComponent c) {
        try {
            return c.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(of.getClass() + " hides " + c.getName(), e);
        }
    }

    private static String text(Object value) {
        if (value instanceof List<?> list) {
            var words = new ArrayList<String>();
            list.forEach(v -> words.add(text(v)));
            return cut(String.join(" \u00d7 ", words));
        }
        if (value instanceof Double d) {
            return d == Math.rint(d) && Math.abs(d) < 1e15
                    ? String.format(Locale.ROOT, "%.0f", d)
                    : Float.toString(d.floatValue());
        }
        return value instanceof Optional<?> o ? o.map(LayerFacts::text).orElse("none") : cut(value.toString());
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "\u2026" : text;
    }

    /// `padBegin` as `pad begin`.
    private static String spaced(String name) {
        return name.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }
}

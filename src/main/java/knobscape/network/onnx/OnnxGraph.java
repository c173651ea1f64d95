package knobscape.network.onnx;

import static java.util.Objects.requireNonNull;

import ai.onnx.proto.OnnxMl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;

/// The nodes of a file in an order in which they can run.
final class OnnxGraph {
    private OnnxGraph() {}

    /// The nodes, each behind those it reads from, otherwise in the order of the file.
    ///
    /// @throws UserError for a cycle, a tensor nobody makes, or one that is made twice
    static List<RawNode> ordered(List<RawNode> nodes, Set<String> given, String file) {
        var producer = new HashMap<String, Integer>();
        for (int i = 0; i < nodes.size(); i++) {
            for (String out : nodes.get(i).outputs()) {
                if (!out.isEmpty() && (given.contains(out) || producer.put(out, i) != null)) {
                    throw new UserError(file + ": tensor '" + out + "' is made twice, the second time by node '"
                            + nodes.get(i).name() + "'; the file is damaged.");
                }
            }
        }
        var waitsFor = new int[nodes.size()];
        var readers = new ArrayList<List<Integer>>();
        nodes.forEach(_ -> readers.add(new ArrayList<>()));
        for (int i = 0; i < nodes.size(); i++) {
            for (String in : reads(nodes.get(i), producer, given)) {
                Integer maker = producer.get(in);
                if (maker != null) {
                    readers.get(maker).add(i);
                    waitsFor[i]++;
                } else if (!given.contains(in)) {
                    throw new UserError(file + ": node '" + nodes.get(i).name() + "' reads tensor '" + in
                            + "', which nothing makes; the file is damaged.");
                }
            }
        }
        var ready = new PriorityQueue<Integer>();
        for (int i = 0; i < waitsFor.length; i++) {
            if (waitsFor[i] == 0) {
                ready.add(i);
            }
        }
        var ordered = new ArrayList<RawNode>();
        while (!ready.isEmpty()) {
            int next = ready.remove();
            ordered.add(nodes.get(next));
            for (int reader : readers.get(next)) {
                if (--waitsFor[reader] == 0) {
                    ready.add(reader);
                }
            }
        }
        if (ordered.size() < nodes.size()) {
            throw new UserError(file + ": nodes " + cycle(nodes, waitsFor, readers)
                    + " wait for one another in a circle; the file is damaged.");
        }
        return ordered;
    }

    /// Names of some nodes on a cycle: from any node that still waits, go back to one it waits for until a node
    /// comes again.
    private static String cycle(List<RawNode> nodes, int[] waitsFor, List<List<Integer>> readers) {
        var waitedFor = new HashMap<Integer, Integer>();
        for (int i = 0; i < waitsFor.length; i++) {
            if (waitsFor[i] > 0) {
                for (int reader : readers.get(i)) {
                    waitedFor.putIfAbsent(reader, i);
                }
            }
        }
        int at = waitedFor.keySet().iterator().next();
        var path = new LinkedHashSet<Integer>();
        while (path.add(at)) {
            at = requireNonNull(waitedFor.get(at));
        }
        int start = at;
        return path.stream()
                .dropWhile(i -> i != start)
                .limit(5)
                .map(i -> "'" + nodes.get(i).name() + "'")
                .collect(Collectors.joining(", "));
    }

    /// Names a node reads: its inputs, and what the bodies of its branches and loops take from outside.
    static Set<String> reads(RawNode node, Map<String, ?> made, Set<String> given) {
        var reads = new LinkedHashSet<>(node.inputs());
        reads.remove("");
        for (String name : captured(node)) {
            if (made.containsKey(name) || given.contains(name)) {
                reads.add(name);
            }
        }
        return reads;
    }

    /// Names that graphs inside a node read and do not make themselves.
    static Set<String> captured(RawNode node) {
        var names = new LinkedHashSet<String>();
        for (OnnxMl.AttributeProto a : node.attributes()) {
            if (a.hasG()) {
                captured(a.getG(), names);
            }
            a.getGraphsList().forEach(g -> captured(g, names));
        }
        return names;
    }

    private static void captured(OnnxMl.GraphProto graph, Set<String> names) {
        var own = new HashSet<String>();
        graph.getInputList().forEach(i -> own.add(i.getName()));
        graph.getInitializerList().forEach(i -> own.add(i.getName()));
        graph.getNodeList().forEach(n -> own.addAll(n.getOutputList()));
        var inner = new LinkedHashSet<String>();
        for (OnnxMl.NodeProto n : graph.getNodeList()) {
            inner.addAll(n.getInputList());
            for (OnnxMl.AttributeProto a : n.getAttributeList()) {
                if (a.hasG()) {
                    captured(a.getG(), inner);
                }
                a.getGraphsList().forEach(g -> captured(g, inner));
            }
        }
        graph.getOutputList().forEach(o -> inner.add(o.getName()));
        inner.removeAll(own);
        inner.remove("");
        names.addAll(inner);
    }
}

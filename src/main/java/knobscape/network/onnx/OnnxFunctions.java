package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import knobscape.evaluate.UserError;

/// Puts the bodies of a model's own functions (ONNX IR version 8) in place of their calls, as PyTorch's
/// exporter writes them.
final class OnnxFunctions {
    /// Most nodes after all calls are replaced.
    static final int MAX_NODES = 200_000;
    private static final int MAX_DEPTH = 24;

    private final String file;
    private final Map<String, OnnxMl.FunctionProto> functions = new HashMap<>();
    private final List<RawNode> nodes = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private OnnxFunctions(String file) {
        this.file = file;
    }

    /// All nodes of the graph, calls replaced. Nodes without a name are named after their operator and place.
    static List<RawNode> inline(OnnxMl.ModelProto model, String file) {
        var inliner = new OnnxFunctions(file);
        for (OnnxMl.FunctionProto f : model.getFunctionsList()) {
            inliner.functions.put(key(f.getDomain(), f.getName()), f);
        }
        inliner.expand(
                model.getGraph().getNodeList(),
                versions(model.getOpsetImportList()),
                "",
                UnaryOperator.identity(),
                Map.of(),
                0);
        return inliner.nodes;
    }

    private static String key(String domain, String name) {
        return plain(domain) + "::" + name;
    }

    /// ONNX's own domain has two names.
    private static String plain(String domain) {
        return domain.equals("ai.onnx") ? "" : domain;
    }

    private static Map<String, Integer> versions(List<OnnxMl.OperatorSetIdProto> imports) {
        var versions = new HashMap<String, Integer>();
        imports.forEach(i -> versions.put(plain(i.getDomain()), (int) Math.min(i.getVersion(), Integer.MAX_VALUE)));
        return versions;
    }

    private void expand(
            List<OnnxMl.NodeProto> body,
            Map<String, Integer> versions,
            String prefix,
            UnaryOperator<String> rename,
            Map<String, OnnxMl.AttributeProto> arguments,
            int depth) {
        if (depth > MAX_DEPTH) {
            throw new UserError(file + ": its functions call one another more than " + MAX_DEPTH
                    + " deep (or without end); it is not read.");
        }
        int place = 0;
        for (OnnxMl.NodeProto n : body) {
            if (nodes.size() >= MAX_NODES) {
                throw new UserError(
                        file + " has more than " + MAX_NODES + " nodes, which no network does; it is not read.");
            }
            String name = unique(prefix + (n.getName().isEmpty() ? n.getOpType() + "_" + place : n.getName()));
            place++;
            List<String> inputs = n.getInputList().stream().map(rename).toList();
            List<String> outputs = n.getOutputList().stream().map(rename).toList();
            List<OnnxMl.AttributeProto> attributes = n.getAttributeList().stream()
                    .flatMap(a -> resolve(a, arguments).stream())
                    .toList();
            OnnxMl.FunctionProto function = functions.get(key(n.getDomain(), n.getOpType()));
            if (function == null) {
                String type = n.getOpType();
                String domain = plain(n.getDomain());
                nodes.add(
                        new RawNode(name, type, domain, inputs, outputs, attributes, versions.getOrDefault(domain, 0)));
                continue;
            }
            var actual = new HashMap<String, String>();
            for (int i = 0; i < function.getInputCount(); i++) {
                actual.put(function.getInput(i), i < inputs.size() ? inputs.get(i) : "");
            }
            for (int i = 0; i < function.getOutputCount(); i++) {
                actual.put(
                        function.getOutput(i),
                        i < outputs.size() && !outputs.get(i).isEmpty()
                                ? outputs.get(i)
                                : name + "/" + function.getOutput(i));
            }
            var given = new HashMap<String, OnnxMl.AttributeProto>();
            function.getAttributeProtoList().forEach(a -> given.put(a.getName(), a));
            attributes.forEach(a -> given.put(a.getName(), a));
            expand(
                    function.getNodeList(),
                    versions(function.getOpsetImportList()),
                    name + "/",
                    local -> local.isEmpty() ? "" : actual.getOrDefault(local, name + "/" + local),
                    given,
                    depth + 1);
        }
    }

    private String unique(String name) {
        String candidate = name;
        for (int i = 1; !names.add(candidate); i++) {
            candidate = name + "_" + i;
        }
        return candidate;
    }

    /// An attribute with its value; empty where it refers to an argument that the call does not give.
    private static Optional<OnnxMl.AttributeProto> resolve(
            OnnxMl.AttributeProto a, Map<String, OnnxMl.AttributeProto> arguments) {
        if (a.getRefAttrName().isEmpty()) {
            return Optional.of(a);
        }
        return Optional.ofNullable(arguments.get(a.getRefAttrName()))
                .map(given -> given.toBuilder().setName(a.getName()).build());
    }
}

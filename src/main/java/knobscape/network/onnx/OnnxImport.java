package knobscape.network.onnx;

import static java.util.Objects.requireNonNull;

import ai.onnx.proto.OnnxMl;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.MissingExtents;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.ShapeInference;
import knobscape.network.Tensor;

/// ONNX files, operator sets 7 and later.
///
/// Weights are not read, wherever they are stored; only small constants are, because shapes and paddings are
/// often computed from them. Everything that does not depend on the data a network is run with is folded away.
/// Operators that are not known stay as [Operator.Opaque] nodes, and shapes behind them are taken from the
/// file's own declarations where it has any.
public final class OnnxImport {
    /// Oldest operator set that is read.
    public static final int OLDEST_OPSET = 7;
    /// Newest operator set whose description was read when this was written; newer files are read by the same
    /// rules.
    public static final int NEWEST_OPSET = 26;

    private static final Set<String> NAMELESS_GRAPHS = Set.of(
            "",
            "main_graph",
            "main",
            "torch_jit",
            "torch-jit-export",
            "graph",
            "Graph",
            "tf2onnx",
            "paddle-onnx",
            "Model from PaddlePaddle.");

    private final Path path;
    private final String file;
    private final OnnxMl.ModelProto model;
    private final ImportOptions options;
    private final Map<String, KnownTensor> values = new LinkedHashMap<>();
    private final Map<String, Tensor> declared = new HashMap<>();
    private final Map<String, Long> symbols = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, Integer> opaque = new TreeMap<>();
    /// Names of all tensors that somebody reads.
    private final Set<String> consumed = new HashSet<>();

    private OnnxImport(Path path, OnnxMl.ModelProto model, ImportOptions options) {
        this.path = path;
        this.file = path.toString();
        this.model = model;
        this.options = options;
    }

    /// Reads a file. Throws [UserError] for a file that is absent, damaged, hostile, too old, contradicts
    /// itself, or leaves a dimension open that `options` does not give.
    public static ImportedNetwork read(Path file, ImportOptions options) {
        return new OnnxImport(file, OnnxSkeleton.read(file), options).imported();
    }

    private ImportedNetwork imported() {
        checkOpset();
        weights();
        inputs();
        declarations();
        var given = new HashSet<>(values.keySet());
        List<RawNode> ordered = OnnxGraph.ordered(OnnxFunctions.inline(model, file), given, file);
        for (RawNode raw : ordered) {
            consumed.addAll(raw.inputs());
            consumed.addAll(OnnxGraph.captured(raw));
        }
        model.getGraph().getOutputList().forEach(o -> consumed.add(o.getName()));
        for (RawNode raw : ordered) {
            try {
                QuantizedOperators.unfolded(raw).forEach(this::read);
            } catch (ShapeException e) {
                throw new UserError(
                        file + ": node '" + raw.name() + "' (" + raw.type() + "): " + e.getMessage() + ".", e);
            }
        }
        return result();
    }

    private void checkOpset() {
        long opset = model.getOpsetImportList().stream()
                .filter(o -> o.getDomain().isEmpty() || o.getDomain().equals("ai.onnx"))
                .mapToLong(OnnxMl.OperatorSetIdProto::getVersion)
                .max()
                .orElse(model.getOpsetImportCount() == 0 ? 1 : NEWEST_OPSET);
        if (opset < OLDEST_OPSET) {
            throw new UserError(file + " uses ONNX operator set " + opset + "; version " + OLDEST_OPSET
                    + " or newer is read: export the model again with a newer one.");
        }
        if (opset > NEWEST_OPSET) {
            notes.add("The file uses ONNX operator set " + opset + ", newer than this program knows (" + NEWEST_OPSET
                    + "); it is read by the rules of that one.");
        }
    }

    private void weights() {
        for (OnnxMl.TensorProto t : model.getGraph().getInitializerList()) {
            weight(t.getName(), t, t.getDimsList());
        }
        for (OnnxMl.SparseTensorProto t : model.getGraph().getSparseInitializerList()) {
            weight(t.getValues().getName(), t.getValues(), t.getDimsList());
        }
    }

    private void weight(String name, OnnxMl.TensorProto t, List<Long> dims) {
        Shape shape;
        try {
            shape = new Shape(dims);
        } catch (ShapeException e) {
            throw new UserError(file + ": weights '" + name + "': " + e.getMessage() + ".", e);
        }
        var tensor = new Tensor(name, OnnxTypes.of(t.getDataType()), shape, Tensor.Role.WEIGHT);
        Optional<Constant> constant = t.getDimsList().equals(dims) ? Constant.of(t, folder()) : Optional.empty();
        if (values.put(name, new KnownTensor(tensor, constant)) != null) {
            throw new UserError(file + ": two stored weights are named '" + name + "'; the file is damaged.");
        }
    }

    private Path folder() {
        Path parent = path.toAbsolutePath().normalize().getParent();
        return parent == null ? path.toAbsolutePath().getRoot() : parent;
    }

    /// Inputs that are not stored weights: older files list those as inputs too.
    private List<OnnxMl.ValueInfoProto> trueInputs() {
        Set<String> stored = model.getGraph().getInitializerList().stream()
                .map(OnnxMl.TensorProto::getName)
                .collect(Collectors.toSet());
        return model.getGraph().getInputList().stream()
                .filter(i -> !stored.contains(i.getName()))
                .toList();
    }

    private boolean isOpen(String input, int axis, OnnxMl.TensorShapeProto.Dimension d) {
        if (d.hasDimValue() && (d.getDimValue() < -1 || (d.getDimValue() == 0 && axis != 0))) {
            throw new UserError(file + ": input '" + input + "' has an extent of " + d.getDimValue() + " on axis "
                    + axis + "; the file is damaged or exported wrongly.");
        }
        return d.getDimValue() <= 0;
    }

    /// Name of an open extent; empty where the file gives none. Some exporters write `?` or `-1` for every open one,
    /// which does not make them the same.
    private static String symbol(OnnxMl.TensorShapeProto.Dimension d) {
        return d.getDimParam().codePoints().anyMatch(Character::isLetter) ? d.getDimParam() : "";
    }

    private void inputs() {
        var asked = new LinkedHashMap<String, MissingExtents.Extent>();
        boolean batchUsed = false;
        var fixed = new LinkedHashSet<Long>();
        var open = new LinkedHashSet<String>();
        for (OnnxMl.ValueInfoProto input : trueInputs()) {
            String name = input.getName();
            ElementType type = OnnxTypes.of(input.getType().getTensorType().getElemType());
            if (!input.getType().hasTensorType()
                    || !input.getType().getTensorType().hasShape()) {
                values.put(name, KnownTensor.of(new Tensor(name, type, Optional.empty(), Tensor.Role.INPUT)));
                notes.add("Input '" + name + "' has no shape in the file; shapes behind it are not known.");
                continue;
            }
            var dims = new ArrayList<Long>();
            List<OnnxMl.TensorShapeProto.Dimension> given =
                    input.getType().getTensorType().getShape().getDimList();
            for (int axis = 0; axis < given.size(); axis++) {
                OnnxMl.TensorShapeProto.Dimension d = given.get(axis);
                if (!isOpen(name, axis, d)) {
                    dims.add(d.getDimValue());
                    if (axis == 0) {
                        fixed.add(d.getDimValue());
                    }
                    continue;
                }
                String symbol = symbol(d);
                String key = symbol.isEmpty() ? name + ":" + axis : symbol;
                open.add(key);
                open.add(name + ":" + axis);
                Optional<Long> said = Optional.ofNullable(
                        options.dims().getOrDefault(key, options.dims().get(name + ":" + axis)));
                if (said.isEmpty() && axis == 0 && options.batch().isPresent()) {
                    said = Optional.of(options.batch().getAsLong());
                    batchUsed = true;
                }
                if (said.isPresent() && said.get() < 1) {
                    throw new UserError("The value " + said.get() + " for '" + key + "' of " + file
                            + " is too small; give 1 or more.");
                }
                if (said.isEmpty()) {
                    asked.putIfAbsent(
                            key,
                            new MissingExtents.Extent(
                                    key,
                                    axis == 0
                                            ? "the batch size of input '" + name + "'"
                                                    + (symbol.isEmpty() ? "" : " ('" + symbol + "')")
                                            : "axis " + axis + " of input '" + name + "'",
                                    axis == 0 ? "--batch N" : "--dim " + key + "=N",
                                    axis,
                                    given.size()));
                }
                dims.add(said.orElse(1L));
                if (!symbol.isEmpty()) {
                    symbols.put(symbol, said.orElse(1L));
                }
            }
            try {
                values.put(name, KnownTensor.of(new Tensor(name, type, new Shape(dims), Tensor.Role.INPUT)));
            } catch (ShapeException e) {
                throw new UserError(file + ": input '" + name + "': " + e.getMessage() + ".", e);
            }
        }
        options.requireOpen(file, open);
        if (!asked.isEmpty()) {
            throw new MissingExtents(
                    file, List.copyOf(asked.values()), batchUsed ? options.batch() : OptionalLong.empty());
        }
        if (options.batch().isPresent()
                && !batchUsed
                && !fixed.isEmpty()
                && !fixed.contains(options.batch().getAsLong())) {
            notes.add("The batch size is fixed in the file at " + fixed.getFirst() + " and stays so.");
        }
    }

    /// The file's own statements about shapes inside, as far as they are complete.
    private void declarations() {
        var all = new ArrayList<>(model.getGraph().getValueInfoList());
        all.addAll(model.getGraph().getOutputList());
        for (OnnxMl.ValueInfoProto v : all) {
            if (!v.getType().hasTensorType() || !v.getType().getTensorType().hasShape()) {
                continue;
            }
            var dims = new ArrayList<Long>();
            for (OnnxMl.TensorShapeProto.Dimension d :
                    v.getType().getTensorType().getShape().getDimList()) {
                Long value =
                        d.hasDimValue() && d.getDimValue() > 0 ? Long.valueOf(d.getDimValue()) : symbols.get(symbol(d));
                if (value == null) {
                    break;
                }
                dims.add(value);
            }
            if (dims.size() == v.getType().getTensorType().getShape().getDimCount()) {
                try {
                    declared.put(
                            v.getName(),
                            new Tensor(
                                    v.getName(),
                                    OnnxTypes.of(v.getType().getTensorType().getElemType()),
                                    new Shape(dims),
                                    Tensor.Role.ACTIVATION));
                } catch (ShapeException e) {
                    throw new UserError(file + ": tensor '" + v.getName() + "': " + e.getMessage() + ".", e);
                }
            }
        }
    }

    private void read(RawNode raw) {
        if (raw.outputs().isEmpty()) {
            return;
        }
        List<Optional<KnownTensor>> in = raw.inputs().stream()
                .map(i -> Optional.ofNullable(values.get(i)))
                .toList();
        Optional<KnownTensor> constant = ConstantSource.value(raw, in, folder());
        if (constant.isPresent()) {
            values.put(raw.outputs().getFirst(), constant.get());
            return;
        }
        boolean folded = !in.isEmpty()
                && in.stream()
                        .flatMap(Optional::stream)
                        .allMatch(v -> v.tensor().isWeight())
                && OnnxGraph.captured(raw).isEmpty();
        OnnxOperators.Meaning meaning;
        try {
            meaning = OnnxOperators.meaning(raw, in);
            if (!(meaning.operator() instanceof Operator.Split)
                    && raw.outputs().stream().skip(1).anyMatch(o -> !o.isEmpty() && consumed.contains(o))) {
                throw new UnresolvedOperatorException("more than its first result is used");
            }
        } catch (UnresolvedOperatorException e) {
            opaque(raw, in, folded);
            return;
        }
        boolean several = meaning.operator() instanceof Operator.Split;
        List<String> makes = several ? raw.outputs() : raw.outputs().subList(0, 1);
        List<Optional<KnownTensor>> reads =
                meaning.inputs().stream().map(in::get).toList();
        List<Tensor> made = ShapeInference.outputs(
                meaning.operator(),
                reads.stream().map(v -> v.map(KnownTensor::tensor)).toList(),
                makes);
        if (folded && made.stream().allMatch(t -> t.shape().isPresent())) {
            boolean known = !several
                    && reads.stream()
                            .flatMap(Optional::stream)
                            .allMatch(v -> v.constant().isPresent());
            Optional<Constant> result = known
                    ? ConstantFolder.fold(
                            raw,
                            meaning.operator(),
                            reads.stream()
                                    .map(v -> v.flatMap(KnownTensor::constant))
                                    .toList())
                    : Optional.empty();
            for (Tensor t : made) {
                values.put(
                        t.name(),
                        new KnownTensor(new Tensor(t.name(), t.type(), t.shape(), Tensor.Role.WEIGHT), result));
            }
            return;
        }
        for (Tensor t : made) {
            put(raw, t);
        }
        nodes.add(new Node(
                raw.name(),
                meaning.operator(),
                meaning.inputs().stream().map(raw.inputs()::get).toList(),
                makes));
    }

    /// Keeps what is inferred; what is not, is taken from the file's declarations. A disagreement is noted.
    private void put(RawNode raw, Tensor t) {
        if (t.name().isEmpty()) {
            return;
        }
        Tensor says = declared.get(t.name());
        Tensor kept = t.shape().isEmpty() && says != null ? says : t;
        if (says != null && t.shape().isPresent() && !says.shape().equals(t.shape())) {
            notes.add("Node '" + raw.name() + "' (" + raw.type() + ") makes "
                    + t.shape().get() + " where the file declares "
                    + says.shape().orElseThrow() + ".");
        }
        values.put(t.name(), KnownTensor.of(kept));
    }

    private void opaque(RawNode raw, List<Optional<KnownTensor>> in, boolean folded) {
        for (Tensor t : OpaqueResults.of(raw, in)) {
            if (folded && t.shape().isPresent() && raw.outputs().size() == 1) {
                values.put(
                        t.name(),
                        KnownTensor.of(new Tensor(
                                t.name(),
                                QuantizedOperators.folded(raw, in, t.type()),
                                t.shape(),
                                Tensor.Role.WEIGHT)));
                return;
            }
            put(raw, t);
        }
        opaque.merge(raw.domain().isEmpty() ? raw.type() : raw.domain() + "." + raw.type(), 1, Integer::sum);
        var reads = new ArrayList<>(raw.inputs());
        OnnxGraph.captured(raw).stream()
                .filter(c -> values.containsKey(c) && !reads.contains(c))
                .forEach(reads::add);
        nodes.add(new Node(
                raw.name(),
                new Operator.Opaque(raw.type(), raw.domain(), QuantizedOperators.attributes(raw, in, attributes(raw))),
                reads,
                raw.outputs()));
    }

    /// `2 Conv, Relu`.
    private static String operators(OnnxMl.GraphProto graph) {
        return Operator.counted(graph.getNodeList().stream().map(OnnxMl.NodeProto::getOpType))
                .limit(8)
                .collect(Collectors.joining(", "));
    }

    /// Short texts of simple attributes.
    private static Map<String, String> attributes(RawNode raw) {
        var texts = new TreeMap<String, String>();
        for (OnnxMl.AttributeProto a : raw.attributes()) {
            String text = switch (a.getType()) {
                case INT -> String.valueOf(a.getI());
                case FLOAT -> String.valueOf(a.getF());
                case STRING -> a.getS().toStringUtf8();
                case INTS -> a.getIntsList().toString();
                case FLOATS -> a.getFloatsList().toString();
                case GRAPH -> Operator.Opaque.GRAPH + operators(a.getG());
                default -> "";
            };
            if (!text.isEmpty() && text.length() <= 200) {
                texts.put(a.getName(), text);
            }
        }
        return texts;
    }

    private ImportedNetwork result() {
        List<String> outputs = model.getGraph().getOutputList().stream()
                .map(OnnxMl.ValueInfoProto::getName)
                .toList();
        if (outputs.isEmpty()) {
            throw new UserError(file + ": the graph names no output; export the model again.");
        }
        for (String o : outputs) {
            if (!values.containsKey(o)) {
                throw new UserError(file + ": output '" + o + "' is made by no node; the file is damaged.");
            }
        }
        List<Node> live = live(outputs);
        if (live.size() < nodes.size()) {
            notes.add((nodes.size() - live.size()) + " node(s) that no output depends on are left out.");
        }
        var tensors = new LinkedHashMap<String, Tensor>();
        List<String> inputs =
                trueInputs().stream().map(OnnxMl.ValueInfoProto::getName).toList();
        inputs.forEach(i -> tensors.put(i, requireNonNull(values.get(i)).tensor()));
        for (Node n : live) {
            n.inputs().stream()
                    .filter(i -> !i.isEmpty())
                    .forEach(i -> tensors.put(i, requireNonNull(values.get(i)).tensor()));
            n.outputs().stream()
                    .filter(o -> !o.isEmpty())
                    .forEach(o -> tensors.put(o, requireNonNull(values.get(o)).tensor()));
        }
        outputs.forEach(o -> tensors.put(o, requireNonNull(values.get(o)).tensor()));
        if (!opaque.isEmpty()) {
            notes.add("Kept as they are, because this program does not know the operator or what it works on: "
                    + opaque.entrySet().stream()
                            .map(e -> e.getValue() + " " + e.getKey())
                            .collect(Collectors.joining(", "))
                    + ".");
        }
        long unknown = live.stream()
                .filter(n -> !n.outputs().isEmpty()
                        && !n.output().isEmpty()
                        && requireNonNull(tensors.get(n.output())).shape().isEmpty())
                .count();
        if (unknown > 0) {
            notes.add("The shape of what " + unknown + " node(s) make is not known.");
        }
        var network = new Network(name(), live, tensors, inputs, outputs);
        return new ImportedNetwork(OperatorRecomposition.together(network, constants(tensors.keySet()), notes), notes);
    }

    /// Values of the weights of one element that are known.
    private Map<String, Double> constants(Set<String> tensors) {
        var known = new HashMap<String, Double>();
        for (String t : tensors) {
            Optional.ofNullable(values.get(t))
                    .flatMap(KnownTensor::constant)
                    .filter(c -> c.size() == 1)
                    .ifPresent(c -> known.put(t, c.number()));
        }
        return known;
    }

    private List<Node> live(List<String> outputs) {
        var producer = new HashMap<String, Node>();
        nodes.forEach(n -> n.outputs().forEach(o -> producer.put(o, n)));
        producer.remove("");
        var wanted = new HashSet<Node>();
        var open = new ArrayDeque<>(outputs);
        while (!open.isEmpty()) {
            Node n = producer.get(open.pop());
            if (n != null && wanted.add(n)) {
                open.addAll(n.inputs());
            }
        }
        return nodes.stream().filter(wanted::contains).toList();
    }

    private String name() {
        String name = model.getGraph().getName();
        if (!NAMELESS_GRAPHS.contains(name)) {
            return name;
        }
        Path last = path.getFileName();
        return last == null ? "network" : last.toString().replaceFirst("\\.onnx$", "");
    }
}

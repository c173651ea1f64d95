package knobscape.network.table;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.ShapeInference;
import knobscape.network.Tensor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads a network graph from JSON, and writes it.
///
/// `{"format": "knobscape-network", "formatVersion": 1, "name", "inputs": [{"name", "type", "shape"}],
/// "weights": [{"name", "type", "shape"}], "nodes": [{"name", "operator": {"op": "conv", "window": {"kernel",
/// "strides", "padBegin", "padEnd", "dilations"}, "groups"}, "inputs": [..], "outputs": [..], "results"?:
/// [{"type", "shape"}]}], "outputs": [..]}`.
///
/// `op` is the name of a record of [Operator] in lower case, and its properties are those of the record, all of
/// them. Nodes stand behind those they read from. Shapes of what nodes make are inferred; `results` is needed
/// for opaque operators only. A `shape` is a list of extents, and is absent where it is not known.
public final class NetworkJson {
    /// The value of `format`.
    public static final String FORMAT = "knobscape-network";
    /// The newest version that is understood.
    public static final int VERSION = 1;

    private static final int MAX_NODES = 200_000;

    private final JsonMapper mapper;

    /// Says how operators are told apart.
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "op")
    private interface ByName {}

    /// Prepares a reader; it can be used from several threads.
    public NetworkJson() {
        mapper = mapper();
    }

    /// The mapper that turns operators into JSON objects and back.
    static JsonMapper mapper() {
        // Records have questions (isPointwise and the like) besides their components; only components are
        // written.
        JsonMapper.Builder builder = JsonMapper.builder()
                .addMixIn(Operator.class, ByName.class)
                .changeDefaultVisibility(
                        v -> v.withVisibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE))
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        for (Class<?> type : Operator.class.getPermittedSubclasses()) {
            builder.registerSubtypes(new NamedType(type, type.getSimpleName().toLowerCase(Locale.ROOT)));
        }
        return builder.build();
    }

    /// The whole document of a network.
    public static ObjectNode write(Network network) {
        JsonMapper mapper = mapper();
        ObjectNode root = mapper.createObjectNode()
                .put("format", FORMAT)
                .put("formatVersion", VERSION)
                .put("name", network.name());
        ArrayNode inputs = root.putArray("inputs");
        network.inputs().forEach(i -> tensor(inputs.addObject().put("name", i), network.tensor(i)));
        ArrayNode weights = root.putArray("weights");
        network.tensors().values().stream()
                .filter(Tensor::isWeight)
                .forEach(w -> tensor(weights.addObject().put("name", w.name()), w));
        ArrayNode nodes = root.putArray("nodes");
        for (Node n : network.nodes()) {
            ObjectNode node = nodes.addObject().put("name", n.name());
            node.set("operator", mapper.valueToTree(n.operator()));
            n.inputs().forEach(node.putArray("inputs")::add);
            n.outputs().forEach(node.putArray("outputs")::add);
            boolean unknownInput = n.inputs().stream()
                    .anyMatch(i -> !i.isEmpty() && network.tensor(i).shape().isEmpty());
            if (n.operator() instanceof Operator.Opaque || unknownInput) {
                ArrayNode results = node.putArray("results");
                n.outputs().forEach(o -> {
                    ObjectNode result = results.addObject();
                    if (!o.isEmpty()) {
                        tensor(result, network.tensor(o));
                    }
                });
            }
        }
        network.outputs().forEach(root.putArray("outputs")::add);
        return root;
    }

    private static void tensor(ObjectNode to, Tensor t) {
        to.put("type", t.type().label());
        t.shape().ifPresent(s -> s.dims().forEach(to.putArray("shape")::add));
    }

    /// The network of a document; throws [UserError] that names what is wrong.
    ///
    /// @param file for messages
    public Network read(JsonNode root, String file) {
        new JsonFields(file, root, "").checkFormat(FORMAT, VERSION);
        try {
            return new Reader(file).network(root);
        } catch (ShapeException e) {
            throw new UserError(file + ": " + e.getMessage() + ".", e);
        } catch (IllegalArgumentException e) {
            throw new UserError(file + " is not a valid network: " + e.getMessage() + ".", e);
        }
    }

    private final class Reader {
        private final String file;
        private final Map<String, Tensor> tensors = new LinkedHashMap<>();

        Reader(String file) {
            this.file = file;
        }

        Network network(JsonNode root) {
            List<String> inputs = given(root, "inputs", Tensor.Role.INPUT);
            given(root, "weights", Tensor.Role.WEIGHT);
            JsonNode list = array(root, "nodes", "");
            if (list.size() > MAX_NODES) {
                throw new UserError(
                        file + " has more than " + MAX_NODES + " nodes, which no network does; it is not read.");
            }
            var nodes = new ArrayList<Node>();
            for (JsonNode n : list) {
                nodes.add(node(n, "/nodes/" + nodes.size()));
            }
            return new Network(text(root, "name", ""), nodes, tensors, inputs, texts(root, "outputs", ""));
        }

        private List<String> given(JsonNode root, String key, Tensor.Role role) {
            var names = new LinkedHashSet<String>();
            int i = 0;
            for (JsonNode t : array(root, key, "")) {
                String at = "/" + key + "/" + i++;
                String name = text(t, "name", at);
                put(new Tensor(name, type(t, at), shape(t, at), role), at);
                names.add(name);
            }
            return List.copyOf(names);
        }

        private Node node(JsonNode n, String at) {
            String name = text(n, "name", at);
            Operator op;
            try {
                op = mapper.treeToValue(n.path("operator"), Operator.class);
            } catch (JacksonException e) {
                throw wrong(
                        at + "/operator",
                        e.getOriginalMessage().lines().findFirst().orElse("it cannot be read"));
            }
            if (op == null) {
                throw wrong(at, "\"operator\" is missing");
            }
            List<String> inputs = texts(n, "inputs", at);
            List<String> outputs = texts(n, "outputs", at);
            if (outputs.isEmpty()) {
                throw wrong(at, "\"outputs\" must name a tensor");
            }
            List<Optional<Tensor>> reads = inputs.stream()
                    .map(i -> i.isEmpty() ? Optional.<Tensor>empty() : Optional.of(made(i, at)))
                    .toList();
            List<Tensor> made;
            try {
                made = ShapeInference.outputs(op, reads, outputs);
            } catch (ShapeException e) {
                throw wrong(at + " ('" + name + "')", e.getMessage());
            }
            JsonNode results = n.path("results");
            for (int i = 0; i < made.size(); i++) {
                if (outputs.get(i).isEmpty()) {
                    continue;
                }
                Tensor t = made.get(i);
                if (t.shape().isEmpty() && results.isArray() && i < results.size()) {
                    t = new Tensor(
                            t.name(), type(results.get(i), at), shape(results.get(i), at), Tensor.Role.ACTIVATION);
                }
                put(t, at);
            }
            return new Node(name, op, inputs, outputs);
        }

        private Tensor made(String tensor, String at) {
            Tensor t = tensors.get(tensor);
            if (t == null) {
                throw wrong(at, "it reads '" + tensor + "', which nothing before it makes");
            }
            return t;
        }

        private void put(Tensor t, String at) {
            if (tensors.put(t.name(), t) != null) {
                throw wrong(at, "two tensors are named '" + t.name() + "'");
            }
        }

        private ElementType type(JsonNode n, String at) {
            String label = text(n, "type", at);
            for (ElementType t : ElementType.values()) {
                if (t.label().equals(label)) {
                    return t;
                }
            }
            throw wrong(at, "\"type\" cannot be '" + label + "'");
        }

        private Optional<Shape> shape(JsonNode n, String at) {
            if (n.path("shape").isMissingNode()) {
                return Optional.empty();
            }
            var dims = new ArrayList<Long>();
            for (JsonNode d : array(n, "shape", at)) {
                if (!d.canConvertToLong() || !d.isIntegralNumber()) {
                    throw wrong(at, "\"shape\" must be a list of whole numbers");
                }
                dims.add(d.asLong());
            }
            return Optional.of(new Shape(dims));
        }

        private List<String> texts(JsonNode n, String key, String at) {
            var texts = new ArrayList<String>();
            for (JsonNode t : array(n, key, at)) {
                if (!t.isString()) {
                    throw wrong(at, "\"" + key + "\" must be a list of names");
                }
                texts.add(t.asString());
            }
            return texts;
        }

        private JsonNode array(JsonNode n, String key, String at) {
            if (!n.path(key).isArray()) {
                throw wrong(at, "\"" + key + "\" must be a list");
            }
            return n.path(key);
        }

        private String text(JsonNode n, String key, String at) {
            if (!n.path(key).isString()) {
                throw wrong(at, "\"" + key + "\" must be a text");
            }
            return n.path(key).asString();
        }

        private UserError wrong(String at, String what) {
            return new UserError(file + " is not a valid network: at " + (at.isEmpty() ? "/" : at) + ", " + what + ".");
        }
    }
}

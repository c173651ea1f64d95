package knobscape.gpu.space.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.ElementType;
import knobscape.network.Operator;
import knobscape.network.table.NetworkJson;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A schedule as JSON: the work, the template (or `sketch`), the knobs (with AutoTVM's index) and the epilogue.
/// Reading it gives the same kernels.
public final class ScheduleJson {
    private static final String FORMAT = "knobscape-schedule";
    private static final int VERSION = 1;
    private static final String SIGNED = "int8";
    private static final String UNSIGNED = "uint8";

    private ScheduleJson() {}

    /// The document of a schedule.
    public static ObjectNode write(Schedule schedule) {
        ScheduleSource t = schedule.source();
        ObjectNode root = JsonMapper.shared().createObjectNode();
        root.put("format", FORMAT).put("formatVersion", VERSION);
        root.set("workload", write(t.workload()));
        root.put("template", t.name());
        root.put("index", t.space().indexOf(schedule.configuration()));
        ObjectNode knobs = root.putObject("knobs");
        for (ScheduleKnob k : t.space().scheduleKnobs()) {
            switch (k) {
                case ScheduleKnob.Split s -> {
                    ArrayNode factors = knobs.putArray(s.name());
                    for (long f : t.space().factors(schedule.configuration(), s.name())) {
                        factors.add(f);
                    }
                }
                case ScheduleKnob.Option o -> knobs.put(o.name(), t.space().option(schedule.configuration(), o.name()));
            }
        }
        ArrayNode steps = root.putArray("epilogue");
        for (Epilogue.Step step : schedule.epilogue().steps()) {
            switch (step) {
                case Epilogue.Rescale _ -> steps.add("scale");
                case Epilogue.Quantize q -> steps.add(q.unsigned() ? UNSIGNED : SIGNED);
                case Epilogue.Bias _ -> steps.add("bias");
                case Epilogue.Residual _ -> steps.add("residual");
                case Epilogue.Clamp c -> {
                    ArrayNode bounds = steps.addObject().putArray("clamp");
                    bound(bounds, c.low());
                    bound(bounds, c.high());
                }
                case Epilogue.Linear(double factor, double shift) ->
                    steps.addObject().putArray("linear").add(factor).add(shift);
                case Epilogue.Activation(Operator.Unary u) ->
                    steps.addObject()
                            .put("activation", u.function().name())
                            .put("alpha", u.alpha())
                            .put("beta", u.beta());
            }
        }
        return root;
    }

    private static void bound(ArrayNode bounds, double value) {
        if (Double.isInfinite(value)) {
            bounds.addNull();
        } else {
            bounds.add(value);
        }
    }

    /// The document of a piece of work.
    public static ObjectNode write(Workload workload) {
        ObjectNode w = JsonMapper.shared().createObjectNode();
        switch (workload) {
            case Workload.Conv2d c ->
                w.put("kind", "conv2d")
                        .put("type", c.type().label())
                        .put("batch", c.batch())
                        .put("channels", c.channels())
                        .put("height", c.height())
                        .put("width", c.width())
                        .put("filters", c.filters())
                        .put("kernelHeight", c.kernelHeight())
                        .put("kernelWidth", c.kernelWidth())
                        .put("strideHeight", c.strideHeight())
                        .put("strideWidth", c.strideWidth())
                        .put("padTop", c.padTop())
                        .put("padLeft", c.padLeft())
                        .put("padBottom", c.padBottom())
                        .put("padRight", c.padRight())
                        .put("padFill", c.padding().fill())
                        .put("dilationHeight", c.dilationHeight())
                        .put("dilationWidth", c.dilationWidth())
                        .put("groups", c.groups());
            case Workload.Dense d ->
                w.put("kind", "dense")
                        .put("type", d.type().label())
                        .put("m", d.m())
                        .put("n", d.n())
                        .put("k", d.k());
            case Workload.BatchMatmul b ->
                w.put("kind", "batch_matmul")
                        .put("type", b.type().label())
                        .put("batch", b.batch())
                        .put("m", b.m())
                        .put("n", b.n())
                        .put("k", b.k());
            case Workload.Graph g -> w.put("kind", "graph").set("network", NetworkJson.write(g.network()));
        }
        return w;
    }

    /// The schedule of a document; throws [UserError] naming what is wrong.
    ///
    /// @param name of the file, for messages
    public static Schedule read(JsonNode root, String name) {
        if (!root.path("format").asString("").equals(FORMAT)) {
            throw new UserError(name + " has no \"format\": \"" + FORMAT + "\".");
        }
        if (root.path("formatVersion").asInt(0) != VERSION) {
            throw new UserError(name + " is of format version "
                    + root.path("formatVersion").asString("none") + "; this program reads " + VERSION + ".");
        }
        Workload workload = workload(root.path("workload"), name);
        String templateName = root.path("template").asString("");
        ScheduleSource template = Sources.of(workload, templateName)
                .orElseThrow(() -> new UserError(name + ": "
                        + Templates.obstacle(workload)
                                .orElse("template '" + templateName + "' cannot compute " + workload.id())
                        + "."));
        return template.schedule(
                configuration(template.space(), root.path("knobs"), name), epilogue(root.path("epilogue"), name));
    }

    private static Configuration configuration(ScheduleSpace space, JsonNode knobs, String name) {
        int[] levels = new int[space.scheduleKnobs().size()];
        for (int i = 0; i < levels.length; i++) {
            ScheduleKnob k = space.scheduleKnobs().get(i);
            JsonNode value = knobs.path(k.name());
            levels[i] = k.levelOf(value);
            if (levels[i] < 0) {
                throw new UserError(name + ": knob '" + k.name() + "' cannot be "
                        + (value.isMissingNode() ? "absent" : value.toString()) + ".");
            }
        }
        Configuration configuration = Configuration.of(space.knobs(), levels);
        if (!space.contains(configuration)) {
            throw new UserError(name + ": knobs that its sketch does not have must keep their first value.");
        }
        return configuration;
    }

    private static Epilogue epilogue(JsonNode steps, String name) {
        List<Epilogue.Step> all = new ArrayList<>();
        for (JsonNode s : steps) {
            if (s.isString() && s.asString().equals("bias")) {
                all.add(new Epilogue.Bias());
            } else if (s.isString() && s.asString().equals("scale")) {
                all.add(new Epilogue.Rescale());
            } else if (s.isString() && List.of(SIGNED, UNSIGNED).contains(s.asString())) {
                all.add(new Epilogue.Quantize(s.asString().equals(UNSIGNED)));
            } else if (s.isString() && s.asString().equals("residual")) {
                all.add(new Epilogue.Residual());
            } else if (s.path("clamp").size() == 2) {
                JsonNode low = s.path("clamp").get(0);
                JsonNode high = s.path("clamp").get(1);
                all.add(new Epilogue.Clamp(
                        low.isNull() ? Double.NEGATIVE_INFINITY : low.asDouble(0),
                        high.isNull() ? Double.POSITIVE_INFINITY : high.asDouble(0)));
            } else if (s.path("linear").size() == 2) {
                all.add(new Epilogue.Linear(
                        s.path("linear").get(0).asDouble(1),
                        s.path("linear").get(1).asDouble(0)));
            } else if (activation(s).isPresent()) {
                all.add(activation(s).get());
            } else {
                throw new UserError(name + ": a kernel cannot do '" + s + "' to its result.");
            }
        }
        try {
            return new Epilogue(all);
        } catch (IllegalArgumentException e) {
            throw new UserError(name + ": " + e.getMessage() + ".", e);
        }
    }

    private static Optional<Epilogue.Step> activation(JsonNode step) {
        return Arrays.stream(Operator.Unary.Function.values())
                .filter(f -> f.name().equals(step.path("activation").asString("")))
                .map(f -> new Operator.Unary(
                        f, step.path("alpha").asDouble(0), step.path("beta").asDouble(0)))
                .filter(Epilogue::isFused)
                .<Epilogue.Step>map(Epilogue.Activation::new)
                .findFirst();
    }

    /// The work of a document; throws [UserError] naming what is wrong.
    public static Workload workload(JsonNode w, String name) {
        if (w.path("kind").asString("").equals("graph")) {
            Workload.Graph graph = new Workload.Graph(new NetworkJson().read(w.path("network"), name));
            if (graph.network().nodes().isEmpty() || graph.network().outputs().size() != 1) {
                throw new UserError(name + ": a graph that is computed together has nodes and one result.");
            }
            return graph;
        }
        var r = new Reader(w, name);
        ElementType type = r.type();
        Workload read = switch (w.path("kind").asString("")) {
            case "conv2d" ->
                new Workload.Conv2d(
                        type,
                        r.extent("batch"),
                        r.extent("channels"),
                        r.extent("height"),
                        r.extent("width"),
                        r.extent("filters"),
                        new Workload.Conv2d.Taps(
                                r.extent("kernelHeight"),
                                r.extent("kernelWidth"),
                                r.extent("strideHeight"),
                                r.extent("strideWidth"),
                                r.extent("dilationHeight"),
                                r.extent("dilationWidth")),
                        new Workload.Conv2d.Padding(
                                r.number("padTop", 0),
                                r.number("padLeft", 0),
                                r.number("padBottom", 0),
                                r.number("padRight", 0),
                                w.path("padFill").asInt(0)),
                        r.extent("groups"));
            case "dense" -> new Workload.Dense(type, r.extent("m"), r.extent("n"), r.extent("k"));
            case "batch_matmul" ->
                new Workload.BatchMatmul(type, r.extent("batch"), r.extent("m"), r.extent("n"), r.extent("k"));
            default ->
                throw new UserError(name + ": work of kind '" + w.path("kind").asString("") + "' is not known.");
        };
        if (read instanceof Workload.Conv2d c
                && (c.outHeight() < 1
                        || c.outWidth() < 1
                        || c.channels() % c.groups() != 0
                        || c.filters() % c.groups() != 0)) {
            throw new UserError(name + ": the convolution's extents do not fit together.");
        }
        return read;
    }

    private record Reader(JsonNode w, String name) {
        int extent(String field) {
            return number(field, 1);
        }

        int number(String field, int least) {
            JsonNode v = w.path(field);
            if (!v.canConvertToInt() || !v.isIntegralNumber() || v.asInt() < least) {
                throw new UserError(name + ": \"" + field + "\" must be a whole number from " + least + ", was "
                        + (v.isMissingNode() ? "absent" : v.toString()) + ".");
            }
            return v.asInt();
        }

        ElementType type() {
            for (ElementType t : ElementType.values()) {
                if (t.label().equals(w.path("type").asString(""))) {
                    return t;
                }
            }
            throw new UserError(name + ": element type '" + w.path("type").asString("") + "' is not known.");
        }
    }
}

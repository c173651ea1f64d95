package knobscape.gpu.export;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.device.Measurement.Failure;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tuning logs in AutoTVM's form, one JSON document per line: written as version 0.2 with the names and
/// arguments of TVM 0.8 and later, read as version 0.2 (TVM 0.7 to 0.14) or 0.1 (TVM 0.6 and before, TopHub).
///
/// Knobs are read by name, so records whose index counts another space are found to be so. Records of 2018 that
/// list `tile_rx` before `tile_ry` have these two names exchanged. Where nothing else is said, AutoTVM stores
/// the second matrix of a batch product transposed (B x N x K); kernels here read it as B x K x N, and the log
/// says so. What AutoTVM's form has no place for is a field of its own, which TVM skips: `knobscape`, with what
/// was fused behind the kernel (AutoTVM measures bare kernels) and whether the time is a model's.
public final class AutoTvmLog {
    private static final int LONGEST_LINE = 1 << 16;
    private static final int MOST_LINES = 5_000_000;

    private static final String DO_NOT_FIT = "has extents that do not fit together";
    private static final String MARK = "knobscape";
    private static final String BARE = "bare";
    private static final String MODEL = "model";

    private AutoTvmLog() {}

    /// A log that was read.
    ///
    /// @param records records of work and templates that are known, in order
    /// @param left lines left out, by reason, with how many and the first line's number
    public record LogContent(List<TuningRecord> records, List<SkippedRecords> left) {
        /// Copies the lists.
        public LogContent {
            records = List.copyOf(records);
            left = List.copyOf(left);
        }
    }

    /// Lines left out.
    ///
    /// @param reason why, as a clause
    /// @param count how many
    /// @param line number of the first
    public record SkippedRecords(String reason, int count, int line) {}

    /// The log of some records. Throws [UserError] for those of sketches, which AutoTVM does not know.
    ///
    /// @param target `cuda` or `opencl`, for records that do not say theirs
    public static String write(List<TuningRecord> records, String target) {
        var b = new StringBuilder();
        records.forEach(r -> b.append(line(r, target)).append('\n'));
        return b.toString();
    }

    private static ObjectNode line(TuningRecord r, String target) {
        if (!(r.source() instanceof Template template)) {
            throw new UserError("'" + r.source().id()
                    + "' was not tuned by a template, and AutoTVM's log has no place for it; export it as csv.");
        }
        if (template.workload().type() != ElementType.FLOAT32) {
            throw new UserError("'" + r.source().id() + "' computes in "
                    + template.workload().type().label()
                    + ", and the templates of AutoTVM's log in float32; export it as csv.");
        }
        ObjectNode root = JsonMapper.shared().createObjectNode();
        ArrayNode input = root.putArray("input");
        input.add(r.origin().target().isEmpty() ? target : r.origin().target()).add(template.autoTvmName());
        arguments(input.addArray(), template.workload());
        input.addObject();
        ObjectNode config = root.putObject("config");
        config.put("index", template.space().indexOf(r.configuration()));
        config.putNull("code_hash");
        ArrayNode entity = config.putArray("entity");
        for (ScheduleKnob k : template.space().scheduleKnobs()) {
            ArrayNode e = entity.addArray().add(k.name());
            switch (k) {
                case ScheduleKnob.Split s -> {
                    long[] factors = template.space().factors(r.configuration(), s.name());
                    ArrayNode list = e.add("sp").addArray().add(-1);
                    for (int i = 1; i < factors.length; i++) {
                        list.add(factors[i]);
                    }
                }
                case ScheduleKnob.Option o -> e.add("ot").add(template.space().option(r.configuration(), o.name()));
            }
        }
        ArrayNode result = root.putArray("result");
        ArrayNode costs = result.addArray();
        if (r.measurement() instanceof Measurement.Timed t) {
            (t.repeats().isEmpty() ? List.of(t.mean()) : t.repeats()).forEach(costs::add);
        } else {
            costs.add(1e9);
        }
        result.add(r.measurement().code()).add(r.measurement().costSeconds()).add(r.seconds());
        root.put("version", 0.2).put("tvm_version", "0.8.0");
        if (r.origin().model() || !r.origin().tail().equals(BARE)) {
            root.putObject(MARK)
                    .put("fused", r.origin().tail())
                    .put("source", r.origin().model() ? MODEL : "measured");
        }
        return root;
    }

    private static void arguments(ArrayNode a, Workload workload) {
        switch (workload) {
            case Workload.Conv2d c -> {
                tensor(a, c.batch(), c.channels(), c.height(), c.width());
                if (c.isDepthwise()) {
                    tensor(a, c.channels(), c.filters() / c.channels(), c.kernelHeight(), c.kernelWidth());
                } else {
                    tensor(a, c.filters(), c.channels(), c.kernelHeight(), c.kernelWidth());
                }
                a.addArray().add(c.strideHeight()).add(c.strideWidth());
                a.addArray().add(c.padTop()).add(c.padLeft()).add(c.padBottom()).add(c.padRight());
                a.addArray().add(c.dilationHeight()).add(c.dilationWidth());
                a.add("float32");
            }
            case Workload.Dense d -> {
                tensor(a, d.m(), d.k());
                tensor(a, d.n(), d.k());
                a.addNull().add("float32");
            }
            case Workload.BatchMatmul b -> {
                tensor(a, b.batch(), b.m(), b.k());
                tensor(a, b.batch(), b.k(), b.n());
                a.addArray().add(b.batch()).add(b.m()).add(b.n());
                a.add("float32").add(0).add(0);
            }
            case Workload.Graph _ -> throw new IllegalStateException("no template computes a graph");
        }
    }

    private static void tensor(ArrayNode a, long... shape) {
        ArrayNode t = a.addArray().add("TENSOR");
        ArrayNode extents = t.addArray();
        for (long e : shape) {
            extents.add(e);
        }
        t.add("float32");
    }

    /// Reads a log. Lines that are damaged or of work that no template knows are left out and counted; throws
    /// [UserError] where the file cannot be read or no line of it is a record.
    public static LogContent read(Path file) {
        InputFile.requireRegular(file);
        var records = new ArrayList<TuningRecord>();
        var left = new HashMap<String, int[]>();
        var templates = new HashMap<String, Template>();
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = line(reader);
            for (int number = 1; line != null && number <= MOST_LINES; number++, line = line(reader)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    try {
                        records.add(record(line, templates));
                    } catch (NotARecord e) {
                        int first = number;
                        left.computeIfAbsent(e.getMessage(), _ -> new int[] {0, first})[0]++;
                    }
                }
            }
        } catch (NoSuchFileException e) {
            throw new UserError("There is no file '" + file + "'.", e);
        } catch (CharacterCodingException e) {
            throw new UserError("'" + file + "' is no AutoTVM log: it is not UTF-8 text.", e);
        } catch (IOException e) {
            throw new UserError(
                    "'" + file + "' cannot be read as an AutoTVM log"
                            + (Files.isDirectory(file) ? ": it is a folder." : "; see whether you may read it."),
                    e);
        }
        List<SkippedRecords> out = left.entrySet().stream()
                .map(e -> new SkippedRecords(e.getKey(), e.getValue()[0], e.getValue()[1]))
                .sorted(java.util.Comparator.comparingInt(SkippedRecords::line))
                .toList();
        if (records.isEmpty()) {
            throw new UserError("'" + file + "' holds no record of AutoTVM that can be used"
                    + (out.isEmpty()
                            ? "."
                            : ": line " + out.getFirst().line() + " "
                                    + out.getFirst().reason() + "."));
        }
        return new LogContent(records, out);
    }

    /// The next line, cut where it is longer than any record; null at the end, as the reader has it.
    private static @Nullable String line(BufferedReader reader) throws IOException {
        int c = reader.read();
        if (c < 0) {
            return null;
        }
        var b = new StringBuilder();
        for (; c >= 0 && c != '\n'; c = reader.read()) {
            if (b.length() <= LONGEST_LINE) {
                b.append((char) c);
            }
        }
        return b.toString();
    }

    /// Why a line is left out.
    private static final class NotARecord extends Exception {
        private static final long serialVersionUID = 1L;

        NotARecord(String reason) {
            super(reason);
        }
    }

    private static TuningRecord record(String line, Map<String, Template> templates) throws NotARecord {
        if (line.length() > LONGEST_LINE) {
            throw new NotARecord("is longer than 64 KiB");
        }
        JsonNode root;
        try {
            root = JsonMapper.shared().readTree(line);
        } catch (JacksonException e) {
            throw new NotARecord("is not JSON");
        }
        boolean old = root.has("i");
        JsonNode input = root.path(old ? "i" : "input");
        if (input.path(0).isArray()) {
            throw new NotARecord("is of Ansor, whose schedules are of no template");
        }
        JsonNode config = old ? input.path(5) : root.path("config");
        JsonNode result = root.path(old ? "r" : "result");
        if (!input.isArray() || input.size() < 4 || !config.isObject() || !result.isArray() || result.size() < 4) {
            throw new NotARecord("has not the form of a record");
        }
        String name = old ? oldName(input, config) : newName(input.path(1).asString(""));
        Workload workload = workload(name, input.path(2));
        String key = workload.id() + " " + name;
        Template template = templates.get(key);
        if (template == null) {
            template = Templates.of(workload).stream()
                    .filter(t -> t.autoTvmName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new NotARecord("is of work that no template here computes (" + name + ")"));
            templates.put(key, template);
        }
        JsonNode mark = root.path(MARK);
        return new TuningRecord(
                template,
                configuration(template, config.path(old ? "e" : "entity")),
                measurement(result),
                result.path(3).asDouble(0),
                new TuningRecord.Origin(
                        input.path(0).asString(""),
                        mark.path("fused").asString(BARE),
                        mark.path("source").asString("").equals(MODEL)));
    }

    /// TVM before 0.8 says `.cuda` where later ones say `.gpu`.
    private static String newName(String name) {
        return name.replaceFirst("^(dense_(small|large)_batch)\\.cuda$", "$1.gpu");
    }

    /// TVM up to 0.6 names the operator and, beside it, the template.
    private static String oldName(JsonNode input, JsonNode config) {
        String operator = input.path(1).asString("");
        String template = config.path("t").asString("");
        return switch (operator) {
            case "topi_nn_conv2d" -> template.equals("winograd") ? "conv2d_nchw_winograd.cuda" : "conv2d_nchw.cuda";
            case "topi_nn_depthwise_conv2d_nchw" -> "depthwise_conv2d_nchw.cuda";
            case "topi_nn_dense" ->
                input.path(2).path(0).path(1).path(0).asLong(1) >= Templates.LARGE_BATCH
                        ? "dense_large_batch.gpu"
                        : "dense_small_batch.gpu";
            case "topi_nn_batch_matmul" -> "batch_matmul.cuda";
            default -> operator;
        };
    }

    private static Workload workload(String name, JsonNode a) throws NotARecord {
        long[] data = shape(a.path(0));
        long[] weight = shape(a.path(1));
        try {
            if (name.matches("(depthwise_)?conv2d_nchw(_winograd)?\\.cuda") && data.length == 4 && weight.length == 4) {
                boolean depthwise = name.startsWith("depthwise");
                long[] stride = numbers(a.path(2), 1);
                long[] pad = numbers(a.path(3), 0);
                // The oldest records have the layout where later ones have the dilation.
                long[] dilation = a.path(4).isString() ? new long[] {1, 1} : numbers(a.path(4), 1);
                for (JsonNode layout : a) {
                    if (layout.isString()
                            && layout.asString().startsWith("N")
                            && !layout.asString().equals("NCHW")) {
                        throw new NotARecord("is of the layout " + layout.asString() + ", not NCHW");
                    }
                }
                int p = pad.length == 4 ? 2 : 0;
                var c = new Workload.Conv2d(
                        ElementType.FLOAT32,
                        data[0],
                        data[1],
                        data[2],
                        data[3],
                        depthwise ? Math.multiplyExact(weight[0], weight[1]) : weight[0],
                        new Workload.Conv2d.Taps(
                                (int) weight[2],
                                (int) weight[3],
                                (int) stride[0],
                                (int) stride[1],
                                (int) dilation[0],
                                (int) dilation[1]),
                        new Workload.Conv2d.Padding((int) pad[0], (int) pad[1], (int) pad[p], (int) pad[p + 1]),
                        depthwise ? (int) data[1] : 1);
                if (c.outHeight() < 1 || c.outWidth() < 1 || (!depthwise && weight[1] != data[1])) {
                    throw new NotARecord(DO_NOT_FIT);
                }
                return c;
            }
            if (name.startsWith("dense") && data.length == 2 && weight.length == 2) {
                return new Workload.Dense(ElementType.FLOAT32, data[0], weight[0], data[1]);
            }
            if (name.startsWith("batch_matmul") && data.length == 3 && weight.length == 3) {
                boolean turned = a.path(4).asInt(0) == 1 || a.path(4).asBoolean(false);
                boolean straight = (a.path(5).isNumber() && a.path(5).asInt() == 0)
                        || (a.path(5).isBoolean() && !a.path(5).asBoolean());
                int m = turned ? 2 : 1;
                int n = straight ? 2 : 1;
                if (weight[3 - n] != data[3 - m] || weight[0] != data[0]) {
                    throw new NotARecord(DO_NOT_FIT);
                }
                return new Workload.BatchMatmul(ElementType.FLOAT32, data[0], data[m], weight[n], data[3 - m]);
            }
        } catch (ArithmeticException e) {
            throw new NotARecord("has extents that are too large");
        }
        throw new NotARecord(
                "is of work that no template here computes (" + name.substring(0, Math.min(60, name.length())) + ")");
    }

    private static long[] shape(JsonNode tensor) throws NotARecord {
        if (!tensor.path(1).isArray()) {
            return new long[0];
        }
        if (!tensor.path(2).asString("").equals("float32")) {
            throw new NotARecord("is of another element type than float32");
        }
        JsonNode extents = tensor.path(1);
        long[] shape = new long[Math.min(8, extents.size())];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = extents.get(i).asLong(0);
            if (shape[i] < 1 || shape[i] > Integer.MAX_VALUE) {
                throw new NotARecord(DO_NOT_FIT);
            }
        }
        return shape;
    }

    private static long[] numbers(JsonNode list, long least) throws NotARecord {
        long[] values = new long[list.isArray() && list.size() <= 4 ? Math.max(2, list.size()) : 2];
        for (int i = 0; i < values.length; i++) {
            JsonNode n = list.isArray() ? list.path(i) : list;
            values[i] = n.asLong(-1);
            if (values[i] < least || values[i] > 1 << 16) {
                throw new NotARecord(DO_NOT_FIT);
            }
        }
        return values;
    }

    private static Configuration configuration(Template template, JsonNode entity) throws NotARecord {
        var values = new LinkedHashMap<String, JsonNode>();
        for (JsonNode e : entity) {
            values.put(e.path(0).asString(""), e.path(2));
        }
        List<String> order = List.copyOf(values.keySet());
        if (order.contains("tile_rx") && order.indexOf("tile_rx") < order.indexOf("tile_ry")) {
            values.put("tile_rx", values.put("tile_ry", values.get("tile_rx")));
        }
        List<ScheduleKnob> knobs = template.space().scheduleKnobs();
        int[] levels = new int[knobs.size()];
        for (int i = 0; i < levels.length; i++) {
            JsonNode v = Optional.ofNullable(values.get(knobs.get(i).name()))
                    .orElseThrow(() -> new NotARecord("has other knobs than the template"));
            levels[i] = knobs.get(i).levelOf(v);
            if (levels[i] < 0) {
                throw new NotARecord("has a value of " + knobs.get(i).name() + " that is not in the space");
            }
        }
        return Configuration.of(template.space().knobs(), levels);
    }

    private static Measurement measurement(JsonNode result) throws NotARecord {
        double cost = Math.max(0, result.path(2).asDouble(0));
        int code = result.path(1).asInt(8);
        if (code != 0) {
            Failure failure = Arrays.stream(Failure.values())
                    .filter(f -> f.code() == (code == 2 ? 3 : code))
                    .findFirst()
                    .orElse(Failure.UNKNOWN);
            return new Measurement.Failed(failure, "The log does not say why it failed.", cost);
        }
        var times = new ArrayList<Double>();
        for (JsonNode t : result.path(0)) {
            double s = t.asDouble(0);
            if (!(s > 0) || !Double.isFinite(s)) {
                throw new NotARecord("has a time that is not positive");
            }
            times.add(s);
        }
        if (times.isEmpty()) {
            throw new NotARecord("has no time");
        }
        double mean = times.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        return new Measurement.Timed(mean, 0, times, false, cost);
    }
}

package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A directive of the source, taken apart.
///
/// @param directive upper case; of other tools with theirs in front (`ACCEL PIPELINE`, `CATAPULT UNROLL`, `INTEL II`)
/// @param options lower-case key to value as written; bare words have the value "" or stand under the key that they
/// mean
/// @param numbers keys of options that are numbers, in order
/// @param above whether it stands above the loop it is for, not inside
record PragmaText(String directive, Map<String, String> options, List<String> numbers, boolean above) {
    /// Not a person's: the first size of an array parameter.
    static final PragmaText SIZE = new PragmaText("SIZE", Map.of(), List.of(), false);

    private static final Pattern HLS = Pattern.compile("(?is)\\s*(?:HLS|AP)\\s+(\\w+)\\b(.*)");
    private static final Pattern ACCEL = Pattern.compile("(?is)\\s*ACCEL\\s+(\\w+)\\b(.*)");
    private static final Pattern CATAPULT = Pattern.compile("(?is)\\s*hls_(\\w+)\\b(.*)");
    private static final Pattern INTEL = Pattern.compile(
            "(?is)\\s*(ii|ivdep|loop_coalesce|max_concurrency|max_interleaving|speculated_iterations|disable_loop_pipelining|unroll|nounroll|component_interface|hls_interface)\\b(.*)");
    private static final Pattern KEY = Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*=(?!=)\\s*");
    /// Between the names of a list.
    private static final Pattern LISTED = Pattern.compile("\\s*,\\s*");
    private static final Pattern WORD = Pattern.compile("\\s*([^\\s=]+)");
    private static final Set<String> NUMERIC = Set.of(
            "factor",
            "dim",
            "ii",
            "min",
            "max",
            "avg",
            "depth",
            "limit",
            "latency",
            "distance",
            "cycle",
            "skip",
            "off_chip_latency",
            "max_read_burst_length",
            "max_write_burst_length",
            "num_read_outstanding",
            "num_write_outstanding",
            "max_widen_bitwidth",
            "width",
            "position",
            "target_ti",
            "target_tl",
            "latency_min",
            "latency_max",
            "parallel_factor",
            "bus_bitwidth");
    private static final Map<String, String> KINDS = Map.of("cyclic", "type", "block", "type", "complete", "type");
    private static final Map<String, Map<String, String>> BARE = Map.of(
            "ARRAY_PARTITION",
            KINDS,
            "ARRAY_RESHAPE",
            KINDS,
            "DEPENDENCE",
            Map.of(
                    "inter", "type",
                    "intra", "type",
                    "raw", "direction",
                    "war", "direction",
                    "waw", "direction",
                    "true", "dependent",
                    "false", "dependent",
                    "array", "class",
                    "pointer", "class"),
            "ALLOCATION",
            Map.of("operation", "type", "function", "type"),
            "INTERFACE",
            Map.ofEntries(
                    Map.entry("m_axi", "mode"),
                    Map.entry("s_axilite", "mode"),
                    Map.entry("axis", "mode"),
                    Map.entry("ap_none", "mode"),
                    Map.entry("ap_memory", "mode"),
                    Map.entry("ap_fifo", "mode"),
                    Map.entry("ap_vld", "mode"),
                    Map.entry("ap_ovld", "mode"),
                    Map.entry("ap_ack", "mode"),
                    Map.entry("ap_hs", "mode"),
                    Map.entry("ap_stable", "mode"),
                    Map.entry("ap_bus", "mode"),
                    Map.entry("bram", "mode"),
                    Map.entry("ap_ctrl_none", "mode"),
                    Map.entry("ap_ctrl_hs", "mode"),
                    Map.entry("ap_ctrl_chain", "mode")));
    /// The meaning of a value without a key in the dialects that have such: the number of `#pragma unroll 4`.
    private static final Map<String, String> FIRST_NUMBER = Map.of(
            "INTEL UNROLL", "factor",
            "INTEL II", "ii",
            "INTEL LOOP_COALESCE", "depth",
            "INTEL MAX_CONCURRENCY", "limit",
            "CATAPULT UNROLL", "factor",
            "CATAPULT PIPELINE_INIT_INTERVAL", "ii");

    /// The directive that a pragma is, without `#pragma`; empty where no high-level synthesis tool has such.
    static Optional<PragmaText> of(String text) {
        Matcher m = HLS.matcher(text);
        if (m.matches()) {
            return Optional.of(parse(
                    m.group(1).toUpperCase(Locale.ROOT),
                    LISTED.matcher(m.group(2)).replaceAll(","),
                    false));
        }
        m = ACCEL.matcher(text);
        if (m.matches()) {
            return Optional.of(parse("ACCEL " + m.group(1).toUpperCase(Locale.ROOT), m.group(2), true));
        }
        m = CATAPULT.matcher(text);
        if (m.matches()) {
            return Optional.of(parse("CATAPULT " + m.group(1).toUpperCase(Locale.ROOT), m.group(2), true));
        }
        m = INTEL.matcher(text);
        return m.matches()
                ? Optional.of(parse("INTEL " + m.group(1).toUpperCase(Locale.ROOT), m.group(2), true))
                : Optional.empty();
    }

    private static PragmaText parse(String directive, String text, boolean above) {
        var options = new LinkedHashMap<String, String>();
        var numbers = new ArrayList<String>();
        int at = 0;
        while (at < text.length()) {
            Matcher key = KEY.matcher(text).region(at, text.length());
            if (key.lookingAt()) {
                String name = key.group(1).toLowerCase(Locale.ROOT);
                int end = valueEnd(text, key.end(), NUMERIC.contains(name));
                String value = text.substring(key.end(), end).strip();
                at = Math.max(end, key.end());
                boolean word = name.equals("type") || name.equals("mode");
                options.put(name, word ? value.toLowerCase(Locale.ROOT) : value);
                if (NUMERIC.contains(name) && !value.isEmpty() && !value.contains("{")) {
                    numbers.add(name);
                }
                continue;
            }
            Matcher word = WORD.matcher(text).region(at, text.length());
            if (!word.lookingAt()) {
                break;
            }
            at = word.end();
            String first = FIRST_NUMBER.get(directive);
            if (first != null
                    && !options.containsKey(first)
                    && word.group(1).matches("\\(?\\w+\\)?")
                    && !word.group(1).matches("(?i)yes|no|true|false")) {
                options.put(first, word.group(1));
                numbers.add(first);
                continue;
            }
            String w = word.group(1).toLowerCase(Locale.ROOT);
            String meaning = BARE.getOrDefault(directive, Map.of()).get(w);
            if (meaning != null) {
                options.putIfAbsent(meaning, w);
            } else {
                options.put(w, "");
            }
        }
        return new PragmaText(directive, options, numbers, above);
    }

    /// Where a value ends: at a blank outside brackets and quotes, and of a number not beside an operator.
    private static int valueEnd(String text, int from, boolean number) {
        int depth = 0;
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '(' || c == '[' || c == '<') {
                depth++;
            } else if (c == ')' || c == ']' || c == '>') {
                depth--;
            } else if (Character.isWhitespace(c) && !quoted && depth <= 0) {
                String before = text.substring(from, i).strip();
                String after = text.substring(i).strip();
                boolean goesOn = number
                        && !after.isEmpty()
                        && !before.isEmpty()
                        && ("+-*/%".indexOf(after.charAt(0)) >= 0
                                || "+-*/%".indexOf(before.charAt(before.length() - 1)) >= 0);
                if (!goesOn) {
                    return i;
                }
            }
        }
        return text.length();
    }

    /// One for each variable of a list (`variable=a,b`).
    List<PragmaText> each() {
        String list = options.getOrDefault("variable", "");
        if (!list.contains(",")) {
            return List.of(this);
        }
        return Stream.of(list.split(","))
                .map(v -> {
                    var own = new LinkedHashMap<>(options);
                    own.put("variable", v.strip());
                    return new PragmaText(directive, own, numbers, above);
                })
                .toList();
    }

    /// The object that the pragma names: a variable, an argument, a stream.
    Optional<String> variable() {
        String v = options.getOrDefault("variable", options.getOrDefault("port", ""));
        return v.matches("[A-Za-z_][\\w.\\[\\]:>-]*") && !v.equals("return") ? Optional.of(v) : Optional.empty();
    }

    /// The call that says to the estimate what this asks for, where it asks for something that changes loops, functions
    /// or
    /// memories.
    Optional<String> order() {
        Optional<String> memory = variable().map(v -> "KN_AT(" + v + ")");
        boolean off = options.containsKey("off");
        return switch (directive) {
            case "UNROLL" -> Optional.of("__kn_unroll(" + number("factor", off ? "1" : "0") + ")");
            case "PIPELINE" -> Optional.of("__kn_pipeline(" + (off ? "-1" : number("ii", "0")) + ")");
            case "LOOP_FLATTEN" -> Optional.of("__kn_flatten_off()").filter(_ -> off);
            case "LOOP_TRIPCOUNT" -> trips();
            case "INLINE" -> Optional.of("__kn_inline(" + (off ? 0 : 1) + ")");
            case "DATAFLOW" -> Optional.of("__kn_dataflow()");
            case "ARRAY_PARTITION", "ARRAY_RESHAPE" ->
                memory.map(m ->
                        "__kn_part(" + m + "," + kind() + "," + number("factor", "0") + "," + number("dim", "1") + ")");
            case "DEPENDENCE" ->
                Optional.of("__kn_dep(" + memory.orElse("0") + ","
                                + (option("type").equals("intra") ? 2 : 1) + ")")
                        .filter(_ -> options.containsKey("false")
                                || option("dependent").equalsIgnoreCase("false"));
            case "STREAM" -> memory.map(m -> "__kn_stream(" + m + "," + number("depth", "2") + ")");
            case "INTERFACE" ->
                memory.filter(_ -> Set.of("m_axi", "axis", "ap_memory", "bram", "ap_fifo", "ap_none")
                                .contains(option("mode")))
                        .map(m -> "__kn_iface(" + m + ",\"" + option("mode") + "\",\""
                                + options.getOrDefault("bundle", "gmem") + "\")");
            case "BIND_STORAGE" -> memory.map(m -> storage(m, option("type"), option("impl")));
            case "RESOURCE" ->
                memory.filter(_ -> option("core").matches("(?i).*(ram|rom|fifo).*"))
                        .map(m -> storage(m, option("core"), ""));
            default -> Optional.empty();
        };
    }

    private String option(String key) {
        return options.getOrDefault(key, "");
    }

    private String number(String key, String otherwise) {
        return "(long)(" + options.getOrDefault(key, otherwise) + ")";
    }

    private static String storage(String memory, String type, String impl) {
        return "__kn_storage(" + memory + ",\"" + type.replaceAll("\\W", "") + "\",\"" + impl.replaceAll("\\W", "")
                + "\")";
    }

    private Optional<String> trips() {
        String most = options.getOrDefault("max", options.getOrDefault("avg", option("min")));
        String least = options.getOrDefault("min", most);
        return most.isEmpty()
                ? Optional.empty()
                : Optional.of("__kn_trip((long)(" + least + "),(long)(" + most + ")," + number("avg", "-1") + ")");
    }

    private int kind() {
        int reshape = directive.equals("ARRAY_RESHAPE") ? 16 : 0;
        return reshape
                + switch (option("type")) {
                    case "cyclic" -> 1;
                    case "block" -> 2;
                    default -> 0;
                };
    }
}

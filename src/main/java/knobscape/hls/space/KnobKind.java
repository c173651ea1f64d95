package knobscape.hls.space;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Kinds of HLS knob. Those of the thesis (section 3.6.3) and function inlining are in the default space; the
/// others multiply it and join when a directive file asks for them.
public enum KnobKind {
    /// Unroll factor of a loop.
    UNROLL("unroll", "UNROLL", true),
    /// Pipelining of a loop.
    PIPELINE("pipeline", "PIPELINE", true),
    /// Type and factor of the partition of an array's dimension.
    PARTITION("partition", "ARRAY_PARTITION", true),
    /// Inlining of a function other than the top.
    INLINE("inline", "INLINE", true),
    /// Factor of the (cyclic) reshaping of an array's dimension.
    RESHAPE("reshape", "ARRAY_RESHAPE", false),
    /// Flattening of a perfect nest, named by its innermost loop.
    FLATTEN("flatten", "LOOP_FLATTEN", false),
    /// Task-level pipelining of a body that is a sequence of loops and calls.
    DATAFLOW("dataflow", "DATAFLOW", false),
    /// Binding of a function's multipliers.
    MULTIPLIER("multiplier", "BIND_OP", false),
    /// Binding of an array's storage.
    STORAGE("storage", "BIND_STORAGE", false),
    /// Pipelining of a function, which writes out every loop in it.
    FUNCTION_PIPELINE("function_pipeline", "PIPELINE", false),
    /// Bundle of an argument of the top function: arguments of one bundle share an AXI master port.
    BUNDLE("bundle", "INTERFACE", false),
    /// Longest burst of an argument behind an AXI master port, in words.
    BURST("burst", "INTERFACE", false),
    /// Requests of an argument behind an AXI master port that may wait for their answers at once.
    OUTSTANDING("outstanding", "INTERFACE", false),
    /// Depth of a queue between tasks, in words.
    FIFO("fifo", "STREAM", false),
    /// Most multipliers of a function.
    ALLOCATION("allocation", "ALLOCATION", false);

    private final String word;
    private final String pragma;
    private final boolean byDefault;

    KnobKind(String word, String pragma, boolean byDefault) {
        this.word = word;
        this.pragma = pragma;
        this.byDefault = byDefault;
    }

    /// Its word in directive files.
    public String word() {
        return word;
    }

    /// The name of the knob of this kind at a place (see [KnobNames]).
    String at(String location) {
        return word + "@" + location;
    }

    /// The kind that a pragma (`LOOP_FLATTEN`) stands for.
    static Optional<KnobKind> ofPragma(String pragma) {
        return Arrays.stream(values()).filter(k -> k.pragma.equals(pragma)).findFirst();
    }

    /// True if it is in the default space.
    public boolean byDefault() {
        return byDefault;
    }

    /// The kinds of knob in the default space.
    public static Set<KnobKind> defaults() {
        var kinds = EnumSet.allOf(KnobKind.class);
        kinds.removeIf(k -> !k.byDefault);
        return kinds;
    }

    /// The kind with that word.
    public static Optional<KnobKind> of(String word) {
        return Arrays.stream(values()).filter(k -> k.word.equals(word)).findFirst();
    }

    /// All words in order.
    public static List<String> words() {
        return Arrays.stream(values()).map(KnobKind::word).toList();
    }
}

package knobscape.network;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The operation of a node, with every attribute resolved to numbers: automatic padding, shapes given as tensors, and
/// defaults are gone.
///
/// Tensors are laid out as in ONNX: batch, channels, then the spatial axes. What the inputs of a node are is
/// said with each operator.
public sealed interface Operator {

    /// How values are gathered over a window or axes.
    enum Gathering {
        /// Largest value.
        MAX,
        /// Mean value.
        AVERAGE,
        /// Root of the sum of squares.
        LP
    }

    /// Convolution. Inputs: data `N x C x ...`, weights `K x C/groups x kernel`, optionally bias `K`.
    ///
    /// @param groups number of independent groups of channels; C of them make a depthwise convolution
    record Conv(Window window, int groups) implements Operator {}

    /// Transposed convolution. Inputs: data `N x C x ...`, weights `C x K/groups x kernel`, optionally bias
    /// `K`.
    ///
    /// @param window the sliding window; its paddings are cut from the output
    /// @param outputPadding elements added at the end of each spatial axis
    record TransposedConv(Window window, int groups, List<Integer> outputPadding) implements Operator {
        public TransposedConv {
            outputPadding = List.copyOf(outputPadding);
        }
    }

    /// alpha A B + beta C of matrices. Inputs: A, B, optionally C.
    ///
    /// @param alpha factor of the product
    /// @param beta factor of C
    record Gemm(boolean transposeA, boolean transposeB, double alpha, double beta) implements Operator {}

    /// Product of matrices on the last two axes, the others broadcast. Inputs: A, B.
    record MatMul() implements Operator {}

    /// Normalisation by stored statistics, channel by channel. Inputs: data, scale, shift, mean, variance.
    record BatchNorm(double epsilon) implements Operator {}

    /// Normalisation over the last axes. Inputs: data, scale, optionally shift.
    ///
    /// @param axis first axis of those normalised over
    record LayerNorm(int axis, double epsilon) implements Operator {}

    /// Normalisation across neighbouring channels (AlexNet's paper, section 3.3). Input: data.
    ///
    /// @param size channels taken together
    /// @param alpha factor of the mean square
    /// @param beta exponent
    /// @param bias summand
    record LocalResponseNorm(int size, double alpha, double beta, double bias) implements Operator {}

    /// A function of each element. Input: data.
    ///
    /// @param alpha its first parameter, 0 where it has none
    /// @param beta its second parameter, 0 where it has none
    record Unary(Function function, double alpha, double beta) implements Operator {
        /// Functions of one number x.
        public enum Function {
            /// max(x, 0).
            RELU,
            /// x for x >= 0, else alpha x.
            LEAKY_RELU,
            /// x for x >= 0, else alpha (exp x - 1).
            ELU,
            /// beta x for x >= 0, else beta alpha (exp x - 1).
            SELU,
            /// x for x >= 0, else alpha (exp(x / alpha) - 1).
            CELU,
            /// 1 / (1 + exp -x).
            SIGMOID,
            /// alpha x + beta, held in 0..1.
            HARD_SIGMOID,
            /// x times (x / 6 + 1/2 held in 0..1).
            HARD_SWISH,
            /// x / (1 + exp(-alpha x)); SiLU for alpha = 1.
            SWISH,
            /// Hyperbolic tangent.
            TANH,
            /// x times the normal distribution function of x.
            GELU,
            /// x/2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), which GELU is computed by where the error function is
            /// slow (arXiv:1606.08415, section 2).
            GELU_TANH,
            /// x tanh(ln(1 + exp x)).
            MISH,
            /// ln(1 + exp x).
            SOFTPLUS,
            /// x / (1 + |x|).
            SOFTSIGN,
            /// Error function.
            ERF,
            /// Exponential.
            EXP,
            /// Natural logarithm.
            LOG,
            /// Square root.
            SQRT,
            /// 1 / x.
            RECIPROCAL,
            /// alpha x + beta: a product with a number, or a sum with one.
            LINEAR,
            /// |x|.
            ABS,
            /// -x.
            NEG,
            /// Largest integer not above x.
            FLOOR,
            /// Smallest integer not below x.
            CEIL,
            /// Nearest integer, halves to even.
            ROUND,
            /// Sign.
            SIGN,
            /// Sine.
            SIN,
            /// Cosine.
            COS,
            /// Logical not.
            NOT
        }

        /// A function without parameters.
        public Unary(Function function) {
            this(function, 0, 0);
        }
    }

    /// Each element held in an interval; ReLU6 is 0..6. Input: data.
    ///
    /// @param min lower bound, negative infinity for none
    /// @param max upper bound, infinity for none
    record Clip(double min, double max) implements Operator {
        /// The ReLU6 of the MobileNets.
        public static final Clip RELU6 = new Clip(0, 6);
    }

    /// A function of elements at the same place of several tensors, which are broadcast to a common shape
    /// (trailing axes aligned).
    record Elementwise(Function function) implements Operator {
        /// Functions of several numbers.
        public enum Function {
            /// Sum of all inputs.
            ADD,
            /// First minus second.
            SUB,
            /// Product of all inputs.
            MUL,
            /// First by second.
            DIV,
            /// First to the power of the second.
            POW,
            /// First modulo second.
            MOD,
            /// Smallest.
            MIN,
            /// Largest.
            MAX,
            /// Mean of all inputs.
            MEAN,
            /// First where positive, else first times second (a slope for each channel).
            PRELU,
            /// Second where the first is true, else third.
            WHERE,
            /// A comparison or logical function; the result is a truth value.
            LOGICAL
        }
    }

    /// Pooling over a sliding window. Input: data `N x C x ...`.
    ///
    /// @param ceil whether a partial last window counts
    /// @param countPadding whether padding counts in a mean
    record Pool(Gathering kind, Window window, boolean ceil, boolean countPadding) implements Operator {}

    /// Pooling over all spatial positions, which become extents of 1. Input: data `N x C x ...`.
    record GlobalPool(Gathering kind) implements Operator {}

    /// A reduction over axes. Input: data.
    ///
    /// @param function name of the reduction as ONNX has it without `Reduce`, for example `Mean`
    /// @param axes the axes, ascending, not negative
    /// @param keepDims whether reduced axes stay with extent 1
    record Reduce(String function, List<Integer> axes, boolean keepDims) implements Operator {
        public Reduce {
            axes = List.copyOf(axes);
        }
    }

    /// Tensors one behind the other on an axis.
    ///
    /// @param axis the axis, not negative
    record Concat(int axis) implements Operator {}

    /// A tensor cut on an axis; one output a piece. Input: data.
    ///
    /// @param axis the axis, not negative
    /// @param sizes extents of the pieces
    record Split(int axis, List<Long> sizes) implements Operator {
        public Split {
            sizes = List.copyOf(sizes);
        }
    }

    /// A regular part of a tensor. Input: data. Lists have one entry for each axis named.
    ///
    /// @param axes the axes, not negative
    /// @param starts first index on each, already held inside the tensor
    /// @param steps distance, negative for backwards
    /// @param counts number of elements taken on each
    record Slice(List<Integer> axes, List<Long> starts, List<Long> steps, List<Long> counts) implements Operator {
        public Slice {
            axes = List.copyOf(axes);
            starts = List.copyOf(starts);
            steps = List.copyOf(steps);
            counts = List.copyOf(counts);
        }
    }

    /// Slices of a tensor picked by index. Inputs: data, indices.
    ///
    /// @param axis the axis picked on, not negative
    record Gather(int axis) implements Operator {}

    /// Margins around a tensor. Input: data. Lists have one entry for each axis; negative entries cut.
    ///
    /// @param begin elements before
    /// @param end elements after
    /// @param mode constant, reflect, edge or wrap
    /// @param value what a constant margin holds
    record Pad(List<Long> begin, List<Long> end, String mode, double value) implements Operator {
        public Pad {
            begin = List.copyOf(begin);
            end = List.copyOf(end);
        }
    }

    /// Axes in another order. Input: data.
    ///
    /// @param order for each axis of the result the axis it was
    record Transpose(List<Integer> order) implements Operator {
        public Transpose {
            order = List.copyOf(order);
        }
    }

    /// The same elements under other extents; also for axes of extent 1 added or removed. Input: data.
    record Reshape(Shape target) implements Operator {}

    /// The axes before and those from `axis` on, each taken together. Input: data.
    ///
    /// @param axis first axis of the second group, 0..rank
    record Flatten(int axis) implements Operator {}

    /// Axes of extent 1 repeated. Input: data.
    ///
    /// @param target the shape it is broadcast with
    record Expand(Shape target) implements Operator {}

    /// Resampling, for example of a decoder. Input: data.
    ///
    /// @param mode nearest, linear or cubic
    record Resize(String mode, Shape target) implements Operator {}

    /// Exchange of channels against positions. Input: data `N x C x H x W`.
    ///
    /// @param block side of the square of positions
    /// @param toSpace true from channels to positions, false back
    /// @param columnFirst the order of channels called CRD by ONNX (pixel shuffle), else DCR
    record DepthSpace(int block, boolean toSpace, boolean columnFirst) implements Operator {}

    /// Exponentials that sum to one over an axis. Input: data.
    ///
    /// @param axis the axis, not negative
    /// @param flattened whether all axes from `axis` on are taken together (ONNX before operator set 13)
    /// @param logarithm whether the logarithm is taken
    record Softmax(int axis, boolean flattened, boolean logarithm) implements Operator {}

    /// Another element type. Input: data.
    record Cast(ElementType type) implements Operator {}

    /// The input itself. Input: data.
    record Identity() implements Operator {}

    /// Dropout, which does nothing when a trained network runs. Input: data.
    ///
    /// @param ratio share dropped while training
    record Dropout(double ratio) implements Operator {}

    /// An operator this program has no meaning for. It keeps its place in the graph.
    ///
    /// @param domain the domain the name belongs to; empty for ONNX's own
    /// @param attributes short texts of its attributes, for the reader
    record Opaque(String type, String domain, Map<String, String> attributes) implements Operator {
        /// The prefix of the operators of a graph that is an attribute (`then_branch` of an If).
        public static final String GRAPH = "graph of ";
        /// The attribute of a `QuantizeLinear` or `DequantizeLinear` that says its scale, where it has one for all
        /// elements and the file says it.
        public static final String SCALE = "scale";
        /// The same for its zero point.
        public static final String ZERO = "zero";

        public Opaque {
            attributes = Map.copyOf(attributes);
        }

        /// A number of an attribute, at least 1; `usual` where it says none.
        public long count(String attribute, long usual) {
            try {
                return Math.max(1, Long.parseLong(attributes.getOrDefault(attribute, "" + usual)));
            } catch (NumberFormatException e) {
                return usual;
            }
        }
    }

    /// True if each element of the output depends on the elements at its own place only, so that it can be
    /// computed where that element is made.
    default boolean isElementwise() {
        return switch (this) {
            case BatchNorm _, Unary _, Clip _, Elementwise _, Cast _, Identity _, Dropout _ -> true;
            default -> false;
        };
    }

    /// True if the output is the input under another name or shape, so that nothing is computed or moved.
    default boolean isView() {
        return switch (this) {
            case Identity _, Dropout _, Reshape _, Flatten _ -> true;
            default -> false;
        };
    }

    /// Short name for people, for example `Conv`, `ReLU6` or the source's name of an unknown operator.
    default String label() {
        return switch (this) {
            case Clip c when c.equals(Clip.RELU6) -> "ReLU6";
            case Clip _ -> "Clip";
            case Unary u when u.function() == Unary.Function.LINEAR && u.beta() == 0 -> "Mul";
            case Unary u when u.function() == Unary.Function.LINEAR && u.alpha() == 1 -> "Add";
            case Unary u -> words(u.function().name());
            case Elementwise e -> words(e.function().name());
            case Pool p -> words(p.kind().name()) + "Pool";
            case GlobalPool p -> "Global" + words(p.kind().name()) + "Pool";
            case Reduce r -> "Reduce" + r.function();
            case Softmax s -> s.logarithm() ? "LogSoftmax" : "Softmax";
            case DepthSpace d -> d.toSpace() ? "DepthToSpace" : "SpaceToDepth";
            case Opaque o -> o.type();
            default -> getClass().getSimpleName();
        };
    }

    /// How many there are of each name, by name: `2 Conv`, `Relu`.
    static Stream<String> counted(Stream<String> names) {
        return names.collect(Collectors.groupingBy(n -> n, TreeMap::new, Collectors.counting())).entrySet().stream()
                .map(e -> (e.getValue() > 1 ? e.getValue() + " " : "") + e.getKey());
    }

    /// `HARD_SWISH` as `HardSwish`.
    static String words(String constant) {
        var text = new StringBuilder();
        for (String word : constant.split("_")) {
            text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}

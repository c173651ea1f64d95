package knobscape.gpu.space.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.network.Operator;
import knobscape.network.subgraph.Tail;

/// The steps of a kernel on each element of its result before it is stored: the fused tail of a convolution or
/// matrix product.
///
/// @param steps in order
public record Epilogue(List<Step> steps) {
    /// Maximum steps of a kernel, far more than networks have: expressions nest as deep.
    public static final int MOST_STEPS = 32;
    /// Largest number in a [Linear] step; what a mask adds or multiplies would leave no digit of the result.
    private static final double LARGEST = 1e4;
    /// Nothing.
    public static final Epilogue NONE = new Epilogue(List.of());

    /// One step.
    public sealed interface Step {}

    /// The element, a sum of products of integers, is multiplied with the scale of its channel.
    public record Rescale() implements Step {}

    /// The element is rounded to the nearest 8-bit integer, halves to even, and stored as one. Comes last.
    ///
    /// @param unsigned whether integers go from 0 to 255, not from -128 to 127
    public record Quantize(boolean unsigned) implements Step {
        /// Smallest integer.
        public int low() {
            return unsigned ? 0 : Byte.MIN_VALUE;
        }

        /// Largest integer.
        public int high() {
            return low() + 255;
        }
    }

    /// The bias of the element's channel (of its column, for a matrix product) is added.
    public record Bias() implements Step {}

    /// The element is held between two bounds; ReLU is `[0, inf]`, ReLU6 `[0, 6]`.
    ///
    /// @param low lower bound, may be negative infinity
    /// @param high upper bound, may be infinity
    public record Clamp(double low, double high) implements Step {
        boolean isRelu() {
            return low == 0 && high == Double.POSITIVE_INFINITY;
        }

        boolean isRelu6() {
            return low == 0 && high == 6;
        }
    }

    /// The element times a number, plus another: the scale of attention's scores.
    ///
    /// @param factor what it is multiplied with
    /// @param shift what is added
    public record Linear(double factor, double shift) implements Step {
        /// The same as a function of an element.
        public Operator.Unary function() {
            return new Operator.Unary(Operator.Unary.Function.LINEAR, factor, shift);
        }

        private String words() {
            String times = "times " + (float) factor;
            String plus = "plus " + (float) shift;
            return shift == 0 ? times : factor == 1 ? plus : times + " " + plus;
        }
    }

    /// The element at the same place of another tensor is added.
    public record Residual() implements Step {}

    /// A smooth function of the element, such as SiLU. Throws `IllegalArgumentException` for one that is not
    /// [#isFused].
    ///
    /// @param function the function with its parameters
    public record Activation(Operator.Unary function) implements Step {
        /// Checks the function.
        public Activation {
            if (!isFused(function)) {
                throw new IllegalArgumentException("a kernel does not compute " + function + " behind its result");
            }
        }

        private String words() {
            return switch (function.function()) {
                case LEAKY_RELU -> "leaky ReLU";
                case ELU, SELU, CELU, GELU -> function.function().name();
                case GELU_TANH -> "tanh GELU";
                case SWISH -> function.alpha() == 1 ? "SiLU" : "swish";
                default -> function.function().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            };
        }

        private String id() {
            return Stream.of(function.alpha(), function.beta())
                    .filter(p -> p != 0)
                    .map(p -> "_" + p.floatValue())
                    .collect(Collectors.joining("", function.function().name().toLowerCase(Locale.ROOT), ""));
        }
    }

    /// True if a kernel computes a function of its elements before it stores them: those whose slope is bounded, so
    /// that rounding errors stay what they are.
    public static boolean isFused(Operator.Unary u) {
        return switch (u.function()) {
            case LEAKY_RELU, ELU, SELU, CELU -> Math.abs(u.alpha()) <= 2 && Math.abs(u.beta()) <= 2;
            case HARD_SIGMOID, SWISH -> Math.abs(u.alpha()) <= 2;
            case SIGMOID, HARD_SWISH, TANH, GELU, GELU_TANH, MISH, SOFTPLUS, SOFTSIGN -> true;
            default -> false;
        };
    }

    /// Copies the steps; throws `IllegalArgumentException` where a bias, residual or activation occurs twice.
    public Epilogue {
        steps = List.copyOf(steps);
        if (hasTwo(steps, Rescale.class)
                || steps.stream().limit(Math.max(0, steps.size() - 1)).anyMatch(Quantize.class::isInstance)) {
            throw new IllegalArgumentException("a kernel scales once, and rounds last");
        }
        if (hasTwo(steps, Bias.class) || hasTwo(steps, Residual.class) || hasTwo(steps, Activation.class)) {
            throw new IllegalArgumentException("a kernel does at most one bias, one residual and one activation");
        }
    }

    private static boolean hasTwo(List<Step> steps, Class<? extends Step> kind) {
        return steps.stream().filter(kind::isInstance).count() > 1;
    }

    /// True if channels have scales.
    public boolean hasScale() {
        return steps.stream().anyMatch(Rescale.class::isInstance);
    }

    /// The last step, where it makes 8-bit integers.
    public Optional<Quantize> quantize() {
        return steps.isEmpty() || !(steps.getLast() instanceof Quantize q) ? Optional.empty() : Optional.of(q);
    }

    /// True if a bias is among the steps.
    public boolean hasBias() {
        return steps.stream().anyMatch(Bias.class::isInstance);
    }

    /// True if a residual is among the steps.
    public boolean hasResidual() {
        return steps.stream().anyMatch(Residual.class::isInstance);
    }

    /// The part of a subgraph's tail that kernels can do, at most [#MOST_STEPS], up to the first step that they
    /// cannot; the rest is left to other kernels.
    public static Epilogue of(List<Tail> tails) {
        var steps = new ArrayList<Step>();
        for (Tail t : tails) {
            Optional<Step> step = step(t);
            if (step.isEmpty()
                    || steps.size() == MOST_STEPS
                    || (isOnce(step.get()) && steps.stream().anyMatch(step.get().getClass()::isInstance))) {
                break;
            }
            steps.add(step.get());
        }
        return new Epilogue(steps);
    }

    private static boolean isOnce(Step step) {
        return switch (step) {
            case Rescale _, Bias _, Residual _, Activation _, Quantize _ -> true;
            case Clamp _, Linear _ -> false;
        };
    }

    /// For a person: `bias, residual, ReLU`; `nothing` where there are no steps.
    public String words() {
        return steps.isEmpty()
                ? "nothing"
                : steps.stream()
                        .map(s -> switch (s) {
                            case Rescale _ -> "scale";
                            case Quantize q -> q.unsigned ? "uint8" : "int8";
                            case Bias _ -> "bias";
                            case Residual _ -> "residual";
                            case Clamp c ->
                                c.isRelu() ? "ReLU" : c.isRelu6() ? "ReLU6" : "clamp to " + c.low() + ".." + c.high();
                            case Linear l -> l.words();
                            case Activation a -> a.words();
                        })
                        .collect(Collectors.joining(", "));
    }

    /// For file names and stores: `bias-residual-relu`; `bare` where there are no steps.
    public String id() {
        return steps.isEmpty()
                ? "bare"
                : steps.stream()
                        .map(s -> switch (s) {
                            case Rescale _ -> "scale";
                            case Quantize q -> q.unsigned ? "uint8" : "int8";
                            case Bias _ -> "bias";
                            case Residual _ -> "residual";
                            case Clamp c ->
                                c.isRelu() ? "relu" : c.isRelu6() ? "relu6" : "clamp_" + c.low() + "_" + c.high();
                            case Linear l -> l.words().replace(' ', '_');
                            case Activation a -> a.id();
                        })
                        .collect(Collectors.joining("-"));
    }

    private static Optional<Step> step(Tail tail) {
        return switch (tail) {
            case Tail.Bias _ -> Optional.of(new Bias());
            case Tail.Residual _ -> Optional.of(new Residual());
            case Tail.Activation a ->
                switch (a.function()) {
                    case Operator.Clip c -> Optional.of(new Clamp(c.min(), c.max()));
                    case Operator.Unary u
                    when u.function() == Operator.Unary.Function.RELU ->
                        Optional.of(new Clamp(0, Double.POSITIVE_INFINITY));
                    case Operator.Unary u
                    when u.function() == Operator.Unary.Function.LINEAR
                            && Math.abs(u.alpha()) <= LARGEST
                            && Math.abs(u.beta()) <= LARGEST -> Optional.of(new Linear(u.alpha(), u.beta()));
                    case Operator.Unary u when isFused(u) -> Optional.of(new Activation(u));
                    default -> Optional.empty();
                };
            case Tail.Affine _, Tail.Combine _, Tail.Formula _ -> Optional.empty();
        };
    }
}

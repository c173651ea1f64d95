package knobscape.gpu.space.sketch;

import java.util.List;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.NestValue.Function;
import knobscape.gpu.space.sketch.ComputationBuilder.UnsupportedOperatorException;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.Operator;

/// Functions of each element as expressions, as ONNX defines them.
public final class GraphFormulas {
    private static final TensorExpression ONE = new TensorExpression.Constant(1);
    private static final TensorExpression ZERO = new TensorExpression.Constant(0);

    private GraphFormulas() {}

    /// A function of an element; every load in it stands for the element.
    public static TensorExpression ofElement(Operator.Unary u) {
        return unary(u, new TensorExpression.Load(new TensorRef("element", List.of(), Schedule.Role.DATA), List.of()));
    }

    static TensorExpression constant(double value) {
        return new TensorExpression.Constant(value);
    }

    static TensorExpression clamp(TensorExpression v, double low, double high) {
        TensorExpression least = low == Double.NEGATIVE_INFINITY ? v : v.max(constant(low));
        return high == Double.POSITIVE_INFINITY ? least : least.min(constant(high));
    }

    private static TensorExpression negative(TensorExpression v) {
        return v.times(constant(-1));
    }

    private static TensorExpression sigmoid(TensorExpression v) {
        return ONE.over(ONE.plus(negative(v).map(Function.EXP)));
    }

    /// alpha (exp(min(x, 0) / scale) - 1) + max(x, 0).
    private static TensorExpression exponentialUnit(TensorExpression x, double alpha, double scale) {
        return x.max(ZERO)
                .plus(constant(alpha)
                        .times(x.min(ZERO)
                                .over(constant(scale))
                                .map(Function.EXP)
                                .minus(ONE)));
    }

    /// ln(1 + exp x), which does not overflow: max(x, 0) + ln(1 + exp -|x|).
    private static TensorExpression softplus(TensorExpression x) {
        return x.max(ZERO)
                .plus(ONE.plus(negative(x.map(Function.FABS)).map(Function.EXP)).map(Function.LOG));
    }

    static TensorExpression unary(Operator.Unary u, TensorExpression x) {
        double a = u.alpha();
        double b = u.beta();
        return switch (u.function()) {
            case RELU -> x.max(ZERO);
            case LEAKY_RELU -> x.max(ZERO).plus(constant(a).times(x.min(ZERO)));
            case ELU -> exponentialUnit(x, a, 1);
            case SELU -> constant(b).times(exponentialUnit(x, a, 1));
            case CELU -> exponentialUnit(x, a, a);
            case SIGMOID -> sigmoid(x);
            case HARD_SIGMOID -> clamp(constant(a).times(x).plus(constant(b)), 0, 1);
            case HARD_SWISH -> x.times(clamp(x.over(constant(6)).plus(constant(0.5)), 0, 1));
            case SWISH -> x.times(sigmoid(constant(a).times(x)));
            case TANH -> x.map(Function.TANH);
            case GELU ->
                constant(0.5)
                        .times(x)
                        .times(ONE.plus(x.times(constant(Math.sqrt(0.5))).map(Function.ERF)));
            case GELU_TANH ->
                constant(0.5)
                        .times(x)
                        .times(ONE.plus(constant(Math.sqrt(2 / Math.PI))
                                .times(x)
                                .times(ONE.plus(constant(0.044715).times(x).times(x)))
                                .map(Function.TANH)));
            case MISH -> x.times(softplus(x).map(Function.TANH));
            case SOFTPLUS -> softplus(x);
            case SOFTSIGN -> x.over(ONE.plus(x.map(Function.FABS)));
            case ERF -> x.map(Function.ERF);
            case EXP -> x.map(Function.EXP);
            case LOG -> x.map(Function.LOG);
            case SQRT -> x.map(Function.SQRT);
            case RECIPROCAL -> ONE.over(x);
            case LINEAR -> {
                TensorExpression scaled = a == 1 ? x : x.times(constant(a));
                yield b == 0 ? scaled : scaled.plus(constant(b));
            }
            case ABS -> x.map(Function.FABS);
            case NEG -> negative(x);
            case FLOOR -> x.map(Function.FLOOR);
            case CEIL -> x.map(Function.CEIL);
            case ROUND -> x.map(Function.RINT);
            case SIN -> x.map(Function.SIN);
            case COS -> x.map(Function.COS);
            case SIGN, NOT -> throw new UnsupportedOperatorException("the function " + u.function());
        };
    }

    static TensorExpression combined(Operator.Elementwise.Function function, List<TensorExpression> operands) {
        return switch (function) {
            case ADD -> operands.stream().reduce(TensorExpression::plus).orElseThrow();
            case MUL -> operands.stream().reduce(TensorExpression::times).orElseThrow();
            case MIN -> operands.stream().reduce(TensorExpression::min).orElseThrow();
            case MAX -> operands.stream().reduce(TensorExpression::max).orElseThrow();
            case MEAN ->
                operands.stream().reduce(TensorExpression::plus).orElseThrow().over(constant(operands.size()));
            case SUB -> operands.get(0).minus(operands.get(1));
            case DIV -> operands.get(0).over(operands.get(1));
            case POW -> new TensorExpression.Binary(NestValue.Operator.POWER, operands.get(0), operands.get(1));
            case PRELU ->
                operands.get(0)
                        .max(ZERO)
                        .plus(operands.get(1).times(operands.get(0).min(ZERO)));
            case MOD, WHERE, LOGICAL -> throw new UnsupportedOperatorException("the function " + function);
        };
    }
}

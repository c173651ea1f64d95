package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.Operator;
import knobscape.network.Operator.Unary.Function;
import knobscape.network.subgraph.Tail;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Activations that kernels compute behind their result, against the formulas of the ONNX standard written out here.
class FusedActivationTest {
    private static Arguments is(Function f, double alpha, double beta, String id, DoubleUnaryOperator formula) {
        return Arguments.of(new Operator.Unary(f, alpha, beta), id, formula);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /// Integral of the normal density by Simpson's rule.
    private static double normal(double x) {
        int steps = 2000;
        double sum = 0;
        double h = x / steps;
        for (int i = 0; i <= steps; i++) {
            double t = i * h;
            sum += (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * Math.exp(-t * t / 2);
        }
        return 0.5 + sum * h / 3 / Math.sqrt(2 * Math.PI);
    }

    static Stream<Arguments> functions() {
        return Stream.of(
                is(Function.LEAKY_RELU, 0.1f, 0, "leaky_relu_0.1", x -> x < 0 ? 0.1f * x : x),
                is(Function.ELU, 1, 0, "elu_1.0", x -> x < 0 ? Math.expm1(x) : x),
                is(
                        Function.SELU,
                        1.67326,
                        1.0507,
                        "selu_1.67326_1.0507",
                        x -> 1.0507 * (x < 0 ? 1.67326 * Math.expm1(x) : x)),
                is(Function.CELU, 2, 0, "celu_2.0", x -> x < 0 ? 2 * Math.expm1(x / 2) : x),
                is(Function.SIGMOID, 0, 0, "sigmoid", FusedActivationTest::sigmoid),
                is(Function.HARD_SIGMOID, 0.2, 0.5, "hard_sigmoid_0.2_0.5", x -> Math.clamp(0.2 * x + 0.5, 0, 1)),
                is(Function.HARD_SWISH, 0, 0, "hard_swish", x -> x * Math.clamp(x + 3, 0, 6) / 6),
                is(Function.SWISH, 1, 0, "swish_1.0", x -> x * sigmoid(x)),
                is(Function.SWISH, 1.702, 0, "swish_1.702", x -> x * sigmoid(1.702 * x)),
                is(Function.TANH, 0, 0, "tanh", Math::tanh),
                is(Function.GELU, 0, 0, "gelu", x -> x * normal(x)),
                is(
                        Function.GELU_TANH,
                        0,
                        0,
                        "gelu_tanh",
                        x -> x / 2 * (1 + Math.tanh(0.7978845608028654 * (x + 0.044715 * Math.pow(x, 3))))),
                is(Function.MISH, 0, 0, "mish", x -> x * Math.tanh(Math.log1p(Math.exp(x)))),
                is(Function.SOFTPLUS, 0, 0, "softplus", x -> Math.log1p(Math.exp(x))),
                is(Function.SOFTSIGN, 0, 0, "softsign", x -> x / (1 + Math.abs(x))));
    }

    private static Schedule schedule(Template template, Schedule like, Epilogue tail) {
        return template.schedule(like.configuration(), tail);
    }

    @ParameterizedTest
    @MethodSource("functions")
    void kernelsComputeIt(Operator.Unary u, String id, DoubleUnaryOperator formula) {
        var bias = new Epilogue(List.of(new Epilogue.Bias()));
        Epilogue tail = Epilogue.of(List.of(new Tail.Bias(), new Tail.Activation(u)));
        assertThat(tail.id()).isEqualTo("bias-" + id);
        assertThat(tail.words()).startsWith("bias, ").doesNotContain("_");
        var random = new Random(5);
        for (String name : List.of("direct", "dense-small", "winograd")) {
            Workload work = WorkSamples.work().get(name).getFirst();
            Template template = Templates.of(work, name);
            Schedule plain = WorkSamples.valid(template, bias, random);
            Schedule fused = schedule(template, plain, tail);
            assertThat(ScheduleJson.read(ScheduleJson.write(fused), "s.json").epilogue())
                    .isEqualTo(tail);
            Operands operands = Operands.random(fused, 3);
            float[] found = NestInterpreter.run(fused, operands);
            assertThat(ResultCheck.of(fused, operands, found, 1).passed()).isTrue();
            var before = new Reference(plain, operands);
            var after = new Reference(fused, operands);
            for (int i = 0; i < found.length; i += 1 + found.length / 500) {
                Reference.Element x = before.at(i);
                double expected = formula.applyAsDouble(x.value());
                assertThat(after.at(i).value()).isCloseTo(expected, within(1e-9 * (1 + Math.abs(expected))));
                assertThat((double) found[i]).isCloseTo(expected, within(1e-4 * (1 + x.scale())));
            }
        }
    }

    static Stream<Arguments> numbers() {
        return Stream.of(
                Arguments.of(0.125, 0.0, "times_0.125", (DoubleUnaryOperator) x -> x / 8),
                Arguments.of(1.0, -3.0, "plus_-3.0", (DoubleUnaryOperator) x -> x - 3),
                Arguments.of(-2.5, 4.0, "times_-2.5_plus_4.0", (DoubleUnaryOperator) x -> 4 - 2.5 * x));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void numbersAreMultipliedAndAdded(double factor, double shift, String id, DoubleUnaryOperator formula) {
        kernelsComputeIt(new Operator.Unary(Function.LINEAR, factor, shift), id, formula);
    }

    /// The scale of a product that another kernel's softmax reads, and more numbers behind what a kernel does once.
    @Test
    void numbersMayComeBetweenOtherSteps() {
        var half = new Operator.Unary(Function.LINEAR, 0.5, 0);
        var tanh = new Operator.Unary(Function.TANH);
        assertThat(Epilogue.of(List.of(
                                new Tail.Activation(half),
                                new Tail.Bias(),
                                new Tail.Activation(tanh),
                                new Tail.Activation(half),
                                new Tail.Activation(tanh)))
                        .steps())
                .containsExactly(
                        new Epilogue.Linear(0.5, 0),
                        new Epilogue.Bias(),
                        new Epilogue.Activation(tanh),
                        new Epilogue.Linear(0.5, 0));
        var mask = new Operator.Unary(Function.LINEAR, 1, -1e9);
        assertThat(Epilogue.of(List.of(new Tail.Activation(mask)))).isEqualTo(Epilogue.NONE);
    }

    @Test
    void whatWouldLoseDigitsIsLeftToOtherKernels() {
        for (Function f : List.of(Function.EXP, Function.LOG, Function.RECIPROCAL, Function.FLOOR, Function.SQRT)) {
            assertThat(Epilogue.of(List.of(new Tail.Bias(), new Tail.Activation(new Operator.Unary(f)))))
                    .isEqualTo(new Epilogue(List.of(new Epilogue.Bias())));
            assertThatThrownBy(() -> new Epilogue.Activation(new Operator.Unary(f)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        var steep = new Operator.Unary(Function.ELU, 100, 0);
        assertThat(Epilogue.of(List.of(new Tail.Activation(steep)))).isEqualTo(Epilogue.NONE);
        var tanh = new Operator.Unary(Function.TANH);
        assertThat(Epilogue.of(List.of(new Tail.Activation(tanh), new Tail.Activation(tanh))))
                .as("one each")
                .isEqualTo(new Epilogue(List.of(new Epilogue.Activation(tanh))));
    }
}

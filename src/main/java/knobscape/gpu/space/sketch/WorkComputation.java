package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.List;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.Operator;
import knobscape.network.Window;
import knobscape.network.task.Workload;

/// Work with its tail as a computation. Tensors lie as the templates have them.
final class WorkComputation {
    private static final String OUTPUT = "output";

    private WorkComputation() {}

    static Computation of(Workload work, Epilogue epilogue) {
        if (work instanceof Workload.Graph g) {
            return GraphComputation.of(g.network());
        }
        int more = epilogue.steps().size();
        String first = more == 0 ? OUTPUT : "plain";
        var b = new ComputationBuilder(OUTPUT);
        TensorRef made = switch (work) {
            case Workload.Conv2d c -> convolve(b, first, c);
            case Workload.Dense d -> {
                TensorRef data = b.input("data", Role.DATA, List.of(d.m(), d.k()));
                TensorRef weight = b.input("weight", Role.WEIGHT, List.of(d.n(), d.k()));
                yield b.product(
                        "dense",
                        first,
                        List.of("y", "x"),
                        List.of(d.m(), d.n()),
                        d.k(),
                        (at, k) -> data.at(at.get(0), k.getFirst()).times(weight.at(at.get(1), k.getFirst())));
            }
            case Workload.BatchMatmul m -> {
                TensorRef data = b.input("data", Role.DATA, List.of(m.batch(), m.m(), m.k()));
                TensorRef weight = b.input("weight", Role.WEIGHT, List.of(m.batch(), m.k(), m.n()));
                yield b.product(
                        "batch_matmul",
                        first,
                        List.of("b", "y", "x"),
                        List.of(m.batch(), m.m(), m.n()),
                        m.k(),
                        (at, k) -> data.at(at.get(0), at.get(1), k.getFirst())
                                .times(weight.at(at.get(0), k.getFirst(), at.get(2))));
            }
            case Workload.Graph _ -> throw new IllegalStateException();
        };
        for (int i = 0; i < more; i++) {
            made = step(b, epilogue.steps().get(i), i == more - 1 ? OUTPUT : "tail" + i, made, work);
        }
        return b.build();
    }

    private static TensorRef convolve(ComputationBuilder b, String name, Workload.Conv2d c) {
        TensorRef data = b.input("data", Role.DATA, List.of(c.batch(), c.channels(), c.height(), c.width()));
        TensorRef weight = b.input(
                "weight", Role.WEIGHT, List.of(c.filters(), c.channels() / c.groups(), (long) c.kernelHeight(), (long)
                        c.kernelWidth()));
        var window = new Window(
                List.of(c.kernelHeight(), c.kernelWidth()),
                List.of(c.strideHeight(), c.strideWidth()),
                List.of(c.padTop(), c.padLeft()),
                List.of(c.padBottom(), c.padRight()),
                List.of(c.dilationHeight(), c.dilationWidth()));
        return b.convolve(name, data, weight, window, c.groups());
    }

    private static TensorRef step(
            ComputationBuilder b, Epilogue.Step step, String name, TensorRef before, Workload work) {
        return switch (step) {
            case Epilogue.Rescale _, Epilogue.Quantize _ ->
                throw new IllegalArgumentException("sketches compute no 8-bit integers");
            case Epilogue.Bias _ -> {
                // The channel is the second axis of a convolution (with the third, where groups have one), else the
                // last.
                int rank = before.shape().size();
                int from = work instanceof Workload.Conv2d ? 1 : rank - 1;
                int to = work instanceof Workload.Conv2d ? rank - 2 : rank;
                TensorRef bias = b.input("bias", Role.BIAS, before.shape().subList(from, to));
                yield b.elementwise(
                        "bias", name, before.shape(), at -> load(before, at).plus(load(bias, at.subList(from, to))));
            }
            case Epilogue.Residual _ -> {
                TensorRef other = b.input("residual", Role.RESIDUAL, before.shape());
                yield b.elementwise(
                        "residual", name, before.shape(), at -> load(before, at).plus(load(other, at)));
            }
            case Epilogue.Clamp(double low, double high) ->
                b.elementwise("clamp", name, before.shape(), at -> GraphFormulas.clamp(load(before, at), low, high));
            case Epilogue.Linear l ->
                b.elementwise(
                        "affine", name, before.shape(), at -> GraphFormulas.unary(l.function(), load(before, at)));
            case Epilogue.Activation(Operator.Unary function) ->
                b.elementwise(
                        "activation", name, before.shape(), at -> GraphFormulas.unary(function, load(before, at)));
        };
    }

    private static TensorExpression load(TensorRef t, List<IndexExpr> at) {
        return new TensorExpression.Load(t, new ArrayList<>(at));
    }
}

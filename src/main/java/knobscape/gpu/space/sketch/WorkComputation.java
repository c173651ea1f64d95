package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.List;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Condition;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.Value;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.task.Workload;

/// Convolutions and matrix products with their tails as computations. Tensors lie as the templates have them.
final class WorkComputation {
    private final List<TensorRef> inputs = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private final int more;

    private WorkComputation(Epilogue epilogue) {
        more = epilogue.steps().size();
    }

    static Computation of(Workload work, Epilogue epilogue) {
        var made = new WorkComputation(epilogue);
        int channel = switch (work) {
            case Workload.Conv2d c -> made.convolve(c);
            case Workload.Dense d -> made.dense(d);
            case Workload.BatchMatmul b -> made.product(b);
        };
        made.tail(epilogue, channel);
        return new Computation(made.inputs, made.stages);
    }

    private TensorRef input(String name, Role role, long... shape) {
        var t = new TensorRef(name, java.util.Arrays.stream(shape).boxed().toList(), role);
        inputs.add(t);
        return t;
    }

    /// The result of the next stage: the last one makes the output.
    private TensorRef result(String name, boolean last, List<Axis> space) {
        List<Long> shape = space.stream().map(Axis::extent).toList();
        return last ? new TensorRef("output", shape, Role.OUTPUT) : new TensorRef(name, shape, Role.WORKSPACE);
    }

    static Axis axis(String name, long extent) {
        return new Axis(name, extent, Axis.Binding.SERIAL);
    }

    static IndexExpr of(Axis axis) {
        return IndexExpr.of(axis);
    }

    /// The place of the channel among the axes of the result is given back: the last one, or two of them where
    /// groups are an axis of their own.
    private int convolve(Workload.Conv2d c) {
        boolean grouped = c.groups() > 1;
        long perGroup = c.channels() / c.groups();
        long filters = c.filters() / c.groups();
        TensorRef data = grouped
                ? input("data", Role.DATA, c.batch(), c.groups(), perGroup, c.height(), c.width())
                : input("data", Role.DATA, c.batch(), c.channels(), c.height(), c.width());
        TensorRef weight = grouped
                ? input("weight", Role.WEIGHT, c.groups(), filters, perGroup, c.kernelHeight(), c.kernelWidth())
                : input("weight", Role.WEIGHT, c.filters(), c.channels(), c.kernelHeight(), c.kernelWidth());
        if (c.padTop() + c.padBottom() + c.padLeft() + c.padRight() > 0) {
            data = padded(c, data);
        }
        Axis n = axis("n", c.batch());
        Axis g = axis("g", c.groups());
        Axis k = axis("k", filters);
        Axis y = axis("y", c.outHeight());
        Axis x = axis("x", c.outWidth());
        Axis rc = axis("rc", perGroup);
        Axis ry = axis("ry", c.kernelHeight());
        Axis rx = axis("rx", c.kernelWidth());
        IndexExpr row = of(y).times(c.strideHeight()).plus(of(ry).times(c.dilationHeight()));
        IndexExpr column = of(x).times(c.strideWidth()).plus(of(rx).times(c.dilationWidth()));
        List<Axis> space = grouped ? List.of(n, g, k, y, x) : List.of(n, k, y, x);
        Expression value = grouped
                ? data.at(of(n), of(g), of(rc), row, column).times(weight.at(of(g), of(k), of(rc), of(ry), of(rx)))
                : data.at(of(n), of(rc), row, column).times(weight.at(of(k), of(rc), of(ry), of(rx)));
        stages.add(new Stage(
                c.isDepthwise() ? "depthwise_conv2d" : grouped ? "grouped_conv2d" : "conv2d",
                result("conv", more == 0, space),
                space,
                List.of(rc, ry, rx),
                Value.Operator.ADD,
                value,
                List.of(
                        c.kernelHeight(),
                        c.kernelWidth(),
                        c.strideHeight(),
                        c.strideWidth(),
                        c.dilationHeight(),
                        c.dilationWidth())));
        return grouped ? 2 : 1;
    }

    private TensorRef padded(Workload.Conv2d c, TensorRef data) {
        var space = new ArrayList<Axis>();
        var at = new ArrayList<IndexExpr>();
        int planes = data.shape().size() - 2;
        for (int i = 0; i < planes; i++) {
            space.add(axis("p" + i, data.shape().get(i)));
            at.add(of(space.get(i)));
        }
        space.add(axis("py", c.height() + c.padTop() + c.padBottom()));
        space.add(axis("px", c.width() + c.padLeft() + c.padRight()));
        IndexExpr row = of(space.get(planes)).plus(-c.padTop());
        IndexExpr column = of(space.get(planes + 1)).plus(-c.padLeft());
        at.add(row);
        at.add(column);
        TensorRef padded = result("padded", false, space);
        stages.add(Stage.elementwise(
                "pad",
                padded,
                space,
                new Expression.Select(
                        List.of(new Condition(row, c.height()), new Condition(column, c.width())),
                        new Expression.Load(data, at),
                        new Expression.Constant(0))));
        return padded;
    }

    private int dense(Workload.Dense d) {
        TensorRef data = input("data", Role.DATA, d.m(), d.k());
        TensorRef weight = input("weight", Role.WEIGHT, d.n(), d.k());
        Axis y = axis("y", d.m());
        Axis x = axis("x", d.n());
        Axis k = axis("rk", d.k());
        List<Axis> space = List.of(y, x);
        stages.add(new Stage(
                "dense",
                result("product", more == 0, space),
                space,
                List.of(k),
                Value.Operator.ADD,
                data.at(of(y), of(k)).times(weight.at(of(x), of(k))),
                List.of()));
        return 1;
    }

    private int product(Workload.BatchMatmul b) {
        TensorRef data = input("data", Role.DATA, b.batch(), b.m(), b.k());
        TensorRef weight = input("weight", Role.WEIGHT, b.batch(), b.k(), b.n());
        Axis n = axis("b", b.batch());
        Axis y = axis("y", b.m());
        Axis x = axis("x", b.n());
        Axis k = axis("rk", b.k());
        List<Axis> space = List.of(n, y, x);
        stages.add(new Stage(
                "batch_matmul",
                result("product", more == 0, space),
                space,
                List.of(k),
                Value.Operator.ADD,
                data.at(of(n), of(y), of(k)).times(weight.at(of(n), of(k), of(x))),
                List.of()));
        return 2;
    }

    /// Bias, residual and clamps, a stage each.
    private void tail(Epilogue epilogue, int channel) {
        for (int i = 0; i < more; i++) {
            TensorRef before = stages.getLast().result();
            var space = new ArrayList<Axis>();
            for (int a = 0; a < before.shape().size(); a++) {
                space.add(axis("t" + i + "_" + a, before.shape().get(a)));
            }
            IndexExpr[] own = space.stream().map(IndexExpr::of).toArray(IndexExpr[]::new);
            Expression v = before.at(own);
            Epilogue.Step step = epilogue.steps().get(i);
            Expression done = switch (step) {
                case Epilogue.Bias _ -> {
                    // With groups the channels are two axes, group and filter.
                    boolean grouped = space.size() == 5;
                    yield v.plus(
                            grouped
                                    ? input(
                                                    "bias",
                                                    Role.BIAS,
                                                    before.shape().get(1),
                                                    before.shape().get(2))
                                            .at(own[1], own[2])
                                    : input("bias", Role.BIAS, before.shape().get(channel))
                                            .at(own[channel]));
                }
                case Epilogue.Residual _ -> v.plus(inputLike(before).at(own));
                case Epilogue.Clamp(double low, double high) -> {
                    Expression least = low == Double.NEGATIVE_INFINITY ? v : v.max(new Expression.Constant(low));
                    yield high == Double.POSITIVE_INFINITY ? least : least.min(new Expression.Constant(high));
                }
            };
            String word = switch (step) {
                case Epilogue.Bias _ -> "bias";
                case Epilogue.Residual _ -> "residual";
                case Epilogue.Clamp _ -> "clamp";
            };
            stages.add(Stage.elementwise(word, result("tail" + i, i == more - 1, space), space, done));
        }
    }

    private TensorRef inputLike(TensorRef t) {
        var input = new TensorRef("residual", t.shape(), Role.RESIDUAL);
        inputs.add(input);
        return input;
    }
}

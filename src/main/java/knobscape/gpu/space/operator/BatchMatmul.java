package knobscape.gpu.space.operator;

import java.util.List;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.Statement;
import knobscape.gpu.space.nest.Value;
import knobscape.gpu.space.operator.Parts.Tensors;
import knobscape.gpu.space.operator.Parts.Tiled;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// A batch of matrix products: tiles of both matrices go through shared memory, then through registers.
final class BatchMatmul implements Template {
    private final Workload.BatchMatmul work;
    private final ScheduleSpace space;
    private final Tensors tensors;

    BatchMatmul(Workload.BatchMatmul work) {
        this.work = work;
        space = new ScheduleSpace(List.of(
                ScheduleKnob.Split.all("tile_y", work.m(), 3),
                ScheduleKnob.Split.all("tile_x", work.n(), 3),
                ScheduleKnob.Split.all("tile_k", work.k(), 2),
                new ScheduleKnob.Option("auto_unroll_max_step", List.of(8, 16, 32, 64)),
                new ScheduleKnob.Option("unroll_explicit", List.of(0, 1))));
        tensors = Tensors.of(work);
    }

    @Override
    public Identity identity() {
        return new Identity("batch-matmul", "batch_matmul.cuda", work, space);
    }

    @Override
    public Schedule schedule(Configuration configuration, Epilogue epilogue) {
        return tensors.schedule(this, configuration, epilogue, nest(configuration, epilogue));
    }

    private LoopNest nest(Configuration c, Epilogue epilogue) {
        Tiled y = tiled("y", space.factors(c, "tile_y"), Binding.BLOCK_Y, Binding.THREAD_Y);
        Tiled x = tiled("x", space.factors(c, "tile_x"), Binding.BLOCK_X, Binding.THREAD_X);
        long[] k = space.factors(c, "tile_k");
        Axis batch = Axis.spatial("batch", work.batch(), Binding.BLOCK_Z);
        Axis outer = Axis.reduction("k_o", k[0], Binding.SERIAL);
        Axis ki = Axis.reduction("k_i", k[1], Binding.SERIAL);
        List<Axis> threads = List.of(y.thread(), x.thread());
        Buffer leftTile = Parts.shared("left_tile", k[1] * y.size());
        Buffer rightTile = Parts.shared("right_tile", k[1] * x.size());
        IndexExpr firstK = IndexExpr.of(outer).times(k[1]);
        Statement fetchLeft = Parts.fetchTurned(
                "l_left",
                leftTile,
                IndexExpr.ZERO,
                y.size(),
                k[1],
                threads,
                (line, kk) -> new Value.Load(
                        tensors.data(),
                        IndexExpr.of(batch)
                                .times(work.m())
                                .plus(y.start())
                                .plus(line)
                                .times(work.k())
                                .plus(firstK)
                                .plus(kk)));
        Statement fetchRight = Parts.fetchInterleaved(
                "l_right",
                rightTile,
                IndexExpr.ZERO,
                rightTile.elements(),
                threads,
                at -> new Value.Load(
                        tensors.weight(),
                        IndexExpr.of(batch)
                                .times(work.k())
                                .plus(firstK)
                                .plus(at.dividedBy(x.size()))
                                .times(work.n())
                                .plus(x.start())
                                .plus(at.modulo(x.size()))));

        Buffer left = Parts.local("left_own", y.inner().extent());
        Buffer right = Parts.local("right_own", x.inner().extent());
        Buffer sum = Parts.local("sum", y.inner().extent() * x.inner().extent());
        Tiled yd = y.fresh("_d");
        Tiled xd = x.fresh("_d");
        Statement takeLeft = new Statement.Loop(
                yd.inner(),
                List.of(new Statement.Store(
                        left,
                        IndexExpr.of(yd.inner()),
                        new Value.Load(
                                leftTile, IndexExpr.of(ki).times(y.size()).plus(yd.inTile())),
                        false)));
        Statement takeRight = new Statement.Loop(
                xd.inner(),
                List.of(new Statement.Store(
                        right,
                        IndexExpr.of(xd.inner()),
                        new Value.Load(
                                rightTile, IndexExpr.of(ki).times(x.size()).plus(xd.inTile())),
                        false)));
        Statement multiply = Statement.nested(
                List.of(y.inner(), x.inner()),
                List.of(new Statement.Store(
                        sum,
                        Parts.flat(List.of(y.inner(), x.inner())),
                        Value.multiply(
                                new Value.Load(left, IndexExpr.of(y.inner())),
                                new Value.Load(right, IndexExpr.of(x.inner()))),
                        true)));
        Statement compute = new Statement.Pragma(
                Parts.policy(space, c), List.of(new Statement.Loop(ki, List.of(takeLeft, takeRight, multiply))));

        Tiled yw = y.fresh("_w");
        Tiled xw = x.fresh("_w");
        List<Axis> written = List.of(yw.inner(), xw.inner());
        IndexExpr column = x.start().plus(xw.inTile());
        IndexExpr out = IndexExpr.of(batch)
                .times(work.m())
                .plus(y.start())
                .plus(yw.inTile())
                .times(work.n())
                .plus(column);
        List<Statement> body = List.of(
                Parts.clear(sum, List.of(y.fresh("_z").inner(), x.fresh("_z").inner())),
                new Statement.Loop(
                        outer,
                        List.of(fetchLeft, fetchRight, new Statement.Barrier(), compute, new Statement.Barrier())),
                Statement.nested(
                        written,
                        List.of(tensors.finish(epilogue, new Value.Load(sum, Parts.flat(written)), column, out))));
        return new LoopNest(
                "batch_matmul",
                tensors.parameters(epilogue),
                List.of(leftTile, rightTile, left, right, sum),
                Statement.nested(List.of(batch, y.block(), x.block(), y.thread(), x.thread()), body));
    }

    /// This template has no virtual threads; a virtual axis of extent 1 stands for that and is not looped over.
    private static Tiled tiled(String name, long[] factors, Binding block, Binding thread) {
        return Tiled.of(name, new long[] {factors[0], 1, factors[1], factors[2]}, factors[0], block, thread);
    }
}

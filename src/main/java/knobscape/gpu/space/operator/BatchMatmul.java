package knobscape.gpu.space.operator;

import java.util.List;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.operator.Parts.Tiled;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// A batch of matrix products: tiles of both matrices go through shared memory, then through registers.
final class BatchMatmul extends OneKernel<Workload.BatchMatmul> {
    BatchMatmul(Workload.BatchMatmul work) {
        super(
                "batch-matmul",
                "batch_matmul.cuda",
                work,
                split("tile_y", work.m(), 3),
                split("tile_x", work.n(), 3),
                split("tile_k", work.k(), 2),
                maxStep(8, 16, 32, 64),
                explicit());
    }

    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        Tiled y = tiled("y", space.factors(c, "tile_y"), Binding.BLOCK_Y, Binding.THREAD_Y);
        Tiled x = tiled("x", space.factors(c, "tile_x"), Binding.BLOCK_X, Binding.THREAD_X);
        long[] k = space.factors(c, "tile_k");
        Axis batch = new Axis("batch", work.batch(), Binding.BLOCK_Z);
        Axis outer = new Axis("k_o", k[0], Binding.SERIAL);
        Axis ki = new Axis("k_i", k[1], Binding.SERIAL);
        List<Axis> threads = List.of(y.thread(), x.thread());
        Buffer leftTile = Parts.shared("left_tile", k[1] * y.size());
        Buffer rightTile = Parts.shared("right_tile", k[1] * x.size());
        IndexExpr firstK = IndexExpr.of(outer).times(k[1]);
        NestStatement fetchLeft = Parts.fetchTurned(
                "l_left",
                leftTile,
                IndexExpr.ZERO,
                y.size(),
                k[1],
                threads,
                (line, kk) -> new NestValue.Load(
                        tensors.data(),
                        IndexExpr.of(batch)
                                .times(work.m())
                                .plus(y.start())
                                .plus(line)
                                .times(work.k())
                                .plus(firstK)
                                .plus(kk)));
        NestStatement fetchRight = Parts.fetchInterleaved(
                "l_right",
                rightTile,
                IndexExpr.ZERO,
                rightTile.elements(),
                threads,
                at -> new NestValue.Load(
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
        NestStatement takeLeft = Parts.take(
                left,
                List.of(yd.inner()),
                leftTile,
                IndexExpr.of(ki).times(y.size()).plus(yd.inTile()));
        NestStatement takeRight = Parts.take(
                right,
                List.of(xd.inner()),
                rightTile,
                IndexExpr.of(ki).times(x.size()).plus(xd.inTile()));
        List<Axis> inner = List.of(y.inner(), x.inner());
        NestStatement multiply =
                Parts.multiplyAdd(inner, sum, inner, left, IndexExpr.of(y.inner()), right, IndexExpr.of(x.inner()));
        NestStatement compute = new NestStatement.Pragma(
                Parts.policy(space, c), List.of(new NestStatement.Loop(ki, List.of(takeLeft, takeRight, multiply))));

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
        List<NestStatement> body = List.of(
                Parts.clear(sum, List.of(y.fresh("_z").inner(), x.fresh("_z").inner())),
                new NestStatement.Loop(
                        outer,
                        List.of(
                                fetchLeft,
                                fetchRight,
                                new NestStatement.Barrier(),
                                compute,
                                new NestStatement.Barrier())),
                NestStatement.nested(
                        written,
                        List.of(tensors.finish(epilogue, new NestValue.Load(sum, Parts.flat(written)), column, out))));
        return new LoopNest(
                "batch_matmul",
                tensors.parameters(epilogue),
                List.of(leftTile, rightTile, left, right, sum),
                NestStatement.nested(List.of(batch, y.block(), x.block(), y.thread(), x.thread()), body));
    }

    /// This template has no virtual threads; a virtual axis of extent 1 stands for that and is not looped over.
    private static Tiled tiled(String name, long[] factors, Binding block, Binding thread) {
        return Tiled.of(name, new long[] {factors[0], 1, factors[1], factors[2]}, factors[0], block, thread);
    }
}

package knobscape.gpu.space.operator;

import java.util.ArrayList;
import java.util.List;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Dense layer of few rows: one block for each output element, whose threads sum parts of the reduction and
/// then add up their sums in a tree.
final class SmallBatchDense extends OneKernel<Workload.Dense> {
    SmallBatchDense(Workload.Dense work) {
        super(
                "dense-small",
                "dense_small_batch.gpu",
                work,
                split("tile_k", Shapes.inWords(work).k(), 2));
    }

    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        long[] k = space.factors(c, "tile_k");
        Axis row = new Axis("row", work.m(), Binding.BLOCK_Y);
        Axis column = new Axis("column", work.n(), Binding.BLOCK_X);
        Axis thread = new Axis("tk", k[1], Binding.THREAD_X);
        Axis outer = new Axis("k_o", k[0], Binding.SERIAL);
        Buffer own = Parts.local("own", 1, tensors.format());
        Buffer sums = Parts.shared("sums", k[1], tensors.format());
        IndexExpr at = IndexExpr.of(outer).times(k[1]).plus(thread);

        var body = new ArrayList<NestStatement>();
        body.add(new NestStatement.Store(own, IndexExpr.ZERO, new NestValue.Constant(0), false));
        body.add(new NestStatement.Loop(
                outer,
                List.of(new NestStatement.Store(
                        own,
                        IndexExpr.ZERO,
                        tensors.product(
                                IndexExpr.of(row).times(work.k()).plus(at),
                                IndexExpr.of(column).times(work.k()).plus(at)),
                        true))));
        body.add(new NestStatement.Store(sums, IndexExpr.of(thread), new NestValue.Load(own, IndexExpr.ZERO), false));
        body.add(new NestStatement.Barrier());
        long left = k[1];
        while (left > 1) {
            long half = Math.ceilDiv(left, 2);
            body.addAll(NestStatement.guarded(
                    List.of(new IndexBound(IndexExpr.of(thread), left - half)),
                    List.of(new NestStatement.Store(
                            sums,
                            IndexExpr.of(thread),
                            new NestValue.Load(sums, IndexExpr.of(thread).plus(half)),
                            true))));
            body.add(new NestStatement.Barrier());
            left = half;
        }
        body.addAll(NestStatement.guarded(
                List.of(new IndexBound(IndexExpr.of(thread), 1)),
                List.of(tensors.finish(
                        epilogue,
                        new NestValue.Load(sums, IndexExpr.ZERO),
                        IndexExpr.of(column),
                        IndexExpr.of(row).times(work.n()).plus(column)))));
        return new LoopNest(
                "dense_small",
                tensors.parameters(epilogue),
                List.of(own, sums),
                NestStatement.nested(List.of(row, column, thread), body));
    }
}

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
import knobscape.gpu.space.operator.Parts.Tiled;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Dense layer of many rows: tiles of both matrices go through double-buffered shared memory, then through
/// registers.
///
/// Each copy uses all threads of the block, so thread counts of the two axes may differ (AutoTVM's template
/// needs them equal).
final class LargeBatchDense extends OneKernel<Workload.Dense> {
    LargeBatchDense(Workload.Dense work) {
        super(
                "dense-large",
                "dense_large_batch.gpu",
                work,
                split("tile_x", work.m(), 4),
                split("tile_y", work.n(), 4),
                split("tile_k", Shapes.inWords(work).k(), 3));
    }

    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        long[] tileX = space.factors(c, "tile_x");
        long[] tileY = space.factors(c, "tile_y");
        long[] k = space.factors(c, "tile_k");
        Tiled x = Tiled.of("x", tileX, tileX[0], Binding.BLOCK_X, Binding.THREAD_X);
        Tiled y = Tiled.of("y", tileY, tileY[0], Binding.BLOCK_Y, Binding.THREAD_Y);
        long step = k[1] * k[2];
        Axis outer = new Axis("k_o", k[0], Binding.SERIAL);
        List<Axis> threads = List.of(y.thread(), x.thread());
        Buffer dataTile = Parts.shared("data_tile", 2 * step * x.size(), tensors.format());
        Buffer weightTile = Parts.shared("weight_tile", 2 * step * y.size(), tensors.format());
        IndexExpr next = IndexExpr.of(outer).plus(1);
        List<NestStatement> first = fetch(x, y, step, IndexExpr.ZERO, dataTile, weightTile, threads, "_0");
        List<NestStatement> ahead = fetch(x, y, step, next, dataTile, weightTile, threads, "");

        Buffer data = Parts.local("data_own", x.inner().extent() * k[2], tensors.format());
        Buffer weight = Parts.local("weight_own", y.inner().extent() * k[2], tensors.format());
        Buffer sum = Parts.local("sum", x.inner().extent() * y.inner().extent(), tensors.format());
        Axis kt = new Axis("k_t", k[1], Binding.UNROLLED);
        Axis ki = new Axis("k_i", k[2], Binding.SERIAL);
        IndexExpr half = IndexExpr.of(outer).modulo(2).times(step);
        Tiled xd = x.fresh("_d");
        Axis kd = new Axis("k_d", k[2], Binding.SERIAL);
        IndexExpr firstK = half.plus(IndexExpr.of(kt).times(k[2]));
        NestStatement takeData = Parts.take(
                data,
                List.of(xd.inner(), kd),
                dataTile,
                firstK.plus(kd).times(x.size()).plus(xd.inTile()));
        Tiled yk = y.fresh("_k");
        Axis kk = new Axis("k_k", k[2], Binding.SERIAL);
        NestStatement takeWeights = Parts.take(
                weight,
                List.of(yk.inner(), kk),
                weightTile,
                firstK.plus(kk).times(y.size()).plus(yk.inTile()));
        NestStatement compute = Parts.multiplyAdd(
                List.of(ki, x.inner(), y.inner()),
                sum,
                List.of(x.inner(), y.inner()),
                data,
                Parts.flat(List.of(x.inner(), ki)),
                weight,
                Parts.flat(List.of(y.inner(), ki)));

        var steps = new ArrayList<NestStatement>();
        steps.add(new NestStatement.Barrier());
        if (k[0] > 1) {
            steps.addAll(NestStatement.guarded(List.of(new IndexBound(IndexExpr.of(outer), k[0] - 1)), ahead));
        }
        steps.add(new NestStatement.Loop(kt, List.of(takeData, takeWeights, compute)));
        Tiled xw = x.fresh("_w");
        Tiled yw = y.fresh("_w");
        List<Axis> written = List.of(xw.inner(), yw.inner());
        IndexExpr column = y.start().plus(yw.inTile());
        var body = new ArrayList<NestStatement>();
        body.add(Parts.clear(sum, List.of(x.fresh("_z").inner(), y.fresh("_z").inner())));
        body.addAll(first);
        body.add(new NestStatement.Loop(outer, steps));
        body.add(NestStatement.nested(
                written,
                List.of(tensors.finish(
                        epilogue,
                        new NestValue.Load(sum, Parts.flat(written)),
                        column,
                        x.start().plus(xw.inTile()).times(work.n()).plus(column)))));
        return new LoopNest(
                "dense_large",
                tensors.parameters(epilogue),
                List.of(dataTile, weightTile, data, weight, sum),
                NestStatement.nested(
                        List.of(y.block(), x.block(), y.virtual(), x.virtual(), y.thread(), x.thread()), body));
    }

    /// Copies of step `number` of the reduction into the half of the buffers that is its turn. Tiles lie with k
    /// outermost, so that threads read neighbouring elements.
    private List<NestStatement> fetch(
            Tiled x,
            Tiled y,
            long step,
            IndexExpr number,
            Buffer dataTile,
            Buffer weightTile,
            List<Axis> threads,
            String suffix) {
        return List.of(
                fetch("l_data" + suffix, dataTile, x, step, number, tensors.data(), threads),
                fetch("l_weight" + suffix, weightTile, y, step, number, tensors.weight(), threads));
    }

    /// Reads run along k, which is how both matrices lie; writes turn the tile.
    private NestStatement fetch(
            String name, Buffer tile, Tiled side, long step, IndexExpr number, Buffer from, List<Axis> threads) {
        long length = step * side.size();
        return Parts.fetchTurned(name, tile, number.modulo(2).times(length), side.size(), step, threads, (line, k) -> {
            var load = new NestValue.Load(
                    from,
                    side.start()
                            .plus(line)
                            .times(work.k())
                            .plus(number.times(step))
                            .plus(k));
            return from.equals(tensors.data()) ? tensors.signed(load) : load;
        });
    }
}

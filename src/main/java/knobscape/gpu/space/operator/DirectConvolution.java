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

/// Convolution of one group, computed as it is defined: tiles of input and weights go through shared memory for
/// each step of the reduction.
final class DirectConvolution extends OneKernel<Workload.Conv2d> {
    DirectConvolution(Workload.Conv2d work) {
        super(
                "direct",
                "conv2d_nchw.cuda",
                work,
                split("tile_f", work.filters(), 4),
                split("tile_y", work.outHeight(), 4),
                split("tile_x", work.outWidth(), 4),
                split("tile_rc", Shapes.inWords(work).channels(), 2),
                split("tile_ry", work.kernelHeight(), 2),
                split("tile_rx", work.kernelWidth(), 2),
                maxStep(0, 512, 1500),
                explicit());
    }

    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        long[] rc = space.factors(c, "tile_rc");
        long[] ry = space.factors(c, "tile_ry");
        long[] rx = space.factors(c, "tile_rx");
        var image = ImageTiles.of(work, space, c);
        Tiled f = image.f();
        Tiled y = image.y();
        Tiled x = image.x();

        Axis rco = new Axis("rc_o", rc[0], Binding.SERIAL);
        Axis ryo = new Axis("ry_o", ry[0], Binding.SERIAL);
        Axis rxo = new Axis("rx_o", rx[0], Binding.SERIAL);
        Axis rci = new Axis("rc_i", rc[1], Binding.SERIAL);
        Axis ryi = new Axis("ry_i", ry[1], Binding.SERIAL);
        Axis rxi = new Axis("rx_i", rx[1], Binding.SERIAL);

        long rows = image.rows(y.size(), ry[1]);
        long columns = image.columns(x.size(), rx[1]);
        Buffer dataTile = Parts.shared("data_tile", rc[1] * rows * columns, tensors.format());
        Buffer weightTile = Parts.shared("weight_tile", f.size() * rc[1] * ry[1] * rx[1], tensors.format());
        Buffer sum = image.sums(tensors.format());

        NestStatement fetchData = Parts.fetchRuns("l_data", dataTile, dataTile.elements(), image.threads(), at -> {
            IndexExpr channel = IndexExpr.of(rco).times(rc[1]).plus(at.dividedBy(rows * columns));
            IndexExpr row = y.start()
                    .times(work.strideHeight())
                    .plus(IndexExpr.of(ryo).times(ry[1] * work.dilationHeight()))
                    .plus(at.dividedBy(columns).modulo(rows))
                    .plus(-work.padTop());
            IndexExpr column = x.start()
                    .times(work.strideWidth())
                    .plus(IndexExpr.of(rxo).times(rx[1] * work.dilationWidth()))
                    .plus(at.modulo(columns))
                    .plus(-work.padLeft());
            return tensors.signed(Parts.padded(
                    work, tensors.data(), image.number().times(work.channels()).plus(channel), row, column));
        });
        NestStatement fetchWeights =
                Parts.fetchRuns("l_weight", weightTile, weightTile.elements(), image.threads(), at -> {
                    IndexExpr filter = image.firstFilter().plus(at.dividedBy(rc[1] * ry[1] * rx[1]));
                    IndexExpr channel = IndexExpr.of(rco)
                            .times(rc[1])
                            .plus(at.dividedBy(ry[1] * rx[1]).modulo(rc[1]));
                    IndexExpr r = IndexExpr.of(ryo)
                            .times(ry[1])
                            .plus(at.dividedBy(rx[1]).modulo(ry[1]));
                    IndexExpr s = IndexExpr.of(rxo).times(rx[1]).plus(at.modulo(rx[1]));
                    return new NestValue.Load(
                            tensors.weight(),
                            filter.times(work.channels())
                                    .plus(channel)
                                    .times(work.kernelHeight())
                                    .plus(r)
                                    .times(work.kernelWidth())
                                    .plus(s));
                });

        IndexExpr dataAt = IndexExpr.of(rci)
                .times(rows)
                .plus(y.inTile().times(work.strideHeight()))
                .plus(IndexExpr.of(ryi).times(work.dilationHeight()))
                .times(columns)
                .plus(x.inTile().times(work.strideWidth()))
                .plus(IndexExpr.of(rxi).times(work.dilationWidth()));
        IndexExpr weightAt = f.inTile()
                .times(rc[1])
                .plus(rci)
                .times(ry[1])
                .plus(ryi)
                .times(rx[1])
                .plus(rxi);
        NestStatement compute = Parts.multiplyAdd(
                List.of(rci, ryi, rxi, f.inner(), y.inner(), x.inner()),
                sum,
                image.inner(),
                dataTile,
                dataAt,
                weightTile,
                weightAt);

        List<NestStatement> body = List.of(
                image.clear(sum),
                NestStatement.nested(
                        List.of(rco, ryo, rxo),
                        List.of(
                                fetchData,
                                fetchWeights,
                                new NestStatement.Barrier(),
                                compute,
                                new NestStatement.Barrier())),
                image.store(tensors, epilogue, sum));
        return new LoopNest(
                "conv2d_direct",
                tensors.parameters(epilogue),
                List.of(dataTile, weightTile, sum),
                image.nest(Parts.policy(space, c), body));
    }
}

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

/// Depthwise convolution: the input window of a block and its weights are fetched once, then copied to
/// registers.
final class DepthwiseConvolution extends OneKernel<Workload.Conv2d> {
    DepthwiseConvolution(Workload.Conv2d work) {
        super(
                "depthwise",
                "depthwise_conv2d_nchw.cuda",
                work,
                split("tile_f", work.filters(), 4),
                split("tile_y", work.outHeight(), 4),
                split("tile_x", work.outWidth(), 4),
                maxStep(0, 256, 1500),
                explicit());
    }

    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        var image = ImageTiles.of(work, space, c);
        Tiled f = image.f();
        Tiled y = image.y();
        Tiled x = image.x();
        long multiplier = work.filters() / work.channels();
        int r = work.kernelHeight();
        int s = work.kernelWidth();

        long rows = image.rows(y.size(), r);
        long columns = image.columns(x.size(), s);
        Buffer dataTile = Parts.shared("data_tile", f.size() * rows * columns);
        Buffer weightTile = Parts.shared("weight_tile", f.size() * r * s);
        NestStatement fetchData =
                Parts.fetchInterleaved("l_data", dataTile, IndexExpr.ZERO, dataTile.elements(), image.threads(), at -> {
                    IndexExpr channel = image.firstFilter()
                            .plus(at.dividedBy(rows * columns))
                            .dividedBy(multiplier);
                    IndexExpr row = y.start()
                            .times(work.strideHeight())
                            .plus(at.dividedBy(columns).modulo(rows))
                            .plus(-work.padTop());
                    IndexExpr column = x.start()
                            .times(work.strideWidth())
                            .plus(at.modulo(columns))
                            .plus(-work.padLeft());
                    return Parts.padded(
                            work,
                            tensors.data(),
                            image.number().times(work.channels()).plus(channel),
                            row,
                            column);
                });
        NestStatement fetchWeights = Parts.fetchInterleaved(
                "l_weight",
                weightTile,
                IndexExpr.ZERO,
                weightTile.elements(),
                image.threads(),
                at -> new NestValue.Load(
                        tensors.weight(),
                        image.firstFilter().times((long) r * s).plus(at)));

        long ownRows = image.rows(y.inner().extent(), r);
        long ownColumns = image.columns(x.inner().extent(), s);
        Buffer data = Parts.local("data_own", f.inner().extent() * ownRows * ownColumns);
        Buffer weight = Parts.local("weight_own", f.inner().extent() * r * s);
        Tiled fd = f.fresh("_d");
        Axis row = new Axis("row", ownRows, Binding.SERIAL);
        Axis column = new Axis("column", ownColumns, Binding.SERIAL);
        NestStatement takeData = Parts.take(
                data,
                List.of(fd.inner(), row, column),
                dataTile,
                fd.inTile()
                        .times(rows)
                        .plus(y.threadStart().times(work.strideHeight()))
                        .plus(row)
                        .times(columns)
                        .plus(x.threadStart().times(work.strideWidth()))
                        .plus(column));
        Tiled fk = f.fresh("_k");
        Axis kr = new Axis("kr", r, Binding.SERIAL);
        Axis ks = new Axis("ks", s, Binding.SERIAL);
        NestStatement takeWeights = Parts.take(
                weight,
                List.of(fk.inner(), kr, ks),
                weightTile,
                fk.inTile().times(r).plus(kr).times(s).plus(ks));

        Buffer sum = image.sums(tensors.format());
        Axis ry = new Axis("ry", r, Binding.SERIAL);
        Axis rx = new Axis("rx", s, Binding.SERIAL);
        IndexExpr dataAt = IndexExpr.of(f.inner())
                .times(ownRows)
                .plus(IndexExpr.of(y.inner()).times(work.strideHeight()))
                .plus(IndexExpr.of(ry).times(work.dilationHeight()))
                .times(ownColumns)
                .plus(IndexExpr.of(x.inner()).times(work.strideWidth()))
                .plus(IndexExpr.of(rx).times(work.dilationWidth()));
        NestStatement compute = Parts.multiplyAdd(
                List.of(ry, rx, f.inner(), y.inner(), x.inner()),
                sum,
                image.inner(),
                data,
                dataAt,
                weight,
                Parts.flat(List.of(f.inner(), ry, rx)));

        List<NestStatement> body = List.of(
                fetchData,
                fetchWeights,
                new NestStatement.Barrier(),
                takeData,
                takeWeights,
                image.clear(sum),
                compute,
                image.store(tensors, epilogue, sum));
        return new LoopNest(
                "depthwise_conv2d",
                tensors.parameters(epilogue),
                List.of(dataTile, weightTile, data, weight, sum),
                image.nest(Parts.policy(space, c), body));
    }
}

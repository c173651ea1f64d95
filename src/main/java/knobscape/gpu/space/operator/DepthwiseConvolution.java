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

/// Depthwise convolution: the input window of a block and its weights are fetched once, then copied to
/// registers.
final class DepthwiseConvolution implements Template {
    private final Workload.Conv2d work;
    private final ScheduleSpace space;
    private final Tensors tensors;

    DepthwiseConvolution(Workload.Conv2d work) {
        this.work = work;
        space = new ScheduleSpace(List.of(
                ScheduleKnob.Split.all("tile_f", work.filters(), 4),
                ScheduleKnob.Split.all("tile_y", work.outHeight(), 4),
                ScheduleKnob.Split.all("tile_x", work.outWidth(), 4),
                new ScheduleKnob.Option("auto_unroll_max_step", List.of(0, 256, 1500)),
                new ScheduleKnob.Option("unroll_explicit", List.of(0, 1))));
        tensors = Tensors.of(work);
    }

    @Override
    public Identity identity() {
        return new Identity("depthwise", "depthwise_conv2d_nchw.cuda", work, space);
    }

    @Override
    public Schedule schedule(Configuration configuration, Epilogue epilogue) {
        return tensors.schedule(this, configuration, epilogue, nest(configuration, epilogue));
    }

    private LoopNest nest(Configuration c, Epilogue epilogue) {
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
        Statement fetchData =
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
        Statement fetchWeights = Parts.fetchInterleaved(
                "l_weight",
                weightTile,
                IndexExpr.ZERO,
                weightTile.elements(),
                image.threads(),
                at -> new Value.Load(
                        tensors.weight(),
                        image.firstFilter().times((long) r * s).plus(at)));

        long ownRows = image.rows(y.inner().extent(), r);
        long ownColumns = image.columns(x.inner().extent(), s);
        Buffer data = Parts.local("data_own", f.inner().extent() * ownRows * ownColumns);
        Buffer weight = Parts.local("weight_own", f.inner().extent() * r * s);
        Tiled fd = f.fresh("_d");
        Axis row = Axis.spatial("row", ownRows, Binding.SERIAL);
        Axis column = Axis.spatial("column", ownColumns, Binding.SERIAL);
        Statement takeData = Statement.nested(
                List.of(fd.inner(), row, column),
                List.of(new Statement.Store(
                        data,
                        Parts.flat(List.of(fd.inner(), row, column)),
                        new Value.Load(
                                dataTile,
                                fd.inTile()
                                        .times(rows)
                                        .plus(y.threadStart().times(work.strideHeight()))
                                        .plus(row)
                                        .times(columns)
                                        .plus(x.threadStart().times(work.strideWidth()))
                                        .plus(column)),
                        false)));
        Tiled fk = f.fresh("_k");
        Axis kr = Axis.spatial("kr", r, Binding.SERIAL);
        Axis ks = Axis.spatial("ks", s, Binding.SERIAL);
        Statement takeWeights = Statement.nested(
                List.of(fk.inner(), kr, ks),
                List.of(new Statement.Store(
                        weight,
                        Parts.flat(List.of(fk.inner(), kr, ks)),
                        new Value.Load(
                                weightTile,
                                fk.inTile().times(r).plus(kr).times(s).plus(ks)),
                        false)));

        Buffer sum = image.sums();
        Axis ry = Axis.reduction("ry", r, Binding.SERIAL);
        Axis rx = Axis.reduction("rx", s, Binding.SERIAL);
        IndexExpr dataAt = IndexExpr.of(f.inner())
                .times(ownRows)
                .plus(IndexExpr.of(y.inner()).times(work.strideHeight()))
                .plus(IndexExpr.of(ry).times(work.dilationHeight()))
                .times(ownColumns)
                .plus(IndexExpr.of(x.inner()).times(work.strideWidth()))
                .plus(IndexExpr.of(rx).times(work.dilationWidth()));
        Statement compute = Statement.nested(
                List.of(ry, rx, f.inner(), y.inner(), x.inner()),
                List.of(new Statement.Store(
                        sum,
                        Parts.flat(image.inner()),
                        Value.multiply(
                                new Value.Load(data, dataAt),
                                new Value.Load(weight, Parts.flat(List.of(f.inner(), ry, rx)))),
                        true)));

        List<Statement> body = List.of(
                fetchData,
                fetchWeights,
                new Statement.Barrier(),
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

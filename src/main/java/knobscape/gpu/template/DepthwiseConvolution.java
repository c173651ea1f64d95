package knobscape.gpu.template;

import java.util.ArrayList;
import java.util.List;
import knobscape.gpu.nest.Axis;
import knobscape.gpu.nest.Axis.Binding;
import knobscape.gpu.nest.Buffer;
import knobscape.gpu.nest.IndexExpr;
import knobscape.gpu.nest.LoopNest;
import knobscape.gpu.nest.Statement;
import knobscape.gpu.nest.Value;
import knobscape.gpu.template.Parts.Tensors;
import knobscape.gpu.template.Parts.Tiled;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Depthwise convolution: the input window of a block and its weights are fetched once, then copied to registers.
final class DepthwiseConvolution implements Template {
    private final Workload.Conv2d work;
    private final ScheduleSpace space;
    private final Tensors tensors;

    DepthwiseConvolution(Workload.Conv2d work) {
        this.work = work;
        space = new ScheduleSpace(List.of(ScheduleKnob.Split.all("tile_f", work.filters(), 4), ScheduleKnob.Split.all("tile_y", work.outHeight(), 4),
                ScheduleKnob.Split.all("tile_x", work.outWidth(), 4), new ScheduleKnob.Option("auto_unroll_max_step", List.of(0, 256, 1500)),
                new ScheduleKnob.Option("unroll_explicit", List.of(0, 1))));
        tensors = Tensors.of(work);
    }

    @Override
    public String name() {
        return "depthwise";
    }

    @Override
    public String autoTvmName() {
        return "depthwise_conv2d_nchw.cuda";
    }

    @Override
    public Workload.Conv2d workload() {
        return work;
    }

    @Override
    public ScheduleSpace space() {
        return space;
    }

    @Override
    public Schedule schedule(Configuration configuration, Epilogue epilogue) {
        return new Schedule(this, configuration, epilogue, tensors.arguments(epilogue), List.of(), List.of(nest(configuration, epilogue)));
    }

    private LoopNest nest(Configuration c, Epilogue epilogue) {
        long[] tileF = space.factors(c, "tile_f");
        long[] tileY = space.factors(c, "tile_y");
        long[] tileX = space.factors(c, "tile_x");
        Tiled f = Tiled.of("f", tileF, work.batch() * tileF[0], Binding.BLOCK_Z, Binding.THREAD_Z);
        Tiled y = Tiled.of("y", tileY, tileY[0], Binding.BLOCK_Y, Binding.THREAD_Y);
        Tiled x = Tiled.of("x", tileX, tileX[0], Binding.BLOCK_X, Binding.THREAD_X);
        IndexExpr image = IndexExpr.of(f.block()).dividedBy(tileF[0]);
        IndexExpr firstFilter = IndexExpr.of(f.block()).modulo(tileF[0]).times(f.size());
        long multiplier = work.filters() / work.channels();
        int r = work.kernelHeight();
        int s = work.kernelWidth();
        List<Axis> threads = List.of(f.thread(), y.thread(), x.thread());

        long rows = (y.size() - 1) * work.strideHeight() + (r - 1L) * work.dilationHeight() + 1;
        long columns = (x.size() - 1) * work.strideWidth() + (s - 1L) * work.dilationWidth() + 1;
        Buffer dataTile = Parts.shared("data_tile", f.size() * rows * columns);
        Buffer weightTile = Parts.shared("weight_tile", f.size() * r * s);
        Statement fetchData = Parts.fetchInterleaved("l_data", dataTile, IndexExpr.ZERO, dataTile.elements(), threads, at -> {
            IndexExpr channel = firstFilter.plus(at.dividedBy(rows * columns)).dividedBy(multiplier);
            IndexExpr row = y.start().times(work.strideHeight()).plus(at.dividedBy(columns).modulo(rows)).plus(-work.padTop());
            IndexExpr column = x.start().times(work.strideWidth()).plus(at.modulo(columns)).plus(-work.padLeft());
            return Parts.padded(work, tensors.data(), image.times(work.channels()).plus(channel), row, column);
        });
        Statement fetchWeights = Parts.fetchInterleaved("l_weight", weightTile, IndexExpr.ZERO, weightTile.elements(), threads,
                at -> new Value.Load(tensors.weight(), firstFilter.times((long) r * s).plus(at)));

        long ownRows = (y.inner().extent() - 1) * work.strideHeight() + (r - 1L) * work.dilationHeight() + 1;
        long ownColumns = (x.inner().extent() - 1) * work.strideWidth() + (s - 1L) * work.dilationWidth() + 1;
        Buffer data = Parts.local("data_own", f.inner().extent() * ownRows * ownColumns);
        Buffer weight = Parts.local("weight_own", f.inner().extent() * r * s);
        Tiled fd = f.fresh("_d");
        Axis row = Axis.spatial("row", ownRows, Binding.SERIAL);
        Axis column = Axis.spatial("column", ownColumns, Binding.SERIAL);
        Statement takeData = Statement.nested(List.of(fd.inner(), row, column), List.of(new Statement.Store(data, Parts.flat(List.of(fd.inner(), row, column)),
                new Value.Load(dataTile, fd.inTile().times(rows).plus(y.threadStart().times(work.strideHeight())).plus(row).times(columns)
                        .plus(x.threadStart().times(work.strideWidth())).plus(column)), false)));
        Tiled fk = f.fresh("_k");
        Axis kr = Axis.spatial("kr", r, Binding.SERIAL);
        Axis ks = Axis.spatial("ks", s, Binding.SERIAL);
        Statement takeWeights = Statement.nested(List.of(fk.inner(), kr, ks), List.of(new Statement.Store(weight, Parts.flat(List.of(fk.inner(), kr, ks)),
                new Value.Load(weightTile, fk.inTile().times(r).plus(kr).times(s).plus(ks)), false)));

        Buffer sum = Parts.local("sum", f.inner().extent() * y.inner().extent() * x.inner().extent());
        Axis ry = Axis.reduction("ry", r, Binding.SERIAL);
        Axis rx = Axis.reduction("rx", s, Binding.SERIAL);
        List<Axis> inner = List.of(f.inner(), y.inner(), x.inner());
        IndexExpr dataAt = IndexExpr.of(f.inner()).times(ownRows).plus(IndexExpr.of(y.inner()).times(work.strideHeight())).plus(IndexExpr.of(ry).times(work.dilationHeight()))
                .times(ownColumns).plus(IndexExpr.of(x.inner()).times(work.strideWidth())).plus(IndexExpr.of(rx).times(work.dilationWidth()));
        Statement compute = Statement.nested(List.of(ry, rx, f.inner(), y.inner(), x.inner()), List.of(new Statement.Store(sum, Parts.flat(inner),
                Value.multiply(new Value.Load(data, dataAt), new Value.Load(weight, Parts.flat(List.of(f.inner(), ry, rx)))), true)));

        Tiled fw = f.fresh("_w");
        Tiled yw = y.fresh("_w");
        Tiled xw = x.fresh("_w");
        List<Axis> written = List.of(fw.inner(), yw.inner(), xw.inner());
        IndexExpr filter = firstFilter.plus(fw.inTile());
        IndexExpr out = image.times(work.filters()).plus(filter).times(work.outHeight()).plus(y.start()).plus(yw.inTile()).times(work.outWidth()).plus(x.start()).plus(xw.inTile());
        List<Statement> body = List.of(fetchData, fetchWeights, new Statement.Barrier(), takeData, takeWeights,
                Parts.clear(sum, List.of(f.fresh("_z").inner(), y.fresh("_z").inner(), x.fresh("_z").inner())), compute,
                Statement.nested(written, List.of(tensors.finish(epilogue, new Value.Load(sum, Parts.flat(written)), filter, out))));
        Statement root = Statement.nested(List.of(f.block(), y.block(), x.block(), f.virtual(), y.virtual(), x.virtual(), f.thread(), y.thread(), x.thread()),
                List.of(new Statement.Pragma(Parts.policy(space, c), body)));
        var parameters = new ArrayList<>(List.of(tensors.data(), tensors.weight()));
        parameters.addAll(tensors.behind(epilogue));
        return new LoopNest("depthwise_conv2d", parameters, List.of(dataTile, weightTile, data, weight, sum), root);
    }
}

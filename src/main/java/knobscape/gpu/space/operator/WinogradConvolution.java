package knobscape.gpu.space.operator;

import java.util.ArrayList;
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
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Winograd convolution: input tiles are transformed, alpha^2 matrix products follow (these are what the knobs
/// schedule), and their results are transformed back. Weights are transformed once, by the setup.
final class WinogradConvolution extends OneKernel<Workload.Conv2d> {
    private final WinogradTiles tiles;
    private final Buffer prepared;
    private final Buffer transformed;
    private final Buffer products;
    private final WinogradTransforms transforms;
    private final LoopNest weightTransform;
    private final LoopNest dataTransform;
    private final LoopNest plainOutput;

    WinogradConvolution(Workload.Conv2d work) {
        this(work, WinogradTiles.of(work));
    }

    private WinogradConvolution(Workload.Conv2d work, WinogradTiles tiles) {
        super(
                "winograd",
                "conv2d_nchw_winograd.cuda",
                work,
                ScheduleKnob.Split.outermostOnly("tile_b", tiles.points(), 4),
                split("tile_y", work.filters(), 4),
                split("tile_x", tiles.tiles(), 4),
                split("tile_rc", work.channels(), 2),
                maxStep(0, 128, 1500),
                explicit());
        this.tiles = tiles;
        prepared = Parts.global("prepared", tiles.points() * work.channels() * work.filters());
        transformed = Parts.global("transformed", tiles.points() * work.channels() * tiles.tiles());
        products = Parts.global("products", tiles.points() * work.filters() * tiles.tiles());
        transforms = new WinogradTransforms(work, tiles, tensors, prepared, transformed, products);
        weightTransform = transforms.weights();
        dataTransform = transforms.data();
        plainOutput = transforms.output(Epilogue.NONE);
    }

    @Override
    public Schedule schedule(Configuration configuration, Epilogue epilogue) {
        var arguments = new ArrayList<>(tensors.arguments(epilogue));
        arguments.add(new Schedule.Argument(prepared, Schedule.Role.PREPARED));
        arguments.add(new Schedule.Argument(transformed, Schedule.Role.WORKSPACE));
        arguments.add(new Schedule.Argument(products, Schedule.Role.WORKSPACE));
        return new Schedule(
                this,
                configuration,
                epilogue,
                arguments,
                List.of(weightTransform),
                List.of(
                        dataTransform,
                        nest(configuration, epilogue),
                        epilogue.steps().isEmpty() ? plainOutput : transforms.output(epilogue)));
    }

    /// `products[b][k][p] = sum over c of prepared[b][c][k] transformed[b][c][p]`.
    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        Tiled b = tiled("b", space.factors(c, "tile_b"), Binding.BLOCK_Z, Binding.THREAD_Z);
        Tiled y = tiled("y", space.factors(c, "tile_y"), Binding.BLOCK_Y, Binding.THREAD_Y);
        Tiled x = tiled("x", space.factors(c, "tile_x"), Binding.BLOCK_X, Binding.THREAD_X);
        long[] rc = space.factors(c, "tile_rc");
        Axis rco = new Axis("rc_o", rc[0], Binding.SERIAL);
        Axis rci = new Axis("rc_i", rc[1], Binding.SERIAL);
        List<Axis> threads = List.of(b.thread(), y.thread(), x.thread());
        Buffer weightTile = Parts.shared("weight_tile", rc[1] * y.size());
        Buffer dataTile = Parts.shared("data_tile", rc[1] * x.size());
        IndexExpr firstChannel = IndexExpr.of(b.block())
                .times(work.channels())
                .plus(IndexExpr.of(rco).times(rc[1]));
        NestStatement fetchWeights = Parts.fetchInterleaved(
                "l_weight",
                weightTile,
                IndexExpr.ZERO,
                weightTile.elements(),
                threads,
                at -> new NestValue.Load(
                        prepared,
                        firstChannel
                                .plus(at.dividedBy(y.size()))
                                .times(work.filters())
                                .plus(y.start())
                                .plus(at.modulo(y.size()))));
        NestStatement fetchData = Parts.fetchInterleaved(
                "l_data",
                dataTile,
                IndexExpr.ZERO,
                dataTile.elements(),
                threads,
                at -> new NestValue.Load(
                        transformed,
                        firstChannel
                                .plus(at.dividedBy(x.size()))
                                .times(tiles.tiles())
                                .plus(x.start())
                                .plus(at.modulo(x.size()))));
        Buffer sum = Parts.local("sum", y.inner().extent() * x.inner().extent());
        NestStatement compute = Parts.multiplyAdd(
                List.of(rci, b.inner(), y.inner(), x.inner()),
                sum,
                List.of(y.inner(), x.inner()),
                weightTile,
                IndexExpr.of(rci).times(y.size()).plus(y.inTile()),
                dataTile,
                IndexExpr.of(rci).times(x.size()).plus(x.inTile()));
        Tiled yw = y.fresh("_w");
        Tiled xw = x.fresh("_w");
        List<Axis> written = List.of(yw.inner(), xw.inner());
        IndexExpr out = IndexExpr.of(b.block())
                .times(work.filters())
                .plus(y.start())
                .plus(yw.inTile())
                .times(tiles.tiles())
                .plus(x.start())
                .plus(xw.inTile());
        List<NestStatement> body = List.of(
                Parts.clear(sum, List.of(y.fresh("_z").inner(), x.fresh("_z").inner())),
                new NestStatement.Loop(
                        rco,
                        List.of(
                                fetchWeights,
                                fetchData,
                                new NestStatement.Barrier(),
                                compute,
                                new NestStatement.Barrier())),
                NestStatement.nested(
                        written,
                        List.of(new NestStatement.Store(
                                products, out, new NestValue.Load(sum, Parts.flat(written)), false))));
        return new LoopNest(
                "winograd_products",
                List.of(prepared, transformed, products),
                List.of(weightTile, dataTile, sum),
                NestStatement.nested(
                        List.of(
                                b.block(),
                                y.block(),
                                x.block(),
                                b.virtual(),
                                y.virtual(),
                                x.virtual(),
                                b.thread(),
                                y.thread(),
                                x.thread()),
                        List.of(new NestStatement.Pragma(Parts.policy(space, c), body))));
    }

    private static Tiled tiled(String name, long[] factors, Binding block, Binding thread) {
        return Tiled.of(name, factors, factors[0], block, thread);
    }
}

package knobscape.gpu.space.operator;

import java.util.List;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPolicy;
import knobscape.gpu.space.operator.Parts.Tensors;
import knobscape.gpu.space.operator.Parts.Tiled;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// The output of a convolution cut into tiles of filters, rows and columns; the batch is folded into the blocks
/// of filters.
///
/// @param work the convolution
/// @param f filters
/// @param y rows
/// @param x columns
/// @param number of the image
/// @param firstFilter of the block
record ImageTiles(Workload.Conv2d work, Tiled f, Tiled y, Tiled x, IndexExpr number, IndexExpr firstFilter) {
    /// As the knobs `tile_f`, `tile_y` and `tile_x` say.
    static ImageTiles of(Workload.Conv2d work, ScheduleSpace space, Configuration c) {
        long[] tileF = space.factors(c, "tile_f");
        long[] tileY = space.factors(c, "tile_y");
        long[] tileX = space.factors(c, "tile_x");
        Tiled f = Tiled.of("f", tileF, work.batch() * tileF[0], Binding.BLOCK_Z, Binding.THREAD_Z);
        Tiled y = Tiled.of("y", tileY, tileY[0], Binding.BLOCK_Y, Binding.THREAD_Y);
        Tiled x = Tiled.of("x", tileX, tileX[0], Binding.BLOCK_X, Binding.THREAD_X);
        return new ImageTiles(
                work,
                f,
                y,
                x,
                IndexExpr.of(f.block()).dividedBy(tileF[0]),
                IndexExpr.of(f.block()).modulo(tileF[0]).times(f.size()));
    }

    List<Axis> threads() {
        return List.of(f.thread(), y.thread(), x.thread());
    }

    List<Axis> inner() {
        return List.of(f.inner(), y.inner(), x.inner());
    }

    /// Input rows that so many output rows see through so many rows of the kernel.
    long rows(long output, long kernel) {
        return (output - 1) * work.strideHeight() + (kernel - 1) * work.dilationHeight() + 1;
    }

    /// The same for columns.
    long columns(long output, long kernel) {
        return (output - 1) * work.strideWidth() + (kernel - 1) * work.dilationWidth() + 1;
    }

    /// Sums per thread.
    Buffer sums(Buffer.Format format) {
        return Parts.local(
                "sum", f.inner().extent() * y.inner().extent() * x.inner().extent(), format);
    }

    private ImageTiles fresh(String suffix) {
        return new ImageTiles(work, f.fresh(suffix), y.fresh(suffix), x.fresh(suffix), number, firstFilter);
    }

    /// Zeros in the sums.
    NestStatement clear(Buffer sum) {
        return Parts.clear(sum, fresh("_z").inner());
    }

    /// The sums, with what is fused behind, where they belong in the output.
    NestStatement store(Tensors tensors, Epilogue epilogue, Buffer sum) {
        ImageTiles w = fresh("_w");
        IndexExpr filter = firstFilter.plus(w.f.inTile());
        IndexExpr out = w.at(number.times(work.filters()).plus(filter));
        // Bytes lie with four channels in a word, so that the next layer finds its words.
        IndexExpr stored = epilogue.quantize().isEmpty()
                ? out
                : w.at(number.times(work.filters() / Shapes.BYTES).plus(filter.dividedBy(Shapes.BYTES)))
                        .times(Shapes.BYTES)
                        .plus(filter.modulo(Shapes.BYTES));
        return NestStatement.nested(
                w.inner(),
                List.of(tensors.finish(epilogue, new NestValue.Load(sum, Parts.flat(w.inner())), filter, out, stored)));
    }

    private IndexExpr at(IndexExpr plane) {
        return plane.times(work.outHeight())
                .plus(y.start())
                .plus(y.inTile())
                .times(work.outWidth())
                .plus(x.start())
                .plus(x.inTile());
    }

    /// Blocks, virtual threads and threads around a body.
    NestStatement nest(UnrollPolicy policy, List<NestStatement> body) {
        return NestStatement.nested(
                List.of(
                        f.block(),
                        y.block(),
                        x.block(),
                        f.virtual(),
                        y.virtual(),
                        x.virtual(),
                        f.thread(),
                        y.thread(),
                        x.thread()),
                List.of(new NestStatement.Pragma(policy, body)));
    }
}

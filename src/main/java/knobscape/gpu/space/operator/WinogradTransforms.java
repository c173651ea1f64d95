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
import knobscape.gpu.space.operator.Parts.Tensors;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.task.Workload;

/// The kernels around the products of a Winograd convolution: one thread for each tile of a channel, 128
/// threads per block, everything written out.
record WinogradTransforms(
        Workload.Conv2d work,
        WinogradTiles tiles,
        CookToom matrices,
        Tensors tensors,
        Buffer prepared,
        Buffer transformed,
        Buffer products) {
    private static final int THREADS = 128;

    WinogradTransforms(
            Workload.Conv2d work,
            WinogradTiles tiles,
            Tensors tensors,
            Buffer prepared,
            Buffer transformed,
            Buffer products) {
        this(work, tiles, CookToom.of(tiles.m(), work.kernelHeight()), tensors, prepared, transformed, products);
    }

    /// `U = G g G^T` for each filter and channel: weights `[k][c][r][s]` to `[point][c][k]`.
    LoopNest weights() {
        int r = work.kernelHeight();
        int n = tiles.alpha();
        Buffer g = Parts.local("g", (long) r * r);
        Buffer half = Parts.local("partial", (long) n * r);
        long all = work.channels() * work.filters();
        return perThread("winograd_weights", List.of(tensors.weight(), prepared), List.of(g, half), all, id -> {
            IndexExpr c = id.dividedBy(work.filters());
            IndexExpr k = id.modulo(work.filters());
            var body = new ArrayList<NestStatement>();
            for (int i = 0; i < r * r; i++) {
                body.add(store(
                        g,
                        i,
                        new NestValue.Load(
                                tensors.weight(),
                                k.times(work.channels())
                                        .plus(c)
                                        .times((long) r * r)
                                        .plus(i))));
            }
            left(matrices.filter(), r, g, half, body);
            right(
                    half,
                    n,
                    r,
                    matrices.filter(),
                    (i, j, v) ->
                            body.add(new NestStatement.Store(prepared, id.plus((long) (i * n + j) * all), v, false)));
            return body;
        });
    }

    /// `V = B^T d B` for each channel and tile: input to `[point][c][tile]`.
    LoopNest data() {
        int n = tiles.alpha();
        Buffer d = Parts.local("d", (long) n * n);
        Buffer half = Parts.local("partial", (long) n * n);
        long all = work.channels() * tiles.tiles();
        return perThread("winograd_data", List.of(tensors.data(), transformed), List.of(d, half), all, id -> {
            IndexExpr c = id.dividedBy(tiles.tiles());
            IndexExpr tile = id.modulo(tiles.tiles());
            IndexExpr image = tile.dividedBy(tiles.down() * tiles.across());
            IndexExpr row = tile.dividedBy(tiles.across())
                    .modulo(tiles.down())
                    .times(tiles.m())
                    .plus(-work.padTop());
            IndexExpr column = tile.modulo(tiles.across()).times(tiles.m()).plus(-work.padLeft());
            var body = new ArrayList<NestStatement>();
            for (int i = 0; i < n * n; i++) {
                body.add(store(
                        d,
                        i,
                        Parts.padded(
                                work,
                                tensors.data(),
                                image.times(work.channels()).plus(c),
                                row.plus(i / n),
                                column.plus(i % n))));
            }
            left(matrices.data(), n, d, half, body);
            right(
                    half,
                    n,
                    n,
                    matrices.data(),
                    (i, j, v) -> body.add(
                            new NestStatement.Store(transformed, id.plus((long) (i * n + j) * all), v, false)));
            return body;
        });
    }

    /// `Y = A^T M A` for each filter and tile: `[point][k][tile]` to the output, with the epilogue.
    LoopNest output(Epilogue epilogue) {
        int n = tiles.alpha();
        int m = tiles.m();
        Buffer p = Parts.local("p", (long) n * n);
        Buffer half = Parts.local("partial", (long) m * n);
        long all = work.filters() * tiles.tiles();
        var parameters = new ArrayList<>(List.of(products));
        parameters.addAll(tensors.behind(epilogue));
        return perThread("winograd_output", parameters, List.of(p, half), all, id -> {
            IndexExpr k = id.dividedBy(tiles.tiles());
            IndexExpr tile = id.modulo(tiles.tiles());
            IndexExpr image = tile.dividedBy(tiles.down() * tiles.across());
            IndexExpr row = tile.dividedBy(tiles.across()).modulo(tiles.down()).times(m);
            IndexExpr column = tile.modulo(tiles.across()).times(m);
            var body = new ArrayList<NestStatement>();
            for (int i = 0; i < n * n; i++) {
                body.add(store(p, i, new NestValue.Load(products, id.plus(i * all))));
            }
            left(matrices.outputs(), n, p, half, body);
            right(half, m, n, matrices.outputs(), (i, j, v) -> {
                IndexExpr y = row.plus(i);
                IndexExpr x = column.plus(j);
                IndexExpr at = image.times(work.filters())
                        .plus(k)
                        .times(work.outHeight())
                        .plus(y)
                        .times(work.outWidth())
                        .plus(x);
                body.addAll(NestStatement.guarded(
                        List.of(new IndexBound(y, work.outHeight()), new IndexBound(x, work.outWidth())),
                        List.of(tensors.finish(epilogue, v, k, at))));
            });
            return body;
        });
    }

    @FunctionalInterface
    private interface PerThread {
        List<NestStatement> body(IndexExpr id);
    }

    @FunctionalInterface
    private interface Element {
        void is(int row, int column, NestValue value);
    }

    private static LoopNest perThread(
            String name, List<Buffer> parameters, List<Buffer> allocations, long all, PerThread body) {
        Axis block = new Axis("block", Math.ceilDiv(all, THREADS), Binding.BLOCK_X);
        Axis thread = new Axis("thread", THREADS, Binding.THREAD_X);
        IndexExpr id = IndexExpr.of(block).times(THREADS).plus(thread);
        return new LoopNest(
                name,
                parameters,
                allocations,
                NestStatement.nested(
                        List.of(block, thread),
                        NestStatement.guarded(List.of(new IndexBound(id, all)), body.body(id))));
    }

    private static NestStatement store(Buffer buffer, int at, NestValue value) {
        return new NestStatement.Store(buffer, IndexExpr.of(at), value, false);
    }

    /// `half = matrix from`, where `from` has `columns` columns.
    private static void left(double[][] matrix, int columns, Buffer from, Buffer half, List<NestStatement> body) {
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < columns; j++) {
                NestValue sum = new NestValue.Constant(0);
                for (int k = 0; k < matrix[i].length; k++) {
                    sum = plus(sum, matrix[i][k], new NestValue.Load(from, IndexExpr.of((long) k * columns + j)));
                }
                body.add(store(half, i * columns + j, sum));
            }
        }
    }

    /// Elements of `half matrix^T`, where `half` has `rows` rows and `columns` columns.
    private static void right(Buffer half, int rows, int columns, double[][] matrix, Element element) {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < matrix.length; j++) {
                NestValue sum = new NestValue.Constant(0);
                for (int k = 0; k < columns; k++) {
                    sum = plus(sum, matrix[j][k], new NestValue.Load(half, IndexExpr.of((long) i * columns + k)));
                }
                element.is(i, j, sum);
            }
        }
    }

    private static NestValue plus(NestValue sum, double factor, NestValue value) {
        if (factor == 0) {
            return sum;
        }
        boolean first = sum.equals(new NestValue.Constant(0));
        if (factor == -1 && !first) {
            return new NestValue.Binary(NestValue.Operator.SUBTRACT, sum, value);
        }
        NestValue term = factor == 1 ? value : NestValue.multiply(new NestValue.Constant(factor), value);
        return first ? term : NestValue.add(sum, term);
    }
}

package knobscape.gpu.space.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestStatement.Fragment;
import knobscape.gpu.space.nest.NestStatement.Fragment.Place;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.ScheduleKnob;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;

/// Products of 16-bit floats summed in 32-bit floats on tensor cores: tiles of both factors go through shared memory,
/// then as fragments of 16 x 16 through the registers of warps. A convolution is a product of its weights (filters by
/// taps) and of the pixels under them, which are gathered while they are copied. Extents need be no multiples of 16:
/// tiles are filled up with zeros, and what lies outside is not stored.
final class TensorCoreProduct extends OneKernel<Workload> {
    private static final int SIDE = Fragment.SIDE;
    private static final int LANES = Fragment.LANES;
    /// Halves that keep rows apart in the banks of shared memory, and floats that do.
    private static final int SKEW = 8;

    private static final int PATCH_PITCH = SIDE + 4;
    private static final List<Integer> POWERS = List.of(1, 2, 4);

    private final Product product;

    /// The work as a batch of products of matrices.
    ///
    /// @param rows of the left factor and of the result
    /// @param columns of the right factor and of the result
    /// @param summed columns of the left factor
    /// @param turned whether elements of a column of the right factor are neighbours, not those of a row
    /// @param leftRun neighbours along a row of the left factor lie in runs of a multiple of so many
    /// @param rightRun the same of the right factor along columns or rows
    private record Product(
            long batch, long rows, long columns, long summed, boolean turned, long leftRun, long rightRun) {
        static Product of(Workload work) {
            return switch (work) {
                case Workload.Dense d -> new Product(1, d.m(), d.n(), d.k(), true, d.k(), d.k());
                case Workload.BatchMatmul b -> new Product(b.batch(), b.m(), b.n(), b.k(), false, b.k(), b.n());
                case Workload.Conv2d c -> {
                    long taps = c.channels() * c.kernelHeight() * c.kernelWidth();
                    yield new Product(
                            1, c.filters(), c.batch() * c.outHeight() * c.outWidth(), taps, false, taps, pixelRun(c));
                }
                case Workload.Graph _ -> throw new IllegalArgumentException("no template computes " + work.id());
            };
        }

        /// Neighbouring pixels of a pointwise convolution are neighbours in memory.
        private static long pixelRun(Workload.Conv2d c) {
            boolean pointwise = c.kernelHeight() == 1
                    && c.kernelWidth() == 1
                    && c.outHeight() == c.height()
                    && c.outWidth() == c.width();
            return pointwise ? c.height() * c.width() : 1;
        }
    }

    TensorCoreProduct(Workload work) {
        this(work, Product.of(work));
    }

    private TensorCoreProduct(Workload work, Product p) {
        super(
                "tensor-cores",
                "",
                work,
                new ScheduleKnob.Option("warps_y", upTo(p.rows)),
                new ScheduleKnob.Option("warps_x", upTo(p.columns)),
                new ScheduleKnob.Option("fragments_y", upTo(p.rows)),
                new ScheduleKnob.Option("fragments_x", upTo(p.columns)),
                new ScheduleKnob.Option("step", List.of(16, 32, 64)),
                new ScheduleKnob.Option("stages", List.of(1, 2)),
                new ScheduleKnob.Option("skew", List.of(0, SKEW)),
                new ScheduleKnob.Option("vector_left", lanes(p.leftRun)),
                new ScheduleKnob.Option("vector_right", lanes(p.rightRun)));
        product = p;
    }

    /// Counts of tiles of 16 that do not reach beyond an extent by more than what fills the last one.
    private static List<Integer> upTo(long extent) {
        return POWERS.stream()
                .filter(n -> n == 1 || n / 2 * (long) SIDE < extent)
                .toList();
    }

    private static List<Integer> lanes(long run) {
        return Stream.of(1, 2, 4, 8).filter(n -> run % n == 0).toList();
    }

    /// A tile at least twice as large as what is left of a factor does half of its work for nothing.
    @Override
    public Optional<String> obstacle(Configuration c) {
        return wasted(c, "y", product.rows, "rows").or(() -> wasted(c, "x", product.columns, "columns"));
    }

    private Optional<String> wasted(Configuration c, String axis, long extent, String words) {
        long tile = tile(c, axis);
        return tile / 2 >= Math.ceilDiv(extent, SIDE) * SIDE
                ? Optional.of("A block makes " + tile + " " + words + ", the product has " + extent + ".")
                : Optional.empty();
    }

    private long tile(Configuration c, String axis) {
        return (long) SIDE * space.option(c, "warps_" + axis) * space.option(c, "fragments_" + axis);
    }

    @Override
    LoopNest nest(Configuration c, Epilogue epilogue) {
        return new Kernel(c).nest(epilogue);
    }

    /// The parts of the kernel of one configuration.
    private final class Kernel {
        private final Configuration c;
        private final long step;
        private final long stages;
        private final long steps;
        private final long skew;
        private final Axis blockY;
        private final Axis blockX;
        private final Axis batch = new Axis("batch", product.batch, Binding.BLOCK_Z);
        private final Axis warpY;
        private final Axis warpX;
        private final Axis lane = new Axis("lane", LANES, Binding.THREAD_X);
        private final IndexExpr firstRow;
        private final IndexExpr firstColumn;
        private final Buffer leftTile;
        private final Buffer rightTile;
        private final long leftPitch;
        private final long rightPitch;

        Kernel(Configuration c) {
            this.c = c;
            step = space.option(c, "step");
            stages = space.option(c, "stages");
            steps = Math.ceilDiv(product.summed, step);
            skew = space.option(c, "skew");
            long tileY = tile(c, "y");
            long tileX = tile(c, "x");
            blockY = new Axis("by", Math.ceilDiv(product.rows, tileY), Binding.BLOCK_Y);
            blockX = new Axis("bx", Math.ceilDiv(product.columns, tileX), Binding.BLOCK_X);
            warpY = new Axis("wy", space.option(c, "warps_y"), Binding.THREAD_Y);
            warpX = new Axis("wx", space.option(c, "warps_x"), Binding.THREAD_Y);
            firstRow = IndexExpr.of(blockY).times(tileY);
            firstColumn = IndexExpr.of(blockX).times(tileX);
            leftPitch = step + skew;
            rightPitch = (product.turned ? step : tileX) + skew;
            leftTile = half("left_tile", stages * tileY * leftPitch);
            rightTile = half("right_tile", stages * (product.turned ? tileX : step) * rightPitch);
        }

        private static Buffer half(String name, long elements) {
            return Parts.shared(name, elements, Buffer.Format.HALF);
        }

        LoopNest nest(Epilogue epilogue) {
            int high = space.option(c, "fragments_y");
            int wide = space.option(c, "fragments_x");
            Buffer left = Parts.local("left", high, Buffer.Format.LEFT);
            Buffer right = Parts.local("right", wide, product.turned ? Buffer.Format.TURNED : Buffer.Format.RIGHT);
            Buffer sum = Parts.local("sum", (long) high * wide, Buffer.Format.SUM);
            Buffer patch = Parts.shared("patch", warpY.extent() * warpX.extent() * SIDE * PATCH_PITCH);

            Axis outer = new Axis("k_o", steps, Binding.SERIAL);
            var body = new ArrayList<NestStatement>();
            Axis zy = new Axis("y_z", high, Binding.UNROLLED);
            Axis zx = new Axis("x_z", wide, Binding.UNROLLED);
            body.add(NestStatement.nested(
                    List.of(zy, zx),
                    List.of(new Fragment(
                            Fragment.Action.CLEAR, new Place(sum, Parts.flat(List.of(zy, zx))), List.of(), 0))));
            NestStatement multiply = multiply(outer, left, right, sum);
            if (stages == 1) {
                var round = new ArrayList<>(copies(IndexExpr.of(outer), ""));
                round.addAll(List.of(new NestStatement.Barrier(), multiply, new NestStatement.Barrier()));
                body.add(new NestStatement.Loop(outer, round));
            } else {
                body.addAll(copies(IndexExpr.ZERO, "_0"));
                var round = new ArrayList<NestStatement>(List.of(new NestStatement.Barrier()));
                if (steps > 1) {
                    round.addAll(NestStatement.guarded(
                            List.of(new IndexBound(IndexExpr.of(outer), steps - 1)),
                            copies(IndexExpr.of(outer).plus(1), "")));
                }
                round.add(multiply);
                body.add(new NestStatement.Loop(outer, round));
            }
            body.add(store(epilogue, sum, patch));
            return new LoopNest(
                    "tensor_cores",
                    tensors.parameters(epilogue),
                    List.of(leftTile, rightTile, patch, left, right, sum),
                    NestStatement.nested(List.of(batch, blockY, blockX, warpY, warpX, lane), body));
        }

        /// Copies of both factors' tiles of a step.
        private List<NestStatement> copies(IndexExpr number, String suffix) {
            IndexExpr firstK = number.times(step);
            IndexExpr half = stages == 1 ? IndexExpr.ZERO : number.modulo(stages);
            NestStatement ofLeft = copy(
                    "l_left" + suffix,
                    leftTile,
                    half.times(leftTile.elements() / stages),
                    tile(c, "y"),
                    step,
                    space.option(c, "vector_left"),
                    (row, k) -> left(firstRow.plus(row), firstK.plus(k)));
            IndexExpr at = half.times(rightTile.elements() / stages);
            int wide = space.option(c, "vector_right");
            NestStatement ofRight = product.turned
                    ? copy(
                            "l_right" + suffix,
                            rightTile,
                            at,
                            tile(c, "x"),
                            step,
                            wide,
                            (column, k) -> right(firstK.plus(k), firstColumn.plus(column)))
                    : copy(
                            "l_right" + suffix,
                            rightTile,
                            at,
                            step,
                            tile(c, "x"),
                            wide,
                            (k, column) -> right(firstK.plus(k), firstColumn.plus(column)));
            return List.of(ofLeft, ofRight);
        }

        /// All threads copy `lines` lines of `length` elements, so many of them at once.
        private NestStatement copy(
                String name,
                Buffer to,
                IndexExpr offset,
                long lines,
                long length,
                long wide,
                BiFunction<IndexExpr, IndexExpr, NestValue> value) {
            Axis vector = new Axis(name + "_v", wide, Binding.VECTORIZED);
            return Parts.spread(name, lines * length / wide, List.of(warpY, warpX, lane), at -> {
                IndexExpr line = at.dividedBy(length / wide);
                IndexExpr place = at.modulo(length / wide).times(wide).plus(vector);
                return new NestStatement.Loop(
                        vector,
                        List.of(new NestStatement.Store(
                                to,
                                offset.plus(line.times(length + skew)).plus(place),
                                value.apply(line, place),
                                false)));
            });
        }

        private NestValue left(IndexExpr row, IndexExpr k) {
            var within = List.of(new IndexBound(row, product.rows), new IndexBound(k, product.summed));
            return switch (work) {
                case Workload.Conv2d _ ->
                    new NestValue.Load(
                            tensors.weight(), row.times(product.summed).plus(k), within);
                default ->
                    new NestValue.Load(
                            tensors.data(),
                            IndexExpr.of(batch)
                                    .times(product.rows)
                                    .plus(row)
                                    .times(product.summed)
                                    .plus(k),
                            within);
            };
        }

        private NestValue right(IndexExpr k, IndexExpr column) {
            var within = new ArrayList<>(
                    List.of(new IndexBound(k, product.summed), new IndexBound(column, product.columns)));
            return switch (work) {
                case Workload.Dense _ ->
                    new NestValue.Load(
                            tensors.weight(), column.times(product.summed).plus(k), within);
                case Workload.Conv2d v -> {
                    long plane = v.outHeight() * v.outWidth();
                    if (product.rightRun > 1) {
                        IndexExpr image = column.dividedBy(plane);
                        yield new NestValue.Load(
                                tensors.data(),
                                image.times(v.channels()).plus(k).times(plane).plus(column.modulo(plane)),
                                within);
                    }
                    long taps = (long) v.kernelHeight() * v.kernelWidth();
                    IndexExpr row = column.dividedBy(v.outWidth())
                            .modulo(v.outHeight())
                            .times(v.strideHeight())
                            .plus(k.dividedBy(v.kernelWidth())
                                    .modulo(v.kernelHeight())
                                    .times(v.dilationHeight()))
                            .plus(-v.padTop());
                    IndexExpr place = column.modulo(v.outWidth())
                            .times(v.strideWidth())
                            .plus(k.modulo(v.kernelWidth()).times(v.dilationWidth()))
                            .plus(-v.padLeft());
                    within.add(new IndexBound(row, v.height()));
                    within.add(new IndexBound(place, v.width()));
                    yield new NestValue.Load(
                            tensors.data(),
                            column.dividedBy(plane)
                                    .times(v.channels())
                                    .plus(k.dividedBy(taps))
                                    .times(v.height())
                                    .plus(row)
                                    .times(v.width())
                                    .plus(place),
                            within);
                }
                default ->
                    new NestValue.Load(
                            tensors.weight(),
                            IndexExpr.of(batch)
                                    .times(product.summed)
                                    .plus(k)
                                    .times(product.columns)
                                    .plus(column),
                            within);
            };
        }

        /// One factor's fragments of a step, each from its place in that stage of the tile.
        private NestStatement load(
                Buffer fragments, Axis each, Buffer tile, IndexExpr stage, IndexExpr at, long pitch) {
            return new NestStatement.Loop(
                    each,
                    List.of(new Fragment(
                            Fragment.Action.LOAD,
                            new Place(fragments, IndexExpr.of(each)),
                            List.of(new Place(
                                    tile, stage.times(tile.elements() / stages).plus(at))),
                            pitch)));
        }

        private NestStatement multiply(Axis outer, Buffer left, Buffer right, Buffer sum) {
            Axis inner = new Axis("k_i", step / SIDE, Binding.UNROLLED);
            Axis yl = new Axis("y_l", left.elements(), Binding.UNROLLED);
            Axis xl = new Axis("x_l", right.elements(), Binding.UNROLLED);
            Axis y = new Axis("y", left.elements(), Binding.UNROLLED);
            Axis x = new Axis("x", right.elements(), Binding.UNROLLED);
            IndexExpr half = stages == 1 ? IndexExpr.ZERO : IndexExpr.of(outer).modulo(stages);
            IndexExpr k = IndexExpr.of(inner).times(SIDE);
            IndexExpr row = IndexExpr.of(warpY).times(left.elements()).plus(yl).times(SIDE);
            IndexExpr column =
                    IndexExpr.of(warpX).times(right.elements()).plus(xl).times(SIDE);
            IndexExpr rightAt = product.turned
                    ? column.times(rightPitch).plus(k)
                    : k.times(rightPitch).plus(column);
            return new NestStatement.Loop(
                    inner,
                    List.of(
                            load(left, yl, leftTile, half, row.times(leftPitch).plus(k), leftPitch),
                            load(right, xl, rightTile, half, rightAt, rightPitch),
                            NestStatement.nested(
                                    List.of(y, x),
                                    List.of(new Fragment(
                                            Fragment.Action.MULTIPLY,
                                            new Place(sum, Parts.flat(List.of(y, x))),
                                            List.of(
                                                    new Place(left, IndexExpr.of(y)),
                                                    new Place(right, IndexExpr.of(x))),
                                            0)))));
        }

        /// Every warp writes one fragment after the other to its patch of shared memory, where lanes know which
        /// element is which.
        private NestStatement store(Epilogue epilogue, Buffer sum, Buffer patch) {
            Axis y = new Axis("y_w", space.option(c, "fragments_y"), Binding.UNROLLED);
            Axis x = new Axis("x_w", space.option(c, "fragments_x"), Binding.UNROLLED);
            Axis each = new Axis("e", (long) SIDE * SIDE / LANES, Binding.UNROLLED);
            IndexExpr own =
                    IndexExpr.of(warpY).times(warpX.extent()).plus(warpX).times((long) SIDE * PATCH_PITCH);
            IndexExpr at = IndexExpr.of(each).times(LANES).plus(lane);
            IndexExpr row = at.dividedBy(SIDE);
            IndexExpr column = at.modulo(SIDE);
            IndexExpr wholeRow = firstRow.plus(
                    IndexExpr.of(warpY).times(y.extent()).plus(y).times(SIDE).plus(row));
            IndexExpr wholeColumn = firstColumn.plus(
                    IndexExpr.of(warpX).times(x.extent()).plus(x).times(SIDE).plus(column));
            NestStatement finish = tensors.finish(
                    epilogue,
                    new NestValue.Load(patch, own.plus(row.times(PATCH_PITCH)).plus(column)),
                    work instanceof Workload.Conv2d ? wholeRow : wholeColumn,
                    output(wholeRow, wholeColumn));
            List<NestStatement> inside = NestStatement.guarded(
                    List.of(new IndexBound(wholeRow, product.rows), new IndexBound(wholeColumn, product.columns)),
                    List.of(finish));
            return NestStatement.nested(
                    List.of(y, x),
                    List.of(
                            new NestStatement.Barrier(),
                            new Fragment(
                                    Fragment.Action.STORE,
                                    new Place(patch, own),
                                    List.of(new Place(sum, Parts.flat(List.of(y, x)))),
                                    PATCH_PITCH),
                            new NestStatement.Barrier(),
                            new NestStatement.Loop(each, inside)));
        }

        private IndexExpr output(IndexExpr row, IndexExpr column) {
            if (work instanceof Workload.Conv2d v) {
                long plane = v.outHeight() * v.outWidth();
                return column.dividedBy(plane)
                        .times(product.rows)
                        .plus(row)
                        .times(plane)
                        .plus(column.modulo(plane));
            }
            return IndexExpr.of(batch)
                    .times(product.rows)
                    .plus(row)
                    .times(product.columns)
                    .plus(column);
        }
    }
}

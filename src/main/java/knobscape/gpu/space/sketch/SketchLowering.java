package knobscape.gpu.space.sketch;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Axis.Binding;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPolicy;
import knobscape.gpu.space.template.ScheduleSpace;
import knobscape.space.Configuration;

/// Loop nests of a sketch with its annotation, a kernel for each root. Axes of extent 1 are left out.
///
/// A tiled kernel, from outside in: blocks, virtual threads, threads; the outer reduction, at which the inputs'
/// tiles are copied into shared memory by all threads; the middle reduction, inner tiles, inner reduction and
/// innermost tiles around the one statement that adds to registers; behind it the registers are written, with
/// what is fused behind applied.
final class SketchLowering {
    private final Computation computation;
    private final Sketch sketch;
    private final ScheduleSpace space;
    private final Configuration annotation;
    private final Map<TensorRef, Buffer> buffers;

    SketchLowering(
            Computation computation,
            Sketch sketch,
            ScheduleSpace space,
            Configuration annotation,
            Map<TensorRef, Buffer> buffers) {
        this.computation = computation;
        this.sketch = sketch;
        this.space = space;
        this.annotation = annotation;
        this.buffers = buffers;
    }

    /// The loads of a tiled stage whose elements go through shared memory, each once: those whose indices are
    /// affine.
    static List<TensorExpression.Load> cached(Stage s) {
        Set<TensorExpression.Load> all = new LinkedHashSet<>();
        s.value().loads(l -> {
            if (l.at().stream().allMatch(IndexExpr::isAffine)) {
                all.add(l);
            }
        });
        return List.copyOf(all);
    }

    List<LoopNest> kernels() {
        return sketch.roots().stream().map(this::kernel).toList();
    }

    private LoopNest kernel(Sketch.Root root) {
        Stage s = stage(root.stage());
        String prefix = SketchKnobs.prefix(computation, sketch, root);
        return switch (root.rule()) {
            case TILED -> new Tiled(root, s, prefix).nest();
            case CROSS_THREAD -> across(root, s, prefix);
            case PLAIN -> plain(root, s, prefix);
        };
    }

    private Stage stage(int i) {
        return computation.stages().get(i);
    }

    private String name(Stage s) {
        return s.operator() + "_" + s.result().name();
    }

    /// The element of a tensor in the device's memory, or, of an inlined stage, what it computes.
    private NestValue element(TensorExpression.Load l) {
        return computation.inlined(l).value(this::global);
    }

    private NestValue.Load global(TensorExpression.Load l) {
        return new NestValue.Load(
                requireNonNull(buffers.get(l.tensor())), l.tensor().flat(l.at()));
    }

    /// The statement that writes a finished element.
    ///
    /// @param at the element's indices
    /// @param result what was gathered for it
    private NestStatement finish(Sketch.Root root, List<IndexExpr> at, NestValue.Load result) {
        Stage writes = stage(root.writes());
        TensorRef own = stage(root.stage()).result();
        NestValue value = root.consumer().isEmpty()
                ? result
                : computation
                        .inlined(Computation.element(writes, new TensorExpression.Load(writes.result(), at)))
                        .value(l -> l.tensor().equals(own) ? result : global(l));
        return new NestStatement.Store(
                requireNonNull(buffers.get(writes.result())), writes.result().flat(at), value, false);
    }

    /// The buffers of a kernel in the device's memory, the one written last.
    private List<Buffer> parameters(Sketch.Root root) {
        Set<Buffer> all = new LinkedHashSet<>();
        Stage s = stage(root.stage());
        reads(s.value(), all);
        root.consumer().ifPresent(c -> reads(stage(c).value(), all));
        all.remove(requireNonNull(buffers.getOrDefault(
                s.result(), buffers.get(stage(root.writes()).result()))));
        all.add(requireNonNull(buffers.get(stage(root.writes()).result())));
        return List.copyOf(all);
    }

    private void reads(TensorExpression e, Set<Buffer> all) {
        computation.inlined(e).loads(l -> {
            Buffer b = buffers.get(l.tensor());
            if (b != null) {
                all.add(b);
            }
        });
    }

    private static NestStatement gather(Stage s, Buffer sum, IndexExpr at, NestValue value) {
        return s.gather() == NestValue.Operator.ADD
                ? new NestStatement.Store(sum, at, value, true)
                : new NestStatement.Store(
                        sum, at, new NestValue.Binary(s.gather(), new NestValue.Load(sum, at), value), false);
    }

    /// The body under those of the loops that run more than once.
    private static List<NestStatement> under(List<Axis> axes, List<NestStatement> body) {
        List<Axis> open = axes.stream().filter(a -> a.extent() > 1).toList();
        return open.isEmpty() ? body : List.of(NestStatement.nested(open, body));
    }

    /// One statement for a whole kernel.
    private static NestStatement whole(List<Axis> axes, UnrollPolicy policy, List<NestStatement> body) {
        return under(axes, List.of(new NestStatement.Pragma(policy, body))).getFirst();
    }

    // A thread for each element.

    private LoopNest plain(Sketch.Root root, Stage s, String prefix) {
        long threads = space.option(annotation, prefix + "threads");
        long elements = s.spaceExtent();
        Axis block = new Axis("block", Math.ceilDiv(elements, threads), Binding.BLOCK_X);
        Axis thread = new Axis("thread", threads, Binding.THREAD_X);
        IndexExpr position = IndexExpr.of(block).times(threads).plus(thread);
        List<IndexExpr> at = s.result().unflat(position);
        var body = new ArrayList<NestStatement>();
        var allocations = new ArrayList<Buffer>();
        if (s.isReduction()) {
            var own = new Buffer("own", Buffer.Scope.LOCAL, 1);
            allocations.add(own);
            body.add(new NestStatement.Store(own, IndexExpr.ZERO, new NestValue.Constant(s.start()), false));
            Map<Axis, IndexExpr> places = places(s.space(), at);
            List<Axis> loops = new ArrayList<>();
            for (Axis a : s.reduce()) {
                Axis loop = new Axis(a.name(), a.extent(), Binding.SERIAL);
                loops.add(loop);
                places.put(a, IndexExpr.of(loop));
            }
            body.addAll(under(loops, List.of(gather(s, own, IndexExpr.ZERO, value(s, places)))));
            body.add(finish(root, at, new NestValue.Load(own, IndexExpr.ZERO)));
        } else {
            body.add(new NestStatement.Store(
                    requireNonNull(buffers.get(s.result())), position, value(s, places(s.space(), at)), false));
        }
        UnrollPolicy policy = s.isReduction()
                ? new UnrollPolicy(space.option(annotation, prefix + "unroll"), true)
                : UnrollPolicy.NONE;
        return new LoopNest(
                name(s),
                parameters(root),
                allocations,
                whole(
                        List.of(block, thread),
                        policy,
                        NestStatement.guarded(List.of(new IndexBound(position, elements)), body)));
    }

    private static Map<Axis, IndexExpr> places(List<Axis> axes, List<IndexExpr> at) {
        Map<Axis, IndexExpr> places = new HashMap<>();
        for (int i = 0; i < axes.size(); i++) {
            places.put(axes.get(i), at.get(i));
        }
        return places;
    }

    /// The value that a stage gathers or makes at a place, every load from the device's memory.
    private NestValue value(Stage s, Map<Axis, IndexExpr> places) {
        return computation
                .inlined(s.value().rewrite(a -> requireNonNull(places.get(a)), l -> l))
                .value(this::global);
    }

    // A block for each element.

    private LoopNest across(Sketch.Root root, Stage s, String prefix) {
        long threads = space.option(annotation, prefix + "reduce_threads");
        long length = s.reduceExtent();
        Map<Axis, IndexExpr> places = new HashMap<>();
        var blocks = new ArrayList<Axis>();
        var at = new ArrayList<IndexExpr>();
        for (Axis a : s.space()) {
            Axis block = new Axis("b_" + a.name(), a.extent(), Binding.BLOCK_X);
            blocks.add(block);
            at.add(IndexExpr.of(block));
            places.put(a, IndexExpr.of(block));
        }
        Axis thread = new Axis("thread", threads, Binding.THREAD_X);
        Axis outer = new Axis("part", Math.ceilDiv(length, threads), Binding.SERIAL);
        IndexExpr position = IndexExpr.of(outer).times(threads).plus(thread);
        long step = length;
        for (Axis a : s.reduce()) {
            step /= a.extent();
            places.put(a, position.dividedBy(step).modulo(a.extent()));
        }
        var own = new Buffer("own", Buffer.Scope.LOCAL, 1);
        var sums = new Buffer("sums", Buffer.Scope.SHARED, threads);
        IndexExpr mine = IndexExpr.of(thread);
        var body = new ArrayList<NestStatement>();
        body.add(new NestStatement.Store(own, IndexExpr.ZERO, new NestValue.Constant(s.start()), false));
        body.addAll(under(
                List.of(outer),
                NestStatement.guarded(
                        List.of(new IndexBound(position, length)),
                        List.of(gather(s, own, IndexExpr.ZERO, value(s, places))))));
        body.add(new NestStatement.Store(sums, mine, new NestValue.Load(own, IndexExpr.ZERO), false));
        body.add(new NestStatement.Barrier());
        for (long left = threads; left > 1; left = Math.ceilDiv(left, 2)) {
            long half = Math.ceilDiv(left, 2);
            body.addAll(NestStatement.guarded(
                    List.of(new IndexBound(mine, left - half)),
                    List.of(gather(s, sums, mine, new NestValue.Load(sums, mine.plus(half))))));
            body.add(new NestStatement.Barrier());
        }
        body.addAll(NestStatement.guarded(
                List.of(new IndexBound(mine, 1)), List.of(finish(root, at, new NestValue.Load(sums, IndexExpr.ZERO)))));
        var axes = new ArrayList<>(blocks);
        axes.add(thread);
        return new LoopNest(name(s), parameters(root), List.of(own, sums), whole(axes, UnrollPolicy.NONE, body));
    }

    // Tiles.

    private final class Tiled {
        private final Sketch.Root root;
        private final Stage s;
        private final String prefix;
        /// For each axis of the result its parts: block, virtual thread, thread, inner, innermost.
        private final List<Axis[]> parts = new ArrayList<>();

        private final List<Axis[]> reduced = new ArrayList<>();
        private final List<Buffer> allocations = new ArrayList<>();
        private final List<Copied> copies = new ArrayList<>();

        /// A load and where its element is in shared memory.
        private record Copied(TensorExpression.Load load, NestValue.Load tile) {}

        Tiled(Sketch.Root root, Stage s, String prefix) {
            this.root = root;
            this.s = s;
            this.prefix = prefix;
            s.space().forEach(a -> parts.add(axes(a, SketchKnobs.SPACE_PARTS, Tiled::binding)));
            s.reduce().forEach(a -> reduced.add(axes(a, SketchKnobs.REDUCE_PARTS, _ -> Binding.SERIAL)));
        }

        private static Binding binding(int level) {
            return switch (level) {
                case 0 -> Binding.BLOCK_X;
                case 1 -> Binding.VTHREAD;
                case 2 -> Binding.THREAD_X;
                default -> Binding.SERIAL;
            };
        }

        private Axis[] axes(Axis a, int count, Function<Integer, Binding> binding) {
            long[] factors = factors(a, count);
            Axis[] made = new Axis[count];
            for (int i = 0; i < count; i++) {
                made[i] = new Axis(a.name() + "_" + i, factors[i], binding.apply(i));
            }
            return made;
        }

        private long[] factors(Axis a, int count) {
            if (a.extent() == 1) {
                long[] ones = new long[count];
                java.util.Arrays.fill(ones, 1);
                return ones;
            }
            return space.factors(annotation, prefix + "tile_" + a.name());
        }

        private List<Axis> level(List<Axis[]> axes, int i) {
            return axes.stream().map(a -> a[i]).toList();
        }

        /// The place on an axis by those of its parts from `first` to `last`.
        private static IndexExpr place(Axis[] parts, int first, int last) {
            IndexExpr at = IndexExpr.ZERO;
            for (int i = 0; i < parts.length; i++) {
                at = at.times(parts[i].extent());
                at = i >= first && i <= last ? at.plus(parts[i]) : at;
            }
            return at;
        }

        private Map<Axis, IndexExpr> places(int spaceFrom, int spaceTo, int reduceFrom, int reduceTo) {
            Map<Axis, IndexExpr> places = new HashMap<>();
            for (int i = 0; i < parts.size(); i++) {
                places.put(s.space().get(i), place(parts.get(i), spaceFrom, spaceTo));
            }
            for (int i = 0; i < reduced.size(); i++) {
                places.put(s.reduce().get(i), place(reduced.get(i), reduceFrom, reduceTo));
            }
            return places;
        }

        LoopNest nest() {
            var inner = new ArrayList<NestStatement>();
            Map<Axis, IndexExpr> outside = places(0, 0, 0, 0);
            Map<Axis, IndexExpr> inside = places(1, 4, 1, 2);
            List<TensorExpression.Load> shared = cached(s);
            for (TensorExpression.Load l : shared) {
                inner.add(copy(l, outside, inside));
            }
            var sum = new Buffer("sum", Buffer.Scope.LOCAL, registers());
            allocations.add(sum);
            Map<Axis, IndexExpr> all = places(0, 4, 0, 2);
            // A load that goes through shared memory is found by itself, before its indices are rewritten.
            NestValue value = s.value()
                    .value(l -> copies.stream()
                            .filter(c -> c.load().equals(l))
                            .findFirst()
                            .map(Copied::tile)
                            .orElseGet(() -> direct(l, all)));
            var loops = new ArrayList<Axis>();
            loops.addAll(level(reduced, 1));
            loops.addAll(level(parts, 3));
            loops.addAll(level(reduced, 2));
            loops.addAll(level(parts, 4));
            List<NestStatement> compute =
                    under(loops, List.of(gather(s, sum, register(level(parts, 3), level(parts, 4)), value)));
            if (!shared.isEmpty()) {
                inner.add(new NestStatement.Barrier());
            }
            inner.addAll(compute);
            if (!shared.isEmpty()) {
                inner.add(new NestStatement.Barrier());
            }
            var body = new ArrayList<NestStatement>();
            List<Axis> z3 = fresh(3, "z");
            List<Axis> z4 = fresh(4, "z");
            body.addAll(under(
                    join(z3, z4),
                    List.of(new NestStatement.Store(sum, register(z3, z4), new NestValue.Constant(s.start()), false))));
            body.addAll(under(level(reduced, 0), inner));
            List<Axis> w3 = fresh(3, "w");
            List<Axis> w4 = fresh(4, "w");
            var at = new ArrayList<IndexExpr>();
            for (int i = 0; i < parts.size(); i++) {
                Axis[] p = parts.get(i);
                at.add(place(new Axis[] {p[0], p[1], p[2], w3.get(i), w4.get(i)}, 0, 4));
            }
            body.addAll(under(join(w3, w4), List.of(finish(root, at, new NestValue.Load(sum, register(w3, w4))))));
            return new LoopNest(
                    name(s),
                    parameters(root),
                    allocations,
                    whole(
                            join(level(parts, 0), join(level(parts, 1), level(parts, 2))),
                            new UnrollPolicy(space.option(annotation, prefix + "unroll"), true),
                            body));
        }

        private NestValue.Load direct(TensorExpression.Load l, Map<Axis, IndexExpr> all) {
            return element(new TensorExpression.Load(
                                    l.tensor(),
                                    l.at().stream()
                                            .map(e -> e.substitute(a -> requireNonNull(all.get(a))))
                                            .toList()))
                            instanceof NestValue.Load found
                    ? found
                    : unsupported(l);
        }

        private static NestValue.Load unsupported(TensorExpression.Load l) {
            throw new IllegalStateException(
                    "a tiled stage cannot compute '" + l.tensor().name() + "' where it is read");
        }

        private static List<Axis> join(List<Axis> a, List<Axis> b) {
            var both = new ArrayList<>(a);
            both.addAll(b);
            return both;
        }

        private List<Axis> fresh(int level, String suffix) {
            return level(parts, level).stream()
                    .map(a -> new Axis(a.name() + suffix, a.extent(), a.binding()))
                    .toList();
        }

        private long registers() {
            return parts.stream().mapToLong(p -> p[3].extent() * p[4].extent()).reduce(1, (a, b) -> a * b);
        }

        /// The place of a sum among a thread's.
        private IndexExpr register(List<Axis> inner, List<Axis> innermost) {
            IndexExpr at = IndexExpr.ZERO;
            for (int i = 0; i < inner.size(); i++) {
                at = at.times(inner.get(i).extent())
                        .plus(inner.get(i))
                        .times(innermost.get(i).extent())
                        .plus(innermost.get(i));
            }
            return at;
        }

        /// All threads copy the part of a tensor that the block reads in one step of the outer reduction: its
        /// axes are fused and split into rounds, threads and a vector.
        private NestStatement copy(TensorExpression.Load l, Map<Axis, IndexExpr> outside, Map<Axis, IndexExpr> inside) {
            int rank = l.at().size();
            long[] sizes = new long[rank];
            var first = new ArrayList<IndexExpr>();
            var within = new ArrayList<IndexExpr>();
            for (int d = 0; d < rank; d++) {
                IndexExpr e = l.at().get(d);
                IndexExpr relative =
                        e.substitute(a -> requireNonNull(inside.get(a))).plus(-e.constant());
                sizes[d] = relative.max() - relative.min() + 1;
                within.add(relative.plus(-relative.min()));
                first.add(e.substitute(a -> requireNonNull(outside.get(a))).plus(relative.min()));
            }
            var tile = new TensorRef(
                    l.tensor().name() + "_tile" + (copies.isEmpty() ? "" : copies.size()),
                    java.util.Arrays.stream(sizes).boxed().toList(),
                    l.tensor().role());
            var buffer = new Buffer(tile.name(), Buffer.Scope.SHARED, tile.elements());
            allocations.add(buffer);
            copies.add(new Copied(l, new NestValue.Load(buffer, tile.flat(within))));

            List<Axis> threads = level(parts, 2);
            long count = threads.stream().mapToLong(Axis::extent).reduce(1, (a, b) -> a * b);
            long vector =
                    space.option(annotation, prefix + "vector_" + l.tensor().name());
            Axis round = new Axis(tile.name() + "_r", Math.ceilDiv(tile.elements(), count * vector), Binding.SERIAL);
            Axis lane = new Axis(tile.name() + "_v", vector, Binding.VECTORIZED);
            IndexExpr position = IndexExpr.of(round);
            for (Axis t : threads) {
                position = position.times(t.extent()).plus(t);
            }
            position = position.times(vector).plus(lane);
            var at = new ArrayList<IndexExpr>();
            List<IndexExpr> split = tile.unflat(position);
            for (int d = 0; d < rank; d++) {
                at.add(first.get(d).plus(split.get(d)));
            }
            return under(
                            List.of(round, lane),
                            NestStatement.guarded(
                                    List.of(new IndexBound(position, tile.elements())),
                                    List.of(new NestStatement.Store(
                                            buffer,
                                            position,
                                            element(new TensorExpression.Load(l.tensor(), at)),
                                            false))))
                    .getFirst();
        }
    }
}

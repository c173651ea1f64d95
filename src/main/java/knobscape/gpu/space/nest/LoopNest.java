package knobscape.gpu.space.nest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One kernel as a loop nest. From outside in: blocks, virtual threads, threads, loops. Axes of extent 1 are
/// kept, so that the nests of one template have one structure. Several axes may share a dimension of the grid
/// or block: its index is split over them, the first one being the slowest digit. Buffers are flat; indices are
/// affine but for the cooperative copies, whose fused index is split by quotients and remainders.
///
/// A virtual thread is written as a loop around the body. It stands for the same thread doing every statement
/// again before it continues to the next one: a statement is repeated over the virtual axes that it depends on,
/// a local buffer has a copy for each of them, and barriers are met once.
public final class LoopNest {
    private final String name;
    private final List<Buffer> parameters;
    private final List<Buffer> allocations;
    private final NestStatement body;
    private final List<Axis> axes;
    /// Virtual axes of extent above 1.
    private final List<Axis> virtual;
    private final List<Buffer> locals;
    /// For each of [#locals] the virtual axes that its contents depend on, as bits by their place in
    /// [#virtual].
    private final long[] replicas;

    /// A nest.
    ///
    /// @param name name of the kernel, an identifier in C
    /// @param parameters buffers in the device's memory, in the order of the kernel's arguments; the last one
    /// is written
    /// @param allocations buffers in shared and local memory
    /// @param body the nest
    /// @throws IllegalArgumentException where an axis is looped over twice, or more than 63 axes are virtual
    public LoopNest(String name, List<Buffer> parameters, List<Buffer> allocations, NestStatement body) {
        this.name = name;
        this.parameters = List.copyOf(parameters);
        this.allocations = List.copyOf(allocations);
        this.body = body;
        var found = new ArrayList<Axis>();
        collect(body, found);
        axes = List.copyOf(found);
        var repeated = new ArrayList<Axis>();
        for (Axis a : axes) {
            if (a.binding() == Axis.Binding.VTHREAD && a.extent() > 1) {
                repeated.add(a);
            }
        }
        if (repeated.size() >= Long.SIZE) {
            throw new IllegalArgumentException(
                    name + " has " + repeated.size() + " virtual axes, which is more than " + (Long.SIZE - 1));
        }
        virtual = List.copyOf(repeated);
        locals = virtual.isEmpty()
                ? List.of()
                : this.allocations.stream()
                        .filter(b -> b.scope() == Buffer.Scope.LOCAL)
                        .toList();
        replicas = new long[locals.size()];
        if (!locals.isEmpty()) {
            findReplicas();
        }
    }

    private static void collect(NestStatement s, List<Axis> found) {
        switch (s) {
            case NestStatement.Loop l -> {
                if (found.contains(l.axis())) {
                    throw new IllegalArgumentException("axis " + l.axis() + " is looped over twice");
                }
                found.add(l.axis());
                l.body().forEach(b -> collect(b, found));
            }
            case NestStatement.Guard g -> g.body().forEach(b -> collect(b, found));
            case NestStatement.Pragma p -> p.body().forEach(b -> collect(b, found));
            case NestStatement.Store _, NestStatement.Barrier _, NestStatement.Fragment _ -> {}
        }
    }

    /// Name of the kernel.
    public String name() {
        return name;
    }

    /// Buffers in the device's memory, in the order of the kernel's arguments.
    public List<Buffer> parameters() {
        return parameters;
    }

    /// Buffers in shared and local memory.
    public List<Buffer> allocations() {
        return allocations;
    }

    /// The nest.
    public NestStatement body() {
        return body;
    }

    /// Every axis, in order of first appearance.
    public List<Axis> axes() {
        return axes;
    }

    /// Iterations bound to a dimension of the grid or block, 1 where nothing is.
    public long extent(Axis.Binding binding) {
        long product = 1;
        for (Axis a : axes) {
            product *= a.binding() == binding ? a.extent() : 1;
        }
        return product;
    }

    /// By how much the index of a grid or block dimension moves when an axis of it moves by one: the product of
    /// the later axes that share the dimension.
    public long digit(Axis axis) {
        long product = 1;
        for (Axis a : axes.subList(axes.indexOf(axis) + 1, axes.size())) {
            product *= a.binding() == axis.binding() ? a.extent() : 1;
        }
        return product;
    }

    /// Blocks of the grid along x, y and z.
    public long[] grid() {
        return new long[] {extent(Axis.Binding.BLOCK_X), extent(Axis.Binding.BLOCK_Y), extent(Axis.Binding.BLOCK_Z)};
    }

    /// Threads of a block along x, y and z.
    public long[] block() {
        return new long[] {extent(Axis.Binding.THREAD_X), extent(Axis.Binding.THREAD_Y), extent(Axis.Binding.THREAD_Z)};
    }

    /// Threads per block.
    public long threads() {
        return Arrays.stream(block()).reduce(1, (a, b) -> a * b);
    }

    /// Blocks of the grid.
    public long blocks() {
        return Arrays.stream(grid()).reduce(1, (a, b) -> a * b);
    }

    /// True if warps multiply fragments.
    public boolean hasFragments() {
        return allocations.stream().anyMatch(b -> b.format().isFragment());
    }

    /// Bytes of shared memory that a block needs.
    public long sharedBytes() {
        return allocations.stream()
                .filter(b -> b.scope() == Buffer.Scope.SHARED)
                .mapToLong(Buffer::bytes)
                .sum();
    }

    /// Floats in local buffers of a thread, the copies for virtual threads included: what wants to be in
    /// registers.
    public long localFloats() {
        return allocations.stream()
                .filter(b -> b.scope() == Buffer.Scope.LOCAL)
                .mapToLong(b -> floatsPerThread(b) * (b.format().isFragment() ? b.words() / b.elements() : 1))
                .sum();
    }

    /// Elements of a local buffer that one thread holds, the copies for virtual threads included.
    public long floatsPerThread(Buffer local) {
        long count = local.elements();
        for (Axis a : virtualAxes(local)) {
            count = Math.multiplyExact(count, a.extent());
        }
        return count;
    }

    /// The virtual axes (of extent above 1) that the contents of a local buffer depend on, in the order of
    /// [#axes()]; none for other buffers.
    public List<Axis> virtualAxes(Buffer buffer) {
        return chosen(replicas(buffer));
    }

    /// The virtual axes (of extent above 1) that a store is repeated over, in the order of [#axes()].
    public List<Axis> virtualAxes(NestStatement.Store store, List<IndexBound> conditions) {
        return virtual.isEmpty() ? virtual : chosen(dependences(store, conditions) | replicas(store.buffer()));
    }

    /// How often a store is repeated over virtual axes.
    public long repeats(NestStatement.Store store, List<IndexBound> conditions) {
        long product = 1;
        for (Axis a : virtualAxes(store, conditions)) {
            product *= a.extent();
        }
        return product;
    }

    private List<Axis> chosen(long bits) {
        if (bits == 0) {
            return List.of();
        }
        var axes = new ArrayList<Axis>(virtual.size());
        for (int i = 0; i < virtual.size(); i++) {
            if ((bits & 1L << i) != 0) {
                axes.add(virtual.get(i));
            }
        }
        return axes;
    }

    private long replicas(Buffer buffer) {
        if (buffer.scope() == Buffer.Scope.LOCAL) {
            int i = locals.indexOf(buffer);
            return i < 0 ? 0 : replicas[i];
        }
        return 0;
    }

    /// Every access, in the order of the text; within a store its reads from left to right, then its write.
    public List<BufferAccess> accesses() {
        var all = new ArrayList<BufferAccess>();
        accesses(body, new ArrayList<>(), List.of(), all);
        return all;
    }

    private static void accesses(
            NestStatement s, List<Axis> loops, List<IndexBound> conditions, List<BufferAccess> all) {
        switch (s) {
            case NestStatement.Loop l -> {
                loops.add(l.axis());
                l.body().forEach(b -> accesses(b, loops, conditions, all));
                loops.removeLast();
            }
            case NestStatement.Guard g -> {
                List<IndexBound> both = join(conditions, g.conditions());
                g.body().forEach(b -> accesses(b, loops, both, all));
            }
            case NestStatement.Pragma p -> p.body().forEach(b -> accesses(b, loops, conditions, all));
            case NestStatement.Store store -> {
                reads(store.value(), loops, conditions, all);
                all.add(new BufferAccess(
                        store.buffer(), store.index(), true, store.accumulate(), false, loops, conditions));
            }
            case NestStatement.Fragment f -> {
                f.from()
                        .forEach(p ->
                                all.add(new BufferAccess(p.buffer(), p.index(), false, true, true, loops, conditions)));
                boolean adds = f.action() == NestStatement.Fragment.Action.MULTIPLY;
                all.add(new BufferAccess(f.to().buffer(), f.to().index(), true, adds, true, loops, conditions));
            }
            case NestStatement.Barrier _ -> {}
        }
    }

    private static void reads(NestValue v, List<Axis> loops, List<IndexBound> conditions, List<BufferAccess> all) {
        switch (v) {
            case NestValue.Load l ->
                all.add(new BufferAccess(
                        l.buffer(), l.index(), false, true, false, loops, join(conditions, l.conditions())));
            case NestValue.Binary b -> {
                reads(b.left(), loops, conditions, all);
                reads(b.right(), loops, conditions, all);
            }
            case NestValue.Unary u -> reads(u.of(), loops, conditions, all);
            case NestValue.Select s -> {
                reads(s.then(), loops, join(conditions, s.conditions()), all);
                reads(s.otherwise(), loops, conditions, all);
            }
            case NestValue.Constant _ -> {}
        }
    }

    private static List<IndexBound> join(List<IndexBound> a, List<IndexBound> b) {
        if (b.isEmpty()) {
            return a;
        }
        var both = new ArrayList<>(a);
        both.addAll(b);
        return both;
    }

    private record GuardedStore(NestStatement.Store store, List<IndexBound> conditions) {}

    /// A local buffer depends on a virtual axis when a store into it does, directly or through another local
    /// buffer.
    private void findReplicas() {
        var stores = new ArrayList<GuardedStore>();
        stores(body, List.of(), stores);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (GuardedStore g : stores) {
                int i = g.store().buffer().scope() == Buffer.Scope.LOCAL
                        ? locals.indexOf(g.store().buffer())
                        : -1;
                if (i >= 0) {
                    long both = replicas[i] | dependences(g.store(), g.conditions());
                    changed |= both != replicas[i];
                    replicas[i] = both;
                }
            }
        }
    }

    private static void stores(NestStatement s, List<IndexBound> conditions, List<GuardedStore> stores) {
        switch (s) {
            case NestStatement.Loop l -> l.body().forEach(b -> stores(b, conditions, stores));
            case NestStatement.Guard g -> g.body().forEach(b -> stores(b, join(conditions, g.conditions()), stores));
            case NestStatement.Pragma p -> p.body().forEach(b -> stores(b, conditions, stores));
            case NestStatement.Store store -> stores.add(new GuardedStore(store, conditions));
            case NestStatement.Barrier _, NestStatement.Fragment _ -> {}
        }
    }

    private long dependences(NestStatement.Store store, List<IndexBound> conditions) {
        return uses(store.index()) | uses(conditions) | depends(store.value());
    }

    private long uses(IndexExpr index) {
        long found = 0;
        if (index.isVirtual()) {
            for (int i = 0; i < virtual.size(); i++) {
                found |= index.uses(virtual.get(i)) ? 1L << i : 0;
            }
        }
        return found;
    }

    private long uses(List<IndexBound> conditions) {
        long found = 0;
        for (IndexBound c : conditions) {
            found |= uses(c.index());
        }
        return found;
    }

    private long depends(NestValue v) {
        return switch (v) {
            case NestValue.Load l -> replicas(l.buffer()) | uses(l.index()) | uses(l.conditions());
            case NestValue.Binary b -> depends(b.left()) | depends(b.right());
            case NestValue.Unary u -> depends(u.of());
            case NestValue.Select s -> uses(s.conditions()) | depends(s.then()) | depends(s.otherwise());
            case NestValue.Constant _ -> 0;
        };
    }

    @Override
    public String toString() {
        return NestText.of(this);
    }
}

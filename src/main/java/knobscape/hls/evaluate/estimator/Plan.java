package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.Storage;

/// Directives by number instead of name: what is decided about every loop, array and function.
final class Plan {
    /// -1 nothing said, 0 off, 1 on.
    final byte[] pipeline;
    /// Target interval, 0 = as small as possible.
    final int[] interval;
    /// Copies of the body, 1 = none; never more than the trip count.
    final int[] unroll;
    final byte[] flatten;
    final boolean[] loopDataflow;
    final byte[] inline;
    final boolean[] functionDataflow;
    final Core[] multiplier;
    /// By assignment, of integer operations.
    final Core[] bound;
    /// By assignment, of floating-point additions and of multiplications.
    final Core[] boundSum;

    final Core[] boundProduct;
    /// Equal for plans that bind the same operations.
    int boundKey;
    /// Of root arrays; formal parameters have none.
    final Layout[] layouts;

    private Plan(Program program) {
        int loops = program.loops().size();
        int functions = program.functions().size();
        pipeline = new byte[loops];
        Arrays.fill(pipeline, (byte) -1);
        interval = new int[loops];
        unroll = new int[loops];
        Arrays.fill(unroll, 1);
        flatten = new byte[loops];
        Arrays.fill(flatten, (byte) -1);
        loopDataflow = new boolean[loops];
        inline = new byte[functions];
        Arrays.fill(inline, (byte) -1);
        functionDataflow = new boolean[functions];
        multiplier = new Core[functions];
        Arrays.fill(multiplier, Core.AUTO);
        bound = new Core
                [program.assignments().values().stream().mapToInt(List::size).sum()];
        Arrays.fill(bound, Core.AUTO);
        boundSum = bound.clone();
        boundProduct = bound.clone();
        layouts = new Layout[program.arrays().size()];
    }

    private Core[] bound(String operation) {
        return !operation.matches("[dfh](add|sub|mul)") ? bound : operation.endsWith("mul") ? boundProduct : boundSum;
    }

    /// Turns directives into plans; keeps layouts that were met before.
    static final class Maker {
        private final Program program;
        private final Map<String, Integer> loopIds = new HashMap<>();
        private final Map<String, Integer> functionIds = new HashMap<>();
        private final Map<String, Integer> arrayIds = new HashMap<>();
        private final Map<Layout.Request, Layout> shared = new ConcurrentHashMap<>();
        private final AtomicInteger nextLayout = new AtomicInteger();

        Maker(Program program) {
            this.program = program;
            program.loops().forEach(l -> loopIds.put(l.source.id(), l.id));
            program.functions().forEach(f -> functionIds.put(f.name, f.id));
            program.arrays().forEach(a -> arrayIds.put(a.source().id(), a.id()));
        }

        /// Throws `IllegalArgumentException` where a directive names what the kernel does not have.
        Plan make(List<Directive> directives) {
            var plan = new Plan(program);
            int arrays = program.arrays().size();
            var partition = new Layout.Cut[arrays][];
            var reshape = new Layout.Cut[arrays][];
            var storage = new Storage[arrays];
            for (Directive d : directives) {
                switch (d) {
                    case Directive.Pipeline p -> {
                        int loop = id(loopIds, p.loop(), "loop");
                        plan.pipeline[loop] = (byte) (p.enabled() ? 1 : 0);
                        plan.interval[loop] = p.interval();
                    }
                    case Directive.Unroll u -> {
                        int loop = id(loopIds, u.loop(), "loop");
                        long max = program.loops().get(loop).maxTrip;
                        int wanted = u.factor() == 0 ? Math.clamp(max, 1, Integer.MAX_VALUE) : u.factor();
                        plan.unroll[loop] = (int) (max > 0 ? Math.min(wanted, max) : wanted);
                    }
                    case Directive.Partition p -> {
                        int array = id(arrayIds, p.array(), "array");
                        for (int root : roots(array, partition)) {
                            cut(partition, root, p.dimension(), new Layout.Cut(p.type(), Math.max(1, p.factor())));
                        }
                    }
                    case Directive.Reshape r -> {
                        int array = id(arrayIds, r.array(), "array");
                        for (int root : roots(array, reshape)) {
                            cut(reshape, root, r.dimension(), new Layout.Cut(r.type(), Math.max(1, r.factor())));
                        }
                    }
                    case Directive.Inline i ->
                        plan.inline[id(functionIds, i.function(), "function")] = (byte) (i.enabled() ? 1 : 0);
                    case Directive.Dataflow f -> {
                        if (loopIds.containsKey(f.scope())) {
                            plan.loopDataflow[loopIds.get(f.scope())] = true;
                        } else {
                            plan.functionDataflow[id(functionIds, f.scope(), "function or loop")] = true;
                        }
                    }
                    case Directive.Flatten f ->
                        plan.flatten[id(loopIds, f.loop(), "loop")] = (byte) (f.enabled() ? 1 : 0);
                    case Directive.BindMultiplier m ->
                        plan.multiplier[id(functionIds, m.function(), "function")] = m.core();
                    case Directive.BindOperation o ->
                        program.assignments()
                                .getOrDefault(o.scope() + "/" + o.variable(), List.of())
                                .forEach(a -> plan.bound(o.operation())[a] = o.core());
                    case Directive.BindStorage s -> {
                        for (int root : program.arrays()
                                .get(id(arrayIds, s.array(), "array"))
                                .roots()) {
                            storage[root] = s.storage();
                        }
                    }
                }
            }
            plan.boundKey = Arrays.hashCode(plan.bound)
                    + 31 * (Arrays.hashCode(plan.boundSum) + 31 * Arrays.hashCode(plan.boundProduct));
            int[] aggregates = Aggregates.bits(program, plan.inline);
            for (Program.Store a : program.arrays()) {
                if (a.roots().length == 1 && a.roots()[0] == a.id()) {
                    plan.layouts[a.id()] =
                            layout(a, partition[a.id()], reshape[a.id()], storage[a.id()], aggregates[a.id()]);
                }
            }
            return plan;
        }

        private static int[] nothing(Layout.Cut[][] cuts, int[] roots) {
            return Arrays.stream(roots).filter(r -> cuts[r] == null).toArray();
        }

        /// A directive on a formal parameter reaches the arrays behind it, unless they have one of their own.
        private int[] roots(int array, Layout.Cut[][] cuts) {
            int[] roots = program.arrays().get(array).roots();
            return roots.length == 1 && roots[0] == array ? roots : nothing(cuts, roots);
        }

        private void cut(Layout.Cut[][] cuts, int array, int dimension, Layout.Cut cut) {
            int dims = program.arrays().get(array).dims().length;
            if (dimension < 1 || dimension > dims) {
                throw new IllegalArgumentException(
                        "array " + program.arrays().get(array).source().id() + " has no dimension " + dimension);
            }
            if (cuts[array] == null) {
                cuts[array] = new Layout.Cut[dims];
                Arrays.fill(cuts[array], Layout.NONE);
            }
            cuts[array][dimension - 1] = cut;
        }

        private Layout layout(
                Program.Store array, Layout.Cut[] partition, Layout.Cut[] reshape, Storage storage, int aggregate) {
            List<Layout.Cut> none = java.util.Collections.nCopies(array.dims().length, Layout.NONE);
            if (array.onBus()) {
                // The tools divide no memory behind an AXI master port (UG1399).
                var whole = new Layout.Request(array.id(), none, none, Storage.AUTO, 0);
                return shared.computeIfAbsent(whole, r -> new Layout(nextLayout.getAndIncrement(), r, array));
            }
            var request = new Layout.Request(
                    array.id(),
                    partition == null ? none : List.of(partition),
                    reshape == null ? none : List.of(reshape),
                    storage == null ? Storage.AUTO : storage,
                    aggregate);
            return shared.computeIfAbsent(request, r -> new Layout(nextLayout.getAndIncrement(), r, array));
        }

        private static int id(Map<String, Integer> ids, String name, String what) {
            Integer id = ids.get(name);
            if (id == null) {
                throw new IllegalArgumentException("the kernel has no " + what + " named " + name);
            }
            return id;
        }
    }
}

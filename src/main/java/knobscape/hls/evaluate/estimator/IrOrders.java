package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.compile.analysis.IrLoop;
import knobscape.hls.space.Directive;

/// The orders of pragmas and directives for the loops, functions and memories of a compiled source, by the compiler's
/// names.
///
/// @param top linker's name of the top function
/// @param loops by the number of their mark
/// @param functions by the linker's name
/// @param memories by where they are declared
/// @param bindings of operations to DSP blocks or LUTs
/// @param taken by structs of the top and functions: how many pointers into the struct a call of the function takes;
/// a pragma that takes a struct apart counts as a function that takes one
/// @param slaves arguments of the top that come over an AXI slave
record IrOrders(
        String top,
        Map<Long, LoopOrder> loops,
        Map<String, FunctionOrder> functions,
        Map<MemoryName, MemoryOrder> memories,
        List<Directive> bindings,
        Map<MemoryName, Map<String, Integer>> taken,
        Set<String> slaves) {
    IrOrders {
        loops = Map.copyOf(loops);
        functions = Map.copyOf(functions);
        memories = Map.copyOf(memories);
        bindings = List.copyOf(bindings);
        taken = Map.copyOf(taken);
        slaves = Set.copyOf(slaves);
    }

    /// The same with arguments of the top behind other AXI master ports.
    ///
    /// @param ports by argument
    IrOrders behind(Map<String, String> ports) {
        if (ports.isEmpty()) {
            return this;
        }
        var changed = new HashMap<>(memories);
        ports.forEach((argument, bundle) -> changed.computeIfPresent(new MemoryName(top, argument), (_, m) -> {
            var options = new HashMap<>(m.master());
            options.put("bundle", bundle);
            return m.behind(options);
        }));
        return new IrOrders(top, loops, functions, changed, bindings, taken, slaves);
    }

    /// The order for one loop; an empty one where nothing is said.
    LoopOrder loop(long id) {
        return loops.getOrDefault(id, LoopOrder.NOTHING);
    }

    /// The order for a loop by its mark.
    LoopOrder loop(IrLoop loop) {
        return loop.id().isPresent() ? loop(loop.id().getAsLong()) : LoopOrder.NOTHING;
    }

    FunctionOrder function(String name) {
        return functions.getOrDefault(name, FunctionOrder.NOTHING);
    }

    MemoryOrder memory(MemoryName name) {
        return memories.getOrDefault(name, MemoryOrder.NOTHING);
    }

    /// A loop.
    ///
    /// @param name as shown
    /// @param pipeline -1 nothing, 0 off, 1 on
    /// @param interval wanted, 0 as small as possible
    /// @param unroll copies of the body: 1 none, 0 all
    /// @param flatten whether it may be merged with the loop around or inside
    /// @param dataflow whether its body's tasks overlap
    /// @param least iterations as LOOP_TRIPCOUNT says, -1 for none
    /// @param most the same, largest
    /// @param mean iterations on average where that was stated or measured, -1 for none
    record LoopOrder(
            String name,
            int pipeline,
            int interval,
            int unroll,
            boolean flatten,
            boolean dataflow,
            long least,
            long most,
            double mean) {
        static final LoopOrder NOTHING = new LoopOrder("", -1, 0, 1, true, false, -1, -1, -1);

        LoopOrder unrolled(int copies) {
            return new LoopOrder(name, pipeline, interval, Math.max(0, copies), flatten, dataflow, least, most, mean);
        }

        LoopOrder pipelined(int on, int ii) {
            return new LoopOrder(name, on, Math.max(0, ii), unroll, flatten, dataflow, least, most, mean);
        }

        LoopOrder called(String id) {
            return new LoopOrder(id, pipeline, interval, unroll, flatten, dataflow, least, most, mean);
        }

        LoopOrder averaging(double iterations) {
            return new LoopOrder(name, pipeline, interval, unroll, flatten, dataflow, least, most, iterations);
        }

        LoopOrder apart() {
            return new LoopOrder(name, pipeline, interval, unroll, false, dataflow, least, most, mean);
        }

        LoopOrder overlapping() {
            return new LoopOrder(name, pipeline, interval, unroll, flatten, true, least, most, mean);
        }

        LoopOrder counted(long from, long to) {
            return new LoopOrder(name, pipeline, interval, unroll, flatten, dataflow, from, to, mean);
        }
    }

    /// A function.
    ///
    /// @param inline -1 nothing, 0 off, 1 on
    /// @param pipeline wanted interval of a pipelined function (0 as small as possible), -1 for none
    /// @param pipelineOff whether its loops are not to be pipelined by the tool itself
    /// @param dataflow whether its tasks overlap
    /// @param limits of its units
    record FunctionOrder(int inline, int pipeline, boolean pipelineOff, boolean dataflow, UnitLimits limits) {
        static final FunctionOrder NOTHING = new FunctionOrder(-1, -1, false, false, UnitLimits.NONE);

        FunctionOrder inlined(boolean on) {
            return new FunctionOrder(on ? 1 : 0, pipeline, pipelineOff, dataflow, limits);
        }

        FunctionOrder pipelined(int interval) {
            return new FunctionOrder(inline, interval, pipelineOff, dataflow, limits);
        }

        FunctionOrder unpipelined() {
            return new FunctionOrder(inline, -1, true, dataflow, limits);
        }

        FunctionOrder overlapping() {
            return new FunctionOrder(inline, pipeline, pipelineOff, true, limits);
        }

        FunctionOrder limited(String operation, int units) {
            return new FunctionOrder(inline, pipeline, pipelineOff, dataflow, limits.with(operation, units));
        }

        /// The same where a design decides about the multipliers.
        ///
        /// @param operations kinds of multiplication that the function has
        FunctionOrder multiplying(int units, List<String> operations) {
            var others = new HashMap<>(limits.most());
            others.keySet().removeIf(o -> o.endsWith("mul"));
            UnitLimits now = new UnitLimits(others);
            for (String operation : operations) {
                now = now.with(operation, units);
            }
            return new FunctionOrder(inline, pipeline, pipelineOff, dataflow, now);
        }
    }

    /// Where a memory is declared.
    ///
    /// @param function of an argument the linker's name, of a local `@` and its place, of a global nothing
    /// @param name of the argument or the local in the source, of a global the linker's
    record MemoryName(String function, String name) {}

    /// A member of a struct.
    ///
    /// @param from byte at which it starts
    /// @param dims its sizes, 1 for a scalar
    /// @param bits of one element
    record MemberShape(String name, long from, List<Long> dims, int bits) {
        MemberShape {
            dims = List.copyOf(dims);
        }

        boolean isArray() {
            return dims.size() > 1 || dims.getFirst() > 1;
        }
    }

    /// Which accesses of a memory never meet: those of different iterations, those within one, or both.
    enum Apart {
        NONE,
        ITERATIONS,
        WITHIN,
        BOTH
    }

    /// A memory.
    ///
    /// @param cuts partitions and reshapes
    /// @param storage bound to
    /// @param apart accesses that never meet, whatever their addresses
    /// @param depth of the queue that it is, 0 for none
    /// @param master options of the INTERFACE pragma that puts it behind an AXI master, nothing for none
    /// @param dims sizes in the source where the compiler's type lacks them, outermost first (0 unknown)
    /// @param elementBits of one element in the source, 0 where unknown
    /// @param members of the element where it is a struct
    /// @param id by which a person knows it, empty for none
    record MemoryOrder(
            List<Cut> cuts,
            Directive.Storage storage,
            Apart apart,
            int depth,
            Map<String, String> master,
            List<Long> dims,
            int elementBits,
            List<MemberShape> members,
            String id) {
        static final MemoryOrder NOTHING = new MemoryOrder(
                List.of(), Directive.Storage.AUTO, Apart.NONE, 0, Map.of(), List.of(), 0, List.of(), "");

        MemoryOrder {
            cuts = List.copyOf(cuts);
            dims = List.copyOf(dims);
            members = List.copyOf(members);
        }

        MemoryOrder cut(Cut cut) {
            var all = new ArrayList<>(cuts);
            if (!all.contains(cut)) {
                all.add(cut);
            }
            return new MemoryOrder(all, storage, apart, depth, master, dims, elementBits, members, id);
        }

        MemoryOrder sized(long first) {
            var all = new ArrayList<>(dims);
            if (!all.isEmpty() && all.getFirst() == 0) {
                all.set(0, first);
            }
            return new MemoryOrder(cuts, storage, apart, depth, master, all, elementBits, members, id);
        }

        MemoryOrder called(String name) {
            return new MemoryOrder(cuts, storage, apart, depth, master, dims, elementBits, members, name);
        }

        MemoryOrder uncut() {
            return new MemoryOrder(List.of(), storage, apart, depth, master, dims, elementBits, members, id);
        }

        MemoryOrder without(Apart dependence) {
            Apart both = apart == Apart.NONE || apart == dependence ? dependence : Apart.BOTH;
            return new MemoryOrder(cuts, storage, both, depth, master, dims, elementBits, members, id);
        }

        /// True if accesses of different iterations never meet.
        boolean independent() {
            return apart == Apart.ITERATIONS || apart == Apart.BOTH;
        }

        /// True if accesses of one iteration at addresses that may be equal never are.
        boolean unordered() {
            return apart == Apart.WITHIN || apart == Apart.BOTH;
        }

        MemoryOrder queue(int words) {
            return new MemoryOrder(cuts, storage, apart, Math.max(1, words), master, dims, elementBits, members, id);
        }

        MemoryOrder behind(Map<String, String> options) {
            return new MemoryOrder(cuts, storage, apart, depth, options, dims, elementBits, members, id);
        }

        MemoryOrder stored(Directive.Storage in) {
            return new MemoryOrder(cuts, in, apart, depth, master, dims, elementBits, members, id);
        }
    }

    /// A division of a memory.
    ///
    /// @param dimension from 1, 0 for all
    /// @param reshape whether the pieces lie side by side in one word
    record Cut(int dimension, Directive.PartitionType type, int factor, boolean reshape) {}
}

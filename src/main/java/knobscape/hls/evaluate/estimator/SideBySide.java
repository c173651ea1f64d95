package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;
import org.jspecify.annotations.Nullable;

/// Modules of a body without branches that the tool starts in one state, as none needs what another gives: calls of
/// functions, and pipelined loops where they become modules. Read off reports of Vitis HLS 2023.2, whose latency of a
/// function with four such loops is the longest of them (UCLA-VAST/Prometheus).
final class SideBySide {
    private final FunctionFacts f;
    private final Layout[] layouts;
    private final boolean branches;
    private final List<Group> groups = new ArrayList<>();
    /// Groups that nothing may join any more.
    private int closed;

    /// A module; what it reads and writes is looked up where another may join it.
    private static final class Member {
        final List<IrInstruction> instructions;
        final BitSet defined = new BitSet();
        private final Supplier<IrTasks.Task> touched;
        private IrTasks.@Nullable Task task;

        Member(List<IrInstruction> instructions, Supplier<IrTasks.Task> touched) {
            this.instructions = instructions;
            this.touched = touched;
            instructions.forEach(i -> defined.set(i.id()));
        }

        IrTasks.Task task() {
            IrTasks.Task known = task;
            if (known == null) {
                known = touched.get();
                task = known;
            }
            return known;
        }
    }

    private static final class Group {
        final List<Member> members = new ArrayList<>();
        final double start;
        double cycles;

        Group(double start) {
            this.start = start;
        }
    }

    /// The place of a module in time.
    ///
    /// @param start cycle in which it begins
    /// @param joins whether others begin there
    /// @param more cycles by which the body becomes longer
    record Turn(double start, boolean joins, double more) {}

    /// @param branches whether control takes one of several ways through the body, or nothing can run beside another
    SideBySide(FunctionFacts f, Layout[] layouts, boolean branches) {
        this.f = f;
        this.layouts = layouts;
        this.branches = branches;
    }

    /// Takes straight code in front of the next module into account.
    void pass(BitSet instructions) {
        if (branches || closed == groups.size()) {
            return;
        }
        var given = new BitSet();
        groups.forEach(g -> g.members.forEach(m -> given.or(m.defined)));
        boolean needs = instructions.stream()
                .mapToObj(n -> f.forms().code().get(n))
                .anyMatch(i -> i.opcode() == IrOpcode.LOAD
                        || i.opcode() == IrOpcode.STORE
                        || i.opcode() == IrOpcode.CALL
                        || uses(i, given));
        closed = needs ? groups.size() : closed;
    }

    /// Finds the turn of a module.
    ///
    /// @param cycles that it takes
    /// @param item the loop or call
    /// @param touched what it reads and writes
    /// @param alone whether it is no module of its own, so that nothing runs beside it
    /// @param next cycle in which it begins if it has to wait for all before it
    Turn turn(double cycles, IrLevels.Item item, Supplier<IrTasks.Task> touched, boolean alone, double next) {
        if (alone || branches) {
            groups.add(new Group(next));
            groups.getLast().cycles = cycles;
            closed = groups.size();
            return new Turn(next, false, cycles);
        }
        var module = new Member(item.instructions(f), touched);
        int at = groups.size();
        while (at > closed && isFree(groups.get(at - 1), module)) {
            at--;
        }
        boolean joins = at < groups.size();
        if (!joins) {
            groups.add(new Group(next));
        }
        Group g = groups.get(at);
        g.members.add(module);
        double more = Math.max(0, cycles - g.cycles);
        g.cycles += more;
        return new Turn(g.start, joins, more);
    }

    private boolean isFree(Group g, Member module) {
        return g.members.stream()
                .noneMatch(m -> module.instructions.stream().anyMatch(i -> uses(i, m.defined))
                        || share(m.task(), module.task()));
    }

    private static boolean uses(IrInstruction i, BitSet defined) {
        return i.operands().stream().anyMatch(o -> o instanceof IrValue.Result r && defined.get(r.instruction()));
    }

    /// True if two modules need one memory or one AXI port: what both only read may be registers or a table.
    private boolean share(IrTasks.Task a, IrTasks.Task b) {
        return meet(a.writes(), b.writes(), true)
                || meet(a.writes(), b.reads(), true)
                || meet(a.reads(), b.writes(), true)
                || meet(a.reads(), b.reads(), false);
    }

    private boolean meet(Collection<IrTasks.Part> a, Collection<IrTasks.Part> b, boolean changes) {
        return a.stream()
                .anyMatch(x -> b.stream().anyMatch(y -> {
                    Layout l = layouts[x.memory()];
                    boolean port = l.array.onBus() && layouts[y.memory()].array.bus() == l.array.bus();
                    return port || (x.meets(y) && (changes || !(l.registers || l.array.rom())));
                }));
    }
}

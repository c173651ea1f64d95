package knobscape.hls.evaluate.estimator;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// Blocks of a function that are scheduled together: those of a loop, or a part of a function.
///
/// @param facts of the function
/// @param blocks that are part of it, in order
/// @param instructions of them that are part of it
/// @param over loops whose iterations are one after the other in this block, innermost last
/// @param pipelining whether iterations overlap, and by whose wish
record HyperBlock(
        FunctionFacts facts, List<Integer> blocks, BitSet instructions, List<IrLoop> over, Pipelining pipelining)
        implements IrPlaces.Numbers {
    boolean pipelined() {
        return pipelining.overlaps();
    }

    @Override
    public boolean divides() {
        return pipelining.late();
    }

    /// Instructions of a loop that are in no loop inside.
    static BitSet own(FunctionFacts f, IrLoop loop) {
        var own = new BitSet();
        loop.blocks().stream()
                .filter(b -> loop.children().stream().noneMatch(c -> c.contains(b)))
                .forEach(b -> f.block(b).forEach(i -> own.set(i.id())));
        return own;
    }

    /// The loop whose iterations follow each other here.
    Optional<IrLoop> loop() {
        return over.isEmpty() ? Optional.empty() : Optional.of(over.getLast());
    }

    /// Blocks of the loop, or of the function.
    BitSet within() {
        var within = new BitSet();
        if (over.isEmpty()) {
            within.set(0, facts.function().blocks().size());
        } else {
            within.or(over.getLast().blocks());
        }
        return within;
    }

    /// The block through which control enters.
    int entry() {
        return over.isEmpty() ? 0 : over.getLast().header();
    }

    /// Memories that its loops write, by number.
    BitSet written(IrObjects objects) {
        var written = new BitSet();
        for (IrLoop l : over) {
            l.blocks().stream()
                    .forEach(b -> facts.block(b).forEach(i -> {
                        if (i.opcode() == IrOpcode.STORE || objects.isWord(i)) {
                            written.set(place(objects, i.operands().get(i.opcode() == IrOpcode.STORE ? 1 : 0))
                                    .memory());
                        }
                    }));
        }
        return written;
    }

    /// The memory that an address leads to, and the place in it.
    IrObjects.Located place(IrObjects objects, IrValue address) {
        return objects.locate(facts.function().name(), facts.forms().pointer(address));
    }

    /// Bits that a value needs.
    int bits(IrValue v) {
        return Math.max(1, facts.widths().used(v));
    }

    int blockOf(IrInstruction i) {
        return facts.forms().blockOf(i.id());
    }

    boolean isHeader(IrInstruction phi) {
        return facts.loops().headedBy(blockOf(phi)).isPresent();
    }

    /// True if a phi only counts iterations.
    boolean isCounter(IrInstruction i) {
        if (i.opcode() != IrOpcode.PHI || !isHeader(i)) {
            return false;
        }
        return i.type() instanceof IrType.Pointer
                || !facts.forms().of(i.result()).equals(Affine.symbol(i.id()));
    }

    /// True if the word that a call writes is stored in this block, behind the call.
    boolean isStoredThrough(IrObjects objects, IrInstruction call) {
        return IrCalls.isStoredThrough(
                facts,
                call,
                call,
                u -> instructions.get(u.id()) && (u.opcode() == IrOpcode.STORE || objects.isWord(u)));
    }

    /// True if an address depends on values that this block computes.
    boolean movesInside(Affine bytes) {
        for (int s : bytes.symbols()) {
            if (s >= 0 && s < facts.forms().code().size() && instructions.get(s)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long most(int symbol) {
        return symbol >= 0
                ? -1
                : facts.loops()
                        .headedBy(~symbol)
                        .flatMap(l -> facts.counts().of(l))
                        .map(c -> Math.max(0, c.most() - 1))
                        .orElse(-1L);
    }

    @Override
    public boolean moves(Affine index) {
        for (int s : index.symbols()) {
            boolean own = over.isEmpty();
            for (IrLoop l : over) {
                own |= s == Affine.iteration(l.header()) || facts.forms().varies(s, l);
            }
            if (own) {
                return true;
            }
        }
        return false;
    }

    /// True if the loop's only way out compares a counter with what is known on entry.
    boolean isCounted() {
        if (over.isEmpty()) {
            return false;
        }
        IrLoop loop = over.getLast();
        int exits = 0;
        boolean counted = true;
        for (int b = loop.blocks().nextSetBit(0); b >= 0; b = loop.blocks().nextSetBit(b + 1)) {
            boolean exit = false;
            for (int s : facts.flow().next(b)) {
                exit |= !loop.contains(s);
            }
            if (exit) {
                exits++;
                IrInstruction t = facts.function().blocks().get(b).terminator();
                counted &= t.operands().size() == 1
                        && comparesCounters(t.operands().getFirst());
            }
        }
        return exits == 1 && counted;
    }

    /// True if a condition compares what is known on entry and counters only.
    boolean comparesCounters(IrValue condition) {
        if (!(condition instanceof IrValue.Result(int id, IrType _))) {
            return false;
        }
        IrInstruction c = facts.forms().code().get(id);
        return c.opcode() == IrOpcode.ICMP
                && c.operands().stream()
                        .noneMatch(o -> movesInside(facts.forms().of(o)));
    }
}

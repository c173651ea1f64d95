package knobscape.hls.evaluate.estimator;

import java.util.Optional;
import java.util.function.Predicate;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IterationCounts.Count;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.hls.evaluate.estimator.IrObjects.Memory;

/// Which loops become one with the loop inside.
final class IrNesting {
    /// Property of a loop's mark: it is pipelined, with this interval wanted (0 as small as possible), or [#LATE].
    static final String PIPELINED = "kn.pipe";

    /// No interval is wanted, and the loops inside are written out late.
    static final long LATE = -1;

    private final IrOrders orders;
    private final IrObjects objects;
    private final Predicate<IrInstruction> isItem;

    /// @param isItem whether an instruction is a module or a loop of its own
    IrNesting(IrOrders orders, IrObjects objects, Predicate<IrInstruction> isItem) {
        this.orders = orders;
        this.objects = objects;
        this.isItem = isItem;
    }

    /// The pipelining of a loop that is pipelined.
    static Optional<Pipelining> pipeline(IrLoop loop) {
        return loop.mark()
                .map(m -> m.properties().get(PIPELINED))
                .map(ii -> new Pipelining(true, (int) Math.max(0, ii), ii == LATE));
    }

    /// True if a loop has modules or loops of their own among its instructions.
    boolean calls(FunctionFacts f, IrLoop loop) {
        return loop.blocks().stream().anyMatch(b -> f.block(b).stream().anyMatch(isItem));
    }

    private static boolean isExact(FunctionFacts f, IrLoop loop) {
        return f.counts().of(loop).filter(Count::exact).isPresent();
    }

    /// True if two loops may become one as far as directives say.
    private boolean mayMerge(FunctionFacts f, IrLoop loop) {
        if (loop.children().size() != 1 || calls(f, loop)) {
            return false;
        }
        IrLoop inner = loop.children().getFirst();
        return orders.loop(loop).flatten()
                && orders.loop(inner).flatten()
                && !orders.loop(loop).dataflow()
                && isExact(f, inner);
    }

    /// True if a loop and the one inside become one: nothing else is in it but values of counters.
    boolean isPerfect(FunctionFacts f, IrLoop loop) {
        if (!mayMerge(f, loop)) {
            return false;
        }
        IrLoop inner = loop.children().getFirst();
        return (isExact(f, loop) || pipeline(inner).isPresent())
                && loop.blocks().stream()
                        .filter(b -> !inner.contains(b))
                        .noneMatch(b -> f.block(b).stream()
                                .anyMatch(i -> i.opcode() == IrOpcode.LOAD
                                        || i.opcode() == IrOpcode.STORE
                                        || (i.opcode() == IrOpcode.CALL && !IrCalls.isNothing(i))));
    }

    /// True if a reset before and a write after a pipelined inner loop join it: where no memory bank has to be chosen
    /// outside of the inner loop.
    boolean isSemiPerfect(FunctionFacts f, IrLoop loop) {
        if (!mayMerge(f, loop) || !isExact(f, loop)) {
            return false;
        }
        IrLoop inner = loop.children().getFirst();
        if (!inner.children().isEmpty()
                || pipeline(inner).isEmpty()
                || orders.loop(inner).unroll() != 1) {
            return false;
        }
        return loop.blocks().stream()
                        .filter(b -> !inner.contains(b))
                        .allMatch(b -> f.block(b).stream()
                                .allMatch(i -> joins(f, i, f.flow().dominates(inner.header(), b))))
                && inner.blocks().stream()
                        .allMatch(b -> f.block(b).stream().allMatch(i -> choosesInside(f, i, loop, inner)));
    }

    private boolean joins(FunctionFacts f, IrInstruction i, boolean after) {
        return switch (i.opcode()) {
            case LOAD, CALL -> IrCalls.isNothing(i);
            case STORE -> after && settledBank(f, i);
            case FADD, FSUB, FMUL, FDIV, FREM -> !after;
            case ADD, SUB, MUL ->
                !after
                        || !(i.type() instanceof IrType.Int)
                        || f.forms().of(i.result()).isConstant()
                        || counts(f, i);
            default -> true;
        };
    }

    /// True if a number is made of iteration numbers alone.
    private static boolean counts(FunctionFacts f, IrInstruction i) {
        for (int s : f.forms().of(i.result()).symbols()) {
            if (s >= 0) {
                return false;
            }
        }
        return true;
    }

    private boolean settledBank(FunctionFacts f, IrInstruction store) {
        AffineForms.Pointer p = f.forms().pointer(IrCalls.address(store).orElseThrow());
        Layout l = objects.get(objects.of(f.function().name(), p)).layout();
        for (int s : p.bytes().symbols()) {
            if (s >= 0 && s < f.forms().code().size()) {
                return false;
            }
        }
        return !l.registers && l.banks == 1;
    }

    /// True if every choice of a bank or lane that moves with the outer loop moves with the inner one too.
    private boolean choosesInside(FunctionFacts f, IrInstruction i, IrLoop outer, IrLoop inner) {
        if (IrCalls.address(i).isEmpty()) {
            return true;
        }
        IrObjects.Located at = objects.locate(
                f.function().name(), f.forms().pointer(IrCalls.address(i).get()));
        Memory m = objects.get(at.memory());
        Layout l = m.layout();
        Affine[] index = IrPlaces.indices(m, at.bytes());
        boolean inside = true;
        for (int d = 0; d < l.dims; d++) {
            inside &= !chosenBy(f, index[d], outer, l.factor[d], l.cyclic[d], l.block[d])
                    || chosenBy(f, index[d], inner, l.factor[d], l.cyclic[d], l.block[d]);
            inside &= !chosenBy(f, index[d], outer, l.lanes[d], l.lanesCyclic[d], l.laneBlock[d])
                    || chosenBy(f, index[d], inner, l.lanes[d], l.lanesCyclic[d], l.laneBlock[d]);
        }
        return inside;
    }

    private static boolean chosenBy(
            FunctionFacts f, Affine index, IrLoop loop, int factor, boolean cyclic, long block) {
        long step = index.factor(Affine.iteration(loop.header()));
        if (factor <= 1 || step == 0) {
            return false;
        }
        double trips = f.counts().of(loop).map(Count::most).orElse(1L);
        return cyclic ? step % factor != 0 : 2.0 * Math.abs(step) * Math.max(1, trips - 1) >= block;
    }
}

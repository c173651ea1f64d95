package knobscape.compile.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import org.junit.jupiter.api.Test;

/// Loops made by hand are counted as running them does.
class IterationCountsTest {
    private static final IrType INT = new IrType.Int(32);
    private static final IrType BIT = new IrType.Int(1);
    private static final IrType NOTHING = new IrType.Void();
    private static final Detail NONE = new Detail.None();

    private final List<IrInstruction> code = new ArrayList<>();

    @Test
    void loopsTestedAtTheTopRunAsOftenAsTheySay() {
        var random = new Random(1);
        for (int round = 0; round < 300; round++) {
            long from = random.nextInt(40) - 20L;
            long step = random.nextBoolean() ? 1L + random.nextInt(4) : -1L - random.nextInt(4);
            long to = from + step * random.nextInt(30) + (random.nextBoolean() ? 0 : random.nextInt(3));
            IrPredicate p = step > 0
                    ? (random.nextBoolean() ? IrPredicate.SLT : IrPredicate.SLE)
                    : (random.nextBoolean() ? IrPredicate.SGT : IrPredicate.SGE);
            long expected = 0;
            for (long i = from; holds(p, i, to) && expected < 1000; i += step) {
                expected++;
            }
            code.clear();
            FunctionFacts f = FunctionFacts.of(top(from, to, step, p));
            var count = f.counts().of(f.loops().all().getFirst());
            assertThat(count).as("%d %s %d by %d", from, p, to, step).isPresent();
            assertThat(count.get().most()).isEqualTo(expected);
            assertThat(count.get().exact()).isTrue();
        }
    }

    @Test
    void aLoopWhoseExitMultipliesIsRun() {
        code.clear();
        // for (i = 1; i < 1000; i *= 3)
        List<IrBlock> blocks = List.of(
                block(0, branch(List.of(), 1)),
                block(
                        1,
                        made(IrOpcode.PHI, INT, List.of(whole(1), value(5, INT)), List.of(0, 2), NONE),
                        made(
                                IrOpcode.ICMP,
                                BIT,
                                List.of(value(1, INT), whole(1000)),
                                List.of(),
                                new Detail.Comparison(IrPredicate.SLT)),
                        branch(List.of(value(2, BIT)), 2, 3)),
                block(
                        2,
                        made(IrOpcode.ADD, INT, List.of(value(1, INT), whole(0)), List.of(), NONE),
                        made(IrOpcode.MUL, INT, List.of(value(4, INT), whole(3)), List.of(), NONE),
                        branch(List.of(), 1)),
                block(3, made(IrOpcode.RET, NOTHING, List.of(), List.of(), NONE)));
        FunctionFacts f = FunctionFacts.of(function(blocks));
        assertThat(f.counts().of(f.loops().all().getFirst()).orElseThrow().most())
                .isEqualTo(7);
    }

    /// The form of a counter, evaluated, is what running gives.
    @Test
    void aCounterIsItsStartAndItsSteps() {
        code.clear();
        FunctionFacts f = FunctionFacts.of(top(5, 50, 3, IrPredicate.SLT));
        IrLoop loop = f.loops().all().getFirst();
        Affine form = f.forms().of(value(1, INT));
        assertThat(form.constant()).isEqualTo(5);
        assertThat(form.factor(Affine.iteration(loop.header()))).isEqualTo(3);
        assertThat(f.widths().of(value(1, INT))).isBetween(6, 7);
    }

    private static boolean holds(IrPredicate p, long a, long b) {
        return switch (p) {
            case SLT -> a < b;
            case SLE -> a <= b;
            case SGT -> a > b;
            default -> a >= b;
        };
    }

    private IrFunction top(long from, long to, long step, IrPredicate p) {
        return function(List.of(
                block(0, branch(List.of(), 1)),
                block(
                        1,
                        made(IrOpcode.PHI, INT, List.of(whole(from), value(4, INT)), List.of(0, 2), NONE),
                        made(
                                IrOpcode.ICMP,
                                BIT,
                                List.of(value(1, INT), whole(to)),
                                List.of(),
                                new Detail.Comparison(p)),
                        branch(List.of(value(2, BIT)), 2, 3)),
                block(
                        2,
                        made(IrOpcode.ADD, INT, List.of(value(1, INT), whole(step)), List.of(), NONE),
                        branch(List.of(), 1)),
                block(3, made(IrOpcode.RET, NOTHING, List.of(), List.of(), NONE))));
    }

    private IrInstruction made(
            IrOpcode opcode, IrType type, List<IrValue> operands, List<Integer> blocks, Detail detail) {
        var i = new IrInstruction(code.size(), "", opcode, type, operands, blocks, detail, Set.of(), Optional.empty());
        code.add(i);
        return i;
    }

    private IrInstruction branch(List<IrValue> condition, Integer... to) {
        return made(IrOpcode.BR, NOTHING, condition, List.of(to), NONE);
    }

    private static IrBlock block(int index, IrInstruction... instructions) {
        return new IrBlock(index, "", List.of(instructions), Optional.empty());
    }

    private static IrFunction function(List<IrBlock> blocks) {
        return new IrFunction("f", "f", NOTHING, List.of(), blocks, List.of(), List.of(), Set.of(), Optional.empty());
    }

    private static IrValue whole(long v) {
        return new IrConstant.Whole(BigInteger.valueOf(v), INT);
    }

    private static IrValue value(int id, IrType type) {
        return new IrValue.Result(id, type);
    }
}

package knobscape.hls.source.clang;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;
import knobscape.hls.source.IndexForm;

/// The counting variables of a function's loops, and forms in terms of them instead of iteration numbers.
final class Inductions {
    /// How the compiler names blocks in which the condition of a loop is tested.
    private static final Pattern CONDITION =
            Pattern.compile("(?:(?:for|while|do)\\.cond|land\\.end|lor\\.end|cond\\.end)\\d*");

    private final IrFunction function;
    private final AffineForms forms;
    private final IrLoops loops;
    private final Map<IrLoop, Induction> inductions = new HashMap<>();

    /// A variable that moves by the same step each iteration.
    ///
    /// @param name as in the source, where known
    /// @param first its value in the first iteration
    record Induction(String name, Affine first, long step) {}

    Inductions(IrFunction function, AffineForms forms, IrLoops loops) {
        this.function = function;
        this.forms = forms;
        this.loops = loops;
        loops.all().forEach(l -> find(l).ifPresent(i -> inductions.put(l, i)));
    }

    Optional<Induction> of(IrLoop loop) {
        return Optional.ofNullable(inductions.get(loop));
    }

    /// True if something else than the condition may end a loop.
    boolean mayEndEarly(IrLoop loop) {
        return loop.blocks().stream().anyMatch(b -> {
            for (int s : loops.flow().next(b)) {
                if (!loop.contains(s)) {
                    return !CONDITION.matcher(function.blocks().get(b).name()).matches();
                }
            }
            return false;
        });
    }

    /// True if a block tests the condition of a loop.
    static boolean isCondition(IrBlock block) {
        return CONDITION.matcher(block.name()).matches()
                || block.name().startsWith("land.rhs")
                || block.name().startsWith("lor.rhs");
    }

    private Optional<Induction> find(IrLoop loop) {
        Induction best = null;
        boolean bestTested = false;
        for (IrInstruction i : function.blocks().get(loop.header()).instructions()) {
            if (i.opcode() != IrOpcode.PHI) {
                break;
            }
            Affine form = forms.of(i.result());
            long step = form.factor(Affine.iteration(loop.header()));
            if (step == 0) {
                continue;
            }
            Affine first = form.plus(Affine.symbol(Affine.iteration(loop.header())), -step);
            boolean tested = isTested(i, loop);
            if (best == null || (tested && !bestTested)) {
                best = new Induction(name(function, i), first, step);
                bestTested = tested;
            }
        }
        return Optional.ofNullable(best);
    }

    /// Name of the variable of the source whose value an instruction is.
    static String name(IrFunction function, IrInstruction phi) {
        return function.variables().stream()
                .filter(v -> v.value().equals(phi.result()))
                .map(IrFunction.IrVariable::name)
                .findFirst()
                .orElse(phi.name().replaceFirst("\\.\\d+$", ""));
    }

    /// True if the value goes into a comparison of the block in which the loop tests its condition.
    private boolean isTested(IrInstruction phi, IrLoop loop) {
        return loop.blocks().stream()
                .mapToObj(b -> function.blocks().get(b))
                .filter(b -> b.successors().stream().anyMatch(s -> !loop.contains(s)))
                .flatMap(b -> b.instructions().stream())
                .filter(i -> i.opcode() == IrOpcode.ICMP)
                .flatMap(i -> i.operands().stream())
                .anyMatch(o -> source(o).equals(phi.result()));
    }

    private IrValue source(IrValue v) {
        IrValue at = v;
        while (at instanceof IrValue.Result r
                && (forms.code().get(r.instruction()).opcode().isConversion()
                        || forms.code().get(r.instruction()).opcode() == IrOpcode.ADD)) {
            at = forms.code().get(r.instruction()).operands().getFirst();
        }
        return at;
    }

    /// An index by the variables of loops.
    ///
    /// @param around loops around the place, inner ones first, with the ids that people know
    /// @param why says why a value is no such form, by its symbol
    IndexForm form(Affine index, Map<IrLoop, String> around, java.util.function.IntFunction<String> why) {
        Affine rest = index;
        var coefficients = new TreeMap<String, Long>();
        for (Map.Entry<IrLoop, String> l : around.entrySet()) {
            int own = Affine.iteration(l.getKey().header());
            long factor = rest.factor(own);
            Optional<Induction> variable = of(l.getKey());
            if (factor == 0) {
                continue;
            }
            if (variable.isEmpty()) {
                // A pointer walks: its loop counts iterations.
                coefficients.put(l.getValue(), factor);
                rest = rest.plus(Affine.symbol(own), -factor);
                continue;
            }
            if (factor % variable.get().step() != 0) {
                return new IndexForm.NonAffine("moves with loop " + l.getValue() + ", but not by its variable");
            }
            long coefficient = factor / variable.get().step();
            coefficients.put(l.getValue(), coefficient);
            rest = rest.plus(Affine.symbol(own), -factor).plus(variable.get().first(), -coefficient);
        }
        return rest.isConstant()
                ? new IndexForm.Affine(coefficients, rest.constant())
                : new IndexForm.NonAffine(why.apply(rest.symbols()[rest.size() - 1]));
    }

    /// The loops around a block, inner ones first.
    List<IrLoop> around(IrBlock block) {
        var all = new java.util.ArrayList<IrLoop>();
        for (Optional<IrLoop> l = loops.around(block.index());
                l.isPresent();
                l = l.get().parent()) {
            all.add(l.get());
        }
        return all;
    }
}

package knobscape.hls.evaluate.estimator;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrBlock;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.Access;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;

/// The kind of kernel, as far as estimates depend on it: four figures from 0 to 1, counted over the source
/// as it stands (every statement once, however often it runs).
///
/// @param floating share of arithmetic operations on floating-point numbers
/// @param control share of assignments under a condition on data, or in a loop whose trip count is not known exactly
/// @param lookups share of array accesses at an index that is not affine in the loop variables
/// @param depth mean number of loops around an assignment inside its function, four and more counting as 1
public record KernelTraits(double floating, double control, double lookups, double depth) {
    private static final double DEEPEST = 4;

    /// The traits of a kernel; all 0 where it computes nothing.
    public static KernelTraits of(Kernel kernel) {
        List<Access> accesses =
                kernel.functions().stream().flatMap(f -> f.body().allAccesses()).toList();
        double lookups = accesses.stream()
                .filter(a -> a.index().stream().anyMatch(i -> i instanceof IndexForm.NonAffine))
                .count();
        var count = new Count(kernel);
        kernel.compiled().ifPresent(count::all);
        return new KernelTraits(
                count.floating / Math.max(1, count.arithmetic),
                count.controlled / Math.max(1, count.assignments),
                lookups / Math.max(1, accesses.size()),
                Math.min(1, count.loops / Math.max(1, count.assignments) / DEEPEST));
    }

    /// Euclidean distance, 0 to 2.
    public double distance(KernelTraits other) {
        double a = floating - other.floating;
        double b = control - other.control;
        double c = lookups - other.lookups;
        double d = depth - other.depth;
        return Math.sqrt(a * a + b * b + c * c + d * d);
    }

    /// In words for a person: `floating point, 3.0 loops deep, 40 % of accesses are lookups`.
    public String words() {
        String numbers = floating >= 0.9
                ? "floating point"
                : floating <= 0.1 ? "integers" : percent(floating) + " floating point";
        return numbers
                + String.format(java.util.Locale.ROOT, ", %.1f loops deep", depth * DEEPEST)
                + (control >= 0.05 ? ", " + percent(control) + " under conditions on data" : "")
                + (lookups >= 0.05 ? ", " + percent(lookups) + " lookups" : "");
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    /// Counts over the compiled functions that the kernel knows. An assignment is a store, or a scalar that a loop
    /// carries and that does not count the loop.
    private static final class Count {
        /// Code of headers in place, variables as values.
        private static final String VALUES = "always-inline,function(sroa<modify-cfg>)";

        private final Kernel kernel;
        /// Lines of loops whose trip count is known exactly.
        private final Set<Integer> exact;
        private double arithmetic;
        private double floating;
        private double assignments;
        private double controlled;
        private double loops;

        Count(Kernel kernel) {
            this.kernel = kernel;
            exact = kernel.loops().stream()
                    .filter(l -> l.trip().isExact())
                    .map(Loop::keyword)
                    .map(k -> k.line())
                    .collect(Collectors.toSet());
        }

        void all(CompiledSource source) {
            IrModule module = source.read(
                    new Transformation(Optional.empty(), Map.of(), Map.of(), true, List.of(VALUES)),
                    new CancellationSignal());
            Set<Integer> lines =
                    kernel.functions().stream().map(f -> f.location().line()).collect(Collectors.toSet());
            module.functions().stream()
                    .filter(f -> !f.isDeclaration()
                            && f.location()
                                    .filter(l -> lines.contains(l.line()))
                                    .isPresent())
                    .forEach(this::function);
        }

        private void function(IrFunction f) {
            IrLoops found = IrLoops.of(f);
            List<IrInstruction> code = f.instructions();
            var all = new BitSet();
            all.set(0, f.blocks().size());
            Set<Integer> counting = counting(f, found, code);
            var uses = new TreeMap<Integer, Set<Integer>>();
            for (IrInstruction i : code) {
                results(i)
                        .forEach(o ->
                                uses.computeIfAbsent(o, _ -> new HashSet<>()).add(i.id()));
            }
            for (IrBlock b : f.blocks()) {
                Optional<IrLoop> around = found.around(b.index());
                boolean data = found.flow().position(b.index()) >= 0
                        && found.flow().deciders(b.index(), 0, all).stream().anyMatch(d -> isOpen(f, found, d, code));
                for (IrInstruction i : b.instructions()) {
                    boolean carried = i.opcode() == IrOpcode.PHI
                            && found.headedBy(b.index()).isPresent()
                            && !counting.contains(i.id());
                    if (i.opcode() == IrOpcode.STORE || carried) {
                        assignments++;
                        controlled += data ? 1 : 0;
                        for (Optional<IrLoop> l = around;
                                l.isPresent();
                                l = l.get().parent()) {
                            loops++;
                        }
                    }
                    if (isArithmetic(i) && !counting.contains(i.id()) && !isAddress(i.id(), uses, code)) {
                        arithmetic++;
                        floating += i.operands().getFirst().type() instanceof IrType.Real ? 1 : 0;
                    }
                }
            }
        }

        /// True if a branch depends on data: it ends a loop of unknown length, or its condition reads memory.
        private boolean isOpen(IrFunction f, IrLoops found, int block, List<IrInstruction> code) {
            Optional<IrLoop> l = found.around(block);
            boolean leaves = l.isPresent()
                    && java.util.Arrays.stream(found.flow().next(block))
                            .anyMatch(s -> !l.get().contains(s));
            if (leaves) {
                return l.get()
                        .mark()
                        .flatMap(m -> m.start())
                        .filter(s -> exact.contains(s.line()))
                        .isEmpty();
            }
            var waiting = new ArrayDeque<>(
                    results(f.blocks().get(block).instructions().getLast()));
            var seen = new HashSet<Integer>();
            while (!waiting.isEmpty()) {
                IrInstruction i = code.get(waiting.pop());
                if (i.opcode() == IrOpcode.LOAD || i.opcode() == IrOpcode.CALL) {
                    return true;
                }
                if (i.opcode() != IrOpcode.PHI && seen.add(i.id())) {
                    waiting.addAll(results(i));
                }
            }
            return false;
        }

        /// Counters of loops: the value, what is added to it, and the test.
        private static Set<Integer> counting(IrFunction f, IrLoops found, List<IrInstruction> code) {
            var all = new HashSet<Integer>();
            for (IrLoop l : found.all()) {
                for (IrInstruction phi : f.blocks().get(l.header()).instructions()) {
                    if (phi.opcode() != IrOpcode.PHI) {
                        break;
                    }
                    List<Integer> next = results(phi).stream()
                            .filter(n -> isStep(code.get(n), phi))
                            .toList();
                    if (!next.isEmpty()) {
                        all.add(phi.id());
                        all.addAll(next);
                    }
                }
                l.blocks().stream()
                        .filter(b ->
                                java.util.Arrays.stream(found.flow().next(b)).anyMatch(s -> !l.contains(s)))
                        .mapToObj(b -> f.blocks().get(b).instructions().getLast())
                        .forEach(branch -> all.addAll(results(branch)));
            }
            return all;
        }

        private static boolean isStep(IrInstruction i, IrInstruction phi) {
            return (i.opcode() == IrOpcode.ADD || i.opcode() == IrOpcode.SUB || i.opcode() == IrOpcode.GET_ELEMENT_PTR)
                    && i.operands().stream().allMatch(o -> o.equals(phi.result()) || o instanceof IrConstant.Whole);
        }

        private static boolean isAddress(int id, Map<Integer, Set<Integer>> uses, List<IrInstruction> code) {
            Set<Integer> of = uses.getOrDefault(id, Set.of());
            return !of.isEmpty()
                    && of.stream()
                            .allMatch(u -> code.get(u).opcode() == IrOpcode.GET_ELEMENT_PTR
                                    || ((code.get(u).opcode().isConversion() || isArithmetic(code.get(u)))
                                            && u > id
                                            && isAddress(u, uses, code)));
        }

        private static boolean isArithmetic(IrInstruction i) {
            return switch (i.opcode()) {
                case FNEG, ADD, FADD, SUB, FSUB, MUL, FMUL, UDIV, SDIV, FDIV, UREM, SREM, FREM -> true;
                case SHL, LSHR, ASHR, AND, OR, XOR, ICMP, FCMP -> true;
                default -> false;
            };
        }

        private static List<Integer> results(IrInstruction i) {
            return i.operands().stream()
                    .filter(IrValue.Result.class::isInstance)
                    .map(o -> ((IrValue.Result) o).instruction())
                    .toList();
        }
    }
}

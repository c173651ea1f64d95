package knobscape.hls.evaluate.estimator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.analysis.IterationCounts.Count;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrOrders.FunctionOrder;
import knobscape.hls.evaluate.estimator.IrOrders.LoopOrder;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;

/// The vendor tool's policy for functions and loops before it schedules: which functions stay modules, which loops
/// are written out, which are pipelined, by directive or by itself (UG1399, *Automatic loop pipelining*).
final class IrPolicy {
    /// Inlining and what makes values of variables, and constants of parameters that every call gives the same.
    static final String INLINE =
            "globalopt,always-inline,globaldce,function(sroa<modify-cfg>,early-cse),ipsccp,globalopt,globaldce";
    /// Clean loops before decisions.
    static final String CLEAN =
            "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
                    + "loop-simplify,lcssa,loop(loop-deletion),simplifycfg),globalopt,globaldce,function(sroa<modify-cfg>)";
    /// Writing out, and what it makes possible.
    static final String WRITE_OUT = "function(loop-simplify,lcssa,loop(loop-rotate),loop-simplify,lcssa,"
            + "loop-unroll<no-peeling;no-profile-peeling>,sroa<modify-cfg>,early-cse<memssa>,"
            + "instcombine<no-verify-fixpoint>,simplifycfg<hoist-common-insts;sink-common-insts>,mldst-motion,"
            + "gvn<no-pre;no-load-pre;memdep>,sroa<modify-cfg>,instcombine<no-verify-fixpoint>,dse,adce,simplifycfg)";
    /// The same for loops whose trip count became known.
    static final String AGAIN = "function(loop-simplify,lcssa,loop-unroll<no-peeling;no-profile-peeling>,"
            + "sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
            + "simplifycfg<hoist-common-insts;sink-common-insts>,mldst-motion,gvn<no-pre;no-load-pre;memdep>,dse,adce,"
            + "simplifycfg)";

    /// Values that do not change in a loop are computed before it.
    private static final String HOIST = "function(loop-simplify,lcssa,loop-mssa(licm),gvn<no-pre;no-load-pre;memdep>,"
            + "instcombine<no-verify-fixpoint>,simplifycfg<sink-common-insts>,adce)";

    private static final int POINTERS = 64;
    private static final int GIVES_UP = 80_000;

    private final IrOrders orders;
    private final int automatic;
    private final int small;

    /// @param automatic trip count up to which the tool writes out inner loops to pipeline a loop by itself, 0 for
    /// never
    /// @param small instructions up to which a function is inlined in every call ([ToolDefaults#inlined])
    IrPolicy(IrOrders orders, int automatic, int small) {
        this.orders = orders;
        this.automatic = automatic;
        this.small = small;
    }

    /// Attributes of the functions: what is inlined, what stays a module.
    ///
    /// @param compiled the module as it was compiled
    Map<String, Map<String, Boolean>> attributes(IrModule compiled) {
        var defined = new HashMap<String, IrFunction>();
        var loops = new HashMap<String, IrLoops>();
        for (IrFunction f : compiled.functions()) {
            if (!f.isDeclaration()) {
                defined.put(f.name(), f);
                loops.put(f.name(), IrLoops.of(f));
            }
        }
        var calls = new HashMap<String, Integer>();
        Set<String> inPipeline = new HashSet<>();
        Set<String> tasks = new HashSet<>();
        Set<String> reached = new HashSet<>(Set.of(orders.top()));
        var waiting = new ArrayDeque<>(List.of(orders.top()));
        while (!waiting.isEmpty()) {
            String name = waiting.pop();
            IrFunction f = defined.get(name);
            IrLoops in = loops.get(name);
            if (f == null || in == null) {
                continue;
            }
            FunctionOrder order = orders.function(name);
            for (var b : f.blocks()) {
                for (IrInstruction i : b.instructions()) {
                    String callee = i.callee().filter(defined::containsKey).orElse("");
                    if (callee.isEmpty()) {
                        continue;
                    }
                    calls.merge(callee, 1, Integer::sum);
                    boolean pipelined = order.pipeline() >= 0 || inPipeline.contains(name);
                    for (Optional<IrLoop> l = in.around(b.index());
                            l.isPresent();
                            l = l.get().parent()) {
                        pipelined |= l.get().id().isPresent()
                                && orders.loop(l.get().id().getAsLong()).pipeline() == 1;
                    }
                    boolean again = pipelined && inPipeline.add(callee);
                    if (order.dataflow() && in.around(b.index()).isEmpty()) {
                        tasks.add(callee);
                    }
                    if (reached.add(callee) || again) {
                        waiting.add(callee);
                    }
                }
            }
        }
        var all = new HashMap<String, Map<String, Boolean>>();
        defined.forEach((name, f) -> {
            var of = new HashMap<String, Boolean>();
            boolean top = name.equals(orders.top());
            FunctionOrder order = orders.function(name);
            int said = order.inline();
            boolean stays = small < Integer.MAX_VALUE
                    && !inPipeline.contains(name)
                    && reached.contains(name)
                    && (tasks.contains(name)
                            || order.dataflow()
                            || order.pipeline() >= 0
                            || (hasLoops(name, defined, loops, new HashSet<>())
                                    && said != 1
                                    && (said == 0
                                            || (calls.getOrDefault(name, 0) >= 2
                                                    && size(name, defined, new HashSet<>()) > small))));
            of.put("noinline", top || stays);
            of.put("alwaysinline", !top && !stays);
            for (int k = 0;
                    (top || stays) && k < Math.min(POINTERS, f.arguments().size());
                    k++) {
                if (f.arguments().get(k).type() instanceof IrType.Pointer) {
                    of.put("noalias@" + (k + 1), true);
                }
            }
            all.put(name, of);
        });
        for (IrFunction f : compiled.functions()) {
            if (f.isDeclaration() && !f.name().startsWith("llvm.")) {
                boolean pure =
                        knobscape.hls.source.OperationKind.ofCall(f.name()) != knobscape.hls.source.OperationKind.OTHER;
                all.put(
                        f.name(),
                        pure
                                ? Map.of("nounwind", true, "willreturn", true, "memory", true)
                                : Map.of("nounwind", true, "willreturn", true));
            }
        }
        return all;
    }

    /// Instructions of a function and of those that it calls, as a compiler counts them to decide about inlining:
    /// addresses, conversions and jumps cost nothing.
    private static int size(String name, Map<String, IrFunction> defined, Set<String> seen) {
        IrFunction f = defined.get(name);
        if (f == null || !seen.add(name)) {
            return 0;
        }
        int sum = 0;
        for (IrInstruction i : f.instructions()) {
            sum += switch (i.opcode()) {
                case ALLOCA, GET_ELEMENT_PTR, PHI, BR, RET -> 0;
                case CALL ->
                    IrCalls.isNothing(i)
                            ? 0
                            : i.callee().map(c -> size(c, defined, seen)).orElse(1);
                default -> i.opcode().isConversion() ? 0 : 1;
            };
        }
        seen.remove(name);
        return sum;
    }

    private static boolean hasLoops(
            String name, Map<String, IrFunction> defined, Map<String, IrLoops> loops, Set<String> seen) {
        IrLoops own = loops.get(name);
        IrFunction f = defined.get(name);
        if (own == null || f == null || !seen.add(name)) {
            return false;
        }
        return !own.all().isEmpty()
                || f.instructions().stream()
                        .anyMatch(i -> i.callee()
                                .filter(c -> hasLoops(c, defined, loops, seen))
                                .isPresent());
    }

    /// The decision about a loop.
    private static final class Decision {
        boolean full;
        boolean refused;
        OptionalLong interval = OptionalLong.empty();
        int copies = 1;
    }

    /// Properties of the loops: written out, copied, pipelined.
    ///
    /// @param clean the module after [#INLINE] and [#CLEAN]
    Map<Long, Map<String, OptionalLong>> loops(IrModules.ReadModule clean) {
        var all = new HashMap<Long, Map<String, OptionalLong>>();
        for (IrFunction f : clean.module().functions()) {
            clean.facts(f.name()).ifPresent(facts -> {
                Map<IrLoop, Decision> decisions = decide(facts, clean.module());
                bounded(facts, decisions);
                decisions.forEach((l, d) -> l.mark()
                        .map(m -> m.properties().get(IrLoopMark.COPY))
                        .ifPresent(copy -> all.put(copy, properties(d))));
            });
        }
        return all;
    }

    /// Throws [TooLarge] where what is written out is more than a tool takes.
    private void bounded(FunctionFacts f, Map<IrLoop, Decision> decisions) {
        double sum = 0;
        for (var b : f.function().blocks()) {
            double copies = 1;
            for (Optional<IrLoop> l = f.loops().around(b.index());
                    l.isPresent();
                    l = l.get().parent()) {
                Decision d = decisions.get(l.get());
                copies *= d == null
                        ? 1
                        : d.full ? f.counts().of(l.get()).map(Count::most).orElse(1L) : d.copies;
            }
            sum += copies * b.instructions().size();
        }
        if (sum > GIVES_UP) {
            throw new TooLarge("writing out the loops of " + f.function().sourceName() + " makes about "
                    + Math.round(sum / 1000) + " thousand operations, more than " + GIVES_UP / 1000 + " thousand");
        }
    }

    private static Map<String, OptionalLong> properties(Decision d) {
        var p = new HashMap<String, OptionalLong>();
        if (d.full) {
            p.put("llvm.loop.unroll.full", OptionalLong.empty());
        } else if (d.copies > 1) {
            p.put("llvm.loop.unroll.count", OptionalLong.of(d.copies));
        } else {
            p.put("llvm.loop.unroll.disable", OptionalLong.empty());
        }
        if (!d.full && d.interval.isPresent()) {
            p.put(IrNesting.PIPELINED, d.interval);
        }
        return p;
    }

    private LoopOrder order(IrLoop l) {
        return orders.loop(l);
    }

    private Map<IrLoop, Decision> decide(FunctionFacts f, IrModule clean) {
        var decisions = new HashMap<IrLoop, Decision>();
        List<IrLoop> outerFirst = new ArrayList<>(f.loops().all());
        outerFirst.sort(Comparator.comparingInt(IrLoop::depth));
        for (IrLoop l : outerFirst) {
            LoopOrder o = order(l);
            var d = new Decision();
            long trips = f.counts().of(l).map(Count::most).orElse(-1L);
            d.full = o.unroll() == 0 || (o.unroll() > 1 && trips > 0 && o.unroll() >= trips);
            d.copies = Math.max(1, o.unroll());
            d.interval = o.pipeline() == 1 ? OptionalLong.of(o.interval()) : OptionalLong.empty();
            decisions.put(l, d);
        }
        for (IrLoop l : outerFirst) {
            Decision d = decisions.get(l);
            if (d != null
                    && d.interval.isPresent()
                    && below(l).stream()
                            .anyMatch(x -> f.counts().of(x).filter(Count::exact).isEmpty())) {
                // A loop inside cannot be written out: the tool gives the pipeline up and starts none inside by itself.
                d.interval = OptionalLong.empty();
                d.refused = true;
            }
        }
        for (IrLoop l : outerFirst) {
            Decision d = decisions.get(l);
            if (d != null && isUnderPipeline(l, decisions, true)) {
                d.full = true;
            }
        }
        if (automatic > 0) {
            List<IrLoop> innerFirst = new ArrayList<>(outerFirst);
            innerFirst.sort(Comparator.comparingInt(IrLoop::depth).reversed());
            innerFirst.forEach(l -> automatic(l, f, clean, decisions));
        }
        return decisions;
    }

    private static List<IrLoop> below(IrLoop l) {
        var all = new ArrayList<IrLoop>();
        for (IrLoop c : l.children()) {
            all.add(c);
            all.addAll(below(c));
        }
        return all;
    }

    /// @param written whether only pipelines count in which it is written out
    private static boolean isUnderPipeline(IrLoop l, Map<IrLoop, Decision> decisions, boolean written) {
        for (Optional<IrLoop> p = l.parent(); p.isPresent(); p = p.get().parent()) {
            Decision d = decisions.get(p.get());
            if (d != null && (d.interval.isPresent() || (d.refused && !written))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFull(IrLoop l, Map<IrLoop, Decision> decisions) {
        Decision d = decisions.get(l);
        return d != null && d.full;
    }

    /// Loops inside that stay loops.
    private static List<IrLoop> staying(IrLoop l, Map<IrLoop, Decision> decisions) {
        var all = new ArrayList<IrLoop>();
        for (IrLoop c : l.children()) {
            if (isFull(c, decisions)) {
                all.addAll(staying(c, decisions));
            } else {
                all.add(c);
            }
        }
        return all;
    }

    private boolean isOff(IrLoop l) {
        return order(l).pipeline() == 0;
    }

    private static boolean calls(IrLoop l, FunctionFacts f, IrModule clean) {
        return l.blocks().stream()
                .anyMatch(b -> f.block(b).stream()
                        .anyMatch(i -> i.callee()
                                .flatMap(clean::function)
                                .filter(c -> !c.isDeclaration())
                                .isPresent()));
    }

    /// An innermost loop is pipelined; where it, or the perfect nest that it ends, has few iterations and something
    /// else is around it, the loop around it is and the nest is written out.
    private void automatic(IrLoop l, FunctionFacts f, IrModule clean, Map<IrLoop, Decision> decisions) {
        Decision d = decisions.get(l);
        if (d == null
                || d.full
                || d.interval.isPresent()
                || isOff(l)
                || calls(l, f, clean)
                || !staying(l, decisions).isEmpty()
                || isUnderPipeline(l, decisions, false)
                || order(l).dataflow()) {
            return;
        }
        IrLoop nest = l;
        Optional<IrLoop> p = staysAround(nest, decisions);
        while (p.isPresent() && isPerfect(p.get(), nest, f) && isSmall(p.get(), f, decisions)) {
            nest = p.get();
            p = staysAround(nest, decisions);
        }
        Decision outer = p.map(decisions::get).orElse(null);
        if (p.isEmpty()
                || outer == null
                || outer.interval.isPresent()
                || isOff(p.get())
                || order(p.get()).dataflow()
                || isPerfect(p.get(), nest, f)
                || calls(p.get(), f, clean)
                || !staying(p.get(), decisions).stream().allMatch(c -> isSmall(c, f, decisions))) {
            d.interval = OptionalLong.of(0);
            return;
        }
        outer.interval = OptionalLong.of(IrNesting.LATE);
        for (IrLoop c : below(p.get())) {
            Decision inner = decisions.get(c);
            if (inner != null) {
                inner.full = true;
            }
        }
    }

    /// The next loop around one that is not written out.
    private static Optional<IrLoop> staysAround(IrLoop l, Map<IrLoop, Decision> decisions) {
        Optional<IrLoop> p = l.parent();
        while (p.isPresent() && isFull(p.get(), decisions)) {
            p = p.get().parent();
        }
        return p;
    }

    /// True if a loop, or the perfect nest from it down, has few iterations and nothing is said against writing it out.
    private boolean isSmall(IrLoop c, FunctionFacts f, Map<IrLoop, Decision> decisions) {
        long iterations = 1;
        IrLoop now = c;
        while (true) {
            Decision d = decisions.get(now);
            long trips =
                    f.counts().of(now).filter(Count::exact).map(Count::most).orElse(0L);
            iterations *= trips;
            if (d == null || d.interval.isPresent() || isOff(now) || trips == 0 || iterations > automatic) {
                return false;
            }
            List<IrLoop> inside = staying(now, decisions);
            if (inside.isEmpty()) {
                return true;
            }
            if (inside.size() > 1 || !isPerfect(now, inside.getFirst(), f)) {
                return false;
            }
            now = inside.getFirst();
        }
    }

    private boolean isPerfect(IrLoop outer, IrLoop inner, FunctionFacts f) {
        return outer.children().size() == 1
                && order(inner).flatten()
                && !leavesRequest(outer, inner, f)
                && !accumulates(inner, f)
                && outer.blocks().stream()
                        .filter(b -> !inner.contains(b))
                        .noneMatch(b -> f.block(b).stream()
                                .anyMatch(i -> i.opcode() == IrOpcode.LOAD
                                        || i.opcode() == IrOpcode.STORE
                                        || (i.opcode() == IrOpcode.CALL && !IrCalls.isNothing(i))));
    }

    /// True if a loop works on one place of a memory and on no other of it: the tool keeps that place in a register
    /// while the loop runs, read before it and written after it, so that no nest around it is perfect.
    private static boolean accumulates(IrLoop loop, FunctionFacts f) {
        var places = new HashMap<IrValue, Set<Affine>>();
        var written = new HashSet<IrValue>();
        var read = new HashSet<IrValue>();
        loop.blocks().stream()
                .forEach(b -> f.block(b)
                        .forEach(i -> IrCalls.address(i).map(f.forms()::pointer).ifPresent(p -> {
                            places.computeIfAbsent(p.root(), _ -> new HashSet<>())
                                    .add(p.bytes());
                            (i.opcode() == IrOpcode.STORE ? written : read).add(p.root());
                        })));
        return written.stream()
                .filter(read::contains)
                .map(places::get)
                .anyMatch(all -> all.size() == 1
                        && all.stream()
                                .noneMatch(a -> a.factor(Affine.iteration(loop.header())) != 0
                                        || Arrays.stream(a.symbols())
                                                .anyMatch(s -> f.forms().varies(s, loop))));
    }

    /// The passes of the module in which decisions are made. Which values variables have only tells what is bound.
    Transformation cleaned(IrModule compiled) {
        return new Transformation(
                Optional.of(orders.top()),
                attributes(compiled),
                Map.of(),
                true,
                orders.bindings().isEmpty(),
                List.of(INLINE, CLEAN));
    }

    /// The passes of a design.
    ///
    /// @param loops of the cleaned module
    static Transformation design(Map<Long, Map<String, OptionalLong>> loops) {
        return new Transformation(Optional.empty(), Map.of(), loops, false, List.of(WRITE_OUT, AGAIN));
    }

    /// The passes of a design that becomes hardware as it is then.
    static Transformation hardware(Map<Long, Map<String, OptionalLong>> loops) {
        return new Transformation(
                Optional.empty(),
                Map.of(),
                loops,
                false,
                List.of(WRITE_OUT, AGAIN, HOIST, "function(lower-switch,simplifycfg,loop-simplify)"));
    }

    /// Accesses of one argument in one direction that move alike.
    ///
    /// @param bytes of each
    private record Run(String port, String argument, IrOpcode kind, long bytes, Affine moving) {}

    /// True if requests over an AXI port stand between two loops: those of a burst that covers the inner loop alone,
    /// or of a word that the inner loop does not move over. They are inferred before nests are flattened (UG1399,
    /// burst transfers), and a nest with something between its loops is not perfect.
    private boolean leavesRequest(IrLoop outer, IrLoop inner, FunctionFacts f) {
        if (!f.function().name().equals(orders.top())) {
            return false;
        }
        var runs = new HashMap<Run, Set<Long>>();
        inner.blocks().stream()
                .forEach(b -> f.block(b)
                        .forEach(i -> IrCalls.address(i)
                                .map(f.forms()::pointer)
                                .ifPresent(p -> port(p.root(), f)
                                        .ifPresent(port -> runs.computeIfAbsent(
                                                        new Run(
                                                                port,
                                                                p.root().toString(),
                                                                i.opcode(),
                                                                bytes(i),
                                                                isAlways(b, inner, f)
                                                                        ? p.bytes()
                                                                                .moving()
                                                                        : Affine.symbol(i.id())),
                                                        _ -> new HashSet<>())
                                                .add(p.bytes().constant())))));
        for (var e : runs.entrySet()) {
            Run r = e.getKey();
            boolean shared = runs.keySet().stream()
                    .anyMatch(o -> o.port().equals(r.port())
                            && (o.kind() == r.kind() || o.argument().equals(r.argument()))
                            && !o.equals(r));
            boolean known = true;
            for (int s : r.moving().symbols()) {
                known &= s == Affine.iteration(inner.header()) || !f.forms().varies(s, outer);
            }
            long own = r.moving().factor(Affine.iteration(inner.header()));
            boolean burst = own == r.bytes() * e.getValue().size();
            double trips =
                    f.counts().of(inner).filter(Count::exact).map(Count::mean).orElse(0.0);
            if (known
                    && !shared
                    && trips > 1
                    && (own == 0
                            ? r.kind() == IrOpcode.LOAD
                            : burst && r.moving().factor(Affine.iteration(outer.header())) != own * trips)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAlways(int block, IrLoop loop, FunctionFacts f) {
        return loop.latches().stream().allMatch(l -> f.flow().dominates(block, l));
    }

    private static long bytes(IrInstruction access) {
        return access.opcode() == IrOpcode.STORE
                ? access.operands().getFirst().type().bytes()
                : access.type().bytes();
    }

    /// AXI master port of an argument of the top.
    private Optional<String> port(IrValue root, FunctionFacts f) {
        return root instanceof IrValue.Argument a
                ? Optional.of(orders.memory(new MemoryName(
                                        orders.top(),
                                        f.function().arguments().get(a.index()).name()))
                                .master())
                        .filter(m -> !m.isEmpty())
                        .map(Buses::bundle)
                : Optional.empty();
    }
}

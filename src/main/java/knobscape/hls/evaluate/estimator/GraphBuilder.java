package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import knobscape.hls.evaluate.estimator.Program.Invoke;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Step;
import knobscape.hls.evaluate.estimator.Program.Value;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.Directive.Core;
import org.jspecify.annotations.Nullable;

/// Writes the operations of one block into a [Graph]: branches become selections, calls are expanded, loops
/// that are unrolled completely are written out, equal operations and equal loads are merged, stores forward to
/// later loads of the same element, banks and words of memories are resolved as far as they are known at
/// compile time.
final class GraphBuilder {
    private static final int NOT_SET = -1;
    /// The slot is an induction variable that was not read in this copy yet.
    private static final int INDUCTION = -2;
    private static final int MAX_COPIES = 1 << 20;
    private static final int INLINED_OPERATIONS = 40;

    private final Program program;
    private final Plan plan;
    private final boolean pipelined;
    final Graph graph = new Graph();
    /// Node that holds each slot's value now.
    private final int[] env;
    /// Node that stands for each slot's value on entry, -1 where it was not read.
    final int[] entry;
    private final boolean[] unrolled;
    private final long[] offset;
    /// Copies to write of a loop at most, for extrapolation; 0 = all.
    private final int limitedLoop;
    private final int limit;
    private final int[] binding;
    private int[] function;
    private int depthOfCalls;
    /// Guard of the current branch, -1 outside of branches.
    private int predicate = -1;
    private int exitCheck = -1;
    /// Assignment whose value is being written, -1 elsewhere, and that value.
    private int assignment = -1;

    private @Nullable Value bound;
    final MemoryAccesses memory;
    private final AccessLocator locator;
    private final Folding folding;

    /// @param arrays formal array to root array
    GraphBuilder(
            Program program, Plan plan, int function, int[] arrays, boolean pipelined, int limitedLoop, int limit) {
        this.program = program;
        this.plan = plan;
        this.pipelined = pipelined;
        this.binding = arrays.clone();
        this.limitedLoop = limitedLoop;
        this.limit = limit;
        env = new int[program.slots().size()];
        Arrays.fill(env, NOT_SET);
        entry = new int[program.slots().size()];
        Arrays.fill(entry, NOT_SET);
        unrolled = new boolean[program.loops().size()];
        offset = new long[program.loops().size()];
        for (Iteration l : program.loops()) {
            offset[l.id] = l.source.first().orElse(0L);
            if (l.slot >= 0) {
                env[l.slot] = INDUCTION;
            }
        }
        this.function = new int[] {function};
        locator = new AccessLocator(program, plan, binding, unrolled, offset);
        memory = new MemoryAccesses(program, plan, this, locator);
        folding = new Folding(graph, program.library());
    }

    /// Marks a loop as written out completely, so that its variable is a constant in every copy.
    void dissolve(int loop) {
        unrolled[loop] = true;
    }

    boolean pipelined() {
        return pipelined;
    }

    /// Guard of the current branch, -1 outside of branches.
    int predicate() {
        return predicate;
    }

    /// Comparison that guards the current copy of a loop's body, -1 where none is needed.
    int exitCheck() {
        return exitCheck;
    }

    /// Elements by which accesses of a run move from one iteration of the (unrolled) loop to the next.
    long stride(int run, Iteration loop) {
        return locator.stride(run, loop);
    }

    /// Copies of a loop's body that stand one after the other.
    int unroll(Iteration loop) {
        return plan.unroll[loop.id];
    }

    /// Whether an array lies in several banks or wide words.
    boolean hides(int array) {
        Layout l = plan.layouts[array];
        return !l.registers && (l.banks > 1 || l.lanesInWord > 1);
    }

    /// Root array behind a formal one.
    int root(int array) {
        return binding[array];
    }

    /// Copies of a loop's body; `guarded` where the number of iterations is not a multiple.
    void copies(Iteration loop, int count, boolean guarded) {
        int n = loop.id == limitedLoop ? Math.min(count, limit) : count;
        long step = loop.source.step() == 0 ? 1 : loop.source.step();
        for (int c = 0; c < n; c++) {
            offset[loop.id] = loop.source.first().orElse(0L) + step * c;
            if (loop.slot >= 0) {
                env[loop.slot] = INDUCTION;
            }
            if (guarded && c > 0) {
                int check = graph.add(Graph.OPERATION, program.library().adder(16), 1);
                if (exitCheck >= 0) {
                    graph.argument(exitCheck);
                }
                graph.root[check] = true;
                exitCheck = check;
            }
            steps(loop.body);
        }
        offset[loop.id] = loop.source.first().orElse(0L);
        exitCheck = -1;
    }

    /// Writes out a loop completely.
    void expand(Iteration loop) {
        boolean before = unrolled[loop.id];
        unrolled[loop.id] = true;
        copies(loop, Math.clamp(loop.maxTrip, 0, MAX_COPIES), false);
        unrolled[loop.id] = before;
    }

    void steps(List<Step> body) {
        for (Step s : body) {
            step(s);
        }
    }

    void step(Step s) {
        switch (s) {
            case Step.Assign a -> {
                assignment = a.id();
                bound = a.value();
                int v = value(a.value());
                assignment = -1;
                bound = null;
                env[a.slot()] = v;
                // where a loop of unknown length starts is needed by its counter
                graph.root[v] |= program.loopOfSlot()[a.slot()] >= 0;
            }
            case Step.Return r -> returns(r.slot(), value(r.value()));
            case Step.Write w -> {
                int v = value(w.value());
                memory.write(w.target(), v);
            }
            case Step.Nested n -> expand(n.loop());
            case Step.Call c -> invoke(c.invoke());
            case Step.Branch b -> branch(b);
        }
    }

    /// A return inside a branch leaves an earlier value selectable.
    private void returns(int slot, int node) {
        if (predicate >= 0 && env[slot] >= 0) {
            env[slot] = graph.operation(select(graph.bits[node]), graph.bits[node], predicate, node, env[slot]);
        } else if (env[slot] >= 0) {
            env[slot] = graph.operation(select(graph.bits[node]), graph.bits[node], env[slot], node, -1);
        } else {
            env[slot] = node;
        }
    }

    private void branch(Step.Branch b) {
        int condition = value(b.condition());
        if (graph.kind[condition] == Graph.CONSTANT && Double.isFinite(graph.constant[condition])) {
            steps(graph.constant[condition] != 0 ? b.then() : b.otherwise());
            return;
        }
        int outer = predicate;
        int[] before = env.clone();
        predicate = outer < 0 ? condition : graph.operation(program.library().and(), 1, outer, condition, -1);
        steps(b.then());
        int[] afterThen = env.clone();
        System.arraycopy(before, 0, env, 0, env.length);
        // A value read on entry by the first side keeps its node.
        for (int i = 0; i < env.length; i++) {
            if (before[i] == NOT_SET && entry[i] >= 0) {
                env[i] = entry[i];
                before[i] = entry[i];
            }
        }
        steps(b.otherwise());
        predicate = outer;
        for (int i = 0; i < env.length; i++) {
            int x = afterThen[i];
            int y = env[i];
            if (x == y || program.loopOfSlot()[i] >= 0) {
                continue;
            }
            if (x < 0 || y < 0) {
                int known = Math.max(x, y);
                if (!program.exposed()[i]) {
                    env[i] = known;
                    continue;
                }
                int old = entryNode(i, graph.bits[known]);
                x = x < 0 ? old : x;
                y = y < 0 ? old : y;
                if (x == y) {
                    env[i] = x;
                    continue;
                }
            }
            int width = Math.max(graph.bits[x], graph.bits[y]);
            env[i] = graph.operation(select(width), width, condition, x, y);
        }
    }

    private Operator select(int width) {
        return program.library().select(width);
    }

    private int entryNode(int slot, int width) {
        if (entry[slot] < 0) {
            entry[slot] = graph.add(Graph.LIVE_IN, null, width);
        }
        return entry[slot];
    }

    private int scalar(int slot, int width) {
        int node = env[slot];
        if (node >= 0) {
            return node;
        }
        if (node == INDUCTION) {
            Iteration loop = program.loops().get(program.loopOfSlot()[slot]);
            boolean known = loop.source.first().isPresent();
            if (unrolled[loop.id] && known) {
                node = graph.constant(offset[loop.id], width);
            } else {
                int base = entryNode(slot, width);
                long by = offset[loop.id] - loop.source.first().orElse(0L);
                node = by == 0
                        ? base
                        : graph.operation(program.library().adder(width), width, base, graph.constant(by, width), -1);
            }
            env[slot] = node;
            return node;
        }
        node = entryNode(slot, width);
        env[slot] = node;
        return node;
    }

    int value(Value v) {
        return switch (v) {
            case Value.Constant c -> graph.constant(c.value(), c.bits());
            case Value.Scalar s -> scalar(s.slot(), s.bits());
            case Value.Read r -> memory.read(r.source(), r.bits());
            case Value.Compute c -> compute(c);
            case Invoke i -> invoke(i);
            case Value.Opaque o -> graph.add(Graph.LIVE_IN, null, o.bits());
        };
    }

    private int compute(Value.Compute c) {
        int count = c.operands().length;
        int a = count > 0 ? value(c.operands()[0]) : -1;
        int b = count > 1 ? value(c.operands()[1]) : -1;
        int d = count > 2 ? value(c.operands()[2]) : -1;
        for (int k = 3; k < count; k++) {
            d = graph.operation(program.library().wire(), c.bits(), d, value(c.operands()[k]), -1);
        }
        int folded = folding.fold(c, a, b, d);
        if (folded >= 0) {
            return folded;
        }
        Core core = core(c);
        Operator op = c.operators()[2 * core.ordinal() + (pipelined ? 1 : 0)];
        return graph.operation(op, c.bits(), a, b, d);
    }

    private Core core(Value.Compute c) {
        boolean product = c.kind() == OperationKind.MULTIPLY;
        Core own = Core.AUTO;
        if (assignment >= 0) {
            boolean floating = c.family() == ScalarType.Kind.DOUBLE
                    || c.family() == ScalarType.Kind.FLOAT
                    || c.family() == ScalarType.Kind.HALF;
            own = floating
                    ? (product ? plan.boundProduct : plan.boundSum)[assignment]
                    : c == bound ? plan.bound[assignment] : Core.AUTO;
        }
        return own != Core.AUTO || !product ? own : plan.multiplier[function[depthOfCalls]];
    }

    private int invoke(Invoke i) {
        int[] arguments = new int[i.arguments().length];
        for (int k = 0; k < arguments.length; k++) {
            arguments[k] = value(i.arguments()[k]);
        }
        if (staysModule(i)) {
            for (int k = 0; k < arguments.length; k++) {
                arguments[k] =
                        graph.operation(program.library().boundary(), graph.bits[arguments[k]], arguments[k], -1, -1);
            }
        }
        int[] saved = new int[i.formals().length];
        int[] actual = new int[i.formals().length];
        for (int k = 0; k < saved.length; k++) {
            saved[k] = binding[i.formals()[k]];
            actual[k] = binding[i.actuals()[k]];
        }
        for (int k = 0; k < saved.length; k++) {
            binding[i.formals()[k]] = actual[k];
        }
        for (int slot : i.callee().assigned) {
            env[slot] = NOT_SET;
        }
        for (int k = 0; k < arguments.length; k++) {
            env[i.slots()[k]] = arguments[k];
        }
        env[i.callee().returnSlot] = NOT_SET;
        if (++depthOfCalls == function.length) {
            function = Arrays.copyOf(function, depthOfCalls + 4);
        }
        function[depthOfCalls] = i.callee().id;
        int outer = predicate;
        steps(i.callee().body);
        predicate = outer;
        depthOfCalls--;
        for (int k = 0; k < saved.length; k++) {
            binding[i.formals()[k]] = saved[k];
        }
        int result = env[i.callee().returnSlot];
        return result >= 0 ? result : left(i, arguments);
    }

    /// What a function without a value leaves in the variables that it got by reference, as one value.
    private int left(Invoke i, int[] arguments) {
        int all = -1;
        for (int slot : i.callee().assigned) {
            int node = env[slot];
            if (node >= 0 && Arrays.stream(arguments).noneMatch(a -> a == node)) {
                all = all < 0 ? node : graph.operation(program.library().wire(), i.bits(), all, node, -1);
            }
        }
        return all >= 0 ? all : graph.constant(Double.NaN, i.bits());
    }

    /// Small functions without loops are inlined unless told otherwise; a module of its own takes its arguments
    /// from registers.
    private boolean staysModule(Invoke i) {
        byte said = plan.inline[i.callee().id];
        return said == 0 || (said < 0 && !i.callee().explicitInline && i.callee().operations > INLINED_OPERATIONS);
    }

    /// Visits the slots whose value at the end differs from the one at the start.
    void changed(IntConsumer use) {
        for (int i = 0; i < env.length; i++) {
            if (env[i] >= 0 && env[i] != entry[i] && program.loopOfSlot()[i] == -1) {
                use.accept(i);
            }
        }
    }

    /// Node of a slot's value now, negative where it was never set.
    int current(int slot) {
        return env[slot];
    }
}

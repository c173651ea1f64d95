package knobscape.hls.toolchain.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import knobscape.hls.source.ElementType;
import knobscape.hls.source.OperationKind;
import knobscape.hls.toolchain.estimator.Program.Invoke;
import knobscape.hls.toolchain.estimator.Program.Iteration;
import knobscape.hls.toolchain.estimator.Program.Reference;
import knobscape.hls.toolchain.estimator.Program.Step;
import knobscape.hls.toolchain.estimator.Program.Value;

/// Writes the operations of one block into a [Graph]: branches become selections, calls are expanded, loops that are unrolled completely are
/// written out, equal operations and equal loads are merged, stores forward to later loads of the same element, banks and words of memories
/// are resolved as far as they are known at compile time.
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
    private int[] hoistLoops;
    private boolean[] written = {};
    private int[] hoisted;
    private int exitCheck = -1;
    private final Map<List<Long>, Integer> runs = new HashMap<>();
    private final List<Reference> runReferences = new ArrayList<>();
    private final List<Integer> runArrays = new ArrayList<>();
    private final List<RunState> states = new ArrayList<>();
    private final LongMap stateIndex = new LongMap(16);
    private final LongMap latest = new LongMap(16);
    private final Memory[] memories;
    private int epoch;
    double muxReported;
    double muxReal;
    double muxDepth;
    double extraDsp;
    int stores;

    /// What is the same for all copies of one reference in this block.
    private static final class RunState {
        int run;
        boolean affine;
        /// Per dimension: coefficients of running loops reduced to what layouts need to know.
        long[] gcd;
        long[] low;
        long[] high;
        boolean[] bounded;
    }

    /// Order of stores to one array.
    private static final class Memory {
        int lastUnknown = -1;
        /// Runs that were stored to and the last store of each.
        int[] storeRuns = new int[2];
        int[] storeNodes = new int[2];
        int count;
        int lastStream = -1;
        /// Runs that were loaded from and when, in stores counted.
        int[] readRuns = new int[2];
        int[] readTimes = new int[2];
        int reads;

        void read(int run, int time) {
            for (int k = 0; k < reads; k++) {
                if (readRuns[k] == run) {
                    readTimes[k] = time;
                    return;
                }
            }
            if (reads == readRuns.length) {
                readRuns = Arrays.copyOf(readRuns, reads * 2);
                readTimes = Arrays.copyOf(readTimes, reads * 2);
            }
            readRuns[reads] = run;
            readTimes[reads++] = time;
        }

        /// Whether a load of another run may have seen what was stored at `time`.
        boolean readElsewhere(int run, int time) {
            for (int k = 0; k < reads; k++) {
                if (readRuns[k] != run && readTimes[k] >= time) {
                    return true;
                }
            }
            return false;
        }
    }

    /// @param arrays formal array to root array
    GraphBuilder(Program program, Plan plan, int function, int[] arrays, boolean pipelined, int limitedLoop, int limit) {
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
        memories = new Memory[program.arrays().size()];
    }

    /// Lets loads that do not depend on these loops, from arrays not written in them, be done once on entry.
    void hoistOutOf(int[] loops, boolean[] writtenRoots) {
        hoistLoops = loops;
        written = writtenRoots;
        hoisted = new int[program.arrays().size()];
    }

    /// Cycles that the loads done on entry need, 0 where there are none.
    int hoistCycles() {
        int most = 0;
        for (int a = 0; hoisted != null && a < hoisted.length; a++) {
            if (hoisted[a] > 0) {
                Layout l = plan.layouts[a];
                most = Math.max(most, l.registers ? 0 : (int) Layout.ceilDiv(hoisted[a], l.ports));
            }
        }
        return most;
    }

    /// Loads done on entry.
    int hoistedLoads() {
        return hoisted == null ? 0 : Arrays.stream(hoisted).sum();
    }

    private boolean hoistable(Reference r, int array) {
        if (hoistLoops == null || written[array] || predicate >= 0 || plan.layouts[array].registers) {
            return false;
        }
        for (int l = 0; l < r.loops().length; l++) {
            for (int h : hoistLoops) {
                if (r.loops()[l] == h) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Marks a loop as written out completely, so that its variable is a constant in every copy.
    void dissolve(int loop) {
        unrolled[loop] = true;
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
                int v = value(a.value());
                env[a.slot()] = v;
                // where a loop of unknown length starts is needed by its counter
                graph.root[v] |= program.loopOfSlot()[a.slot()] >= 0;
            }
            case Step.Return r -> returns(r.slot(), value(r.value()));
            case Step.Write w -> {
                int v = value(w.value());
                write(w.target(), v);
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
                node = by == 0 ? base : graph.operation(program.library().adder(width), width, base, graph.constant(by, width), -1);
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
            case Value.Read r -> read(r.source(), r.bits());
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
        int folded = fold(c, a, b, d);
        if (folded >= 0) {
            return folded;
        }
        int core = plan.multiplier[function[depthOfCalls]].ordinal();
        Operator op = c.operators()[2 * core + (pipelined ? 1 : 0)];
        return graph.operation(op, c.bits(), a, b, d);
    }

    /// Constants and operations that become wires; -1 where hardware is needed.
    private int fold(Value.Compute c, int a, int b, int d) {
        boolean left = isConstant(a);
        boolean right = isConstant(b);
        boolean floating = c.family() == ElementType.Kind.FLOAT || c.family() == ElementType.Kind.DOUBLE || c.family() == ElementType.Kind.HALF;
        if (left && (b < 0 || right) && (d < 0 || isConstant(d))) {
            double value = constantResult(c.kind(), graph.constant[a], b < 0 ? 0 : graph.constant[b], d < 0 ? 0 : graph.constant[d], floating);
            return graph.constant(value, c.bits());
        }
        double x = left ? graph.constant[a] : Double.NaN;
        double y = right ? graph.constant[b] : Double.NaN;
        Operator wire = program.library().wire();
        return switch (c.kind()) {
            case ADD -> floating ? -1 : x == 0 ? b : y == 0 ? a : -1;
            case SUBTRACT -> !floating && y == 0 ? a : -1;
            case MULTIPLY -> floating ? -1 : multiplyByConstant(c, a, b, x, y);
            case DIVIDE, REMAINDER -> !floating && isPowerOfTwo(y) ? graph.operation(wire, c.bits(), a, b, -1) : -1;
            case SHIFT_VARIABLE, SHIFT_CONSTANT -> right ? graph.operation(wire, c.bits(), a, b, -1) : -1;
            case LOGIC -> (left || right) && !floating ? graph.operation(wire, c.bits(), a, b, -1) : -1;
            case SELECT -> left ? (x != 0 ? b : d) : b == d ? b : -1;
            case CONVERT -> c.operators()[0] == wire ? a : -1;
            default -> -1;
        };
    }

    private int multiplyByConstant(Value.Compute c, int a, int b, double x, double y) {
        double k = Double.isNaN(x) ? y : x;
        int other = Double.isNaN(x) ? a : b;
        if (Double.isNaN(k)) {
            return -1;
        }
        if (k == 0) {
            return graph.constant(0, 1);
        }
        if (k == 1) {
            return other;
        }
        if (isPowerOfTwo(Math.abs(k))) {
            return graph.operation(program.library().wire(), c.bits(), a, b, -1);
        }
        int digits = k == Math.rint(k) && Math.abs(k) < 1e15 ? signedDigits((long) Math.abs(k)) : 9;
        if (digits > 3) {
            return -1;
        }
        int sum = other;
        for (int i = 1; i < digits; i++) {
            sum = graph.operation(program.library().adder(c.bits()), c.bits(), sum, other, graph.constant(k + i, 1));
        }
        return sum;
    }

    /// Non-zero digits of the canonical signed-digit form.
    private static int signedDigits(long k) {
        int digits = 0;
        for (long rest = k; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                digits++;
                rest += (rest & 2) != 0 ? 1 : -1;
            }
        }
        return digits;
    }

    private boolean isConstant(int node) {
        return node >= 0 && graph.kind[node] == Graph.CONSTANT;
    }

    private static boolean isPowerOfTwo(double k) {
        return k >= 1 && k == Math.rint(k) && k < 1e15 && Long.bitCount((long) k) == 1;
    }

    private static double constantResult(OperationKind kind, double a, double b, double c, boolean floating) {
        double r = switch (kind) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> floating ? a / b : b == 0 ? Double.NaN : (double) ((long) a / (long) b);
            case REMAINDER -> b == 0 ? Double.NaN : (double) ((long) a % (long) b);
            case SELECT -> a != 0 ? b : c;
            case NEGATE -> -a;
            case CONVERT -> a;
            default -> Double.NaN;
        };
        return Double.isFinite(r) ? r : Double.NaN;
    }

    private int invoke(Invoke i) {
        int[] arguments = new int[i.arguments().length];
        for (int k = 0; k < arguments.length; k++) {
            arguments[k] = value(i.arguments()[k]);
        }
        if (staysModule(i)) {
            for (int k = 0; k < arguments.length; k++) {
                arguments[k] = graph.operation(program.library().boundary(), graph.bits[arguments[k]], arguments[k], -1, -1);
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
        return result >= 0 ? result : graph.constant(Double.NaN, i.bits());
    }

    /// Small functions without loops are inlined unless told otherwise; a module of its own takes its arguments from registers.
    private boolean staysModule(Invoke i) {
        byte said = plan.inline[i.callee().id];
        return said == 0 || said < 0 && !i.callee().explicitInline && i.callee().operations > INLINED_OPERATIONS;
    }

    private RunState state(Reference r) {
        long key = (long) r.id() * program.arrays().size() + binding[r.array()];
        int found = stateIndex.get(key, -1);
        if (found < 0) {
            found = states.size();
            states.add(makeState(r));
            stateIndex.put(key, found);
        }
        return states.get(found);
    }

    private RunState makeState(Reference r) {
        var s = new RunState();
        s.affine = r.affine();
        int dims = r.constants().length;
        Layout layout = plan.layouts[binding[r.array()]];
        if (!s.affine || dims != layout.dims || layout.array.fifo()) {
            s.affine = false;
            return s;
        }
        var key = new ArrayList<Long>();
        key.add((long) binding[r.array()]);
        s.gcd = new long[dims];
        s.low = new long[dims];
        s.high = new long[dims];
        s.bounded = new boolean[dims];
        for (int d = 0; d < dims; d++) {
            s.bounded[d] = true;
            for (int l = 0; l < r.loops().length; l++) {
                Iteration loop = program.loops().get(r.loops()[l]);
                long c = r.coefficients()[d][l];
                if (c == 0) {
                    continue;
                }
                if (loop.source.first().isEmpty()) {
                    s.gcd[d] = gcd(s.gcd[d], c);
                    s.bounded[d] = false;
                    key.add(~(long) loop.id);
                    key.add(c);
                }
                if (!unrolled[loop.id]) {
                    int copies = plan.unroll[loop.id];
                    long step = loop.source.step() * copies * c;
                    if (loop.source.step() == 0) {
                        s.gcd[d] = 1;
                        s.bounded[d] = false;
                    }
                    s.gcd[d] = gcd(s.gcd[d], step);
                    if (loop.maxTrip < 0) {
                        s.bounded[d] = false;
                    } else {
                        long last = Math.max(0, (loop.maxTrip - 1) / copies) * step;
                        s.low[d] += Math.min(0, last);
                        s.high[d] += Math.max(0, last);
                    }
                    key.add((long) loop.id);
                    key.add(step);
                }
            }
            long divisor = r.divisors()[d];
            if (divisor > 1) {
                s.gcd[d] = s.gcd[d] % divisor == 0 ? s.gcd[d] / divisor : s.gcd[d] == 0 ? 0 : 1;
                s.low[d] = Math.floorDiv(s.low[d], divisor);
                s.high[d] = Math.floorDiv(s.high[d], divisor);
            }
            key.add(Long.MIN_VALUE + divisor);
        }
        Integer run = runs.get(key);
        if (run == null) {
            run = runs.size();
            runs.put(key, run);
            runReferences.add(r);
            runArrays.add(binding[r.array()]);
        }
        s.run = run;
        return s;
    }

    /// Elements by which accesses of a run move from one iteration of the (unrolled) loop to the next.
    long stride(int run, Iteration loop) {
        Reference r = runReferences.get(run);
        long[] strides = program.arrays().get(runArrays.get(run)).strides();
        long sum = 0;
        for (int l = 0; l < r.loops().length; l++) {
            if (r.loops()[l] == loop.id) {
                for (int d = 0; d < strides.length; d++) {
                    sum += r.coefficients()[d][l] * loop.source.step() * plan.unroll[loop.id] / r.divisors()[d] * strides[d];
                }
            }
        }
        return sum;
    }

    private static long gcd(long a, long b) {
        long x = Math.abs(a);
        long y = Math.abs(b);
        while (y != 0) {
            long t = x % y;
            x = y;
            y = t;
        }
        return x;
    }

    /// Where an access goes in this copy.
    private int[] spotBanks;
    private long spotKey;
    private long spotLinear;
    private int spotRun;
    private boolean spotLanesKnown;
    private boolean spotBankKnown;
    private boolean spotOddFactor;

    private void locate(Reference r, Layout layout, RunState s) {
        int dims = layout.dims;
        int code = 0;
        boolean banksKnown = true;
        boolean lanesKnown = true;
        boolean odd = false;
        long key = LongMap.mix(s.run * 1009L + binding[r.array()]);
        long linear = 0;
        for (int d = 0; d < dims; d++) {
            long c = r.constants()[d];
            for (int l = 0; l < r.loops().length; l++) {
                c += r.coefficients()[d][l] * offset[r.loops()[l]];
            }
            if (r.divisors()[d] > 1) {
                c = Math.floorDiv(c, r.divisors()[d]);
            }
            linear += c * layout.array.strides()[d];
            long local = c;
            long low = s.low[d];
            long high = s.high[d];
            long g = s.gcd[d];
            int f = layout.factor[d];
            int digit = 0;
            boolean known = true;
            if (f > 1) {
                if (layout.cyclic[d]) {
                    // index mod f is known as far as the running part's greatest common divisor reaches
                    int modulus = (int) gcd(g % f, f);
                    known = modulus == f;
                    digit = layout.digit(d, modulus, (int) Math.floorMod(c, (long) modulus));
                    if (known) {
                        local = Math.floorDiv(c, (long) f);
                        g /= f;
                        low = Math.floorDiv(low, (long) f);
                        high = Math.floorDiv(high, (long) f);
                    }
                } else {
                    long first = Math.floorDiv(c + low, layout.block[d]);
                    known = (s.bounded[d] || g == 0) && first == Math.floorDiv(c + high, layout.block[d]) && first >= 0 && first < f;
                    digit = known ? layout.digit(d, f, (int) first) : 0;
                    if (known) {
                        local = c - first * layout.block[d];
                    }
                }
                banksKnown &= known;
                odd |= !known && Integer.bitCount(f) != 1;
            }
            code = code * layout.digits(d) + digit;
            int lanes = layout.lanes[d];
            long word = local;
            if (lanes > 1) {
                boolean lane = false;
                if (layout.lanesCyclic[d]) {
                    // Within a block the lane does not depend on which block it is.
                    boolean aligned = known || !layout.cyclic[d] && layout.block[d] % lanes == 0;
                    lane = aligned && g % lanes == 0;
                    word = lane ? Math.floorDiv(local, (long) lanes) : local;
                }
                // Neighbours of a block-wise word lie far apart; the tool was not seen to join their accesses.
                lanesKnown &= lane;
                key = LongMap.mix(key * 31 + (lane ? 1 : 0));
            }
            key = LongMap.mix(LongMap.mix(key * 0x9E3779B97F4A7C15L + digit) + word);
        }
        spotBanks = layout.registers ? null : layout.banksOf(code);
        spotKey = key;
        spotLinear = linear;
        spotRun = s.run;
        spotBankKnown = banksKnown;
        spotLanesKnown = lanesKnown;
        spotOddFactor = odd;
    }

    private Memory memory(int array) {
        Memory m = memories[array];
        if (m == null) {
            m = new Memory();
            memories[array] = m;
        }
        return m;
    }

    private int read(Reference r, int width) {
        int array = binding[r.array()];
        Layout layout = plan.layouts[array];
        Memory memory = memory(array);
        if (layout.array.fifo()) {
            return stream(Graph.LOAD, array, layout, memory, -1, width);
        }
        RunState s = state(r);
        int index = -1;
        if (s.affine) {
            locate(r, layout, s);
        } else {
            index = address(r);
            unlocated(layout, array, index);
        }
        int word = loadWord(r, layout, array, memory, index, s.affine);
        if (graph.kind[word] != Graph.LOAD || layout.lanesInWord == 1) {
            return word;
        }
        if (spotLanesKnown) {
            // the element is a fixed part of the word, a wire
            return word;
        }
        // one shifter per access
        muxReported += 2.0 * width * layout.lanesInWord;
        muxReal += 0.25 * width * (layout.lanesInWord - 1);
        return word;
    }

    private void unlocated(Layout layout, int array, int index) {
        int code = layout.codeUnknown();
        spotBanks = layout.registers ? null : layout.banksOf(code);
        spotKey = LongMap.mix(LongMap.mix(array * 77L + 5) + index);
        spotLinear = 0;
        spotRun = -1;
        spotBankKnown = layout.banks == 1;
        spotLanesKnown = layout.lanesInWord == 1;
        spotOddFactor = false;
        for (int d = 0; d < layout.dims; d++) {
            spotOddFactor |= Integer.bitCount(layout.factor[d]) != 1;
        }
    }

    private int address(Reference r) {
        int node = -1;
        if (r.affine()) {
            return graph.constant(Double.NaN, 32);
        }
        for (Value v : r.indices()) {
            int n = value(v);
            node = node < 0 ? n : graph.operation(program.addressAdders()[r.array()], graph.bits[n], node, n, -1);
        }
        return node < 0 ? graph.constant(Double.NaN, 32) : node;
    }

    private int loadWord(Reference r, Layout layout, int array, Memory memory, int index, boolean affine) {
        // The table holds the node with this word's value, valid while no store that may alias came after it.
        int found = latest.get(spotKey, -1);
        if (found >= 0 && validSince[found] >= lastAlias(memory, affine ? spotRun : -1)) {
            return valueOf[found];
        }
        if (affine && hoistable(r, array)) {
            hoisted[array]++;
            int held = graph.add(Graph.LIVE_IN, null, layout.array.bits());
            remember(spotKey, held);
            return held;
        }
        boolean register = layout.registers;
        boolean elsewhere = !spotBankKnown && layout.banks > 1;
        Operator op = register ? program.library().registerRead() : program.library().load();
        int before = index;
        if (affine && !register && needsAdder(r)) {
            before = graph.operation(program.addressAdders()[array], 16, graph.constant(spotKey, 16), graph.constant(spotRun, 16), -1);
        }
        int n = graph.add(Graph.LOAD, op, layout.array.bits());
        if (before >= 0) {
            graph.argument(before);
        }
        place(n, array, layout);
        if (elsewhere) {
            steer(n, layout, true);
        }
        orderAfterStores(memory, affine ? spotRun : -1, n);
        if (exitCheck >= 0) {
            graph.argument(~exitCheck);
        }
        memory.read(affine ? spotRun : -1, epoch);
        remember(spotKey, n);
        return n;
    }

    /// Whether a running base has to be added to a constant.
    private static boolean needsAdder(Reference r) {
        return r.loops().length > 1;
    }

    private void place(int n, int array, Layout layout) {
        graph.array[n] = array;
        graph.banks[n] = spotBanks;
        graph.run[n] = spotRun;
        graph.linear[n] = spotLinear;
        if (!spotBankKnown && spotOddFactor && layout.banks > 1 && !layout.registers) {
            // bank = index modulo a number that is not a power of two: a small constant divider
            graph.extraStates[n] = 3;
            extraDsp += 2;
            muxReported += 160;
            muxReal += 90;
        }
    }

    /// Multiplexer (read) or decoder (write) of an access whose bank is known only when it happens.
    private void steer(int n, Layout layout, boolean reading) {
        int[] banks = graph.banks[n];
        int f = banks == null ? layout.banks : banks.length;
        double levels = Math.ceil(Math.log(f) / Math.log(4));
        if (reading) {
            graph.extraNs[n] = 0.6 * levels * program.library().logicDelay();
            muxReported += program.library().reportedMux(f);
            muxReal += layout.array.bits() * Math.ceil(f / 4.0);
        } else {
            muxReported += program.library().reportedMux(f);
            muxReal += f + (banks == null ? layout.array.bits() * f * 0.5 : 0);
        }
        muxDepth = Math.max(muxDepth, f);
    }

    private int[] validSince = new int[16];
    private int[] valueOf = new int[16];
    private int entries;

    private void remember(long key, int value) {
        if (entries == valueOf.length) {
            validSince = Arrays.copyOf(validSince, entries * 2);
            valueOf = Arrays.copyOf(valueOf, entries * 2);
        }
        validSince[entries] = epoch;
        valueOf[entries] = value;
        latest.put(key, entries++);
    }

    /// Time of the last store that may touch what an access of this run touches, other than by the very same address.
    private int lastAlias(Memory memory, int run) {
        int last = memory.lastUnknown >= 0 ? storeEpoch(memory.lastUnknown) : -1;
        for (int k = 0; k < memory.count; k++) {
            if (run < 0 || memory.storeRuns[k] != run) {
                last = Math.max(last, storeEpoch(memory.storeNodes[k]));
            }
        }
        return last;
    }

    private int[] epochOfNode = new int[16];

    private int storeEpoch(int node) {
        return epochOfNode[node];
    }

    private void orderAfterStores(Memory memory, int run, int node) {
        if (memory.lastUnknown >= 0) {
            graph.argument(~memory.lastUnknown);
        }
        for (int k = 0; k < memory.count; k++) {
            if (run < 0 || memory.storeRuns[k] != run) {
                graph.argument(~memory.storeNodes[k]);
            }
        }
    }

    private void write(Reference r, int value) {
        int array = binding[r.array()];
        Layout layout = plan.layouts[array];
        Memory memory = memory(array);
        stores++;
        if (layout.array.fifo()) {
            stream(Graph.STORE, array, layout, memory, value, layout.array.bits());
            return;
        }
        RunState s = state(r);
        int index = -1;
        if (s.affine) {
            locate(r, layout, s);
        } else {
            index = address(r);
            unlocated(layout, array, index);
        }
        boolean elsewhere = !spotBankKnown && layout.banks > 1;
        boolean partial = layout.lanesInWord > 1;
        long key = spotKey;
        int run = spotRun;
        // The store before to the same element is dead where nothing can have read it: loads of it were forwarded.
        int old = latest.get(~key, -1);
        if (old >= 0 && predicate < 0 && s.affine && !partial && validSince[old] >= lastAlias(memory, run)
                && !memory.readElsewhere(run, validSince[old])) {
            graph.root[valueOf[old]] = false;
        }
        Operator op = layout.registers ? program.library().registerWrite() : partial ? program.library().wideStore() : program.library().store();
        int n = graph.add(Graph.STORE, op, layout.array.bits());
        graph.argument(value);
        if (index >= 0) {
            graph.argument(index);
        }
        if (predicate >= 0) {
            graph.argument(predicate);
        }
        graph.root[n] = true;
        place(n, array, layout);
        if (elsewhere) {
            steer(n, layout, false);
        }
        orderAfterStores(memory, s.affine ? run : -1, n);
        if (exitCheck >= 0) {
            graph.argument(~exitCheck);
        }
        epoch++;
        if (n >= epochOfNode.length) {
            epochOfNode = Arrays.copyOf(epochOfNode, Math.max(n + 1, epochOfNode.length * 2));
        }
        epochOfNode[n] = epoch;
        if (s.affine && predicate < 0 && !partial) {
            note(memory, run, n);
            remember(key, value);
            validSince[entries - 1] = epoch;
            remember(~key, n);
            validSince[entries - 1] = epoch;
        } else {
            memory.lastUnknown = n;
        }
    }

    private void note(Memory memory, int run, int node) {
        for (int k = 0; k < memory.count; k++) {
            if (memory.storeRuns[k] == run) {
                memory.storeNodes[k] = node;
                return;
            }
        }
        if (memory.count == memory.storeRuns.length) {
            memory.storeRuns = Arrays.copyOf(memory.storeRuns, memory.count * 2);
            memory.storeNodes = Arrays.copyOf(memory.storeNodes, memory.count * 2);
        }
        memory.storeRuns[memory.count] = run;
        memory.storeNodes[memory.count++] = node;
    }

    private int stream(byte nodeKind, int array, Layout layout, Memory memory, int value, int width) {
        int n = graph.add(nodeKind, nodeKind == Graph.LOAD ? program.library().registerRead() : program.library().store(), width);
        if (value >= 0) {
            graph.argument(value);
        }
        if (memory.lastStream >= 0) {
            graph.argument(~memory.lastStream);
        }
        graph.array[n] = array;
        graph.banks[n] = layout.banksOf(layout.codeUnknown());
        graph.root[n] = true;
        memory.lastStream = n;
        return n;
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

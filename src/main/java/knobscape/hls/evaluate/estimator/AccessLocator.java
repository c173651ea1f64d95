package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Reference;
import knobscape.space.LongIntMap;
import org.jspecify.annotations.Nullable;

/// Finds out where an access goes: which banks, which word, and which accesses surely go elsewhere. Variables
/// of loops that were written out are constants; those of running loops move by their step times the copies of
/// the body.
final class AccessLocator {
    private final Program program;
    private final Plan plan;
    private final int[] binding;
    private final boolean[] unrolled;
    private final long[] offset;
    private final Map<List<Long>, Integer> runs = new HashMap<>();
    private final List<Reference> runReferences = new ArrayList<>();
    private final List<Integer> runArrays = new ArrayList<>();
    private final List<RunState> states = new ArrayList<>();
    private final LongIntMap stateIndex = new LongIntMap(16);

    /// Loops that run in the block, null for straight code.
    int @Nullable [] running;

    /// Banks of the last located access, null for registers.
    int @Nullable [] banks;
    /// Key of the word: equal exactly for accesses to the same word in the same iteration.
    long key;
    /// Key of the element, where its place in the word is known; equal to the word's otherwise.
    long element;
    /// Constant part of the linear address.
    long linear;
    /// Accesses of equal run differ by constants only; -1 where not affine.
    int run;
    boolean lanesKnown;
    boolean bankKnown;
    /// Whether bank or lane take a division by a number that is not a power of two.
    boolean oddFactor;

    /// What is the same for all copies of one reference in this block.
    @SuppressWarnings("NullAway.Init") // the arrays are there where the access is affine
    private static final class RunState {
        int run;
        boolean affine;
        /// Per dimension: coefficients of running loops reduced to what layouts need to know.
        long[] gcd;
        long[] low;
        long[] high;
        boolean[] bounded;
    }

    /// @param binding root array behind each formal one, shared with the builder
    /// @param unrolled loops that are written out, shared with the builder
    /// @param offset value of each loop's variable in the first of the running iterations, shared with the
    /// builder
    AccessLocator(Program program, Plan plan, int[] binding, boolean[] unrolled, long[] offset) {
        this.program = program;
        this.plan = plan;
        this.binding = binding;
        this.unrolled = unrolled;
        this.offset = offset;
    }

    /// Locates an affine access; false where it is not affine for this memory.
    boolean locate(Reference r, Layout layout) {
        RunState s = state(r);
        if (s.affine) {
            locate(r, layout, s);
        }
        return s.affine;
    }

    /// An access about whose place nothing is known but the node that computes it.
    void unlocated(Layout layout, int array, int index) {
        int code = layout.codeUnknown();
        this.banks = layout.registers ? null : layout.banksOf(code);
        this.key = LongIntMap.mix(LongIntMap.mix(array * 77L + 5) + index);
        this.element = key;
        this.linear = 0;
        this.run = -1;
        this.bankKnown = layout.banks == 1;
        this.lanesKnown = layout.lanesInWord == 1;
        this.oddFactor = false;
        for (int d = 0; d < layout.dims; d++) {
            this.oddFactor |= layout.odd(d);
        }
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
                    sum += r.coefficients()[d][l]
                            * loop.source.step()
                            * plan.unroll[loop.id]
                            / r.divisors()[d]
                            * strides[d];
                }
            }
        }
        return sum;
    }

    /// Whether an index moves with a loop that runs in this block; what does not is found before the block.
    private boolean moves(Reference r, int dimension) {
        for (int l = 0; l < r.loops().length; l++) {
            int loop = r.loops()[l];
            if (r.coefficients()[dimension][l] != 0
                    && (running == null || Arrays.stream(running).anyMatch(x -> x == loop))) {
                return true;
            }
        }
        return false;
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

    private void locate(Reference r, Layout layout, RunState s) {
        int dims = layout.dims;
        int code = 0;
        boolean banksKnown = true;
        boolean lanesKnown = true;
        boolean odd = false;
        long key = LongIntMap.mix(s.run * 1009L + binding[r.array()]);
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
                    known = (s.bounded[d] || g == 0)
                            && first == Math.floorDiv(c + high, layout.block[d])
                            && first >= 0
                            && first < f;
                    digit = known ? layout.digit(d, f, (int) first) : 0;
                    if (known) {
                        local = c - first * layout.block[d];
                    }
                }
                banksKnown &= known;
                odd |= !known && layout.oddBanks(d) && moves(r, d);
            }
            code = code * layout.digits(d) + digit;
            int lanes = layout.lanes[d];
            long word = local;
            if (lanes > 1) {
                boolean lane = false;
                if (layout.lanesCyclic[d]) {
                    // Within a block the lane does not depend on which block it is.
                    boolean aligned = known || (!layout.cyclic[d] && layout.block[d] % lanes == 0);
                    lane = aligned && g % lanes == 0;
                    word = lane ? Math.floorDiv(local, (long) lanes) : local;
                }
                // Neighbours of a block-wise word lie far apart; the tool was not seen to join their accesses.
                lanesKnown &= lane;
                odd |= !lane && layout.oddLanes(d) && moves(r, d);
                key = LongIntMap.mix(key * 31 + (lane ? 1 : 0));
            }
            key = LongIntMap.mix(LongIntMap.mix(key * 0x9E3779B97F4A7C15L + digit) + word);
        }
        this.banks = layout.registers ? null : layout.banksOf(code);
        this.key = key;
        this.element = lanesKnown && layout.lanesInWord > 1 ? LongIntMap.mix(key * 31 + linear) : key;
        this.linear = linear;
        this.run = s.run;
        this.bankKnown = banksKnown;
        this.lanesKnown = lanesKnown;
        this.oddFactor = odd;
    }
}

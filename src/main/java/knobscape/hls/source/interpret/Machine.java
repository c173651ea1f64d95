package knobscape.hls.source.interpret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.source.Location;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;

/// What a run of one program has: memory, global variables, streams, and what is left of its limits.
final class Machine {
    private static final int OFTEN = 1 << 14;
    private final ExactProgram program;
    private final Limits limits;
    private final Body[] bodies;
    private final List<ArrayDeque<byte[]>> streams = new ArrayList<>();
    private final Map<Location, Counter> counters = new HashMap<>();
    final Memory memory;
    final LibraryRandom random = new LibraryRandom();
    /// Address of each global variable.
    final long[] globals;
    private long steps;
    private int depth;

    Machine(ExactProgram program, Limits limits) {
        this.program = program;
        this.limits = limits;
        memory = new Memory(limits.bytes());
        bodies = new Body[program.functions().size()];
        globals = new long[program.globals().size()];
        for (int i = 0; i < globals.length; i++) {
            ExactVariable v = program.globals().get(i);
            globals[i] = memory.add(new byte[v.type().size()], v.name());
        }
    }

    /// A function turned into code.
    ///
    /// @param slots of its frame: variables, then what its expressions keep for a moment
    /// @param blocks numbers of the variables that stand in memory
    record Body(ExactFunction function, int slots, int[] blocks, Step code) {}

    /// Iterations of a loop.
    static final class Counter {
        long entries;
        long min = Long.MAX_VALUE;
        long max;
        long total;

        void add(long iterations) {
            entries++;
            min = Math.min(min, iterations);
            max = Math.max(max, iterations);
            total += iterations;
        }
    }

    Counter counter(Location loop) {
        return counters.computeIfAbsent(loop, l -> new Counter());
    }

    Map<Location, Trips> trips() {
        var trips = new HashMap<Location, Trips>();
        counters.forEach((l, c) -> {
            if (c.entries > 0) {
                trips.put(l, new Trips(c.entries, c.min, c.max, c.total));
            }
        });
        return trips;
    }

    long steps() {
        return steps;
    }

    /// Counts a step; throws where there were enough.
    void step() {
        if (++steps > limits.steps()) {
            throw new Stop("takes more than " + limits.steps() + " steps");
        }
        if (steps % OFTEN == 0 && limits.cancelled().getAsBoolean()) {
            throw new Stop("was cancelled");
        }
    }

    Body body(int function) {
        Body known = bodies[function];
        if (known == null) {
            known = compiled(program.functions().get(function));
            bodies[function] = known;
        }
        return known;
    }

    Body compiled(ExactFunction f) {
        var expressions = new ExpressionCode(this, f);
        Step code = new StatementCode(this, expressions).step(f.body());
        int[] blocks = java.util.stream.IntStream.range(0, f.variables().size())
                .filter(i -> f.variables().get(i).inMemory())
                .toArray();
        return new Body(f, expressions.slots(), blocks, code);
    }

    /// Runs a function whose frame holds the values of its parameters (of those in memory: where they are to
    /// be copied from).
    void run(Body body, Frame frame) {
        step();
        if (++depth > limits.depth()) {
            throw new Stop("calls " + limits.depth() + " functions inside one another");
        }
        int mark = memory.mark();
        ExactFunction f = body.function();
        for (int i : body.blocks()) {
            ExactVariable v = f.variables().get(i);
            long address = memory.add(new byte[v.type().size()], v.name());
            if (i < f.parameters()) {
                // A wide parameter is put into memory by the caller, a structure is copied.
                if (v.type().isAggregate() || v.type().isWide()) {
                    memory.copy(address, frame.variables[i], v.type().size());
                } else {
                    store(address, v.type(), frame.variables[i]);
                }
            }
            frame.variables[i] = address;
        }
        body.code().run(frame);
        if (f.result() instanceof ExactType.Struct s && frame.result != 0) {
            // The caller copies it before anything else can take its place.
            returned = memory.bytes(frame.result, s.size());
        }
        memory.release(mark);
        depth--;
    }

    private byte[] returned = new byte[0];

    /// The structure that the last call returned.
    byte[] returned() {
        return returned;
    }

    void store(long address, ExactType type, long value) {
        switch (type.size()) {
            case 1 -> memory.store8(address, (byte) value);
            case 2 -> memory.store16(address, (short) value);
            case 4 -> memory.store32(address, (int) value);
            default -> memory.store64(address, value);
        }
    }

    /// Number of a new stream.
    long open() {
        streams.add(new ArrayDeque<>());
        return streams.size();
    }

    ArrayDeque<byte[]> stream(long number) {
        if (number < 1 || number > streams.size()) {
            throw new Stop("uses a stream that was never made");
        }
        return streams.get((int) number - 1);
    }
}

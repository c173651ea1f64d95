package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;
import knobscape.hls.evaluate.estimator.IrObjects.Memory;

/// A part of a memory that a library call copies or fills: the tool makes a pipelined loop of it, an element an
/// iteration.
final class IrTransfer {
    private static final Graph.Relations APART = new Graph.Relations() {
        @Override
        public int group(int node) {
            return 0;
        }

        @Override
        public int bank(int node) {
            return 0;
        }

        @Override
        public boolean exclusive(int a, int b) {
            return false;
        }
    };

    private final IrObjects objects;
    private final OperatorLibrary library;
    private final EstimatorSettings settings;

    IrTransfer(IrObjects objects, OperatorLibrary library, EstimatorSettings settings) {
        this.objects = objects;
        this.library = library;
        this.settings = settings;
    }

    /// Memories that a call writes and reads, in this order.
    List<Integer> ends(FunctionFacts f, IrInstruction call) {
        return IrCalls.ends(call).stream()
                .map(v -> objects.of(f.function().name(), f.forms().pointer(v)))
                .toList();
    }

    /// The loop of a call ([IrObjects#isTransfer]).
    Region of(FunctionFacts f, IrInstruction call) {
        List<Integer> ends = ends(f, call);
        double trips = elements(call, ends);
        var g = new Graph(APART);
        int value = ends.size() == 1
                ? g.constant(0, objects.get(ends.getFirst()).store().bits())
                : access(g, Graph.LOAD, ends.getLast(), Optional.empty());
        g.root[access(g, Graph.STORE, ends.getFirst(), Optional.of(value))] = true;
        g.findLive();
        Layout[] layouts = objects.layouts();
        Bursts bursts = Bursts.of(facts(trips), g, layouts, objects.buses(), true);
        var s = new BlockSchedule(g, layouts, settings.budgetNs());
        int interval = Math.max(1, s.portInterval);
        double cycles = s.depth
                + Math.max(0, trips - 1) * interval
                + settings.profile().pipelineEntry(false)
                + bursts.cycles * bursts.starts;
        Usage usage = BlockUsage.of(g, new Steering(), s, interval, library, settings.profile());
        usage.waitStates(bursts, library);
        usage.control(trips);
        return new Region(cycles, true, cycles, usage, List.of(), Map.of());
    }

    private int access(Graph g, byte kind, int memory, Optional<Integer> value) {
        Memory m = objects.get(memory);
        boolean load = kind == Graph.LOAD;
        FunctionalUnit op;
        if (m.store().onBus()) {
            Buses.Port port = objects.buses().ports().get(m.store().bus());
            op = (load ? port.read() : port.write()).single();
        } else if (m.layout().registers) {
            op = load ? library.registerRead() : library.registerWrite();
        } else {
            op = load ? library.load() : library.store();
        }
        int n = g.add(kind, op, m.store().bits());
        value.ifPresent(g::argument);
        g.array[n] = memory;
        g.banks[n] = m.layout().registers ? null : new int[] {0};
        g.run[n] = m.store().onBus() ? kind : -1;
        return n;
    }

    /// As many as the length says, else as the smaller memory holds.
    private double elements(IrInstruction call, List<Integer> ends) {
        long bytes = AffineForms.whole(call.operands().get(2)).orElse(-1);
        long most = Long.MAX_VALUE;
        for (int e : ends) {
            Memory m = objects.get(e);
            if (bytes >= 0) {
                most = Math.min(most, Math.ceilDiv(bytes, m.elementBytes()));
            } else if (m.store().source().elements() > 0) {
                most = Math.min(most, m.store().source().elements());
            }
        }
        return most == Long.MAX_VALUE ? settings.trips().assumed() : most;
    }

    private static Bursts.Facts facts(double trips) {
        return new Bursts.Facts() {
            @Override
            public int loops() {
                return 1;
            }

            @Override
            public double iterations(int loop) {
                return trips;
            }

            @Override
            public boolean isCounted() {
                return true;
            }

            @Override
            public boolean isGuarded(int node) {
                return false;
            }

            @Override
            public long stride(int run, int loop) {
                return 1;
            }
        };
    }
}

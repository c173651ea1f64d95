package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import knobscape.hls.evaluate.estimator.EstimateReport.ArrayEstimate;
import knobscape.hls.evaluate.estimator.EstimateReport.OperatorEstimate;
import org.jspecify.annotations.Nullable;

/// The hardware of a whole design from that of its regions.
final class Totals {
    /// Bits up to which a queue of more than two words is made of shift registers (`config_storage fifo
    /// -auto_srl_max_bits`).
    private static final int SHIFT_BITS = 1024;

    private final OperatorLibrary library;
    private final Memories memories;
    private final Buses buses;

    Totals(OperatorLibrary library, EstimatorSettings settings, Buses buses) {
        this.library = library;
        memories = new Memories(settings);
        this.buses = buses;
    }

    /// Adds up operators, memories and the multiplexers at their ports.
    ///
    /// @param doubled memories that overlapping tasks hand over in two copies
    /// @param instances of a function, by number
    /// @param holders instances of the function to which a memory belongs
    /// @param arrays filled with what became of every memory, null where nobody asks
    /// @param operators filled with the shared operators
    Physics.Structure of(
            Layout[] layouts,
            Region top,
            Predicate<Layout> doubled,
            IntUnaryOperator instances,
            ToIntFunction<Layout> holders,
            @Nullable List<ArrayEstimate> arrays,
            @Nullable List<OperatorEstimate> operators) {
        var total = settled(top, layouts.length, operators);
        top.callees().forEach((number, c) -> {
            Usage one = settled(c, layouts.length, operators);
            for (int k = 0; k < instances.applyAsInt(number); k++) {
                total.add(one, false);
            }
        });
        double bram = 0;
        double uram = 0;
        for (Layout l : layouts) {
            if (l == null) {
                continue;
            }
            int held = holders.applyAsInt(l);
            double accesses = total.accesses[l.array.id()] / held;
            ports(total, l, accesses, library);
            long blocks = 0;
            String kind =
                    l.array.onBus() ? "AXI " + buses.ports().get(l.array.bus()).name() : "external";
            if (!l.array.external()) {
                int copies = Math.max(1, l.request.readers());
                // Two reads take both ports, a write and a read one of each kind.
                boolean simple = copies > 1 || accesses <= (l.array.rom() ? 1 : 2);
                kind = memories.kind(l, doubled.test(l));
                int buffers = held * copies * memories.copies(doubled.test(l));
                switch (kind) {
                    case "FIFO" -> {
                        blocks = l.depth > 2 && l.depth * l.wordBits > SHIFT_BITS
                                ? (long) held * l.banks * memories.blockRams(l.depth, l.wordBits, true)
                                : 0;
                        total.realLut += held * (l.wordBits + 20);
                        total.reportedLut += held * (l.wordBits + 30);
                        total.reportedFf += held * (l.wordBits + 8);
                        total.realFf += held * (l.wordBits + 8);
                    }
                    case "registers" -> {
                        double bits = (double) buffers * l.banks * l.array.bits() * l.lanesInWord;
                        total.reportedFf += bits;
                        total.realFf += bits;
                    }
                    case "LUTRAM" -> {
                        double there = (double) buffers * l.banks;
                        double sides = Math.ceil(accesses / l.banks / 2.0) > 1 ? 2 : 1;
                        total.realLut += there * Memories.distributed(l.depth, l.wordBits) * (sides > 1 ? 1.5 : 1);
                        total.reportedLut += there * sides * memories.reportedLuts(l, doubled.test(l));
                        total.reportedFf += there * sides * l.wordBits;
                        total.realFf += there * sides * l.wordBits;
                    }
                    case "URAM" -> uram += (double) buffers * l.banks * Memories.ultraRams(l.depth, l.wordBits);
                    default -> blocks = (long) buffers * l.banks * memories.blockRams(l, doubled.test(l), simple);
                }
                bram += blocks;
            }
            if (arrays != null) {
                arrays.add(new ArrayEstimate(l.array.source().id(), kind, l.banks, l.depth, l.wordBits, blocks));
            }
        }
        bram += buses.addTo(
                total,
                Arrays.stream(layouts)
                        .filter(Objects::nonNull)
                        .map(l -> l.array)
                        .toList());
        total.dsp = Math.ceil(total.dsp);
        // Pure wiring reports no cycle; whoever starts it still waits one.
        return new Physics.Structure(Math.max(1, Math.rint(top.cycles())), total, bram, uram);
    }

    private Usage settled(Region r, int arrays, @Nullable List<OperatorEstimate> operators) {
        var u = new Usage(library.shared().size(), arrays);
        u.add(r.usage(), false);
        u.settle(library.shared(), library);
        for (int i = 0; operators != null && i < u.units.length; i++) {
            if (u.settledUnits[i] > 0) {
                FunctionalUnit op = library.shared().get(i);
                operators.add(new OperatorEstimate(
                        op.name(),
                        Math.round(u.settledUnits[i]),
                        Math.round(u.settledOperations[i]),
                        op.states(),
                        op.area().dsp()));
            }
        }
        return u;
    }

    /// Multiplexers that lead the addresses and data of all accesses to the ports of the banks.
    private static void ports(Usage total, Layout l, double accesses, OperatorLibrary library) {
        if (accesses <= 0 || l.registers || l.channels) {
            return;
        }
        double ports = (double) l.banks * l.ports;
        double inputs = accesses / ports;
        double used = Math.min(ports, accesses);
        int addressBits = Math.max(1, 64 - Long.numberOfLeadingZeros(Math.max(1, l.depth - 1)));
        total.reportedLut += used * library.reportedMux(Math.ceil(inputs));
        total.realLut += used * Usage.muxLut(addressBits, inputs);
        total.widestMux = Math.max(total.widestMux, inputs);
    }
}

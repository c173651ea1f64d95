package knobscape.hls.evaluate.estimator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.hls.evaluate.estimator.IrObjects.Memory;
import knobscape.hls.evaluate.estimator.IrPlaces.Place;

/// Tables of constants that the calls in a block have for themselves: a function that is told not to be inlined stays a
/// module also where the loop around its calls is pipelined, and every such module has its own copy of what it reads.
final class OwnTables {
    /// More than the banks of a table.
    private static final int BANKS = 1 << 20;

    private final IrOrders orders;
    /// Loads so far, by memory and place in the source.
    private final Map<List<Object>, Integer> loads = new HashMap<>();
    private final Map<Integer, Integer> copies = new HashMap<>();

    OwnTables(IrOrders orders) {
        this.orders = orders;
    }

    /// The place of a load in the copy that its call has.
    Place place(IrInstruction load, int memory, Memory m, Place at) {
        Optional<IrLocation> where = load.location().filter(l -> l.inlinedAt().isPresent());
        if (!m.store().rom()
                || where.isEmpty()
                || !orders.staysApart(where.get().function())) {
            return at;
        }
        // Calls that an unrolled loop makes are told apart by their order alone.
        int call = loads.merge(List.of(memory, where.get()), 1, Integer::sum);
        copies.merge(memory, call, Math::max);
        int copy = (call - 1) * BANKS;
        return new Place(
                at.group(), at.bank() + copy, at.port() + copy, at.choices(), at.laneKnown(), at.divided(), at.word());
    }

    /// Copies by memory.
    Map<Integer, Integer> copies() {
        return copies;
    }
}

package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IterationCounts.Count;
import knobscape.compile.ir.IrLoopMark;
import knobscape.hls.evaluate.estimator.IrOrders.LoopOrder;

/// Iterations of loops: counted in the source, said by it, or assumed.
///
/// @param notes take what was assumed, a sentence each
record IrTrips(IrOrders orders, EstimatorSettings.Trips trips, Consumer<String> notes) {
    /// The directives of a loop.
    LoopOrder order(IrLoop loop) {
        return orders.loop(loop);
    }

    /// The loop's own name, else where it begins; a pass that lost its mark leaves the loops inside.
    String name(IrLoop loop, LoopOrder order) {
        return !order.name().isEmpty()
                ? order.name()
                : loop.mark()
                        .flatMap(IrLoopMark::start)
                        .map(l -> "line " + l.line())
                        .orElseGet(() -> loop.children().stream()
                                .findFirst()
                                .map(c -> "around " + name(c, order(c)))
                                .orElse("a loop"));
    }

    /// Iterations per entry.
    ///
    /// @param arguments of the function as far as they are known
    double of(FunctionFacts f, IrLoop loop, List<OptionalLong> arguments) {
        LoopOrder order = order(loop);
        Optional<Count> count = f.counts().of(loop);
        OptionalLong given =
                count.isEmpty() && !arguments.isEmpty() ? f.counts().of(loop, arguments) : OptionalLong.empty();
        if (given.isPresent() && order.mean() < 0) {
            return given.getAsLong();
        }
        TripBasis basis = trips.basis();
        if (basis != TripBasis.USUAL && count.filter(Count::exact).isEmpty()) {
            Optional<Count> counted = count.filter(Count::sole);
            if (counted.isPresent()) {
                Count c = counted.get();
                return stepped(f, loop, order, basis.of(c.least(), c.most(), c.mean()));
            }
            double most = Math.min(
                    order.most() >= 0 ? order.most() : Double.MAX_VALUE,
                    count.map(c -> (double) c.most()).orElse(Double.MAX_VALUE));
            if (most < Double.MAX_VALUE) {
                return stepped(
                        f, loop, order, basis.of(Math.min(most, Math.max(0, order.least())), most, order.mean()));
            }
        }
        if (count.filter(Count::exact).isEmpty() && order.mean() >= 0) {
            return stepped(f, loop, order, order.mean());
        }
        if (order.most() >= 0
                && (count.isEmpty()
                        || (!count.get().exact() && order.most() < count.get().most()))) {
            return order.most();
        }
        if (count.isEmpty()) {
            notes.accept("the number of iterations of loop " + name(loop, order) + " depends on data; "
                    + trips.assumed() + " are assumed (LOOP_TRIPCOUNT says more)");
            return trips.assumed();
        }
        return count.get().mean();
    }

    /// Iterations of a loop of which several iterations may have become one: then the loop behind it does what is left.
    private double stepped(FunctionFacts f, IrLoop loop, LoopOrder order, double iterations) {
        if (order.unroll() < 2) {
            return iterations;
        }
        boolean left = f.loops().all().stream()
                .anyMatch(l -> l.header() < loop.header()
                        && l.id().equals(loop.id())
                        && l.parent().equals(loop.parent()));
        return left ? (order.unroll() - 1) / 2.0 : Math.ceil(iterations / order.unroll());
    }
}

package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.source.Dependences;
import knobscape.hls.source.Loop;
import knobscape.hls.source.TripCount;
import org.jspecify.annotations.Nullable;

/// Adds to loops what is known only when all functions have been read: dependences through calls, and trip
/// counts that the user states.
final class LoopFinisher {
    private final Dependences dependences;
    private final Map<String, Set<String>> assigned;
    private final Map<String, TripCount> stated;

    /// @param dependences analysis of one function
    /// @param assigned loop id to the scalars it may assign
    /// @param stated loop id to what a pragma says
    LoopFinisher(Dependences dependences, Map<String, Set<String>> assigned, Map<String, TripCount> stated) {
        this.dependences = dependences;
        this.assigned = assigned;
        this.stated = stated;
    }

    /// The loop with the trip count that is stated, and dependences, of those inside too.
    Loop finish(Loop l) {
        TripCount trip = stated.containsKey(l.id()) ? merged(l.trip(), stated.get(l.id())) : l.trip();
        var finished = new Loop(
                l.id(),
                l.label(),
                l.labelled(),
                l.function(),
                l.parent(),
                l.depth(),
                l.variable(),
                l.first(),
                l.step(),
                trip,
                l.body().withLoops(this::finish),
                l.keyword(),
                l.bodyStart(),
                l.bodyEnd(),
                l.statementStart(),
                l.braced(),
                l.earlyExit(),
                List.of());
        return new Loop(
                l.id(),
                l.label(),
                l.labelled(),
                l.function(),
                l.parent(),
                l.depth(),
                l.variable(),
                l.first(),
                l.step(),
                trip,
                finished.body(),
                l.keyword(),
                l.bodyStart(),
                l.bodyEnd(),
                l.statementStart(),
                l.braced(),
                l.earlyExit(),
                dependences.of(finished, assigned.getOrDefault(l.id(), Set.of())));
    }

    /// What the user states counts where the source leaves the mean open, within what is proven.
    private static TripCount merged(TripCount found, TripCount stated) {
        if (found.isExact() || found.average().isPresent() || stated.certainty() != TripCount.Certainty.STATED) {
            return found;
        }
        long least = found.min().orElse(0);
        long most = found.max().orElse(Long.MAX_VALUE);
        return new TripCount(
                within(stated.min(), least, most),
                within(stated.max(), least, most),
                stated.average(),
                TripCount.Certainty.STATED);
    }

    private static OptionalLong within(OptionalLong n, long least, long most) {
        return n.isPresent() ? OptionalLong.of(Math.clamp(n.getAsLong(), least, most)) : n;
    }

    /// What LOOP_TRIPCOUNT says; unknown where it says nothing.
    static TripCount stated(Map<String, String> options) {
        OptionalLong min = number(options.get("min"));
        OptionalLong max = number(options.get("max"));
        OptionalLong avg = number(options.get("avg"));
        if (min.isEmpty() && max.isEmpty() && avg.isEmpty()) {
            return TripCount.unknown();
        }
        return new TripCount(
                min,
                max,
                avg.isPresent() ? OptionalDouble.of(avg.getAsLong()) : OptionalDouble.empty(),
                TripCount.Certainty.STATED);
    }

    private static OptionalLong number(@Nullable String s) {
        try {
            return s == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(s));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}

package knobscape.hls.evaluate.estimator;

import java.util.HashMap;
import java.util.Map;

/// The most units that a function may have of an operation (ALLOCATION): `mul`, `fadd`, `fmul`, `ddiv`, ... Only units
/// that serve several operations can be limited; others are smaller than what leads operations to them.
///
/// @param most by operation
record UnitLimits(Map<String, Integer> most) {
    static final UnitLimits NONE = new UnitLimits(Map.of());

    UnitLimits {
        most = Map.copyOf(most);
    }

    /// True if an ALLOCATION of that operation counts here.
    static boolean isKnown(String operation) {
        return operation.matches("mul|[us]div|[us]rem|[dfh](add|sub|mul|div)");
    }

    /// The same with one more limit; the smaller one where there are two.
    UnitLimits with(String operation, int units) {
        var all = new HashMap<>(most);
        all.merge(key(operation), Math.max(1, units), Math::min);
        return new UnitLimits(all);
    }

    /// The word for all units that share a limit: additions and subtractions run on one core.
    private static String key(String operation) {
        return operation.matches("[us](div|rem)") ? "div" : operation.replace("sub", "add");
    }

    /// Most units of an operator, 0 for any number.
    int of(FunctionalUnit unit) {
        return unit.sharing() < 0 ? 0 : most.getOrDefault(key(unit), 0);
    }

    /// The key that a unit's limit is counted by.
    static String key(FunctionalUnit unit) {
        int dot = unit.name().indexOf('.');
        return dot < 0 ? unit.name() : unit.name().substring(0, dot);
    }
}

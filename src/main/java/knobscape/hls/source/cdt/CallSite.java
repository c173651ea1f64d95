package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.Location;

/// One call of a function of the source.
///
/// @param caller calling function
/// @param callee called function
/// @param actuals arguments in order
/// @param self object of a method call, a struct or an element
/// @param location of the call
record CallSite(Instance caller, Instance callee, List<Actual> actuals, Optional<Actual> self, Location location) {
    CallSite {
        actuals = List.copyOf(actuals);
    }

    /// An argument.
    sealed interface Actual {}

    /// A value.
    record Number(LinearForm formula) implements Actual {}

    /// An array, a row of it (`indices` given), or a part of it (not `whole`).
    record Array(ArrayInfo array, int indices, boolean whole) implements Actual {}

    /// An element of an array, a struct, of which the callee gets the place.
    record Element(ArrayInfo array) implements Actual {}

    /// A struct or scalar of which the callee gets the place.
    record Struct(Place place) implements Actual {}
}

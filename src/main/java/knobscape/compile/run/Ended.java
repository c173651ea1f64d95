package knobscape.compile.run;

import java.util.Optional;
import knobscape.compile.ir.IrLocation;

/// A run that ended early: something that is not run here, an address outside, too many steps. The message goes on from
/// "the run".
public final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // Never written.
    private final Optional<IrLocation> location;

    Ended(String why) {
        this(why, Optional.empty());
    }

    private Ended(String why, Optional<IrLocation> location) {
        super(why, null, false, false);
        this.location = location;
    }

    /// The same at a place, where none is known yet.
    Ended at(Optional<IrLocation> place) {
        return location.isPresent() || place.isEmpty() ? this : new Ended(String.valueOf(getMessage()), place);
    }

    /// Where in the source, where that is known.
    public Optional<IrLocation> location() {
        return location;
    }
}

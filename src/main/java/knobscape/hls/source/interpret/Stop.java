package knobscape.hls.source.interpret;

import java.util.Optional;
import knobscape.hls.source.Location;

/// Ends a run that cannot go on.
final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Optional<Location> location;

    /// @param reason a clause without subject's place: "divides by zero"
    Stop(String reason) {
        this(reason, Optional.empty());
    }

    private Stop(String reason, Optional<Location> location) {
        super(reason, null, false, false);
        this.location = location;
    }

    Optional<Location> location() {
        return location;
    }

    /// The same, at this place unless a place is known.
    Stop at(Location place) {
        return location.isPresent() ? this : new Stop(String.valueOf(getMessage()), Optional.of(place));
    }
}

package knobscape.hls.source.interpret;

import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.Location;

/// How a run ended.
///
/// @param stopped why it ended early, as a sentence with file and line; empty where it returned
/// @param result bytes of the returned value
/// @param trips of each loop that was reached, by the place of its keyword
/// @param steps iterations and calls it took
public record Outcome(Optional<String> stopped, byte[] result, Map<Location, Trips> trips, long steps) {
    public Outcome {
        trips = Map.copyOf(trips);
    }
}

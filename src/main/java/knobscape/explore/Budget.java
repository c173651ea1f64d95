package knobscape.explore;

/// The limits of a whole run, as far as its explorer is told beforehand.
///
/// @param toolSeconds tool time, positive infinity where it is not limited
/// @param steps questions to the explorer, initial designs not counted; [Integer#MAX_VALUE] where they are not limited
public record Budget(double toolSeconds, int steps) {
    /// No limits.
    public static final Budget NONE = new Budget(Double.POSITIVE_INFINITY, Integer.MAX_VALUE);

    public Budget {
        if (!(toolSeconds >= 0) || steps < 0) {
            throw new IllegalArgumentException(
                    "tool time and steps must be at least 0, were " + toolSeconds + " and " + steps);
        }
    }

    /// Limited in tool time only.
    public static Budget ofToolSeconds(double seconds) {
        return new Budget(seconds, Integer.MAX_VALUE);
    }
}

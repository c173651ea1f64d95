package knobscape.hls.source.interpret;

/// How often a loop's body ran.
///
/// @param entries times the loop was reached
/// @param min fewest iterations of one entry
/// @param max most iterations of one entry
/// @param total iterations of all entries
public record Trips(long entries, long min, long max, long total) {
    /// Iterations of an entry on average; 0 where it was never reached.
    public double mean() {
        return entries == 0 ? 0 : (double) total / entries;
    }

    /// The trips of two runs together.
    public Trips and(Trips other) {
        return new Trips(
                entries + other.entries, Math.min(min, other.min), Math.max(max, other.max), total + other.total);
    }
}

package knobscape.hls.evaluate.estimator;

/// The way in which the iterations of a block follow each other.
///
/// @param overlaps whether they overlap
/// @param target interval that was asked for, 0 for none
/// @param late whether the tool pipelines unasked and wrote out the loops inside for it. It does so after arrays are
/// divided: every copy of an access looks for its bank by itself, and copies are taken to meet there
record Pipelining(boolean overlaps, int target, boolean late) {
    /// One iteration after the other.
    static final Pipelining NONE = new Pipelining(false, 0, false);

    /// As a directive asks, or as the tool does where nothing inside is to be written out.
    static Pipelining of(int target) {
        return new Pipelining(true, target, false);
    }
}

package knobscape.fusion.search.sequence;

/// A teacher's lesson along one strategy: the state before every entry and how good each answer is.
///
/// @param states (N+1) x [Architecture.Kind#inputs]
/// @param answers (N+1) x [Architecture.Kind#outputs]: probabilities, 0 for what is not offered; or the teacher's
/// action
/// @param offered (N+1) x [Architecture.Kind#outputs], what may be answered
record Lesson(float[][] states, float[][] answers, boolean[][] offered) {
    /// Entries, N + 1.
    int length() {
        return states.length;
    }
}

package knobscape.gpu.space.nest;

/// When serial loops are unrolled: bottom-up, a loop of extent e whose body holds c statements (already
/// multiplied by the unrolled loops inside) is unrolled when e c <= `maxStep`, no rolled loop lies inside, and
/// at most [#MAX_DEPTH] loops are nested that way.
///
/// @param maxStep largest number of statements, 0 for no unrolling
/// @param explicit whether the generator writes the copies itself; else it leaves a hint to the compiler
public record UnrollPolicy(int maxStep, boolean explicit) {
    /// Most unrolled loops inside one another.
    public static final int MAX_DEPTH = 8;
    /// No unrolling.
    public static final UnrollPolicy NONE = new UnrollPolicy(0, false);
}

package knobscape.gpu.space.nest;

import java.util.List;

/// One place of a nest that reads or writes a buffer.
///
/// @param buffer the buffer
/// @param index flat index into it
/// @param write whether it writes; an accumulation writes and reads
/// @param read whether it reads
/// @param loops every axis around it, outermost first: blocks, virtual threads, threads, then loops
/// @param ofWarp whether the lanes of a warp access a matrix together, whose first element this is
/// @param conditions what must hold for it to happen; empty where it always does
public record BufferAccess(
        Buffer buffer,
        IndexExpr index,
        boolean write,
        boolean read,
        boolean ofWarp,
        List<Axis> loops,
        List<IndexBound> conditions) {
    /// Copies the lists.
    public BufferAccess {
        loops = List.copyOf(loops);
        conditions = List.copyOf(conditions);
    }
}

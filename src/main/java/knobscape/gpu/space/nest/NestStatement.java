package knobscape.gpu.space.nest;

import java.util.List;

/// A piece of a loop nest.
public sealed interface NestStatement {
    /// An axis around statements. A block or thread axis is a loop that the device runs in parallel.
    ///
    /// @param axis the axis
    /// @param body what is done for each iteration, in order
    record Loop(Axis axis, List<NestStatement> body) implements NestStatement {
        /// Copies the body.
        public Loop {
            body = List.copyOf(body);
        }
    }

    /// An element is written.
    ///
    /// @param buffer the buffer
    /// @param index flat index
    /// @param value what is written
    /// @param accumulate whether the value is added to what is there
    record Store(Buffer buffer, IndexExpr index, NestValue value, boolean accumulate) implements NestStatement {}

    /// Statements that run only where all conditions hold.
    ///
    /// @param conditions the conditions, none of which always holds, at least one
    /// @param body the statements
    record Guard(List<IndexBound> conditions, List<NestStatement> body) implements NestStatement {
        /// Copies the lists.
        public Guard {
            conditions = List.copyOf(conditions);
            body = List.copyOf(body);
        }
    }

    /// Serial loops inside are unrolled by a policy.
    ///
    /// @param policy the policy
    /// @param body the statements
    record Pragma(UnrollPolicy policy, List<NestStatement> body) implements NestStatement {
        /// Copies the body.
        public Pragma {
            body = List.copyOf(body);
        }
    }

    /// All threads of the block wait for one another.
    record Barrier() implements NestStatement {}

    /// The lanes of a warp, all of them, do something together with matrices that lie spread over their registers.
    ///
    /// @param action what
    /// @param to what is written
    /// @param from what is read, in the order of a product's factors; none to clear
    /// @param pitch elements from one row (or column) to the next of a matrix in memory; 0 where none is
    record Fragment(Action action, Place to, List<Place> from, long pitch) implements NestStatement {
        /// Rows, columns and depth of every fragment.
        public static final int SIDE = 16;
        /// Lanes of a warp.
        public static final int LANES = 32;
        /// Bytes of a fragment in the registers of one lane.
        static final int BYTES = 32;

        /// Copies the list.
        public Fragment {
            from = List.copyOf(from);
        }

        /// Actions of all lanes together.
        public enum Action {
            /// Zeros in a sum.
            CLEAR,
            /// A factor is read from shared memory.
            LOAD,
            /// A product is added to a sum.
            MULTIPLY,
            /// A sum is written to shared memory, row by row.
            STORE
        }

        /// An element of a buffer: a fragment, or the first element of a matrix.
        ///
        /// @param buffer the buffer
        /// @param index flat index into it
        public record Place(Buffer buffer, IndexExpr index) {}
    }

    /// The statements under `conditions`; they themselves where the conditions always hold.
    static List<NestStatement> guarded(List<IndexBound> conditions, List<NestStatement> body) {
        List<IndexBound> open = IndexBound.open(conditions);
        return open.isEmpty() ? body : List.of(new Guard(open, body));
    }

    /// The body under loops over `axes`, the first outermost.
    static NestStatement nested(List<Axis> axes, List<NestStatement> body) {
        List<NestStatement> inner = body;
        for (Axis a : axes.reversed()) {
            inner = List.of(new Loop(a, inner));
        }
        return inner.getFirst();
    }
}

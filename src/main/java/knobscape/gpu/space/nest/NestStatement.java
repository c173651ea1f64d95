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

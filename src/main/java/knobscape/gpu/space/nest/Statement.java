package knobscape.gpu.space.nest;

import java.util.List;

/// A piece of a loop nest.
public sealed interface Statement {
    /// An axis around statements. A block or thread axis is a loop that the device runs in parallel.
    ///
    /// @param axis the axis
    /// @param body what is done for each iteration, in order
    record Loop(Axis axis, List<Statement> body) implements Statement {
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
    record Store(Buffer buffer, IndexExpr index, Value value, boolean accumulate) implements Statement {}

    /// Statements that run only where all conditions hold.
    ///
    /// @param conditions the conditions, none of which always holds, at least one
    /// @param body the statements
    record Guard(List<Condition> conditions, List<Statement> body) implements Statement {
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
    record Pragma(UnrollPolicy policy, List<Statement> body) implements Statement {
        /// Copies the body.
        public Pragma {
            body = List.copyOf(body);
        }
    }

    /// All threads of the block wait for one another.
    record Barrier() implements Statement {}

    /// The statements under `conditions`; they themselves where the conditions always hold.
    static List<Statement> guarded(List<Condition> conditions, List<Statement> body) {
        List<Condition> open = Condition.open(conditions);
        return open.isEmpty() ? body : List.of(new Guard(open, body));
    }

    /// The body under loops over `axes`, the first outermost.
    static Statement nested(List<Axis> axes, List<Statement> body) {
        List<Statement> inner = body;
        for (Axis a : axes.reversed()) {
            inner = List.of(new Loop(a, inner));
        }
        return inner.getFirst();
    }
}

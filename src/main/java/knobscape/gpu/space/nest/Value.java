package knobscape.gpu.space.nest;

import java.util.List;

/// A float that a statement computes.
public sealed interface Value {
    /// An element of a buffer, or 0 where a condition fails (padding).
    ///
    /// @param buffer the buffer
    /// @param index flat index
    /// @param conditions what must hold for the element to exist; empty where it always does
    record Load(Buffer buffer, IndexExpr index, List<Condition> conditions) implements Value {
        /// Copies the conditions, without those that always hold.
        public Load {
            conditions = Condition.open(conditions);
        }

        /// An element that always exists.
        public Load(Buffer buffer, IndexExpr index) {
            this(buffer, index, List.of());
        }
    }

    /// A constant.
    ///
    /// @param value its value, finite
    record Constant(double value) implements Value {}

    /// Two values combined.
    ///
    /// @param operator how
    /// @param left first operand
    /// @param right second operand
    record Binary(Operator operator, Value left, Value right) implements Value {}

    /// How two values are combined.
    enum Operator {
        /// Sum.
        ADD,
        /// Difference.
        SUBTRACT,
        /// Product.
        MULTIPLY,
        /// The larger one.
        MAX,
        /// The smaller one.
        MIN
    }

    /// Sum.
    static Value add(Value left, Value right) {
        return new Binary(Operator.ADD, left, right);
    }

    /// Product.
    static Value multiply(Value left, Value right) {
        return new Binary(Operator.MULTIPLY, left, right);
    }

    /// Number of operations in it.
    default int operations() {
        return switch (this) {
            case Load _, Constant _ -> 0;
            case Binary b -> 1 + b.left().operations() + b.right().operations();
        };
    }
}

package knobscape.gpu.space.nest;

import java.util.List;
import java.util.Locale;

/// A float that a statement computes.
public sealed interface NestValue {
    /// An element of a buffer, or 0 where a condition fails (padding).
    ///
    /// @param buffer the buffer
    /// @param index flat index
    /// @param conditions what must hold for the element to exist; empty where it always does
    record Load(Buffer buffer, IndexExpr index, List<IndexBound> conditions) implements NestValue {
        /// Copies the conditions, without those that always hold.
        public Load {
            conditions = IndexBound.open(conditions);
        }

        /// An element that always exists.
        public Load(Buffer buffer, IndexExpr index) {
            this(buffer, index, List.of());
        }
    }

    /// A constant.
    ///
    /// @param value its value, finite
    record Constant(double value) implements NestValue {}

    /// A function of a value.
    ///
    /// @param function which
    /// @param of its argument
    record Unary(Function function, NestValue of) implements NestValue {}

    /// One value where conditions hold, else another; only the chosen one is computed.
    ///
    /// @param conditions all must hold; at least one, none of which always holds
    /// @param then the value where they do
    /// @param otherwise the value where one fails
    record Select(List<IndexBound> conditions, NestValue then, NestValue otherwise) implements NestValue {
        /// Copies the conditions.
        public Select {
            conditions = List.copyOf(conditions);
        }
    }

    /// Functions of one number, called as in C.
    enum Function {
        /// Exponential.
        EXP,
        /// Natural logarithm.
        LOG,
        /// Square root.
        SQRT,
        /// Hyperbolic tangent.
        TANH,
        /// Error function.
        ERF,
        /// Magnitude.
        FABS,
        /// Largest integer not above.
        FLOOR,
        /// Smallest integer not below.
        CEIL,
        /// Nearest integer, halves to even.
        RINT,
        /// Sine.
        SIN,
        /// Cosine.
        COS,
        /// The top bits of the four bytes of a word turned over: unsigned bytes become signed ones, 128 less.
        FLIP,
        /// A word whose four bytes are all the lowest byte of another one.
        SPREAD;

        /// True if it takes and makes a word of four bytes, not a float.
        public boolean isOfWords() {
            return this == FLIP || this == SPREAD;
        }

        /// The name that C's functions of doubles and OpenCL's have.
        public String cName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// Its value in double precision.
        public double of(double x) {
            return switch (this) {
                case EXP -> Math.exp(x);
                case LOG -> Math.log(x);
                case SQRT -> Math.sqrt(x);
                case TANH -> Math.tanh(x);
                case ERF -> ErrorFunction.of(x);
                case FABS -> Math.abs(x);
                case FLOOR -> Math.floor(x);
                case CEIL -> Math.ceil(x);
                case RINT -> Math.rint(x);
                case SIN -> Math.sin(x);
                case COS -> Math.cos(x);
                case FLIP -> (int) x ^ 0x80808080;
                case SPREAD -> ((int) x & 0xff) * 0x01010101;
            };
        }
    }

    /// Two values combined.
    ///
    /// @param operator how
    /// @param left first operand
    /// @param right second operand
    record Binary(Operator operator, NestValue left, NestValue right) implements NestValue {}

    /// How two values are combined.
    enum Operator {
        /// Sum.
        ADD,
        /// Difference.
        SUBTRACT,
        /// Product.
        MULTIPLY,
        /// Quotient.
        DIVIDE,
        /// Left to the power of right.
        POWER,
        /// The larger one.
        MAX,
        /// The smaller one.
        MIN,
        /// The sum of the products of the four signed bytes of two words.
        DOT;

        /// Its value in double precision.
        public double of(double left, double right) {
            return switch (this) {
                case ADD -> left + right;
                case SUBTRACT -> left - right;
                case MULTIPLY -> left * right;
                case DIVIDE -> left / right;
                case POWER -> Math.pow(left, right);
                case MAX -> Math.max(left, right);
                case MIN -> Math.min(left, right);
                case DOT -> dot((int) left, (int) right);
            };
        }

        private static int dot(int left, int right) {
            int sum = 0;
            for (int bit = 0; bit < Integer.SIZE; bit += Byte.SIZE) {
                sum += (byte) (left >> bit) * (byte) (right >> bit);
            }
            return sum;
        }
    }

    /// Sum.
    static NestValue add(NestValue left, NestValue right) {
        return new Binary(Operator.ADD, left, right);
    }

    /// Product.
    static NestValue multiply(NestValue left, NestValue right) {
        return new Binary(Operator.MULTIPLY, left, right);
    }

    /// Number of operations in it.
    default int operations() {
        return switch (this) {
            case Load _, Constant _ -> 0;
            case Binary b -> 1 + b.left().operations() + b.right().operations();
            case Unary u -> 1 + u.of().operations();
            case Select s -> 1 + s.then().operations() + s.otherwise().operations();
        };
    }
}

package knobscape.hls.evaluate.estimator;

import knobscape.hls.evaluate.estimator.Program.Value;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;

/// Constants are folded, and operations with a constant become wires or adders where hardware is simpler than
/// the operation.
final class Folding {
    private final Graph graph;
    private final OperatorLibrary library;

    Folding(Graph graph, OperatorLibrary library) {
        this.graph = graph;
        this.library = library;
    }

    /// Constants and operations that become wires; -1 where hardware is needed.
    int fold(Value.Compute c, int a, int b, int d) {
        boolean left = isConstant(a);
        boolean right = isConstant(b);
        boolean floating = c.family() == ScalarType.Kind.FLOAT
                || c.family() == ScalarType.Kind.DOUBLE
                || c.family() == ScalarType.Kind.HALF;
        if (left && (b < 0 || right) && (d < 0 || isConstant(d))) {
            double value = constantResult(
                    c.kind(),
                    graph.constant[a],
                    b < 0 ? 0 : graph.constant[b],
                    d < 0 ? 0 : graph.constant[d],
                    floating);
            return graph.constant(value, c.bits());
        }
        double x = left ? graph.constant[a] : Double.NaN;
        double y = right ? graph.constant[b] : Double.NaN;
        Operator wire = library.wire();
        return switch (c.kind()) {
            case ADD -> floating ? -1 : x == 0 ? b : y == 0 ? a : -1;
            case SUBTRACT -> !floating && y == 0 ? a : -1;
            case MULTIPLY -> floating ? -1 : multiplyByConstant(c, a, b, x, y);
            case DIVIDE, REMAINDER -> !floating && isPowerOfTwo(y) ? graph.operation(wire, c.bits(), a, b, -1) : -1;
            case SHIFT_VARIABLE, SHIFT_CONSTANT -> right ? graph.operation(wire, c.bits(), a, b, -1) : -1;
            case LOGIC -> (left || right) && !floating ? graph.operation(wire, c.bits(), a, b, -1) : -1;
            case SELECT -> left ? (x != 0 ? b : d) : b == d ? b : -1;
            case CONVERT -> c.operators()[0] == wire ? a : -1;
            default -> -1;
        };
    }

    private int multiplyByConstant(Value.Compute c, int a, int b, double x, double y) {
        double k = Double.isNaN(x) ? y : x;
        int other = Double.isNaN(x) ? a : b;
        if (Double.isNaN(k)) {
            return -1;
        }
        if (k == 0) {
            return graph.constant(0, 1);
        }
        if (k == 1) {
            return other;
        }
        if (isPowerOfTwo(Math.abs(k))) {
            return graph.operation(library.wire(), c.bits(), a, b, -1);
        }
        int digits = k == Math.rint(k) && Math.abs(k) < 1e15 ? signedDigits((long) Math.abs(k)) : 9;
        if (digits > 3) {
            return -1;
        }
        int sum = other;
        for (int i = 1; i < digits; i++) {
            sum = graph.operation(library.adder(c.bits()), c.bits(), sum, other, graph.constant(k + i, 1));
        }
        return sum;
    }

    /// Non-zero digits of the canonical signed-digit form.
    private static int signedDigits(long k) {
        int digits = 0;
        for (long rest = k; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                digits++;
                rest += (rest & 2) != 0 ? 1 : -1;
            }
        }
        return digits;
    }

    private boolean isConstant(int node) {
        return node >= 0 && graph.kind[node] == Graph.CONSTANT;
    }

    private static boolean isPowerOfTwo(double k) {
        return k >= 1 && k == Math.rint(k) && k < 1e15 && Long.bitCount((long) k) == 1;
    }

    private static double constantResult(OperationKind kind, double a, double b, double c, boolean floating) {
        double r = switch (kind) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> {
                long whole = floating || b == 0 ? 0 : (long) a / (long) b;
                yield floating ? a / b : b == 0 ? Double.NaN : whole;
            }
            case REMAINDER -> b == 0 ? Double.NaN : (double) ((long) a % (long) b);
            case SELECT -> a != 0 ? b : c;
            case NEGATE -> -a;
            case CONVERT -> a;
            default -> Double.NaN;
        };
        return Double.isFinite(r) ? r : Double.NaN;
    }
}

package knobscape.gpu.codegen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.gpu.codegen.Reference.Element;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.Stage;
import knobscape.gpu.space.sketch.TensorExpression;
import knobscape.gpu.space.sketch.TensorRef;

/// Elements of a computation's result as its stages define them, in double precision, one at a time, with the scale of
/// their rounding errors: of an input its magnitude, and from there to first order through every operation, a sum's
/// errors being in proportion to the magnitudes of all its terms. What is gathered is kept for later elements.
final class ComputationReference {
    private final Computation computation;
    private final Operands operands;
    private final Map<TensorRef, Map<Long, Element>> gathered = new HashMap<>();
    private final Map<TensorRef, Stage> producers = new HashMap<>();

    ComputationReference(Computation computation, Operands operands) {
        this.computation = computation;
        this.operands = operands;
        computation.stages().forEach(s -> producers.put(s.result(), s));
    }

    Element at(long position) {
        return element(computation.output(), position);
    }

    /// Where axes stand.
    private static final class Places {
        private final List<Axis> axes = new ArrayList<>();
        private final List<long[]> values = new ArrayList<>();

        long[] put(Axis axis) {
            long[] at = new long[1];
            axes.add(axis);
            values.add(at);
            return at;
        }

        long value(IndexExpr e) {
            return e.value(a -> values.get(axes.indexOf(a))[0]);
        }
    }

    private Element element(Stage s, long position) {
        if (s.isReduction() && s != computation.output()) {
            Map<Long, Element> known = gathered.computeIfAbsent(s.result(), _ -> new HashMap<>());
            Element found = known.get(position);
            if (found == null) {
                found = compute(s, position);
                known.put(position, found);
            }
            return found;
        }
        return compute(s, position);
    }

    private Element compute(Stage s, long position) {
        var places = new Places();
        long rest = position;
        for (Axis a : s.space().reversed()) {
            places.put(a)[0] = rest % a.extent();
            rest /= a.extent();
        }
        if (!s.isReduction()) {
            return value(s.value(), places);
        }
        List<long[]> over = s.reduce().stream().map(places::put).toList();
        double value = s.start();
        double scale = 0;
        long count = s.reduceExtent();
        for (long i = 0; i < count; i++) {
            long left = i;
            for (int k = over.size() - 1; k >= 0; k--) {
                long extent = s.reduce().get(k).extent();
                over.get(k)[0] = left % extent;
                left /= extent;
            }
            Element term = value(s.value(), places);
            scale = switch (s.gather()) {
                case ADD -> scale + term.scale();
                case MULTIPLY -> Math.abs(term.value()) * scale + Math.abs(value) * term.scale();
                default -> Math.max(scale, term.scale());
            };
            value = s.gather().of(value, term.value());
        }
        return new Element(value, Math.max(scale, Math.abs(value)));
    }

    private Element value(TensorExpression e, Places places) {
        return switch (e) {
            case TensorExpression.Constant c -> new Element(c.value(), Math.abs(c.value()));
            case TensorExpression.Load l -> {
                long at = 0;
                for (int i = 0; i < l.at().size(); i++) {
                    at = at * l.tensor().shape().get(i) + places.value(l.at().get(i));
                }
                Stage s = producers.get(l.tensor());
                if (s != null) {
                    yield element(s, at);
                }
                float v = operands.of(l.tensor().name())[Math.toIntExact(at)];
                yield new Element(v, Math.abs(v));
            }
            case TensorExpression.Select s -> {
                boolean holds = true;
                for (IndexBound c : s.conditions()) {
                    long v = places.value(c.index());
                    holds &= v >= 0 && v < c.limit();
                }
                yield value(holds ? s.then() : s.otherwise(), places);
            }
            case TensorExpression.Unary u -> unary(u.function(), value(u.of(), places));
            case TensorExpression.Binary b -> binary(b.operator(), value(b.left(), places), value(b.right(), places));
        };
    }

    private static Element unary(NestValue.Function f, Element x) {
        double v = f.of(x.value());
        double slope = switch (f) {
            case EXP -> v;
            case LOG -> 1 / Math.abs(x.value());
            case SQRT -> v == 0 ? 0 : 0.5 / v;
            case ERF -> 1.13;
            case FLOOR, CEIL, RINT, FLIP, SPREAD -> 0;
            case TANH, FABS, SIN, COS -> 1;
        };
        return new Element(v, Math.abs(v) + slope * x.scale());
    }

    private static Element binary(NestValue.Operator o, Element a, Element b) {
        double v = o.of(a.value(), b.value());
        double x = Math.abs(a.value());
        double y = Math.abs(b.value());
        return new Element(
                v,
                switch (o) {
                    case ADD, SUBTRACT -> a.scale() + b.scale();
                    case DOT -> Math.abs(v);
                    case MULTIPLY -> a.scale() * y + x * b.scale() - x * y;
                    case DIVIDE -> (a.scale() + Math.abs(v) * b.scale()) / y;
                    case POWER -> Math.abs(v) * (1 + y * a.scale() / x + Math.abs(Math.log(x)) * b.scale());
                    case MAX, MIN -> Math.max(a.scale(), b.scale());
                });
    }
}

package knobscape.network.onnx;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import knobscape.network.ElementType;
import knobscape.network.Shape;
import knobscape.network.ShapeException;

/// The known inputs of a file's node. Throws [ShapeException] for what is missing or does not fit, and
/// [UnresolvedOperatorException] for what is not known.
///
/// @param all in their order; empty for an optional input that is not given
record NodeInputs(List<Optional<KnownTensor>> all) {
    int size() {
        return all.size();
    }

    boolean has(int index) {
        return index < all.size() && all.get(index).isPresent();
    }

    KnownTensor given(int index) {
        if (!has(index)) {
            throw new ShapeException("input " + (index + 1) + " is missing");
        }
        return all.get(index).get();
    }

    ElementType type(int index) {
        return given(index).tensor().type();
    }

    ElementType type(int index, ElementType otherwise) {
        return has(index) ? type(index) : otherwise;
    }

    Shape shape(int index) {
        return given(index).shape().orElseThrow(() -> new UnresolvedOperatorException("an input of unknown shape"));
    }

    Shape shape(int index, int rank) {
        Shape x = shape(index);
        if (x.rank() != rank) {
            throw new ShapeException(rank + " axes are wanted, " + x + " is given");
        }
        return x;
    }

    int rank(int index) {
        return shape(index).rank();
    }

    Constant constant(int index) {
        return given(index)
                .constant()
                .orElseThrow(() -> new UnresolvedOperatorException("it depends on values that are not in the file"));
    }

    /// A single number, where it is known.
    Optional<Double> number(int index) {
        return all.get(index)
                .flatMap(KnownTensor::constant)
                .filter(c -> c.size() == 1)
                .map(Constant::number);
    }

    List<Long> list(int index) {
        Constant c = constant(index);
        if (!c.integral()) {
            throw new ShapeException("input " + (index + 1) + " is not a list of integers");
        }
        return LongStream.of(c.ints()).boxed().toList();
    }

    /// A single whole number.
    long whole(int index) {
        List<Long> values = list(index);
        if (values.size() != 1) {
            throw new ShapeException("input " + (index + 1) + " is not one number");
        }
        return values.getFirst();
    }

    /// An axis among `rank`, which may be counted from the end.
    static int axis(long axis, int rank) {
        long a = axis < 0 ? axis + rank : axis;
        if (a < 0 || a >= rank) {
            throw new ShapeException("axis " + axis + " is not among " + rank);
        }
        return (int) a;
    }
}

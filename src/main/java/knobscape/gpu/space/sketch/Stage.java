package knobscape.gpu.space.sketch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;

/// One operator of a computation: for each element of its result a value, gathered over reduction axes where it
/// has any.
///
/// @param operator what it does, a word: `conv2d`, `pad`, `bias`, `relu` ...
/// @param result the tensor it makes
/// @param space one axis for each extent of the result
/// @param reduce axes gathered over; none for a function of each element
/// @param gather [NestValue.Operator#ADD], MAX, MIN or MULTIPLY; meaningless without reduction axes
/// @param value what is gathered, of the axes
/// @param window kernel, stride and dilation of a sliding window, height and width of each; empty for others
public record Stage(
        String operator,
        TensorRef result,
        List<Axis> space,
        List<Axis> reduce,
        NestValue.Operator gather,
        TensorExpression value,
        List<Integer> window) {
    /// Copies the lists.
    public Stage {
        space = List.copyOf(space);
        reduce = List.copyOf(reduce);
        window = List.copyOf(window);
    }

    /// A function of each element.
    static Stage elementwise(String operator, TensorRef result, List<Axis> space, TensorExpression value) {
        return new Stage(operator, result, space, List.of(), NestValue.Operator.ADD, value, List.of());
    }

    /// True if it gathers over axes.
    public boolean isReduction() {
        return !reduce.isEmpty();
    }

    /// Elements of the result.
    public long spaceExtent() {
        return result.elements();
    }

    /// Values gathered for each element.
    public long reduceExtent() {
        return reduce.stream().mapToLong(Axis::extent).reduce(1, Math::multiplyExact);
    }

    /// The start of the gathered value: of a maximum the least float, which every language can write.
    public double start() {
        return switch (gather) {
            case MAX -> -Float.MAX_VALUE;
            case MIN -> Float.MAX_VALUE;
            case MULTIPLY -> 1;
            default -> 0;
        };
    }

    /// The tensors it reads, each once.
    public Set<TensorRef> reads() {
        var all = new LinkedHashSet<TensorRef>();
        value.loads(l -> all.add(l.tensor()));
        return all;
    }

    /// True if it reads a tensor only at the place of its own element.
    boolean readsInPlace(TensorRef tensor) {
        List<IndexExpr> own = space.stream().map(IndexExpr::of).toList();
        boolean[] same = {tensor.shape().equals(result.shape())};
        value.loads(l -> same[0] &= !l.tensor().equals(tensor) || l.at().equals(own));
        return same[0];
    }

    /// True if tiling pays: it gathers, and an input is used again along an axis of the result. (Ansor tiles a
    /// function of each element too where two inputs are; that moves no less than a thread for each element.)
    boolean needsTiling() {
        boolean[] again = {false};
        value.loads(l -> again[0] |=
                space.stream().anyMatch(a -> a.extent() > 1 && l.at().stream().noneMatch(e -> e.uses(a))));
        return isReduction() && again[0];
    }

    /// True if its reduction is worth several threads that add up their parts at the end.
    boolean wantsCrossThreads(long maxThreads, long warp) {
        return isReduction()
                && (needsTiling()
                        ? spaceExtent() <= maxThreads && spaceExtent() <= reduceExtent()
                        : reduceExtent() > warp);
    }
}

package knobscape.gpu.space.operator;

import java.util.function.Predicate;
import knobscape.gpu.space.nest.Buffer;
import knobscape.network.Tensor;
import knobscape.network.task.Workload;

/// Element counts of a workload's tensors.
public final class Shapes {
    /// 8-bit integers in a word.
    static final int BYTES = 4;

    private Shapes() {}

    /// Of data, weights and output together.
    public static long elements(Workload w) {
        return data(w) + weights(w) + output(w);
    }

    /// Bytes of data, weights and output together: integers make integers, 16-bit floats make 32-bit ones.
    public static long bytes(Workload w) {
        long output = output(w);
        return w.type().isIntegral()
                ? w.type().bytes(elements(w))
                : w.type().bytes(elements(w) - output) + Buffer.ELEMENT_BYTES * output;
    }

    static long data(Workload w) {
        return switch (w) {
            case Workload.Conv2d c -> product(c.batch(), c.channels(), c.height(), c.width());
            case Workload.Dense d -> product(d.m(), d.k());
            case Workload.BatchMatmul b -> product(b.batch(), b.m(), b.k());
            case Workload.Graph g -> elements(g, t -> t.role() == Tensor.Role.INPUT);
        };
    }

    private static long elements(Workload.Graph g, Predicate<Tensor> which) {
        return g.network().tensors().values().stream()
                .filter(which)
                .mapToLong(Tensor::elements)
                .sum();
    }

    static long weights(Workload w) {
        return switch (w) {
            case Workload.Conv2d c ->
                product(c.filters(), c.channels() / c.groups(), c.kernelHeight(), c.kernelWidth());
            case Workload.Dense d -> product(d.n(), d.k());
            case Workload.BatchMatmul b -> product(b.batch(), b.k(), b.n());
            case Workload.Graph g -> elements(g, Tensor::isWeight);
        };
    }

    static long output(Workload w) {
        return switch (w) {
            case Workload.Conv2d c -> product(c.batch(), c.filters(), c.outHeight(), c.outWidth());
            case Workload.Dense d -> product(d.m(), d.n());
            case Workload.BatchMatmul b -> product(b.batch(), b.m(), b.n());
            case Workload.Graph g -> elements(g, t -> g.network().outputs().contains(t.name()));
        };
    }

    /// Output channels or columns: the length of a bias.
    static long channels(Workload w) {
        return switch (w) {
            case Workload.Conv2d c -> c.filters();
            case Workload.Dense d -> d.n();
            case Workload.BatchMatmul b -> b.n();
            case Workload.Graph _ -> 0;
        };
    }

    /// Elements of the largest tensor that any template makes of it; throws `ArithmeticException` past 2^63.
    static long largestTensor(Workload w) {
        long largest = Math.max(data(w), Math.max(weights(w), output(w)));
        if (w instanceof Workload.Conv2d c && c.isWinogradEligible()) {
            var tiles = WinogradTiles.of(c);
            long points = tiles.points();
            largest = Math.max(
                    largest,
                    Math.max(
                            product(points, c.channels(), c.filters()),
                            Math.max(
                                    product(points, c.channels(), tiles.tiles()),
                                    product(points, c.filters(), tiles.tiles()))));
        }
        return largest;
    }

    /// The work with the extent that is summed over in words, where its elements are 8-bit integers.
    @SuppressWarnings("unchecked")
    static <W extends Workload> W inWords(W work) {
        if (!work.type().isIntegral()) {
            return work;
        }
        return (W)
                switch (work) {
                    case Workload.Conv2d c ->
                        new Workload.Conv2d(
                                c.type(),
                                c.batch(),
                                c.channels() / BYTES,
                                c.height(),
                                c.width(),
                                c.filters(),
                                c.taps(),
                                c.padding(),
                                c.groups());
                    case Workload.Dense d -> new Workload.Dense(d.type(), d.m(), d.n(), d.k() / BYTES);
                    case Workload.BatchMatmul _, Workload.Graph _ ->
                        throw new IllegalArgumentException("no template computes " + work.id());
                };
    }

    private static long product(long... extents) {
        long p = 1;
        for (long e : extents) {
            p = Math.multiplyExact(p, e);
        }
        return p;
    }
}

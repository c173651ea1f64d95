package knobscape.lab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Two methods on the same kernels with the same seeds. Intervals (95 %) draw kernels with replacement and, within
/// each,
/// seeds, both methods' together.
///
/// @param kernels by kernel what each seed came to
record PairedTrials(List<Kernel> kernels) {
    /// Draws of an interval.
    private static final int RESAMPLED = 2000;

    /// A kernel.
    ///
    /// @param own ADRS by seed
    /// @param other of the other method with the same seeds
    record Kernel(double[] own, double[] other) {
        /// Ratio of the means, or of the medians, over seeds: 1 where both are 0.
        double ratio(boolean isMedian) {
            double a = isMedian ? Statistics.median(own) : Statistics.mean(own);
            double b = isMedian ? Statistics.median(other) : Statistics.mean(other);
            return a == b ? 1 : a / b;
        }

        private Kernel drawn(SplittableRandom random) {
            int[] seeds = random.ints(own.length, 0, own.length).toArray();
            return new Kernel(
                    Arrays.stream(seeds).mapToDouble(i -> own[i]).toArray(),
                    Arrays.stream(seeds).mapToDouble(i -> other[i]).toArray());
        }
    }

    /// A figure and its 95 % interval; NaN of no trials.
    record Figure(double value, double low, double high) {
        static final Figure NONE = new Figure(Double.NaN, Double.NaN, Double.NaN);
    }

    /// Kernels without a pair are left out.
    PairedTrials(List<Kernel> kernels) {
        this.kernels = kernels.stream().filter(k -> k.own.length > 0).toList();
    }

    /// Share of the decided pairs in which the first came nearer; half where none is.
    Figure share() {
        return figure(all -> {
            double won = count(all, true);
            double decided = won + count(all, false);
            return decided == 0 ? 0.5 : won / decided;
        });
    }

    /// Pairs in which the first came nearer, or the other did.
    long count(boolean isFirst) {
        return count(kernels, isFirst);
    }

    private static long count(List<Kernel> kernels, boolean isFirst) {
        return kernels.stream()
                .mapToLong(k -> IntStream.range(0, k.own.length)
                        .filter(i -> isFirst ? k.own[i] < k.other[i] : k.own[i] > k.other[i])
                        .count())
                .sum();
    }

    /// Median or mean over kernels of the ratio of means, or of medians, over seeds.
    ///
    /// @param isMedian by medians over seeds
    /// @param isMedianKernel the median over kernels, else the mean
    Figure ratio(boolean isMedian, boolean isMedianKernel) {
        return figure(all -> {
            double[] ratios = all.stream().mapToDouble(k -> k.ratio(isMedian)).toArray();
            return isMedianKernel ? Statistics.median(ratios) : Statistics.mean(ratios);
        });
    }

    private Figure figure(ToDoubleFunction<List<Kernel>> of) {
        if (kernels.isEmpty()) {
            return Figure.NONE;
        }
        var random = new SplittableRandom(1);
        double[] drawn = IntStream.range(0, RESAMPLED)
                .mapToDouble(_ -> of.applyAsDouble(IntStream.range(0, kernels.size())
                        .mapToObj(
                                _ -> kernels.get(random.nextInt(kernels.size())).drawn(random))
                        .toList()))
                .sorted()
                .toArray();
        return new Figure(
                of.applyAsDouble(kernels), Statistics.quantile(drawn, 0.025), Statistics.quantile(drawn, 0.975));
    }
}

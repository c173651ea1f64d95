package knobscape.gpu.evaluate.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.space.Configuration;
import smile.math.MathEx;

/// The analytical model held against a measured set.
public final class MeasuredSetModel {
    private static final int LIKED = 10;

    private MeasuredSetModel() {}

    /// How well both agree.
    ///
    /// @param rows configurations compared
    /// @param spearman rank correlation of times
    /// @param ratio median of modelled over measured time
    /// @param bestOfPredicted fastest measured time over the fastest among the ten that the model likes best
    public record Agreement(int rows, double spearman, double ratio, double bestOfPredicted) {}

    private record Pair(double measured, double modelled) {}

    /// Modelled time in milliseconds, infinite where the kernel does not fit; empty for sets whose kernel has
    /// no model.
    public static Optional<Double> milliseconds(MeasuredSet set, GpuSpec gpu, Configuration configuration) {
        return new MeasuredKernels(gpu)
                .profile(set.kind().kernel(), configuration)
                .map(p -> new GpuModel(gpu).estimate(p).milliseconds());
    }

    /// Compares on what ran, evenly spread over the file where it has more than `most` rows.
    public static Agreement compare(MeasuredSet set, GpuSpec gpu, int most) {
        int n = set.space().size().intValue();
        // An odd step does not fall in with the period of a binary knob.
        int step = n <= most ? 1 : n / most | 1;
        var pairs = new ArrayList<Pair>();
        for (int i = 0; i < n; i += step) {
            Configuration c = set.space().at(BigInteger.valueOf(i));
            double measured = set.milliseconds(c);
            if (!Double.isNaN(measured)) {
                double t = milliseconds(set, gpu, c)
                        .orElseThrow(
                                () -> new IllegalArgumentException("there is no model of the kernel of " + set.name()));
                pairs.add(new Pair(measured, Double.isFinite(t) ? t : Double.MAX_VALUE));
            }
        }
        double spearman = MathEx.spearman(
                pairs.stream().mapToDouble(Pair::measured).toArray(),
                pairs.stream().mapToDouble(Pair::modelled).toArray());
        double[] ratios = pairs.stream()
                .mapToDouble(p -> p.modelled / p.measured)
                .sorted()
                .toArray();
        List<Pair> liked = pairs.stream()
                .sorted(Comparator.comparingDouble(Pair::modelled))
                .limit(LIKED)
                .toList();
        double best = pairs.stream().mapToDouble(Pair::measured).min().orElse(Double.NaN);
        double chosen = liked.stream().mapToDouble(Pair::measured).min().orElse(Double.NaN);
        return new Agreement(
                pairs.size(), spearman, ratios.length == 0 ? Double.NaN : ratios[ratios.length / 2], best / chosen);
    }
}

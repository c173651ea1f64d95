package knobscape.explore.bayes;

import java.util.List;
import java.util.Map;

/// By how much a metric after implementation changes with what C synthesis reported, both as logarithms: pooled within
/// 17 kernels with 5 designs and more of the HLSFactory pairs (Vitis 2023.1.1; 194 designs, of power and LUT all, of
/// delay 161), ridge regression of 2 % of the mean diagonal. On kernels left out they explain 72 % of the variance of
/// power, 81 % of delay, 89 % of LUT and 95 % of FF. These pairs have no knobs, so that no bench searches them.
///
/// A delay is cycles times the clock period. Cycles that C synthesis has counted are not learned: the delay after
/// implementation changes with them one to one, and what is left is the clock.
public final class KnownSlopes {
    /// Name of the metric that counts cycles.
    public static final String CYCLES = "latency";
    private static final String DELAY = "delay";
    private static final Map<String, Map<String, Double>> SLOPES = Map.of(
            "power",
            Map.of("lut", 0.044, "ff", 0.001, "dsp", 0.097, "bram", 0.045),
            DELAY,
            Map.of(DELAY, 0.725),
            "lut",
            Map.of("lut", 0.445, "ff", 0.463, "dsp", 0.087, "bram", 0.074),
            "ff",
            Map.of("lut", 0.016, "ff", 0.879, "dsp", 0.067, "bram", 0.062));

    private KnownSlopes() {}

    /// True if the slopes of a metric follow from what it is.
    public static boolean isExact(String metric, boolean hasCycles) {
        return hasCycles && metric.equals(DELAY);
    }

    /// The slopes of `metric` by reports; 0 where nothing is known.
    ///
    /// @param hasCycles whether the stage that reports counts cycles
    public static double[] of(String metric, List<String> reports, boolean hasCycles) {
        if (isExact(metric, hasCycles)) {
            // Where both are reported, as cycles times the estimated clock.
            String exact = reports.contains(DELAY) ? DELAY : CYCLES;
            return reports.stream().mapToDouble(r -> r.equals(exact) ? 1 : 0).toArray();
        }
        return reports.stream()
                .mapToDouble(r -> SLOPES.getOrDefault(metric, Map.of()).getOrDefault(r, 0.0))
                .toArray();
    }
}

package knobscape.explore.bayes;

import java.util.Map;

/// By how much a metric after implementation changes with what C synthesis reported, both as logarithms: pooled within
/// 17 kernels with 5 designs and more of the HLSFactory pairs (Vitis 2023.1.1; 194 designs, of power and LUT all, of
/// delay 161), ridge regression of 2 % of the mean diagonal. On kernels left out they explain 72 % of the variance of
/// power, 81 % of delay, 89 % of LUT and 95 % of FF. These pairs have no knobs, so that no bench searches them.
public final class KnownSlopes {
    private static final Map<String, Map<String, Double>> SLOPES = Map.of(
            "power", Map.of("lut", 0.044, "ff", 0.001, "dsp", 0.097, "bram", 0.045),
            "delay", Map.of("delay", 0.725),
            "lut", Map.of("lut", 0.445, "ff", 0.463, "dsp", 0.087, "bram", 0.074),
            "ff", Map.of("lut", 0.016, "ff", 0.879, "dsp", 0.067, "bram", 0.062));

    private KnownSlopes() {}

    /// The slope of `metric` by `report`; 0 where nothing is known.
    public static double of(String metric, String report) {
        return SLOPES.getOrDefault(metric, Map.of()).getOrDefault(report, 0.0);
    }
}

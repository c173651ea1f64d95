package knobscape.numeric;

import java.util.Arrays;

/// How much of the differences that were forecast is seen in what came.
public final class ShrunkSlope {
    /// The weight of a slope of 1 before anything came, as a sum of squared differences of the forecast.
    private static final double SHRINK = 2;

    private ShrunkSlope() {}

    /// The slope of least squares, shrunk to 1 where there are few rows or the forecast hardly differs; at least 0.
    ///
    /// @param forecast by row
    /// @param came by row, in the same unit
    public static double of(double[] forecast, double[] came) {
        double meanForecast = Arrays.stream(forecast).average().orElse(0);
        double meanCame = Arrays.stream(came).average().orElse(0);
        double both = SHRINK;
        double square = SHRINK;
        for (int i = 0; i < forecast.length; i++) {
            both += (forecast[i] - meanForecast) * (came[i] - meanCame);
            square += (forecast[i] - meanForecast) * (forecast[i] - meanForecast);
        }
        return Math.max(0, both / square);
    }
}

package knobscape.app.ui.gpu;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.space.Configuration;

/// What is known of a kernel at a moment of tuning.
///
/// @param trials measurements
/// @param best the fastest configuration
/// @param bestGflops its GFLOPS, 0 before there is one
/// @param bestMilliseconds its time, NaN before there is one
/// @param curve best GFLOPS after each measurement
/// @param measured GFLOPS of every kernel that ran
/// @param rejections how often each reason was given
/// @param failures kernels that did not run or took too long
record KernelState(int trials, Optional<Configuration> best, double bestGflops, double bestMilliseconds, double[] curve, double[] measured, Map<String, Integer> rejections,
        int failures) {

    /// Before the first measurement.
    static KernelState none() {
        return new KernelState(0, Optional.empty(), 0, Double.NaN, new double[0], new double[0], Map.of(), 0);
    }

    /// Grows by the thread of a run while the screen takes pictures of it.
    static final class Track {
        private final long flops;
        private double[] curve = new double[64];
        private double[] measured = new double[64];
        private int trials;
        private int ran;
        private int failures;
        private double bestGflops;
        private double bestMilliseconds = Double.NaN;
        private Optional<Configuration> best = Optional.empty();
        private final Map<String, Integer> rejections = new LinkedHashMap<>();

        Track(long flops) {
            this.flops = flops;
        }

        synchronized void add(Evaluation e) {
            switch (e.outcome()) {
                case Outcome.Measured m -> measured(e);
                case Outcome.Invalid i -> rejections.merge(kind(i.reason()), 1, Integer::sum);
                case Outcome.Failed _, Outcome.TimedOut _ -> failures++;
            }
            curve = trials == curve.length ? Arrays.copyOf(curve, 2 * trials) : curve;
            curve[trials++] = bestGflops;
        }

        private void measured(Evaluation e) {
            double ms = e.value("time").orElse(Double.NaN);
            double gflops = e.value("gflops").orElse(ms > 0 ? flops / (ms * 1e6) : 0);
            measured = ran == measured.length ? Arrays.copyOf(measured, 2 * ran) : measured;
            measured[ran++] = gflops;
            if (gflops > bestGflops) {
                bestGflops = gflops;
                bestMilliseconds = ms;
                best = Optional.of(e.configuration());
            }
        }

        /// A reason without its numbers and kernel, so that equal ones are counted together.
        private static String kind(String reason) {
            return reason.replaceAll("^Kernel \\S+ ", "").replaceAll("\\d[\\d,. ]*", "\u2026 ").replaceAll("\\s+", " ").replace(" ,", ",").replace(" .", ".").strip();
        }

        synchronized KernelState picture() {
            return new KernelState(trials, best, bestGflops, bestMilliseconds, Arrays.copyOf(curve, trials), Arrays.copyOf(measured, ran), Map.copyOf(rejections), failures);
        }
    }
}

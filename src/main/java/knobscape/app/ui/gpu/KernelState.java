package knobscape.app.ui.gpu;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.space.Configuration;

/// What is known of a kernel at a moment of tuning.
///
/// @param trials measurements
/// @param best the fastest configuration
/// @param bestGflops its GFLOPS (calls a second where operations are not counted), 0 before there is one
/// @param bestMilliseconds its time, NaN before there is one
/// @param placesMilliseconds time of all places of the kernel in the network, each with its own tail where that was measured, NaN before there is one
/// @param curve best GFLOPS after each measurement
/// @param measured GFLOPS of every kernel that ran
/// @param rejections how often each reason was given
/// @param tailed what the best schedule with another tail is, by the tail's id, where that was measured
/// @param failures kernels that did not run or took too long
record KernelState(int trials, Optional<Configuration> best, double bestGflops, double bestMilliseconds, double placesMilliseconds, double[] curve, double[] measured,
        Map<String, Integer> rejections, Map<String, Configuration> tailed, int failures) {

    /// Before the first measurement.
    static KernelState none() {
        return new KernelState(0, Optional.empty(), 0, Double.NaN, Double.NaN, new double[0], new double[0], Map.of(), Map.of(), 0);
    }

    /// Grows by the thread of a run while the screen takes pictures of it.
    static final class Track {
        private static final double MILLI = 1e3;
        private final long flops;
        private final int count;
        private final List<FusedTail> tails;
        private double[] curve = new double[64];
        private double[] measured = new double[64];
        private int trials;
        private int ran;
        private int failures;
        private double bestGflops;
        private double bestMilliseconds = Double.NaN;
        private Optional<Configuration> best = Optional.empty();
        private final Map<String, Integer> rejections = new LinkedHashMap<>();
        /// The best schedule with its other tails.
        private final Map<String, Evaluation> others = new HashMap<>();

        Track(NetworkKernel kernel) {
            this.flops = kernel.flops();
            this.count = kernel.count();
            this.tails = kernel.tails();
        }

        /// What the run knew before: it can be the best, but is no measurement.
        synchronized void know(Evaluation e) {
            if (e.outcome() instanceof Outcome.Measured) {
                measured(e);
            }
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
            double gflops = e.value("gflops").orElse(flops > 0 && ms > 0 ? flops / (ms * 1e6) : e.value("rate").orElse(ms > 0 ? MILLI / ms : 0));
            measured = ran == measured.length ? Arrays.copyOf(measured, 2 * ran) : measured;
            measured[ran++] = gflops;
            if (gflops > bestGflops) {
                bestGflops = gflops;
                bestMilliseconds = ms;
                best = Optional.of(e.configuration());
                others.clear();
            }
        }

        /// The best schedule with another tail.
        ///
        /// @param tail id of the tail
        /// @param of the best configuration when that was measured
        synchronized void tailed(String tail, Configuration of, Evaluation e) {
            if (best.filter(of::equals).isPresent() && e.outcome() instanceof Outcome.Measured) {
                others.put(tail, e);
            }
        }

        /// A reason without its numbers and kernel, so that equal ones are counted together.
        private static String kind(String reason) {
            return reason.replaceAll("^Kernel \\S+ ", "").replaceAll("\\d[\\d,. ]*", "\u2026 ").replaceAll("\\s+", " ").replace(" ,", ",").replace(" .", ".").strip();
        }

        private double places() {
            if (tails.isEmpty()) {
                return count * bestMilliseconds;
            }
            return tails.stream().mapToDouble(t -> t.count() * Optional.ofNullable(others.get(t.epilogue().id())).map(e -> e.value("time").orElse(Double.NaN)).orElse(bestMilliseconds)).sum();
        }

        synchronized KernelState picture() {
            var tailed = new HashMap<String, Configuration>();
            others.forEach((tail, e) -> tailed.put(tail, e.configuration()));
            return new KernelState(trials, best, bestGflops, bestMilliseconds, places(), Arrays.copyOf(curve, trials), Arrays.copyOf(measured, ran), Map.copyOf(rejections),
                    Map.copyOf(tailed), failures);
        }
    }
}

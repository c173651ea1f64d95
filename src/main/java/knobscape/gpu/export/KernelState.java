package knobscape.gpu.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.template.Schedule;
import knobscape.space.Configuration;

/// The state of a kernel at a moment of tuning.
///
/// @param kernel the kernel
/// @param fastest the best configuration, with the means of what was measured of it ([RepeatedMeasurements])
/// @param curve speed of the best so far after each measurement, lower where the best was measured again and had been
/// lucky: GFLOPS, or calls per second where operations are not counted
/// @param measured speed of every configuration that ran
/// @param rejections how often each reason was given
/// @param tailed the best schedule with another tail, by the tail's id, where that was measured
/// @param spread of the fastest one's time, where measurements were repeated
/// @param effort what was spent
public record KernelState(
        NetworkKernel kernel,
        Optional<Evaluation> fastest,
        double[] curve,
        double[] measured,
        Map<String, Integer> rejections,
        Map<String, Evaluation> tailed,
        Optional<Spread> spread,
        Effort effort) {
    private static final String TIME = "time";
    private static final double MILLI = 1e3;

    /// The effort of tuning a kernel.
    ///
    /// @param known measurements that were known before the run, of an imported log
    /// @param failures configurations that did not run or took too long
    /// @param toolSeconds time of the device
    public record Effort(int known, int failures, double toolSeconds) {}

    /// How sure a time is.
    ///
    /// @param measurements how often the configuration was measured
    /// @param deviation standard deviation of one measurement as a part of the time, from all that were repeated
    public record Spread(int measurements, double deviation) {
        /// The mean's standard error in percent: `± 0.8 % (4)`.
        public String words() {
            return String.format(
                    Locale.ROOT, "\u00b1 %.1f %% (%d)", 100 * deviation / Math.sqrt(measurements), measurements);
        }
    }

    /// True if its times are a model's, not measured.
    public boolean isModelled() {
        return fastest.filter(e -> e.provenance().source() == Provenance.Source.MODEL)
                .isPresent();
    }

    /// Before the first measurement.
    public static KernelState none(NetworkKernel kernel) {
        return new Track(kernel).picture();
    }

    /// Measurements, without those known before.
    public int trials() {
        return curve.length;
    }

    /// The fastest configuration.
    public Optional<Configuration> best() {
        return fastest.map(Evaluation::configuration);
    }

    /// The schedule of the fastest configuration with the tail it was searched with; empty for a measured set.
    /// Making it costs milliseconds.
    public Optional<Schedule> schedule() {
        return best().flatMap(kernel::schedule);
    }

    /// Its GFLOPS (calls per second where operations are not counted), 0 before there is one.
    public double bestGflops() {
        return fastest.map(e -> speed(kernel, e)).orElse(0.0);
    }

    /// Its time, NaN before there is one.
    public double bestMilliseconds() {
        return fastest.map(KernelState::time).orElse(Double.NaN);
    }

    /// The best time after so many measurements, infinite where nothing had run.
    public double millisecondsAfter(int measurements) {
        return milliseconds(curve[measurements - 1]);
    }

    /// The time of the first configuration that ran, NaN before there is one.
    public double firstMilliseconds() {
        return measured.length == 0 ? Double.NaN : milliseconds(measured[0]);
    }

    private double milliseconds(double speed) {
        return kernel.flops() > 0 ? kernel.flops() / (speed * 1e6) : MILLI / speed;
    }

    /// The evaluation of the best schedule with one of the kernel's tails; empty before it was measured. The
    /// first tail is the one of the search.
    public Optional<Evaluation> with(FusedTail tail) {
        return tail.equals(kernel.tails().getFirst())
                ? fastest
                : Optional.ofNullable(tailed.get(tail.epilogue().id()));
    }

    /// Milliseconds of all places of the kernel in the network, NaN before anything ran. Places whose tail was
    /// not measured yet count as the others.
    public double placesMilliseconds() {
        double first = bestMilliseconds();
        return kernel.tails().isEmpty()
                ? kernel.count() * first
                : kernel.tails().stream()
                        .mapToDouble(t -> t.count()
                                * with(t).map(KernelState::time)
                                        .filter(ms -> !Double.isNaN(ms))
                                        .orElse(first))
                        .sum();
    }

    /// The best schedules, one for each distinct tail, by the tail's id; the one of the search first.
    public Map<String, Schedule> schedules() {
        Map<String, Schedule> all = new LinkedHashMap<>();
        schedule()
                .ifPresent(first -> kernel.tails()
                        .forEach(t -> all.put(
                                t.epilogue().id(),
                                first.source()
                                        .schedule(
                                                with(t).map(Evaluation::configuration)
                                                        .orElse(first.configuration()),
                                                t.epilogue()))));
        return all;
    }

    private static double time(Evaluation e) {
        return e.value(TIME).orElse(Double.NaN);
    }

    private static double speed(NetworkKernel kernel, Evaluation e) {
        double ms = time(e);
        return e.value("gflops")
                .orElse(
                        kernel.flops() > 0 && ms > 0
                                ? kernel.flops() / (ms * 1e6)
                                : e.value("rate").orElse(ms > 0 ? MILLI / ms : 0));
    }

    /// Grows on the thread of a run while others take pictures of it.
    public static final class Track {
        private final NetworkKernel kernel;
        private double[] curve = new double[64];
        private double[] measured = new double[64];
        private int known;
        private int trials;
        private int ran;
        private int failures;
        private double toolSeconds;
        private final RepeatedMeasurements repeats;
        private final Map<String, Integer> rejections = new LinkedHashMap<>();
        /// The evaluations with another tail.
        private final Map<String, List<Evaluation>> others = new HashMap<>();

        /// Nothing is known of `kernel`.
        public Track(NetworkKernel kernel) {
            this.kernel = kernel;
            repeats = RepeatedMeasurements.bySpeed(e -> speed(kernel, e));
        }

        /// An evaluation that the run knew before: it can be the best, but is no measurement.
        public synchronized void know(Evaluation e) {
            known++;
            measured(e);
        }

        /// A measurement.
        public synchronized void add(Evaluation e) {
            switch (e.outcome()) {
                case Outcome.Measured m -> measured(e);
                case Outcome.Failure f when f.kind().isInvalid() -> rejections.merge(kind(f.reason()), 1, Integer::sum);
                case Outcome.Failure _ -> failures++;
            }
            toolSeconds += e.costSeconds();
            curve = trials == curve.length ? Arrays.copyOf(curve, 2 * trials) : curve;
            curve[trials++] = repeats.best().map(best -> speed(kernel, best)).orElse(0.0);
        }

        /// A measurement with another tail than that of the search.
        ///
        /// @param tail id of the tail
        public synchronized void add(String tail, Evaluation e) {
            if (e.isMeasured()) {
                others.computeIfAbsent(tail, t -> new ArrayList<>()).add(e);
            }
        }

        private void measured(Evaluation e) {
            if (!e.isMeasured()) {
                return;
            }
            measured = ran == measured.length ? Arrays.copyOf(measured, 2 * ran) : measured;
            measured[ran++] = speed(kernel, e);
            repeats.add(e);
        }

        /// A reason without its numbers and kernel, so that equal ones are counted together.
        private static String kind(String reason) {
            return reason.replaceAll("^Kernel \\S+ ", "")
                    .replaceAll("\\d[\\d,. ]*", "\u2026 ")
                    .replaceAll("\\s+", " ")
                    .replace(" ,", ",")
                    .replace(" .", ".")
                    .strip();
        }

        /// How it stands. Of what ran with another tail, that of the schedule that was fastest in the search
        /// counts.
        public synchronized KernelState picture() {
            var tailed = new HashMap<String, Evaluation>();
            others.forEach((tail, list) ->
                    list.forEach(e -> tailed.merge(tail, e, (a, b) -> searched(b) < searched(a) ? b : a)));
            return new KernelState(
                    kernel,
                    repeats.best(),
                    Arrays.copyOf(curve, trials),
                    Arrays.copyOf(measured, ran),
                    Map.copyOf(rejections),
                    Map.copyOf(tailed),
                    repeats.best()
                            .filter(_ -> repeats.deviation().isPresent())
                            .map(e -> new Spread(
                                    repeats.count(e.configuration()),
                                    repeats.deviation().getAsDouble())),
                    new Effort(known, failures, toolSeconds));
        }

        private double searched(Evaluation e) {
            return repeats.of(e.configuration()).map(KernelState::time).orElse(Double.POSITIVE_INFINITY);
        }
    }
}

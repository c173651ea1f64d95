package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Calibration.Law;

/// Fits a [Calibration] to measured designs: per stage and figure a straight line between the logarithms of
/// estimate and measurement (conjugate Bayesian regression). The prior says that the estimator is right within a
/// factor of about 2.7 and its slope within 0.2, so that a handful of designs moves the factor and hardly the
/// exponent.
public final class CalibrationFit {
    /// Names of the estimator's stages, lowest first.
    public static final List<String> STAGES = List.of("hls", "syn", "impl");

    private static final double PRIOR_FACTOR = 1;
    private static final double PRIOR_SLOPE = 0.2;
    private static final double LEAST_NOISE = 0.02;
    private static final double FIRST_NOISE = 0.3;
    private static final int ROUNDS = 4;
    /// Half of a standard normal's central 90 %.
    private static final double NINETY = 1.645;

    private static final int LEAST_DESIGNS = 2;

    /// Beyond, leaving one design out changes nothing.
    private static final int MOST_LEFT_OUT = 500;

    private final Part part;
    /// Pairs of estimate and measurement by stage and figure.
    private final Map<String, List<double[]>> pairs = new TreeMap<>();

    /// For designs measured on this part.
    public CalibrationFit(Part part) {
        this.part = part;
    }

    /// Adds a measured design.
    ///
    /// @param estimate its stages as estimated without calibration, lowest first
    /// @param measured its evaluations; failures are left out
    public void add(List<StageFigures> estimate, List<Evaluation> measured) {
        for (Evaluation e : measured) {
            int stage = stage(e.fidelity());
            if (stage >= estimate.size() || !e.isMeasured()) {
                continue;
            }
            StageFigures f = estimate.get(stage);
            add(stage, "latency", f.latencyCycles(), e);
            add(stage, "clock", f.clockNs(), e);
            add(stage, "lut", f.lut(), e);
            add(stage, "ff", f.ff(), e);
            add(stage, "dsp", f.dsp(), e);
            add(stage, "bram", f.bram(), e);
            e.value("power")
                    .ifPresent(
                            w -> pair(stage, "dynamic", f.powerWatts() - part.staticWatts(), w - part.staticWatts()));
        }
    }

    /// The estimator's stage that one of another tool is compared with: that of its name, else that of its rank.
    public static int stage(Fidelity measured) {
        int named = STAGES.indexOf(measured.name().toLowerCase(Locale.ROOT));
        return named >= 0 ? named : measured.rank();
    }

    private void add(int stage, String figure, double estimate, Evaluation e) {
        e.value(figure).ifPresent(v -> pair(stage, figure, estimate, v));
    }

    private void pair(int stage, String figure, double estimate, double measured) {
        if (estimate > 0 && measured > 0) {
            pairs.computeIfAbsent(stage + " " + figure, _ -> new ArrayList<>())
                    .add(new double[] {Math.log(estimate), Math.log(measured)});
        }
    }

    /// The laws of everything that at least two designs were measured for, as far as they tell designs that they
    /// were not fitted to better than the estimator does alone.
    public Calibration fit(String from) {
        var laws = new ArrayList<Law>();
        for (int stage = 0; stage <= 2; stage++) {
            for (String figure : Calibration.FIGURES) {
                List<double[]> list = pairs.getOrDefault(stage + " " + figure, List.of());
                if (list.size() >= LEAST_DESIGNS) {
                    Law law = law(stage, figure, list);
                    if (law.errors().after() < law.errors().before()) {
                        laws.add(law);
                    }
                }
            }
        }
        return new Calibration(from, laws);
    }

    /// Factor (as logarithm) and slope with the variance of the factor.
    private record Line(double factor, double slope, double variance) {}

    private static Law law(int stage, String figure, List<double[]> pairs) {
        double centre = pairs.stream().mapToDouble(p -> p[0]).average().orElse(0);
        Line all = line(pairs, centre);
        double[] before = new double[pairs.size()];
        double[] after = new double[pairs.size()];
        for (int i = 0; i < before.length; i++) {
            double[] p = pairs.get(i);
            var others = new ArrayList<>(pairs);
            others.remove(i);
            Line l = before.length <= MOST_LEFT_OUT ? line(others, centre) : all;
            before[i] = Math.abs(p[1] - p[0]);
            after[i] = Math.abs(p[1] - centre - l.factor() - l.slope() * (p[0] - centre));
        }
        double spread = NINETY * Math.sqrt(all.variance());
        return new Law(
                stage,
                figure,
                pairs.size(),
                Math.exp(all.factor()),
                Math.exp(all.factor() - spread),
                Math.exp(all.factor() + spread),
                all.slope(),
                Math.exp(centre),
                new Calibration.Errors(median(before), median(after)));
    }

    private static Line line(List<double[]> pairs, double centre) {
        double noise = FIRST_NOISE * FIRST_NOISE;
        Line line = new Line(0, 1, PRIOR_FACTOR * PRIOR_FACTOR);
        for (int round = 0; round < ROUNDS; round++) {
            double aa = 1 / (PRIOR_FACTOR * PRIOR_FACTOR);
            double ab = 0;
            double bb = 1 / (PRIOR_SLOPE * PRIOR_SLOPE);
            double ra = 0;
            double rb = 0;
            for (double[] p : pairs) {
                double x = p[0] - centre;
                double y = p[1] - p[0];
                aa += 1 / noise;
                ab += x / noise;
                bb += x * x / noise;
                ra += y / noise;
                rb += x * y / noise;
            }
            double d = aa * bb - ab * ab;
            line = new Line((bb * ra - ab * rb) / d, 1 + (aa * rb - ab * ra) / d, bb / d);
            double sum = 0;
            for (double[] p : pairs) {
                double r = p[1] - centre - line.factor() - line.slope() * (p[0] - centre);
                sum += r * r;
            }
            // One design's worth of the first guess keeps two designs from looking exact.
            noise = Math.max(LEAST_NOISE * LEAST_NOISE, (sum + FIRST_NOISE * FIRST_NOISE) / (pairs.size() + 1));
        }
        return line;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }
}

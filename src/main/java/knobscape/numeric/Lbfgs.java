package knobscape.numeric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/// Limited-memory BFGS with a strong-Wolfe line search (Nocedal and Wright 2006, algorithms 7.4, 7.5, 3.5 and
/// 3.6). Minimises.
///
/// @param memory pairs of steps and gradient changes kept
/// @param maxIterations most iterations
/// @param maxEvaluations maximum number of evaluations of the objective
/// @param gradientTolerance converged where no component of the gradient exceeds it
/// @param valueTolerance converged where an iteration gains less than this share of the value's size
/// @param maxStep longest step of a single coordinate in one trial: parameters are logarithms, and one that
/// leaps comes back slowly
public record Lbfgs(
        int memory,
        int maxIterations,
        int maxEvaluations,
        double gradientTolerance,
        double valueTolerance,
        double maxStep) {
    private static final double SUFFICIENT_DECREASE = 1e-4;
    private static final double CURVATURE = 0.9;

    public Lbfgs {
        if (memory < 1 || maxIterations < 0 || maxEvaluations < 1 || !(maxStep > 0)) {
            throw new IllegalArgumentException("memory, evaluations and the longest step must be positive");
        }
    }

    /// Something to minimise.
    @FunctionalInterface
    public interface Objective {
        /// The value at `x`; fills `gradient`. A value that is not finite means that `x` is out of bounds.
        double value(double[] x, double[] gradient);
    }

    /// Where the minimisation ended.
    ///
    /// @param x the best point
    /// @param value the objective there
    /// @param iterations iterations done
    /// @param evaluations evaluations of the objective
    /// @param converged whether a tolerance ended it, not a limit
    /// @param trace value after every iteration, the start first
    public record Result(
            double[] x, double value, int iterations, int evaluations, boolean converged, double[] trace) {}

    /// Minimises from `start` (left as it is). Throws `IllegalArgumentException` where the objective is not
    /// finite there.
    public Result minimise(Objective objective, double[] start) {
        return new Search(objective, start).run();
    }

    private record Pair(double[] s, double[] y, double rho) {}

    private final class Search {
        private final Objective objective;
        private final int n;
        private final Deque<Pair> pairs = new ArrayDeque<>();
        private final List<Double> trace = new ArrayList<>();
        private double[] x;
        private double[] g;
        private double f;
        private int evaluations;
        // The trial point of the line search.
        private double[] trialX = {};
        private double[] trialG = {};
        private double trialF;

        Search(Objective objective, double[] start) {
            this.objective = objective;
            this.n = start.length;
            this.x = start.clone();
            this.g = new double[n];
            this.f = objective.value(x, g);
            this.evaluations = 1;
            if (!Double.isFinite(f)) {
                throw new IllegalArgumentException("the objective is not finite at the start");
            }
            trace.add(f);
        }

        Result run() {
            int iteration = 0;
            boolean converged = false;
            while (iteration < maxIterations && evaluations < maxEvaluations) {
                if (Arrays.stream(g).map(Math::abs).max().orElse(0) <= gradientTolerance) {
                    converged = true;
                    break;
                }
                double[] p = direction();
                double slope = dot(g, p);
                if (!(slope < 0)) {
                    // Rounding spoiled the curvature pairs: start again from steepest descent.
                    pairs.clear();
                    p = direction();
                    slope = dot(g, p);
                }
                double longest = Arrays.stream(p).map(Math::abs).max().orElse(1);
                double limit = maxStep / longest;
                double first = pairs.isEmpty() ? Math.min(1 / Math.sqrt(dot(g, g)), limit) : Math.min(1, limit);
                if (!lineSearch(p, slope, first, limit)) {
                    if (pairs.isEmpty()) {
                        converged = true;
                        break;
                    }
                    pairs.clear();
                    continue;
                }
                double[] s = new double[n];
                double[] y = new double[n];
                for (int i = 0; i < n; i++) {
                    s[i] = trialX[i] - x[i];
                    y[i] = trialG[i] - g[i];
                }
                double sy = dot(s, y);
                if (sy > 1e-12 * dot(y, y)) {
                    pairs.addLast(new Pair(s, y, 1 / sy));
                    if (pairs.size() > memory) {
                        pairs.removeFirst();
                    }
                }
                double gain = f - trialF;
                x = trialX;
                g = trialG;
                f = trialF;
                trace.add(f);
                iteration++;
                if (gain <= valueTolerance * Math.max(1, Math.abs(f))) {
                    converged = true;
                    break;
                }
            }
            return new Result(
                    x,
                    f,
                    iteration,
                    evaluations,
                    converged,
                    trace.stream().mapToDouble(Double::doubleValue).toArray());
        }

        /// The two-loop recursion.
        private double[] direction() {
            double[] q = g.clone();
            double[] alphas = new double[pairs.size()];
            int k = pairs.size();
            for (var it = pairs.descendingIterator(); it.hasNext(); ) {
                Pair pair = it.next();
                alphas[--k] = pair.rho * dot(pair.s, q);
                addScaled(q, -alphas[k], pair.y);
            }
            if (!pairs.isEmpty()) {
                Pair newest = pairs.getLast();
                double gamma = 1 / (newest.rho * dot(newest.y, newest.y));
                for (int i = 0; i < n; i++) {
                    q[i] *= gamma;
                }
            }
            for (Pair pair : pairs) {
                addScaled(q, alphas[k++] - pair.rho * dot(pair.y, q), pair.s);
            }
            for (int i = 0; i < n; i++) {
                q[i] = -q[i];
            }
            return q;
        }

        private double tryStep(double[] p, double alpha) {
            trialX = x.clone();
            addScaled(trialX, alpha, p);
            trialG = new double[n];
            trialF = objective.value(trialX, trialG);
            evaluations++;
            if (!Double.isFinite(trialF)) {
                trialF = Double.POSITIVE_INFINITY;
                return Double.NaN;
            }
            return dot(trialG, p);
        }

        /// Leaves a point that satisfies the strong Wolfe conditions (or at least sufficient decrease) in the
        /// trial fields.
        private boolean lineSearch(double[] p, double slope, double first, double limit) {
            double previous = 0;
            double previousF = f;
            double previousSlope = slope;
            double alpha = first;
            for (int i = 0; evaluations < maxEvaluations && i < 20; i++) {
                double d = tryStep(p, alpha);
                if (trialF > f + SUFFICIENT_DECREASE * alpha * slope || (i > 0 && trialF >= previousF)) {
                    return zoom(p, slope, previous, previousF, previousSlope, alpha, trialF);
                }
                if (Math.abs(d) <= -CURVATURE * slope || alpha >= limit) {
                    return true;
                }
                if (d >= 0) {
                    return zoom(p, slope, alpha, trialF, d, previous, previousF);
                }
                previous = alpha;
                previousF = trialF;
                previousSlope = d;
                alpha = Math.min(2 * alpha, limit);
            }
            return trialF < f + SUFFICIENT_DECREASE * previous * slope;
        }

        private boolean zoom(
                double[] p, double slope, double low, double lowF, double lowSlope, double high, double highF) {
            double lo = low;
            double loF = lowF;
            double loSlope = lowSlope;
            double hi = high;
            double hiF = highF;
            for (int i = 0; evaluations < maxEvaluations && i < 25; i++) {
                double width = hi - lo;
                // Minimum of the parabola through lo (value, slope) and hi (value), kept off the ends.
                double denominator = 2 * (hiF - loF - loSlope * width);
                double step =
                        Double.isFinite(hiF) && denominator > 0 ? -loSlope * width * width / denominator : 0.3 * width;
                double share = Math.min(0.9, Math.max(0.1, step / width));
                double alpha = lo + (Double.isNaN(share) ? 0.5 : share) * width;
                double d = tryStep(p, alpha);
                if (trialF > f + SUFFICIENT_DECREASE * alpha * slope || trialF >= loF) {
                    hi = alpha;
                    hiF = trialF;
                } else {
                    if (Math.abs(d) <= -CURVATURE * slope) {
                        return true;
                    }
                    if (d * width >= 0) {
                        hi = lo;
                        hiF = loF;
                    }
                    lo = alpha;
                    loF = trialF;
                    loSlope = d;
                }
                if (Math.abs(hi - lo) * Math.abs(slope) < 1e-14 * Math.max(1, Math.abs(f))) {
                    break;
                }
            }
            if (lo > 0 && loF < f) {
                tryStep(p, lo);
                return trialF < f;
            }
            return false;
        }

        private static double dot(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i] * b[i];
            }
            return sum;
        }

        private static void addScaled(double[] target, double factor, double[] a) {
            for (int i = 0; i < target.length; i++) {
                target[i] += factor * a[i];
            }
        }
    }
}

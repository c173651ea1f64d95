package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;

/// A search's promises of the designs that it ran so far, and what came of them. A promise is multiplied by what
/// earlier ones of about its size came to in the same search, as far as there are any. The measure of time is that of
/// a design run to the highest stage: an hour is a part of one such run where designs are large and many of them where
/// they are small.
///
/// The gain of a run is seen from the front known now: by how much, on average over its points, the nearest design
/// of the highest stage came relatively nearer to it in that time. The true front is not known in a search; points that
/// are still to be found are missing in both distances.
public final class PromiseRecord {
    /// The usual outcome of a promise in other searches, as a share of it.
    static final double USUAL = 0.5;
    /// Runs of this search that weigh as much as that.
    static final double RUNS = 2;
    /// Deviation, in natural logarithms, of the sizes that count as about the same.
    private static final double ALIKE = Math.log(3);

    /// Promises below this count as this where sizes are compared.
    private static final double LEAST = 1e-6;

    private final double[] seconds;
    private final double[] gains;

    /// Weighted sums over earlier runs of what was promised and what came, and the sum of the weights.
    record Held(double runs, double promised, double came) {
        /// The factor that a promise is multiplied by.
        ///
        /// @param promise the one in question
        double factor(double promise) {
            return PromiseRecord.factor(USUAL, RUNS, promise, promised, came);
        }
    }

    /// The factor that a promise is multiplied by.
    ///
    /// @param usual what comes of a promise in other searches, as a share of it
    /// @param runs of this search that weigh as much as that
    /// @param promise the one in question
    /// @param promised sum of what such runs were promised
    /// @param came sum of what came of them
    public static double factor(double usual, double runs, double promise, double promised, double came) {
        double prior = runs * Math.max(LEAST, promise);
        return (usual * prior + came) / (prior + promised);
    }

    /// The gain of several runs, or of a part of one. Each of several takes its share of what those before it left, as
    /// there is no more to gain than the whole distance.
    ///
    /// @param gain of one run
    /// @param runs any number of them
    /// @param left distance to the front that is believed
    public static double ofRuns(double gain, double runs, double left) {
        return runs <= 1 || gain <= 0 ? gain * runs : left * (1 - Math.pow(1 - Math.min(1, gain / left), runs));
    }

    /// A design of the highest stage.
    ///
    /// @param seconds tool time at which it was there
    /// @param y objectives as they are modelled
    record Arrival(double seconds, double[] y) {}

    /// @param flat tool time in seconds and promised gain of a run in turn, oldest first
    PromiseRecord(double[] flat) {
        int n = flat.length / 2;
        this.seconds = new double[n];
        this.gains = new double[n];
        for (int i = 0; i < n; i++) {
            seconds[i] = flat[2 * i];
            gains[i] = flat[2 * i + 1];
        }
    }

    /// With one promise more, as [#PromiseRecord] reads them.
    double[] and(double second, double gain) {
        double[] flat = new double[2 * gains.length + 2];
        for (int i = 0; i < gains.length; i++) {
            flat[2 * i] = seconds[i];
            flat[2 * i + 1] = gains[i];
        }
        flat[flat.length - 2] = second;
        flat[flat.length - 1] = gain;
        return flat;
    }

    /// Tool time spent, stages that enter a history again with a later one counted once.
    static double spent(History history) {
        Set<Evaluation> counted = Collections.newSetFromMap(new IdentityHashMap<>());
        return history.evaluations().stream()
                .filter(counted::add)
                .mapToDouble(Evaluation::costSeconds)
                .sum();
    }

    /// Designs measured at the highest stage that keep all bounds, in order of arrival.
    static List<Arrival> arrivals(History history, EvaluatorInfo info, Observations observations) {
        int top = info.top().rank();
        int objectives = observations.scales().size();
        Set<Evaluation> counted = Collections.newSetFromMap(new IdentityHashMap<>());
        double now = 0;
        var arrivals = new ArrayList<Arrival>();
        for (Evaluation e : history.evaluations()) {
            if (!counted.add(e)) {
                continue;
            }
            now += e.costSeconds();
            Optional<Observations.Design> d = e.fidelity().rank() == top
                    ? observations.find(e.configuration()).filter(observations::keepsBounds)
                    : Optional.empty();
            if (d.isPresent()
                    && d.get().state() == Observations.State.MEASURED
                    && d.get().has(top)) {
                double[] y = Arrays.copyOf(d.get().values()[top], objectives);
                if (Arrays.stream(y).noneMatch(Double::isNaN)) {
                    arrivals.add(new Arrival(now, y));
                }
            }
        }
        return arrivals;
    }

    /// The outcome of the promises whose time is over. The gain of a step is spread over the time that it took.
    ///
    /// @param now tool time in seconds
    /// @param run tool time of a run to the highest stage, in seconds
    /// @param promise the one in question; earlier ones count by how near they are to it in size
    /// @param arrivals designs of the highest stage
    /// @param unit by objective what a step of 1 on the modelled scale counts
    Held held(double now, double run, double promise, List<Arrival> arrivals, double[] unit) {
        double[] distance = distances(arrivals, unit);
        double[] ends = Arrays.copyOf(seconds, seconds.length + 1);
        ends[seconds.length] = now;
        double[] at = Arrays.stream(ends)
                .map(second -> at(arrivals, distance, second))
                .toArray();
        double runs = 0;
        double promised = 0;
        double came = 0;
        for (int i = 0; i < gains.length && seconds[i] + run <= now; i++) {
            double off = Math.log(Math.max(LEAST, gains[i]) / Math.max(LEAST, promise)) / ALIKE;
            double weight = Math.min(1, (ends[i + 1] - ends[i]) / run) * Math.exp(-0.5 * off * off);
            if (weight > 0 && Double.isFinite(at[i])) {
                runs += weight;
                promised += weight * gains[i];
                came += weight * fall(ends, at, i, run);
            }
        }
        return new Held(runs, promised, came);
    }

    /// Fall in the time `run` after end `from`, linear between ends.
    private static double fall(double[] ends, double[] at, int from, double run) {
        double over = ends[from] + run;
        int k = from;
        while (ends[k + 1] < over) {
            k++;
        }
        double share = (over - ends[k]) / (ends[k + 1] - ends[k]);
        return at[from] - at[k] - share * (at[k + 1] - at[k]);
    }

    /// Mean distance to the front of all arrivals after each of them.
    private static double[] distances(List<Arrival> arrivals, double[] unit) {
        double[][] all = arrivals.stream().map(Arrival::y).toArray(double[][]::new);
        int[] front = FrontCover.nonDominated(all, unit.length);
        double[] nearest = new double[front.length];
        Arrays.fill(nearest, Double.POSITIVE_INFINITY);
        double[] distance = new double[all.length];
        for (int i = 0; i < all.length; i++) {
            double sum = 0;
            for (int k = 0; k < front.length; k++) {
                double excess = 0;
                for (int j = 0; j < unit.length; j++) {
                    excess = Math.max(excess, (all[i][j] - all[front[k]][j]) * unit[j]);
                }
                nearest[k] = Math.min(nearest[k], Math.min(FrontCover.FARTHEST, Math.expm1(excess)));
                sum += nearest[k];
            }
            distance[i] = sum / front.length;
        }
        return distance;
    }

    /// The distance at a tool time, positive infinity before the first arrival.
    private static double at(List<Arrival> arrivals, double[] distance, double second) {
        double last = Double.POSITIVE_INFINITY;
        for (int i = 0; i < distance.length && arrivals.get(i).seconds() <= second; i++) {
            last = distance[i];
        }
        return last;
    }
}

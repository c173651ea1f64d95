package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Whether what a search promised of the next hour came: the fall of ADRS in the hour after each promise, against what
/// was promised ([knobscape.explore.Termination#PROMISE]).
///
/// @param hours by trial, what was promised and what came of each hour that the trial saw whole
record PromiseReliability(List<Run> hours) {
    /// Upper ends of the classes of promises, the last one open.
    static final double[] ENDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, Double.POSITIVE_INFINITY};
    /// Runs of an interval, drawn with replacement.
    private static final int RESAMPLED = 1000;

    /// One hour.
    ///
    /// @param promised fall of ADRS expected of it
    /// @param came fall of ADRS in it
    record Hour(double promised, double came) {}

    /// The hours of one trial.
    record Run(String suite, String kernel, long seed, List<Hour> hours) {}

    /// A class of promises.
    ///
    /// @param count of hours
    /// @param promised mean
    /// @param came mean, with a 95 % interval over kernels and seeds
    record Bin(int count, double promised, double came, double low, double high) {}

    /// Of the trials of one method. Hours that begin before the first design at the top, or that the trial did not see
    /// to
    /// their end, are left out.
    static PromiseReliability of(Collection<Trial<Approach>> trials) {
        return new PromiseReliability(trials.stream()
                .map(t -> new Run(
                        t.subject().contains("/")
                                ? t.subject().substring(0, t.subject().indexOf('/'))
                                : t.subject(),
                        t.subject(),
                        t.seed(),
                        hours(t.figures())))
                .filter(r -> !r.hours.isEmpty())
                .toList());
    }

    private static List<Hour> hours(Approach a) {
        var hours = new ArrayList<Hour>();
        for (Approach.Point p : a.promises()) {
            double now = a.adrsAt(p.toolHours());
            if (Double.isFinite(now) && p.toolHours() + 1 <= a.toolHours() && Double.isFinite(p.adrs())) {
                hours.add(new Hour(p.adrs(), now - a.adrsAt(p.toolHours() + 1)));
            }
        }
        return hours;
    }

    List<String> suites() {
        return hours.stream().map(Run::suite).distinct().sorted().toList();
    }

    /// Those of a suite, or of all others.
    PromiseReliability of(String suite, boolean others) {
        return new PromiseReliability(
                hours.stream().filter(r -> r.suite.equals(suite) != others).toList());
    }

    /// The curve, by class; classes without hours are left out.
    Map<Double, Bin> curve() {
        var curve = new TreeMap<Double, Bin>();
        for (int b = 0; b < ENDS.length; b++) {
            double from = b == 0 ? Double.NEGATIVE_INFINITY : ENDS[b - 1];
            double to = ENDS[b];
            List<List<Hour>> runs = hours.stream()
                    .map(r -> r.hours.stream()
                            .filter(h -> h.promised >= from && h.promised < to)
                            .toList())
                    .filter(l -> !l.isEmpty())
                    .toList();
            if (!runs.isEmpty()) {
                curve.put(to, bin(runs));
            }
        }
        return curve;
    }

    private static Bin bin(List<List<Hour>> runs) {
        List<Hour> all = runs.stream().flatMap(List::stream).toList();
        var random = new SplittableRandom(1);
        double[] drawn = new double[RESAMPLED];
        for (int r = 0; r < RESAMPLED; r++) {
            double sum = 0;
            int count = 0;
            for (int k = 0; k < runs.size(); k++) {
                List<Hour> one = runs.get(random.nextInt(runs.size()));
                sum += one.stream().mapToDouble(Hour::came).sum();
                count += one.size();
            }
            drawn[r] = sum / count;
        }
        Arrays.sort(drawn);
        return new Bin(
                all.size(),
                Statistics.mean(all, Hour::promised),
                Statistics.mean(all, Hour::came),
                Statistics.quantile(drawn, 0.025),
                Statistics.quantile(drawn, 0.975));
    }

    /// What came over what was promised, in all.
    double ratio() {
        return Statistics.mean(all(), Hour::came) / Statistics.mean(all(), Hour::promised);
    }

    private List<Hour> all() {
        return hours.stream().flatMap(r -> r.hours.stream()).toList();
    }

    /// What a promise has to be multiplied by, by class: of these hours, pooled with neighbours until the calibrated
    /// promise does not fall where the promise rises (pool adjacent violators).
    TreeMap<Double, Double> calibration() {
        record Pool(List<Double> ends, double count, double promised, double came) {}
        var pools = new ArrayList<Pool>();
        curve().forEach((end, b) -> {
            pools.add(new Pool(List.of(end), b.count, b.promised, b.came));
            while (pools.size() > 1 && pools.get(pools.size() - 2).came > pools.getLast().came) {
                Pool last = pools.removeLast();
                Pool before = pools.removeLast();
                double n = before.count + last.count;
                var ends = new ArrayList<>(before.ends);
                ends.addAll(last.ends);
                pools.add(new Pool(
                        ends,
                        n,
                        (before.count * before.promised + last.count * last.promised) / n,
                        (before.count * before.came + last.count * last.came) / n));
            }
        });
        var factors = new TreeMap<Double, Double>();
        pools.forEach(p -> p.ends.forEach(e -> factors.put(e, p.came / p.promised)));
        return factors;
    }

    /// These with promises calibrated on others; a class that the others never promised takes the factor of the next
    /// one that they did.
    PromiseReliability calibrated(TreeMap<Double, Double> factors) {
        return new PromiseReliability(hours.stream()
                .map(r -> new Run(
                        r.suite,
                        r.kernel,
                        r.seed,
                        r.hours.stream()
                                .map(h -> new Hour(h.promised * factor(factors, h.promised), h.came))
                                .toList()))
                .toList());
    }

    private static double factor(TreeMap<Double, Double> factors, double promised) {
        var at = factors.higherEntry(promised);
        return at != null
                ? at.getValue()
                : factors.isEmpty() ? 1 : factors.lastEntry().getValue();
    }

    /// Kernels and seeds behind it, in words.
    String size() {
        return hours.stream().map(Run::kernel).distinct().count() + " kernels, " + hours.size() + " runs: "
                + hours.stream().map(Run::kernel).distinct().collect(Collectors.joining(", "));
    }
}

package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import knobscape.explore.bayes.PromiseRecord;

/// Reliability of promises of a search: the fall of ADRS in the hour after each promise, against what
/// was promised ([knobscape.explore.Termination#PROMISE]).
///
/// @param hours by trial, what was promised and what came of each hour that the trial saw whole
record PromiseReliability(List<Run> hours) {
    /// Upper ends of the classes of promises, the last one open.
    static final double[] ENDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, Double.POSITIVE_INFINITY};
    /// Runs of an interval, drawn with replacement.
    private static final int RESAMPLED = 1000;
    /// Differences of distances below this are rounding.
    private static final double ROUNDING = 1e-9;
    /// Shares of a promise that come true in other searches, to be tried.
    private static final double[] USUAL = {0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1};
    /// Runs to the highest stage that weigh as much as that which are tried.
    private static final double[] WEIGHTS = {0.5, 1, 2, 4, 8};
    /// Falls that differ by less than this in the mean of a class are alike.
    private static final double ALIKE = 1e-3;

    /// One hour.
    ///
    /// @param promise what was said of it
    /// @param promised fall of ADRS expected of it, as it is held against what came
    /// @param came fall of ADRS in it
    record Hour(Approach.Promise promise, double promised, double came) {
        /// True if it came out between the quantiles, which rise and fall with what was promised; NaN-free.
        boolean isInside() {
            double scale = promise.gain() > 0 ? promised / promise.gain() : 1;
            return came >= scale * promise.low() - ROUNDING && came <= scale * promise.high() + ROUNDING;
        }
    }

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
        List<Approach.Promise> steps = a.promises();
        for (int i = 0; i < steps.size(); i++) {
            Approach.Promise p = steps.get(i);
            if (Double.isFinite(a.adrsAt(p.toolHours()))
                    && p.toolHours() + 1 <= steps.getLast().doneHours()
                    && Double.isFinite(p.gain())) {
                hours.add(new Hour(p, p.gain(), came(a, i)));
            }
        }
        return hours;
    }

    /// Fall of ADRS in the hour after step `first` was asked for. What a step brought is spread over the time that it
    /// took, as a design may take longer than an hour.
    private static double came(Approach a, int first) {
        double from = a.promises().get(first).toolHours();
        double came = 0;
        for (Approach.Promise step : a.promises().subList(first, a.promises().size())) {
            double begin = step.toolHours();
            double length = step.doneHours() - begin;
            double inside = Math.min(from + 1, step.doneHours()) - begin;
            if (length > 0 && inside > 0) {
                came += inside / length * (a.adrsAt(begin) - a.adrsAt(step.doneHours()));
            }
        }
        return came;
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

    /// The ratio of gain to promise, in all.
    double ratio() {
        return Statistics.mean(all(), Hour::came) / Statistics.mean(all(), Hour::promised);
    }

    private List<Hour> all() {
        return hours.stream().flatMap(r -> r.hours.stream()).toList();
    }

    /// Share of the hours that came out inside the 90 % interval told for them.
    double inside() {
        return Statistics.mean(all(), h -> h.isInside() ? 1 : 0);
    }

    /// These as the processes alone expected them.
    PromiseReliability raw() {
        return with(h -> h.promise.run().hour(1));
    }

    /// These with what comes of a promise in other searches chosen on `others`: the share, and the runs that weigh as
    /// much, with which the classes of those come out nearest.
    PromiseReliability chosenOn(PromiseReliability others) {
        double[] best = {USUAL[0], WEIGHTS[0]};
        double least = Double.POSITIVE_INFINITY;
        for (double usual : USUAL) {
            for (double weight : WEIGHTS) {
                double off = others.by(usual, weight).misfit();
                if (off < least) {
                    least = off;
                    best = new double[] {usual, weight};
                }
            }
        }
        return by(best[0], best[1]);
    }

    private PromiseReliability by(double usual, double weight) {
        return with(h -> {
            Approach.PromisedRun run = h.promise.run();
            return run.hour(PromiseRecord.factor(usual, weight, run.raw(), run.promised(), run.came()));
        });
    }

    private PromiseReliability with(ToDoubleFunction<Hour> promised) {
        return new PromiseReliability(hours.stream()
                .map(r -> new Run(
                        r.suite,
                        r.kernel,
                        r.seed,
                        r.hours.stream()
                                .map(h -> new Hour(h.promise, promised.applyAsDouble(h), h.came))
                                .toList()))
                .toList());
    }

    /// Mean over the hours of how far their class is off, squared and in logarithms.
    private double misfit() {
        double sum = 0;
        double count = 0;
        for (Bin b : curve().values()) {
            double off = Math.log((b.promised + ALIKE) / (Math.max(0, b.came) + ALIKE));
            sum += b.count * off * off;
            count += b.count;
        }
        return sum / count;
    }

    /// Kernels and seeds behind it, in words.
    String size() {
        return hours.stream().map(Run::kernel).distinct().count() + " kernels, " + hours.size() + " runs: "
                + hours.stream().map(Run::kernel).distinct().collect(Collectors.joining(", "));
    }
}

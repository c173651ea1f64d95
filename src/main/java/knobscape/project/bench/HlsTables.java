package knobscape.project.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// The tables of [HlsTablesBench] from its trials.
final class HlsTables {
    private static final String YARDSTICK = "ann";

    private HlsTables() {
    }

    /// How a trial is read off.
    private enum Reading {
        /// Where 40 steps or five without gain would have ended it; regressions at their own end.
        PROTOCOL("protocol"),
        /// At the tool hours of ANN with the same seed; regressions at their own end.
        EQUAL_HOURS("equal hours");

        private final String words;

        Reading(String words) {
            this.words = words;
        }

        double adrs(Trial t) {
            return this == PROTOCOL ? t.stopped().map(Trial.Point::adrs).orElse(t.adrs()) : t.adrs();
        }

        double hours(Trial t) {
            return this == PROTOCOL ? t.stopped().map(Trial.Point::toolHours).orElse(t.toolHours()) : t.toolHours();
        }
    }

    static BenchReport report(String name, List<Trial> trials, List<String> methods, Map<String, double[]> published, int seeds) {
        var bySubject = new TreeMap<>(trials.stream().collect(Collectors.groupingBy(Trial::subject)));
        var columns = List.of(column("kernel", "kernel"), column("method", "method"), column("reading", "reading"), column("adrsMean", "mean ADRS"),
                column("adrsMedian", "median ADRS"), column("adrsDeviation", "deviation"), column("overAnn", "mean over ANN's"),
                column("deviationOverAnn", "deviation over ANN's"), column("wins", "seeds won against ANN"), column("losses", "lost"), column("toolHours", "tool hours"),
                column("algorithmSeconds", "algorithm (s)"), column("designs", "designs"), column("atTop", "at impl"), column("published", "thesis: over ANN's"));
        var rows = new ArrayList<List<BenchReport.Cell>>();
        var ratios = new TreeMap<String, Map<Reading, List<Double>>>();
        var hours = new TreeMap<String, List<Double>>();
        bySubject.forEach((subject, list) -> {
            Map<Long, Trial> ann = of(list, YARDSTICK);
            for (String method : methods) {
                Map<Long, Trial> own = of(list, method);
                for (Reading reading : Reading.values()) {
                    double ratio = mean(own, reading::adrs) / mean(ann, reading::adrs);
                    ratios.computeIfAbsent(method, m -> new TreeMap<>()).computeIfAbsent(reading, r -> new ArrayList<>()).add(ratio);
                    long wins = own.keySet().stream().filter(s -> reading.adrs(own.get(s)) < reading.adrs(ann.get(s))).count();
                    long losses = own.keySet().stream().filter(s -> reading.adrs(own.get(s)) > reading.adrs(ann.get(s))).count();
                    rows.add(BenchReport.row(List.of(subject, method, reading.words), mean(own, reading::adrs), HlsTablesBench.median(values(own, reading::adrs)),
                            deviation(own, reading::adrs), ratio, deviation(own, reading::adrs) / deviation(ann, reading::adrs), wins, losses, mean(own, reading::hours),
                            mean(own, Trial::algorithmSeconds), mean(own, Trial::designs), mean(own, Trial::atTop), Double.NaN));
                }
                hours.computeIfAbsent(method, m -> new ArrayList<>()).add(mean(own, Reading.PROTOCOL::hours));
            }
        });
        for (String method : methods) {
            for (Reading reading : Reading.values()) {
                double[] r = ratios.get(method).get(reading).stream().mapToDouble(Double::doubleValue).toArray();
                double[] paper = published.getOrDefault(method, new double[] {Double.NaN, Double.NaN, Double.NaN});
                rows.add(BenchReport.row(List.of("median over kernels", method, reading.words), Double.NaN, Double.NaN, Double.NaN, HlsTablesBench.median(r), Double.NaN, Double.NaN,
                        Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN));
                rows.add(BenchReport.row(List.of("mean over kernels", method, reading.words), Double.NaN, Double.NaN, Double.NaN, Arrays.stream(r).average().orElse(Double.NaN),
                        Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, paper[0]));
            }
        }
        return new BenchReport(name, "ADRS on measured designs, " + seeds + (seeds == 1 ? " seed" : " seeds") + ", every method with the same seeds.", columns, rows,
                aims(methods, ratios, hours),
                List.of("Protocol: at most 40 steps, stopped early after 5 without hypervolume gain; equal hours: run on to the tool hours ANN spent with the same seed.",
                        "ADRS: mean over the points of the pool's front of the relative excess of the nearest design found in its worst objective.",
                        "Ratios are to ANN's mean on the same kernel; their median over kernels is what the aims are held against.",
                        "Thesis figures are averages over its own six kernels, not these."));
    }

    private static List<BenchReport.Aim> aims(List<String> methods, Map<String, Map<Reading, List<Double>>> ratios, Map<String, List<Double>> hours) {
        var aims = new ArrayList<BenchReport.Aim>();
        var at = new TreeMap<String, Double>();
        methods.forEach(m -> at.put(m, HlsTablesBench.median(ratios.get(m).get(Reading.EQUAL_HOURS).stream().mapToDouble(Double::doubleValue).toArray())));
        below(aims, at, "dcgp", 0.34, "at most 0.34");
        order(aims, at, "dcgp", "cgp");
        order(aims, at, "cgp", "fpl18");
        order(aims, at, "fpl18", "ann");
        for (String m : List.of("dcgp", "cgp")) {
            for (String regression : List.of("ann", "bt", "dac19")) {
                if (hours.containsKey(m) && hours.containsKey(regression)) {
                    double own = hours.get(m).stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
                    double other = hours.get(regression).stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
                    aims.add(new BenchReport.Aim(m + ": tool hours by the protocol over those of " + regression, own / other, "below 1", own < other));
                }
            }
        }
        return aims;
    }

    private static void below(List<BenchReport.Aim> aims, Map<String, Double> at, String method, double limit, String target) {
        Optional.ofNullable(at.get(method))
                .ifPresent(v -> aims.add(new BenchReport.Aim(method + ": median over kernels of ADRS over ANN's at ANN's tool hours", v, target, v <= limit)));
    }

    private static void order(List<BenchReport.Aim> aims, Map<String, Double> at, String better, String worse) {
        if (at.containsKey(better) && at.containsKey(worse)) {
            double ratio = at.get(better) / at.get(worse);
            boolean equalWillDo = better.equals("dcgp");
            aims.add(new BenchReport.Aim(better + " against " + worse + ": ratio of those medians", ratio, equalWillDo ? "at most 1" : "below 1",
                    equalWillDo ? ratio <= 1 : ratio < 1));
        }
    }

    private static BenchReport.Column column(String key, String heading) {
        return new BenchReport.Column(key, heading);
    }

    private static Map<Long, Trial> of(List<Trial> trials, String method) {
        return trials.stream().filter(t -> t.method().equals(method)).collect(Collectors.toMap(Trial::seed, t -> t, (a, b) -> a, TreeMap::new));
    }

    private static double[] values(Map<Long, Trial> trials, ToDoubleFunction<Trial> value) {
        return trials.values().stream().mapToDouble(value).toArray();
    }

    private static double mean(Map<Long, Trial> trials, ToDoubleFunction<Trial> value) {
        return Arrays.stream(values(trials, value)).average().orElse(Double.NaN);
    }

    private static double deviation(Map<Long, Trial> trials, ToDoubleFunction<Trial> value) {
        double mean = mean(trials, value);
        return Math.sqrt(Arrays.stream(values(trials, value)).map(v -> (v - mean) * (v - mean)).sum() / Math.max(1, trials.size() - 1));
    }

    /// ADRS against tool hours of every trial, as CSV.
    static String curves(List<Trial> trials) {
        var b = new StringBuilder("kernel,method,seed,tool hours,ADRS\r\n");
        trials.forEach(t -> t.curve().forEach(p -> b.append(t.subject()).append(',').append(t.method()).append(',').append(t.seed()).append(',').append(p.toolHours()).append(',')
                .append(p.adrs()).append("\r\n")));
        return b.toString();
    }
}

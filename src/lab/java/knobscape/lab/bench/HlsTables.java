package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.explore.Termination;

/// The tables of [HlsTablesBench] from its trials.
final class HlsTables {
    private static final String YARDSTICK = KernelSearch.YARDSTICK;
    /// The figures of Tables 3.2, 3.4 and 3.5 of the thesis, averages over its own six kernels.
    private static final PublishedTable THESIS = PublishedTable.named("thesis-hls");
    /// Mean ADRS over 10 seeds that the best plain Python reference (three Gaussian processes with expected
    /// hypervolume improvement; no hls runs beyond those of its designs) has after 48 designs run to the end.
    private static final PublishedTable PYTHON = PublishedTable.named("python-hls");
    private static final int PYTHON_DESIGNS = 48;
    /// ADRS above which the best design of a run is far from the front.
    private static final double PLATEAU = 0.1;
    /// ADRS below which a ratio says nothing.
    private static final double FLOOR = 0.001;
    private static final String KERNELS = "kernels";
    private static final String SHARED = "fudan_machsuite";
    /// The name of the kernels that defaults of cgp were chosen without.
    private static final String BLIND = "blind";

    private final List<String> methods;
    private final Map<String, Double> fullHours;
    private final Map<String, List<Trial<Approach>>> bySubject;
    private final List<List<BenchReport.Cell>> rows = new ArrayList<>();
    private final List<BenchReport.Aim> aims = new ArrayList<>();

    private HlsTables(
            List<String> methods, Map<String, Double> fullHours, Map<String, List<Trial<Approach>>> bySubject) {
        this.methods = methods.stream()
                .filter(m -> bySubject.values().stream()
                        .flatMap(List::stream)
                        .anyMatch(t -> t.method().equals(m)))
                .toList();
        this.fullHours = fullHours;
        this.bySubject = bySubject;
    }

    /// @param fullHours by kernel the tool hours of one run to the top fidelity
    /// @param leftOut of each kernel that is in no table the sentence that says why
    static BenchReport report(
            String name,
            List<Trial<Approach>> trials,
            List<String> methods,
            Map<String, Double> fullHours,
            int seeds,
            List<String> leftOut) {
        var tables = new HlsTables(
                methods, fullHours, new TreeMap<>(trials.stream().collect(Collectors.groupingBy(Trial::subject))));
        var columns = BenchReport.Column.list(
                "kernel", "kernel",
                "method", "method",
                "reading", "reading",
                "choice", "defaults of cgp chosen",
                "adrsMean", "mean ADRS",
                "adrsMedian", "median ADRS",
                "adrsDeviation", "deviation",
                "overAnn", "mean over ANN's",
                "overAnnLow", "95 % from",
                "overAnnHigh", "to",
                "mediansOverAnn", "median over ANN's",
                "mediansLow", "95 % from",
                "mediansHigh", "to",
                "deviationOverAnn", "deviation over ANN's",
                "wins", "seeds won against ANN",
                "losses", "lost",
                "winShare", "share of decided pairs won",
                "winLow", "share won, 95 % from",
                "winHigh", "to",
                "area", "area under the curve",
                "toolHours", "tool hours",
                "algorithmSeconds", "algorithm (s)",
                "designs", "designs",
                "atTop", "at impl",
                "published", "thesis: over ANN's",
                "publishedDeviation", "thesis: deviation over ANN's",
                "publishedHours", "thesis: tool hours");
        for (TrialReading reading : TrialReading.values()) {
            tables.rows.addAll(tables.summary(reading, KERNELS));
        }
        for (TrialReading reading : TrialReading.values()) {
            tables.rows.addAll(
                    tables.only(k -> DevelopmentSet.isBlind(k, reading)).summary(reading, BLIND + " kernels"));
        }
        for (String suite : tables.suites()) {
            for (TrialReading reading : TrialReading.values()) {
                tables.rows.addAll(tables.suite(suite).summary(reading, suite));
            }
        }
        tables.perKernel();
        tables.compare();
        return new BenchReport(
                name,
                "ADRS on measured designs and built-in estimates, " + seeds + (seeds == 1 ? " seed" : " seeds")
                        + ", every method with the same seeds.",
                columns,
                tables.rows,
                tables.aims,
                Stream.concat(
                                Stream.of(
                                        "Equal hours: run on to the tool hours that ANN spent with the same seed. Protocol: at most 40 steps, stopped early after 5 steps at impl without hypervolume gain; a step is one run to "
                                                + "impl or a bundle of shorter runs that cost no more. Own stop: where the search expected less than "
                                                + 100 * Termination.LEAST_PROMISE
                                                + " % of the next design, three steps in a row, after the tool time of "
                                                + Termination.WithoutPromise.LEAST_RUNS
                                                + " runs; the protocol for those that do not say. Regressions are read at their own end in all.",
                                        "ADRS: mean over the points of the pool's front of the relative excess of the nearest design found in its worst objective. Ratios are to ANN's on the same kernel with the same seeds, of means and of medians over seeds; intervals draw kernels and seeds in pairs.",
                                        "Defaults of cgp were chosen with a look at: "
                                                + DevelopmentSet.among(tables.bySubject.keySet()) + ".",
                                        "Thesis figures are averages over its own six kernels, not these. Algorithm seconds are of the whole run on the machine at hand.",
                                        "Each row of a kernel says whether a default of cgp was chosen with a look at it; those that say without are blind, and so are the rows and aims named so; the own stop was chosen with a look at more of them. Besides them, slopes known beforehand were learned on hlsfactory_pairs, which is in no table.",
                                        "Methods whose names begin with cgp- are CGP as it is for that kernel's stages and objectives with one ingredient changed; where it has none of that ingredient they are the same."),
                                leftOut.stream())
                        .toList());
    }

    /// The trials of one suite; all of them without a name.
    private HlsTables suite(String suite) {
        return only(k -> k.startsWith(suite));
    }

    private HlsTables only(Predicate<String> kernels) {
        var part = new TreeMap<>(bySubject);
        part.keySet().removeIf(kernels.negate());
        return new HlsTables(methods, fullHours, part);
    }

    private List<String> suites() {
        return bySubject.keySet().stream()
                .filter(k -> k.contains("/"))
                .map(k -> k.substring(0, k.indexOf('/')))
                .distinct()
                .toList();
    }

    /// Median and mean over kernels of one method after another.
    private List<List<BenchReport.Cell>> summary(TrialReading reading, String over) {
        var summary = new ArrayList<List<BenchReport.Cell>>();
        for (String method : methods) {
            boolean isThesis = over.equals(KERNELS) || over.startsWith(SHARED);
            PairedTrials pairs = pairs(method, YARDSTICK, reading);
            if (pairs.kernels().isEmpty()) {
                continue;
            }
            double[] deviations = bySubject.values().stream()
                    .filter(l -> !of(l, method).isEmpty())
                    .mapToDouble(l ->
                            deviation(of(l, method), reading::adrs) / deviation(yardstick(l, method), reading::adrs))
                    .toArray();
            PairedTrials.Figure share = pairs.share();
            for (boolean median : new boolean[] {true, false}) {
                PairedTrials.Figure byMeans = pairs.ratio(false, median);
                PairedTrials.Figure byMedians = pairs.ratio(true, median);
                summary.add(BenchReport.row(
                        List.of((median ? "median over " : "mean over ") + over, method, reading.words, ""),
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        byMeans.value(),
                        byMeans.low(),
                        byMeans.high(),
                        byMedians.value(),
                        byMedians.low(),
                        byMedians.high(),
                        median ? Statistics.median(deviations) : Statistics.mean(deviations),
                        pairs.count(true),
                        pairs.count(false),
                        share.value(),
                        share.low(),
                        share.high(),
                        areaRatio(method, median),
                        overKernels(method, reading::hours),
                        overKernels(method, t -> t.figures().algorithmSeconds()),
                        overKernels(method, t -> t.figures().designs()),
                        overKernels(method, t -> t.figures().atTop()),
                        median || !isThesis ? Double.NaN : THESIS.figure("adrs over ann", method),
                        median || !isThesis ? Double.NaN : THESIS.figure("deviation over ann", method),
                        median || !isThesis ? Double.NaN : THESIS.figure("tool hours", method)));
            }
        }
        return summary;
    }

    /// Area under the curve over ANN's with the same seeds, median or mean over kernels.
    private double areaRatio(String method, boolean median) {
        double[] ratios = bySubject.values().stream()
                .filter(l -> !of(l, method).isEmpty())
                .mapToDouble(l -> area(of(l, method), l) / area(yardstick(l, method), l))
                .toArray();
        return median ? Statistics.median(ratios) : Statistics.mean(ratios);
    }

    /// Mean area under the curve up to ANN's hours.
    private static double area(Map<Long, Trial<Approach>> own, List<Trial<Approach>> all) {
        Map<Long, Trial<Approach>> ann = of(all, YARDSTICK);
        return own.values().stream()
                .filter(t -> ann.containsKey(t.seed()))
                .mapToDouble(t -> t.figures()
                        .area(requireNonNull(ann.get(t.seed())).figures().toolHours()))
                .average()
                .orElse(Double.NaN);
    }

    /// Kernels and seeds of two methods.
    private PairedTrials pairs(String method, String other, TrialReading reading) {
        return new PairedTrials(bySubject.values().stream()
                .map(l -> pair(of(l, method), of(l, other), reading))
                .toList());
    }

    private static PairedTrials.Kernel pair(
            Map<Long, Trial<Approach>> own, Map<Long, Trial<Approach>> other, TrialReading reading) {
        List<Long> seeds = own.keySet().stream().filter(other::containsKey).toList();
        return new PairedTrials.Kernel(
                seeds.stream()
                        .mapToDouble(k -> reading.adrs(requireNonNull(own.get(k))))
                        .toArray(),
                seeds.stream()
                        .mapToDouble(k -> reading.adrs(requireNonNull(other.get(k))))
                        .toArray());
    }

    private void perKernel() {
        bySubject.forEach((subject, list) -> {
            for (TrialReading reading : TrialReading.values()) {
                for (String method : methods) {
                    Map<Long, Trial<Approach>> ann = yardstick(list, method);
                    Map<Long, Trial<Approach>> own = of(list, method);
                    if (own.isEmpty()) {
                        continue;
                    }
                    var pairs = new PairedTrials(List.of(pair(own, ann, reading)));
                    PairedTrials.Figure byMeans = pairs.ratio(false, true);
                    PairedTrials.Figure byMedians = pairs.ratio(true, true);
                    PairedTrials.Figure share = pairs.share();
                    rows.add(BenchReport.row(
                            List.of(
                                    subject,
                                    method,
                                    reading.words,
                                    DevelopmentSet.isBlind(subject, reading) ? "without it" : "with it"),
                            mean(own, reading::adrs),
                            Statistics.median(values(own, reading::adrs)),
                            deviation(own, reading::adrs),
                            byMeans.value(),
                            byMeans.low(),
                            byMeans.high(),
                            byMedians.value(),
                            byMedians.low(),
                            byMedians.high(),
                            deviation(own, reading::adrs) / deviation(ann, reading::adrs),
                            pairs.count(true),
                            pairs.count(false),
                            share.value(),
                            share.low(),
                            share.high(),
                            area(own, list),
                            mean(own, reading::hours),
                            mean(own, t -> t.figures().algorithmSeconds()),
                            mean(own, t -> t.figures().designs()),
                            mean(own, t -> t.figures().atTop()),
                            Double.NaN,
                            Double.NaN,
                            Double.NaN));
                }
            }
        });
    }

    private void compare() {
        if (methods.contains("dcgp")) {
            double v = Statistics.median(ratios("dcgp", TrialReading.EQUAL_HOURS));
            double least = THESIS.figure("adrs over ann", "dcgp");
            aims.add(new BenchReport.Aim(
                    "dcgp: median over kernels of ADRS over ANN's at ANN's tool hours",
                    v,
                    "at most " + least,
                    v <= least));
        }
        for (String m : List.of("cgp", "dcgp")) {
            scopes().forEach((scope, part) -> {
                double target = scope.equals(SHARED) ? 0.20 : 0.45;
                part.aim(
                        aims,
                        m + ", " + scope + ": median of ADRS over ANN's at ANN's tool hours",
                        m,
                        target,
                        t -> Statistics.median(t.ratios(m, TrialReading.EQUAL_HOURS)));
                HlsTables ends =
                        part.only(k -> scope.equals(SHARED) || DevelopmentSet.isBlind(k, TrialReading.OWN_STOP));
                ends.aim(
                        aims,
                        m + ", " + scope + ": median of ADRS over ANN's by its own stop rule",
                        m,
                        scope.equals(SHARED) ? THESIS.figure("adrs over ann", "cgp") : 1,
                        t -> Statistics.median(t.ratios(m, TrialReading.OWN_STOP)));
                ends.aim(
                        aims,
                        m + ", " + scope + ": tool hours by its own stop rule over ANN's",
                        m,
                        0.5,
                        t -> t.overKernels(m, TrialReading.OWN_STOP::hours)
                                / t.overKernels(YARDSTICK, TrialReading.OWN_STOP::hours));
            });
            aim(
                    aims,
                    m + ": largest ADRS of a seed at the hours of " + PYTHON_DESIGNS + " runs in full",
                    m,
                    PLATEAU,
                    t -> t.at48(m).values().stream()
                            .flatMapToDouble(Arrays::stream)
                            .max()
                            .orElse(Double.NaN));
            aim(
                    aims,
                    m + ": kernels of which every seed has ADRS above " + PLATEAU + " at those hours",
                    m,
                    0,
                    t -> t.at48(m).values().stream()
                            .filter(v -> Arrays.stream(v).allMatch(a -> a > PLATEAU))
                            .count());
        }
        for (String peer : List.of("gp-ehvi", "tpe", "nsga2", "steady-nsga2")) {
            if (methods.contains("cgp") && methods.contains(peer)) {
                aims.add(BenchReport.Aim.atLeast(
                        "cgp: share of kernels with less ADRS than " + peer + " at the hours of " + PYTHON_DESIGNS
                                + " runs in full",
                        shareAhead("cgp", peer),
                        0.8));
            }
        }
        rivals();
        for (String suite : suites()) {
            HlsTables part = suite(suite);
            part.ends(suite, aims);
            if (part.methods.contains("fpl18")) {
                part.aim(
                        aims,
                        "cgp against fpl18 in " + suite + ": ratio of their medians at equal tool hours",
                        "cgp",
                        1,
                        t -> Statistics.median(t.ratios("cgp", TrialReading.EQUAL_HOURS))
                                / Statistics.median(t.ratios("fpl18", TrialReading.EQUAL_HOURS)));
            }
        }
        if (methods.contains("cgp") && methods.contains(LabMethods.ESTIMATE_PRIOR)) {
            aims.add(BenchReport.Aim.atMost(
                    "cgp with the estimate as prior mean: tool hours to the ADRS that both reach, over those of cgp without (geometric mean over kernels)",
                    hoursToTheSame(LabMethods.ESTIMATE_PRIOR, "cgp"),
                    1));
        }
        order("dcgp", "cgp", true);
        order("cgp", "fpl18", false);
        order("fpl18", "ann", false);
        for (String m : List.of("dcgp", "cgp")) {
            python(m);
            for (String regression : KernelSearch.REGRESSIONS) {
                if (methods.contains(m) && methods.contains(regression)) {
                    double share = overKernels(m, TrialReading.PROTOCOL::hours)
                            / overKernels(regression, TrialReading.PROTOCOL::hours);
                    aims.add(new BenchReport.Aim(
                            m + ": tool hours by the protocol over those of " + regression,
                            share,
                            "below 1",
                            share < 1));
                }
            }
            calibration(m);
        }
    }

    /// How far ahead `cgp` is in pairs of seeds.
    private void rivals() {
        for (String peer : List.of("fpl18", "gp-ehvi", "tpe", "nsga2", "cgp-paper", "dcgp-paper")) {
            if (methods.contains("cgp") && methods.contains(peer)) {
                PairedTrials.Figure share =
                        pairs("cgp", peer, TrialReading.EQUAL_HOURS).share();
                aims.add(BenchReport.Aim.atLeast(
                        "cgp: share of decided pairs won against " + peer + " at equal hours", share.value(), 0.6));
                aims.add(new BenchReport.Aim(
                        "cgp: the same against " + peer + ", lower 95 % bound",
                        share.low(),
                        "above 0.5",
                        share.low() > 0.5));
            }
        }
    }

    /// The results of `cgp` in a suite at ANN's hours, by both statistics, and at its own end.
    private void ends(String suite, List<BenchReport.Aim> all) {
        if (!methods.contains("cgp")) {
            return;
        }
        PairedTrials equal = pairs("cgp", YARDSTICK, TrialReading.EQUAL_HOURS);
        all.add(BenchReport.Aim.atMost(
                "cgp, " + suite + ": ADRS over ANN's at ANN's hours, by means of seeds",
                equal.ratio(false, true).value(),
                0.45));
        all.add(BenchReport.Aim.atMost(
                "cgp, " + suite + ": the same by medians of seeds",
                equal.ratio(true, true).value(),
                0.45));
        PairedTrials own = pairs("cgp", YARDSTICK, TrialReading.OWN_STOP);
        all.add(BenchReport.Aim.atMost(
                "cgp, " + suite + ": ADRS over ANN's at its own end, by means of seeds",
                own.ratio(false, true).value(),
                1));
        all.add(BenchReport.Aim.atMost(
                "cgp, " + suite + ": ADRS over ANN's at its own end, by medians of seeds",
                own.ratio(true, true).value(),
                1));
        all.add(BenchReport.Aim.atMost(
                "cgp, " + suite + ": hours to its own end over ANN's",
                overKernels("cgp", TrialReading.OWN_STOP::hours) / overKernels(YARDSTICK, TrialReading.OWN_STOP::hours),
                0.6));
    }

    /// The suite that defaults were chosen on, and those that nobody looked at for that.
    private Map<String, HlsTables> scopes() {
        var scopes = new TreeMap<String, HlsTables>();
        scopes.put(SHARED, suite(SHARED));
        scopes.put(BLIND, only(DevelopmentSet::isBlind));
        return scopes;
    }

    /// An aim of a method at most `target`, where it was run.
    private void aim(
            List<BenchReport.Aim> all, String name, String method, double target, ToDoubleFunction<HlsTables> value) {
        if (methods.contains(method)) {
            all.add(BenchReport.Aim.atMost(name, value.applyAsDouble(this), target));
        }
    }

    /// By kernel the ADRS of each seed at the hours of 48 runs in full.
    private Map<String, double[]> at48(String method) {
        var all = new TreeMap<String, double[]>();
        bySubject.forEach((subject, trials) -> {
            double[] values = values(
                    of(trials, method),
                    t -> t.figures().adrsAt(PYTHON_DESIGNS * requireNonNull(fullHours.get(subject))));
            if (values.length > 0) {
                all.put(subject, values);
            }
        });
        return all;
    }

    private double shareAhead(String own, String other) {
        Map<String, double[]> theirs = at48(other);
        double[] ahead = at48(own).entrySet().stream()
                .filter(e -> theirs.containsKey(e.getKey()))
                .mapToDouble(
                        e -> Statistics.mean(e.getValue()) <= Statistics.mean(requireNonNull(theirs.get(e.getKey())))
                                ? 1
                                : 0)
                .toArray();
        return Statistics.mean(ahead);
    }

    /// Tool hours of one method over those of another until they come as near to the front as both do in the end:
    /// the geometric mean over the seeds of a kernel, and over kernels.
    private double hoursToTheSame(String own, String other) {
        double[] kernels = bySubject.values().stream()
                .mapToDouble(l -> {
                    Map<Long, Trial<Approach>> theirs = of(l, other);
                    return of(l, own).values().stream()
                            .filter(t -> theirs.containsKey(t.seed()))
                            .mapToDouble(t -> {
                                Trial<Approach> u = requireNonNull(theirs.get(t.seed()));
                                double both =
                                        Math.max(t.figures().adrs(), u.figures().adrs());
                                return Math.log(
                                        t.figures().hoursTo(both) / u.figures().hoursTo(both));
                            })
                            .average()
                            .orElse(Double.NaN);
                })
                .filter(v -> !Double.isNaN(v))
                .toArray();
        return Math.exp(Statistics.mean(kernels));
    }

    private void order(String better, String worse, boolean equalWillDo) {
        if (methods.contains(better) && methods.contains(worse)) {
            double ratio = Statistics.median(ratios(better, TrialReading.EQUAL_HOURS))
                    / Statistics.median(ratios(worse, TrialReading.EQUAL_HOURS));
            aims.add(new BenchReport.Aim(
                    better + " against " + worse + ": ratio of their medians over kernels at equal tool hours",
                    ratio,
                    equalWillDo ? "at most 1" : "below 1",
                    equalWillDo ? ratio <= 1 : ratio < 1));
        }
    }

    private void python(String method) {
        double[] ratios = bySubject.entrySet().stream()
                .filter(e -> PYTHON.has(MeasuredFiles.subject(e.getKey()))
                        && !of(e.getValue(), method).isEmpty())
                .mapToDouble(e -> {
                    double own = mean(
                            of(e.getValue(), method),
                            t -> t.figures().adrsAt(PYTHON_DESIGNS * requireNonNull(fullHours.get(e.getKey()))));
                    return Math.max(FLOOR, own)
                            / Math.max(FLOOR, PYTHON.figure("adrs", MeasuredFiles.subject(e.getKey())));
                })
                .toArray();
        if (ratios.length > 0) {
            double v = Statistics.median(ratios);
            aims.add(new BenchReport.Aim(
                    method
                            + ": median over kernels of ADRS over the Python reference's (GP and EHVI, 48 designs) at its tool hours",
                    v,
                    "below 1",
                    v < 1));
        }
    }

    private void calibration(String method) {
        double predicted = 0;
        double inside = 0;
        for (Trial<Approach> t : bySubject.values().stream()
                .flatMap(List::stream)
                .filter(t -> t.method().equals(method))
                .toList()) {
            predicted += t.figures().predicted();
            inside += t.figures().inside();
        }
        if (predicted > 0) {
            double share = inside / predicted;
            aims.add(new BenchReport.Aim(
                    method + ": share of values measured at impl inside the 90 % interval predicted for them before",
                    share,
                    "0.80 to 0.97",
                    share >= 0.8 && share <= 0.97));
        }
    }

    private double[] ratios(String method, TrialReading reading) {
        return bySubject.values().stream()
                .filter(l -> !of(l, method).isEmpty())
                .mapToDouble(l -> mean(of(l, method), reading::adrs) / mean(yardstick(l, method), reading::adrs))
                .toArray();
    }

    /// Mean over kernels of the mean over seeds.
    private double overKernels(String method, ToDoubleFunction<Trial<Approach>> value) {
        return bySubject.values().stream()
                .filter(l -> !of(l, method).isEmpty())
                .mapToDouble(l -> mean(of(l, method), value))
                .average()
                .orElse(Double.NaN);
    }

    private static Map<Long, Trial<Approach>> of(List<Trial<Approach>> trials, String method) {
        return trials.stream()
                .filter(t -> t.method().equals(method))
                .collect(Collectors.toMap(Trial::seed, t -> t, (a, b) -> a, TreeMap::new));
    }

    /// ANN's trials with the seeds that `method` was run with.
    private static Map<Long, Trial<Approach>> yardstick(List<Trial<Approach>> trials, String method) {
        Map<Long, Trial<Approach>> paired = of(trials, YARDSTICK);
        paired.keySet().retainAll(of(trials, method).keySet());
        return paired;
    }

    private static double[] values(Map<Long, Trial<Approach>> trials, ToDoubleFunction<Trial<Approach>> value) {
        return trials.values().stream().mapToDouble(value).toArray();
    }

    private static double mean(Map<Long, Trial<Approach>> trials, ToDoubleFunction<Trial<Approach>> value) {
        return Statistics.mean(values(trials, value));
    }

    private static double deviation(Map<Long, Trial<Approach>> trials, ToDoubleFunction<Trial<Approach>> value) {
        return trials.size() < 2 ? 0 : Math.sqrt(Statistics.variance(values(trials, value)));
    }
}

package knobscape.app.ui.plot;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import knobscape.app.ui.task.ScreenThread;
import knobscape.project.RunResults.TracePoint;

/// The course of a run's surrogates, step by step (Fig. 3.14 of the thesis): log marginal likelihood,
/// hyper-parameters, and the loss of the newest fit by iteration, one curve per fidelity and parameter.
final class FitTraces {
    private static final String LOSS = "loss";
    /// Shown first, in this order, as far as the run has them; others follow by name.
    private static final List<String> FIRST = List.of(
            "logLikelihood", LOSS, "lengths.0", "noise", "acquisition", "designs", "seconds.fit", "seconds.search");
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("logLikelihood", "Log marginal likelihood"),
            Map.entry(LOSS, "Loss of the newest fit"),
            Map.entry("lengths.0", "Length-scales"),
            Map.entry("lengths.1", "Length-scales of the error"),
            Map.entry("noise", "Noise variance"),
            Map.entry("slopes", "Slopes of the lower stage"),
            Map.entry("coregionalisation.0", "Correlation of objectives"),
            Map.entry("coregionalisation.1", "Correlation of the error"),
            Map.entry("fitness", "Fitness per value"),
            Map.entry("acquisition", "Best acquisition"),
            Map.entry("designs", "Designs learned from"),
            Map.entry("evaluations", "Evaluations of the likelihood"),
            Map.entry("seconds.fit", "Seconds to fit"),
            Map.entry("seconds.search", "Seconds to search"),
            Map.entry("candidates", "Candidates"),
            Map.entry("jitter", "Jitter"));
    private static final Set<String> LOGARITHMIC = Set.of("lengths.0", "lengths.1", "noise", "acquisition");

    private FitTraces() {}

    /// Names of what can be shown, the most telling first.
    static List<String> families(List<TracePoint> trace, List<String> fidelities) {
        Set<String> all = new LinkedHashSet<>();
        // Methods that learn nothing leave long traces without any.
        trace.stream()
                .filter(p -> !p.diagnostics().isEmpty())
                .forEach(p -> p.diagnostics().keySet().stream().sorted().forEach(k -> all.add(family(k, fidelities))));
        var names = new ArrayList<>(FIRST.stream().filter(all::contains).toList());
        all.stream().filter(f -> !names.contains(f)).sorted().forEach(names::add);
        return List.copyOf(names);
    }

    /// The name of a family for a person.
    static String words(String family) {
        return WORDS.getOrDefault(family, family);
    }

    private static String family(String key, List<String> fidelities) {
        return fidelities.stream()
                .filter(f -> key.startsWith(f + "."))
                .findFirst()
                .map(f -> key.substring(f.length() + 1))
                .orElse(key);
    }

    /// The curves of one family.
    static Lines lines(List<TracePoint> trace, List<String> fidelities, String family) {
        ScreenThread.mustNotBe("gathering traces of fits");
        if (family.equals(LOSS)) {
            return losses(trace, fidelities);
        }
        // By key and position among its values: step to value.
        var series = new LinkedHashMap<String, TreeMap<Integer, Double>>();
        List<String> keys =
                new ArrayList<>(fidelities.stream().map(f -> f + "." + family).toList());
        keys.add(family);
        for (String key : keys) {
            int width = trace.stream()
                    .mapToInt(p -> p.diagnostics().getOrDefault(key, new double[0]).length)
                    .max()
                    .orElse(0);
            for (int i = 0; i < width; i++) {
                String title =
                        (key.equals(family) ? words(family) : key.substring(0, key.length() - family.length() - 1))
                                + (width > 1 ? " " + (i + 1) : "");
                var values = series.computeIfAbsent(title, t -> new TreeMap<>());
                for (TracePoint p : trace) {
                    double[] v = p.diagnostics().getOrDefault(key, new double[0]);
                    if (i < v.length) {
                        values.put(p.step(), v[i]);
                    }
                }
            }
        }
        boolean positive =
                series.values().stream().flatMap(v -> v.values().stream()).allMatch(v -> v > 0);
        return new Lines(
                "Step",
                "",
                false,
                positive && LOGARITHMIC.contains(family),
                series.entrySet().stream()
                        .map(e -> new Lines.Line(
                                e.getKey(),
                                e.getValue().keySet().stream()
                                        .mapToDouble(Integer::doubleValue)
                                        .toArray(),
                                e.getValue().values().stream()
                                        .mapToDouble(Double::doubleValue)
                                        .toArray(),
                                Lines.Form.LINE))
                        .toList());
    }

    private static Lines losses(List<TracePoint> trace, List<String> fidelities) {
        var lines = new ArrayList<Lines.Line>();
        for (String f : fidelities) {
            trace.reversed().stream()
                    .filter(p -> p.diagnostics().containsKey(f + "." + LOSS))
                    .findFirst()
                    .ifPresent(p -> {
                        double[] y = requireNonNull(p.diagnostics().get(f + "." + LOSS));
                        double[] x = new double[y.length];
                        Arrays.setAll(x, i -> i + 1);
                        lines.add(new Lines.Line(f + ", step " + p.step(), x, y, Lines.Form.LINE));
                    });
        }
        return new Lines("Iteration", "", false, false, lines);
    }
}

package knobscape.hls.evaluate.estimator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.hls.source.Kernel;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// How well the estimator did on one kernel whose designs were measured: how it ranks them, and how far off it is.
/// The kernels known are the rows of `accuracy.json`, which is what `src/lab/run estimator --json` printed, its notes
/// included; no measured figure stands in it.
///
/// @param set the measured designs
/// @param kernel its name there
/// @param traits what kind of kernel it is
/// @param figures in the order of the bench
public record KnownAccuracy(String set, String kernel, KernelTraits traits, List<Figure> figures) {
    /// Figures worth a sentence: what a run usually minimises, at the last stage that has it.
    private static final List<String> TOLD = List.of("latency", "lut", "ff", "clock", "power");

    /// From where on another kind of kernel is meant: half of what one trait can differ.
    private static final double FAR = 0.5;

    public KnownAccuracy {
        figures = List.copyOf(figures);
    }

    /// A figure compared with the measured one.
    ///
    /// @param stage `hls`, `syn` or `impl`
    /// @param metric `latency`, `lut`, ..
    /// @param designs how many were compared
    /// @param spearman rank correlation, NaN where all measured values are equal
    /// @param low tenth percentile of estimate / measured
    /// @param ratio its median
    /// @param high its ninetieth percentile
    public record Figure(
            String stage, String metric, int designs, double spearman, double low, double ratio, double high) {}

    /// The kernel that is nearest to another one.
    ///
    /// @param known the kernel whose designs were measured
    /// @param distance between their traits ([KernelTraits#distance])
    public record Nearest(KnownAccuracy known, double distance) {
        /// True if the two are of different kinds, so that the figures say little.
        public boolean isFar() {
            return distance > FAR;
        }

        /// `on the nearest kernel with measured designs, gemm of hlsdataset_polybench (floating point, 2.1 loops deep),
        /// ..`: per metric the rank correlation, and the 10th and 90th percentile of estimate / measured.
        public String sentence() {
            return "on the nearest kernel with measured designs, " + known.kernel + " of " + known.set + " ("
                    + known.traits.words() + (isFar() ? "; far from this one" : "")
                    + "), its ranks correlate with the tool's, and most of its figures are so many times the tool's: "
                    + known.told().stream()
                            .map(f -> String.format(
                                    Locale.ROOT,
                                    "%s %.2f, %s to %s",
                                    name(f.metric()),
                                    f.spearman(),
                                    decimals(f.low()),
                                    decimals(f.high())))
                            .collect(Collectors.joining("; "));
        }

        /// `rank correlation 0.94 on gemm` for one figure, for narrow places; empty where that was not compared, or
        /// all measured values were equal.
        public Optional<String> words(String stage, String metric) {
            return known.figures.stream()
                    .filter(f -> f.stage().equals(stage) && f.metric().equals(metric) && !Double.isNaN(f.spearman()))
                    .findFirst()
                    .map(f -> String.format(
                            Locale.ROOT,
                            "rank correlation %.2f on %s%s",
                            f.spearman(),
                            known.kernel,
                            isFar() ? " (far)" : ""));
        }
    }

    /// The known kernel nearest to this one.
    public static Nearest nearest(Kernel kernel) {
        KernelTraits traits = KernelTraits.of(kernel);
        return all().stream()
                .map(k -> new Nearest(k, k.traits.distance(traits)))
                .min(Comparator.comparingDouble(Nearest::distance))
                .orElseThrow(() -> new IllegalStateException("accuracy.json knows no kernel"));
    }

    /// All known kernels.
    static List<KnownAccuracy> all() {
        return AccuracyRecord.ALL;
    }

    /// Read once, by whoever asks first.
    private static final class AccuracyRecord {
        private static final List<KnownAccuracy> ALL = read();
    }

    private static List<KnownAccuracy> read() {
        try (InputStream in = KnownAccuracy.class.getResourceAsStream("accuracy.json")) {
            if (in == null) {
                throw new IllegalStateException("accuracy.json is missing from the program");
            }
            var byKernel = new LinkedHashMap<String, KnownAccuracy>();
            for (JsonNode row : JsonMapper.shared().readTree(in.readAllBytes()).required("rows")) {
                String set = row.required("set").stringValue();
                String kernel = row.required("kernel").stringValue();
                KnownAccuracy before = byKernel.get(set + "/" + kernel);
                var figures = new ArrayList<>(before == null ? List.<Figure>of() : before.figures);
                figures.add(new Figure(
                        row.required("stage").stringValue(),
                        row.required("figure").stringValue(),
                        row.required("designs").intValue(),
                        number(row, "spearman"),
                        number(row, "ratio10"),
                        number(row, "ratio"),
                        number(row, "ratio90")));
                var traits = new KernelTraits(
                        number(row, "floating"), number(row, "control"), number(row, "lookups"), number(row, "depth"));
                byKernel.put(set + "/" + kernel, new KnownAccuracy(set, kernel, traits, figures));
            }
            return List.copyOf(byKernel.values());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One figure a metric, of the highest stage at which it was compared.
    public List<Figure> told() {
        Map<String, Figure> last = new LinkedHashMap<>();
        figures.stream().filter(f -> !Double.isNaN(f.spearman())).forEach(f -> last.put(f.metric(), f));
        return TOLD.stream().flatMap(m -> Stream.ofNullable(last.get(m))).toList();
    }

    private static double number(JsonNode row, String key) {
        JsonNode value = row.required(key);
        return value.isNumber() ? value.doubleValue() : Double.NaN;
    }

    private static String name(String metric) {
        return metric.length() <= 3 ? metric.toUpperCase(Locale.ROOT) : metric;
    }

    private static String decimals(double v) {
        return String.format(Locale.ROOT, v < 0.095 ? "%.2f" : "%.1f", v);
    }
}

package knobscape.app.ui.hls.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import javafx.beans.InvalidationListener;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import knobscape.hls.evaluate.estimator.LoopShare;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.evaluate.vendor.SourceLoops;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.PragmaWriter;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// A design in its source: the pragmas it stands for, and what becomes of each loop.
///
/// @param pragmas by file and line, the pragmas that follow that line
/// @param edges by file and line, what stands at the right edge
/// @param limit the loop that takes the most cycles, where that is estimated
public record SourceOverlay(
        Map<String, Map<Integer, List<String>>> pragmas, Map<String, Map<Integer, Edge>> edges, Optional<Limit> limit) {
    /// Stands between the parts of what is known of a loop.
    static final String BETWEEN = " \u00b7 ";

    /// Nothing is shown.
    public static SourceOverlay none() {
        return new SourceOverlay(Map.of(), Map.of(), Optional.empty());
    }

    /// The known facts of a loop.
    ///
    /// @param words `64 × · II 2 · ports of b`
    /// @param whole the same with all there is to say
    /// @param limited whether something keeps it from an interval of 1
    public record Edge(String words, String whole, boolean limited) {}

    /// The loop that takes the most cycles.
    ///
    /// @param loop its id
    /// @param name its label, or where it stands
    /// @param words its share of the cycles, and what limits it
    public record Limit(String loop, String name, String words) {}

    /// The design of a configuration. Intervals, trip counts and cycles are those of the built-in estimator.
    public static SourceOverlay of(HlsWorkbench bench, Configuration configuration) {
        ScreenThread.mustNotBe("writing a design into its source");
        Kernel kernel = bench.kernel();
        var pragmas = new HashMap<String, Map<Integer, List<String>>>();
        new PragmaWriter(Dialect.VITIS_HLS)
                .write(bench.directives(), configuration)
                .files()
                .forEach((name, text) -> pragmas.put(
                        name, inserted(lines(kernel.sources().getOrDefault(name, kernel.text())), lines(text))));
        var edges = new HashMap<String, Map<Integer, Edge>>();
        List<LoopEstimate> loops = estimates(bench, configuration);
        for (LoopEstimate l : loops) {
            kernel.loop(l.loop())
                    .map(Loop::keyword)
                    .ifPresent(at -> edges.computeIfAbsent(at.file(), f -> new HashMap<>())
                            .put(at.line(), edge(l)));
        }
        bench.kernelWork().toolFolder(configuration).ifPresent(folder -> reported(kernel, folder, edges));
        return new SourceOverlay(
                pragmas, edges, LoopShare.heaviest(kernel, loops).map(s -> limit(kernel, s)));
    }

    /// Writes the selected design into the source whenever it changes, where its directives are of the space that is
    /// open.
    public static void follow(
            Background background,
            Results results,
            ObjectProperty<SourceOverlay> source,
            Supplier<Optional<HlsWorkbench>> open) {
        var weaving = new LatestTask<SourceOverlay>(background, source::set, e -> {
            throw new IllegalStateException("the design cannot be written into the source", e);
        });
        var last = new SimpleObjectProperty<Optional<Configuration>>(Optional.empty());
        last.addListener((o, was, is) -> {
            Optional<HlsWorkbench> bench = open.get();
            weaving.submit(() -> is.flatMap(c -> bench.map(b -> of(b, c))).orElseGet(SourceOverlay::none));
        });
        InvalidationListener look = o -> last.set(results.selectedDesign()
                .map(Design::configuration)
                .filter(c -> open.get()
                        .filter(b -> b.space().knobs().equals(c.knobs()))
                        .isPresent()));
        results.selected().addListener(look);
        results.shown().addListener(look);
    }

    /// All pragmas with the line they follow, for the clipboard.
    public String text() {
        var all = new ArrayList<String>();
        new TreeMap<>(pragmas)
                .forEach((file, lines) -> new TreeMap<>(lines).forEach((line, texts) -> {
                    all.add("// " + SourceViewModel.fileName(file) + ", after line " + line);
                    texts.forEach(t -> all.add(t.strip()));
                }));
        return String.join("\n", all) + (all.isEmpty() ? "" : "\n");
    }

    private static String[] lines(String text) {
        return text.replace("\r\n", "\n").replace('\r', '\n').split("\n", -1);
    }

    /// The pragma lines of `after` that are not in `before`, by the number of the line they follow.
    static Map<Integer, List<String>> inserted(String[] before, String[] after) {
        var found = new TreeMap<Integer, List<String>>();
        int at = 0;
        for (String line : after) {
            int same = at;
            while (same < before.length && !before[same].equals(line) && isPragma(before[same])) {
                // A pragma of the source that gave way.
                same++;
            }
            if (same < before.length && before[same].equals(line)) {
                at = same + 1;
            } else if (isPragma(line)) {
                found.computeIfAbsent(at, n -> new ArrayList<>()).add(line);
            } else if (at < before.length
                    && !before[at].isBlank()
                    && line.contains(before[at].strip().replaceFirst("\\s*\\{$", ""))) {
                // A label or a brace was added.
                at++;
            }
        }
        return found;
    }

    private static boolean isPragma(String line) {
        return line.strip().startsWith("#pragma HLS");
    }

    private static List<LoopEstimate> estimates(HlsWorkbench bench, Configuration configuration) {
        return bench.explain(configuration).map(EstimateReport::loops).orElse(List.of());
    }

    private static Limit limit(Kernel kernel, LoopShare s) {
        Loop loop = kernel.loop(s.loop().loop()).orElseThrow();
        String what = withinFunction(s.loop());
        return new Limit(
                loop.id(),
                loop.labelled() ? loop.label() : "line " + loop.keyword().line(),
                Math.round(100 * s.share()) + " % of the cycles, "
                        + (s.loop().state() == LoopEstimate.State.PIPELINED
                                ? "II " + s.loop().interval() + (what.isEmpty() ? "" : ", " + what)
                                : cycles(s.loop().latency() / s.loop().trip()) + " an iteration, not pipelined"));
    }

    /// The limit of a loop, without the name of its function.
    private static String withinFunction(LoopEstimate l) {
        return l.limit().replace(l.function() + "/", "");
    }

    /// Puts what the tool's own reports say of loops in the place of what is estimated.
    private static void reported(Kernel kernel, Path folder, Map<String, Map<Integer, Edge>> edges) {
        try {
            SourceLoops.join(
                            kernel,
                            ReportReader.readFolder(folder).stream()
                                    .map(ReportReader.ReportMatch::report)
                                    .toList())
                    .forEach((id, l) -> kernel.loop(id)
                            .map(Loop::keyword)
                            .ifPresent(at -> edges.computeIfAbsent(at.file(), f -> new HashMap<>())
                                    .put(at.line(), edge(l))));
        } catch (UserError e) {
            // No report yet, or half of one: the estimate stays.
        }
    }

    private static Edge edge(VendorLoop l) {
        double interval = l.figure("interval").orElse(1);
        String trip = l.figure("trip max").isPresent()
                ? Quantity.count(Math.round(l.figure("trip max").getAsDouble())) + " \u00d7"
                : "? \u00d7";
        String latency = l.figure("latency max").isPresent()
                ? cycles(l.figure("latency max").getAsDouble())
                : "? cycles";
        boolean pipelined = l.pipelined().orElse(false);
        return new Edge(
                (pipelined ? "II " + Math.round(interval) + BETWEEN : "") + trip + BETWEEN + latency,
                l.name() + ": " + (pipelined ? "II " + Math.round(interval) + ", " : "") + trip + ", " + latency
                        + " (the tool's report)",
                pipelined && interval > 1);
    }

    private static Edge edge(LoopEstimate l) {
        String trip = Quantity.count(Math.round(l.trip())) + " \u00d7";
        String limit = withinFunction(l);
        boolean limited = l.state() == LoopEstimate.State.PIPELINED && l.interval() > 1;
        String words = switch (l.state()) {
            case UNROLLED -> (l.unroll() > 1 ? l.unroll() + " \u00d7 " : "") + "unrolled";
            case FLATTENED -> "flattened";
            case SEQUENTIAL -> trip + BETWEEN + cycles(l.latency());
            case PIPELINED ->
                "II " + l.interval() + BETWEEN + (limited && !limit.isEmpty() ? limit : trip)
                        + (l.unroll() > 1 ? " by " + l.unroll() : "");
        };
        return new Edge(
                words,
                words + ", " + trip + ", " + cycles(l.latency()) + (limit.isEmpty() ? "" : "; " + limit)
                        + " (built-in estimate)",
                limited);
    }

    private static String cycles(double n) {
        return Quantity.count(Math.round(n)) + (Math.round(n) == 1 ? " cycle" : " cycles");
    }
}

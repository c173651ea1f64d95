package knobscape.app.ui.hls.report;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.InvalidationListener;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.evaluate.vendor.SourceLoops;
import knobscape.hls.evaluate.vendor.VendorReport;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import knobscape.hls.source.Kernel;
import knobscape.project.Design;
import knobscape.project.NumberFormats;

/// Reports and log of the selected design: those that a tool left in its folder, or a report that was dropped on it.
public final class ToolReportViewModel {
    private static final int MOST_LOG = 200_000;
    private static final int MOST_READ = 64 << 10;
    private static final Map<Figure, String> METRICS =
            Map.of(Figure.LUT, "lut", Figure.FF, "ff", Figure.DSP, "dsp", Figure.BRAM, "bram", Figure.POWER, "power");

    private static final Set<Figure> SAID = EnumSet.of(
            Figure.LATENCY_MAX,
            Figure.CLOCK_ESTIMATED,
            Figure.CLOCK_IMPL,
            Figure.LUT,
            Figure.FF,
            Figure.DSP,
            Figure.BRAM,
            Figure.POWER);

    /// A figure of a report beside that of the design.
    ///
    /// @param design what the design has at the same stage, else at its highest; empty where nothing
    /// @param ratio report over design, empty where one is missing
    public record Row(String name, String report, String design, String ratio) {}

    /// A loop of a report.
    ///
    /// @param loop id of the loop of the source, empty where none fits
    public record LoopRow(
            OptionalInt line, Optional<String> loop, String name, String interval, String trip, String latency) {}

    /// The shown report.
    ///
    /// @param title whose report it is
    /// @param design what the column beside it is
    public record ReportPage(String title, String design, List<Row> figures, List<LoopRow> loops, List<String> notes) {}

    private final Background background;
    private final Messages messages;
    private final Results results;
    private final Supplier<Optional<HlsWorkbench>> open;
    private final ReadOnlyObjectWrapper<Optional<ReportPage>> shown = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<Path>> log = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper text = new ReadOnlyStringWrapper("");
    private Optional<Design> design = Optional.empty();
    private int asked;
    private volatile long read;
    private boolean reading;

    /// @param open the kernel that is open; empty where none is, or measured designs
    public ToolReportViewModel(
            Background background, Messages messages, Results results, Supplier<Optional<HlsWorkbench>> open) {
        this.background = background;
        this.messages = messages;
        this.results = results;
        this.open = open;
        InvalidationListener look = o -> select();
        results.selected().addListener(look);
        results.shown().addListener(look);
    }

    /// The report shown.
    public ReadOnlyObjectProperty<Optional<ReportPage>> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The newest log of the selected design.
    public ReadOnlyObjectProperty<Optional<Path>> log() {
        return log.getReadOnlyProperty();
    }

    /// The end of the log, as far as it was read.
    public ReadOnlyStringProperty text() {
        return text.getReadOnlyProperty();
    }

    private record ReportFiles(Optional<Path> log, Optional<ReportPage> shown) {}

    private void select() {
        Optional<Design> now = results.selectedDesign();
        if (now.equals(design)) {
            return;
        }
        boolean other = !now.map(Design::configuration).equals(design.map(Design::configuration));
        design = now;
        int question = ++asked;
        if (other) {
            shown.set(Optional.empty());
            setLog(Optional.empty());
        }
        Optional<HlsWorkbench> bench = open.get()
                .filter(b -> now.filter(
                                d -> d.configuration().knobs().equals(b.space().knobs()))
                        .isPresent());
        bench.ifPresent(b -> background.compute(
                () -> left(b, now.orElseThrow()),
                l -> {
                    if (question == asked) {
                        setLog(l.log());
                        l.shown().ifPresent(s -> shown.set(Optional.of(s)));
                    }
                },
                e -> messages.fail("The folder of the design cannot be read", e)));
    }

    private static ReportFiles left(HlsWorkbench bench, Design d) throws IOException {
        Optional<Path> folder = bench.kernelWork().toolFolder(d.configuration());
        if (folder.isEmpty()) {
            return new ReportFiles(Optional.empty(), Optional.empty());
        }
        Optional<Path> newest;
        try (Stream<Path> files = Files.list(folder.get())) {
            newest = files.filter(f -> f.toString().endsWith(".log"))
                    .max(Comparator.comparingLong(f -> f.toFile().lastModified()));
        }
        try {
            List<VendorReport> reports = ReportReader.readFolder(folder.get()).stream()
                    .map(ReportReader.ReportMatch::report)
                    .toList();
            return new ReportFiles(newest, Optional.of(describe("the tool's folder", reports, d, bench.kernel())));
        } catch (UserError e) {
            return new ReportFiles(newest, Optional.empty()); // None yet, or half of one.
        }
    }

    /// Sets a report beside the selected design; where none is, says what it is of and what it says.
    public void open(Path file) {
        if (results.selectedDesign().isPresent() && open.get().isPresent()) {
            String title = Results.title(results.selected().get());
            set(
                    file,
                    () -> messages.show(
                            Message.done(file.getFileName() + " stands below the sheet of " + title + ".")));
            return;
        }
        background.compute(
                () -> words(file.getFileName().toString(), ReportReader.read(file)),
                said -> messages.show(Message.done(said)),
                e -> messages.fail("The report cannot be read", e));
    }

    private static String words(String name, VendorReport r) {
        String figures = r.figures().entrySet().stream()
                .filter(e -> SAID.contains(e.getKey()))
                .map(e -> e.getKey().label() + " " + NumberFormats.shortest(e.getValue())
                        + (e.getKey().unit().isEmpty() ? "" : " " + e.getKey().unit()))
                .collect(Collectors.joining(", "));
        return name + " is a report of " + r.stage().words()
                + r.top().map(t -> " of " + t).orElse("")
                + (figures.isEmpty() ? "" : ": " + figures)
                + ". Open its kernel, select a design and open the report again to see it beside the estimate.";
    }

    /// Sets a report, or a folder of reports, beside the selected design.
    public void drop(Path file) {
        set(file, () -> {});
    }

    private void set(Path file, Runnable then) {
        Optional<Design> d = results.selectedDesign();
        Optional<HlsWorkbench> bench = open.get();
        if (d.isEmpty() || bench.isEmpty()) {
            messages.fail("No report can be shown", new UserError("Select a design of a kernel first."));
            return;
        }
        int question = ++asked;
        background.compute(
                () -> {
                    List<VendorReport> reports = Files.isDirectory(file)
                            ? ReportReader.readFolder(file).stream()
                                    .map(ReportReader.ReportMatch::report)
                                    .toList()
                            : List.of(ReportReader.read(file));
                    return describe(
                            file.getFileName().toString(),
                            reports,
                            d.get(),
                            bench.get().kernel());
                },
                s -> {
                    if (question == asked) {
                        shown.set(Optional.of(s));
                        then.run();
                    }
                },
                e -> messages.fail("The report cannot be read", e));
    }

    private static ReportPage describe(String title, List<VendorReport> reports, Design d, Kernel kernel) {
        VendorReport last = reports.getLast();
        var rows = new ArrayList<Row>();
        OptionalDouble latency = reports.stream()
                .map(VendorReport::latency)
                .filter(OptionalDouble::isPresent)
                .reduce((a, b) -> b)
                .orElse(OptionalDouble.empty());
        row(rows, "Latency (cycles)", latency, value(d, last, "latency"));
        row(rows, "Clock (ns)", last.clock(), value(d, last, "clock"));
        METRICS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> row(
                        rows,
                        e.getKey().label()
                                + (e.getKey().unit().isEmpty()
                                        ? ""
                                        : " (" + e.getKey().unit() + ")"),
                        reports.reversed().stream()
                                .filter(r -> r.stage() == last.stage())
                                .map(r -> r.figure(e.getKey()))
                                .filter(OptionalDouble::isPresent)
                                .findFirst()
                                .orElse(OptionalDouble.empty()),
                        value(d, last, e.getValue())));
        var loops = new ArrayList<LoopRow>();
        for (VendorReport r : reports) {
            r.loops().forEach(l -> loops.add(loop(kernel, l)));
        }
        return new ReportPage(
                last.stage().words() + last.version().map(v -> ", version " + v).orElse("") + ", " + title,
                source(d, last),
                rows,
                loops,
                reports.stream().flatMap(r -> r.notes().stream()).distinct().toList());
    }

    private static Optional<knobscape.evaluate.Evaluation> at(Design d, VendorReport r) {
        return d.evaluations().stream()
                .filter(e -> e.fidelity().name().equals(r.stage().fidelity()))
                .findFirst()
                .or(d::highest);
    }

    private static OptionalDouble value(Design d, VendorReport r, String metric) {
        return at(d, r).map(e -> e.value(metric)).orElse(OptionalDouble.empty());
    }

    private static String source(Design d, VendorReport r) {
        return at(d, r).map(e ->
                        e.fidelity().name() + ", " + e.provenance().source().words())
                .orElse("not evaluated");
    }

    private static void row(List<Row> rows, String name, OptionalDouble report, OptionalDouble design) {
        if (report.isPresent()) {
            double r = report.getAsDouble();
            rows.add(new Row(
                    name,
                    NumberFormats.shortest(r),
                    design.isPresent() ? NumberFormats.shortest(design.getAsDouble()) : "\u2013",
                    design.isPresent() && design.getAsDouble() != 0
                            ? String.format(java.util.Locale.ROOT, "%.2f", r / design.getAsDouble())
                            : ""));
        }
    }

    private static LoopRow loop(Kernel kernel, VendorLoop l) {
        var of = SourceLoops.find(kernel, l);
        return new LoopRow(
                of.map(x -> OptionalInt.of(x.keyword().line())).orElse(l.line()),
                of.map(x -> x.id()),
                " ".repeat(2 * l.depth()) + l.name(),
                words(l.figure("interval")),
                words(l.figure("trip max")),
                words(l.figure("latency max")));
    }

    private static String words(OptionalDouble v) {
        return v.isPresent() ? NumberFormats.shortest(v.getAsDouble()) : "?";
    }

    private void setLog(Optional<Path> file) {
        if (!file.equals(log.get())) {
            read = 0;
            text.set("");
            log.set(file);
        }
    }

    /// Reads on in the log; called again and again while it is followed.
    public void readOn() {
        Optional<Path> file = log.get();
        if (file.isEmpty() || reading) {
            return;
        }
        reading = true;
        long from = read;
        background.compute(
                () -> {
                    try (var in = new RandomAccessFile(file.get().toFile(), "r")) {
                        // A log that was begun anew is read anew.
                        long start = in.length() < from ? 0 : Math.max(from, in.length() - MOST_LOG);
                        byte[] bytes = new byte[(int) Math.min(MOST_READ, in.length() - start)];
                        in.seek(start);
                        in.readFully(bytes);
                        read = start + bytes.length;
                        return new String(bytes, StandardCharsets.UTF_8).replaceAll("\u001b\\[[0-9;]*m", "");
                    }
                },
                more -> {
                    reading = false;
                    if (file.equals(log.get()) && !more.isEmpty()) {
                        String all = text.get() + more;
                        text.set(all.length() > MOST_LOG ? all.substring(all.length() - MOST_LOG) : all);
                    }
                },
                e -> {
                    reading = false;
                    setLog(Optional.empty());
                });
    }
}

package knobscape.app.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.evaluate.vendor.ReportReader.ReportMatch;
import knobscape.hls.evaluate.vendor.SourceLoops;
import knobscape.hls.evaluate.vendor.ToolGuidance;
import knobscape.hls.evaluate.vendor.VendorReport;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import knobscape.hls.source.Kernel;
import knobscape.project.Project;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape report`: what reports of the vendor's tools say.
@Command(
        name = "report",
        description =
                "Show what a report of Vivado HLS, Vitis HLS or Vivado says (latency, interval, loops, clock, LUT, FF, DSP, BRAM, URAM, power).")
final class ReportCommand extends Verb {
    @Parameters(
            paramLabel = "FILE|DIR",
            description =
                    "A report (csynth.xml, csynth.rpt, TOP_cosim.rpt, export_impl.xml, power report, ...), a tool's log (vitis_hls.log) or its project folder.")
    private Path source;

    @Option(
            names = "--of",
            paramLabel = "PROJECT|SOURCE",
            description = "Join the loops to the lines of this kernel's source, also those with a label.")
    private Optional<Path> kernel = Optional.empty();

    private Optional<Kernel> read = Optional.empty();

    ReportCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        Path path = context().here().resolve(source);
        if (!Files.exists(path)) {
            throw new UserError("There is no file or folder '" + path + "'.");
        }
        if (path.toString().endsWith(".log")) {
            return log(path);
        }
        List<ReportMatch> found = Files.isDirectory(path)
                ? ReportReader.readFolder(path)
                : List.of(new ReportMatch(path, ReportReader.read(path)));
        read = kernel.map(k -> {
            try (Project project = Project.open(context().here().resolve(k).normalize())) {
                return HlsWorkbench.open(
                                project,
                                project.file().both(),
                                context().tools().get())
                        .kernel();
            }
        });
        if (isJson()) {
            var root = JsonMapper.builder().build().createObjectNode();
            var reports = root.putArray("reports");
            found.forEach(f -> json(f, reports.addObject()));
            print(root);
        } else {
            found.forEach(this::text);
            out().flush();
        }
        return 0;
    }

    /// The loops and pragmas in a tool's log.
    private int log(Path path) {
        List<ToolGuidance.Finding> findings = ReportReader.guidanceOf(path);
        if (isJson()) {
            var root = JsonMapper.builder().build().createObjectNode();
            var list = root.putArray("findings");
            for (ToolGuidance.Finding f : findings) {
                ObjectNode node = list.addObject()
                        .put("kind", f.kind().name().toLowerCase(java.util.Locale.ROOT))
                        .put("module", f.module())
                        .put("loop", f.loop())
                        .put("words", f.words());
                f.line().ifPresent(l -> node.put("line", l));
            }
            print(root);
        } else if (findings.isEmpty()) {
            out().println(path + " says nothing of loops and pragmas.");
            out().flush();
        } else {
            var table = new TextTable("loop or function", "line", "what the tool says");
            findings.forEach(f -> table.add(
                    f.loop().isEmpty() ? f.module() : f.loop(),
                    f.line().isPresent() ? String.valueOf(f.line().getAsInt()) : "",
                    (f.limitsInterval() ? "II limited by " : "") + f.words()));
            out().print(table.text());
            out().flush();
        }
        return 0;
    }

    private void text(ReportMatch f) {
        VendorReport r = f.report();
        out().println(f.file() + ": " + r.stage().words()
                + r.top().map(t -> " of " + t).orElse("")
                + r.part().map(p -> ", " + p).orElse("")
                + r.version().map(v -> ", version " + v).orElse(""));
        var table = new TextTable("", ">", "of the part");
        r.figures().forEach((figure, value) -> {
            Double of = r.available().get(figure);
            table.add(
                    "  " + figure.label(),
                    plain(value) + (figure.unit().isEmpty() ? "" : " " + figure.unit()),
                    of == null || of == 0 ? "" : plain(Math.round(1000 * value / of) / 10.0) + " %");
        });
        out().print(table.text());
        if (!r.loops().isEmpty()) {
            var loops = new TextTable(
                    "  loop", "trip count", "II", "iteration latency", "latency", "line", "II limited by");
            r.loops()
                    .forEach(l -> loops.add(
                            "  " + "  ".repeat(l.depth()) + l.name(),
                            range(l, "trip"),
                            words(l.figure("interval")),
                            words(l.figure("iteration latency")),
                            range(l, "latency"),
                            line(l).map(String::valueOf).orElse(""),
                            l.limit().orElse("")));
            out().print(loops.text());
        }
        r.notes().forEach(n -> out().println("  Note: " + n + "."));
    }

    private Optional<Integer> line(VendorLoop l) {
        return read.flatMap(k -> SourceLoops.find(k, l))
                .map(loop -> loop.keyword().line())
                .or(() -> l.line().stream().boxed().findFirst());
    }

    private static String range(VendorLoop l, String name) {
        String min = words(l.figure(name + " min"));
        String max = words(l.figure(name + " max"));
        return min.equals(max) ? max : min + " .. " + max;
    }

    private static String words(OptionalDouble value) {
        return value.isPresent() ? plain(value.getAsDouble()) : "?";
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private void json(ReportMatch f, ObjectNode node) {
        VendorReport r = f.report();
        node.put("file", f.file().toString()).put("stage", r.stage().fidelity());
        r.version().ifPresent(v -> node.put("version", v));
        r.top().ifPresent(v -> node.put("top", v));
        r.part().ifPresent(v -> node.put("part", v));
        figures(r.figures(), node.putObject("figures"));
        figures(r.available(), node.putObject("available"));
        var loops = node.putArray("loops");
        for (VendorLoop l : r.loops()) {
            ObjectNode loop = loops.addObject()
                    .put("module", l.module())
                    .put("name", l.name())
                    .put("depth", l.depth());
            line(l).ifPresent(v -> loop.put("line", v));
            l.pipelined().ifPresent(v -> loop.put("pipelined", v));
            l.limit().ifPresent(v -> loop.put("limit", v));
            l.figures().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(e -> loop.put(e.getKey().replace(' ', '_'), e.getValue()));
        }
        var notes = node.putArray("notes");
        r.notes().forEach(notes::add);
    }

    private static void figures(Map<Figure, Double> of, ObjectNode to) {
        of.forEach((figure, value) -> to.put(figure.name().toLowerCase(java.util.Locale.ROOT), value));
    }
}

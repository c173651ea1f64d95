package knobscape.hls.evaluate.vendor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.Xml;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.Stage;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Reads the reports in XML: `csynth.xml` and `TOP_csynth.xml` of C synthesis, `export_syn.xml`, `export_impl.xml`
/// and `TOP_export.xml` of Vivado.
final class ReportXml {
    private static final int MAX_DEPTH = 200;

    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    private final Map<Figure, Double> available = new EnumMap<>(Figure.class);
    private final List<VendorLoop> loops = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private ReportXml() {}

    /// Throws [UserError] where it is no XML or no such report.
    static VendorReport read(Path file, byte[] bytes) {
        Element root = Xml.read(file, bytes);
        if (!root.getTagName().equals("profile")) {
            throw new UserError(file + " is XML, but no report of a vendor's tool (its root is <" + root.getTagName()
                    + ">, not <profile>).");
        }
        var reader = new ReportXml();
        if (child(root, "RunData").isPresent() || child(root, "TimingReport").isPresent()) {
            return reader.vivado(root);
        }
        if (child(root, "PerformanceEstimates").isPresent()
                || child(root, "AreaEstimates").isPresent()) {
            return reader.synthesis(root);
        }
        throw new UserError(file + " has neither estimates nor a timing report; name csynth.xml, TOP_csynth.xml,"
                + " export_syn.xml or export_impl.xml.");
    }

    private VendorReport synthesis(Element root) {
        Optional<Element> user = child(root, "UserAssignments");
        user.ifPresent(u -> {
            put(figures, Figure.CLOCK_TARGET, text(u, "TargetClockPeriod"));
            put(figures, Figure.CLOCK_UNCERTAINTY, text(u, "ClockUncertainty"));
        });
        String top = user.flatMap(u -> text(u, "TopModelName")).orElse("");
        child(root, "PerformanceEstimates").ifPresent(p -> {
            child(p, "SummaryOfTimingAnalysis")
                    .ifPresent(t -> put(figures, Figure.CLOCK_ESTIMATED, text(t, "EstimatedClockPeriod")));
            child(p, "SummaryOfOverallLatency").ifPresent(l -> {
                put(figures, Figure.LATENCY_MIN, text(l, "Best-caseLatency"));
                put(figures, Figure.LATENCY_AVG, text(l, "Average-caseLatency"));
                put(figures, Figure.LATENCY_MAX, text(l, "Worst-caseLatency"));
                put(figures, Figure.INTERVAL_MIN, text(l, "Interval-min"));
                put(figures, Figure.INTERVAL_MAX, text(l, "Interval-max"));
                if (text(l, "Worst-caseLatency").filter("undef"::equals).isPresent()) {
                    notes.add("the latency is undefined: a trip count depends on data and none is stated");
                }
            });
            loops(top, p);
        });
        child(root, "AreaEstimates").ifPresent(this::area);
        child(root, "ModuleInformation")
                .ifPresent(m -> children(m).stream()
                        .filter(e -> e.getTagName().equals("Module"))
                        .filter(e -> !text(e, "Name").orElse("").equals(top))
                        .forEach(e -> child(e, "PerformanceEstimates")
                                .ifPresent(p -> loops(text(e, "Name").orElse("?"), p))));
        return new VendorReport(
                Stage.HLS,
                child(root, "ReportVersion").flatMap(v -> text(v, "Version")),
                Optional.of(top).filter(t -> !t.isEmpty()),
                user.flatMap(u -> text(u, "Part")),
                figures,
                available,
                loops,
                notes);
    }

    private VendorReport vivado(Element root) {
        Optional<Element> run = child(root, "RunData");
        Optional<Element> timing = child(root, "TimingReport");
        boolean routed = run.flatMap(r -> text(r, "RUN_TYPE"))
                .map(t -> t.startsWith("impl"))
                .orElseGet(() -> timing.flatMap(t -> text(t, "CP_ROUTE"))
                        .flatMap(ReportReader::number)
                        .isPresent());
        Stage stage = routed ? Stage.IMPL : Stage.SYN;
        timing.ifPresent(t -> {
            put(figures, Figure.CLOCK_TARGET, text(t, "TargetClockPeriod").or(() -> text(t, "CP_TARGET")));
            Optional<String> achieved = text(t, "AchievedClockPeriod");
            put(figures, Figure.CLOCK_SYN, text(t, "CP_SYNTH").or(() -> routed ? Optional.empty() : achieved));
            if (routed) {
                put(
                        figures,
                        Figure.CLOCK_IMPL,
                        text(t, "CP_ROUTE").or(() -> text(t, "CP_FINAL")).or(() -> achieved));
                if (figures.get(Figure.CLOCK_IMPL) == null) {
                    put(figures, Figure.CLOCK_IMPL, achieved);
                }
            }
            if (text(t, "TIMING_MET").filter("FALSE"::equalsIgnoreCase).isPresent()) {
                notes.add("timing was not met");
            }
        });
        child(root, "AreaReport").ifPresent(this::area);
        Map<String, String> general = new HashMap<>();
        child(root, "GeneralInfo")
                .ifPresent(g -> children(g).forEach(i -> general.put(i.getAttribute("NAME"), i.getAttribute("VALUE"))));
        return new VendorReport(
                stage,
                run.flatMap(r -> text(r, "VIVADO_VERSION"))
                        .or(() -> Optional.ofNullable(general.get("Version")))
                        .map(ReportReader::version),
                child(root, "RtlModules")
                        .flatMap(m -> children(m).stream()
                                .filter(e -> e.getAttribute("IS_TOP").equals("1"))
                                .map(e -> e.getAttribute("MODULENAME"))
                                .findFirst()),
                Optional.ofNullable(general.get("Target device")),
                figures,
                available,
                loops,
                notes);
    }

    private void area(Element area) {
        child(area, "Resources").ifPresent(r -> children(r).forEach(e -> resource(figures, e)));
        child(area, "AvailableResources").ifPresent(r -> children(r).forEach(e -> resource(available, e)));
    }

    private static void resource(Map<Figure, Double> to, Element e) {
        Figure figure = Figure.resource(e.getTagName());
        if (figure != null) {
            put(to, figure, Optional.of(e.getTextContent().strip()));
        }
    }

    private void loops(String module, Element performance) {
        child(performance, "SummaryOfLoopLatency").ifPresent(s -> children(s).forEach(l -> loop(module, l, 0)));
    }

    private void loop(String module, Element e, int depth) {
        if (depth > MAX_DEPTH || e.getTagName().equals("InstanceList")) {
            return;
        }
        var found = new HashMap<String, Double>();
        range(found, "trip", child(e, "TripCount"));
        range(found, "latency", child(e, "Latency"));
        text(e, "IterationLatency").flatMap(ReportReader::number).ifPresent(v -> found.put("iteration latency", v));
        text(e, "PipelineDepth").flatMap(ReportReader::number).ifPresent(v -> found.put("iteration latency", v));
        text(e, "PipelineII").flatMap(ReportReader::number).ifPresent(v -> found.put("interval", v));
        Optional<Boolean> pipelined = text(e, "PipelineType")
                .map(t -> t.equals("yes"))
                .or(() -> Optional.of(child(e, "PipelineII").isPresent()));
        String name = text(e, "Name").orElse(e.getTagName());
        loops.add(new VendorLoop(module, name, depth, ReportReader.line(name), pipelined, found));
        children(e).stream()
                .filter(c ->
                        child(c, "TripCount").isPresent() || child(c, "Latency").isPresent())
                .forEach(c -> loop(module, c, depth + 1));
    }

    private static void range(Map<String, Double> found, String name, Optional<Element> of) {
        of.ifPresent(e -> {
            Optional<Element> range = child(e, "range");
            range.flatMap(r -> text(r, "min"))
                    .or(() -> Optional.of(e.getTextContent().strip()))
                    .flatMap(ReportReader::number)
                    .ifPresent(v -> found.put(name + " min", v));
            range.flatMap(r -> text(r, "max"))
                    .or(() -> Optional.of(e.getTextContent().strip()))
                    .flatMap(ReportReader::number)
                    .ifPresent(v -> found.put(name + " max", v));
        });
    }

    private static void put(Map<Figure, Double> to, Figure figure, Optional<String> text) {
        text.flatMap(ReportReader::number).ifPresent(v -> to.put(figure, v));
    }

    private static Optional<String> text(Element parent, String name) {
        return child(parent, name).map(e -> e.getTextContent().strip()).filter(t -> !t.isEmpty());
    }

    private static Optional<Element> child(Element parent, String name) {
        return children(parent).stream()
                .filter(e -> e.getTagName().equals(name))
                .findFirst();
    }

    private static List<Element> children(Element parent) {
        var nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(n -> n.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast)
                .toList();
    }
}

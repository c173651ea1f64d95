package knobscape.hls.evaluate.vendor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.evaluate.Part;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.export.TclDirectives;
import knobscape.hls.export.TclWriter;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;
import knobscape.space.Sha256;
import tools.jackson.databind.json.JsonMapper;

/// The kernel that a tool evaluates designs of.
///
/// @param space its directives
/// @param part target device
/// @param clockNs target clock period in nanoseconds
/// @param includeDirs folders searched for headers, absolute
/// @param defines macros given from outside
/// @param options what the tool is told else; the testbench by absolute paths
public record ToolWork(
        DirectiveSpace space,
        Part part,
        double clockNs,
        List<Path> includeDirs,
        Map<String, String> defines,
        ToolOptions options) {
    private static final long MAX_TESTBENCH = 256L << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<Fidelity> STAGES =
            List.of(new Fidelity("hls", 0), new Fidelity("syn", 1), new Fidelity("impl", 2));

    /// Without options.
    public ToolWork(
            DirectiveSpace space, Part part, double clockNs, List<Path> includeDirs, Map<String, String> defines) {
        this(space, part, clockNs, includeDirs, defines, ToolOptions.NONE);
    }

    public ToolWork {
        includeDirs = List.copyOf(includeDirs);
        defines = Map.copyOf(defines);
    }

    /// Writes `src/`, `directives.tcl`, `run_hls.tcl` and `design.json` (knobs, directives, part, clock, stage).
    public void write(Configuration configuration, Fidelity stage, Dialect dialect, Path folder) {
        exporter(dialect, false).tcl(space, configuration, folder);
        var n = JSON.createObjectNode()
                .put("design", configuration.id())
                .put("configuration", configuration.text())
                .put("stage", stage.name())
                .put("top", space.kernel().top())
                .put("part", part.orderingName())
                .put("clockNs", clockNs(configuration));
        var directives = n.putArray("directives");
        TclDirectives tcl = directives(configuration, dialect);
        tcl.commands().forEach(directives::add);
        if (!tcl.inSource().isEmpty()) {
            var inSource = n.putArray("pragmas");
            tcl.inSource().forEach(inSource::add);
        }
        var knobs = n.putObject("knobs");
        configuration.toMap().forEach(knobs::put);
        FileOutput.write(
                folder.resolve("design.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(n));
    }

    /// Writes `src/` and `hls_config.cfg`.
    void writeConfig(Configuration configuration, Fidelity stage, Path folder) {
        exporter(Dialect.VITIS_HLS, stage.name().equals("impl"))
                .planConfig(space, configuration, folder)
                .write();
    }

    private HlsExporter exporter(Dialect dialect, boolean implement) {
        return new HlsExporter(dialect, settings(implement, Optional.empty()));
    }

    /// The settings that files for the tool are written with.
    ///
    /// @param implement whether the script runs implementation after C synthesis
    /// @param project folder whose headers are copied along
    public HlsExporter.Settings settings(boolean implement, Optional<Path> project) {
        return new HlsExporter.Settings(
                part.orderingName(), clockNs, implement, includeDirs, defines, project, options);
    }

    private TclDirectives directives(Configuration configuration, Dialect dialect) {
        return new TclWriter(dialect, options).write(space, configuration);
    }

    /// Everything a design's result depends on, as text.
    public String inputs(Configuration configuration, Dialect dialect) {
        var b = new StringBuilder();
        TclDirectives tcl = directives(configuration, dialect);
        Stream.concat(tcl.commands().stream(), tcl.inSource().stream())
                .forEach(c -> b.append(c).append('\n'));
        // By file name, not path: a project that moved is the same project.
        new TreeMap<>(space.at(configuration).space().kernel().sources())
                .forEach((name, text) -> b.append(Path.of(name).getFileName())
                        .append(' ')
                        .append(Sha256.of(text.getBytes(StandardCharsets.UTF_8)))
                        .append('\n'));
        b.append(options.uncertainty() + " " + options.cFlags() + " " + options.csim() + options.cosim() + "\n");
        options.testbench().forEach(f -> b.append(hash(Path.of(f))).append('\n'));
        return b.append(space.kernel().top()
                        + ' '
                        + part.orderingName()
                        + ' '
                        + clockNs(configuration)
                        + ' '
                        + new TreeMap<>(defines))
                .toString();
    }

    /// Period that a design is built for.
    public double clockNs(Configuration configuration) {
        return space.at(configuration).clockNs().orElse(clockNs);
    }

    private static String hash(Path file) {
        try {
            return Sha256.of(InputFile.bytes(file, MAX_TESTBENCH));
        } catch (IOException e) {
            throw new UserError("Cannot read the testbench " + file + ": " + UserError.reason(e) + ".", e);
        }
    }

    /// The offer of a tool with these three stages: delay, LUT and the rest from C synthesis on, power from logic
    /// synthesis on.
    EvaluatorInfo info(String name, String description, double[] typicalSeconds) {
        List<Metric> metrics = List.of(
                new Metric("power", "Power", "W", Metric.Direction.MINIMISE, part.maximumWatts()),
                new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, part.lut()),
                new Metric("latency", "Latency", "cycles", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("clock", "Clock period", "ns", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("ff", "FF", "", Metric.Direction.MINIMISE, part.ff()),
                new Metric("dsp", "DSP", "", Metric.Direction.MINIMISE, part.dsp()),
                new Metric("bram", "BRAM", "", Metric.Direction.MINIMISE, part.bram()),
                new Metric("interval", "Interval", "cycles", Metric.Direction.MINIMISE, Double.NaN));
        Set<String> all = Set.copyOf(metrics.stream().map(Metric::name).toList());
        Set<String> withoutPower =
                Set.copyOf(all.stream().filter(m -> !m.equals("power")).toList());
        return new EvaluatorInfo(
                name,
                description,
                Provenance.Source.MEASURED,
                STAGES,
                metrics,
                Map.of("hls", withoutPower, "syn", all, "impl", all),
                List.of("power", "delay", "lut"),
                Map.of("hls", typicalSeconds[0], "syn", typicalSeconds[1], "impl", typicalSeconds[2]));
    }
}

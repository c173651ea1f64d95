package knobscape.hls;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.export.ToolVersion;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.ToolProject;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;

/// The area of FPGA directives: HLS kernels in C and C++.
///
/// @param tools the parts it is put together from
public record HlsArea(HlsTools tools) implements Area {
    /// Name in files.
    public static final String KIND = "hls";

    private static final Help HELP = new Help(
            "Explore a kernel's directive space and print the front found.",
            "PROJECT|SOURCE",
            "A project folder, or a C or C++ source file (whose runs go to --out, else to SOURCE.knobscape).",
            "a project folder or a source file");

    /// With the parts that come with the program.
    public HlsArea() {
        this(HlsTools.standard());
    }

    @Override
    public About about() {
        return new About(KIND, "FPGA directives", "explore", "\"FILE.cpp\"", HELP);
    }

    @Override
    public Choices<Method> methods() {
        return tools.methods();
    }

    @Override
    public Choices<Toolchain> evaluators() {
        return tools.toolchains();
    }

    @Override
    public Parameters parameters() {
        return HlsSettings.PARAMETERS;
    }

    @Override
    public Parameters runParameters() {
        return HlsSettings.RUN;
    }

    @Override
    public HlsSettings settings(Values values) {
        return new HlsSettings(values);
    }

    /// Measured designs are no work of this area.
    @Override
    public Values arranged(Values all) {
        EvaluatorKind.REPLAY.argument(all.get(HlsSettings.TOOLCHAIN)).ifPresent(table -> {
            throw new UserError(
                    "Measured designs are searched as the study that they are: knobscape tune " + table + ".");
        });
        return all;
    }

    @Override
    public HlsSettings effective(Work work, WorkLocation place) {
        return settings(work.settings().values()).effective(place);
    }

    @Override
    public boolean accepts(Path file) {
        return SourceEndings.isSourceOrHeader(file) || ToolProject.isNamed(file);
    }

    @Override
    public Optional<Path> inside(Path folder) {
        return ToolProject.in(folder);
    }

    @Override
    public BareProject bare(Path file) {
        if (ToolProject.isNamed(file)) {
            return ofTool(file, ToolProject.read(file));
        }
        String name = file.getFileName().toString();
        int dot = name.indexOf('.', 1) < 0 ? name.length() : name.lastIndexOf('.');
        String stem = name.substring(0, dot);
        return new BareProject(
                stem,
                file.resolveSibling(stem + ".knobscape"),
                new Work(HlsSettings.of(file.toString()), HlsSettings.defaultRun()));
    }

    /// A vendor's project: its source, target and flags; its directives are the first design.
    private static BareProject ofTool(Path file, ToolProject p) {
        HlsSettings kernel = HlsSettings.of(p.source().toString())
                .with(
                        HlsSettings.INCLUDES,
                        p.includeDirs().stream().map(Path::toString).toList())
                .with(
                        HlsSettings.SOURCES,
                        p.others().stream().map(Path::toString).toList())
                .with(HlsSettings.DEFINES, p.defines())
                .with(
                        HlsSettings.STARTS,
                        p.directives().stream().map(Path::toString).toList())
                .with(
                        ToolOptions.TESTBENCH,
                        p.testbench().stream().map(Path::toString).toList())
                .with(
                        ToolOptions.FLOW,
                        p.target().flow().filter("vitis"::equalsIgnoreCase).isPresent() ? Flow.VITIS : Flow.VIVADO);
        kernel = p.top().isPresent() ? kernel.with(HlsSettings.TOP, p.top().get()) : kernel;
        kernel = p.target().part().isPresent()
                ? kernel.with(HlsSettings.PART, p.target().part().get())
                : kernel;
        kernel = p.target().clockNs().isPresent()
                ? kernel.with(HlsSettings.CLOCK, p.target().clockNs().get())
                : kernel;
        if (p.target().uncertaintyPercent().isPresent()) {
            kernel = kernel.with(
                    ToolOptions.UNCERTAINTY, p.target().uncertaintyPercent().get());
        }
        if (p.target().version().isPresent()) {
            kernel = kernel.with(
                    ToolOptions.VERSION, ToolVersion.of(p.target().version().get()));
        }
        String name =
                p.top().orElseGet(() -> p.source().getFileName().toString().replaceFirst("\\.[^.]*$", ""));
        return new BareProject(
                name, file.resolveSibling(name + ".knobscape"), new Work(kernel, HlsSettings.defaultRun()));
    }

    @Override
    public HlsWorkbench open(WorkSettings settings, WorkLocation place) {
        return HlsWorkbench.open(place, settings.as(HlsSettings.class), tools);
    }
}

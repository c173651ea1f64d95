package knobscape.hls;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.ToolProject;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;

/// The area of FPGA directives: HLS kernels in C and C++, and designs measured earlier.
///
/// @param tools the parts it is put together from
public record HlsArea(HlsTools tools) implements Area {
    /// Name in files.
    public static final String KIND = "hls";

    private static final Help HELP = new Help(
            "Explore a kernel's directive space and print the front found.",
            "PROJECT|SOURCE",
            "A project folder, a C or C++ source file, or a CSV file of measured designs (whose runs go to --out, else to SOURCE.knobscape).",
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

    /// What explains measured designs was called directives once.
    @Override
    public HlsSettings settings(Values values) {
        var settings = new HlsSettings(values);
        Optional<String> file = values.find(HlsSettings.DIRECTIVES);
        return settings.isMeasured() && file.isPresent()
                ? new HlsSettings(values.without(HlsSettings.DIRECTIVES).with(HlsSettings.MAPPING, file.get()))
                : settings;
    }

    /// Measured designs that the toolchain names are what is explored.
    @Override
    public Values arranged(Values all) {
        return all.find(HlsSettings.FILE).isPresent()
                ? all
                : all.with(HlsSettings.FILE, EvaluatorKind.REPLAY.argument(all.get(HlsSettings.TOOLCHAIN)));
    }

    @Override
    public Optional<String> sourceIn(String toolchain) {
        return EvaluatorKind.REPLAY.argument(toolchain);
    }

    @Override
    public HlsSettings effective(Work work, WorkLocation place) {
        return settings(work.settings().values()).effective(work.run().toolchain(), place);
    }

    @Override
    public boolean accepts(Path file) {
        String name = file.getFileName().toString().toLowerCase(java.util.Locale.ROOT);
        // Other areas have files of these names too.
        return (HlsSettings.of(name).isMeasured()
                        && (!name.matches(".*\\.(json|ya?ml|db|sqlite3?)") || ReplaySet.recognises(file)))
                || SourceEndings.isSourceOrHeader(file)
                || ToolProject.isNamed(file);
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
        var kernel = HlsSettings.of(file.toString());
        String name = file.getFileName().toString();
        int dot = name.indexOf('.', 1) < 0
                ? name.length()
                : kernel.isMeasured() ? name.replaceFirst("\\.gz$", "").lastIndexOf('.') : name.lastIndexOf('.');
        String stem = name.substring(0, dot);
        RunSettings run = HlsSettings.defaultRun();
        // Measured designs keep their ending in the folder's name: the kernel they were measured of may lie
        // beside them.
        return new BareProject(
                stem,
                file.resolveSibling((kernel.isMeasured() ? name : stem) + ".knobscape"),
                new Work(
                        kernel,
                        kernel.isMeasured()
                                ? run.with(HlsSettings.TOOLCHAIN, EvaluatorKind.REPLAY.with(file.toString()))
                                : run));
    }

    /// A vendor's project: its source, target and flags; its directives are the first design.
    private static BareProject ofTool(Path file, ToolProject p) {
        HlsSettings kernel = HlsSettings.of(p.source().toString())
                .with(
                        HlsSettings.INCLUDES,
                        p.includeDirs().stream().map(Path::toString).toList())
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

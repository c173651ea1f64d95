package knobscape.app.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsSettings;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.Pruning;
import knobscape.project.Project;
import knobscape.work.parameter.Values;
import picocli.CommandLine.Option;

/// Options that say what is optimised, for every verb that opens a kernel. What is not given stays as the
/// project says.
final class KernelOptions {
    @Option(
            names = "--top",
            paramLabel = "FUNCTION",
            description = "Top function (default: the project's, else guessed).")
    private Optional<String> top = Optional.empty();

    @Option(names = "--directives", paramLabel = "FILE", description = "YAML file that names knobs and factors.")
    private Optional<Path> directives = Optional.empty();

    @Option(
            names = "--mapping",
            paramLabel = "FILE",
            description = "YAML file that says which columns of measured designs are knobs, fidelities and objectives.")
    private Optional<Path> mapping = Optional.empty();

    @Option(names = "--part", paramLabel = "NAME", description = "FPGA part (default: the project's, else xc7vx485t).")
    private Optional<String> part = Optional.empty();

    @Option(names = "--clock", paramLabel = "NS", description = "Target clock period in nanoseconds.")
    private Optional<Double> clock = Optional.empty();

    @Option(
            names = "--flow",
            paramLabel = "WORD",
            description =
                    "What Vitis HLS makes of the kernel, whose defaults differ: vivado, a core for Vivado; vitis, a kernel for the Vitis runtime, whose memories are AXI master ports (default: the project's, else vivado).")
    private Optional<Flow> flow = Optional.empty();

    @Option(
            names = "--pruning",
            paramLabel = "WORD",
            description =
                    "What becomes of configurations that the rules of pruning dislike: hard leaves them out, soft keeps them in the space and lets cgp expect less of them (default: the project's, else hard).")
    private Optional<Pruning> pruning = Optional.empty();

    @Option(
            names = {"-I", "--include"},
            paramLabel = "DIR",
            description = "Folder searched for headers; may be repeated.")
    private List<Path> includes = new ArrayList<>();

    @Option(
            names = {"-D", "--define"},
            paramLabel = "NAME[=VALUE]",
            mapFallbackValue = "1",
            description = "Macro given from outside; may be repeated.")
    private Map<String, String> defines = new LinkedHashMap<>();

    @Option(
            names = "--testbench",
            paramLabel = "FILE",
            description =
                    "Source of a testbench with a main that calls the top: trip counts that depend on data are measured by running it here, and scripts name it; may be repeated (default: the project's).")
    private List<Path> testbench = new ArrayList<>();

    /// Whether anything was given.
    boolean isEmpty() {
        return top.isEmpty()
                && directives.isEmpty()
                && mapping.isEmpty()
                && part.isEmpty()
                && clock.isEmpty()
                && flow.isEmpty()
                && pruning.isEmpty()
                && includes.isEmpty()
                && testbench.isEmpty()
                && defines.isEmpty();
    }

    /// The project's settings, refined by the directive file, with what was given in their place; measured
    /// designs where `toolchain` names a file of them.
    HlsSettings apply(Project project, Path here, String toolchain) {
        if (HlsSettings.measured(toolchain).isPresent()
                || project.file().work(HlsSettings.class).isMeasured()) {
            return measured(project, here, toolchain);
        }
        if (mapping.isPresent()) {
            throw new UserError("--mapping explains the columns of measured designs, but " + project.source()
                    + " is a kernel; leave it out, or name the CSV file.");
        }
        if (clock.isPresent() && !(clock.get() > 0 && Double.isFinite(clock.get()))) {
            throw new UserError("--clock must be a positive number of nanoseconds, not " + clock.get() + ".");
        }
        HlsSettings s = directives
                .map(d -> here.resolve(d).toAbsolutePath().normalize())
                .map(d -> project.file()
                        .work(HlsSettings.class)
                        .with(HlsSettings.DIRECTIVES, d.toString())
                        .refinedBy(DirectiveFile.read(d)))
                .orElseGet(() -> project.file().work(HlsSettings.class).effective(toolchain, project));
        var folders = new ArrayList<>(s.includeDirs());
        includes.forEach(
                i -> folders.add(here.resolve(i).toAbsolutePath().normalize().toString()));
        var macros = new LinkedHashMap<>(s.defines());
        macros.putAll(defines);
        return new HlsSettings(tool(s, here)
                .with(HlsSettings.TOP, top.or(s::top))
                .with(HlsSettings.INCLUDES, List.copyOf(folders))
                .with(HlsSettings.DEFINES, macros)
                .with(HlsSettings.PART, part.or(s::part))
                .with(HlsSettings.CLOCK, clock.orElse(s.clockNs()))
                .with(HlsSettings.PRUNING, pruning.orElse(s.pruning())));
    }

    private Values tool(HlsSettings s, Path here) {
        Values tool = s.values().with(ToolOptions.FLOW, flow.orElse(s.flow()));
        List<String> files = testbench.stream()
                .map(f -> here.resolve(f).toAbsolutePath().normalize().toString())
                .toList();
        files.stream().filter(f -> !Files.isRegularFile(Path.of(f))).findFirst().ifPresent(f -> {
            throw new UserError("--testbench: there is no file " + f + ".");
        });
        return files.isEmpty() ? tool : tool.with(ToolOptions.TESTBENCH, files);
    }

    private HlsSettings measured(Project project, Path here, String toolchain) {
        if (top.isPresent()
                || directives.isPresent()
                || part.isPresent()
                || clock.isPresent()
                || flow.isPresent()
                || pruning.isPresent()
                || !includes.isEmpty()
                || !testbench.isEmpty()
                || !defines.isEmpty()) {
            throw new UserError(
                    "Designs measured earlier are explored as they are: --top, --directives, --part, --clock, --flow, --pruning, --include, --testbench and --define do not apply to them.");
        }
        HlsSettings s = project.file().work(HlsSettings.class).effective(toolchain, project);
        return mapping.map(m -> s.with(
                        HlsSettings.MAPPING,
                        here.resolve(m).toAbsolutePath().normalize().toString()))
                .orElse(s);
    }
}

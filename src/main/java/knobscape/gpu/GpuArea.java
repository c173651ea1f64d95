package knobscape.gpu;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.TunableNetwork;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import tools.jackson.databind.node.ObjectNode;

/// The area of GPU schedules: the kernels of networks on devices, and measured sets of kernels.
public record GpuArea() implements Area {
    /// Name in files.
    public static final String KIND = "gpu";

    private static final Set<String> KEYS = Set.of(
            "formatVersion",
            "name",
            "description",
            "kind",
            "source",
            "device",
            "batch",
            "dims",
            "templates",
            "fused",
            "import",
            "run");
    private static final Set<String> RUN_KEYS = Set.of("method", "seed", "trials", "minutes", "earlyStop", "features");

    @Override
    public About about() {
        return new About(KIND, "GPU schedules", "tune", GpuSettings.class);
    }

    /// Whether a method learns from the tuning history.
    public static boolean learns(String method) {
        return method.matches("transfer.*|dgp.*|.*history.*");
    }

    @Override
    public Choices<TuningMethod> methods() {
        return TuningMethod.standard();
    }

    @Override
    public Choices<Evaluators.Plain> evaluators() {
        return new Choices<>(
                "device",
                List.of(
                        new Evaluators.Plain(
                                "model",
                                "Model of a GPU",
                                "model:NAME estimates the time of a kernel on a GPU that is not here."),
                        new Evaluators.Plain(
                                "cuda",
                                "CUDA device",
                                "cuda[:N] compiles, runs and times kernels on an NVIDIA GPU of this machine."),
                        new Evaluators.Plain("opencl", "OpenCL device", "opencl[:N] does so on an OpenCL device."),
                        new Evaluators.Plain(
                                "replay", "Measured kernels", "replay:FILE answers with kernels measured earlier.")));
    }

    @Override
    public Work read(JsonFields project) {
        project.onlyKnown(KEYS);
        RunSettings d = GpuSettings.defaultRun();
        String device = project.text("device").orElse(d.toolchain());
        boolean measured = device.startsWith(TunableNetwork.REPLAY);
        String source = project.text("source").orElse("");
        if (source.isEmpty() != measured) {
            throw new UserError(project.file()
                    + (measured
                            ? ": a measured set is its own task; leave the source out."
                            : " names no source; write \"source\": \"zoo:resnet18\" or a network file."));
        }
        JsonFields run = project.objectOrEmpty("run");
        run.onlyKnown(RUN_KEYS);
        String templates = project.text("templates").orElse("first");
        if (!List.of("first", "all", "sketches").contains(templates)) {
            throw project.wrong("templates", "first, all or sketches");
        }
        String method = run.text("method").orElse(d.method());
        try {
            return new Work(
                    new GpuSettings(
                            measured ? device : source,
                            project.count("batch", 1),
                            project.counts("dims"),
                            templates.equals("all"),
                            !project.flag("fused", true),
                            run.text("features").orElse("knob"),
                            run.number("minutes").orElse(0.0),
                            project.text("import"),
                            Optional.empty(),
                            templates.equals("sketches") || TuningMethod.needsSketches(method),
                            Optional.empty()),
                    RunSettings.of(
                                    method,
                                    device,
                                    run.count("trials", d.steps()),
                                    d.initialDesigns(),
                                    run.count("earlyStop", d.earlyStop()))
                            .withSeed(run.whole("seed").orElse(d.seed())));
        } catch (IllegalArgumentException e) {
            throw new UserError(project.file() + ": " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void write(Work work, ObjectNode project) {
        var g = (GpuSettings) work.settings();
        RunSettings run = work.run();
        if (!g.isMeasured()) {
            project.put("source", g.source());
        }
        project.put("device", g.isMeasured() ? g.source() : run.toolchain())
                .put("batch", g.batch())
                .put("templates", g.sketches() ? "sketches" : g.allTemplates() ? "all" : "first")
                .put("fused", !g.bare());
        if (!g.dims().isEmpty()) {
            ObjectNode dims = project.putObject("dims");
            g.dims().forEach(dims::put);
        }
        g.log().ifPresent(l -> project.put("import", l));
        project.putObject("run")
                .put("method", run.method())
                .put("seed", run.seed())
                .put("trials", run.steps())
                .put("minutes", g.minutes())
                .put("earlyStop", run.earlyStop())
                .put("features", g.features());
    }

    @Override
    public Bare bare(Path file) {
        return bare(file.toString(), requireNonNull(file.getParent()));
    }

    /// A network or measured set without a project.
    ///
    /// @param source an absolute file, `zoo:NAME`, or `replay:` and an absolute file
    /// @param here where runs of what is not a file go
    public static Bare bare(String source, Path here) {
        boolean measured = source.startsWith(TunableNetwork.REPLAY);
        String name = source.replaceFirst("^(zoo:|replay:)", "");
        String stem = Path.of(name).getFileName().toString().replaceFirst("\\.(onnx|json|csv(\\.gz)?)$", "");
        Path folder = measured || source.startsWith("zoo:")
                ? here
                : requireNonNull(Path.of(name).getParent());
        RunSettings run = GpuSettings.defaultRun();
        return new Bare(
                stem,
                folder.resolve(stem + ".knobscape"),
                new Work(GpuSettings.of(source), measured ? run.withToolchain(source) : run));
    }

    @Override
    public GpuWorkbench open(WorkSettings settings, Place place) {
        return GpuWorkbench.open(place, (GpuSettings) settings);
    }

    @Override
    public List<String> runOptions(RunSettings run, Place place) {
        var words = new ArrayList<>(
                List.of("--method", run.method(), "--seed", "" + run.seed(), "--early-stop", "" + run.earlyStop()));
        if (!run.toolchain().startsWith(TunableNetwork.REPLAY)) {
            words.addAll(List.of("--device", run.toolchain()));
        }
        if (run.steps() > 0) {
            words.addAll(List.of("--trials", "" + run.steps()));
        }
        return List.copyOf(words);
    }
}

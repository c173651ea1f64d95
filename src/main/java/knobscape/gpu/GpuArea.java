package knobscape.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.gpu.search.TuningMethod;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;
import tools.jackson.databind.node.ObjectNode;

/// The area of GPU schedules: the kernels of networks on devices, and measured sets of kernels.
public record GpuArea() implements Area {
    /// Name in files.
    public static final String KIND = "gpu";

    private static final String REPLAY = "replay:";
    private static final Set<String> KEYS = Set.of("formatVersion", "name", "description", "kind", "source", "device", "batch",
            "templates", "fused", "run");
    private static final Set<String> RUN_KEYS = Set.of("method", "seed", "trials", "minutes", "earlyStop", "features");

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public String title() {
        return "GPU schedules";
    }

    @Override
    public String verb() {
        return "tune";
    }

    @Override
    public Class<GpuSettings> settingsType() {
        return GpuSettings.class;
    }

    @Override
    public Choices<TuningMethod> methods() {
        return TuningMethod.standard();
    }

    @Override
    public Choices<Evaluators.Plain> evaluators() {
        return new Choices<>("device", List.of(
                new Evaluators.Plain("model", "Model of a GPU", "model:NAME estimates the time of a kernel on a GPU that is not here."),
                new Evaluators.Plain("cuda", "CUDA device", "cuda[:N] compiles, runs and times kernels on an NVIDIA GPU of this machine."),
                new Evaluators.Plain("opencl", "OpenCL device", "opencl[:N] does so on an OpenCL device."),
                new Evaluators.Plain("replay", "Measured kernels", "replay:FILE answers with kernels measured earlier.")));
    }

    @Override
    public Work read(JsonFields project) {
        project.onlyKnown(KEYS);
        RunSettings d = GpuSettings.defaultRun();
        String device = project.text("device").orElse(d.toolchain());
        boolean replay = device.startsWith(REPLAY);
        String source = project.text("source").orElse("");
        if (source.isEmpty() != replay) {
            throw new UserError(project.file() + (replay ? ": a measured set is its own task; leave the source out."
                    : " names no source; write \"source\": \"zoo:resnet18\" or a network file."));
        }
        JsonFields run = project.objectOrEmpty("run");
        run.onlyKnown(RUN_KEYS);
        String templates = project.text("templates").orElse("first");
        if (!templates.equals("first") && !templates.equals("all")) {
            throw project.wrong("templates", "first or all");
        }
        try {
            return new Work(new GpuSettings(source, project.count("batch", 1), templates.equals("all"), !project.flag("fused", true),
                    run.text("features").orElse("knob"), run.number("minutes").orElse(0.0)),
                    RunSettings.of(run.text("method").orElse(d.method()), device, run.count("trials", d.steps()), d.initialDesigns(),
                            run.count("earlyStop", d.earlyStop())).withSeed(run.whole("seed").orElse(d.seed())));
        } catch (IllegalArgumentException e) {
            throw new UserError(project.file() + ": " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void write(Work work, ObjectNode project) {
        var g = (GpuSettings) work.settings();
        RunSettings run = work.run();
        if (!g.source().isEmpty()) {
            project.put("source", g.source());
        }
        project.put("device", run.toolchain()).put("batch", g.batch()).put("templates", g.allTemplates() ? "all" : "first")
                .put("fused", !g.bare());
        project.putObject("run").put("method", run.method()).put("seed", run.seed()).put("trials", run.steps())
                .put("minutes", g.minutes()).put("earlyStop", run.earlyStop()).put("features", g.features());
    }

    /// None by its name alone: a network can be fused as well as tuned.
    @Override
    public boolean accepts(Path file) {
        return false;
    }

    @Override
    public Bare bare(Path file) {
        return new Bare(file.getFileName().toString(), file.resolveSibling(file.getFileName() + ".knobscape"),
                new Work(new GpuSettings(file.toString(), 1, false, false, "knob", 0), GpuSettings.defaultRun()));
    }

    @Override
    public Workbench open(WorkSettings settings, Place place) {
        throw new UserError("The kernels of a network are tuned with 'knobscape tune'.");
    }

    @Override
    public List<String> runOptions(RunSettings run, Place place) {
        return List.of("--method", run.method(), "--seed", "" + run.seed());
    }
}

package knobscape.hls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.evaluate.report.JsonFields;
import knobscape.hls.evaluate.vendor.JobBudget;
import knobscape.hls.evaluate.vendor.ToolSettings;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.space.Pruning;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Method;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import tools.jackson.databind.node.ObjectNode;

/// The area of FPGA directives: HLS kernels in C and C++, and designs measured earlier.
///
/// @param tools the parts it is put together from
public record HlsArea(HlsTools tools) implements Area {
    /// Name in files.
    public static final String KIND = "hls";

    private static final Set<String> KEYS = Set.of(
            "formatVersion",
            "name",
            "description",
            "kind",
            "source",
            "top",
            "includeDirs",
            "defines",
            "directives",
            "mapping",
            "part",
            "clockNs",
            "tool",
            "start",
            "search",
            "run");
    private static final Set<String> TOOL_KEYS = Set.of(
            "stageMinutes",
            "learnedFactor",
            "crashRetries",
            "licenceHours",
            "pauseSeconds",
            "engine",
            "sbatch",
            "uncertainty",
            "cflags",
            "testbench",
            "csim",
            "cosim",
            "jobGb",
            "licences",
            "diskGb",
            "script",
            "flow");
    private static final Set<String> RUN_KEYS = Set.of(
            "method",
            "toolchain",
            "seed",
            "steps",
            "initialDesigns",
            "earlyStop",
            "parallel",
            "objectives",
            "waitFactor",
            "goal",
            "leastGain",
            "hours");

    /// With the parts that come with the program.
    public HlsArea() {
        this(HlsTools.standard());
    }

    @Override
    public About about() {
        return new About(KIND, "FPGA directives", "explore", HlsSettings.class);
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
    public Work read(JsonFields project) {
        project.onlyKnown(KEYS);
        RunSettings run = project.object("run").map(HlsArea::run).orElseGet(HlsSettings::defaultRun);
        double clock = project.number("clockNs").orElse(HlsSettings.DEFAULT_CLOCK_NS);
        if (!(clock > 0)) {
            throw project.wrong("clockNs", "a positive number of nanoseconds, not " + clock);
        }
        String source = project.text("source")
                .or(() -> HlsSettings.measured(run.toolchain()))
                .orElseThrow(() -> new UserError(project.file() + " names no source; write \"source\": \"FILE.cpp\"."));
        Optional<String> mapping = project.text("mapping");
        if (mapping.isPresent() && !HlsSettings.of(source).isMeasured()) {
            throw new UserError(project.file() + ": 'mapping' explains the columns of measured designs, but the source "
                    + source + " is a kernel; leave it out.");
        }
        return new Work(
                new HlsSettings(
                        source,
                        project.text("top"),
                        project.texts("includeDirs"),
                        project.map("defines"),
                        mapping.or(() -> project.text("directives")),
                        project.text("part"),
                        clock,
                        project.object("tool").map(HlsArea::tool).orElse(ToolSettings.DEFAULT),
                        project.texts("start"),
                        project.object("search").map(HlsArea::search).orElse(SearchSettings.DEFAULT)),
                run);
    }

    private static SearchSettings search(JsonFields f) {
        f.onlyKnown(Set.of("pruning", "estimatePrior"));
        return new SearchSettings(
                f.choice("pruning", Pruning.class).orElse(SearchSettings.DEFAULT.pruning()),
                f.flag("estimatePrior", SearchSettings.DEFAULT.estimatePrior()));
    }

    private static ToolSettings tool(JsonFields f) {
        ToolSettings d = ToolSettings.DEFAULT;
        f.onlyKnown(TOOL_KEYS);
        try {
            return new ToolSettings(
                    f.number("stageMinutes").orElse(d.stageMinutes()),
                    f.number("learnedFactor").orElse(d.learnedFactor()),
                    f.count("crashRetries", d.crashRetries()),
                    f.number("licenceHours").orElse(d.licenceHours()),
                    f.number("pauseSeconds").orElse(d.pauseSeconds()),
                    f.choice("engine", ToolSettings.EngineKind.class).orElse(d.engine()),
                    f.texts("sbatch"),
                    new ToolOptions(
                            f.number("uncertainty"),
                            f.texts("cflags"),
                            f.texts("testbench"),
                            f.flag("csim", false),
                            f.flag("cosim", false),
                            f.choice("flow", Flow.class).orElse(d.options().flow())),
                    new JobBudget(
                            f.number("jobGb").orElse(d.budget().jobGb()),
                            f.count("licences", d.budget().licences()),
                            f.number("diskGb").orElse(d.budget().diskGb())),
                    f.choice("script", ToolSettings.Script.class).orElse(d.script()));
        } catch (IllegalArgumentException e) {
            throw new UserError(f.file() + ": " + e.getMessage() + ".", e);
        }
    }

    private static RunSettings run(JsonFields f) {
        RunSettings d = HlsSettings.defaultRun();
        f.onlyKnown(RUN_KEYS);
        try {
            return new RunSettings(
                    f.text("method").orElse(d.method()),
                    f.text("toolchain").orElse(d.toolchain()),
                    f.whole("seed").orElse(d.seed()),
                    f.count("steps", d.steps()),
                    f.count("initialDesigns", d.initialDesigns()),
                    f.count("earlyStop", d.earlyStop()),
                    f.count("parallel", d.parallel()),
                    f.texts("objectives"),
                    f.number("waitFactor").orElse(d.waitFactor()),
                    f.text("goal").orElse(d.goal()),
                    f.number("leastGain").orElse(d.leastGain()),
                    f.number("hours").orElse(d.hours()));
        } catch (IllegalArgumentException e) {
            throw new UserError(f.file() + ": " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void write(Work work, ObjectNode project) {
        var kernel = (HlsSettings) work.settings();
        RunSettings run = work.run();
        project.put("source", kernel.source());
        kernel.top().ifPresent(v -> project.put("top", v));
        var includes = project.putArray("includeDirs");
        kernel.includeDirs().forEach(includes::add);
        var defines = project.putObject("defines");
        kernel.defines().forEach(defines::put);
        kernel.directives().ifPresent(v -> project.put(kernel.isMeasured() ? "mapping" : "directives", v));
        kernel.part().ifPresent(v -> project.put("part", v));
        project.put("clockNs", kernel.clockNs());
        if (!kernel.tool().equals(ToolSettings.DEFAULT)) {
            ToolSettings t = kernel.tool();
            ObjectNode tool = project.putObject("tool")
                    .put("stageMinutes", t.stageMinutes())
                    .put("learnedFactor", t.learnedFactor())
                    .put("crashRetries", t.crashRetries())
                    .put("licenceHours", t.licenceHours())
                    .put("pauseSeconds", t.pauseSeconds())
                    .put("engine", JsonFields.word(t.engine()));
            var sbatch = tool.putArray("sbatch");
            t.sbatch().forEach(sbatch::add);
            t.options().uncertainty().ifPresent(u -> tool.put("uncertainty", u));
            var cFlags = tool.putArray("cflags");
            t.options().cFlags().forEach(cFlags::add);
            var testbench = tool.putArray("testbench");
            t.options().testbench().forEach(testbench::add);
            tool.put("csim", t.options().csim())
                    .put("cosim", t.options().cosim())
                    .put("jobGb", t.budget().jobGb())
                    .put("licences", t.budget().licences())
                    .put("diskGb", t.budget().diskGb())
                    .put("script", JsonFields.word(t.script()))
                    .put("flow", JsonFields.word(t.options().flow()));
        }
        if (!kernel.search().equals(SearchSettings.DEFAULT)) {
            project.putObject("search")
                    .put("pruning", JsonFields.word(kernel.search().pruning()))
                    .put("estimatePrior", kernel.search().estimatePrior());
        }
        if (!kernel.starts().isEmpty()) {
            var starts = project.putArray("start");
            kernel.starts().forEach(starts::add);
        }
        ObjectNode r = project.putObject("run");
        r.put("method", run.method())
                .put("toolchain", run.toolchain())
                .put("seed", run.seed())
                .put("steps", run.steps());
        r.put("initialDesigns", run.initialDesigns())
                .put("earlyStop", run.earlyStop())
                .put("parallel", run.parallel());
        var objectives = r.putArray("objectives");
        run.objectives().forEach(objectives::add);
        r.put("waitFactor", run.waitFactor());
        if (!run.goal().isEmpty()) {
            r.put("goal", run.goal());
        }
        if (run.leastGain() > 0) {
            r.put("leastGain", run.leastGain());
        }
        if (run.hours() > 0) {
            r.put("hours", run.hours());
        }
    }

    @Override
    public boolean accepts(Path file) {
        String name = file.getFileName().toString().toLowerCase(java.util.Locale.ROOT);
        // Other areas have files of these names too.
        return (HlsSettings.of(name).isMeasured()
                        && (!name.matches(".*\\.(json|db|sqlite3?)") || ReplaySet.recognises(file)))
                || SourceEndings.isSourceOrHeader(file);
    }

    @Override
    public Bare bare(Path file) {
        var kernel = HlsSettings.of(file.toString());
        String name = file.getFileName().toString();
        int dot = name.indexOf('.', 1) < 0
                ? name.length()
                : kernel.isMeasured() ? name.replaceFirst("\\.gz$", "").lastIndexOf('.') : name.lastIndexOf('.');
        String stem = name.substring(0, dot);
        RunSettings run = HlsSettings.defaultRun();
        // Measured designs keep their ending in the folder's name: the kernel they were measured of may lie
        // beside them.
        return new Bare(
                stem,
                file.resolveSibling((kernel.isMeasured() ? name : stem) + ".knobscape"),
                new Work(kernel, kernel.isMeasured() ? run.withToolchain(HlsSettings.REPLAY + ":" + file) : run));
    }

    @Override
    public HlsWorkbench open(WorkSettings settings, Place place) {
        return HlsWorkbench.open(place, (HlsSettings) settings, tools);
    }

    @Override
    public List<String> runOptions(RunSettings run, Place place) {
        var words = new ArrayList<>(List.of(
                "--method",
                run.method(),
                "--toolchain",
                HlsSettings.measured(run.toolchain())
                        .map(f -> HlsSettings.REPLAY + ":" + place.resolve(f))
                        .orElse(run.toolchain()),
                "--steps",
                "" + run.steps(),
                "--init",
                "" + run.initialDesigns(),
                "--early-stop",
                "" + run.earlyStop(),
                "--parallel",
                "" + run.parallel(),
                "--seed",
                "" + run.seed()));
        if (!run.objectives().isEmpty()) {
            words.addAll(List.of("--objectives", String.join(",", run.objectives())));
        }
        if (!run.goal().isEmpty()) {
            words.addAll(List.of("--goal", run.goal()));
        }
        if (run.leastGain() > 0) {
            words.addAll(List.of("--stop-gain", "" + 100 * run.leastGain()));
        }
        if (run.hours() > 0) {
            words.addAll(List.of("--hours", "" + run.hours()));
        }
        return words;
    }
}

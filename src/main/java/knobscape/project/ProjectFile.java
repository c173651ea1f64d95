package knobscape.project;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.source.ByteSize;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What `knobscape.json` says: what is optimised and with which settings by default.
///
/// ```json
/// {"formatVersion": 1, "name": "gemm", "description": "...", "kind": "hls", "source": "gemm.cpp", "top": "gemm",
///  "includeDirs": [], "defines": {"N": "64"}, "directives": "directives.yaml", "part": "xc7vx485t", "clockNs": 10.0,
///  "run": {"method": "cgp", "toolchain": "estimator", "seed": 1, "steps": 40, "initialDesigns": 8, "earlyStop": 5, "parallel": 1,
///          "objectives": []}}
/// ```
///
/// or, for layer fusion,
///
/// ```json
/// {"formatVersion": 1, "name": "resnet50", "kind": "fusion", "source": "zoo:resnet50", "accelerator": "accelerator.json", "buffer": "20MB", "batch": 64,
///  "run": {"method": "gsampler", "seed": 1, "evaluations": 2000, "constraint": "lexi"}}
/// ```
///
/// or, for the kernels of a network on a GPU,
///
/// ```json
/// {"formatVersion": 1, "name": "squeezenet", "kind": "gpu", "source": "zoo:squeezenet_v1.1", "device": "model:t4", "batch": 1, "templates": "first",
///  "fused": true, "run": {"method": "bted+bao", "seed": 1, "trials": 1000, "minutes": 0, "earlyStop": 400, "features": "knob"}}
/// ```
///
/// Only `formatVersion`, `kind` and `source` are needed; where the toolchain is `replay:FILE.csv`, `source` is not, and `mapping` may name the file that explains
/// the columns. A key that is not known is an error that names the nearest known one.
///
/// @param name shown to a person
/// @param description one or two sentences, may be empty
/// @param work what is optimised
/// @param run default settings of a run
public record ProjectFile(String name, String description, WorkSettings work, RunSettings run) {
    /// Name of the file in a project folder.
    public static final String FILE_NAME = "knobscape.json";
    /// Newest version of the format that this program reads, and the one it writes.
    public static final int FORMAT_VERSION = 1;

    private static final long LARGEST_FILE = 1 << 20;
    private static final Set<String> KEYS = Set.of("formatVersion", "name", "description", "kind", "source", "top", "includeDirs", "defines",
            "directives", "mapping", "part", "clockNs", "run");
    private static final Set<String> RUN_KEYS = Set.of("method", "toolchain", "seed", "steps", "initialDesigns", "earlyStop", "parallel",
            "objectives", "waitFactor");
    private static final Set<String> FUSION_KEYS = Set.of("formatVersion", "name", "description", "kind", "source", "accelerator", "buffer", "batch", "dims", "run");
    private static final Set<String> FUSION_RUN_KEYS = Set.of("method", "seed", "evaluations", "constraint");
    private static final Set<String> GPU_KEYS = Set.of("formatVersion", "name", "description", "kind", "source", "device", "batch", "templates", "fused", "run");
    private static final Set<String> GPU_RUN_KEYS = Set.of("method", "seed", "trials", "minutes", "earlyStop", "features");
    private static final String USUAL_DEVICE = "model:gtx1080ti";
    private static final int USUAL_EARLY_STOP = 400;
    private static final JsonMapper JSON = JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /// Reads a project file. Throws [UserError] where it cannot be read, is not JSON (with line), is of a newer format, or says something impossible.
    public static ProjectFile read(Path file) {
        JsonNode root;
        try {
            if (Files.size(file) > LARGEST_FILE) {
                throw new UserError(file + " is too large for a project file (more than 1 MiB).");
            }
            root = JSON.readTree(Files.readString(file, StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            throw JsonFields.invalid(file.toString(), e);
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
        if (!root.isObject()) {
            throw new UserError(file + " must hold one JSON object.");
        }
        var reader = new Fields(file, root, "");
        int version = (int) reader.whole("formatVersion").orElseThrow(() -> new UserError(file + " has no formatVersion; write \"formatVersion\": 1.")).longValue();
        if (version > FORMAT_VERSION) {
            throw new UserError(file + " was made by a newer Knobscape (format " + version + ", this program reads up to " + FORMAT_VERSION
                    + "); install a newer Knobscape to open it.");
        }
        if (version < 1) {
            throw new UserError(file + ": formatVersion " + version + " does not exist; write \"formatVersion\": 1.");
        }
        String kind = reader.text("kind").orElse("hls");
        if (kind.equals("fusion")) {
            return fusion(file, reader);
        }
        if (kind.equals("gpu")) {
            return gpu(file, reader);
        }
        reader.onlyKnown(KEYS);
        if (!kind.equals("hls")) {
            throw new UserError(file + ": kind '" + kind + "' is not known to this program; it knows 'hls', 'gpu' and 'fusion'.");
        }
        double clock = reader.number("clockNs").orElse(HlsSettings.DEFAULT_CLOCK_NS);
        if (!(clock > 0) || Double.isInfinite(clock)) {
            throw new UserError(file + ": clockNs must be a positive number of nanoseconds, not " + clock + ".");
        }
        RunSettings d = RunSettings.defaults();
        RunSettings run = d;
        JsonNode r = root.get("run");
        if (r != null && !r.isNull()) {
            if (!r.isObject()) {
                throw new UserError(file + ": run must be an object.");
            }
            var f = new Fields(file, r, "run.");
            f.onlyKnown(RUN_KEYS);
            try {
                run = new RunSettings(f.text("method").orElse(d.method()), f.text("toolchain").orElse(d.toolchain()), f.whole("seed").orElse(d.seed()),
                        f.count("steps", d.steps()), f.count("initialDesigns", d.initialDesigns()), f.count("earlyStop", d.earlyStop()),
                        f.count("parallel", d.parallel()), f.texts("objectives"), f.number("waitFactor").orElse(d.waitFactor()));
            } catch (IllegalArgumentException e) {
                throw new UserError(file + ": " + e.getMessage() + ".", e);
            }
        }
        String toolchain = run.toolchain();
        String source = reader.text("source").or(() -> Toolchains.measured(toolchain)).orElseThrow(
                () -> new UserError(file + " names no source; write \"source\": \"FILE.cpp\"."));
        Optional<String> mapping = reader.text("mapping");
        if (mapping.isPresent() && !HlsSettings.of(source).isMeasured()) {
            throw new UserError(file + ": 'mapping' explains the columns of measured designs, but the source " + source + " is a kernel; leave it out.");
        }
        var kernel = new HlsSettings(source, reader.text("top"), reader.texts("includeDirs"), reader.map("defines"), mapping.or(() -> reader.text("directives")),
                reader.text("part"), clock);
        return new ProjectFile(reader.text("name").orElse(folderName(file, source)), reader.text("description").orElse(""), kernel, run);
    }

    private static String folderName(Path file, String otherwise) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null || parent.getFileName() == null ? otherwise : parent.getFileName().toString();
    }

    private static ProjectFile fusion(Path file, Fields reader) {
        reader.onlyKnown(FUSION_KEYS);
        String source = reader.text("source").orElseThrow(() -> new UserError(file + " names no source; write \"source\": \"zoo:resnet50\" or a network file."));
        RunSettings d = FusionWorkbench.defaultRun();
        JsonNode r = reader.get("run").orElseGet(JSON::createObjectNode);
        if (!r.isObject()) {
            throw new UserError(file + ": run must be an object.");
        }
        var f = new Fields(file, r, "run.");
        f.onlyKnown(FUSION_RUN_KEYS);
        FusionSettings usual = FusionSettings.of(source);
        Constraint constraint = f.text("constraint").map(word -> Arrays.stream(Constraint.values()).filter(c -> c.name().equalsIgnoreCase(word)).findFirst()
                .orElseThrow(() -> f.wrong("constraint", "death, lexi or soft"))).orElse(usual.constraint());
        try {
            var settings = new FusionSettings(source, reader.text("accelerator").orElse(usual.accelerator()), reader.text("buffer").map(ByteSize::parse), reader.count("batch", usual.batch()), constraint, reader.counts("dims"));
            int evaluations = f.count("evaluations", d.steps());
            if (evaluations < 1) {
                throw f.wrong("evaluations", "a count from 1");
            }
            var run = new RunSettings(f.text("method").orElse(d.method()), d.toolchain(), f.whole("seed").orElse(d.seed()), evaluations, d.initialDesigns(), d.earlyStop(), d.parallel(), d.objectives(),
                    d.waitFactor());
            return new ProjectFile(reader.text("name").orElse(folderName(file, source)), reader.text("description").orElse(""), settings, run);
        } catch (IllegalArgumentException e) {
            throw new UserError(file + ": " + e.getMessage() + ".", e);
        }
    }

    private static ProjectFile gpu(Path file, Fields reader) {
        reader.onlyKnown(GPU_KEYS);
        String device = reader.text("device").orElse(USUAL_DEVICE);
        boolean replay = Toolchains.measured(device).isPresent();
        String source = reader.text("source").orElse("");
        if (source.isEmpty() != replay) {
            throw new UserError(file + (replay ? ": a measured set is its own task; leave the source out." : " names no source; write \"source\": \"zoo:resnet18\" or a network file."));
        }
        JsonNode r = reader.get("run").orElseGet(JSON::createObjectNode);
        if (!r.isObject()) {
            throw new UserError(file + ": run must be an object.");
        }
        var f = new Fields(file, r, "run.");
        f.onlyKnown(GPU_RUN_KEYS);
        String templates = reader.text("templates").orElse("first");
        if (!templates.equals("first") && !templates.equals("all")) {
            throw reader.wrong("templates", "first or all");
        }
        try {
            var settings = new GpuSettings(source, reader.count("batch", 1), templates.equals("all"), !reader.flag("fused", true), f.text("features").orElse("knob"),
                    f.number("minutes").orElse(0.0));
            var run = new RunSettings(f.text("method").orElse("bted+bao"), device, f.whole("seed").orElse(1L), f.count("trials", 0), 1, f.count("earlyStop", USUAL_EARLY_STOP), 1,
                    List.of(), 0);
            return new ProjectFile(reader.text("name").orElse(folderName(file, source)), reader.text("description").orElse(""), settings, run);
        } catch (IllegalArgumentException e) {
            throw new UserError(file + ": " + e.getMessage() + ".", e);
        }
    }

    /// The kernel whose directives are explored. Throws [UserError] where the project is of another kind.
    public HlsSettings kernel() {
        if (work instanceof HlsSettings k) {
            return k;
        }
        throw otherKind("it has no kernel");
    }

    /// The network whose layers are fused. Throws [UserError] where the project is of another kind.
    public FusionSettings fusion() {
        if (work instanceof FusionSettings f) {
            return f;
        }
        throw otherKind("it fuses no layers");
    }

    /// The network whose kernels are tuned. Throws [UserError] where the project is of another kind.
    public GpuSettings gpu() {
        if (work instanceof GpuSettings g) {
            return g;
        }
        throw otherKind("it tunes no GPU kernels");
    }

    private UserError otherKind(String lacks) {
        String what = switch (work) {
            case HlsSettings k -> "is about a kernel; " + lacks + ". On the command line it is for 'knobscape explore'.";
            case FusionSettings f -> "fuses the layers of a network; " + lacks + ". On the command line it is for 'knobscape fuse'.";
            case GpuSettings g -> "tunes the kernels of a network; " + lacks + ". On the command line it is for 'knobscape tune'.";
        };
        return new UserError("The project '" + name + "' " + what);
    }

    /// Writes it, replacing what stood there in one go. Throws [UserError] where the folder cannot be written.
    public void write(Path file) {
        ObjectNode root = JSON.createObjectNode();
        root.put("formatVersion", FORMAT_VERSION);
        root.put("name", name);
        root.put("description", description);
        if (work instanceof FusionSettings f) {
            write(root, f);
            FileOutput.write(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
            return;
        }
        if (work instanceof GpuSettings g) {
            write(root, g);
            FileOutput.write(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
            return;
        }
        HlsSettings kernel = kernel();
        root.put("kind", "hls");
        root.put("source", kernel.source());
        kernel.top().ifPresent(v -> root.put("top", v));
        var includes = root.putArray("includeDirs");
        kernel.includeDirs().forEach(includes::add);
        var defines = root.putObject("defines");
        kernel.defines().forEach(defines::put);
        kernel.directives().ifPresent(v -> root.put(kernel.isMeasured() ? "mapping" : "directives", v));
        kernel.part().ifPresent(v -> root.put("part", v));
        root.put("clockNs", kernel.clockNs());
        ObjectNode r = root.putObject("run");
        r.put("method", run.method());
        r.put("toolchain", run.toolchain());
        r.put("seed", run.seed());
        r.put("steps", run.steps());
        r.put("initialDesigns", run.initialDesigns());
        r.put("earlyStop", run.earlyStop());
        r.put("parallel", run.parallel());
        var objectives = r.putArray("objectives");
        run.objectives().forEach(objectives::add);
        r.put("waitFactor", run.waitFactor());
        FileOutput.write(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    }

    private void write(ObjectNode root, FusionSettings f) {
        root.put("kind", "fusion").put("source", f.source()).put("accelerator", f.accelerator());
        f.buffer().ifPresent(b -> root.put("buffer", ByteSize.text(b)));
        root.put("batch", f.batch());
        if (!f.dims().isEmpty()) {
            var dims = root.putObject("dims");
            f.dims().forEach(dims::put);
        }
        root.putObject("run").put("method", run.method()).put("seed", run.seed()).put("evaluations", run.steps()).put("constraint", f.constraint().name().toLowerCase(Locale.ROOT));
    }

    private void write(ObjectNode root, GpuSettings g) {
        root.put("kind", "gpu");
        if (!g.source().isEmpty()) {
            root.put("source", g.source());
        }
        root.put("device", run.toolchain()).put("batch", g.batch()).put("templates", g.allTemplates() ? "all" : "first").put("fused", !g.bare());
        root.putObject("run").put("method", run.method()).put("seed", run.seed()).put("trials", run.steps()).put("minutes", g.minutes()).put("earlyStop", run.earlyStop())
                .put("features", g.features());
    }
}

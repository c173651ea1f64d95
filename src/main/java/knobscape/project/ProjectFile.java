package knobscape.project;

import java.nio.file.Path;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.work.Area;
import knobscape.work.Registry;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The contents of `knobscape.json`: what is optimised and with which settings by default.
///
/// ```json
/// {"formatVersion": 1, "name": "gemm", "description": "...", "kind": "hls", "source": "gemm.cpp", "top": "gemm",
///  "includeDirs": [], "defines": {"N": "64"}, "directives": "directives.yaml", "part": "xc7vx485t", "clockNs": 10.0,
///  "run": {"method": "cgp", "toolchain": "estimator", "seed": 1, "steps": 40, "initialDesigns": 8, "earlyStop": 5,
/// "parallel": 1,
///          "objectives": []}}
/// ```
///
/// or, for layer fusion,
///
/// ```json
/// {"formatVersion": 1, "name": "resnet50", "kind": "fusion", "source": "zoo:resnet50", "accelerator":
/// "accelerator.json", "buffer": "20MB", "batch": 64,
///  "run": {"method": "auto", "seed": 1, "evaluations": 2000, "constraint": "lexi"}}
/// ```
///
/// or, for the kernels of a network on a GPU,
///
/// ```json
/// {"formatVersion": 1, "name": "squeezenet", "kind": "gpu", "source": "zoo:squeezenet_v1.1", "device": "model:t4",
/// "batch": 1, "templates": "first",
///  "fused": true, "run": {"method": "bted+bao", "seed": 1, "trials": 1000, "minutes": 0, "earlyStop": 400, "features":
/// "knob"}}
/// ```
///
/// Only `formatVersion`, `kind` and `source` are needed; of a study whose source is a table of results, `mapping` may
/// name the file that explains the columns. A key that is not known is an error that
/// names the nearest known one.
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
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// Reads a project file. Throws [UserError] where it cannot be read, is not JSON (with line), is of a newer
    /// format, or says something impossible.
    public static ProjectFile read(Path file) {
        Registry areas = Areas.standard();
        var reader = JsonFields.read(file, LARGEST_FILE);
        long version = reader.whole("formatVersion")
                .orElseThrow(() -> new UserError(file + " has no formatVersion; write \"formatVersion\": 1."));
        if (version > FORMAT_VERSION) {
            throw new UserError(file + " was made by a newer Knobscape (format " + version
                    + ", this program reads up to " + FORMAT_VERSION + "); install a newer Knobscape to open it.");
        }
        if (version < 1) {
            throw new UserError(file + ": formatVersion " + version + " does not exist; write \"formatVersion\": 1.");
        }
        String kind = reader.text("kind").orElse(areas.areas().getFirst().kind());
        Area area = areas.find(kind, reader)
                .orElseThrow(() -> new UserError(file + ": kind '" + kind + "' is not known to this program; it knows "
                        + areas.areas().stream().map(a -> "'" + a.kind() + "'").collect(Collectors.joining(", "))
                        + "."));
        Area.Work work = area.read(reader);
        return new ProjectFile(
                reader.text("name")
                        .orElseGet(() -> folderName(file, work.settings().source())),
                reader.text("description").orElse(""),
                work.settings(),
                work.run());
    }

    private static String folderName(Path file, String otherwise) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent == null || parent.getFileName() == null
                ? otherwise
                : parent.getFileName().toString();
    }

    /// The work: what is optimised and how.
    public Area.Work both() {
        return new Area.Work(work, run);
    }

    /// The optimised work, where it is of one area. Throws [UserError] where the project is of another.
    ///
    /// @param type the settings of that area
    public <T extends WorkSettings> T work(Class<T> type) {
        if (type.isInstance(work)) {
            return type.cast(work);
        }
        Area own = Areas.standard().of(work);
        throw new UserError("The project '" + name + "' is for " + own.title()
                + "; on the command line it is for 'knobscape " + own.verb() + "'.");
    }

    /// Writes it, replacing what stood there in one go. Throws [UserError] where the folder cannot be written.
    public void write(Path file) {
        ObjectNode root = JSON.createObjectNode();
        root.put("formatVersion", FORMAT_VERSION);
        root.put("name", name);
        root.put("description", description);
        Area area = Areas.standard().of(work);
        root.put("kind", area.kind());
        area.write(both(), root);
        FileOutput.write(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    }
}

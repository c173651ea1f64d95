package knobscape.app.ui.area;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import knobscape.evaluate.UserError;
import knobscape.network.einsum.EinsumFiles;
import knobscape.network.table.TableImport;
import knobscape.project.Areas;
import knobscape.project.ProjectFile;

/// Tells from a glance at a file what kind of work it is, so that the right area opens it. Reads a few
/// kilobytes at most; whether the content is sound is for the area to say.
public final class WorkKind {
    /// FPGA directives.
    public static final String HLS = "hls";
    /// GPU schedules.
    public static final String GPU = "gpu";
    /// Layer fusion.
    public static final String FUSION = "fusion";

    /// Studies.
    public static final String STUDY = "study";

    private static final int GLANCE = 4096;
    private static final Pattern KIND = Pattern.compile("\"kind\"\\s*:\\s*\"([a-z]+)\"");
    private static final Pattern NETWORK = Pattern.compile("\"format\"\\s*:\\s*\"knobscape-(network|layers)\"");

    private WorkKind() {}

    /// True if a path is a project: its folder or its file.
    public static boolean isProject(Path path) {
        return Files.isDirectory(path)
                ? Files.exists(path.resolve(ProjectFile.FILE_NAME))
                : String.valueOf(path.getFileName()).equals(ProjectFile.FILE_NAME);
    }

    /// The area that a project is of; of one that is not sound what it says it is, empty where it says nothing.
    public static Optional<String> ofProject(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(ProjectFile.FILE_NAME) : path;
        try {
            return Optional.of(
                    Areas.standard().of(ProjectFile.read(file).work()).kind());
        } catch (UserError e) {
            Matcher kind = KIND.matcher(glance(file));
            return kind.find() ? Optional.of(kind.group(1)) : Optional.empty();
        }
    }

    /// True if a file describes a network: ONNX, a JSON graph or layer table, a CSV layer table (also compressed), or a
    /// workload in YAML.
    public static boolean isNetwork(Path path) {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        if (Files.isDirectory(path) || isProject(path)) {
            return false;
        }
        if (name.endsWith(".json")) {
            return NETWORK.matcher(glance(path)).find();
        }
        if (name.endsWith(".csv") || name.endsWith(".csv.gz")) {
            return TableImport.isLayers(path);
        }
        return name.endsWith(".onnx") || EinsumFiles.isWorkload(path);
    }

    private static String glance(Path file) {
        if (!Files.isRegularFile(file)) {
            return "";
        }
        try (var raw = Files.newInputStream(file);
                InputStream in =
                        file.toString().toLowerCase(Locale.ROOT).endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return new String(in.readNBytes(GLANCE), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // Whoever opens it says why it cannot be read.
            return "";
        }
    }
}

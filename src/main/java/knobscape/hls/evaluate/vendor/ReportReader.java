package knobscape.hls.evaluate.vendor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import org.jspecify.annotations.Nullable;

/// Reads reports of Vivado HLS, Vitis HLS and Vivado, 2018 to today, in XML and in text.
public final class ReportReader {
    private static final long MAX_BYTES = 64L << 20;
    private static final int MAX_FILES = 10_000;
    private static final int MAX_FOLDERS = 12;
    private static final Pattern LINE = Pattern.compile(".*VITIS_LOOP_(\\d{1,7})_\\d+.*");
    private static final Pattern VERSION = Pattern.compile(".*?(\\d{4}\\.\\d+(?:\\.\\d+)?).*", Pattern.DOTALL);
    private static final Pattern NAMES = Pattern.compile(
            "(.*_)?csynth\\.(xml|rpt)|.*_cosim\\.rpt|(.*_)?export(_syn|_impl)?\\.(xml|rpt)|.*power.*\\.rpt");

    private static final Pattern LOGS =
            Pattern.compile("(vivado|vitis)_hls\\.log|solution\\w*\\.log|hls_run.*\\.log|v\\+\\+_.*\\.log");

    private ReportReader() {}

    /// A report and where it stands.
    public record ReportMatch(Path file, VendorReport report) {}

    /// True if a file is called as reports are.
    public static boolean isReport(Path file) {
        return String.valueOf(file.getFileName()).matches("(?i).*\\.(rpt|xml)");
    }

    /// Reads one report. Throws [UserError] where it cannot be read or is none.
    public static VendorReport read(Path file) {
        try {
            byte[] bytes = InputFile.bytes(file, MAX_BYTES);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return text.stripLeading().startsWith("<") ? ReportXml.read(file, bytes) : ReportText.read(file, text);
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
    }

    /// Every report in a tool's project folder, in the order of the stages and of their paths. Summaries in text that
    /// say what an XML beside them says too are left out; what the tool's log says of loops and pragmas is added to
    /// the reports of C synthesis. Throws [UserError] for a folder without reports.
    public static List<ReportMatch> readFolder(Path folder) {
        List<Path> files = files(folder).stream()
                .filter(f -> NAMES.matcher(f.getFileName().toString()).matches())
                .filter(f -> !f.toString().endsWith(".rpt") || !Files.exists(xml(f)))
                .sorted()
                .toList();
        if (files.isEmpty()) {
            throw new UserError(folder + " holds no report (csynth.xml, TOP_csynth.rpt, export_impl.xml, ...);"
                    + " name the project folder of Vivado HLS or Vitis HLS, or one report.");
        }
        // The summary says again what the reports of its folder say.
        boolean alone = files.stream().noneMatch(f -> f.getFileName().toString().matches(".*_csynth\\.(xml|rpt)"));
        var found = new ArrayList<ReportMatch>();
        files.stream()
                .filter(f -> alone || !f.getFileName().toString().equals("csynth.rpt"))
                .forEach(f -> found.add(new ReportMatch(f, read(f))));
        found.sort(java.util.Comparator.comparing(f -> f.report().stage()));
        List<ToolGuidance.Finding> said = guidance(folder);
        return found.stream()
                .map(f -> f.report().stage() == VendorReport.Stage.HLS && !said.isEmpty()
                        ? new ReportMatch(f.file(), f.report().with(said))
                        : f)
                .toList();
    }

    /// The findings in the log of C synthesis, the newest where there are several.
    private static List<ToolGuidance.Finding> guidance(Path folder) {
        return files(folder).stream()
                .filter(f -> LOGS.matcher(f.getFileName().toString()).matches())
                .filter(Files::isRegularFile)
                .max(java.util.Comparator.comparingLong(f -> f.toFile().lastModified()))
                .map(ReportReader::guidanceOf)
                .orElse(List.of());
    }

    /// The files below a folder that can be seen; folders that cannot be read are passed over.
    private static List<Path> files(Path folder) {
        var all = new ArrayList<Path>();
        try {
            Files.walkFileTree(folder, Set.of(), MAX_FOLDERS, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    all.add(file);
                    return all.size() < MAX_FILES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (file.equals(folder)) {
                        throw e;
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UserError("Cannot read the folder " + folder + ": " + UserError.reason(e) + ".", e);
        }
        return all;
    }

    /// Findings in a log of Vivado HLS or Vitis HLS on loops and pragmas. Throws [UserError] where it cannot be read.
    public static List<ToolGuidance.Finding> guidanceOf(Path log) {
        try {
            return ToolGuidance.read(new String(InputFile.bytes(log, MAX_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UserError("Cannot read " + log + ": " + e.getMessage() + ".", e);
        }
    }

    private static Path xml(Path rpt) {
        return rpt.resolveSibling(rpt.getFileName().toString().replaceFirst("\\.rpt$", ".xml"));
    }

    /// A number as reports write it; empty for `undef`, `NA`, `-`, `?`, `~0` and nothing.
    static Optional<Double> number(String text) {
        String s = text.strip();
        if (!s.matches("-?[0-9]{1,15}(\\.[0-9]{1,15})?([eE][-+]?[0-9]{1,2})?")) {
            return Optional.empty();
        }
        return Optional.of(Double.valueOf(s));
    }

    /// The version in `v.2022.1`, `2022.1 (Build 3526262 ...)`, `Vivado v.2022.1 (lin64) ...`.
    static String version(String text) {
        Matcher m = VERSION.matcher(text);
        return m.matches() ? m.group(1) : text;
    }

    /// The line in the name that Vitis gives to a loop without a label.
    static OptionalInt line(String loop) {
        Matcher m = LINE.matcher(loop);
        return m.matches() ? OptionalInt.of(Integer.parseInt(m.group(1))) : OptionalInt.empty();
    }
}

package knobscape.evaluate.report;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiff;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.Patch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;

/// Files about to be written into a folder, beside what is there now: what a person reads before agreeing.
///
/// @param guard writes them
/// @param folder they go into
/// @param files content by path inside the folder, with `/`
/// @param origins of files that are changed copies: the text they were made from
public record FilePlan(FileGuard guard, Path folder, Map<String, byte[]> files, Map<String, String> origins) {
    private static final int LARGEST = 8 << 20;
    /// Lines that differ; beyond it their number is said instead.
    private static final int MAX_DIFFERENT = 4000;

    private static final int CONTEXT = 3;

    /// The fate of a file.
    public enum State {
        NEW("new"),
        REPLACED("replaced"),
        UNCHANGED("unchanged");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /// As a person reads it.
        public String word() {
            return word;
        }
    }

    public FilePlan {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
        origins = Map.copyOf(origins);
    }

    /// Throws [UserError] naming a file that must not be replaced.
    public FilePlan checked() {
        guard.check(folder, files);
        return this;
    }

    /// Writes all files and gives their paths; see [FileGuard#write(Path, Map)].
    public List<Path> write() {
        return guard.write(folder, files);
    }

    /// The fate of one of the files.
    public State state(String name) {
        return before(name)
                .map(text -> text.equals(text(name)) ? State.UNCHANGED : State.REPLACED)
                .orElse(State.NEW);
    }

    private String text(String name) {
        return new String(files.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
    }

    private Optional<String> before(String name) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(InputFile.bytes(file, LARGEST), StandardCharsets.UTF_8));
        } catch (IOException | UserError e) {
            return Optional.of("(it cannot be compared: " + UserError.reason(e) + ")\n");
        }
    }

    /// The files with what happens to each, a line per file.
    public String summary() {
        return "Into " + folder + ":\n"
                + files.keySet().stream()
                        .map(name -> "  %-9s  %s (%,d bytes)\n"
                                .formatted(state(name).word(), name, files.getOrDefault(name, new byte[0]).length))
                        .collect(Collectors.joining());
    }

    /// How each replaced file changes, and how each changed copy differs from its source, as unified diffs;
    /// empty where there is nothing of the kind.
    public String differences() {
        return files.keySet().stream().map(this::difference).collect(Collectors.joining());
    }

    private String difference(String name) {
        String now = text(name);
        Optional<String> before = before(name).filter(b -> !b.equals(now));
        return before.map(b -> diff(name + " (there now)", name + " (to be written)", b, now))
                .or(() -> Optional.ofNullable(origins.get(name)).map(o -> diff(name + " (source)", name, o, now)))
                .orElse("");
    }

    private static String diff(String old, String next, String before, String now) {
        List<String> a = before.lines().toList();
        List<String> b = now.lines().toList();
        if (a.equals(b)) {
            return "";
        }
        long different = outside(a, b) + outside(b, a);
        if (different > MAX_DIFFERENT) {
            return "--- %s\n+++ %s\n(%,d lines differ)\n".formatted(old, next, different);
        }
        Patch<String> patch = DiffUtils.diff(
                a, b, a.size() + b.size() <= MAX_DIFFERENT ? new MyersDiff<>() : new MyersDiffWithLinearSpace<>());
        return UnifiedDiffUtils.generateUnifiedDiff(old, next, a, patch, CONTEXT).stream()
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static long outside(List<String> lines, List<String> of) {
        Set<String> known = new HashSet<>(of);
        return lines.stream().filter(l -> !known.contains(l)).count();
    }

    /// All of it for several folders: the files first, then how they change.
    public static String text(List<FilePlan> plans) {
        return Stream.of(
                        plans.stream().map(FilePlan::summary).collect(Collectors.joining()),
                        plans.stream().map(FilePlan::differences).collect(Collectors.joining()))
                .filter(s -> !s.isEmpty())
                .collect(Collectors.joining("\n"));
    }
}

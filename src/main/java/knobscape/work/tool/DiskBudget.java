package knobscape.work.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Keeps the folders of designs within a budget: where it is over, the projects of those worked on longest ago are
/// cleaned (reports and logs stay; a later stage makes its project anew). Thread-safe.
final class DiskBudget {
    private final Path all;
    private final long budget;
    private final Consumer<Path> clean;
    /// Bytes by folder, the one worked on longest ago first.
    private final LinkedHashMap<Path, Long> sizes = new LinkedHashMap<>();
    private final Map<Path, Integer> busy = new HashMap<>();
    private final Set<Path> cleaned = new HashSet<>();
    private boolean known;

    /// @param all holds a folder per design
    /// @param budgetGb in GiB, 0 for none
    /// @param clean makes a folder small
    DiskBudget(Path all, double budgetGb, Consumer<Path> clean) {
        this.all = all;
        this.budget = budgetGb == 0 ? Long.MAX_VALUE : (long) (budgetGb * (1L << 30));
        this.clean = clean;
    }

    /// Somebody works in a folder.
    synchronized void enter(Path design) {
        if (budget == Long.MAX_VALUE) {
            return;
        }
        if (!known) {
            known = true;
            before().forEach(f -> sizes.put(f, size(f)));
        }
        busy.merge(design, 1, Integer::sum);
        cleaned.remove(design);
        makeRoom();
    }

    /// Nobody works in it any more.
    synchronized void leave(Path design) {
        if (budget == Long.MAX_VALUE) {
            return;
        }
        busy.merge(design, -1, (a, b) -> a + b == 0 ? null : a + b);
        sizes.remove(design);
        sizes.put(design, size(design));
        makeRoom();
    }

    private void makeRoom() {
        for (Path f : List.copyOf(sizes.keySet())) {
            if (sizes.values().stream().mapToLong(Long::longValue).sum() <= budget) {
                return;
            }
            if (!busy.containsKey(f) && cleaned.add(f)) {
                clean.accept(f);
                sizes.put(f, size(f));
            }
        }
    }

    private List<Path> before() {
        try (Stream<Path> folders = Files.list(all)) {
            return folders.filter(Files::isDirectory)
                    .sorted(Comparator.comparingLong(f -> f.toFile().lastModified()))
                    .toList();
        } catch (IOException e) {
            return List.of(); // Not there yet.
        }
    }

    private static long size(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0; // A tool is at work in it, or it is gone.
        }
    }
}

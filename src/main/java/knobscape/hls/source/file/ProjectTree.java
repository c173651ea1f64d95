package knobscape.hls.source.file;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds headers that no search path leads to in the folders around a source: nearest first, a bounded number
/// of folders.
public final class ProjectTree {
    private static final int MAX_FILES = 10_000;
    private static final int MAX_UP = 3;
    private static final int MAX_DEPTH = 6;
    private final Path file;
    private final List<List<Path>> levels = new ArrayList<>();

    /// @param file absolute path of the main file
    public ProjectTree(Path file) {
        this.file = file;
    }

    /// The nearest file whose path ends with `name`.
    public Optional<Path> find(String name) {
        Path suffix;
        try {
            suffix = Path.of(name).normalize();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
        if (suffix.isAbsolute() || suffix.toString().isEmpty()) {
            return Optional.empty();
        }
        // "../common/x.h" from a moved file: what counts is the part below.
        while (suffix.getNameCount() > 1 && suffix.startsWith("..")) {
            suffix = suffix.subpath(1, suffix.getNameCount());
        }
        Path wanted = suffix;
        for (int up = 0; up <= MAX_UP; up++) {
            Optional<Path> root = root(up);
            if (root.isEmpty()) {
                break;
            }
            if (levels.size() == up) {
                levels.add(list(root.get()));
            }
            Optional<Path> found =
                    levels.get(up).stream().filter(p -> p.endsWith(wanted)).findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /// The folder `up` levels above the file's own; a folder with `.git` is the last, and never the whole
    /// machine or all of somebody's home.
    private Optional<Path> root(int up) {
        Path root = requireNonNull(file.getParent());
        for (int i = 0; i < up; i++) {
            Path parent = root.getParent();
            if (Files.exists(root.resolve(".git"))
                    || parent == null
                    || parent.getNameCount() < 2
                    || parent.toString().equals(System.getProperty("user.home"))) {
                return Optional.empty();
            }
            root = parent;
        }
        return Optional.of(root);
    }

    /// Files below `root`, those with the shortest way from the source first.
    private List<Path> list(Path root) {
        Path folder = requireNonNull(file.getParent());
        var found = new ArrayList<Path>();
        int[] seen = {0};
        try {
            Files.walkFileTree(root, java.util.Set.of(), MAX_UP + MAX_DEPTH, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                    String name =
                            dir.getFileName() == null ? "" : dir.getFileName().toString();
                    return name.startsWith(".") && !name.equals(".")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile() && !path.equals(file)) {
                        found.add(path);
                    }
                    return ++seen[0] > MAX_FILES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path path, IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            return List.of();
        }
        found.sort(Comparator.<Path>comparingInt(p -> folder.relativize(p).getNameCount())
                .thenComparing(Comparator.naturalOrder()));
        return found;
    }
}

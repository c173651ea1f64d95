package knobscape.hls.export;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.SourceEndings;

/// A kernel's main file with every header of the project that it includes, laid out so that the includes still
/// find one another: what has to be given to a tool. Headers of the tool itself (`ap_int.h`) are not found
/// beside the source and stay out. So do files that the reader did not read (of inactive lines), and those
/// outside the project.
///
/// @param main path of the main file inside the bundle
/// @param compiled paths inside the bundle of what is compiled apart: the main file, then other sources that hold
/// functions it calls
/// @param files path inside the bundle to the file on disk
/// @param includeFolders folders inside the bundle that must be searched for headers
/// @param left files that were read, but lie outside the project and the folders searched for headers
record SourceBundle(
        Path main, List<Path> compiled, Map<Path, SourceFile> files, List<Path> includeFolders, List<Path> left) {
    private static final Pattern INCLUDE =
            Pattern.compile("^[ \\t]*#[ \\t]*include[ \\t]*([\"<])([^\">\\r\\n]+)[\">]", Pattern.MULTILINE);
    private static final int MOST_FILES = 1000;

    /// @param project folder of the project, where there is one
    static SourceBundle of(Kernel kernel, List<Path> includeDirs, Optional<Path> project) {
        Path mainFile = absolute(Path.of(kernel.file()));
        Set<Path> active = kernel.read().stream()
                .flatMap(name -> resolve(name, mainFile).stream())
                .collect(Collectors.toSet());
        var folders = new LinkedHashSet<>(
                includeDirs.stream().map(SourceBundle::absolute).toList());
        List<Path> read = kernel.sources().keySet().stream()
                .sorted()
                .flatMap(name -> resolve(name, mainFile).stream())
                .toList();
        // What lies beside another source of the kernel is as much its own as what lies beside the main file.
        List<Path> own = Stream.of(Stream.of(mainFile), read.stream().filter(SourceEndings::isSource))
                .flatMap(s -> s)
                .map(p -> requireNonNull(p.getParent()))
                .collect(Collectors.collectingAndThen(
                        Collectors.toCollection(LinkedHashSet::new),
                        folder -> Stream.concat(folder.stream(), project.map(SourceBundle::absolute).stream())
                                .toList()));
        var left = new LinkedHashSet<Path>();
        var included = new LinkedHashSet<Path>();
        var used = new LinkedHashSet<Path>();
        var found = new LinkedHashMap<Path, SourceFile>();
        var waiting = new ArrayDeque<Path>();
        waiting.add(mainFile);
        waiting.addAll(read);
        while (!waiting.isEmpty()) {
            Path next = waiting.remove();
            if (found.containsKey(next) || !(active.isEmpty() || active.contains(next))) {
                continue;
            }
            if (!read.contains(next)
                    && Stream.concat(own.stream(), folders.stream()).noneMatch(next::startsWith)) {
                left.add(next);
                continue;
            }
            if (found.size() == MOST_FILES) {
                throw new UserError(
                        "'" + kernel.file() + "' includes more than " + MOST_FILES + " files and cannot be exported.");
            }
            SourceFile file = SourceFile.read(next);
            found.put(next, file);
            List<Path> headers = included(file, folders, read, used);
            included.addAll(headers);
            waiting.addAll(headers);
        }
        // `#include <kernel/layers/a.h>` needs the folder above the files.
        Path root = Stream.concat(found.keySet().stream().map(Path::getParent), used.stream())
                .distinct()
                .reduce(SourceBundle::common)
                .orElseThrow();
        var files = new LinkedHashMap<Path, SourceFile>();
        found.forEach((path, file) -> files.put(root.relativize(path), file));
        List<Path> searched = folders.stream()
                .filter(f -> f.startsWith(root))
                .filter(f -> found.keySet().stream().anyMatch(p -> p.startsWith(f)))
                .map(root::relativize)
                .distinct()
                .toList();
        List<Path> compiled = found.keySet().stream()
                .filter(p -> p.equals(mainFile) || (!included.contains(p) && SourceEndings.isSource(p)))
                .map(root::relativize)
                .toList();
        return new SourceBundle(root.relativize(mainFile), compiled, files, searched, List.copyOf(left));
    }

    /// The file on disk behind a name in [Kernel#sources()].
    static Optional<Path> resolve(String name, Path mainFile) {
        try {
            Path path = Path.of(name);
            Path beside = mainFile.resolveSibling(path);
            if (Files.isRegularFile(absolute(path))) {
                return Optional.of(absolute(path));
            }
            return Files.isRegularFile(beside) ? Optional.of(absolute(beside)) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /// The path inside the bundle of a file on disk.
    Optional<Path> placeOf(Path onDisk) {
        return files.entrySet().stream()
                .filter(e -> e.getValue().path().equals(onDisk))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// Files that a file includes. A header that the reader found only by searching adds the folder that leads
    /// to it.
    ///
    /// @param folders searched for headers; may grow
    /// @param read files that the reader read
    /// @param used those of the folders that led to a header; grows
    private static List<Path> included(SourceFile file, Set<Path> folders, List<Path> read, Set<Path> used) {
        var found = new LinkedHashSet<Path>();
        Matcher m = INCLUDE.matcher(file.text());
        while (m.find()) {
            String name = m.group(2);
            Optional<Path> beside =
                    m.group(1).equals("\"") ? regular(requireNonNull(file.path().getParent()), name) : Optional.empty();
            beside.or(() -> {
                        Optional<Path> folder = folders.stream()
                                .filter(f -> regular(f, name).isPresent())
                                .findFirst()
                                .or(() -> searched(name, folders, read));
                        folder.ifPresent(used::add);
                        return folder.flatMap(f -> regular(f, name));
                    })
                    .ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    /// The folder that leads to a header which the reader found by searching.
    private static Optional<Path> searched(String name, Set<Path> folders, List<Path> read) {
        Path written;
        try {
            written = Path.of(name).normalize();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
        return read.stream().filter(p -> p.endsWith(written)).findFirst().map(p -> {
            Path folder = p;
            for (int i = 0; i < written.getNameCount(); i++) {
                folder = requireNonNull(folder.getParent());
            }
            folders.add(folder);
            return folder;
        });
    }

    private static Optional<Path> regular(Path folder, String name) {
        try {
            Path p = absolute(folder.resolve(name));
            return Files.isRegularFile(p) ? Optional.of(p) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Path common(Path a, Path b) {
        Path shared = a;
        while (!b.startsWith(shared)) {
            shared = shared.getParent();
            if (shared == null) {
                throw new UserError("The sources lie on different drives ('" + a + "' and '" + b
                        + "'); put them on one to export.");
            }
        }
        return shared;
    }

    private static Path absolute(Path p) {
        return p.toAbsolutePath().normalize();
    }
}

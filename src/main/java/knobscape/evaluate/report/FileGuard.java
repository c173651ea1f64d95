package knobscape.evaluate.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Writes files into a folder, but never over one that this program did not write. A manifest in the folder
/// says what the program wrote, by size and hash: a file that differs from it is someone's own.
///
/// @param force whether files of others are replaced too
/// @param sources files that are never replaced, even by force
public record FileGuard(boolean force, Set<Path> sources) {
    /// Name of the manifest.
    public static final String MANIFEST = ".knobscape-files.json";

    private static final long LARGEST = 64L << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /// Results that versions without a manifest wrote beside `run.json` or `tuning.json`.
    private static final Set<String> RESULTS = Set.of(
            "front.csv",
            "designs.csv",
            "run.json",
            "report.md",
            "strategy.json",
            "strategy.csv",
            "tuning.json",
            "log.jsonl");

    /// Size and hash of a content.
    private record Print(long size, String sha256) {}

    public FileGuard {
        sources = Set.copyOf(sources);
    }

    /// Replaces nothing but this program's own files.
    public static FileGuard standard() {
        return new FileGuard(false, Set.of());
    }

    /// The same with more files that are never replaced.
    public FileGuard keeping(Collection<Path> more) {
        var all = new LinkedHashSet<>(sources);
        all.addAll(more);
        return new FileGuard(force, all);
    }

    /// Throws [UserError] where one of the files could not be written whatever is in it, so that long work does
    /// not end in that.
    public void check(Path folder, Collection<String> names) {
        Map<String, List<Print>> own = manifest(folder);
        names.forEach(name -> check(folder, name, own.getOrDefault(name, List.of())));
    }

    /// As [#check(Path, Collection)]; a file that has its new content already is no obstacle.
    ///
    /// @param files content by path inside the folder, with `/`
    public void check(Path folder, Map<String, byte[]> files) {
        Map<String, List<Print>> own = manifest(folder);
        files.forEach((name, content) -> check(folder, name, with(print(content), own.getOrDefault(name, List.of()))));
    }

    /// Writes all files, or none where one of them must not be replaced, and gives their paths. Throws
    /// [UserError] naming the file.
    ///
    /// @param files content by path inside the folder, with `/`
    public List<Path> write(Path folder, Map<String, byte[]> files) {
        Map<String, List<Print>> own = manifest(folder);
        files.forEach((name, content) -> check(folder, name, with(print(content), own.getOrDefault(name, List.of()))));
        FileOutput.sweep(folder);
        var next = new TreeMap<>(own);
        // The manifest goes first and keeps the content before, so that a kill in between leaves own files own.
        files.forEach((name, content) -> {
            List<Print> before = own.getOrDefault(name, List.of());
            next.put(name, with(print(content), before.isEmpty() ? before : List.of(before.getFirst())));
        });
        if (!next.equals(own)) {
            FileOutput.write(folder.resolve(MANIFEST), text(next));
        }
        var written = new ArrayList<Path>();
        files.forEach((name, content) -> {
            FileOutput.write(folder.resolve(name), content);
            written.add(folder.resolve(name));
        });
        return written;
    }

    /// As [#write(Path, Map)] with one text.
    public Path write(Path folder, String name, String text) {
        return write(folder, Map.of(name, text.getBytes(StandardCharsets.UTF_8)))
                .getFirst();
    }

    /// Texts as contents, in the same order.
    public static Map<String, byte[]> bytes(Map<String, String> texts) {
        var files = new LinkedHashMap<String, byte[]>();
        texts.forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return files;
    }

    private void check(Path folder, String name, List<Print> allowed) {
        Path file = folder.resolve(name);
        FileOutput.requireInside(folder, requireNonNull(file.getParent()));
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw new UserError("Cannot write '" + file + "': it is a folder; name another output folder.");
        }
        try {
            for (Path source : sources) {
                if (Files.exists(source) && Files.exists(file) && Files.isSameFile(file, source)) {
                    throw new UserError("'" + file
                            + "' is a source of this project and is never written over; choose another place.");
                }
            }
            if (!force && !(Files.isRegularFile(file) && allowed.contains(print(file)))) {
                throw new UserError("'" + file
                        + "' exists and is not as Knobscape wrote it; choose another place, or insist with --force.");
            }
        } catch (IOException e) {
            throw new UserError("'" + file + "' exists and cannot be read; choose another place.", e);
        }
    }

    /// Results of a version that wrote no manifest are taken as this program's where a run's document is among
    /// them.
    private static Map<String, List<Print>> earlier(Path folder) {
        var own = new TreeMap<String, List<Print>>();
        if (Stream.of("run.json", "tuning.json").map(folder::resolve).anyMatch(FileGuard::isRun)) {
            for (String name : RESULTS) {
                Path file = folder.resolve(name);
                if (Files.isRegularFile(file)) {
                    try {
                        own.put(name, List.of(print(file)));
                    } catch (IOException e) {
                        throw new UserError("'" + file + "' cannot be read; change its permissions.", e);
                    }
                }
            }
        }
        return own;
    }

    private static boolean isRun(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                return false;
            }
            JsonNode document = JsonFields.read(file, LARGEST).node();
            return document.path("run").isString() && document.path("front").isArray();
        } catch (UserError e) {
            return false;
        }
    }

    private Map<String, List<Print>> manifest(Path folder) {
        Path file = folder.resolve(MANIFEST);
        if (!Files.exists(file)) {
            return earlier(folder);
        }
        var own = new TreeMap<String, List<Print>>();
        try {
            JsonNode files = JsonFields.read(file, LARGEST).node().path("files");
            files.properties()
                    .forEach(e -> own.put(
                            e.getKey(),
                            e.getValue()
                                    .valueStream()
                                    .map(p -> new Print(
                                            p.path("size").asLong(-1),
                                            p.path("sha256").asString("")))
                                    .toList()));
            return own;
        } catch (UserError e) {
            if (force) {
                return Map.of();
            }
            throw new UserError(
                    "'" + file + "', which says what Knobscape wrote, is damaged; choose another place, or insist "
                            + "with --force.",
                    e);
        }
    }

    private static String text(Map<String, List<Print>> own) {
        var root = JSON.createObjectNode().put("program", "Knobscape");
        var files = root.putObject("files");
        own.forEach((name, prints) -> {
            var list = files.putArray(name);
            prints.forEach(p -> list.addObject().put("size", p.size).put("sha256", p.sha256));
        });
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    private static List<Print> with(Print first, List<Print> others) {
        var all = new LinkedHashSet<Print>(List.of(first));
        all.addAll(others);
        return List.copyOf(all);
    }

    private static Print print(byte[] content) {
        return new Print(content.length, HexFormat.of().formatHex(sha256().digest(content)));
    }

    private static Print print(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            long size = in.transferTo(OutputStream.nullOutputStream());
            return new Print(size, HexFormat.of().formatHex(digest.digest()));
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

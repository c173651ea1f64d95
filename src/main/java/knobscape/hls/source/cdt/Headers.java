package knobscape.hls.source.cdt;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.file.SourceFiles;
import org.eclipse.cdt.core.index.IIndexFileLocation;
import org.eclipse.cdt.core.parser.FileContent;
import org.eclipse.cdt.internal.core.parser.IMacroDictionary;
import org.eclipse.cdt.internal.core.parser.scanner.InternalFileContent;
import org.eclipse.cdt.internal.core.parser.scanner.InternalFileContentProvider;
import org.jspecify.annotations.Nullable;

/// Gives the parser the headers it asks for: our stubs by name, then files.
final class Headers extends InternalFileContentProvider {
    private final StubHeaders stubs;
    private final Map<String, String> virtual;
    private final Map<String, Optional<String>> read = new HashMap<>();
    private int inclusions;
    private long characters;

    /// @param stubs our own headers
    /// @param virtual further texts by absolute path, for this parse only
    Headers(StubHeaders stubs, Map<String, String> virtual) {
        this.stubs = stubs;
        this.virtual = Map.copyOf(virtual);
    }

    @Override
    public boolean getInclusionExists(String path) {
        return text(path).isPresent();
    }

    @Override
    public @Nullable InternalFileContent getContentForInclusion(String path, @Nullable IMacroDictionary macros) {
        characters += text(path).map(String::length).orElse(0);
        if (++inclusions > Budget.INCLUSIONS || characters > Budget.INCLUDED_CHARACTERS) {
            throw Budget.exceeded(
                    path,
                    "headers were included more than " + Budget.INCLUSIONS + " times or with more than "
                            + (Budget.INCLUDED_CHARACTERS >> 20) + " million characters",
                    "give each header an include guard");
        }
        return text(path)
                .map(t -> (InternalFileContent) FileContent.create(path, false, t.toCharArray()))
                .orElse(null);
    }

    @Override
    public @Nullable InternalFileContent getContentForInclusion(IIndexFileLocation location, String path) {
        return getContentForInclusion(path, null);
    }

    /// Text of a header that exists.
    String textOf(String path) {
        return text(path).orElseThrow();
    }

    /// Whether a path was read from a real file, not from one of our own texts.
    boolean isReal(String path) {
        return read.getOrDefault(path, Optional.empty()).isPresent();
    }

    /// Texts of the real files that were given to the parser, by path.
    Map<String, String> readFiles() {
        var files = new HashMap<String, String>();
        read.forEach((path, text) -> text.ifPresent(t -> files.put(path, t)));
        return files;
    }

    private Optional<String> text(String path) {
        String given = virtual.get(path);
        if (given != null) {
            return Optional.of(given);
        }
        return stubs.text(path)
                .or(() -> stubs.inPlaceOf(path).filter(stub -> isFile(path)))
                .or(() -> read.computeIfAbsent(path, Headers::file));
    }

    private static boolean isFile(String path) {
        try {
            return Files.isRegularFile(Path.of(path));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static Optional<String> file(String path) {
        return isFile(path) ? SourceFiles.readHeader(Path.of(path)) : Optional.empty();
    }
}

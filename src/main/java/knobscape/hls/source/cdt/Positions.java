package knobscape.hls.source.cdt;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.Location;
import knobscape.hls.source.file.SourceText;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTNode;

/// Places of nodes in the files a person knows, under the names a person uses.
final class Positions {
    private final SourceText main;
    private final String mainPath;
    private final Map<String, SourceText> files = new HashMap<>();

    /// @param absolute path of the main file as the parser knows it
    /// @param asGiven the same as the person wrote it
    /// @param text of the main file
    /// @param headers text by absolute path
    Positions(Path absolute, Path asGiven, String text, Map<String, String> headers) {
        main = new SourceText(asGiven.toString(), text);
        mainPath = absolute.toString();
        Path folder = absolute.getParent();
        Path shown = asGiven.getParent();
        headers.forEach((path, content) -> {
            Path p = Path.of(path).normalize();
            String name = p.toString();
            if (folder != null && p.startsWith(folder)) {
                Path relative = folder.relativize(p);
                name = (shown == null ? relative : shown.resolve(relative)).toString();
            }
            files.put(path, new SourceText(name, content));
        });
        files.put(mainPath, main);
    }

    SourceText main() {
        return main;
    }

    /// The file a node stands in; empty for our own stubs.
    Optional<SourceText> file(IASTNode node) {
        IASTFileLocation at = node.getFileLocation();
        return at == null ? Optional.empty() : Optional.ofNullable(files.get(at.getFileName()));
    }

    /// A file by its absolute path.
    Optional<SourceText> file(Path path) {
        return files.entrySet().stream()
                .filter(e -> Path.of(e.getKey()).normalize().equals(path))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /// Whether the node stands in the main file.
    boolean inMain(IASTNode node) {
        IASTFileLocation at = node.getFileLocation();
        return at != null && at.getFileName().equals(mainPath);
    }

    /// Place of a node; that of the macro's use where a macro made it, the start of the main file where it has
    /// none.
    Location of(IASTNode node) {
        IASTFileLocation at = node.getFileLocation();
        if (at == null) {
            return main.location(0, 0);
        }
        SourceText file = files.get(at.getFileName());
        return file == null
                ? new Location(at.getFileName(), at.getStartingLineNumber(), 1, at.getNodeOffset(), at.getNodeLength())
                : file.location(at.getNodeOffset(), at.getNodeLength());
    }

    /// Text of a file by the name people know.
    Optional<String> textOf(String name) {
        return files.values().stream()
                .filter(f -> f.name().equals(name))
                .map(SourceText::text)
                .findFirst();
    }
}

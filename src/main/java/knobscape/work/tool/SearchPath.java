package knobscape.work.tool;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where programs are looked for.
public final class SearchPath {
    private SearchPath() {}

    /// The folders of the variable PATH, in its order.
    ///
    /// @param variable its value
    public static List<Path> folders(String variable) {
        return Stream.of(variable.split(Pattern.quote(File.pathSeparator)))
                .filter(f -> !f.isBlank())
                .map(Path::of)
                .toList();
    }

    /// True if a file is there that can be started.
    public static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}

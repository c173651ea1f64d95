package knobscape.evaluate.replay;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// The YAML files of a folder of the program's resources, so that a public data set is added by adding its
/// file.
public final class BundledFiles {
    private BundledFiles() {}

    /// Text by name without ending, in alphabetical order; folders inside are left out.
    ///
    /// @param folder absolute name of the folder, `/knobscape/replay`
    /// @param known name of one of its files: a jar need not list its folders
    public static Map<String, String> texts(String folder, String known) {
        URL url = BundledFiles.class.getResource(folder + "/" + known + ".yaml");
        if (url == null) {
            throw new IllegalStateException("the bundled mapping " + known + " is missing from the program");
        }
        try {
            if (url.openConnection() instanceof JarURLConnection jar) {
                try (FileSystem files =
                        FileSystems.newFileSystem(Path.of(jar.getJarFileURL().toURI()))) {
                    return texts(files.getPath(folder));
                }
            }
            return texts(requireNonNull(Path.of(new URI(url.toString())).getParent()));
        } catch (IOException e) {
            throw new UncheckedIOException("the bundled mappings cannot be read", e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class loader gives a proper address", e);
        }
    }

    private static Map<String, String> texts(Path folder) throws IOException {
        var texts = new TreeMap<String, String>();
        try (var files = Files.newDirectoryStream(folder, "*.yaml")) {
            for (Path file : files) {
                texts.put(file.getFileName().toString().replaceFirst("\\.yaml$", ""), Files.readString(file));
            }
        }
        return texts;
    }
}

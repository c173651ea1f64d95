package knobscape.surrogate.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedTorchTest {
    private static final String ENTRY = "org/bytedeco/javacpp/Loader.class";

    @TempDir
    private Path cache;

    private Path unpacked(String jar, int cut) throws Exception {
        byte[] all;
        try (InputStream in = Loader.class.getResourceAsStream("/" + ENTRY)) {
            all = in.readAllBytes();
        }
        Path file = cache.resolve(jar).resolve(ENTRY);
        Files.createDirectories(file.getParent());
        return Files.write(file, java.util.Arrays.copyOf(all, all.length - cut));
    }

    private static String jar() throws Exception {
        URL url = Loader.class.getResource("/" + ENTRY);
        assumeThat(url.getProtocol())
                .as("the native library does not come in a jar here")
                .isEqualTo("jar");
        return Path.of(((JarURLConnection) url.openConnection()).getJarFileURL().toURI())
                .getFileName()
                .toString();
    }

    @Test
    void aCutFileIsRemovedAndUnpackedAgain() throws Exception {
        Path cut = unpacked(jar(), 100);
        Path other = unpacked("javacpp-1.0.jar", 100);
        Path foreign = Files.writeString(cache.resolve(jar()).resolve("notes.txt"), "mine");
        UnpackedTorch.discardCut(cache);
        assertThat(cut).doesNotExist();
        assertThat(other).exists();
        assertThat(foreign).exists();
    }

    @Test
    void aWholeFileStays() throws Exception {
        Path whole = unpacked(jar(), 0);
        UnpackedTorch.discardCut(cache);
        assertThat(whole).exists();
    }
}

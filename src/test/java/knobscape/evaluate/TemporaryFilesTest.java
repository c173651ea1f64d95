package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class TemporaryFilesTest {
    /// The folder of the process is named after the virtual machine began.
    @Test
    void theyLieInTheFolderOfTheProcess(@TempDir Path folder) throws Exception {
        String before = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", folder.toString());
        try {
            assertThat(TemporaryFiles.folder("headers")).isEmptyDirectory().hasParent(folder);
            Path file = TemporaryFiles.file("script", ".sh");
            assertThat(file).isEmptyFile().hasParent(folder);
            assertThat(file.getFileName().toString()).startsWith("script").endsWith(".sh");
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }
}

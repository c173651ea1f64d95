package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A pipe or a device in the place of a file is refused in one sentence that names it, before it is opened: it
/// may never end, and reading it cannot be interrupted.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpecialFileTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "space pipe.cpp",
                "space pipe.csv",
                "space good.cpp --directives pipe.yaml",
                "space table.csv --mapping pipe.yaml",
                "fuse pipe.onnx",
                "fuse pipe.csv",
                "fuse pipe.json",
                "fuse alexnet --accelerator pipe.json",
                "fuse alexnet --strategy pipe.json",
                "fuse alexnet --method dnnfuser --buffer 20MB --model pipe.seq",
                "tune pipe.onnx",
                "tune zoo:alexnet --import pipe.log --out o",
                "explore project/knobscape.json"
            })
    void aPipeIsRefused(String words) throws Exception {
        Files.writeString(
                folder.resolve("good.cpp"), "void f(int a[8]) { L: for (int i = 0; i < 8; i++) a[i] = 0; }\n");
        Files.writeString(folder.resolve("table.csv"), "x,y\n1,2\n");
        Files.createDirectory(folder.resolve("project"));
        for (String name : new String[] {"cpp", "csv", "yaml", "onnx", "json", "seq", "log"}) {
            makePipe(folder.resolve("pipe." + name));
        }
        makePipe(folder.resolve("project").resolve(knobscape.project.ProjectFile.FILE_NAME));
        assertThat(terminal.run(words.split(" "))).as(terminal.out()).isNotZero();
        String name = words.replaceAll(".*(pipe\\.\\w+|knobscape.json).*", "$1");
        assertThat(terminal.err().strip())
                .contains(name)
                .doesNotContain("\n")
                .containsPattern("name a regular file|is not an ordinary file")
                .endsWith(".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "space good.cpp --directives /dev/zero",
                "fuse alexnet --accelerator /dev/zero",
                "fuse alexnet --method dnnfuser --buffer 20MB --model /dev/zero",
                "tune zoo:alexnet --import /dev/zero --out o"
            })
    void aDeviceIsRefused(String words) throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/zero")), "there is no endless device here");
        Files.writeString(
                folder.resolve("good.cpp"), "void f(int a[8]) { L: for (int i = 0; i < 8; i++) a[i] = 0; }\n");
        assertThat(terminal.run(words.split(" "))).as(terminal.out()).isIn(1, 2);
        assertThat(terminal.err().strip())
                .contains("/dev/zero")
                .contains("name a regular file")
                .doesNotContain("\n");
    }

    private static void makePipe(Path at) throws InterruptedException {
        boolean made;
        try {
            made = new ProcessBuilder("mkfifo", at.toString()).start().waitFor() == 0;
        } catch (IOException e) {
            made = false;
        }
        assumeTrue(made, "mkfifo is not there");
    }
}

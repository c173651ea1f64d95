package knobscape.app.ui.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.fusion.FusionViewModel;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.OwnScreen;
import knobscape.app.ui.undo.UndoStack;
import knobscape.fusion.search.FusionMethod;
import knobscape.hls.HlsTools;
import knobscape.project.Runner;
import knobscape.work.Choices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that mean harm, opened in the window: one sentence names each, and nothing hangs.
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFileTest {
    private static final int MEGABYTES = 200;

    @TempDir
    private Path folder;

    private final Messages messages = new Messages();
    private final Runner runner = Runner.withSystemClocks();

    @AfterEach
    void close() {
        runner.close();
    }

    private Path make(String name) throws Exception {
        Path at = folder.resolve(name);
        if (name.startsWith("folder")) {
            return Files.createDirectory(at);
        }
        if (name.startsWith("pipe")) {
            assumeTrue(mkfifo(at), "mkfifo is not there");
            return at;
        }
        byte[] megabyte = new byte[1 << 20];
        Arrays.fill(megabyte, name.startsWith("line") ? (byte) 'a' : 0);
        try (OutputStream out = Files.newOutputStream(at)) {
            if (name.startsWith("bomb")) {
                var zip = new ZipOutputStream(out);
                zip.putNextEntry(new ZipEntry("model.onnx"));
                for (int i = 0; i < 5 * MEGABYTES; i++) {
                    zip.write(megabyte);
                }
                zip.finish();
            } else if (name.startsWith("line")) {
                for (int i = 0; i < MEGABYTES; i++) {
                    out.write(megabyte);
                }
            } else {
                out.write("int x = \u001b[2J;".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return at;
    }

    private static boolean mkfifo(Path at) throws InterruptedException {
        try {
            return new ProcessBuilder("mkfifo", at.toString()).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private void oneSentence() {
        assertThat(messages.shown()).hasSize(1);
        String text = messages.shown().getFirst().text();
        assertThat(text)
                .doesNotContain("fault of the program", "Exception", "\n")
                .hasSizeLessThan(1000)
                .endsWith(".");
        assertThat(text.chars()).as(text).noneMatch(Character::isISOControl);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "line.cpp",
                "line.csv",
                "line.json",
                "folder.cpp",
                "folder.csv",
                "pipe.cpp",
                "pipe.csv",
                "pipe.json",
                "name\u001b[2J\u0007.cpp",
                "name\nof two lines.csv",
                "bomb.cpp",
                "bomb.csv"
            })
    void kernelsAndTables(String name) throws Exception {
        Path at = make(name);
        var model = new HlsViewModel(
                new OwnScreen(),
                HlsTools.standard(),
                runner,
                messages,
                new UndoStack(),
                Settings.inMemory(),
                (FileChoices) Proxy.newProxyInstance(
                        FileChoices.class.getClassLoader(), new Class<?>[] {FileChoices.class}, (_, m, _) -> {
                            throw new AssertionError(m);
                        }));
        model.open(at);
        oneSentence();
        assertThat(model.workbench().get()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "line.onnx",
                "line.csv",
                "line.json",
                "folder.onnx",
                "folder.json",
                "pipe.onnx",
                "pipe.csv",
                "name\u001b[2J\u0007.onnx",
                "bomb.onnx",
                "bomb.csv"
            })
    void networks(String name) throws Exception {
        Path at = make(name);
        var model = new FusionViewModel(
                // The screen is the thread that makes it.
                new OwnScreen(),
                runner,
                new Choices<>("method", FusionMethod.builtIn()),
                messages,
                Settings.inMemory(),
                "recent",
                folder.resolve("own"));
        try {
            model.open(at.toString());
            oneSentence();
        } finally {
            model.shutDown();
        }
    }
}

package knobscape.app.ui.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.RunContinuation;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.OwnScreen;
import knobscape.app.ui.undo.UndoStack;
import knobscape.hls.HlsTools;
import knobscape.project.Runner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/// A project of somebody else that names a program as its tool, in the window.
@DisabledOnOs(OS.WINDOWS)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class OwnProgramTest {
    @TempDir
    private Path folder;

    private String before = "";
    private final Messages messages = new Messages();
    private final Runner runner = Runner.withSystemClocks();
    private final OwnScreen screen = new OwnScreen();

    @BeforeEach
    void make() throws Exception {
        before = System.getProperty("knobscape.config", "");
        System.setProperty("knobscape.config", folder.resolve("user").toString());
        Path project = Files.createDirectories(folder.resolve("p"));
        Files.writeString(
                project.resolve("k.cpp"),
                "void scale(int in[8], int out[8]) {\nl:\n  for (int i = 0; i < 8; i++) { out[i] = in[i] * 3; }\n}\n");
        Files.writeString(
                project.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"source\": \"k.cpp\", \"run\": {\"toolchain\": \"command:tool.sh\","
                        + " \"steps\": 1, \"initialDesigns\": 2}}");
        Path tool = Files.writeString(project.resolve("tool.sh"), """
            #!/bin/sh
            touch "$(dirname "$0")/started"
            [ "$1" = describe ] && { echo '{"stages": ["run"], "objectives": ["delay", "lut"], "reported": {"run": ["delay", "lut"]}}' > "$2/describe.json"; exit 0; }
            echo '{"values": {"delay": 5, "lut": 3}}' > "$2/result.json"
            """);
        assertThat(tool.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void back() {
        runner.close();
        if (before.isEmpty()) {
            System.clearProperty("knobscape.config");
        } else {
            System.setProperty("knobscape.config", before);
        }
    }

    @Test
    void openingStartsNothingAndRunAsksOnce() throws Exception {
        HlsViewModel m = open();
        assertThat(folder.resolve("p/started")).as("after opening").doesNotExist();
        m.runs().start();
        assertThat(m.runs().anyActive()).isFalse();
        assertThat(folder.resolve("p/started")).as("after Run").doesNotExist();
        assertThat(messages.shown())
                .singleElement()
                .satisfies(s -> assertThat(s.text())
                        .contains("'p' names the program '", "tool.sh' as its tool. It was not started"));
        messages.shown().getFirst().action().orElseThrow().run().run();
        screen.await(() -> m.runs().status().get().state() == RunState.COMPLETED
                && !m.runs().anyActive());
        assertThat(folder.resolve("p/started")).exists();
        m.close();
        messages.clear();
        Files.delete(folder.resolve("p/started"));

        HlsViewModel again = open();
        assertThat(folder.resolve("p/started")).as("after opening again").doesNotExist();
        again.runs().start();
        screen.await(() -> again.runs().status().get().state() == RunState.COMPLETED
                && !again.runs().anyActive()
                && Files.exists(folder.resolve("p/started")));
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void aYesAfterTheProjectWasClosedStartsNothing() throws Exception {
        HlsViewModel m = open();
        m.runs().start();
        var ask = messages.shown().getFirst().action().orElseThrow();
        m.close();
        ask.run().run();
        assertThat(m.runs().anyActive()).isFalse();
        assertThat(folder.resolve("p/started")).doesNotExist();
    }

    /// What is asked and not done: the person's yes to come.
    private Runnable question() {
        assertThat(folder.resolve("p/started")).as("before a yes").doesNotExist();
        assertThat(messages.shown())
                .singleElement()
                .satisfies(s -> assertThat(s.text()).contains("It was not started"));
        Runnable yes = messages.shown().getFirst().action().orElseThrow().run();
        messages.clear();
        return yes;
    }

    /// A project with a run that is done, whose consent was forgotten.
    private HlsViewModel done() throws Exception {
        HlsViewModel m = open();
        m.runs().start();
        question().run();
        ended(m);
        m.close();
        Files.delete(folder.resolve("p/started"));
        Files.delete(folder.resolve("user/programs.txt"));
        HlsViewModel again = open();
        screen.await(() -> again.runs().current().get().isPresent());
        return again;
    }

    private void ended(HlsViewModel m) throws InterruptedException {
        screen.await(() -> Files.exists(folder.resolve("p/started"))
                && !m.runs().anyActive()
                && m.runs().status().get().state() == RunState.COMPLETED);
    }

    @Test
    void resumeAndSearchMoreAsk() throws Exception {
        HlsViewModel m = done();
        RunContinuation.of(m.runs()).more();
        Runnable yes = question();
        m.runs().resume();
        question();
        int steps = m.runs().current().get().orElseThrow().settings().steps();
        yes.run();
        screen.await(() -> Files.exists(folder.resolve("p/started"))
                && !m.runs().anyActive()
                && m.runs().current().get().orElseThrow().settings().steps() > steps);
    }

    @Test
    void aSingleDesignAsksAndNotAfterTheProjectWasClosed() throws Exception {
        HlsViewModel m = done();
        var design = m.workbench()
                .get()
                .orElseThrow()
                .bench()
                .space()
                .enumerate()
                .toList()
                .getLast();
        m.models().insight().evaluate(design);
        Runnable late = question();
        m.models().insight().evaluate(design);
        question().run();
        screen.await(() -> Files.exists(folder.resolve("p/started")));
        screen.await(() -> m.runs().runs().size() > 1);
        Files.delete(folder.resolve("p/started"));
        Files.delete(folder.resolve("user/programs.txt"));
        m.close();
        late.run();
        assertThat(folder.resolve("p/started")).as("after a late yes").doesNotExist();
    }

    /// The project names another program than the one that was agreed to, before the yes and after it.
    @Test
    void aYesIsForOneProgram() throws Exception {
        HlsViewModel m = open();
        m.runs().start();
        Runnable yes = question();
        Path other = folder.resolve("p/other.sh");
        Files.writeString(other, "#!/bin/sh\ntouch \"$(dirname \"$0\")/other\"\n");
        assertThat(other.toFile().setExecutable(true)).isTrue();
        m.runs().form().text(RunForm.PLACE).set(other.toString());
        yes.run();
        ended(m);
        m.runs().start();
        assertThat(messages.shown())
                .singleElement()
                .satisfies(s -> assertThat(s.text()).contains("other.sh' as its tool. It was not started"));
        assertThat(folder.resolve("p/other")).doesNotExist();
    }

    private HlsViewModel open() throws InterruptedException {
        var model = new HlsViewModel(
                screen, HlsTools.standard(), runner, messages, new UndoStack(), Settings.inMemory(), none());
        model.open(folder.resolve("p"));
        screen.await(() -> model.workbench().get().isPresent());
        return model;
    }

    private static FileChoices none() {
        return new FileChoices() {
            @Override
            public Optional<Path> openFile(String title, List<Kind> kinds) {
                return Optional.empty();
            }

            @Override
            public Optional<Path> openFolder(String title) {
                return Optional.empty();
            }

            @Override
            public Optional<Path> saveFile(String title, String name, Kind kind) {
                return Optional.empty();
            }

            @Override
            public boolean agrees(String what, List<knobscape.evaluate.report.FilePlan> plans) {
                return true;
            }
        };
    }
}

package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Results of a run with the run itself beside them belong together wherever they are copied.
class RunReferenceTest {
    @TempDir
    private Path folder;

    private Path original;
    private Path copy;

    @BeforeEach
    void runAndCopy() throws Exception {
        original = Files.createDirectory(folder.resolve("original"));
        copy = Files.createDirectory(folder.resolve("copy"));
        Files.writeString(original.resolve("k.cpp"), "void f() {}\n");
        Files.writeString(original.resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 1, \"source\": \"k.cpp\"}");
        try (Project project = Project.open(original);
                Runner runner = Runner.withSystemClocks()) {
            RunSession s = runner.start(BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(2), List.of());
            s.await();
            RunFiles.write(project, s.results(), original, FileGuard.standard());
        }
        try (Stream<Path> files = Files.list(original)) {
            for (Path f : files.toList()) {
                Files.copy(f, copy.resolve(f.getFileName()));
            }
        }
    }

    private RunReference read() {
        return RunReference.parse(copy.toString(), folder);
    }

    private void edit(String from, String to) throws Exception {
        Path json = copy.resolve(RunFiles.RUN_JSON);
        String text = Files.readString(json);
        assertThat(text).contains(from);
        Files.writeString(json, text.replace(from, to));
    }

    @Test
    void aCopyOfResultsWithTheirRunIsItsOwn() {
        assertThat(read()).isEqualTo(new RunReference(copy, Optional.of(1L)));
    }

    @Test
    void resultsOfARunOfAnotherSeedBelongToTheRunTheyName() throws Exception {
        edit("\"seed\" : 7", "\"seed\" : 8");
        assertThat(read()).isEqualTo(new RunReference(original, Optional.of(1L)));
    }

    @Test
    void resultsOfAnotherMethodBelongToTheRunTheyName() throws Exception {
        edit("\"method\" : \"random\"", "\"method\" : \"cgp\"");
        assertThat(read()).isEqualTo(new RunReference(original, Optional.of(1L)));
    }

    @Test
    void resultsOfARunThatIsNotThereBelongToTheRunTheyName() throws Exception {
        edit(original + ":1\"", original + ":2\"");
        assertThat(read()).isEqualTo(new RunReference(original, Optional.of(2L)));
        Files.delete(copy.resolve(RunStore.FILE_NAME));
        edit(original + ":2\"", original + ":1\"");
        assertThat(read()).isEqualTo(new RunReference(original, Optional.of(1L)));
    }

    @Test
    void aProjectWithoutRunsSaysSo() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        BoxTools.makeProject(empty);
        RunReference none = RunReference.parse(empty.toString(), folder);
        try (Project project = none.open()) {
            assertThatThrownBy(() -> none.run(project))
                    .isInstanceOf(UserError.class)
                    .hasMessage("The project " + project.runsFolder() + " has no runs yet.");
            project.lock();
            assertThatThrownBy(() -> none.run(project))
                    .isInstanceOf(UserError.class)
                    .hasMessage("The project " + project.runsFolder() + " has no runs yet.");
        }
    }
}

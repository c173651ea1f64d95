package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.project.ProjectFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// No verb writes over a file that the program did not write, and none over a source.
class ForceOptionTest {
    private static final String SOURCE = """
            void k(int a[16]) {
            L:
              for (int i = 0; i < 16; i++) {
                a[i] += 1;
              }
            }
            """;

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);
    private Path source;

    @BeforeEach
    void makeProject() throws Exception {
        source = Files.createDirectories(folder.resolve("p/src")).resolve("k.cpp");
        Files.writeString(source, SOURCE);
        Files.writeString(folder.resolve("p").resolve(ProjectFile.FILE_NAME), """
                {"formatVersion": 1, "name": "k", "source": "src/k.cpp",
                 "run": {"method": "random", "toolchain": "estimator", "seed": 7, "steps": 2, "initialDesigns": 2, "earlyStop": 0}}""");
    }

    private void works(String... arguments) {
        assertThat(terminal.run(arguments)).as(terminal.err()).isZero();
    }

    private void refuses(String words, Path file, String... arguments) {
        assertThat(terminal.run(arguments)).as(terminal.out()).isEqualTo(1);
        assertThat(terminal.err()).contains("'" + file + "'", words);
    }

    @Test
    void exportKeepsTheSourceEvenWithForce() {
        works("explore", "p");
        for (String form : new String[] {"pragma", "tcl"}) {
            refuses("is a source", source, "export", "p", "--design", "1", "--as", form, "--out", "p");
            refuses("is a source", source, "export", "p", "--design", "1", "--as", form, "--out", "p", "--force");
        }
        assertThat(source).hasContent(SOURCE);
        assertThat(folder.resolve("p/run_hls.tcl")).doesNotExist();
    }

    @Test
    void exportReplacesItsOwnFilesAndOthersOnlyByForce() throws Exception {
        works("explore", "p");
        works("export", "p", "--design", "1", "--as", "tcl", "--out", "o");
        works("export", "p", "--design", "2", "--as", "tcl", "--out", "o");
        Path script = folder.resolve("o/run_hls.tcl");
        Files.writeString(script, "# mine\n");
        refuses("--force", script, "export", "p", "--design", "2", "--as", "tcl", "--out", "o");
        assertThat(script).hasContent("# mine\n");
        works("export", "p", "--design", "2", "--as", "tcl", "--out", "o", "--force");
        assertThat(script).content().contains("csynth_design");
        Path table = Files.writeString(folder.resolve("designs.csv"), "mine");
        refuses("--force", table, "export", "p", "--as", "csv", "--out", ".");
    }

    @Test
    void aDryRunWritesNothingAndSaysWhatWould() throws Exception {
        works("explore", "p");
        works("export", "p", "--design", "1", "--as", "pragma", "--out", "o", "--dry-run");
        assertThat(terminal.out())
                .contains("Into " + folder.resolve("o"), "new        src/k.cpp", "new        run_hls.tcl");
        assertThat(folder.resolve("o")).doesNotExist();
        works("export", "p", "--design", "2", "--as", "pragma", "--out", "o");
        works("export", "p", "--design", "3", "--as", "pragma", "--out", "o", "--dry-run", "--json");
        JsonNode said = JsonMapper.shared().readTree(terminal.out());
        assertThat(said.path("files").valueStream().map(f -> f.path("state").asString()))
                .contains("replaced", "unchanged");
        assertThat(said.path("differences").asString()).contains("--- src/k.cpp (there now)", "#pragma HLS");
        Path script = folder.resolve("o/run_hls.tcl");
        Files.writeString(script, "# mine\n");
        refuses("--force", script, "export", "p", "--design", "2", "--as", "pragma", "--out", "o", "--dry-run");
        assertThat(terminal.run("export", "p", "--as", "csv", "--dry-run")).isEqualTo(2);
    }

    @Test
    void exploreChecksItsFolderBeforeItBegins() throws Exception {
        works("explore", "p", "--out", "r");
        works("explore", "p", "--out", "r");
        Path report = folder.resolve("r/report.md");
        Files.writeString(report, "my notes");
        refuses("--force", report, "explore", "p", "--out", "r");
        assertThat(terminal.err()).doesNotContain("Exploring with");
        assertThat(report).hasContent("my notes");
        works("explore", "p", "--out", "r", "--force");
        assertThat(report).content().startsWith("# k");
    }

    @Test
    void spaceKeepsDirectivesThatWereEdited() throws Exception {
        works("space", "p", "--write-directives=d.yaml");
        works("space", "p", "--write-directives=d.yaml");
        Path file = folder.resolve("d.yaml");
        Files.writeString(file, "version: 1\n");
        refuses("--force", file, "space", "p", "--write-directives=d.yaml");
        works("space", "p", "--write-directives=d.yaml", "--force");
        refuses("is a source", source, "space", "p", "--write-directives=p/src/k.cpp", "--force");
        assertThat(source).hasContent(SOURCE);
    }

    @Test
    void fuseAndTuneKeepFilesOfOthers() throws Exception {
        Path strategy = Files.createDirectories(folder.resolve("f")).resolve("strategy.json");
        Files.writeString(strategy, "mine");
        refuses("--force", strategy, "fuse", "resnet18", "--strategy", "8^18,-1", "--out", "f");
        refuses("--force", strategy, "fuse", "resnet18", "--evaluations", "5", "--out", "f");
        assertThat(strategy).hasContent("mine");
        Path log = Files.createDirectories(folder.resolve("t")).resolve("log.jsonl");
        Files.writeString(log, "mine");
        refuses("--force", log, "tune", "resnet18", "--trials", "5", "--out", "t");
        assertThat(log).hasContent("mine");
    }
}

package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.project.ProjectFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Measured designs on the command line: the space they are, runs, resuming and what leaves.
class ReplayCommandTest {
    private static final String MAPPING = """
            replay: 1
            name: tiny
            knobs: {columns: ["k*"]}
            metrics: {power: {unit: W}, delay: {unit: ns}}
            fidelities:
              - {name: hls, seconds: "60", metrics: {delay: h_delay}}
              - {name: impl, seconds: "600", metrics: {delay: delay, power: power}}
            objectives: [power, delay]
            """;

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void makeData() throws IOException {
        var csv = new StringBuilder("k1,k2,h_delay,delay,power\n");
        for (int a = 1; a <= 8; a *= 2) {
            for (int b = 0; b < 5; b++) {
                csv.append(a)
                        .append(',')
                        .append(b)
                        .append(',')
                        .append(100.0 / a + b)
                        .append(',');
                csv.append(a == 8 && b == 4 ? "," : 120.0 / a + 2 * b + "," + (0.1 * a + 0.05 * (5 - b)))
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("d.csv"), csv);
        Files.writeString(folder.resolve("d.yaml"), MAPPING);
    }

    @Test
    void equalDesignsOfTheFrontAreOneLine() throws Exception {
        Files.writeString(folder.resolve("m.csv"), """
                a,b,delay,lut
                1,1,10,50
                1,2,10,50
                2,1,20,30
                2,2,30,90
                """);
        assertThat(terminal.run("explore", "m.csv", "--method", "random", "--init", "4", "--steps", "1"))
                .isZero();
        assertThat(terminal.out())
                .containsPattern("Front of 4 designs")
                .containsPattern("(?m)^ *#\\d +10 +50 +.*; as good: #\\d$")
                .containsPattern("(?m)^ *#\\d +20 +30 +[^;]*$");
    }

    @Test
    void spaceTellsKnobsStagesSizesAndWhatIsMissing() {
        assertThat(terminal.run("space", "d.csv")).isZero();
        assertThat(terminal.out())
                .contains("k1    1, 2, 4, 8")
                .contains("impl           19")
                .contains("19 measured designs of 20 rows");
        assertThat(terminal.err()).contains("1 design was not measured up to impl");
        assertThat(terminal.run("space", "d.csv", "--json")).isZero();
        assertThat(terminal.json().at("/size/pruned").asString()).isEqualTo("19");
        assertThat(terminal.json().at("/size/full").asString()).isEqualTo("20");
        assertThat(terminal.json().at("/measured/fidelities/0/designs").intValue())
                .isEqualTo(20);
        assertThat(terminal.json().at("/measured/fidelities/0/metrics/0/name").asString())
                .isEqualTo("delay");
        assertThat(terminal.json().at("/measured/objectives/0").asString()).isEqualTo("power");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "explore d.csv --toolchain replay:d.csv",
                "explore --toolchain replay:d.csv",
                "explore d.csv",
                "explore d.csv --toolchain replay",
                "tune d.csv",
                "study d.csv",
                "tune --seed 2 d.csv",
                "explore d.yaml.csv --mapping d.yaml"
            })
    void everyWayOfNamingTheFileExploresItsDesigns(String line) throws IOException {
        Files.copy(folder.resolve("d.csv"), folder.resolve("d.yaml.csv"));
        assertThat(terminal.run((line + " --method random --steps 100 --init 4 --early-stop 0 --json").split(" ")))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.json().get("designs").intValue()).isEqualTo(19);
        assertThat(terminal.json().get("source").asString()).isEqualTo("measured, replayed");
        assertThat(terminal.json().get("hours").doubleValue())
                .isEqualTo(19 * 660 / 3600.0, org.assertj.core.api.Assertions.within(1e-9));
        assertThat(terminal.json().get("front").size()).isPositive();
    }

    @Test
    void aRunIsStoredResumedListedAndExportedAsData() {
        assertThat(terminal.run(
                        "explore",
                        "d.csv",
                        "--method",
                        "random",
                        "--steps",
                        "2",
                        "--init",
                        "4",
                        "--early-stop",
                        "0",
                        "--out",
                        "r"))
                .isZero();
        assertThat(terminal.out()).contains("knobs not at their first value");
        assertThat(terminal.run("explore", "--resume", "r", "--steps", "5", "--json"))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.json().get("designs").intValue()).isEqualTo(9);
        assertThat(terminal.run("runs", "r", "--json")).isZero();
        assertThat(terminal.json().at("/runs/0/toolchain").asString()).isEqualTo("replay");
        assertThat(terminal.run("export", "r", "--as", "csv")).isZero();
        assertThat(terminal.out()).contains("measured, replayed: replay:d.csv").contains("impl power [W]");
        assertThat(terminal.run("export", "r", "--as", "json")).isZero();
        for (String form : new String[] {"tcl", "pragma"}) {
            assertThat(terminal.run("export", "r", "--design", "1", "--as", form))
                    .isEqualTo(1);
            assertThat(terminal.err().lines()).singleElement().asString().contains("is of 'Studies'");
        }
    }

    @Test
    void aRunOfAChangedFileIsNotResumed() throws IOException {
        terminal.run("explore", "d.csv", "--method", "random", "--steps", "2", "--init", "4", "--early-stop", "0");
        Files.writeString(
                folder.resolve("d.csv"),
                Files.readString(folder.resolve("d.csv")).replace("120.0,", "121.0,"));
        assertThat(terminal.run("explore", "--resume", "d.csv.knobscape", "--steps", "5"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("has changed since run 1 began");
    }

    @Test
    void aProjectMayNameTheFileAndNeedsNoSource() throws IOException {
        Files.createDirectory(folder.resolve("p"));
        Files.copy(folder.resolve("d.csv"), folder.resolve("p/own.csv"));
        Files.copy(folder.resolve("d.yaml"), folder.resolve("p/columns.yaml"));
        Files.writeString(folder.resolve("p").resolve(ProjectFile.FILE_NAME), """
                {"formatVersion": 1, "name": "own", "mapping": "columns.yaml", "run": {"method": "random", "toolchain": "replay:own.csv", "steps": 3, "initialDesigns": 4, "earlyStop": 0}}""");
        assertThat(terminal.run("explore", "p", "--json")).as(terminal.err()).isZero();
        assertThat(terminal.json().get("designs").intValue()).isEqualTo(7);
        assertThat(terminal.run("space", "p", "--json")).isZero();
        assertThat(terminal.json().at("/size/pruned").asString()).isEqualTo("19");
    }

    @Test
    void aProjectOfEarlierThatNamesATableBesideItsKernelSearchesTheTable() throws IOException {
        Files.createDirectory(folder.resolve("k"));
        Files.writeString(
                folder.resolve("k/s.cpp"), "void s(int a[16]) { l: for (int i = 0; i < 16; i++) { a[i] = i; } }\n");
        Files.writeString(folder.resolve("k").resolve(ProjectFile.FILE_NAME), """
                {"formatVersion": 1, "source": "s.cpp", "run": {"method": "random", "toolchain": "replay:../d.csv", "steps": 1, "initialDesigns": 2, "earlyStop": 0}}""");
        assertThat(terminal.run("explore", "k", "--json")).as(terminal.err()).isZero();
        assertThat(terminal.json().get("source").asString()).isEqualTo("measured, replayed");
        assertThat(terminal.run("explore", "k/s.cpp", "--toolchain", "replay:d.csv"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("knobscape tune d.csv");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "explore d.csv --toolchain told|only the table itself can answer",
                "explore d.csv --toolchain replay:e.csv|Two tables are named",
                "explore --toolchain replay:gone.csv|There is no file or folder",
                "explore d.csv --engine slurm|--engine does not apply: a table of results runs no program",
                "explore d.csv --objectives lut|There is no objective 'lut'",
                "space d.csv --write-directives|no directives to write",
                "space s.cpp --mapping d.yaml|--mapping is for tables of results",
                "explore strange.csv|has no mapping",
                "explore short.csv --mapping d.yaml|short.csv:3: 2 cells where the header names 5"
            })
    void mistakesAreToldInOneSentence(String line) throws IOException {
        Files.copy(folder.resolve("d.csv"), folder.resolve("e.csv"));
        Files.copy(folder.resolve("d.yaml"), folder.resolve("e.yaml"));
        Files.writeString(folder.resolve("strange.csv"), "a,b\nx,y\n");
        Files.writeString(folder.resolve("short.csv"), "k1,k2,h_delay,delay,power\n1,1,1,1,1\n1,2\n");
        Files.writeString(
                folder.resolve("s.cpp"), "void s(int a[16]) { l: for (int i = 0; i < 16; i++) { a[i] = i; } }\n");
        String[] parts = line.split("\\|");
        assertThat(terminal.run(parts[0].split(" "))).isEqualTo(1);
        assertThat(terminal.err().lines().filter(l -> !l.startsWith("Note: ")))
                .singleElement()
                .asString()
                .contains(parts[1]);
    }
}

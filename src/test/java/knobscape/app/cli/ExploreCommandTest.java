package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Request;
import knobscape.explore.BoxEvaluator;
import knobscape.hls.HlsTools;
import knobscape.project.BoxTools;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// `explore`, `runs` and `export` as a person uses them, on a tool with a known answer.
class ExploreCommandTest {
    @TempDir
    private Path folder;

    private HlsTools tools = BoxTools.tools();
    private final Terminal terminal = new Terminal(() -> folder, () -> tools);

    @BeforeEach
    void makeProject() throws Exception {
        Files.createDirectory(folder.resolve("p"));
        Files.writeString(folder.resolve("p/k.cpp"), "void k() {}\n");
        Files.writeString(folder.resolve("p").resolve(ProjectFile.FILE_NAME), """
            {"formatVersion": 1, "name": "box", "source": "k.cpp",
             "run": {"method": "random", "toolchain": "box", "seed": 7, "steps": 6, "initialDesigns": 4, "earlyStop": 0}}\
            """);
    }

    @Test
    void aBudgetOfDesignsEndsIt() {
        assertThat(terminal.run("explore", "p", "--steps", "no limit", "--designs", "9", "--parallel", "2"))
                .isZero();
        assertThat(terminal.out()).contains("Front of 9 designs at impl (model):");
        assertThat(terminal.err()).contains("no limit of steps", "all 9 designs are run");
    }

    @Test
    void whatSaysNothingOfAnotherHourTakesThePublishedSteps() {
        assertThat(terminal.run("explore", "p", "--steps", "no limit")).isZero();
        assertThat(terminal.err()).contains("at most 40 steps", "all 40 steps are done");
    }

    @Test
    void exploresAndPrintsTheFront() {
        assertThat(terminal.run("explore", "p")).isZero();
        assertThat(terminal.out())
                .contains("Front of 11 designs at impl (model):")
                .contains("Power (W)")
                .contains("Delay (ns)")
                .contains("k0=")
                .contains("Run: " + folder.resolve("p") + ":1");
        assertThat(terminal.err())
                .contains("Exploring with random, seed 7: 5 initial designs, then at most 6 steps; box (model).")
                .contains("step 6/6  impl  11 designs  hypervolume ")
                .contains("  2.50 simulated hours")
                .contains("all 6 steps are done");
    }

    @Test
    void aGoalIsMarkedInTheFrontAndItsBestDesignIsPrinted() throws Exception {
        assertThat(terminal.run("explore", "p", "--goal", "lut<6k delay min", "--out", "results"))
                .isZero();
        var line = java.util.regex.Pattern.compile("Goal lut<6k delay min: #(\\d+), Delay ([0-9.]+) ns, LUT ([0-9.]+) "
                        + "\\((\\d+) designs? meets? it\\)\\.")
                .matcher(terminal.out());
        assertThat(line.find()).isTrue();
        assertThat(Double.parseDouble(line.group(3))).isLessThanOrEqualTo(6_000);
        assertThat(terminal.out()).contains("goal").contains("missed");
        assertThat(Files.readString(folder.resolve("results/report.md"))).contains("## Goal", "#" + line.group(1));
        int best = Integer.parseInt(line.group(1));

        assertThat(terminal.run("explore", "--resume", "p:1", "--json")).isZero();
        assertThat(terminal.json().get("goal").get("design").intValue()).isEqualTo(best);
        assertThat(terminal.json().get("goal").get("kept").size()).isEqualTo(Integer.parseInt(line.group(4)));
        assertThat(terminal.run("explore", "p", "--goal", "lut<1")).isZero();
        assertThat(terminal.out()).contains("Goal lut<1: no design meets it.");
    }

    @Test
    void anUnknownWordInAGoalIsWrongUsageAndNothingRuns() {
        assertThat(terminal.run("explore", "p", "--goal", "lux<3")).isEqualTo(2);
        assertThat(terminal.err()).contains("'lux' is no metric");
        assertThat(terminal.run("explore", "p", "--goal", "quickly")).isEqualTo(2);
        assertThat(terminal.err()).contains("'quickly' is not understood in a goal");
        assertThat(folder.resolve("p/runs.db")).doesNotExist();
    }

    @Test
    void aRunThatEndedIsFollowedToItsEnd() {
        terminal.run("explore", "p");
        assertThat(terminal.run("runs", "p", "--follow")).isZero();
        assertThat(terminal.out()).contains("step 6/6  11 designs", "Ended, completed: all 6 steps are done.");
    }

    @Test
    void withJsonStandardOutputIsOneDocument() {
        assertThat(terminal.run("explore", "p", "--json", "--seed", "3", "--steps", "2", "--out", "results"))
                .isZero();
        assertThat(terminal.json().get("seed").intValue()).isEqualTo(3);
        assertThat(terminal.json().get("designs").intValue()).isEqualTo(7);
        assertThat(folder.resolve("results"))
                .isDirectoryContaining("glob:**/front.csv")
                .isDirectoryContaining("glob:**/designs.csv")
                .isDirectoryContaining("glob:**/run.json")
                .isDirectoryContaining("glob:**/report.md");
    }

    @Test
    void sameSeedSameFront() {
        terminal.run("explore", "p", "--json");
        JsonNode first = terminal.json().get("front");
        terminal.run("explore", "p", "--json");
        assertThat(terminal.json().get("front")).isEqualTo(first);
        terminal.run("explore", "p", "--json", "--seed", "8");
        assertThat(terminal.json().get("front")).isNotEqualTo(first);
    }

    @Test
    void aStoppedRunSaysHowToResumeAndDoes() {
        terminal.run("explore", "p", "--json");
        JsonNode whole = terminal.json().get("front");
        var calls = new AtomicInteger();
        tools = BoxTools.tools(job -> new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                if (calls.getAndIncrement() == 7) {
                    throw new CancellationException();
                }
                super.evaluate(request, stageDone, cancel);
            }
        });
        assertThat(terminal.run("explore", "p")).isZero();
        assertThat(terminal.err()).contains("To resume: knobscape explore --resume " + folder.resolve("p") + ":2");
        assertThat(terminal.run("explore", "--resume", folder.resolve("p") + ":2", "--json"))
                .isZero();
        assertThat(terminal.err()).contains("resumed after");
        assertThat(terminal.json().get("front")).isEqualTo(whole);
        assertThat(terminal.json().get("status").stringValue()).isEqualTo("completed");
    }

    @Test
    void aFailedRunIsFailedWork() {
        tools = BoxTools.tools(job -> new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                stageDone.accept(new Evaluation(
                        request.configuration(),
                        HLS,
                        new knobscape.evaluate.Outcome.Failure(FailureKind.LICENCE, "no licence"),
                        1,
                        new knobscape.evaluate.Provenance("box", "1", 0, knobscape.evaluate.Provenance.Source.MODEL)));
            }
        });
        assertThat(terminal.run("explore", "p")).isEqualTo(1);
        assertThat(terminal.err()).contains("no licence").contains("--resume");
    }

    @Test
    void runsAreListedRenamedAndDeleted() {
        assertThat(terminal.run("runs", "p")).isZero();
        assertThat(terminal.out()).startsWith("No runs yet");
        terminal.run("explore", "p");
        terminal.run("explore", "p", "--seed", "9");
        assertThat(terminal.run("runs", "p", "--rename", "2=the good one")).isZero();
        assertThat(terminal.out())
                .contains("run 1 (Random search, seed 7)")
                .contains("the good one")
                .contains("completed");
        assertThat(terminal.run("runs", "p", "--note", "2=too hot #again")).isZero();
        assertThat(terminal.out()).contains("too hot #again");
        assertThat(new RunMemory(Settings.load(folder.resolve("p").resolve(RunMemory.FILE)), 2).about())
                .isEqualTo("too hot #again");
        assertThat(terminal.run("runs", "p", "--note", "2=", "--json")).isZero();
        assertThat(terminal.json().at("/runs/1/note").asString()).isEmpty();
        assertThat(terminal.run("runs", "p", "--note", "7=none")).isEqualTo(1);
        assertThat(terminal.err()).contains("no run 7");
        assertThat(terminal.run("runs", "p", "--delete", "1", "--json")).isZero();
        assertThat(terminal.json().get("runs"))
                .hasSize(1)
                .first()
                .satisfies(r -> assertThat(r.get("number").intValue()).isEqualTo(2));
        assertThat(terminal.run("runs", "p", "--delete", "5")).isEqualTo(1);
        assertThat(terminal.err()).contains("There is no run 5");
    }

    @Test
    void designsAreExported() throws Exception {
        terminal.run("explore", "p", "--out", "results");
        assertThat(terminal.run("export", "results", "--as", "csv")).isZero();
        assertThat(terminal.out().lines()).hasSize(12);
        assertThat(terminal.run("export", "p:1", "--design", "#3", "--as", "json"))
                .isZero();
        assertThat(terminal.json().get("designs"))
                .hasSize(1)
                .first()
                .satisfies(d -> assertThat(d.get("number").intValue()).isEqualTo(3));
        String id = terminal.json().get("designs").get(0).get("design").stringValue();
        assertThat(terminal.run("export", "p", "--design", id, "--as", "csv", "--out", "files", "--json"))
                .isZero();
        assertThat(terminal.json().get("files").get(0).stringValue())
                .isEqualTo(folder.resolve("files/design-3.csv").toString());
        assertThat(Files.readAllLines(folder.resolve("files/design-3.csv"))).hasSize(2);
        assertThat(terminal.run("export", "p", "--design", "99", "--as", "json"))
                .isEqualTo(1);
        assertThat(terminal.err()).isEqualToIgnoringNewLines("Run 1 has no design 99; it has #1 to #11.");
        assertThat(terminal.run("export", "p", "--as", "tcl")).isEqualTo(2);
        assertThat(terminal.err()).contains("--design");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        explor p                          | 2 | did you mean 'explore'?
        explore p --sed 3                 | 2 | Unknown option '--sed' (did you mean '--seed'?). See 'knobscape explore --help'.
        explore p --steps many            | 2 | --steps
        explore p --steps -1              | 2 | teps must be a whole number from 0
        explore p --parallel 0            | 2 | arallel must be a whole number from 1 to 256
        explore p --hours -1              | 2 | --hours must be a number from 0, not '-1'.
        explore p --stop-gain 500         | 2 | --stop-gain must be a number from 0 to below 100, not '500'.
        explore p --stop-gain -1          | 2 | --stop-gain must be a number from 0 to below 100, not '-1'.
        explore p --method cpg            | 2 | There is no method 'cpg'
        explore p --toolchain bx          | 2 | did you mean 'box'?
        explore p --objectives powr       | 1 | There is no objective 'powr' (did you mean 'power'?)
        explore p --clock 0               | 2 | --clock must be a number above 0
        explore p --directives none.yaml  | 1 | There is no directive file
        explore p --json extra            | 2 | Unexpected argument 'extra'.
        explore                           | 2 | Name a project folder or a source file
        explore --resume p --seed 3       | 2 | a run is resumed as it began
        explore --resume p                | 1 | has no runs yet
        explore none                      | 1 | There is no file or folder
        explore .                         | 1 | without knobscape.json
        explore p --out p/k.cpp           | 1 | is a file, not a folder
        explore p --out p/k.cpp/x         | 1 | Cannot write to the folder
        export p --as tcl --design 1      | 1 | has no runs yet
        export p                          | 2 | --as
        export p --as vhdl                | 2 | vhdl
        """)
    void whatIsWrongIsSaidInOneSentence(String arguments, int status, String sentence) {
        assertThat(terminal.run(arguments.split(" +"))).isEqualTo(status);
        assertThat(terminal.err()).contains(sentence);
        assertThat(terminal.err().strip().lines()).hasSize(1);
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void aLockedProjectNamesItsHolder() {
        try (Project holder = Project.open(folder.resolve("p"))) {
            holder.lock();
            assertThat(terminal.run("explore", "p")).isEqualTo(1);
            assertThat(terminal.err().strip())
                    .matches("The project .* is in use by process \\d+ on .*; close it there first\\.");
        }
    }

    @Test
    void aNewerProjectIsNotTouched() throws Exception {
        Files.writeString(folder.resolve("p").resolve(ProjectFile.FILE_NAME), "{\"formatVersion\": 9}");
        assertThat(terminal.run("explore", "p")).isEqualTo(1);
        assertThat(terminal.err()).contains("made by a newer Knobscape");
        assertThat(folder.resolve("p/runs.db")).doesNotExist();
    }

    @Test
    void doctorTellsWhatItFound() {
        assertThat(terminal.run("doctor")).isZero();
        assertThat(terminal.out()).contains("Java").contains("Vitis HLS");
        assertThat(terminal.run("doctor", "--json")).isZero();
        assertThat(terminal.json().get("checks").size()).isGreaterThan(8);
    }
}

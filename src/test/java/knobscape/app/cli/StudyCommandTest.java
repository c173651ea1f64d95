package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Outcome;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// `study` as a person uses it: file, run, best, export, ask and tell.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class StudyCommandTest {
    @TempDir
    private Path dir;

    private final Terminal terminal = new Terminal(() -> dir);

    @BeforeEach
    void files() throws Exception {
        Files.writeString(
                dir.resolve("run.sh"), "echo '{\"time\": '$((1 + ($1 - 6) * ($1 - 6) + $2))', \"mem\": '$1'}'\n");
        Files.writeString(dir.resolve("k.study.yaml"), """
                study: 1
                parameters:
                  n: {from: 1, to: 12, default: 1}
                  mode: [0, 5, 9]
                constraints: ['n + mode < 16']
                objectives: {time: {goal: minimise, unit: ms}}
                metrics: {mem: ''}
                measure: {command: [sh, run.sh, "{n}", "{mode}"]}
                run: {trials: 14, initial: 4, seed: 3}
                """);
    }

    private String ok(String... words) {
        assertThat(terminal.run(words)).as(terminal::err).isZero();
        return terminal.out();
    }

    @Test
    void tuneFindsTheBestAndSaysHowToRunIt() {
        assertThat(ok("tune", "k.study.yaml"))
                .contains("time 1 ms")
                .contains("26 times better than the defaults (26 ms)")
                .contains("sh run.sh 6 0");
        assertThat(terminal.err()).contains("best time");
        assertThat(ok("export", "k.knobscape", "--as", "header"))
                .contains("#define n 6")
                .contains("#define mode 0");
        assertThat(ok("export", "k.knobscape", "--as", "command")).endsWith("sh run.sh 6 0\n");
        assertThat(ok("export", "k.knobscape", "--as", "csv")).contains("n,mode");
        assertThat(ok("export", "k.knobscape", "--as", "t4")).contains("\"unit\" : \"ms\"");
        ok("export", "k.knobscape", "--as", "cache", "--out", "files");
        assertThat(ok("history", "--import", "files/cache.json", "--history", "other.db"))
                .contains("cache.json");
        assertThat(terminal.run("export", "k.knobscape", "--as", "triton")).isOne();
        assertThat(terminal.err()).contains("No parameter is one of Triton's");
        assertThat(ok("runs", "k.knobscape")).contains("auto");
        assertThat(ok("study", "k.study.yaml", "--trials", "1", "--init", "2", "--json"))
                .contains("\"command\"")
                .contains("\"front\"");
        assertThat(terminal.run("export", "k.knobscape", "--as", "tcl", "--design", "1"))
                .isOne();
        assertThat(terminal.err()).doesNotContain("nternal error");
    }

    @Test
    void suggestionsAreMeasuredFirst() {
        assertThat(ok(
                        "tune",
                        "k.study.yaml",
                        "--method",
                        "random",
                        "--init",
                        "1",
                        "--trials",
                        "0",
                        "--suggest",
                        "n=6",
                        "--suggest",
                        "n=5; mode=9",
                        "--suggest",
                        "mode=0;n=6"))
                .contains("time 1 ms")
                .contains("(#2)");
        assertThat(ok("export", "k.knobscape", "--as", "csv", "--design", "3")).contains("5,9");
        assertThat(terminal.run("tune", "k.study.yaml", "--suggest", "m=6")).isOne();
        assertThat(terminal.err()).contains("names 'm', which is no parameter").doesNotContain("nternal");
        assertThat(terminal.run("tune", "k.study.yaml", "--suggest", "n=13")).isOne();
        assertThat(terminal.err()).contains("gives n '13', which is none of its values");
        assertThat(terminal.run("tune", "k.study.yaml", "--suggest", "n=12;mode=9"))
                .isOne();
        assertThat(terminal.err()).contains("does not keep the constraints");
    }

    /// On another machine everything took thrice as long and 7 ms more.
    @Test
    void transferBeginsWithWhatTheSameStudyGaveElsewhere() {
        DesignSpace space = StudySpace.of(StudyReader.read(dir.resolve("k.study.yaml")));
        try (TuningHistory history = TuningHistory.open(dir.resolve("h.db"))) {
            history.add(
                    new HistoryTask(
                            "study",
                            new HistoryTask.Measurer("another machine", "", false),
                            "k",
                            "another text",
                            "k of another machine",
                            "",
                            "study@1",
                            "bare",
                            Optional.of(space.knobs())),
                    space.enumerate()
                            .map(c -> new HistoryRow(
                                    c.text(), new Outcome.Measured(Map.of("time", 7 + 3 * time(c))), 1, 0, "run 1"))
                            .toList());
        }
        assertThat(ok("tune", "k.study.yaml", "--method", "transfer", "--history", "h.db", "--trials", "2"))
                .contains("time 1 ms");
        assertThat(terminal.err()).contains("begins with 28 measurements of k of another machine on another machine");
        assertThat(ok("study", "--resume", "k.knobscape", "--trials", "4")).contains("time 1 ms");
        ok("tune", "k.study.yaml", "--method", "transfer", "--history", "none", "--trials", "1", "--out", "alone");
        assertThat(terminal.err()).doesNotContain("begins with");
    }

    /// What the script computes.
    private static double time(Configuration c) {
        int n = Integer.parseInt(c.value(0));
        return 1 + (n - 6) * (n - 6) + Integer.parseInt(c.value(1));
    }

    @Test
    void severalObjectivesGiveAFrontAndABoundIsKept() throws Exception {
        Path file = dir.resolve("k.study.yaml");
        Files.writeString(file, Files.readString(file).replace("ms}}\nmetrics: {mem: ''}", "ms}, mem: minimise}"));
        assertThat(ok("study", "k.study.yaml", "--trials", "10"))
                .contains("Front of")
                .contains("time (ms)")
                .contains("mem");
    }

    @Test
    void aBoundOnWhatTheLastStageDoesNotReportIsRefused() throws Exception {
        Files.writeString(dir.resolve("s.study.yaml"), """
                study: 1
                parameters: {a: [1, 2, 3]}
                objectives: {time: minimise}
                metrics: {size: minimise}
                measure:
                  stages:
                    - {name: quick, command: [echo, size 2 time 3], result: {size: 'size (.)', time: 'time (.)'}}
                    - {name: full, command: [echo, time 3], result: {time: 'time (.)'}}
                """);
        assertThat(terminal.run("tune", "s.study.yaml", "--goal", "size<=4 time min"))
                .isOne();
        assertThat(terminal.err()).contains("does not report at full; have its last stage report it, too");
    }

    @Test
    void spaceCountsWhatTheConstraintsLeave() {
        assertThat(ok("space", "k.study.yaml")).contains("n ").contains("Configurations: 28, of 36");
        assertThat(ok("space", "k.study.yaml", "--json")).contains("\"full\":\"36\"".replace(":", " : "));
    }

    @Test
    void resultsMayBeTold() {
        ok("study", "k.study.yaml", "--toolchain", "told", "--trials", "1", "--init", "2", "--out", "told");
        String asked = ok("ask", "told");
        String number = asked.lines()
                .filter(l -> !l.startsWith("#"))
                .findFirst()
                .orElseThrow()
                .split("\t")[0];
        ok("tell", "told", number, "time=5");
        assertThat(ok("ask", "told")).doesNotContain("\n" + number + "\t");
    }

    @Test
    void aResumedRunGoesOnWithWhatIsKept() {
        ok("study", "k.study.yaml", "--trials", "2", "--out", "r");
        assertThat(ok("study", "--resume", "r", "--trials", "5")).contains("Best of");
    }

    @Test
    void aDraftIsWrittenOnce() throws Exception {
        Files.writeString(dir.resolve("p.c"), "#ifndef T\n#define T 8\n#endif\nint main(){return 0;}\n");
        assertThat(ok("study", "new", "p.c")).contains("p.study.yaml; look at it, then: knobscape study");
        assertThat(terminal.run("study", "new", "p.c")).isOne();
        assertThat(terminal.err()).contains("is there already");
        assertThat(ok("space", "p.study.yaml")).contains("2, 4, 8, 16, 32");
    }

    @Test
    void mistakesAreOneSentence() throws Exception {
        Files.writeString(dir.resolve("bad.study.yaml"), "study: 1\nparameters: {a: []}\n");
        assertThat(terminal.run("study", "bad.study.yaml")).isOne();
        assertThat(terminal.err()).contains("bad.study.yaml:2: the parameter 'a' has no value");
        assertThat(terminal.run("study", "k.study.yaml", "--method", "bo", "--objectives", "time,mem"))
                .isNotZero();
        assertThat(terminal.run("study", "k.study.yaml", "--toolchain", "vitis"))
                .isNotZero();
        assertThat(terminal.err()).contains("vitis");
        assertThat(terminal.run("explore", "k.study.yaml", "--toolchain", "replay:t.csv"))
                .isOne();
        assertThat(terminal.err()).contains("k.study.yaml measures by itself");
    }

    /// A goal may bound what only the cheap stage measures; the best is then the best that keeps it.
    @Test
    void aGoalBoundsWhatALowerStageMeasured() throws Exception {
        Files.writeString(dir.resolve("q.sh"), """
                t='"time": '$((100 - $2))
                [ $1 = quick ] && echo "{$t, \\"mem\\": $(($2 * 10))}" || echo "{$t}"
                """);
        Files.writeString(dir.resolve("g.study.yaml"), """
                study: 1
                parameters: {n: {from: 1, to: 30}}
                objectives: {time: {goal: minimise, unit: ms}}
                metrics: {mem: {goal: minimise, unit: kB}}
                measure:
                  stages:
                    - {name: quick, command: [sh, q.sh, quick, "{n}"]}
                    - {name: full, command: [sh, q.sh, full, "{n}"]}
                run: {trials: 8, initial: 8}
                """);
        assertThat(ok("tune", "g.study.yaml", "--goal", "mem<150", "--json")).contains("\"kept\"");
        var best = terminal.json();
        assertThat(ok("runs", "g.knobscape")).contains("completed");
        int design = best.at("/goal/design").asInt();
        assertThat(ok("export", "g.knobscape", "--as", "header", "--design", "" + design))
                .containsPattern("#define n (\\d|1[0-5])\n");
        assertThat(ok("tune", "g.study.yaml", "--goal", "mem<150"))
                .containsPattern("(?s)Best of .*\n  n=(\\d|1[0-5])\n.*Goal mem<150: #\\d+, time \\d+ ms, mem ")
                .doesNotContain("missed");
        assertThat(ok("tune", "g.study.yaml", "--goal", "mem<5")).contains("Goal mem<5: no design meets it.");
    }
}

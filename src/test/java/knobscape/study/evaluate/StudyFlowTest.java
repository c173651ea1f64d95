package knobscape.study.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import knobscape.work.device.OpenClDevice;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Programs as people write them, and as they go wrong.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class StudyFlowTest {
    @TempDir
    private Path dir;

    private Study study(String measure, String script) throws Exception {
        Files.writeString(dir.resolve("run.sh"), script);
        return StudyReader.parse("s.yaml", """
            study: 1
            parameters: {tile: [2, 4, 8], mode: [a b, c], fast: switch}
            objectives: {time: {goal: minimise, unit: s}}
            metrics: {mem: ''}
            measure:
            """ + measure.indent(2));
    }

    private List<Evaluation> all(Study s) {
        return all(s, 0);
    }

    private List<Evaluation> all(Study s, int repeat) {
        DesignSpace space = StudySpace.of(s);
        Configuration c = Configuration.of(space.knobs(), 1, 0, 1);
        try (Evaluator e = StudyTools.command(
                s,
                dir,
                s.objectives(),
                ToolSettings.DEFAULT.with(ToolSettings.CRASH_RETRIES, 0),
                dir.resolve("r/tools/command"))) {
            var stages = new ArrayList<Evaluation>();
            e.evaluate(
                    new Request(c, e.info().fidelities().getFirst(), e.info().top(), List.of(), repeat),
                    stages::add,
                    new CancellationSignal());
            return stages;
        }
    }

    private Outcome outcome(String measure, String script) throws Exception {
        return all(study(measure, script)).getLast().outcome();
    }

    private Outcome outcome(String script) throws Exception {
        return outcome("command: [sh, run.sh, \"{tile}\", \"{mode}\", \"{fast}\"]", script);
    }

    private static void measured(Outcome o, double time) {
        assertThat(o)
                .isInstanceOfSatisfying(
                        Outcome.Measured.class, m -> assertThat(m.value("time")).hasValue(time));
    }

    private static void failed(Outcome o, FailureKind kind, String reason) {
        assertThat(o).isInstanceOfSatisfying(Outcome.Failure.class, f -> {
            assertThat(f.kind()).isEqualTo(kind);
            assertThat(f.reason()).contains(reason);
        });
    }

    @Test
    void aResultIsALineOfJsonANumberAFileOrWhatExpressionsFind() throws Exception {
        measured(outcome("echo begun; echo \"{\\\"time\\\": $1.5, \\\"mem\\\": 3}\"; echo done"), 4.5);
        measured(outcome("echo 7; echo 1.25e1"), 12.5);
        measured(outcome("echo '{\"values\": {\"time\": 3}}' > result.json"), 3);
        measured(
                outcome(
                        "command: sh run.sh\nresult: {time: 'took ([0-9.]+) s', mem: 'used (\\d+)'}",
                        "echo took 1.0 s; echo took 2.5 s; echo used 9"),
                2.5);
    }

    @Test
    void valuesReachArgumentsVariablesAndTheDocumentAsTheyAre() throws Exception {
        measured(
                outcome(
                        "command: [sh, run.sh, \"{mode}\", '{here}']\nenvironment: {TILE: \"t{tile}\"}",
                        "[ \"$1\" = 'a b' ] && [ \"$2\" = '" + dir
                                + "' ] && [ \"$TILE\" = t4 ] && grep -q '\"fast\" : true' configuration.json"
                                + " && grep -q '\"tile\" : 4' configuration.json && echo 1"),
                1);
    }

    @Test
    void aBuildBeforeAndACheckAfter() throws Exception {
        measured(
                outcome("build: [sh, -c, \"echo {tile} > made\"]\ncommand: [cat, made]\ncheck: [test, -f, made]", ""),
                4);
        failed(
                outcome("command: [sh, run.sh]\ncheck: [sh, -c, 'echo differs by 3; exit 1']", "echo 5"),
                FailureKind.WRONG_RESULT,
                "the check ended with status 1: differs by 3");
        failed(
                outcome("build: [sh, -c, 'echo no such header; exit 2']\ncommand: [echo, '5']", ""),
                FailureKind.REJECTED,
                "status 2: no such header");
    }

    @Test
    void whatGoesWrongIsOneSentence() throws Exception {
        failed(outcome("echo bad flag >&2; exit 3"), FailureKind.REJECTED, "the program ended with status 3: bad flag");
        failed(outcome("exit 0"), FailureKind.CRASHED, "gave no result");
        failed(outcome("echo '{\"time\": NaN}'"), FailureKind.CRASHED, "NaN, which Python writes");
        failed(outcome("echo '{\"time\": \"fast\"}'"), FailureKind.CRASHED, "which is no number");
        failed(outcome("echo '{\"mem\": 4}'"), FailureKind.CRASHED, "no value of the objective 'time'");
        failed(outcome("echo -5"), FailureKind.CRASHED, "must be above 0");
        failed(outcome("echo '{\"time\": 3, \"status\": \"out of memory\"}'"), FailureKind.CRASHED, "");
        failed(outcome("command: sh run.sh\nlimit: 1", "sleep 30 & sleep 30"), FailureKind.TIMED_OUT, "stopped after");
        failed(
                outcome("head -c 10000000 /dev/zero | tr '\\0' x; echo; echo boom; exit 1"),
                FailureKind.REJECTED,
                "boom");
        failed(outcome("yes 12345"), FailureKind.REJECTED, "s.yaml:6: the program ended with status 153: ended after");
        assertThat(dir.resolve("r"))
                .as("what is printed without end is not kept")
                .satisfies(r -> {
                    try (var all = Files.walk(r)) {
                        assertThat(all.mapToLong(f -> f.toFile().length()).sum())
                                .isLessThan(40_000_000);
                    }
                });
    }

    @Test
    void aProgramThatIsNotThereIsSaidBeforeTheRun() throws Exception {
        assertThatThrownBy(() -> outcome("command: [./missing]", ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'./missing' is no program that may be run");
        assertThatThrownBy(() -> outcome("command: [no-such-program-here]", ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("s.yaml:6: 'no-such-program-here' is no program that may be run");
    }

    @Test
    void whatIsAskedForOnceMoreIsMeasuredOnceMore() throws Exception {
        Study s = study("command: [sh, run.sh]", "echo x >> calls; wc -l < calls");
        measured(all(s).getLast().outcome(), 1);
        measured(all(s, 1).getLast().outcome(), 2);
        measured(all(s, 2).getLast().outcome(), 3);
        measured(all(s, 1).getLast().outcome(), 2);
        measured(all(s).getLast().outcome(), 1);
    }

    @Test
    void aStageThatFailsIsTheLastAndAResultIsKept() throws Exception {
        Study s = study("""
            stages:
            - {name: quick, command: [sh, run.sh, q]}
            - {name: full, command: [sh, run.sh, f]}
            """, "echo x >> calls; [ $1 = q ] && echo 3 || exit 1");
        assertThat(all(s))
                .hasSize(2)
                .first()
                .satisfies(e -> assertThat(e.isMeasured()).isTrue());
        assertThat(all(s)).hasSize(2);
        Path design;
        try (var folders = Files.list(dir.resolve("r/tools/command"))) {
            design = folders.findFirst().orElseThrow();
        }
        assertThat(Files.readAllLines(design.resolve("calls")))
                .as("asked again, nothing is run again")
                .hasSize(2);
        // Another script is another result.
        Files.writeString(dir.resolve("run.sh"), "echo 9");
        measured(all(s).getLast().outcome(), 9);
    }

    private Study kernel(String measure) throws Exception {
        Files.writeString(dir.resolve("k.cl"), "__kernel void k(__global float* a) { a[get_global_id(0)] = TILE; }");
        return StudyReader.parse("s.yaml", """
            study: 1
            parameters: {TILE: [2, 4, 8]}
            objectives: {time: {goal: minimise, unit: us}}
            measure:
              kernel:
            """ + measure.indent(4));
    }

    private Outcome ofKernel(Study s) {
        return ofKernel(s, 1);
    }

    private Outcome ofKernel(Study s, int level) {
        Configuration c = Configuration.of(StudySpace.of(s).knobs(), level);
        try (Evaluator e = StudyTools.command(
                s,
                dir,
                s.objectives(),
                ToolSettings.DEFAULT.with(ToolSettings.CRASH_RETRIES, 0),
                dir.resolve("r/tools/command"))) {
            return e.evaluate(c, e.info().top(), new CancellationSignal())
                    .getLast()
                    .outcome();
        }
    }

    @Test
    void aKernelIsCompiledAndTimedInAProcessOfItsOwn() throws Exception {
        try {
            Assumptions.assumeFalse(OpenClDevice.names().isEmpty(), "there is no OpenCL device");
        } catch (UserError e) {
            Assumptions.abort(e.getMessage());
        }
        String right = """
            file: k.cl
            name: k
            constants: {N: 64}
            global: N
            local: TILE
            arguments: [{buffer: float, length: N, output: true}]
            """;
        assertThat(ofKernel(kernel(right)))
                .isInstanceOfSatisfying(
                        Outcome.Measured.class,
                        m -> assertThat(m.value("time").orElseThrow())
                                .as("in us")
                                .isBetween(0.01, 1e6));
        failed(
                ofKernel(kernel(right.replace("N: 64", "N: 66"))),
                FailureKind.REJECTED,
                "the global size 66 is no multiple of the work group's 4");
        failed(
                ofKernel(kernel(right.replace("local: TILE", "local: TILE / 8"))),
                FailureKind.REJECTED,
                "the size of a work group, TILE / 8 (line 10), is 0.5 and must be a whole number from 1");
        Study energy = StudyReader.parse("s.yaml", """
            study: 1
            parameters: {TILE: [2, 4, 8]}
            objectives: {energy: {goal: minimise, unit: mJ}}
            measure:
              kernel:
            """ + right.indent(4));
        failed(ofKernel(energy), FailureKind.CRASHED, "the device does not tell 'energy' of a kernel");
        assertThatThrownBy(() -> ofKernel(kernel(right.replace("k.cl", "other.cl"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no file 'other.cl' beside it");
    }

    @Test
    void theReferenceRunsOnceForAllConfigurations() throws Exception {
        try {
            Assumptions.assumeFalse(OpenClDevice.names().isEmpty(), "there is no OpenCL device");
        } catch (UserError e) {
            Assumptions.abort(e.getMessage());
        }
        Study s = kernel("""
            file: k.cl
            name: k
            global: 64
            local: TILE
            arguments: [{buffer: float, length: 64, output: true}]
            reference: {file: r.cl, name: r, global: 64, local: 1}
            """);
        Files.writeString(
                dir.resolve("k.cl"), "__kernel void k(__global float* a) { a[get_global_id(0)] = TILE / TILE + 6; }");
        Files.writeString(dir.resolve("r.cl"), "__kernel void r(__global float* a) { a[get_global_id(0)] = 7; }");

        assertThat(ofKernel(s, 0)).isInstanceOf(Outcome.Measured.class);
        assertThat(ofKernel(s, 2)).isInstanceOf(Outcome.Measured.class);
        assertThat(dir.resolve("r/tools/command")).isDirectoryContaining("glob:**right-*.bin");
        assertThat(dir.resolve("r/tools/command").toFile().list((_, n) -> n.startsWith("right-")))
                .hasSize(1);
    }
}

package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Studies that cannot be, and programs that go wrong for one of four configurations: one sentence with file and line,
/// and the run goes on with the other three.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class StudyBadInputTest {
    @TempDir
    private Path dir;

    private int tune(String study) throws Exception {
        Files.writeString(dir.resolve("k.study.yaml"), study);
        return terminal.run("tune", "k.study.yaml", "--json");
    }

    private final Terminal terminal = new Terminal(() -> dir);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        a: []         | ''                 | [echo, '1']  | k.study.yaml:3: the parameter 'a' has no value
        a:            | ''                 | [echo, '1']  | k.study.yaml:3: the parameter 'a' has no value; write a list
        a: [1, 2]     | a > 9              | [echo, '1']  | k.study.yaml:4: no configuration keeps the constraint a > 9
        a: [0, 2]     | 4 / a > 1          | [echo, '1']  | k.study.yaml:4: the constraint 4 / a > 1 has no value where a = 0; there it divides by zero
        a: [0, 2]     | 4 % a > 1          | [echo, '1']  | k.study.yaml:4: the constraint 4 % a > 1 has no value where a = 0
        a: [1, 2]     | 9**9**9**9 > a     | [echo, '1']  | has no value where a = 1; there it divides by zero, is too large
        a: [1, 2]     | aa > 1             | [echo, '1']  | k.study.yaml:4: the constraint names 'aa', which is no parameter (did you mean 'a'?)
        a: [1, 2]     | system('x') == 0   | [echo, '1']  | k.study.yaml:4: this is no constraint
        a: [1, 2]     | ''                 | [no-such-c]  | k.study.yaml:6: 'no-such-c' is no program that may be run
        a: [1, 2]     | ''                 | [./missing]  | k.study.yaml:6: './missing' is no program that may be run
        a: [1, 2]     | ''                 | [echo, '{b}']| k.study.yaml:6: '{b}' is no parameter
        """)
    void whatCannotBeIsSaidBeforeAnythingRuns(String parameter, String constraint, String command, String sentence)
            throws Exception {
        String with = constraint.equals("''") ? "# none" : "constraints: [\"" + constraint + "\"]";
        assertThat(tune("study: 1\nparameters:\n  " + parameter + "\n" + with
                        + "\nobjectives: {time: minimise}\nmeasure: {command: " + command + "}\n"))
                .isOne();
        assertThat(terminal.err()).contains(sentence).doesNotContain("nternal", "\tat ");
        assertThat(dir.resolve("k.knobscape")).doesNotExist();
    }

    /// A formula of four thousand characters is worked out, a deep one refused; neither takes long.
    @Test
    void formulasAreBoundedInLengthAndDepth() throws Exception {
        String study = "study: 1\nparameters: {a: [1, 2]}\nconstraints: [\"%s\"]\nobjectives: {time: minimise}\n"
                + "measure: {command: [echo, '1']}\nrun: {trials: 1, initial: 1}\n";
        assertThat(tune(study.formatted("a" + "+a".repeat(1900))))
                .as(terminal::err)
                .isZero();
        for (String deep : new String[] {
            "(".repeat(300) + "a" + ")".repeat(300),
            "not ".repeat(500) + "a",
            "-".repeat(900) + "a",
            "a" + "**a".repeat(900)
        }) {
            assertThat(tune(study.formatted(deep))).isOne();
            assertThat(terminal.err())
                    .contains("k.study.yaml:3: this is no constraint: too deeply nested")
                    .hasSizeLessThan(300);
        }
        assertThat(tune(study.formatted("a" + "+a".repeat(2100)))).isOne();
        assertThat(terminal.err()).contains("k.study.yaml:3: a constraint of more than 4000 characters");
    }

    static Stream<Arguments> wrongPrograms() {
        return Stream.of(
                Arguments.of("exit 0", "", "k.study.yaml:5: the program gave no result"),
                Arguments.of("echo nan", "", "k.study.yaml:5: the program gave no result"),
                Arguments.of("echo '{\"time\": NaN}'", "", "k.study.yaml:5: what the program printed"),
                Arguments.of("echo '{\"time\": 1e999}'", "", "k.study.yaml:5: "),
                Arguments.of("echo -4", "", "must be above 0"),
                Arguments.of("echo no such flag >&2; exit 3", "", "status 3: no such flag"),
                Arguments.of(
                        "echo started; echo k.c:3:9: error: no x >&2; echo usage >&2; exit 4",
                        "",
                        "status 4: k.c:3:9: error: no x"),
                Arguments.of("kill -SEGV $$", "", "k.study.yaml:5: the program ended with status 139"),
                Arguments.of("exec sleep 100", "", "k.study.yaml:5: stopped after 2.0 s"),
                Arguments.of("sleep 100 & sleep 100 & wait", "", "k.study.yaml:5: stopped after 2.0 s"),
                Arguments.of(
                        "echo tooook 1 s", ", result: {time: 'took (\\d+)'}", "no expression of 'result' is found"),
                Arguments.of(
                        "head -c 60000 /dev/zero | tr '\\0' a",
                        ", result: {time: '(?:(?:a+)+c|took )(\\d+)'}",
                        "k.study.yaml:5: the expression of 'time' tries too much"));
    }

    @ParameterizedTest
    @MethodSource("wrongPrograms")
    @Tag("slow")
    void aProgramThatGoesWrongCostsItsConfigurationOnly(String script, String result, String sentence)
            throws Exception {
        Files.writeString(
                dir.resolve("run.sh"), "if [ $1 = 2 ]; then " + script + "; else echo took $1 s; echo $1; fi\n");
        assertThat(tune("""
            study: 1
            parameters: {a: [1, 2, 3, 4]}
            objectives: {time: {goal: minimise, unit: ms}}
            # measured by a script
            measure: {command: [sh, run.sh, "{a}"], limit: 2%s}
            run: {trials: 4, initial: 4, seed: 1}
            """.formatted(result))).as(terminal::err).isZero();
        assertThat(terminal.out()).contains("\"time\"");
        String kept = Files.readString(dir.resolve("k.knobscape/runs.db"), StandardCharsets.ISO_8859_1);
        assertThat(kept).contains(sentence);
        assertThat(terminal.run("export", "k.knobscape", "--as", "csv", "--design", "2"))
                .as("the best of three")
                .isZero();
    }

    /// What a kind of device never tells is said before a column stays empty.
    @Test
    void metricsThatOpenClDoesNotTellAreNamed() throws Exception {
        Files.writeString(dir.resolve("k.cl"), "__kernel void k(__global float* y) { y[get_global_id(0)] = T; }");
        Files.writeString(dir.resolve("k.study.yaml"), """
                study: 1
                parameters: {T: [1, 2]}
                objectives: {time: {goal: minimise, unit: ms}}
                metrics: {energy: {unit: mJ}, occupancy: ''}
                measure:
                  kernel: {file: k.cl, name: k, global: 8, local: 8, arguments: [{buffer: float, length: 8, output: true}]}
                """);
        assertThat(terminal.run("space", "k.study.yaml")).isZero();
        assertThat(terminal.err()).contains("OpenCL devices do not tell energy and occupancy; only CUDA does.");
    }
}

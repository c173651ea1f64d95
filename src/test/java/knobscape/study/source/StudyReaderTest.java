package knobscape.study.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.space.Domain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudyReaderTest {
    private static final String REST = "objectives: {time: minimise}\nmeasure: {command: 'run {a}'}\n";

    private static Study.StudyParameter parameter(String text) {
        return StudyReader.parse("s.yaml", "study: 1\nparameters:\n  a: " + text + "\n" + REST)
                .parameters()
                .getFirst();
    }

    @Test
    void everyKindOfParameter() {
        assertThat(parameter("[8, 2, 4]").domain()).isEqualTo(new Domain.Factors(List.of(2, 4, 8)));
        assertThat(parameter("{from: 1, to: 4}").domain()).isEqualTo(new Domain.Factors(List.of(1, 2, 3, 4)));
        assertThat(parameter("{from: 8, to: 32, step: 8}").domain())
                .isEqualTo(new Domain.Factors(List.of(8, 16, 24, 32)));
        assertThat(parameter("[0.5, 0.25]").domain()).isEqualTo(new Domain.Numbers(List.of(0.25, 0.5), false));
        assertThat(parameter("[-O1, -O2, none]").domain())
                .isEqualTo(new Domain.Categories(List.of("-O1", "-O2", "none")));
        assertThat(parameter("switch").domain()).isEqualTo(new Domain.Toggle());
        assertThat(parameter("[false, true]").domain()).isEqualTo(new Domain.Toggle());
        assertThat(parameter("{values: switch, default: on}").usual()).contains("on");
    }

    @Test
    void aRangeOfRealNumbersIsAFineGridOnItsScale() {
        var log = (Domain.Numbers)
                parameter("{from: 1e-5, to: 0.1, scale: log, default: 0.001}").domain();
        assertThat(log.isLogarithmic()).isTrue();
        assertThat(log.values())
                .hasSize(ParameterReader.REAL_STEPS + 1)
                .startsWith(1e-5)
                .endsWith(0.1);
        // Equal ratios between neighbours, within the six digits that are kept.
        double ratio = Math.pow(1e4, 1.0 / ParameterReader.REAL_STEPS);
        for (int i = 1; i < log.size(); i++) {
            assertThat(log.values().get(i) / log.values().get(i - 1)).isBetween(ratio - 1e-4, ratio + 1e-4);
        }
        assertThat(parameter("{from: 1e-5, to: 0.1, scale: log, default: 0.001}")
                        .usual())
                .contains("0.001");
        assertThat(((Domain.Numbers) parameter("{from: 0, to: 1}x".replace("1}x", "1.0}"))
                                .domain())
                        .values())
                .hasSize(ParameterReader.REAL_STEPS + 1)
                .contains(0.5);
    }

    @Test
    void objectivesAndWhatIsAlwaysPositive() {
        Study s = StudyReader.parse("s.yaml", """
            study: 1
            parameters: {a: [1, 2]}
            objectives:
              time: {goal: minimise, unit: ms}
              score: maximise
              cost: {goal: min, positive: true}
            metrics:
              note: {unit: kB}
            """);
        assertThat(s.objectives()).containsExactly("time", "score", "cost");
        assertThat(s.metrics())
                .extracting(Metric::direction)
                .containsExactly(
                        Metric.Direction.MINIMISE,
                        Metric.Direction.MAXIMISE,
                        Metric.Direction.MINIMISE,
                        Metric.Direction.NEUTRAL);
        assertThat(s.positive()).contains("time", "cost").doesNotContain("score");
    }

    @Test
    void jsonIsReadToo() {
        Study s = StudyReader.parse("s.study.json", """
            {"study": 1, "parameters": {"a": [1, 2], "b": ["x", "y"]}, "constraints": ["a == 1 or b == 'x'"],
             "objectives": {"time": "minimise"}, "measure": {"command": ["run", "{a}"]}, "run": {"trials": 7}}
            """);
        assertThat(s.constraints()).hasSize(1);
        assertThat(s.run()).containsEntry("trials", "7");
        assertThat(s.stages().getFirst().command()).containsExactly("run", "{a}");
    }

    /// One sentence with file and line for everything that cannot be.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        parameters: {a: []}                                   | s.yaml:2: the parameter 'a' has no value
        parameters: {}                                        | s.yaml:2: 'parameters' is missing
        parameters: {a: [1, 1]}                               | a value twice
        parameters: {a: {from: 5, to: 1}}                     | ends before it begins
        parameters: {a: {from: 0, to: 1, scale: log}}         | begins above 0
        parameters: {a: {from: 1, to: 9000000}}               | more than 65536 values
        parameters: {a: {values: [1, 2], default: 3}}         | its default '3' is none of its values
        parameters: {a: {valeus: [1, 2]}}                     | 'valeus' is not known
        parameters: {a: 5}                                    | has '5' as its values; write a list
        parameters: {here: [1]}                               | cannot be the name of a parameter
        parameters: {'a;b': [1]}                              | cannot be the name of a parameter
        """)
    void parametersThatCannotBe(String line, String message) {
        assertThatThrownBy(() -> StudyReader.parse("s.yaml", "study: 1\n" + line + "\n" + REST))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageMatching("s\\.yaml:\\d+: .*");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        constraints: ['b > 1']                                | names 'b', which is no parameter
        constraints: ['a >']                                  | this is no constraint
        constraints: ['a.exec(1)']                            | this is no constraint
        objectives: {time: quickly}                           | write minimise or maximise
        measure: {command: 'run {b}'}                         | '{b}' is no parameter
        measure: {command: 'run > log'}                       | no shell runs the command
        measure: {command: []}                                | names no program
        measure: {command: ['{a}']}                           | the program itself cannot be a parameter
        measure: {command: run, result: {time: '[0-9'}}       | is not valid
        measure: {command: run, result: {time: '[0-9]+'}}     | needs a group
        measure: {command: run, limit: -3}                    | a number of seconds above 0
        measure: {stages: []}                                 | 1 to 8 entries
        run: {trails: 5}                                      | did you mean 'trials'
        """)
    void theRestThatCannotBe(String line, String message) {
        String text = "study: 1\nparameters: {a: [1, 2]}\n"
                + (line.startsWith("objectives") ? "" : "objectives: {time: minimise}\n") + line + "\n";
        assertThatThrownBy(() -> StudyReader.parse("s.yaml", text))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageMatching("s\\.yaml:\\d+: .*");
    }

    @Test
    void aStudyIsToldFromOtherYaml(@TempDir Path dir) throws Exception {
        assertThat(StudyReader.isStudy(Path.of("x.study.yaml"))).isTrue();
        assertThat(StudyReader.isStudy(Path.of("x.study.JSON"))).isTrue();
        assertThat(StudyReader.isStudy(Files.writeString(dir.resolve("a.yaml"), "# mine\nstudy: 1\n")))
                .isTrue();
        assertThat(StudyReader.isStudy(Files.writeString(dir.resolve("b.yaml"), "replay: 1\n")))
                .isFalse();
        assertThat(StudyReader.isStudy(dir.resolve("missing.yml"))).isFalse();
    }

    private static final String KERNEL = """
        study: 1
        parameters: {TILE: [2, 4], fast: switch}
        objectives: {gflops: maximise}
        metrics: {time: {unit: us}}
        measure:
          limit: 9
          kernel:
            file: k.cl
            name: mine
            device: opencl:1
            constants: {N: 1024}
            options: [-cl-fast-relaxed-math]
            groups: [N // TILE, 2]
            local: [TILE, 1]
            tolerance: 0.01
            operations: 2 * N
            arguments:
              - {buffer: float, length: N}
              - {buffer: int, length: N, fill: 0, output: true}
              - {buffer: double, length: N, output: true, expected: right.bin}
              - {buffer: uchar, length: N, file: in.bin}
              - {number: unsigned int, value: N / TILE}
              - {local: float, length: TILE * 2}
            reference: {file: k.cl, name: plain, global: N, local: 1}
        """;

    @Test
    void aKernelOfOnesOwn() {
        Study.Stage stage = StudyReader.parse("s.yaml", KERNEL).stages().getFirst();
        OwnKernel k = stage.kernel().orElseThrow();

        assertThat(stage.limitSeconds()).isEqualTo(9);
        assertThat(stage.words()).isEqualTo("kernel mine of k.cl");
        assertThat(k.device()).isEqualTo(1);
        assertThat(k.tolerance()).isEqualTo(0.01);
        assertThat(k.code().inGroups()).isTrue();
        assertThat(k.code().options()).containsExactly("-cl-fast-relaxed-math");
        assertThat(k.reference().orElseThrow().inGroups()).isFalse();
        assertThat(k.arguments())
                .extracting(a -> a.type() + " " + a.length().isPresent() + " "
                        + a.value().isPresent() + " " + a.file() + " " + a.isOutput() + " " + a.expected())
                .containsExactly(
                        "FLOAT true false  false ",
                        "INT true true  true ",
                        "DOUBLE true false - true right.bin",
                        "UCHAR true false in.bin false ",
                        "UINT false true  false ",
                        "FLOAT true false  false ");
        assertThat(k.arguments().getLast().isShared()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "groups: [N // TILE, 2] | global: [N, 2], groups: 2 | either 'global', its work items, or 'groups'",
                "local: [TILE, 1] | local: TILE | 'groups' has 2 dimensions and 'local' 1",
                "N // TILE | N // TIL | 'TIL' is neither a parameter nor a constant (did you mean 'TILE'?)",
                "N // TILE | N // | is no formula",
                "k.cl | k.c | ends in .cl (OpenCL) or .cu (CUDA), not 'k.c'",
                "opencl:1 | cuda | a kernel in this language runs on 'opencl'",
                "output: true | output: false | 'expected' belongs to an argument with 'output: true'",
                "uchar | bool | 'bool' is no type that is known here",
                "operations: 2 * N | bytes: N | 'gflops' needs 'operations' of a run in 'kernel'",
                "unit: us | unit: min | the unit of 'time' is s, ms, us or ns, not 'min'",
                "gflops: | speed: | a kernel reports time, gflops",
                "N: 1024 | N: many | the constant 'N' is a number, not 'many'",
                "N: 1024 | TILE: 1 | 'TILE' cannot be a constant: it is a parameter",
                "name: mine | nam: mine | 'nam' is not known in 'kernel' (did you mean 'name'?)",
            })
    void badKernelsAreOneSentenceWithTheirLine(String what, String by, String sentence) {
        assertThatThrownBy(
                        () -> StudyReader.parse("s.yaml", KERNEL.replace(what, by.replace(", groups", "\n    groups"))))
                .isInstanceOf(UserError.class)
                .hasMessageMatching("(?s)s\\.yaml.*\\d+.*")
                .hasMessageContaining(sentence);
    }
}

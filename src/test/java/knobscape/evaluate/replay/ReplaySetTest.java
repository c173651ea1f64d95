package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplaySetTest {
    private static final String MAPPING = """
            replay: 1
            name: tiny
            where:
              stage: [impl, hls]
            knobs:
              columns: ["k*"]
              exclude: [kernel]
            metrics:
              lut: {label: LUT, limit: 1000}
            fidelities:
              - name: hls
                seconds: "10"
                metrics: {delay: cycles * hls_ns, lut: hls_lut}
              - name: impl
                seconds: hls_lut / 10
                valid: first(ok, 1)
                metrics: {delay: cycles * ns, lut: lut, power: w}
            objectives: [power, delay, lut]
            """;
    private static final String DATA = """
            kernel,k1,k2,k_on,stage,cycles,hls_ns,hls_lut,ns,lut,w,ok
            a,1,none,off,impl,100,7,500,8,400,0.5,
            a,2,none,on,impl,50,7,700,9,600,0.7,1
            a,4,"x,""y",off,impl,30,7,900,,,,0
            a,8,none,off,hls,20,7,950,,,,
            a,1,none,off,impl,100,7,500,8,400,0.5,
            a,2,none,off,none,,,,,,,
            """;

    @TempDir
    Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private ReplaySet tiny() throws IOException {
        write("t.yaml", MAPPING);
        return ReplaySet.open(write("t.csv", DATA));
    }

    private static List<Evaluation> run(ReplaySet set, Configuration c, String upTo) {
        try (var evaluator = set.evaluator()) {
            return evaluator.evaluate(c, evaluator.info().fidelity(upTo), new CancellationSignal());
        }
    }

    @Test
    void rowsBecomeAFiniteSpaceOfTypedKnobs() throws IOException {
        var set = tiny();
        assertThat(set.space().size()).isEqualTo(4);
        assertThat(set.space().knobs().list()).extracting(k -> k.domain()).containsExactly(new Domain.Factors(List.of(1, 2, 4, 8)),
                new Domain.Categories(List.of("none", "x,\"y")), new Domain.Toggle());
        assertThat(set.notes()).isEmpty();
    }

    @Test
    void stagesReportWhatTheFormulasGiveAndCostTheirOwnTime() throws IOException {
        var set = tiny();
        var c = Configuration.parse(set.space().knobs(), "k1=2;k2=none;k_on=on");
        var stages = run(set, c, "impl");
        assertThat(stages).hasSize(2);
        assertThat(stages.get(0).value("delay")).hasValue(350);
        assertThat(stages.get(0).value("power")).isEmpty();
        assertThat(stages.get(1).value("delay")).hasValue(450);
        assertThat(stages.get(1).value("power")).hasValue(0.7);
        assertThat(stages).extracting(Evaluation::costSeconds).containsExactly(10.0, 70.0);
        assertThat(run(set, c, "hls")).hasSize(1);
    }

    @Test
    void aRefusedDesignIsInvalidAndAMissingStageIsAFailureNotAZero() throws IOException {
        var set = tiny();
        var refused = run(set, set.space().at(java.math.BigInteger.TWO), "impl");
        assertThat(refused.getLast().outcome()).isInstanceOf(Outcome.Invalid.class);
        var unfinished = run(set, Configuration.parse(set.space().knobs(), "k1=8;k2=none;k_on=off"), "impl");
        assertThat(unfinished.getLast().outcome()).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void aDesignThatContradictsAnEarlierRowIsReported() throws IOException {
        write("t.yaml", MAPPING);
        var set = ReplaySet.open(write("t.csv", DATA + "a,1,none,off,impl,100,7,500,8,999,0.5,\n"));
        assertThat(set.notes()).singleElement().asString().contains("1 rows repeat");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            objectives: [power, delay, lut]  | objectives: [power, delai]        | objective 'delai' is not a metric
            hls_lut / 10                     | hls_luts / 10                     | names the column 'hls_luts'
            hls_lut / 10                     | "hls_lut / "                      | is expected at character
            columns: ["k*"]                  | columns: ["z*"]                   | no column
            stage: [impl, hls]               | stage: [synth]                    | has no row
            replay: 1                        | replay: 2                         | a newer program may have written it
            name: tiny                       | nome: tiny                        | nome
            """)
    void badMappingsAreToldInOneSentence(String from, String to, String message) throws IOException {
        write("t.yaml", MAPPING.replace(from, to));
        Path data = write("t.csv", DATA);
        assertThatThrownBy(() -> ReplaySet.open(data)).isInstanceOf(UserError.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a,1,none          | 3 cells where the header names 12
            "a,1              | a quoted cell is not closed
            """)
    void badRowsNameTheLine(String row, String message) throws IOException {
        write("t.yaml", MAPPING);
        Path data = write("t.csv", DATA + row + "\n");
        assertThatThrownBy(() -> ReplaySet.open(data)).isInstanceOf(UserError.class).hasMessageContaining(":8").hasMessageContaining(message);
    }

    @Test
    void aTextWhereANumberBelongsNamesTheCell() throws IOException {
        write("t.yaml", MAPPING);
        Path data = write("t.csv", DATA.replace("100,7,500,8,400", "many,7,500,8,400"));
        assertThatThrownBy(() -> ReplaySet.open(data)).isInstanceOf(UserError.class).hasMessageContaining("'many' in column 'cycles' is not a number");
    }

    @Test
    void filesThatAreNoTablesAreRefused() throws IOException {
        assertThatThrownBy(() -> ReplaySet.open(folder.resolve("gone.csv"))).isInstanceOf(UserError.class).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> ReplaySet.open(folder)).isInstanceOf(UserError.class).hasMessageContaining("is a folder");
        Path empty = write("e.csv", "");
        assertThatThrownBy(() -> ReplaySet.open(empty)).isInstanceOf(UserError.class).hasMessageContaining("is empty");
        Path strange = write("s.csv", "a,b\n1,2\n");
        assertThatThrownBy(() -> ReplaySet.open(strange)).isInstanceOf(UserError.class).hasMessageContaining("has no mapping");
        Path binary = write("b.csv", "a,b\n1,\0\n");
        assertThatThrownBy(() -> ReplaySet.open(binary)).isInstanceOf(UserError.class).hasMessageContaining("binary");
    }

    @Test
    void theSharedSetsOpenWithTheBundledMappings() throws IOException {
        Path data = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls");
        Assumptions.assumeTrue(Files.isDirectory(data), "measured designs are not beside this checkout");
        try (Stream<Path> files = Files.walk(data, 2)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".csv") && !f.endsWith("index.csv")).toList()) {
                var set = ReplaySet.open(file);
                assertThat(set.space().size().intValueExact()).as(file.toString()).isPositive();
                run(set, set.space().at(java.math.BigInteger.ZERO), set.evaluator().info().top().name());
            }
        }
        var gemm = ReplaySet.open(data.resolve("fudan_machsuite/gemm_ncubed.csv"));
        assertThat(gemm.space().size()).isEqualTo(262);
        assertThat(gemm.evaluator().info().objectives()).containsExactly("power", "delay", "lut");
        assertThat(gemm.evaluator().info().typicalSeconds()).containsEntry("hls", 137.75);
        var fft = ReplaySet.open(data.resolve("fudan_machsuite/fft_strided.csv"));
        assertThat(fft.evaluator().info().objectives()).containsExactly("power", "clock", "lut");
    }
}

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
    void aTableOfOneStageSaysHowManyDesignsHaveNoFigure() throws IOException {
        var set = ReplaySet.open(write("one.csv", "unroll,time\n1,4\n2,\n4,2\n8,\n"));
        assertThat(set.space().size()).isEqualTo(2);
        assertThat(set.notes()).containsExactly("2 designs have no figure and are not offered.");
    }

    @Test
    void rowsBecomeAFiniteSpaceOfTypedKnobs() throws IOException {
        var set = tiny();
        assertThat(set.space().size()).isEqualTo(3);
        assertThat(set.space().knobs().list())
                .extracting(k -> k.domain())
                .containsExactly(
                        new Domain.Factors(List.of(1, 2, 4, 8)),
                        new Domain.Categories(List.of("none", "x,\"y")),
                        new Domain.Toggle());
        assertThat(set.notes()).containsExactly("1 design was not measured up to impl and is not offered.");
    }

    /// A learning rate is a range, not as many categories as there are trials; how it is spaced is seen or told.
    @Test
    void realNumbersAreRangesOnTheirScale() throws IOException {
        var rows = new StringBuilder("lr,dropout,loss\n");
        for (int i = 0; i <= 20; i++) {
            rows.append(1e-5 * Math.pow(10, i / 5.0))
                    .append(',')
                    .append(0.025 * i)
                    .append(',')
                    .append(1 + i)
                    .append('\n');
        }
        var set = ReplaySet.open(write("r.csv", rows.toString()));
        assertThat(set.space().knobs().list())
                .extracting(k -> k.domain() instanceof Domain.Numbers n ? n.size() + " " + n.isLogarithmic() : "")
                .containsExactly("21 true", "21 false");
        var c = Configuration.parse(set.space().knobs(), "lr=0.0000100;dropout=.0");
        assertThat(set.space().contains(c)).isTrue();
        write("r.yaml", """
                replay: 1
                name: r
                knobs: {columns: [lr, dropout], scales: {lr: linear, "dr*": log}}
                metrics: {loss: {}}
                fidelities: [{name: run, metrics: {loss: loss}}]
                objectives: [loss]
                """);
        assertThat(ReplaySet.open(folder.resolve("r.csv")).space().knobs().list())
                .extracting(k -> ((Domain.Numbers) k.domain()).isLogarithmic())
                .as("what reaches 0 has no logarithm")
                .containsExactly(false, false);
    }

    /// Rows as pandas, Weights & Biases and HiPlot write them.
    @Test
    void rowsOfJsonAreATable() throws IOException {
        var list = ReplaySet.open(write("w.json", """
                [{"config": {"lr": 0.1, "opt": "adam"}, "val/loss": 0.5, "tags": [1]},
                 {"config": {"lr": 0.2, "opt": "sgd"}, "val/loss": 0.25}, {"config": {"lr": 0.3, "opt": "sgd"}, "val/loss": null}]
                """));
        assertThat(list.space().knobs().list()).extracting(k -> k.name()).containsExactly("config.lr", "config.opt");
        assertThat(list.space().size()).isEqualTo(2);
        var hiplot = ReplaySet.open(write("h.json", """
                {"colormap": "x", "datapoints": [{"uid": "0", "values": {"depth": 2, "loss": 1.5}, "from_uid": null},
                 {"uid": "1", "values": {"depth": 4, "loss": 0.5}, "from_uid": "0"}]}
                """));
        assertThat(hiplot.space().knobs().list()).extracting(k -> k.name()).containsExactly("depth");
        assertThat(hiplot.info().objectives()).containsExactly("loss");
    }

    @Test
    void numbersWrittenInAnUnusualWayKeepTheirText() throws IOException {
        write("t.yaml", MAPPING);
        var set = ReplaySet.open(write("t.csv", DATA.replace("a,2,none,on", "a,002,none,on")));
        assertThat(set.space().knobs().get(0).domain().labels()).containsExactlyInAnyOrder("1", "002", "4", "8");
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
    void aRefusedDesignIsInvalidAndOneThatWasNotMeasuredToTheTopIsCountedButNotOffered() throws IOException {
        var set = tiny();
        var refused = run(set, set.space().at(java.math.BigInteger.TWO), "impl");
        assertThat(refused.getLast().outcome()).isInstanceOf(Outcome.Failure.class);
        var unfinished = Configuration.parse(set.space().knobs(), "k1=8;k2=none;k_on=off");
        assertThat(set.space().contains(unfinished)).isFalse();
        assertThat(set.stages(unfinished)).hasSize(1);
        assertThatThrownBy(() -> run(set, unfinished, "hls")).isInstanceOf(IllegalArgumentException.class);
        assertThat(set.coverage().getFirst().designs()).isEqualTo(4);
        assertThat(set.coverage().getLast().designs()).isEqualTo(2);
        assertThat(set.coverage().getLast().refused()).isEqualTo(1);
    }

    @Test
    void anEmptyCellIsAnAbsentMetricAndAStageWithoutAnyIsRunButSilent() throws IOException {
        write("t.yaml", MAPPING);
        var set = ReplaySet.open(
                write("t.csv", DATA + "a,16,none,on,impl,60,,,9,600,,1\na,32,none,on,impl,,7,,,,0.5,1\n"));
        var silent = run(set, Configuration.parse(set.space().knobs(), "k1=16;k2=none;k_on=on"), "impl");
        assertThat(silent.getFirst().outcome()).isEqualTo(new Outcome.Measured(java.util.Map.of()));
        assertThat(silent.getLast().outcome())
                .isEqualTo(new Outcome.Measured(java.util.Map.of("delay", 540.0, "lut", 600.0)));
        var powerAlone = run(set, Configuration.parse(set.space().knobs(), "k1=32;k2=none;k_on=on"), "impl");
        assertThat(powerAlone.getLast().outcome()).isEqualTo(new Outcome.Measured(java.util.Map.of("power", 0.5)));
        assertThat(set.coverage().getLast().missing("power")).isEqualTo(1);
        assertThat(set.coverage().getLast().missing("delay")).isEqualTo(1);
    }

    @Test
    void aMappingOfOnesOwnIsTakenInPlaceOfTheOneFound() throws IOException {
        write("t.yaml", MAPPING);
        Path data = write("t.csv", DATA);
        Path own = write("own.yaml", MAPPING.replace("objectives: [power, delay, lut]", "objectives: [lut]"));
        assertThat(ReplaySet.open(data, java.util.Optional.of(own)).info().objectives())
                .containsExactly("lut");
        assertThatThrownBy(() -> ReplaySet.open(data, java.util.Optional.of(folder.resolve("gone.yaml"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("gone.yaml does not exist");
        assertThat(ReplaySet.recognises(data)).isTrue();
        assertThat(ReplaySet.recognises(own)).isTrue();
        assertThat(ReplaySet.recognises(write("layers.txt", "a,b\n"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            - name: impl                     | - name: hls                       | two fidelities are named
            - name: impl                     | - nane: impl                      | t.yaml:14
            lut: {label: LUT, limit: 1000}   | lut: {direction: sideways}      | t.yaml:9
            lut: {label: LUT, limit: 1000}   | lut: {direction: neutral}       | t.yaml:18
            lut: {label: LUT, limit: 1000}   | lut: {limit: [1]}               | metrics: lut: limit
            stage: [impl, hls]               | gone: [impl]                    | t.yaml:4
            stage: [impl, hls]               | - stage                         | is not written as
            cycles * ns                      | cycles * nano                     | t.yaml:17
            name: tiny                       | name: "tiny                       | not YAML
            """)
    void brokenMappingsNameTheLine(String from, String to, String message) throws IOException {
        assertThat(MAPPING).contains(from);
        write("t.yaml", MAPPING.replace(from, to));
        Path data = write("t.csv", DATA);
        assertThatThrownBy(() -> ReplaySet.open(data))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageContaining("t.yaml:");
    }

    @Test
    void whatIsTooDeepOrTooLongIsToldInOwnWords() throws IOException {
        Path data = write("t.csv", DATA);
        for (String start : java.util.List.of("replay: " + "1".repeat(2_000), "[".repeat(3_000))) {
            write("t.yaml", start + MAPPING.substring(MAPPING.indexOf('\n')));
            assertThatThrownBy(() -> ReplaySet.open(data))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("t.yaml:1: ")
                    .message()
                    .doesNotContain("StreamReadConstraints")
                    .doesNotContain("allowed");
        }
    }

    /// Any file at all opens or is refused in words; nothing else comes out.
    @Test
    void randomDamageIsRefusedInWordsOrRead() throws IOException {
        var random = new java.util.SplittableRandom(5);
        for (int i = 0; i < 200; i++) {
            write("t.yaml", i % 2 == 0 ? damaged(MAPPING, random) : MAPPING);
            Path data = write("t.csv", i % 2 == 0 ? DATA : damaged(DATA, random));
            try {
                assertThat(ReplaySet.open(data).space().size()).isPositive();
            } catch (UserError e) {
                assertThat(e.getMessage()).contains(folder.toString());
            }
        }
    }

    private static String damaged(String text, java.util.SplittableRandom random) {
        var b = new StringBuilder(text);
        for (int k = 0; k < 3; k++) {
            int at = random.nextInt(b.length());
            switch (random.nextInt(3)) {
                case 0 -> b.deleteCharAt(at);
                case 1 -> b.insert(at, ",:\"[]{}-x1;=\n ".charAt(random.nextInt(13)));
                default -> b.setCharAt(at, ",:\"[]{}-x1;=\n ".charAt(random.nextInt(13)));
            }
        }
        return b.toString();
    }

    @Test
    void aDesignThatContradictsAnEarlierRowIsReported() throws IOException {
        write("t.yaml", MAPPING);
        var set = ReplaySet.open(write("t.csv", DATA + "a,1,none,off,impl,100,7,500,8,999,0.5,\n"));
        assertThat(set.notes()).hasSize(2).first().asString().contains("1 row repeats");
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
        assertThatThrownBy(() -> ReplaySet.open(data))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a,1,none          | 3 cells where the header names 12
            "a,1              | a quoted cell is not closed
            """)
    void badRowsNameTheLine(String row, String message) throws IOException {
        write("t.yaml", MAPPING);
        Path data = write("t.csv", DATA + row + "\n");
        assertThatThrownBy(() -> ReplaySet.open(data))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(":8")
                .hasMessageContaining(message);
    }

    @Test
    void aRowWithATextWhereANumberBelongsIsNamedAndLeftOut() throws IOException {
        write("t.yaml", MAPPING);
        ReplaySet whole = ReplaySet.open(write("t.csv", DATA));
        ReplaySet set = ReplaySet.open(write("t.csv", DATA.replace("100,7,500,8,400", "many,7,500,8,400")));
        assertThat(set.notes()).anyMatch(n -> n.contains("cycles is 'many', which is no number"));
        assertThat(set.space().size()).isEqualTo(whole.space().size().subtract(java.math.BigInteger.ONE));
    }

    @Test
    void filesThatAreNoTablesAreRefused() throws IOException {
        assertThatThrownBy(() -> ReplaySet.open(folder.resolve("gone.csv")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> ReplaySet.open(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a folder");
        Path empty = write("e.csv", "");
        assertThatThrownBy(() -> ReplaySet.open(empty))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is empty");
        Path strange = write("s.csv", "a,b\nx,y\n");
        assertThatThrownBy(() -> ReplaySet.open(strange))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no mapping");
        Path binary = write("b.csv", "a,b\n1,\0\n");
        assertThatThrownBy(() -> ReplaySet.open(binary))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("binary");
    }

    @Test
    void theSharedSetsOpenWithTheBundledMappings() throws IOException {
        Path data = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls");
        Assumptions.assumeTrue(Files.isDirectory(data), "measured designs are not beside this checkout");
        try (Stream<Path> files = Files.walk(data, 2)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".csv") && !f.endsWith("index.csv"))
                    .toList()) {
                var set = ReplaySet.open(file);
                assertThat(set.space().size().intValueExact())
                        .as(file.toString())
                        .isPositive();
                run(
                        set,
                        set.space().at(java.math.BigInteger.ZERO),
                        set.evaluator().info().top().name());
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

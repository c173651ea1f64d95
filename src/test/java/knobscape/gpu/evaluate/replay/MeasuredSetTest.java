package knobscape.gpu.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredSetTest {
    @TempDir
    private Path folder;

    static Path shared() {
        Path data = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/gpu");
        Assumptions.assumeTrue(Files.isDirectory(data), "the folder of measured kernels is not on this machine");
        return data;
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Evaluation ask(MeasuredSet set, Configuration c) {
        try (var evaluator = set.evaluator()) {
            return evaluator
                    .evaluate(c, evaluator.info().top(), new CancellationSignal())
                    .getFirst();
        }
    }

    @Test
    void answersWhatTheFileSaysWithItsFailuresAndItsWallClock() throws IOException {
        MeasuredSet set = MeasuredSet.open(file("A100.csv", """
                block_size_x,block_size_y,tile_size_x,tile_size_y,read_only,use_padding,use_shmem,status,time_ms,min_ms,std_ms,runs,compile_ms,bench_ms
                16,1,1,1,0,0,0,ok,2.0,1.9,0.1,32,900,100
                32,1,1,1,0,0,1,run_failed,,,,0,500,0
                """));
        assertThat(set.kind()).extracting(SetKind::name).isEqualTo("filter_milo");
        assertThat(set.device()).isEqualTo("A100");
        List<Evaluation> answers = set.space().enumerate().map(c -> ask(set, c)).toList();
        assertThat(answers.get(0).value("time")).hasValue(2.0);
        assertThat(answers.get(0).value("gflops").orElseThrow())
                .isCloseTo(2 * 4096.0 * 4096 * 225 / 2e6, org.assertj.core.api.Assertions.within(1e-6));
        assertThat(answers.get(0).costSeconds()).isEqualTo(1.0);
        assertThat(answers.get(1).outcome()).isEqualTo(new Outcome.Failure(FailureKind.REJECTED, "run failed"));
        assertThat(answers.get(1).costSeconds()).isEqualTo(0.5);
        Configuration absent = set.space().at(java.math.BigInteger.ZERO).with(6, 1);
        assertThat(ask(set, absent).outcome())
                .isEqualTo(new Outcome.Failure(FailureKind.REJECTED, "it violates the constraints of the space"));
    }

    @Test
    void aCacheOfKernelTunerMayBePacked() throws IOException {
        Path packed = folder.resolve("A100.json.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("""
                    {"device_name": "A100", "kernel_name": "k", "tune_params_keys": ["x"], "tune_params": {"x": [1, 2]},
                     "objective": "time", "cache": {"1": {"x": 1, "time": 2.5}, "2": {"x": 2, "time": 5.0}}}
                    """.getBytes(StandardCharsets.UTF_8));
        }
        MeasuredSet set = MeasuredSet.open(packed);
        assertThat(set.name()).endsWith("/A100");
        assertThat(set.space().size().intValue()).isEqualTo(2);
        assertThat(set.bestSpeed()).isEqualTo(400);
    }

    @Test
    void partsOfASplitAreOneKnob() throws IOException {
        MeasuredSet set = MeasuredSet.open(file("T4_dense_b1_m4_n4_k8.csv", """
                order,index,tile_k_0,tile_k_1,status,time_ms,all_cost_s,wall_s
                0,5,4,2,ok,0.5,1.5,0
                1,6,2,4,invalid,,0.03,1
                2,5,4,2,ok,0.7,1.5,2
                """));
        assertThat(set.space().knobs().list()).hasSize(1);
        assertThat(set.space().at(java.math.BigInteger.ZERO).toMap()).isEqualTo(Map.of("tile_k", "4x2"));
        assertThat(set.repeated()).isEqualTo(1);
        assertThat(set.milliseconds(set.space().at(java.math.BigInteger.ZERO))).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a,b\\n1,2                          | no column 'time_ms'",
                "a,status,time_ms\\n1,ok,            | needs a positive time",
                "a,status,time_ms\\n1,ok,quick       | 'quick' in column 'time_ms' is not a number",
                "a,status,time_ms                    | has 0 rows",
                "status,time_ms\\nok,1               | no column of a knob"
            })
    void badFilesAreRefusedInOneSentence(String text, String words) throws IOException {
        Path file = file("bad.csv", text.replace("\\n", "\n") + "\n");
        assertThatThrownBy(() -> MeasuredSet.open(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("bad.csv")
                .hasMessageContaining(words);
    }

    @Test
    @Tag("slow")
    void everySharedSetImportsAsItIs() throws IOException {
        try (Stream<Path> files = Files.walk(shared())) {
            List<Path> all = files.filter(f ->
                            f.toString().endsWith(".csv.gz") && !f.toString().contains("GTX680"))
                    .sorted()
                    .toList();
            assertThat(all).hasSizeGreaterThan(20);
            for (Path f : all) {
                MeasuredSet set = MeasuredSet.open(f);
                assertThat(set.kind())
                        .as(f.toString())
                        .extracting(SetKind::name)
                        .isNotEqualTo("other");
                assertThat(set.bestSpeed()).as(f.toString()).isPositive();
                if (set.kind().exhaustive()) {
                    assertThat(set.repeated()).as(f.toString()).isZero();
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void theLargestSetIsReadWhole() {
        MeasuredSet set = MeasuredSet.open(shared().resolve("gemm_cltune_gtx680/GTX680.csv.gz"));
        assertThat(set.space().size().intValue()).isEqualTo(241_600);
        assertThat(1 / set.bestSpeed() * 2 * Math.pow(2048, 3) / 1e6)
                .isCloseTo(13.3175, org.assertj.core.api.Assertions.within(0.2));
    }
}

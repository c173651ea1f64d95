package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.hls.HlsTools;
import knobscape.hls.MeasuredDirectives;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.lab.bench.BenchReport.Cell;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimatorBenchTest {
    private static final String KERNEL = """
            void scale(const int a[64], int b[64], int factor) {
            walk:
                for (int i = 0; i < 64; i++) {
                    int p = a[i] * factor;
                    b[i] = p + 1;
                }
            }
            """;

    @TempDir
    private Path folder;

    private Path source;

    @BeforeEach
    void write() throws IOException {
        source = Files.createDirectories(folder.resolve("sources/scale/down")).resolve("scale.c");
        Files.writeString(source, KERNEL);
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("replay.yaml"), """
                replay: 1
                name: own
                knobs: {columns: ["*@*"]}
                fidelities:
                  - {name: hls, metrics: {lut: lut, ff: ff}}
                objectives: [lut, ff]
                """);
        // LUT rise with the unroll factor as the estimator expects; FF fall, as nothing does
        Files.writeString(
                data.resolve("scale_down.csv"),
                "unroll@scale/walk,lut,ff\n"
                        + IntStream.rangeClosed(1, 12)
                                .mapToObj(f -> f + "," + 100 * f + "," + 5_000 / f + "\n")
                                .collect(Collectors.joining()));
    }

    @Test
    void ranksAreThoseOfTheMeasuredDesigns() {
        BenchReport report = Benches.run(
                new EstimatorBench(),
                Jobs.into(folder.resolve("out"))
                        .data(Optional.of(folder.resolve("data")))
                        .sources(Optional.of(folder.resolve("sources")))
                        .full()
                        .job());
        Map<String, Double> spearman = report.rows().stream()
                .collect(Collectors.toMap(r -> ((Cell.Text) r.get(3)).text(), r -> ((Cell.Number) r.get(5)).value()));
        assertThat(spearman.keySet()).containsExactlyInAnyOrder("lut", "ff");
        assertThat(spearman.get("lut")).isGreaterThan(0.7);
        assertThat(spearman.get("ff")).isLessThan(-0.7);
        assertThat(report.aims()).anySatisfy(a -> {
            assertThat(a.name()).isEqualTo("hls lut: mean Spearman over kernels");
            assertThat(a.value()).isCloseTo(spearman.get("lut"), within(1e-12));
            assertThat(a.met()).isEqualTo(a.value() >= 0.9);
        });
    }

    @Test
    void columnsBecomeTheDirectivesOfTheirPlaces() {
        var kernel = HlsTools.standard()
                .reader()
                .read(source, new KernelReader.Options(Optional.empty(), List.of(), Map.of()));
        List<Directive> found = new MeasuredDirectives(kernel)
                .of(Map.of(
                        "unroll@scale/walk", "4",
                        "pipeline@scale/walk", "flp",
                        "unroll@scale/other", "2",
                        "partition_type@scale/a", "block",
                        "partition_factor@scale/a", "8",
                        "reshape_type@scale/b", "none",
                        "reshape_factor@scale/b", "2",
                        "bind_op@scale/walk/p/mul", "fabric",
                        "bind_storage@scale/a", "ram_1p:bram",
                        "expr_balance@scale", "off"));
        assertThat(found)
                .containsExactlyInAnyOrder(
                        new Directive.Unroll("scale/walk", 4),
                        new Directive.Pipeline("scale/walk", true, 0),
                        new Directive.Partition("scale/a", 1, PartitionType.BLOCK, 8),
                        new Directive.BindOperation("scale/walk", "p", "mul", Core.FABRIC),
                        new Directive.BindStorage("scale/a", Directive.Storage.BRAM_1P));
    }

    @Test
    void rowsOfThePolybenchGridBecomeTheDirectivesOfItsScripts() throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("sources/polybench/twice/src"))
                        .resolve("twice.c"),
                """
                void twice(float A[8][8], float y_out[8]) {
                    float buff_A[8][8];
                lprd_1: for (int i = 0; i < 8; i++)
                lprd_2:     for (int j = 0; j < 8; j++)
                            buff_A[i][j] = A[i][j];
                lp1: for (int i = 0; i < 8; i++)
                lp2:     for (int j = 0; j < 8; j++)
                            y_out[i] += buff_A[i][j];
                }
                """);
        var kernel = PolybenchGrid.source("twice", folder.resolve("sources"), HlsTools.standard())
                .orElseThrow();
        assertThat(new PolybenchGrid(kernel)
                        .of(Map.of(
                                "io_factor", "4",
                                "partition_dims", "2",
                                "pipeline@lp1", "off",
                                "unroll@lp1", "1",
                                "pipeline@lp2", "on",
                                "unroll@lp2", "2")))
                .containsExactlyInAnyOrder(
                        new Directive.BindStorage("twice/A", Directive.Storage.BRAM_1P),
                        new Directive.Partition("twice/A", 2, PartitionType.CYCLIC, 4),
                        new Directive.Partition("twice/buff_A", 2, PartitionType.CYCLIC, 4),
                        new Directive.Partition("twice/buff_A", 1, PartitionType.CYCLIC, 4),
                        new Directive.Pipeline("twice/lprd_2", true, 0),
                        new Directive.Unroll("twice/lprd_2", 4),
                        new Directive.Pipeline("twice/lp2", true, 0),
                        new Directive.Unroll("twice/lp2", 2));
        assertThat(PolybenchGrid.source("thrice", folder.resolve("sources"), HlsTools.standard()))
                .isEmpty();
    }
}

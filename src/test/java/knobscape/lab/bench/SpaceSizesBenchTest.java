package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.project.ProjectFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpaceSizesBenchTest {
    private static final String KERNEL = """
            void scale(const int a[64], int b[64], int factor) {
            walk:
                for (int i = 0; i < 64; i++) {
                    b[i] = a[i] * factor;
                }
            }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Path sample = Files.createDirectories(folder.resolve("samples/scale"));
        Files.writeString(sample.resolve("scale.cpp"), KERNEL);
        Files.writeString(
                sample.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"name\": \"scale\", \"source\": \"scale.cpp\"}");
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("replay.yaml"), """
                replay: 1
                name: own
                knobs: {columns: ["*@*"]}
                fidelities:
                  - {name: impl, metrics: {delay: delay, lut: lut}}
                objectives: [delay, lut]
                """);
        // The copies of an unrolled loop are fed by as many banks in the second and third design; in the fourth
        // the banks are never used.
        String designs = """
                unroll@scale/walk,pipeline@scale/walk,partition_type@scale/a,partition_factor@scale/a,partition_type@scale/b,partition_factor@scale/b,bind_op@scale/walk/i/add,delay,lut
                1,off,none,1,none,1,dsp,100,10
                2,stp,cyclic,2,cyclic,2,dsp,50,20
                4,stp,cyclic,4,cyclic,4,dsp,25,40
                1,off,block,4,block,4,dsp,30,30
                1,off,cyclic,4,none,1,dsp,120,60
                """;
        Files.writeString(data.resolve("scale_down.csv"), designs);
        Files.writeString(data.resolve("other.csv"), designs);
        Files.writeString(
                Files.createDirectories(folder.resolve("sources/scale/down")).resolve("scale.c"), KERNEL);
        Files.writeString(folder.resolve("sources/scale/down/generate.c"), "int main() { return 0; }\n");
    }

    private BenchReport run(Optional<Path> data, Optional<Path> sources) {
        Path out = folder.resolve("out");
        return Benches.run(
                new SpaceSizesBench(),
                Jobs.into(out)
                        .samples(folder.resolve("samples"))
                        .data(data)
                        .sources(sources)
                        .full()
                        .job());
    }

    private static double number(List<BenchReport.Cell> row, BenchReport report, String key) {
        int at = report.columns().stream().map(BenchReport.Column::key).toList().indexOf(key);
        return ((BenchReport.Cell.Number) row.get(at)).value();
    }

    @Test
    void sizesAndTheGoodDesignsThatPruningKeeps() {
        BenchReport report = run(Optional.of(folder.resolve("data")), Optional.of(folder.resolve("sources")));
        assertThat(report.rows()).hasSize(2);
        var sample = report.rows().getFirst();
        assertThat(number(sample, report, "log10After")).isLessThan(number(sample, report, "log10Before"));
        var measured = report.rows().getLast();
        assertThat(measured.getFirst().shown()).isEqualTo("scale_down");
        // unroll {1,2,4} x pipeline {off,on} x (none | cyclic, block x {2,4}) for each of two arrays, as types
        // times factors
        assertThat(measured.get(2).shown()).isEqualTo(Integer.toString(3 * 2 * 9 * 9));
        assertThat(number(measured, report, "front")).isEqualTo(4);
        assertThat(number(measured, report, "frontKept")).isEqualTo(3);
        assertThat(number(measured, report, "measured")).isEqualTo(5);
        assertThat(number(measured, report, "measuredKept")).isEqualTo(3);
        // The design lost is 30 ns at 30 LUT; the nearest kept is 25 ns at 40 LUT.
        assertThat(number(measured, report, "adrs"))
                .isEqualTo((40 - 30) / 30.0 / 4, org.assertj.core.api.Assertions.within(1e-12));
        assertThat(report.notes())
                .anyMatch(n -> n.startsWith("other: its source is not in"))
                .anyMatch(n -> n.startsWith("scale_down: 1 of 7"));
        assertThat(report.aims())
                .extracting(BenchReport.Aim::name, BenchReport.Aim::value, BenchReport.Aim::met)
                .containsExactly(
                        tuple("scale_down: share of the measured front kept", 0.75, false),
                        tuple("scale_down: share of dominated designs kept", 0.0, false));
        // 3 of 5 designs kept, 4 on the front: C(4,3) of C(5,3) choices hold as many.
        assertThat(number(measured, report, "chance")).isEqualTo(0.4, within(1e-9));
    }

    @Test
    void withoutDataOrSourcesItSaysSo() {
        assertThat(run(Optional.empty(), Optional.empty()).notes()).anyMatch(n -> n.contains("--data"));
        BenchReport report = run(Optional.of(folder.resolve("data")), Optional.empty());
        assertThat(report.notes()).anyMatch(n -> n.contains("--sources"));
        assertThat(report.rows()).hasSize(1);
        assertThat(report.aims()).isEmpty();
    }

    @Test
    void theTableIsKeptAndReadBack() {
        BenchReport report = run(Optional.of(folder.resolve("data")), Optional.of(folder.resolve("sources")));
        BenchReport again = BenchReport.read(folder.resolve("out/space-sizes.json"));
        assertThat(again.csv()).isEqualTo(report.csv());
        assertThat(again.markdown()).isEqualTo(report.markdown());
    }
}

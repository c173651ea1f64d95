package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DgpTableTest {
    private static List<Trial<DgpBench.Progress>> one(String method, double at16, double at512) {
        return List.of(
                new Trial<>("set", method, 1, new DgpBench.Progress(List.of(at16, at16, at16, at16, at512, at512), 1)));
    }

    /// `bo` is better on the products, random search on the convolutions; what is chosen without a kernel is the other
    /// one's best, whatever comes after 128 measurements.
    @Test
    void aMethodIsChosenWithoutTheKernelItIsReportedOn() {
        var table = new DgpTable();
        table.add(DgpTable.WITHOUT, "gemm_clblast/A", one("bo", .9, .9));
        table.add(DgpTable.WITHOUT, "gemm_clblast/A", one("random", .5, 1));
        table.add(DgpTable.WITHOUT, "gemm_cltune/B", one("bo", .8, .8));
        table.add(DgpTable.WITHOUT, "gemm_cltune/B", one("random", .7, 1));
        table.add(DgpTable.WITHOUT, "conv2d_filter/A", one("bo", .4, .4));
        table.add(DgpTable.WITHOUT, "conv2d_filter/A", one("random", .6, .6));

        List<String> blind = table.report("dgp", 1).rows().stream()
                .map(r -> r.stream().map(BenchReport.Cell::shown).limit(4).collect(Collectors.joining("|")))
                .filter(r -> r.startsWith("blind"))
                .toList();

        assertThat(blind)
                .containsExactly(
                        "blind: no history|gemm|chosen without it among all methods: random|0.6000",
                        "blind: no history|conv2d|chosen without it among all methods: bo|0.4000",
                        "blind: no history|mean|chosen without the kernel among all methods|0.5333");
    }
}

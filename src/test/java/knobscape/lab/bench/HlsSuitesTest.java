package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.Metric;
import knobscape.hls.HlsTools;
import knobscape.project.BoxTools;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HlsSuitesTest {
    private final List<String> said = new ArrayList<>();

    private Bench.Job job(Path data) {
        return job(BoxTools.tools(), data, Optional.empty());
    }

    private Bench.Job job(HlsTools tools, Path data, Optional<Path> sources) {
        return Jobs.into(data.resolve("out"))
                .tools(tools)
                .data(Optional.of(data))
                .sources(sources)
                .seeds(1)
                .telling(said::add)
                .job();
    }

    /// DSP reaches 0, of which nothing can be a share: LUT and delay remain. Too few designs are left out with a word.
    @Test
    void takesObjectivesAboveZeroAndLeavesOutWhatIsTooSmall(@TempDir Path folder) throws Exception {
        Path suite = Files.createDirectories(folder.resolve("dahlia"));
        String head = "design,a,b,hls_latency_cycles,hls_clock_ns,hls_lut,hls_ff,hls_dsp,hls_bram\n";
        var large = new StringBuilder(head);
        for (int i = 0; i < 200; i++) {
            large.append("%d,%d,%d,%d,4.0,%d,%d,%d,%d\n"
                    .formatted(i, i % 20, i / 20, 1000 - i, 100 + 2 * i, 50 + i, i % 3, 1 + i % 5));
        }
        Files.writeString(suite.resolve("large.csv"), large);
        Files.writeString(suite.resolve("small.csv"), head + "0,1,1,10,4.0,5,5,1,1\n1,2,1,9,4.0,6,5,1,1\n");
        List<HlsSuites.Kernel> all = HlsSuites.all(job(folder));
        assertThat(all).extracting(HlsSuites.Kernel::subject).containsExactly("dahlia/large", "dahlia/small");
        HlsSuites.OpenKernel opened = all.getFirst().open(said::add).orElseThrow();
        assertThat(opened.objectives()).extracting(Metric::name).containsExactly("delay", "lut");
        assertThat(opened.fullHours()).isEqualTo(367.5 / 3600);
        assertThat(all.get(1).open(said::add)).isEmpty();
        assertThat(said).singleElement().asString().startsWith("dahlia/small is left out: 2 designs");
    }

    /// Public kernels are found in checkouts below the folder of sources and answered for by the estimate.
    @Test
    void estimatesPublicKernelsFromTheirSources(@TempDir Path folder) throws Exception {
        Path suite = Files.createDirectories(folder.resolve("data").resolve("dahlia"));
        Files.writeString(suite.resolve("none.csv"), "design,a,hls_latency_cycles\n0,1,2\n");
        Path source = Files.createDirectories(folder.resolve("sources/checkout/nw/nw"))
                .resolve("nw.c");
        Files.writeString(source, """
                void add(int a[64], int b[64]) {
                    for (int i = 0; i < 64; i++) {
                        b[i] = a[i] + b[i];
                    }
                }
                """);
        List<HlsSuites.Kernel> all =
                HlsSuites.all(job(HlsTools.standard(), folder.resolve("data"), Optional.of(folder.resolve("sources"))));
        assertThat(all).extracting(HlsSuites.Kernel::subject).containsExactly("dahlia/none", "estimates/nw-nw");
        HlsSuites.OpenKernel opened = all.getLast().open(said::add).orElseThrow();
        assertThat(opened.subject()).isEqualTo("estimates/nw-nw");
        assertThat(opened.objectives()).extracting(Metric::name).containsExactly("power", "delay", "lut");
        assertThat(opened.reference().vectors()).isNotEmpty();
        assertThat(source.resolveSibling("nw.knobscape")).doesNotExist();
    }

    /// A header that is not there takes sizes, and with them knobs, away: the kernel is not searched as another one
    /// under the same name.
    @Test
    void leavesOutAKernelWhoseHeaderIsMissing(@TempDir Path folder) throws Exception {
        Path suite = Files.createDirectories(folder.resolve("data").resolve("dahlia"));
        Files.writeString(suite.resolve("none.csv"), "design,a,hls_latency_cycles\n0,1,2\n");
        Files.writeString(
                Files.createDirectories(folder.resolve("sources/nw/nw")).resolve("nw.c"), """
                #include "nw.h"
                void add(int a[N], int b[N]) {
                    for (int i = 0; i < N; i++) {
                        b[i] = a[i] + b[i];
                    }
                }
                """);
        HlsSuites.Kernel nw = HlsSuites.all(
                        job(HlsTools.standard(), folder.resolve("data"), Optional.of(folder.resolve("sources"))))
                .getLast();
        assertThat(nw.subject()).isEqualTo("estimates/nw-nw");
        assertThat(nw.open(said::add)).isEmpty();
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("estimates/nw-nw is left out")
                .contains("Headers that are missing: nw.h");
    }

    @Test
    void everySharedSuiteIsThere() {
        String shared = System.getProperty("knobscape.shared", "");
        Assumptions.assumeTrue(!shared.isEmpty(), "needs the shared data: -Dknobscape.shared=FOLDER");
        assertThat(HlsSuites.all(job(Path.of(shared, "data"))).stream()
                        .collect(Collectors.groupingBy(HlsSuites.Kernel::suite, Collectors.counting())))
                .containsEntry("fudan_machsuite", 6L)
                .containsKeys("hlsdataset_polybench", "spector_hls", "dahlia", "hlsyn");
    }
}

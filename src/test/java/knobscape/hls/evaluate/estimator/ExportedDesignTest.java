package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.DirectiveImport;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The design that is estimated is the one that is exported: the exported source, read as it stands, asks for the same
/// and has the same estimate.
class ExportedDesignTest {
    private static final Path CASES =
            Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls/cases");
    private static final HlsExporter.Settings SETTINGS =
            new HlsExporter.Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of());

    @TempDir
    private Path folder;

    /// Directives of every kind that a design may decide over, in the source already.
    private static final String OWN = """
            int twice(int x) {
            #pragma HLS INLINE
              return x * 2;
            }
            void top(int a[64], int b[64], int c[8][8]) {
              int t[64];
            #pragma HLS ARRAY_PARTITION variable=t type=cyclic factor=4 dim=1
            #pragma HLS BIND_STORAGE variable=b type=ram_1p impl=bram
            #pragma HLS ARRAY_PARTITION variable=c type=complete dim=0
            l1:
              for (int i = 0; i < 64; i++) {
            #pragma HLS UNROLL factor=4
                int p = a[i] * 3;
            #pragma HLS BIND_OP variable=p op=mul impl=fabric
                t[i] = p + twice(a[i]);
              }
            l2:
              for (int i = 0; i < 8; i++) {
              l3:
                for (int j = 0; j < 8; j++) {
            #pragma HLS PIPELINE II=2
                  b[8 * i + j] = t[8 * i + j] + c[i][j];
                }
              }
            }
            """;

    static List<String> sources() throws Exception {
        var all = new ArrayList<String>();
        for (String sample : List.of("gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain")) {
            all.add(Path.of("sample-projects", sample, sample + ".cpp") + " " + sample);
        }
        if (Files.isDirectory(CASES)) {
            try (Stream<Path> files = Files.list(CASES)) {
                files.filter(f -> f.toString().matches(".*\\.(c|cpp)")).sorted().forEach(f -> all.add(f + " "));
            }
        }
        return all;
    }

    private static Kernel read(Path file, String top) {
        return Kernels.reader()
                .read(file, new KernelReader.Options(Optional.of(top).filter(t -> !t.isEmpty()), List.of(), Map.of()));
    }

    private static final String PORTS = """
            static int mix(int x, int y) {
              int s = 0;
            bits:
              for (int k = 0; k < 4; k++) {
                int p = (x >> k) * y;
                s += p;
              }
              return s;
            }
            void top(const int *a, const int *b, int *c) {
            #pragma HLS INTERFACE m_axi port=a bundle=g offset=slave depth=64 num_read_outstanding=4
            #pragma HLS INTERFACE m_axi port=b bundle=g offset=slave depth=64 max_read_burst_length=32
            #pragma HLS INTERFACE m_axi port=c bundle=g offset=slave depth=64
            go:
              for (int i = 0; i < 64; i++) {
                c[i] = mix(a[i], b[i]);
              }
            }
            """;

    /// A bundle of its own takes the place of the source's, and what else the source says of the port stays.
    @Test
    void portsAndPipelinedFunctions() throws Exception {
        check(Files.writeString(folder.resolve("ports.cpp"), PORTS), "top", 6, ToolDefaults.NOTHING, UNBOUND);
    }

    private static final String QUEUES = """
            #include <hls_stream.h>
            static void rd(const int *in, hls::stream<int> &s) {
              for (int i = 0; i < 64; i++) {
            #pragma HLS PIPELINE
                s.write(in[i]);
              }
            }
            static void wr(hls::stream<int> &s, int *out) {
              for (int i = 0; i < 64; i++) {
            #pragma HLS PIPELINE
                int p = s.read() * out[i];
                out[i] = p;
              }
            }
            void top(const int in[64], int out[64], float w[16], float v[4]) {
            #pragma HLS ALLOCATION operation instances=fmul limit=3
            #pragma HLS DATAFLOW
              hls::stream<int> s;
            #pragma HLS STREAM variable=s depth=8
              rd(in, s);
              wr(s, out);
              for (int i = 0; i < 4; i++) {
            #pragma HLS PIPELINE
                float p = w[4 * i] * w[4 * i + 1];
                float q = w[4 * i + 2] * w[4 * i + 3];
                v[i] = p + q;
              }
            }
            """;

    /// Depths of queues and limits of units: the source's give way, and what is written is read again.
    @Test
    void queuesAndUnits() throws Exception {
        Path source = Files.writeString(folder.resolve("queues.cpp"), QUEUES);
        check(source, "top", 6, ToolDefaults.NOTHING, UNBOUND);
        DirectiveSpace space =
                SpaceBuilder.build(read(source, "top"), SpaceLimits.defaults(), EnumSet.allOf(KnobKind.class));
        assertThat(space.baseline().value("fifo@top/s")).isEqualTo("8");
        assertThat(space.baseline().value("allocation@top")).isEqualTo("3");
        Configuration other = with(with(space.baseline(), "fifo@top/s", "128"), "allocation@top", "1");
        for (boolean tcl : new boolean[] {true, false}) {
            var exporter = new HlsExporter(Dialect.VITIS_HLS, SETTINGS);
            Path out = folder.resolve(tcl ? "t" : "c");
            Path written = (tcl
                            ? exporter.tcl(space, other, out)
                            : exporter.planConfig(space, other, out).write())
                    .files().stream()
                            .filter(f -> f.toString().matches(".*(directives.tcl|hls_config.cfg)"))
                            .findFirst()
                            .orElseThrow();
            assertThat(Files.readString(written))
                    .contains(
                            tcl ? "set_directive_stream -depth 128 \"top\" s" : "syn.directive.stream=top s depth=128")
                    .contains(
                            tcl
                                    ? "set_directive_allocation -type operation -limit 1 \"top\" fmul"
                                    : "syn.directive.allocation=top fmul type=operation limit=1");
            assertThat(DirectiveImport.read(written, space, Kernels.reader(), KernelReader.Options.defaults())
                            .configuration())
                    .isEqualTo(other);
        }
    }

    @Test
    void portsOfTheirOwnLiftTheInterval() throws Exception {
        Kernel kernel = read(Files.writeString(folder.resolve("two.cpp"), PORTS), "top");
        var file = DirectiveFile.parse("d.yaml", """
                version: 1
                knobs:
                  - {kind: pipeline, at: top/go}
                  - {kind: inline, at: mix}
                  - {kind: bundle, at: top/b}
                  - {kind: function_pipeline, at: mix, values: [off, ii=2]}
                """);
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults(), file);
        var estimator = new Estimator(
                kernel,
                EstimatorSettings.defaults(),
                n -> space.space().knobs().indexOf(n).isPresent());
        Configuration shared = with(with(space.baseline(), "pipeline@top/go", "on"), "inline@mix", "on");
        Configuration apart = with(shared, "bundle@top/b", "g_b");
        assertThat(interval(estimator, space, shared)).isEqualTo(2);
        assertThat(interval(estimator, space, apart)).isEqualTo(1);
        String text = Files.readString(new HlsExporter(Dialect.VITIS_HLS, SETTINGS)
                .tcl(space, apart, folder.resolve("tcl")).files().stream()
                        .filter(f -> f.endsWith("directives.tcl"))
                        .findFirst()
                        .orElseThrow());
        assertThat(text)
                .contains("set_directive_interface -mode m_axi -depth 64 -max_read_burst_length 32 -offset slave"
                        + " -bundle g_b \"top\" b");
        assertThat(DirectiveImport.read(
                                folder.resolve("tcl/directives.tcl"),
                                space,
                                Kernels.reader(),
                                KernelReader.Options.defaults())
                        .configuration())
                .isEqualTo(apart);
    }

    private static Configuration with(Configuration c, String knob, String value) {
        int k = c.knobs().indexOf(knob).orElseThrow();
        return c.with(k, c.knobs().get(k).domain().levelOf(value));
    }

    private static int interval(Estimator estimator, DirectiveSpace space, Configuration c) {
        return estimator.explain(space.directives(c)).loops().stream()
                .filter(l -> l.loop().equals("top/go"))
                .findFirst()
                .orElseThrow()
                .interval();
    }

    @Test
    void pragmasOfTheSourceGiveWayInBoth() throws Exception {
        check(Files.writeString(folder.resolve("own.cpp"), OWN), "top", 3, ToolDefaults.NOTHING, ALL);
    }

    /// What the tool does by itself, it does to the loops and arrays over which neither decides.
    @Test
    void aToolLeftToItselfDoesTheSameInBoth() throws Exception {
        check(Files.writeString(folder.resolve("left.cpp"), OWN), "top", 3, ToolDefaults.VITIS, ALL);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("sources")
    void whatIsExportedIsWhatIsEstimated(String source) throws Exception {
        String[] words = source.split(" ", -1);
        check(Path.of(words[0]), words[1], 1, ToolDefaults.NOTHING, UNBOUND);
    }

    private static final Set<KnobKind> ALL = EnumSet.allOf(KnobKind.class);
    /// A pragma binds a product by its variable, which not every product has and optimisation may lose.
    private static final Set<KnobKind> UNBOUND = EnumSet.complementOf(EnumSet.of(KnobKind.MULTIPLIER));

    private void check(Path file, String top, int drawn, ToolDefaults unasked, Set<KnobKind> kinds) throws Exception {
        Kernel kernel = read(file, top);
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults(), kinds);
        var estimator = new Estimator(
                kernel,
                EstimatorSettings.defaults().withUnasked(unasked),
                n -> space.space().knobs().indexOf(n).isPresent());
        var random = new Random(file.getFileName().toString().hashCode());
        var designs = new ArrayList<>(List.of(space.baseline()));
        for (int n = 0; n < drawn; n++) {
            designs.add(space.space().draw(random));
        }
        int n = 0;
        for (Configuration design : designs) {
            Path out = folder.resolve("design" + n++);
            var result = new HlsExporter(Dialect.VITIS_HLS, SETTINGS).pragmas(space, design, out);
            Path exported = result.files().stream()
                    .filter(f -> f.endsWith(Path.of("src", file.getFileName().toString())))
                    .findFirst()
                    .orElseThrow();
            Kernel again = read(exported, kernel.top());
            EstimateReport theirs =
                    new Estimator(again, EstimatorSettings.defaults().withUnasked(unasked)).explain(List.of());
            EstimateReport ours = estimator.explain(space.directives(design));
            assertThat(figures(theirs))
                    .as(design + "\n" + Files.readString(exported) + result.notes())
                    .isEqualTo(figures(ours));
        }
    }

    private static Map<String, Object> figures(EstimateReport r) {
        var all = new TreeMap<String, Object>();
        r.loops()
                .forEach(l -> all.put(
                        l.loop(),
                        l.state() + " x" + l.unroll() + " trip " + l.trip() + " II " + l.interval() + " depth "
                                + l.depth() + " latency " + l.latency()));
        r.arrays()
                .forEach(a -> all.put(a.array(), a.storage() + " " + a.banks() + " " + a.depth() + " " + a.wordBits()));
        all.put("stages", r.stages().toString());
        return all;
    }
}

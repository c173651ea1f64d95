package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.DirectiveSpace;
import knobscape.project.Project;
import knobscape.space.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewrittenSourcesTest {
    private static final String MVT = """
            #define N 16
            void mvt(float x[N], const float y[N], const float a[N][N]) {
                for (int i = 0; i < N; i++) {
                    for (int j = 0; j < N; j++) {
                        x[i] += a[j][i] * y[j];
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    private Path file;
    private HlsWorkbench bench;

    @BeforeEach
    void open() throws Exception {
        file = Files.writeString(folder.resolve("mvt.cpp"), MVT);
        bench = HlsWorkbench.open(
                Project.open(file, Optional.of(folder.resolve("out"))),
                HlsSettings.of(file.toString()).with(HlsSettings.TRANSFORM, true),
                HlsTools.standard());
    }

    private static Configuration of(DirectiveSpace space, String transform) {
        var random = new SplittableRandom(1);
        Configuration c = space.space().draw(random);
        while (!c.value("transform@mvt").equals(transform)) {
            c = space.space().draw(random);
        }
        return c;
    }

    @Test
    void aDesignIsEstimatedAsWhatIsExported() throws Exception {
        DirectiveSpace space = bench.directives();
        assertThat(space.space().knobs().get(0).domain().labels())
                .containsExactly("none", "L3 inside L4", "L4 in 2 sums", "L4 in 4 sums", "L4 in 8 sums");
        for (String transform : List.of("none", "L3 inside L4", "L4 in 4 sums")) {
            Configuration design = of(space, transform);
            EstimateReport inside = bench.explain(design).orElseThrow();
            Path out = folder.resolve("out " + transform);
            new HlsExporter(Dialect.VITIS_HLS, bench.kernelWork().toolWork().settings(false, Optional.of(folder)))
                    .pragmas(space, design, out);
            Kernel exported = HlsTools.standard()
                    .reader()
                    .read(
                            out.resolve("src/mvt.cpp"),
                            new KernelReader.Options(Optional.of("mvt"), List.of(), Map.of()));
            EstimateReport outside = new EstimatorEvaluator(
                            exported, _ -> List.of(), bench.kernelWork().estimator())
                    .explain(design);
            assertThat(outside.stages()).as(transform).isEqualTo(inside.stages());
            assertThat(Files.exists(out.resolve(HlsExporter.REWRITTEN))).isEqualTo(!transform.equals("none"));
        }
    }

    @Test
    void sumsInAnotherOrderAreTheSameAndOthersAreNot() {
        var f = new ScalarType(ScalarType.Kind.FLOAT, 32, 0, true, "float");
        assertThat(RewrittenSources.isSame(floats(1e3f, 2), floats(1e3f + 1e-2f, 2), f))
                .isTrue();
        assertThat(RewrittenSources.isSame(floats(1e3f, 2), floats(1e3f, 2.5f), f))
                .isFalse();
        assertThat(RewrittenSources.isSame(floats(1, Float.NaN), floats(1, 2), f))
                .isFalse();
        assertThat(RewrittenSources.isSame(floats(1), floats(1.00001f), ScalarType.INT))
                .isFalse();
    }

    private static byte[] floats(float... x) {
        var b = java.nio.ByteBuffer.allocate(4 * x.length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        for (float v : x) {
            b.putFloat(v);
        }
        return b.array();
    }
}

package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.PragmaWriter;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every pragma of UG1399 (2024.2) and UG902 (2018.2) changes the estimate as it should, is harmless there, or is named
/// with its line; and stays in what is exported where no knob decides over it.
class EveryPragmaTest {
    /// How a pragma counts.
    private enum Use {
        /// Another estimate.
        APPLIED,
        /// None of the estimate's figures depends on it.
        HARMLESS,
        /// Named as not modelled.
        NAMED
    }

    /// @param text without `#pragma HLS`
    /// @param at index of its place in the source
    private record Row(String text, int at, Use use) {}

    private static final List<Row> ROWS = List.of(
            new Row("AGGREGATE variable=s compact=bit", 0, Use.NAMED),
            new Row("ALIAS ports=a,b distance=0", 0, Use.NAMED),
            // One product needs one multiplier; see CompiledCasesTest for four.
            new Row("ALLOCATION operation instances=mul limit=1", 0, Use.HARMLESS),
            new Row("ALLOCATION operation instances=add limit=1", 0, Use.NAMED),
            new Row("ALLOCATION function instances=pick limit=1", 0, Use.NAMED),
            new Row("ARRAY_MAP variable=t instance=all horizontal", 0, Use.NAMED),
            new Row("ARRAY_PARTITION variable=t type=cyclic factor=4 dim=1", 0, Use.APPLIED),
            new Row("ARRAY_PARTITION variable=t block factor=4", 0, Use.APPLIED),
            new Row("ARRAY_PARTITION variable=t complete", 0, Use.APPLIED),
            new Row("ARRAY_RESHAPE variable=t cyclic factor=4", 0, Use.APPLIED),
            new Row("ARRAY_STENCIL variable=t", 0, Use.NAMED),
            new Row("BIND_OP variable=p op=mul impl=fabric", 6, Use.APPLIED),
            new Row("BIND_OP variable=p op=mul impl=dsp latency=3", 6, Use.NAMED),
            new Row("BIND_STORAGE variable=t type=ram_2p impl=lutram", 0, Use.APPLIED),
            new Row("BIND_STORAGE variable=t type=ram_2p impl=bram latency=2", 0, Use.NAMED),
            new Row("CACHE port=a lines=8 depth=16", 0, Use.NAMED),
            new Row("CLOCK domain=slow", 0, Use.NAMED),
            new Row("DATA_PACK variable=s", 0, Use.NAMED),
            new Row("DEPENDENCE variable=h inter false", 4, Use.APPLIED),
            new Row("DEPENDENCE variable=h type=inter direction=RAW dependent=false", 4, Use.APPLIED),
            new Row("DEPENDENCE variable=h inter RAW distance=4 true", 4, Use.NAMED),
            new Row("DEPENDENCE variable=h intra false", 4, Use.HARMLESS),
            new Row("DISAGGREGATE variable=s", 0, Use.NAMED),
            new Row("EXPRESSION_BALANCE off", 0, Use.NAMED),
            new Row("FUNCTION_INSTANTIATE variable=x", 3, Use.NAMED),
            new Row("INLINE off", 3, Use.HARMLESS),
            new Row("INLINE recursive", 3, Use.NAMED),
            new Row("INTERFACE mode=m_axi port=a bundle=g0", 0, Use.APPLIED),
            new Row("INTERFACE mode=s_axilite port=return", 0, Use.HARMLESS),
            new Row("LATENCY min=4 max=8", 2, Use.NAMED),
            new Row("LATENCY max=100", 0, Use.NAMED),
            new Row("LOOP_FLATTEN off", 2, Use.APPLIED),
            new Row("LOOP_MERGE", 0, Use.NAMED),
            new Row("LOOP_TRIPCOUNT min=4 max=8", 5, Use.APPLIED),
            new Row("OCCURRENCE cycle=4", 2, Use.NAMED),
            new Row("PERFORMANCE target_ti=100", 1, Use.NAMED),
            new Row("PIPELINE II=1", 2, Use.APPLIED),
            new Row("PIPELINE II=4 rewind", 2, Use.NAMED),
            new Row("PIPELINE style=frp", 2, Use.NAMED),
            new Row("PIPELINE", 0, Use.APPLIED),
            new Row("PROTOCOL mode=fixed", 0, Use.NAMED),
            new Row("RESET variable=g", 0, Use.NAMED),
            new Row("RESOURCE variable=t core=RAM_2P_LUTRAM", 0, Use.APPLIED),
            new Row("RESOURCE variable=p core=Mul_LUT", 6, Use.APPLIED),
            new Row("RESOURCE variable=p core=DivnS", 6, Use.NAMED),
            new Row("STABLE variable=a", 0, Use.NAMED),
            new Row("STREAM variable=t depth=8", 0, Use.APPLIED),
            new Row("STREAM variable=t type=unsync", 0, Use.NAMED),
            new Row("TOP name=k", 0, Use.HARMLESS),
            new Row("UNROLL factor=4", 2, Use.APPLIED),
            new Row("UNROLL factor=4 skip_exit_check", 2, Use.NAMED),
            new Row("SOMETHING_NEW x=1", 1, Use.NAMED));

    @TempDir
    private Path folder;

    private static String source(List<Row> rows) {
        String[] p = new String[7];
        java.util.Arrays.fill(p, "");
        rows.forEach(r -> p[r.at()] += "#pragma HLS " + r.text() + "\n");
        return """
                struct pair { int x, y; };
                static int g;
                int pick(int x) {
                %s
                  return x > 3 ? x : 3;
                }
                void top(int a[64], int b[64], int h[16], int n) {
                  int t[64];
                  pair s[4];
                %s
                  s[n & 3].x = n;
                outer:
                  for (int i = 0; i < 8; i++) {
                %s
                inner:
                    for (int j = 0; j < 8; j++) {
                %s
                      int p = a[8 * i + j] * n;
                %s
                      t[8 * i + j] = pick(p) + g;
                    }
                  }
                copy:
                  for (int i = 0; i < 64; i++) b[i] = t[i] + s[n & 3].x;
                count:
                  for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                %s
                    h[a[i] & 15] += b[i] / (h[b[i] & 15] | 1);
                  }
                while_:
                  for (int i = 0; a[i] > i; i++) {
                %s
                    b[i] = 0;
                  }
                }
                """.formatted(p[3], p[0], p[1], p[2], p[6], p[4], p[5]);
    }

    private Kernel read(String name, String text) throws Exception {
        return Kernels.reader()
                .read(
                        Files.writeString(folder.resolve(name), text),
                        new KernelReader.Options(Optional.of("top"), List.of(), Map.of()));
    }

    private static List<String> figures(EstimateReport r) {
        return Stream.concat(
                        Stream.of(r.stages().getFirst().toString()),
                        Stream.concat(
                                r.loops().stream().map(LoopEstimate::toString),
                                r.arrays().stream().map(Object::toString)))
                .toList();
    }

    @Test
    void eachIsAppliedOrNamedAndStaysInTheExport() throws Exception {
        List<String> plain = figures(estimate(read("plain.cpp", source(List.of()))));
        var wrong = new ArrayList<String>();
        List<Row> named = ROWS.stream().filter(r -> r.use() == Use.NAMED).toList();
        Kernel all = read("named.cpp", source(named));
        List<String> notes = estimate(all).notes();
        for (Row row : named) {
            if (!isNamed(notes, all, row)) {
                wrong.add(row.text() + " is not named");
            }
            exported(all, row).ifPresent(wrong::add);
        }
        for (Row row : ROWS) {
            if (row.use() == Use.NAMED) {
                continue;
            }
            Kernel kernel = read("p" + ROWS.indexOf(row) + ".cpp", source(List.of(row)));
            EstimateReport r = estimate(kernel);
            if (isNamed(r.notes(), kernel, row)) {
                wrong.add(row.text() + " is named");
            }
            if (figures(r).equals(plain) == (row.use() == Use.APPLIED)) {
                wrong.add(row.text() + " is not " + row.use());
            }
            exported(kernel, row).ifPresent(wrong::add);
        }
        assertThat(wrong).isEmpty();
    }

    private static EstimateReport estimate(Kernel kernel) {
        return new Estimator(kernel, EstimatorSettings.defaults()).explain(List.of());
    }

    private static boolean isNamed(List<String> notes, Kernel kernel, Row row) {
        String before = kernel.text().substring(0, kernel.text().indexOf("#pragma HLS " + row.text() + "\n"));
        long line = before.lines().count() + (before.endsWith("\n") ? 1 : 0);
        return notes.stream().anyMatch(x -> x.contains("not modelled") && x.contains(kernel.file() + ":" + line + ":"));
    }

    private static Optional<String> exported(Kernel kernel, Row row) {
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
        String text = new PragmaWriter(Dialect.VITIS_HLS)
                .write(space, space.baseline())
                .files()
                .getOrDefault(kernel.file(), kernel.text());
        return text.contains("HLS " + row.text().split(" ")[0])
                ? Optional.empty()
                : Optional.of(row.text() + " is lost in the export");
    }
}

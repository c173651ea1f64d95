package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import knobscape.compile.CompileLimits;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.clang.ClangFront;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Trip counts that a run from a testbench or on random inputs gives, and where it gives none.
class MeasuredTripsTest {
    @TempDir
    Path folder;

    private Kernel read(String code) throws IOException {
        Path file = folder.resolve("k.cpp");
        Files.writeString(file, code);
        return new MeasuredTrips(Kernels.reader(), new ClangFront(CompileLimits.defaults()))
                .read(file, Options.defaults());
    }

    @Test
    void measuresWhatDependsOnData() throws IOException {
        Kernel k = read("""
            void rows(const int start[65], int val[1024]) {
            row:
                for (int r = 0; r < 64; r++) {
                entry:
                    for (int e = start[r]; e < start[r + 1]; e++) val[e]++;
                }
            }
            """);
        TripCount entry = k.loop("rows/entry").orElseThrow().trip();
        assertThat(entry.certainty()).isEqualTo(TripCount.Certainty.MEASURED);
        assertThat(entry.max()).as("nothing is proven").isEmpty();
        assertThat(entry.average().orElseThrow()).isPositive();
        assertThat(k.loop("rows/row").orElseThrow().trip()).isEqualTo(TripCount.exact(64));
        assertThat(k.notes())
                .anyMatch(n -> n.message().startsWith("measured trip count of loop rows/entry: ")
                        && n.location().line() == 5);
        assertThat(read(k.text()).loops()).isEqualTo(k.loops());
    }

    @Test
    void provenAndStatedCountsStay() throws IOException {
        Kernel k = read("""
            int f(int a[8], int n) {
                int hits = 0;
            early:
                for (int i = 0; i < 8; i++) { if (a[i] < 0) break; hits++; }
            said:
                for (int i = 0; i < n; i++) {
            #pragma HLS LOOP_TRIPCOUNT min=1 max=20 avg=7
                    hits++;
                }
                return hits;
            }
            """);
        TripCount early = k.loop("f/early").orElseThrow().trip();
        assertThat(early.max()).isEqualTo(OptionalLong.of(8));
        assertThat(early.certainty()).isEqualTo(TripCount.Certainty.MEASURED);
        assertThat(early.average()).isEqualTo(OptionalDouble.of(8));
        assertThat(k.loop("f/said").orElseThrow().trip().certainty()).isEqualTo(TripCount.Certainty.STATED);
    }

    @Test
    void aNumberIsDrawnSeveralTimes() throws IOException {
        Kernel k = read("void f(int a[64], int n) { count: for (int i = 0; i < n; i++) a[i % 64]++; }");
        assertThat(k.loop("f/count").orElseThrow().trip().average().orElseThrow())
                .as("between 0 and 255, eight times")
                .isBetween(60.0, 200.0);
    }

    @Test
    void aLoopThatRandomInputsDoNotEnterStaysUnknown() throws IOException {
        Kernel k = read("void f(unsigned char a[4], int n) { rare: for (int i = 300; i < n; i++) a[i % 4]++; }");
        assertThat(k.loop("f/rare").orElseThrow().trip()).isEqualTo(TripCount.unknown());
    }

    @Test
    void whatCannotBeRunStaysUnknown() throws IOException {
        for (String code : List.of(
                "int f(int n) { long double x = n; wait: while (n != 1) n++; return n + x; }",
                "int f(int n) { wait: while (n != -1) n |= 2; return n; }")) {
            assertThat(read(code).loop("f/wait").orElseThrow().trip()).isEqualTo(TripCount.unknown());
        }
    }

    @Test
    void theMainOfTheSameFileIsRun() throws IOException {
        Kernel k = read("""
            #include <stdio.h>
            int steps(int n) {
                int s = 0;
            collatz:
                while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; }
                return s;
            }
            int main(int argc, char **argv) {
                int most = 0;
                for (int i = 1; i <= 9; i++) if (steps(i) > most) most = steps(i);
                printf("%d", most);
                return most != 19;
            }
            """);
        // 0 1 7 2 5 8 16 3 19, and once more where there was a new most: 1 7 8 16 19.
        TripCount trip = k.loop("steps/collatz").orElseThrow().trip();
        assertThat(trip.certainty()).isEqualTo(TripCount.Certainty.MEASURED);
        assertThat(trip.average().orElseThrow()).isEqualTo((61.0 + 51) / 14);
        assertThat(k.notes())
                .anyMatch(n -> n.message()
                        .equals("measured trip count of loop steps/collatz: 0 to 19, 8.0 on average over 14"
                                + " entries, in a run of the testbench k.cpp"));
    }

    @Test
    void aTestbenchInAnotherFolderIsRun() throws IOException {
        Files.createDirectories(folder.resolve("src"));
        Path tb = Files.createDirectories(folder.resolve("tb")).resolve("tb.cpp");
        Files.writeString(folder.resolve("src/k.h"), "void top(const int rows[5], int v[64]);\n");
        Path file = Files.writeString(folder.resolve("src/k.cpp"), """
            #include "k.h"
            void top(const int rows[5], int v[64]) {
                for (int r = 0; r < 4; r++) {
                entry: for (int e = rows[r]; e < rows[r + 1]; e++) v[e] += r;
                }
            }
            """);
        Files.writeString(tb, """
            #include <cstdlib>
            #include <fstream>
            #include <iostream>
            #include "../src/k.h"
            int main() {
                int rows[5] = {0, 3, 3, 10, 20}, v[64];
                srand(7);
                for (int i = 0; i < 64; i++) v[i] = rand();
                top(rows, v);
                std::ofstream out("out.dat");
                for (int i = 0; i < 64; i++) out << v[i] << std::endl;
                out.close();
                std::cout << "done" << std::endl;
                return 0;
            }
            """);
        KernelReader reader = new MeasuredTrips(Kernels.reader(), new ClangFront(CompileLimits.defaults()));
        var data = folder.resolve("tb/in.dat");
        Kernel k =
                reader.read(file, new Options(Optional.of("top"), List.of(), Map.of(), List.of(), List.of(data, tb)));
        assertThat(k.loop("top/entry").orElseThrow().trip().average()).hasValue(5);
        assertThat(k.notes()).anyMatch(n -> n.message().endsWith("over 4 entries, in a run of the testbench tb.cpp"));

        Files.writeString(
                tb,
                "#include <stdio.h>\n"
                        + "#include \"../src/k.h\"\n"
                        + "int main() {\n"
                        + "  int v[64];\n"
                        + "  FILE *f = fopen(\"in\", \"r\");\n"
                        + "  top(v, v);\n"
                        + "}\n");
        Kernel other = reader.read(file, new Options(Optional.of("top"), List.of(), Map.of(), List.of(), List.of(tb)));
        assertThat(other.notes())
                .anyMatch(n -> n.message().startsWith("the run of the testbench tb.cpp is not used: ")
                        && n.message().contains("tb.cpp:5: ")
                        && n.message().contains("'fopen'"));
        assertThat(reader.read(file, new Options(Optional.of("top"), List.of(), Map.of(), List.of(), List.of(data)))
                        .notes())
                .anyMatch(n -> n.message().startsWith("no file of the testbench is a source with a main"));
    }

    @Test
    @Timeout(20)
    void argumentsTooLargeToDrawAreNotDrawn() throws IOException {
        Kernel k = read("""
            int f(int weights[][4096][4096], int a[8]) {
                int s = 0;
            until:
                while (s < a[0]) s += weights[0][s][s] + 1;
                return s;
            }
            """);
        assertThat(k.loop("f/until").orElseThrow().trip()).isEqualTo(TripCount.unknown());
    }
}

package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.Loop;
import knobscape.hls.source.TripCount;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Facts about kernels of MachSuite (commit 6236e593), read by hand and measured by running them. The sources
/// are public and not part of this project: the system property `knobscape.machsuite` names the folder they
/// were unpacked in.
class MachSuiteFactsTest {
    private static final String PROPERTY = System.getProperty("knobscape.machsuite", "");

    @BeforeAll
    static void sourcesAreThere() {
        assumeTrue(
                Files.isDirectory(Path.of(PROPERTY, "gemm", "ncubed")) && !PROPERTY.isEmpty(),
                "MachSuite is absent: name its folder with -Dknobscape.machsuite=DIR");
    }

    private static Kernel read(String file) {
        return Snippets.READER.read(Path.of(PROPERTY, file), Options.defaults());
    }

    /// `function/label line:column depth parent variable from..to step trip`.
    private static List<String> loops(Kernel k) {
        return k.loops().stream()
                .map(l -> {
                    String header = l.id() + " " + l.keyword().line() + ":"
                            + l.keyword().column() + " " + l.depth() + " "
                            + l.parent()
                                    .map(p -> p.substring(p.indexOf('/') + 1))
                                    .orElse("-") + " " + l.variable();
                    TripCount t = l.trip();
                    if (!t.isExact()) {
                        return header + " " + (t.certainty() == TripCount.Certainty.UNKNOWN ? "?" : t.toString());
                    }
                    long n = t.max().orElseThrow();
                    return header + " " + l.first().orElseThrow() + ".."
                            + (l.first().orElseThrow() + (n - 1) * l.step()) + " +" + l.step() + " " + n;
                })
                .toList();
    }

    private static List<String> arrays(Kernel k) {
        return Stream.concat(k.globals().stream(), k.functions().stream().flatMap(f -> f.arrays().stream()))
                .map(a -> a.id() + " " + a.element().bits() + " " + a.dims())
                .sorted()
                .toList();
    }

    private static List<String> accesses(Kernel k, String function) {
        return Snippets.accesses(k.function(function).orElseThrow()).stream()
                .map(MachSuiteFactsTest::sorted)
                .toList();
    }

    /// An access with the loops of its index in alphabetical order, the constant last.
    private static String sorted(String access) {
        int open = access.indexOf('[');
        String index = access.substring(open + 1, access.length() - 1);
        if (index.startsWith("?") || !index.contains(" + ")) {
            return access;
        }
        List<String> terms = new ArrayList<>(List.of(index.split(" \\+ ")));
        terms.sort(java.util.Comparator.comparing((String t) -> Character.isDigit(t.charAt(0)) && !t.contains("*"))
                .thenComparing(t -> t.substring(t.indexOf('*') + 1)));
        return access.substring(0, open + 1) + String.join(" + ", terms) + "]";
    }

    @Test
    void gemm() {
        Kernel k = read("gemm/ncubed/gemm.c");
        assertThat(k.top()).isEqualTo("gemm");
        assertThat(loops(k))
                .containsExactly(
                        "gemm/outer 8:11 0 - i 0..63 +1 64",
                        "gemm/middle 9:16 1 outer j 0..63 +1 64",
                        "gemm/inner 12:19 2 middle k 0..63 +1 64");
        assertThat(arrays(k)).containsExactly("gemm/m1 64 [4096]", "gemm/m2 64 [4096]", "gemm/prod 64 [4096]");
        assertThat(accesses(k, "gemm"))
                .containsExactlyInAnyOrder(
                        "R m1[inner + 64*outer]", "R m2[64*inner + middle]", "W prod[middle + 64*outer]");
        assertThat(k.loop("gemm/inner").orElseThrow().dependences())
                .anyMatch(d -> d.variable().equals("sum") && d.proven());
    }

    @Test
    void sortRadix() {
        Kernel k = read("sort/radix/sort.c");
        assertThat(k.top()).isEqualTo("ss_sort");
        assertThat(loops(k))
                .containsExactlyInAnyOrder(
                        "local_scan/local_1 13:15 0 - radixID 0..127 +1 128",
                        "local_scan/local_2 14:19 1 local_1 i 1..15 +1 15",
                        "sum_scan/sum_1 25:13 0 - radixID 1..127 +1 127",
                        "last_step_scan/last_1 34:12 0 - radixID 0..127 +1 128",
                        "last_step_scan/last_2 35:16 1 last_1 i 0..15 +1 16",
                        "init/init_1 45:14 0 - i 0..2047 +1 2048",
                        "hist/hist_1 54:14 0 - blockID 0..511 +1 512",
                        "hist/hist_2 55:18 1 hist_1 i 0..3 +1 4",
                        "update/update_1 68:16 0 - blockID 0..511 +1 512",
                        "update/update_2 69:20 1 update_1 i 0..3 +1 4",
                        "ss_sort/sort_1 84:14 0 - exp 0..30 +2 16");
        assertThat(arrays(k))
                .containsExactlyInAnyOrder(
                        "ss_sort/a 32 [2048]",
                        "ss_sort/b 32 [2048]",
                        "ss_sort/bucket 32 [2048]",
                        "ss_sort/sum 32 [128]",
                        "local_scan/bucket 32 [2048]",
                        "sum_scan/bucket 32 [2048]",
                        "last_step_scan/bucket 32 [2048]",
                        "init/bucket 32 [2048]",
                        "hist/bucket 32 [2048]",
                        "update/bucket 32 [2048]",
                        "sum_scan/sum 32 [128]",
                        "last_step_scan/sum 32 [128]",
                        "hist/a 32 [2048]",
                        "update/a 32 [2048]",
                        "update/b 32 [2048]");
        assertThat(k.functions().stream()
                        .map(f -> f.name() + " " + f.location().line())
                        .toList())
                .containsExactlyInAnyOrder(
                        "local_scan 10",
                        "sum_scan 21",
                        "last_step_scan 31",
                        "init 42",
                        "hist 50",
                        "update 63",
                        "ss_sort 78");
        Function top = k.topFunction();
        assertThat(top.callees())
                .containsExactlyInAnyOrder("init", "hist", "local_scan", "sum_scan", "last_step_scan", "update");
        assertThat(top.bindings().stream()
                        .filter(b -> b.callee().equals("hist") || b.callee().equals("update"))
                        .map(b -> b.arrays().get("a"))
                        .distinct()
                        .toList())
                .containsExactlyInAnyOrder("ss_sort/a", "ss_sort/b");
        assertThat(accesses(k, "local_scan"))
                .containsExactlyInAnyOrder("RW bucket[16*local_1 + local_2]", "R bucket[16*local_1 + local_2 - 1]");
        assertThat(accesses(k, "sum_scan"))
                .containsExactlyInAnyOrder("W sum[0]", "W sum[sum_1]", "R sum[sum_1 - 1]", "R bucket[16*sum_1 - 1]");
        assertThat(accesses(k, "last_step_scan"))
                .containsExactlyInAnyOrder(
                        "W bucket[16*last_1 + last_2]", "R bucket[16*last_1 + last_2]", "R sum[last_1]");
        assertThat(accesses(k, "hist"))
                .contains("R a[4*hist_1 + hist_2]")
                .filteredOn(a -> a.startsWith("RW bucket[?"))
                .hasSize(1);
        assertThat(accesses(k, "update"))
                .contains("R a[4*update_1 + update_2]")
                .filteredOn(a -> a.startsWith("W b[?"))
                .hasSize(1);
        for (String loop : List.of("local_scan/local_2", "sum_scan/sum_1")) {
            assertThat(k.loop(loop).orElseThrow().dependences())
                    .as(loop)
                    .anyMatch(d -> d.array() && d.distance().equals(java.util.Optional.of(1L)));
        }
    }

    @Test
    void spmvEllpack() {
        Kernel k = read("spmv/ellpack/spmv.c");
        assertThat(loops(k))
                .containsExactly(
                        "ellpack/ellpack_1 13:17 0 - i 0..493 +1 494",
                        "ellpack/ellpack_2 15:21 1 ellpack_1 j 0..9 +1 10");
        assertThat(arrays(k))
                .containsExactly(
                        "ellpack/cols 32 [4940]",
                        "ellpack/nzval 64 [4940]",
                        "ellpack/out 64 [494]",
                        "ellpack/vec 64 [494]");
        assertThat(accesses(k, "ellpack"))
                .contains(
                        "R out[ellpack_1]",
                        "R nzval[10*ellpack_1 + ellpack_2]",
                        "R cols[10*ellpack_1 + ellpack_2]",
                        "W out[ellpack_1]")
                .filteredOn(a -> a.startsWith("R vec[?"))
                .hasSize(1);
    }

    @Test
    void spmvCrs() {
        Kernel k = read("spmv/crs/spmv.c");
        assertThat(loops(k)).containsExactly("spmv/spmv_1 12:14 0 - i 0..493 +1 494", "spmv/spmv_2 16:18 1 spmv_1 j ?");
        assertThat(arrays(k))
                .containsExactly(
                        "spmv/cols 32 [1666]",
                        "spmv/out 64 [494]",
                        "spmv/rowDelimiters 32 [495]",
                        "spmv/val 64 [1666]",
                        "spmv/vec 64 [494]");
        assertThat(accesses(k, "spmv"))
                .contains(
                        "R rowDelimiters[spmv_1]",
                        "R rowDelimiters[spmv_1 + 1]",
                        "R val[spmv_2]",
                        "R cols[spmv_2]",
                        "W out[spmv_1]");
    }

    @Test
    void stencil3d() {
        Kernel k = read("stencil/stencil3d/stencil.c");
        assertThat(loops(k))
                .containsExactly(
                        "stencil3d/height_bound_col 15:24 0 - j 0..31 +1 32",
                        "stencil3d/height_bound_row 16:28 1 height_bound_col k 0..15 +1 16",
                        "stencil3d/col_bound_height 21:24 0 - i 1..30 +1 30",
                        "stencil3d/col_bound_row 22:25 1 col_bound_height k 0..15 +1 16",
                        "stencil3d/row_bound_height 27:24 0 - i 1..30 +1 30",
                        "stencil3d/row_bound_col 28:25 1 row_bound_height j 1..30 +1 30",
                        "stencil3d/loop_height 36:19 0 - i 1..30 +1 30",
                        "stencil3d/loop_col 37:20 1 loop_height j 1..30 +1 30",
                        "stencil3d/loop_row 38:24 2 loop_col k 1..14 +1 14");
        assertThat(arrays(k))
                .containsExactly("stencil3d/C 32 [2]", "stencil3d/orig 32 [16384]", "stencil3d/sol 32 [16384]");
        var expected = new ArrayList<String>();
        for (String index : List.of(
                "16*height_bound_col + height_bound_row",
                "16*height_bound_col + height_bound_row + 15872",
                "512*col_bound_height + col_bound_row",
                "512*col_bound_height + col_bound_row + 496",
                "512*row_bound_height + 16*row_bound_col",
                "512*row_bound_height + 16*row_bound_col + 15")) {
            expected.add("W sol[" + index + "]");
            expected.add("R orig[" + index + "]");
        }
        String centre = "512*loop_height + 16*loop_col + loop_row";
        for (String offset : List.of("", " + 512", " - 512", " + 16", " - 16", " + 1", " - 1")) {
            expected.add("R orig[" + centre + offset + "]");
        }
        expected.addAll(List.of("R C[0]", "R C[1]", "W sol[" + centre + "]"));
        assertThat(accesses(k, "stencil3d"))
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().map(MachSuiteFactsTest::sorted).toList());
    }

    static List<String> everyKernel() throws IOException {
        if (PROPERTY.isEmpty()) {
            return List.of("none");
        }
        try (Stream<Path> files = Files.walk(Path.of(PROPERTY), 3)) {
            return files.filter(f -> f.toString().endsWith(".c")
                            && !f.toString().matches(".*(common|support|generate|_test|harness).*"))
                    .map(f -> Path.of(PROPERTY).relativize(f).toString())
                    .sorted()
                    .toList();
        }
    }

    /// Nothing of the suite is too large to be pruned, and every estimate is a design's.
    @ParameterizedTest
    @Tag("slow")
    @MethodSource("everyKernel")
    void everyKernelIsPrunedAndEstimated(String file) {
        Kernel k = read(file);
        assertThat(k.loops()).isNotEmpty().allMatch(Loop::editable);
        DirectiveSpace space = SpaceBuilder.build(k, SpaceLimits.defaults());
        assertThat(space.space().size().bitLength()).isGreaterThan(2);
        var estimator = new Estimator(k, EstimatorSettings.defaults());
        assertThat(estimator.estimate(space.directives(space.baseline()), 2))
                .isNotEmpty()
                .allMatch(s -> !s.misfit().isEmpty() || (s.latencyCycles() >= 1 && s.lut() >= 1));
    }
}

package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Small kernels whose right answer is known (`hls/cases` of the shared data): each file's comment says what is right.
@Tag("slow")
class CompiledCasesTest extends StandingKernels {
    private static final Path CASES =
            Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls/cases");

    private static EstimateReport of(String file, String top, int automatic) {
        Path source = CASES.resolve(file);
        assumeTrue(Files.exists(source), "the shared cases are not here");
        return estimate(
                source, top, EstimatorSettings.defaults().withUnasked(new ToolDefaults(automatic, true, true, 0)));
    }

    @ParameterizedTest
    @CsvSource({
        "c01_rom_fold.cpp, blur, x, 1",
        "c01b_rom_fold_if.cpp, blur, x, 1",
        "c02_systolic.cpp, keep, feed, 1",
        "c02b_systolic_unroll.cpp, keep, feed, 1",
        "c02c_systolic8.cpp, keep, feed, 1",
        // in 4 banks, but 'out' has two ports
        "c04_template_factor.cpp, top, go, 2",
        "c06_struct_return.cpp, rotate, go, 1",
        "c06c_struct_out.cpp, rotate, go, 1",
        "c07_same_address.cpp, taps, c, 1",
        "c07b_same_address_if.cpp, taps, c, 1",
        "c08c_state_linear.cpp, rounds, round, 1",
        "c11_modulo.cpp, mixer, go, 1",
        "c13_complex_add.cpp, power, go, 1",
        "d1_dependence.c, hist, go, 1",
        "d1b_nodependence.c, hist, go, 2",
        // two reads over one AXI port
        "q6_bundle.c, add, go, 2"
    })
    void intervalsAreRight(String file, String top, String loop, int interval) {
        assertThat(loop(of(file, top, 0), loop).interval()).isEqualTo(interval);
    }

    @ParameterizedTest
    @CsvSource({
        "c02_systolic.cpp, keep, 0, 1000, 1200",
        "c03_function_pipeline.cpp, dot16, 0, 1, 9",
        "c09_two_ranges.cpp, copy, 0, 1001, 1006",
        "c10_auto_pipeline.cpp, mm, 64, 32700, 32900",
        "d7_dataflow.cpp, top, 0, 1026, 1050",
        "d7b_dataflow_pingpong.cpp, top, 0, 3075, 3100",
        "d8_stream_fifo.cpp, top, 0, 1026, 1050",
        "q6_bundle.c, add, 0, 2048, 2100"
    })
    void latenciesAreRight(String file, String top, int automatic, double least, double most) {
        assertThat(of(file, top, automatic).stages().getFirst().latencyCycles()).isBetween(least, most);
    }

    @ParameterizedTest
    @CsvSource({
        "c01_rom_fold.cpp, blur, 0, 0",
        "c03_function_pipeline.cpp, dot16, 16, 16",
        "c06_struct_return.cpp, rotate, 9, 16",
        "c06c_struct_out.cpp, rotate, 9, 16",
        "c13_complex_add.cpp, power, 6, 6"
    })
    void multipliersAreCounted(String file, String top, double least, double most) {
        assertThat(of(file, top, 0).stages().getFirst().dsp()).isBetween(least, most);
    }

    @Test
    void directivesWithoutEffectAreNamedWithTheirLine() {
        List<String> notes = of("d6_ignored.cpp", "k", 0).notes();
        for (String said : List.of("LOOP_MERGE", "EXPRESSION_BALANCE", "PERFORMANCE", "LATENCY")) {
            assertThat(notes).anyMatch(n -> n.contains(said) && n.contains("not modelled") && n.contains("cpp:"));
        }
    }

    /// Four products a cycle would take four times as many.
    @Test
    void unitsAreAsManyAsAllocationAllows() {
        assertThat(of("d6_ignored.cpp", "k", 0).stages().getFirst().dsp()).isEqualTo(3);
    }

    @Test
    void dialectsAreAppliedOrNamed() {
        EstimateReport intel = of("d2_intel.cpp", "k", 0);
        assertThat(loop(intel, "line 4").trip()).isEqualTo(16);
        assertThat(loop(intel, "line 6").interval()).isEqualTo(2);
        assertThat(of("d3_merlin.c", "k", 0).notes()).anyMatch(n -> n.contains("ACCEL PIPELINE"));
        assertThat(loop(of("d4_catapult.cpp", "k", 0), "line 5").state()).isEqualTo(LoopEstimate.State.PIPELINED);
    }

    @Test
    void ownPragmasHoldInTheEstimate() {
        EstimateReport r = of("d9_own_pragmas.cpp", "k", 0);
        assertThat(loop(r, "r").state()).isEqualTo(LoopEstimate.State.SEQUENTIAL);
        assertThat(r.arrays())
                .anySatisfy(a -> {
                    assertThat(a.array()).endsWith("/t");
                    assertThat(a.storage()).isEqualTo("LUTRAM");
                })
                .anySatisfy(a -> {
                    assertThat(a.array()).endsWith("/a");
                    assertThat(a.wordBits()).isEqualTo(128);
                });
    }
}

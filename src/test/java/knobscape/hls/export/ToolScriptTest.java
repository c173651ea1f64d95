package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts as UG902 and UG1399 describe them.
class ToolScriptTest {
    private static ToolScript script(Dialect dialect, double clockNs, ToolOptions options, boolean everything) {
        return new ToolScript(
                dialect,
                "gemm_prj",
                "gemm",
                "xc7vx485tffg1761-2",
                clockNs,
                new ToolScript.Files(
                        List.of("src/gemm.cpp", "src/more lines.cpp"),
                        everything ? List.of("-Isrc", "-DSIZE=64") : List.of(),
                        everything ? Optional.of("directives.tcl") : Optional.empty()),
                everything,
                options);
    }

    @Test
    void theSmallestScriptSaysAllThatTheToolsDifferIn() {
        assertThat(script(Dialect.VIVADO_HLS, 10, ToolOptions.NONE, false).text())
                .isEqualTo("""
                # Run it with: vivado_hls -f run_hls.tcl
                cd [file dirname [file normalize [info script]]]
                open_project -reset "gemm_prj"
                set_top "gemm"
                add_files "src/gemm.cpp"
                add_files {src/more lines.cpp}
                open_solution -reset "solution"
                set_part "xc7vx485tffg1761-2"
                create_clock -period 10 -name default
                set_clock_uncertainty 1.25
                config_array_partition -auto_partition_threshold 0 -auto_promotion_threshold 0
                csynth_design
                exit
                """);
        assertThat(script(Dialect.VITIS_HLS, 3.33, ToolOptions.NONE, false).text())
                .startsWith("# Run it with: vitis_hls -f run_hls.tcl\n")
                .contains(
                        "open_solution -reset -flow_target vivado \"solution\"\n",
                        "create_clock -period 3.33 -name default\nset_clock_uncertainty 0.899\n",
                        "config_array_partition -complete_threshold 0 -throughput_driven off\n"
                                + "config_compile -pipeline_loops 0\ncsynth_design\nexit\n");
    }

    @Test
    void theFlowIsSaid() {
        ToolOptions kernel = ToolOptions.NONE.with(ToolOptions.FLOW, Flow.VITIS);
        assertThat(script(Dialect.VITIS_HLS, 5, kernel, false).text())
                .contains("open_solution -reset -flow_target vitis \"solution\"\n");
        assertThat(script(Dialect.VITIS_HLS, 5, kernel, false).config("")).contains("flow_target=vitis\n");
        assertThat(script(Dialect.VIVADO_HLS, 5, kernel, false).text()).doesNotContain("flow_target");
        assertThat(ToolOptions.NONE.flow()).isEqualTo(Flow.VIVADO);
    }

    @Test
    void aVersionIsLeftToDoWhatItDoesByItself() {
        ToolOptions newer = version("2023.2");
        assertThat(script(Dialect.VITIS_HLS, 5, newer, false).text())
                .contains("config_array_partition -complete_threshold 4 -throughput_driven auto\n"
                        + "config_compile -pipeline_loops 64\ncsynth_design\n");
        assertThat(script(Dialect.VITIS_HLS, 5, version("2020.2"), false).text())
                .contains("config_array_partition -auto_partition_threshold 4 -auto_promotion_threshold 64\n"
                        + "config_compile -pipeline_loops 64\n");
        assertThat(script(Dialect.VIVADO_HLS, 5, version("2018.2"), false).text())
                .contains("config_array_partition -auto_partition_threshold 4 -auto_promotion_threshold 64\n")
                .doesNotContain("pipeline_loops");
        // A script for another tool than the version's says what is asked for and nothing else.
        assertThat(script(Dialect.VIVADO_HLS, 5, newer, false).text())
                .contains("config_array_partition -auto_partition_threshold 0 -auto_promotion_threshold 0\n");
        assertThat(newer.dialect()).isEqualTo(Dialect.VITIS_HLS);
        assertThat(version("2019.2").dialect()).isEqualTo(Dialect.VIVADO_HLS);
        assertThat(ToolVersion.of("2022.1").assertsDependence()).isTrue();
        assertThat(ToolVersion.of("2022.2").assertsDependence()).isFalse();
        assertThatThrownBy(() -> ToolVersion.of("2022"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("like 2018.2");
    }

    private static ToolOptions version(String text) {
        return ToolOptions.NONE.with(ToolOptions.VERSION, ToolVersion.of(text));
    }

    @Test
    void everythingAskedForIsInIt() {
        var options = ToolOptionSamples.of(Optional.of(20.0), List.of(), List.of("tb/main.cpp"), true, true);
        assertThat(script(Dialect.VITIS_HLS, 5, options, true).text())
                .contains("add_files \"src/gemm.cpp\" -cflags {-Isrc -DSIZE=64}\n")
                .contains("add_files -tb \"tb/main.cpp\" -cflags {-Isrc -DSIZE=64}\n")
                .contains(
                        "set_clock_uncertainty 1.0\nsource \"directives.tcl\"\ncsim_design\ncsynth_design\ncosim_design\n"
                                + "export_design -flow impl -rtl verilog -format ip_catalog\nexit\n")
                .doesNotContain("config_array_partition", "pipeline_loops");
        assertThat(script(Dialect.VIVADO_HLS, 5, options, false).text()).contains("add_files -tb \"tb/main.cpp\"\n");
    }

    @Test
    void theConfigurationFileSaysTheSame() {
        String directives = "# Written by Knobscape\n# design 7\nsyn.directive.pipeline=gemm/dot\n# end\n";
        var options = ToolOptionSamples.of(Optional.empty(), List.of(), List.of("tb/main.cpp"), false, false);
        assertThat(script(Dialect.VITIS_HLS, 10, options, true).config(directives))
                .isEqualTo("""
                # Written by Knobscape
                # design 7
                part=xc7vx485tffg1761-2

                [hls]
                flow_target=vivado
                clock=10ns
                clock_uncertainty=2.7ns
                syn.top=gemm
                syn.file=src/gemm.cpp
                syn.file=src/more lines.cpp
                syn.cflags=-Isrc -DSIZE=64
                tb.file=tb/main.cpp
                tb.cflags=-Isrc -DSIZE=64
                vivado.flow=impl
                syn.directive.pipeline=gemm/dot
                # end
                """);
        assertThat(script(Dialect.VITIS_HLS, 2.5e6, ToolOptions.NONE, false).config(""))
                .contains("clock=2500000.0ns\n", "vivado.flow=syn\n")
                .doesNotContain("cflags", "tb.");
        assertThat(script(Dialect.VITIS_HLS, 10, options, false).config("")).doesNotContain("tb.cflags");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aClockIsPositive(double clock) {
        assertThatThrownBy(() -> script(Dialect.VITIS_HLS, clock, ToolOptions.NONE, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void optionsThatCannotBeAreRefused() {
        for (double u : new double[] {-1, 100, Double.NaN}) {
            assertThatThrownBy(() -> ToolOptionSamples.of(Optional.of(u), List.of(), List.of(), false, false))
                    .hasMessageContaining("from 0 to below 100, not '" + u);
        }
        assertThat(ToolOptionSamples.of(Optional.of(0.0), List.of(), List.of(), false, false)
                        .uncertaintyNs(Dialect.VITIS_HLS, 10))
                .isZero();
        assertThatThrownBy(() -> ToolOptionSamples.of(Optional.empty(), List.of("-O2", "a b"), List.of(), false, false))
                .hasMessageContaining("a b");
        for (boolean csim : new boolean[] {true, false}) {
            assertThatThrownBy(() -> ToolOptionSamples.of(Optional.empty(), List.of(), List.of(), csim, !csim))
                    .hasMessageContaining("name the files of the testbench");
        }
        assertThat(ToolOptions.isFlag("-std=c++14")).isTrue();
        assertThat(ToolOptions.isFlag("std=c++14")).isFalse();
        assertThat(ToolOptions.isFlag("-DA=$(id)")).isFalse();
    }
}

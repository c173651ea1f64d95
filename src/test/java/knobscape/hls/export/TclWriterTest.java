package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import knobscape.hls.space.KnobNames;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TclWriterTest {
    private static final String TEXT =
            "void f() {\n  s += x * y;\n}\nvoid k(int a[8][8]) {\n  int b[8];\n  m = x * y;\n  l: for (;;) {\n    for (;;) {\n#pragma HLS UNROLL\n    }\n  }\n}\n";

    /// One directive of every kind, with every option.
    private static final List<Directive> ALL = List.of(
            new Directive.Pipeline("k/l", true, 0),
            new Directive.Pipeline("k/l", true, 3),
            new Directive.Pipeline("k/L8", false, 0),
            new Directive.Unroll("k/L8", 4),
            new Directive.Unroll("k/L8", 0),
            new Directive.Unroll("k/L8", 1),
            new Directive.Partition("k/a", 1, PartitionType.CYCLIC, 4),
            new Directive.Partition("k/a", 2, PartitionType.BLOCK, 2),
            new Directive.Partition("k/b", 1, PartitionType.COMPLETE, 8),
            new Directive.Reshape("k/b", 1, PartitionType.CYCLIC, 2),
            new Directive.Inline("f", true),
            new Directive.Inline("f", false),
            new Directive.Dataflow("k"),
            new Directive.Dataflow("k/l"),
            new Directive.Flatten("k/L8", true),
            new Directive.Flatten("k/L8", false),
            new Directive.BindMultiplier("k", Core.FABRIC),
            new Directive.BindMultiplier("k", Core.AUTO),
            new Directive.BindStorage("k/a", Storage.BRAM_1P),
            new Directive.BindStorage("k/b", Storage.BRAM_2P),
            new Directive.BindStorage("k/b", Storage.LUTRAM),
            new Directive.BindStorage("k/b", Storage.URAM),
            new Directive.BindStorage("k/b", Storage.AUTO));

    /// Stands in for the tool: knows each command with the options of the tool's manual, and prints what it was
    /// told. Anything else is an error.
    private static final String TOOL = """
            proc directive {name flags valued arity arguments} {
                set told {}
                set rest {}
                for {set i 0} {$i < [llength $arguments]} {incr i} {
                    set word [lindex $arguments $i]
                    if {[string index $word 0] eq "-"} {
                        set key [string range $word 1 end]
                        if {$key in $flags} {
                            lappend told $key
                        } elseif {$key in $valued} {
                            lappend told $key=[lindex $arguments [incr i]]
                        } else {
                            error "$name has no option -$key"
                        }
                    } else {
                        lappend rest $word
                    }
                }
                if {[llength $rest] != $arity} { error "$name wants $arity words, got <$rest>" }
                puts "$name <[join $rest {> <}]> $told"
            }
            proc define {name flags valued arity} {
                proc $name {args} "directive [list $name] [list $flags] [list $valued] $arity \\$args"
            }
            define set_directive_pipeline {off rewind enable_flush} {II} 1
            define set_directive_unroll {skip_exit_check region} {factor} 1
            define set_directive_array_partition {} {type factor dim} 2
            define set_directive_array_reshape {object} {type factor dim} 2
            define set_directive_inline {off recursive region} {} 1
            define set_directive_dataflow {} {} 1
            define set_directive_loop_flatten {off} {} 1
            define open_project {reset} {} 1
            define set_top {} {} 1
            define add_files {} {cflags} 1
            define set_part {} {} 1
            define create_clock {} {period name} 0
            define set_clock_uncertainty {} {} 1
            define config_array_partition {} {complete_threshold throughput_driven auto_partition_threshold auto_promotion_threshold} 0
            define csynth_design {} {} 0
            define export_design {} {flow rtl format} 0
            """;
    private static final String VIVADO = TOOL
            + "define set_directive_resource {} {core memory_style latency} 2\ndefine open_solution {reset} {} 1\n";
    private static final String VITIS = TOOL + """
            define set_directive_bind_op {} {op impl latency} 2
            define set_directive_bind_storage {} {type impl latency} 2
            define set_directive_interface {} {mode storage_type storage_impl} 2
            define config_compile {} {pipeline_loops} 0
            define config_op {} {impl latency} 1
            define open_solution {reset} {flow_target} 1
            """;

    private static TclDirectives write(Dialect dialect, Kernel kernel, List<Directive> directives) {
        return new TclWriter(dialect).write(kernel, directives, k -> false);
    }

    @Test
    void newerToolUnderstandsEveryDirective() {
        String told = Tclsh.run(
                VITIS + write(Dialect.VITIS_HLS, SourceSketch.of(TEXT), ALL).text());
        assertThat(told.lines())
                .containsExactly(
                        "config_array_partition <> complete_threshold=0 throughput_driven=off",
                        "config_compile <> pipeline_loops=0",
                        "set_directive_pipeline <k/l> ",
                        "set_directive_pipeline <k/l> II=3",
                        "set_directive_pipeline <k/L8> off",
                        "set_directive_unroll <k/L8> factor=4",
                        "set_directive_unroll <k/L8> ",
                        "set_directive_unroll <k/L8> factor=1",
                        "set_directive_array_partition <k> <a> type=cyclic factor=4 dim=1",
                        "set_directive_array_partition <k> <a> type=block factor=2 dim=2",
                        "set_directive_array_partition <k> <b> type=complete dim=1",
                        "set_directive_array_reshape <k> <b> type=cyclic factor=2 dim=1",
                        "set_directive_inline <f> ",
                        "set_directive_inline <f> off",
                        "set_directive_dataflow <k> ",
                        "set_directive_dataflow <k/l> ",
                        "set_directive_loop_flatten <k/L8> ",
                        "set_directive_loop_flatten <k/L8> off",
                        "set_directive_bind_op <k> <m> op=mul impl=fabric",
                        "set_directive_interface <k> <a> mode=ap_memory storage_type=ram_1p storage_impl=bram",
                        "set_directive_bind_storage <k> <b> type=ram_2p impl=bram",
                        "set_directive_bind_storage <k> <b> type=ram_2p impl=lutram",
                        "set_directive_bind_storage <k> <b> type=ram_2p impl=uram");
    }

    @Test
    void olderToolUnderstandsEveryDirective() {
        String told = Tclsh.run(
                VIVADO + write(Dialect.VIVADO_HLS, SourceSketch.of(TEXT), ALL).text());
        assertThat(told.lines())
                .hasSize(22)
                .startsWith("config_array_partition <> auto_partition_threshold=0 auto_promotion_threshold=0")
                .doesNotContain("config_compile <> pipeline_loops=0")
                .contains(
                        "set_directive_array_partition <k> <a> type=cyclic factor=4 dim=1",
                                "set_directive_resource <k> <m> core=Mul_LUT",
                        "set_directive_resource <k> <a> core=RAM_1P_BRAM",
                                "set_directive_resource <k> <b> core=RAM_2P_BRAM",
                        "set_directive_resource <k> <b> core=RAM_2P_LUTRAM",
                                "set_directive_resource <k> <b> core=XPM_MEMORY memory_style=uram");
    }

    @Test
    void asksForTheLabelsItNeedsAndNoOthers() {
        TclDirectives result =
                write(Dialect.VITIS_HLS, SourceSketch.of(TEXT), List.of(new Directive.Unroll("k/L8", 4)));
        assertThat(result.commands()).contains("set_directive_unroll -factor 4 \"k/L8\"");
        assertThat(result.text()).contains("# Needs the label k/L8,");
        assertThat(result.source().files().get("k.cpp"))
                .isEqualTo(TEXT.replace("    for (;;) {\n#", "    L8: for (;;) {\n#"));
        assertThat(write(Dialect.VITIS_HLS, SourceSketch.of(TEXT), List.of(new Directive.Pipeline("k/l", true, 0)))
                        .source()
                        .files())
                .isEmpty();
    }

    @Test
    void aPragmaThatWouldContradictLeavesTheSource() {
        TclDirectives result = new TclWriter(Dialect.VITIS_HLS)
                .write(SourceSketch.of(TEXT), List.of(), Set.of(KnobNames.unroll("k/L8"))::contains);
        assertThat(result.source().files().get("k.cpp")).isEqualTo(TEXT.replace("#pragma HLS UNROLL\n", ""));
    }

    @Test
    void productsThatAllFunctionsBindAlikeAreSetForTheSolution() {
        List<Directive> both =
                List.of(new Directive.BindMultiplier("f", Core.DSP), new Directive.BindMultiplier("k", Core.DSP));
        TclDirectives result = write(Dialect.VITIS_HLS, SourceSketch.of(TEXT), both);
        assertThat(result.commands()).endsWith("config_compile -pipeline_loops 0", "config_op mul -impl dsp");
        assertThat(result.notes()).isEmpty();
        assertThat(write(Dialect.VIVADO_HLS, SourceSketch.of(TEXT), both).notes())
                .singleElement()
                .satisfies(n -> assertThat(n.toString()).startsWith("k.cpp:2: ").contains("no variable of its own"));
    }

    @Test
    void aDirectiveForSomethingElseIsRefused() {
        Assertions.assertThatThrownBy(() ->
                        write(Dialect.VITIS_HLS, SourceSketch.of(TEXT), List.of(new Directive.Unroll("k/gone", 2))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'k/gone'")
                .hasMessageContaining("k.cpp");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void scriptRunsFromItsOwnFolder(Dialect dialect) {
        String script = new ToolScript(
                        dialect,
                        "gemm",
                        "gemm",
                        "xc7vx485tffg1761-2",
                        3.33,
                        new ToolScript.Files(
                                List.of("src/my kernel.cpp"),
                                List.of("-Isrc/in$clude", "-DN=4"),
                                Optional.of("directives.tcl")),
                        true,
                        ToolOptions.NONE)
                .text();
        String told = Tclsh.run((dialect == Dialect.VITIS_HLS ? VITIS : VIVADO)
                + "proc source {f} { puts \"source <$f>\" }\n" + script);
        assertThat(told.lines())
                .containsExactly(
                        "open_project <gemm> reset",
                        "set_top <gemm> ",
                        "add_files <src/my kernel.cpp> {cflags=-Isrc/in$clude -DN=4}",
                        dialect == Dialect.VITIS_HLS
                                ? "open_solution <solution> reset flow_target=vivado"
                                : "open_solution <solution> reset",
                        "set_part <xc7vx485tffg1761-2> ",
                        "create_clock <> period=3.33 name=default",
                        dialect == Dialect.VITIS_HLS
                                ? "set_clock_uncertainty <0.899> "
                                : "set_clock_uncertainty <0.416> ",
                        "source <directives.tcl>",
                        "csynth_design <> ",
                        "export_design <> flow=impl rtl=verilog format=ip_catalog");
    }
}

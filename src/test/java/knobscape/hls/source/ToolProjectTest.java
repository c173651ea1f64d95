package knobscape.hls.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsSettings;
import knobscape.hls.export.Flow;
import knobscape.project.Project;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolProjectTest {
    @TempDir
    Path dir;

    @BeforeEach
    void sources() throws IOException {
        write(
                "src/fir.cpp",
                "#include \"fir.h\"\nvoid fir(int x[N]) { L: for (int i = 0; i < N; i++) x[i] += GAIN; }\n");
        write("src/helper.cpp", "int helper(int a) { return a; }\n");
        write("include/fir.h", "#define N 16\n");
        write("tb/main.cpp", "int main() { return 0; }\n");
    }

    private Path write(String name, String text) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static final String CONFIG = """
        part=xcvu9p-flga2104-2-i   # the board's

        [hls]
        flow_target=vitis
        clock=250MHz
        clock_uncertainty=15%
        syn.file=src/helper.cpp
        syn.file=src/fir.cpp
        syn.top=fir
        syn.cflags=-Iinclude -DGAIN=3
        tb.file=tb/main.cpp
        syn.directive.pipeline=fir/L II=2
        """;

    @Test
    void readsAConfiguration() throws IOException {
        Path file = write("hls_config.cfg", CONFIG);
        ToolProject p = ToolProject.read(file);
        assertThat(p.source()).isEqualTo(dir.resolve("src/fir.cpp"));
        assertThat(p.top()).contains("fir");
        assertThat(p.includeDirs()).containsExactly(dir.resolve("include"));
        assertThat(p.defines()).isEqualTo(Map.of("GAIN", "3"));
        assertThat(p.target().part()).contains("xcvu9p-flga2104-2-i");
        assertThat(p.target().clockNs()).contains(4.0);
        assertThat(p.target().uncertaintyPercent()).contains(15.0);
        assertThat(p.target().flow()).contains("vitis");
        assertThat(p.directives()).contains(file);
        assertThat(p.testbench()).containsExactly(dir.resolve("tb/main.cpp"));
    }

    @Test
    void aComponentLeadsToItsConfiguration() throws IOException {
        write("hls_config.cfg", CONFIG);
        Path json = write(
                "vitis-comp.json",
                "{\"name\": \"fir\", \"type\": \"HLS\", \"configuration\": {\"componentType\": \"HLS\","
                        + " \"configFiles\": [\"./hls_config.cfg\"]}}");
        assertThat(ToolProject.read(json)).isEqualTo(ToolProject.read(dir.resolve("hls_config.cfg")));
    }

    @Test
    void readsAScriptWithoutRunningIt() throws IOException {
        Path file = write("run_hls.tcl", """
            # add_files nothing.cpp
            set TOP fir
            set period 5
            open_project -reset prj
            set_top $TOP
            add_files {src/fir.cpp src/helper.cpp} -cflags "-I./include -DGAIN=${period}"
            add_files -tb tb/main.cpp -cflags "-DIGNORED"
            open_solution "solution1" -flow_target vivado
            set_part {xc7z020clg400-1}; create_clock -period $period -name default
            set_clock_uncertainty 0.5
            source "./directives.tcl"
            exec rm -rf /
            csynth_design
            """);
        write("directives.tcl", "set_directive_pipeline \"fir/L\"\n");
        ToolProject p = ToolProject.read(file);
        assertThat(p.source()).isEqualTo(dir.resolve("src/fir.cpp"));
        assertThat(p.top()).contains("fir");
        assertThat(p.defines()).isEqualTo(Map.of("GAIN", "5"));
        assertThat(p.target().part()).contains("xc7z020clg400-1");
        assertThat(p.target().clockNs()).contains(5.0);
        assertThat(p.target().uncertaintyPercent()).contains(10.0);
        assertThat(p.directives()).contains(dir.resolve("directives.tcl"));
    }

    /// Of several designs in a script the first is read; the kind of the script tells how old its tool is.
    @Test
    void theFirstDesignOfAScriptIsRead() throws IOException {
        Path file = write("several.tcl", """
            open_component -reset one -flow_target vivado
            add_file src/fir.cpp -cflags "-DGAIN=1"
            add_files src/helper.cpp
            set_top fir
            set_part {xc7z020clg400-1} -tool vivado
            set_directive_pipeline fir/L
            csynth_design
            open_component -reset two -flow_target vitis
            add_files src/fir.cpp -cflags "-DGAIN=2"
            set_part {xcvu9p-flga2104-2-i}
            """);
        ToolProject p = ToolProject.read(file);
        assertThat(p.source()).isEqualTo(dir.resolve("src/fir.cpp"));
        assertThat(p.others()).containsExactly(dir.resolve("src/helper.cpp"));
        assertThat(p.defines()).isEqualTo(Map.of("GAIN", "1"));
        assertThat(p.target().part()).contains("xc7z020clg400-1");
        assertThat(p.target().flow()).contains("vivado");
        assertThat(p.target().version()).contains("2023.2");
        assertThat(ToolProject.read(write("plain.tcl", "open_project p\nadd_files src/fir.cpp\n"))
                        .target()
                        .version())
                .isEmpty();
        assertThat(ToolProject.read(write(
                                "made.tcl",
                                "## This file is generated automatically by Vivado HLS.\nadd_files src/fir.cpp\n"))
                        .target()
                        .version())
                .contains("2019.2");
        assertThat(ToolProject.read(write("unset.tcl", "set_part $XPART\nadd_files src/fir.cpp\n"))
                        .target()
                        .part())
                .isEmpty();
        assertThat(ToolProject.read(write("later.tcl", """
                        ## This file is generated automatically by Vitis HLS.
                        ## Copyright 1986-2022 Xilinx, Inc. All Rights Reserved.
                        open_solution "solution1" -flow_target vivado
                        add_files src/fir.cpp
                        """)).target().version()).contains("2022.2");
    }

    /// Comments in the encoding of an older machine hide neither the top function nor the script.
    @Test
    void textsNeedNotBeUtf8() throws IOException {
        write("src/tables.c", "int table[4];\n");
        Files.write(
                dir.resolve("src/main.c"),
                "// funci\u00f3n\nvoid gain(int a[4])\n{\n}\n".getBytes(StandardCharsets.ISO_8859_1));
        Path script = Files.write(
                dir.resolve("older.tcl"),
                "# funci\u00f3n\nset_top gain\nadd_files src/tables.c\nadd_files src/main.c\n"
                        .getBytes(StandardCharsets.ISO_8859_1));
        assertThat(ToolProject.read(script).source()).isEqualTo(dir.resolve("src/main.c"));
    }

    /// Scripts of repositories keep names in variables and lists, settings in other scripts, and take arguments.
    @Test
    void followsVariablesListsBranchesAndProcedures() throws IOException {
        write("scripts/settings.tcl", """
            array set opt { part xczu7ev-ffvc1156-2-e  csim 0 }
            set FLAGS "-I$ROOT/include"
            if {[info exists ::env(GAIN)] && $::env(GAIN) ne ""} { append FLAGS " -DGAIN=$::env(GAIN)" } else {
                append FLAGS { -DGAIN=7}
            }
            """);
        write("scripts/directives.tcl", "set_directive_unroll -factor 2 fir/L\n");
        Path file = write("scripts/build.tcl", """
            set HERE [file dirname [file normalize [info script]]]
            set ROOT [file normalize "$HERE/.."]
            source [file join $HERE settings.tcl]
            set mode "synth"
            if { $argc > 2 } { set mode [lindex $argv 2] }
            proc add {name flags} {
                global ROOT
                add_files "$ROOT/src/${name}.cpp" \\
                    -cflags $flags
            }
            if {$mode == "csim"} {
                set_top other; exit
            } elseif {[string equal $mode synth]} {
                set_top fir
            }
            foreach s [list helper fir] { add $s $FLAGS }
            foreach {tb kind} {main cpp} { add_files -tb [file join $ROOT tb $tb.$kind] -cflags "$FLAGS -DX" }
            switch -- $mode { csim { set P 10 } synth { set P 4 } default { set P 3 } }
            set_part $opt(part)
            create_clock -period ${P}ns
            while {1} { open_solution bad }
            catch { source directives.tcl }
            """);
        ToolProject p = ToolProject.read(file);
        assertThat(p.source()).isEqualTo(dir.resolve("src/fir.cpp"));
        assertThat(p.top()).contains("fir");
        assertThat(p.defines()).isEqualTo(Map.of("GAIN", "7"));
        assertThat(p.includeDirs()).contains(dir.resolve("include"));
        assertThat(p.target().part()).contains("xczu7ev-ffvc1156-2-e");
        assertThat(p.target().clockNs()).contains(4.0);
        assertThat(p.testbench()).containsExactly(dir.resolve("tb/main.cpp"));
        assertThat(p.directives()).contains(dir.resolve("scripts/directives.tcl"));
        // What never ends and what calls itself ends here.
        write("scripts/endless.tcl", """
            proc f {} { f }
            f
            set l {}
            foreach a {1 2 3 4 5 6 7 8 9} { foreach b {1 2 3 4 5 6 7 8 9} { append l $l x } }
            source endless.tcl
            add_files ../src/fir.cpp
            """);
        assertThat(ToolProject.read(dir.resolve("scripts/endless.tcl")).source())
                .isEqualTo(dir.resolve("src/fir.cpp"));
    }

    /// Scripts of a solution name files as the folder above the project has them, directives that say nothing are none.
    @Test
    void readsAProjectFileAndItsSolution() throws IOException {
        write("prj/hls.app", """
            <project xmlns="com.autoesl.autopilot.project" name="prj" top="fir">
                <files xmlns="">
                    <file name="../tb/main.cpp" sc="0" tb="1" cflags="" blackbox="false"/>
                    <file name="src/fir.cpp" sc="0" tb="false" cflags="-Iinclude" blackbox="false"/>
                </files>
                <solutions xmlns=""><solution name="old" status=""/><solution name="s1" status="active"/></solutions>
            </project>
            """);
        write("prj/old/script.tcl", "set_part {xc7a35tcpg236-1}\ncreate_clock -period 20\n");
        write("prj/s1/script.tcl", "open_solution s1\nset_part {xc7k325t-ffg900-2}\ncreate_clock -period 8 -name d\n");
        write("prj/s1/directives.tcl", "set_directive_top -name fir \"fir\"\n");
        ToolProject p = ToolProject.read(dir.resolve("prj/hls.app"));
        assertThat(p.source()).isEqualTo(dir.resolve("src/fir.cpp"));
        assertThat(p.target().part()).contains("xc7k325t-ffg900-2");
        assertThat(p.target().clockNs()).contains(8.0);
        assertThat(p.directives()).isEmpty();
        assertThat(p.testbench()).containsExactly(dir.resolve("tb/main.cpp"));
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "3.33ns, 3.33", "2500 ps, 2.5", "300MHz, 3.3333", "0.5GHz, 2", "fast, ", "-3, ", "0, "})
    void clocksHaveUnits(String said, Double ns) throws IOException {
        Path file = write("hls_config.cfg", "[hls]\nclock=" + said + "\nsyn.file=src/fir.cpp\n");
        Optional<Double> clock = ToolProject.read(file).target().clockNs();
        if (ns == null) {
            assertThat(clock).isEmpty();
        } else {
            assertThat(clock.orElseThrow()).isCloseTo(ns, org.assertj.core.data.Offset.offset(1e-3));
        }
    }

    @Test
    void aMissingSourceIsNamedWithItsLine() throws IOException {
        Path file = write("run_hls.tcl", "open_project p\nadd_files src/gone.cpp\n");
        assertThatThrownBy(() -> ToolProject.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(file + ":2 names the source 'src/gone.cpp', which is not there");
        Path none = write("none.tcl", "puts hello\n");
        assertThatThrownBy(() -> ToolProject.read(none)).hasMessageContaining("names no C or C++ source");
        Path torn = write("hls.app", "<project top=\"fir\"><files>");
        assertThatThrownBy(() -> ToolProject.read(torn))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not well-formed XML");
    }

    /// What a person does: the folder of a tool's project is opened as it lies there.
    @Test
    void theFolderOpensAsAProject() throws IOException {
        write("hls_config.cfg", CONFIG);
        try (Project project = Project.open(dir)) {
            var settings = (HlsSettings) project.file().work();
            assertThat(project.name()).isEqualTo("fir");
            assertThat(settings.top()).contains("fir");
            assertThat(settings.part()).contains("xcvu9p-flga2104-2-i");
            assertThat(settings.clockNs()).isEqualTo(4.0);
            assertThat(settings.toolOptions().flow()).isEqualTo(Flow.VITIS);
            assertThat(settings.starts())
                    .containsExactly(dir.resolve("hls_config.cfg").toString());
        }
    }
}

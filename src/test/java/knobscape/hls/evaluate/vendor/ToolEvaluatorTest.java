package knobscape.hls.evaluate.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.evaluate.vendor.StandIns.Faults;
import knobscape.hls.export.ToolOptionSamples;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import knobscape.work.tool.Engine;
import knobscape.work.tool.JobBudget;
import knobscape.work.tool.StageProgress;
import knobscape.work.tool.ToolEvaluator;
import knobscape.work.tool.ToolProcess;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tools' evaluators against executables that stand in for them.
@DisabledOnOs(OS.WINDOWS)
class ToolEvaluatorTest {
    private static final ToolSettings QUICK = settings(0.5, 5, 4, 1, 0.01);

    @TempDir
    Path dir;

    private static ToolSettings settings(double minutes, double factor, int retries, double licence, double pause) {
        return ToolSettings.DEFAULT
                .with(ToolSettings.STAGE_MINUTES, minutes)
                .with(ToolSettings.LEARNED_FACTOR, factor)
                .with(ToolSettings.CRASH_RETRIES, retries)
                .with(ToolSettings.LICENCE_HOURS, licence)
                .with(ToolSettings.PAUSE_SECONDS, pause);
    }

    private DirectiveSpace space;
    private ToolWork work;

    @BeforeEach
    void readKernel() throws IOException {
        Path source = Files.writeString(dir.resolve("dot.cpp"), """
                void dot(int a[16], int b[16], int out[1]) {
                  int s = 0;
                products:
                  for (int i = 0; i < 16; i++) {
                    s += a[i] * b[i];
                  }
                  out[0] = s;
                }
                """);
        var kernel = Kernels.read(source);
        Part part = Part.byDefault();
        space = SpaceBuilder.build(kernel, SpaceLimits.forPart(part.dsp(), part.bram(), part.uram()));
        work = new ToolWork(space, part, 10, List.of(), Map.of());
    }

    private static List<Evaluation> all(Evaluator e, Configuration c) {
        e.prepare();
        return e.evaluate(c, e.info().top(), new CancellationSignal());
    }

    private Evaluator vitis(Path program) {
        return VendorTools.vitis(program.toString(), work, QUICK, dir.resolve("the tools"));
    }

    @ParameterizedTest
    @CsvSource({"vivado_hls, 2018.2", "vitis_hls, 2022.1", "vitis_hls, 2020.2", "vitis-run, 2025.1"})
    void runsEveryStageWithEveryGenerationOfTheTool(String tool, String version) throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE);
                Evaluator e = vitis(standIns.install(dir.resolve("bin"), tool, version))) {
            List<Evaluation> stages = all(e, space.baseline());
            assertThat(stages).extracting(s -> s.fidelity().name()).containsExactly("hls", "syn", "impl");
            assertThat(stages).allMatch(Evaluation::isMeasured, "measured: " + stages);
            assertThat(stages.get(0).value("power")).isEmpty();
            assertThat(stages.get(2).value("power")).isPresent();
            assertThat(stages.get(2).value("delay").orElseThrow())
                    .isEqualTo(stages.get(2).value("latency").orElseThrow()
                            * stages.get(2).value("clock").orElseThrow());
            assertThat(stages).allMatch(s -> s.provenance().version().endsWith(version));
            assertThat(stages.get(1).costSeconds()).as("the tool's own time").isGreaterThan(60);
            assertThat(dir.resolve("the tools").resolve(space.baseline().id()))
                    .as("reports stay, checkpoints go")
                    .satisfies(f -> {
                        try (var files = Files.walk(f)) {
                            assertThat(files.map(x -> x.getFileName().toString())
                                            .toList())
                                    .contains("dot_csynth.xml", "export_impl.xml", "directives.tcl")
                                    .doesNotContain("checkpoint.dcp");
                        }
                    });
        }
    }

    private Path testbench(String text) throws IOException {
        return Files.writeString(dir.resolve("dot test.cpp"), text);
    }

    private Evaluator with(Path program, ToolOptions options, JobBudget budget, ToolOptions.Script script) {
        return VendorTools.vitis(
                program.toString(),
                new ToolWork(space, work.part(), 10, List.of(), Map.of(), options.with(ToolOptions.SCRIPT, script)),
                settings(0.5, 5, 4, 1, 0.01)
                        .with(ToolSettings.JOB_GB, budget.jobGb())
                        .with(ToolSettings.LICENCES, budget.licences())
                        .with(ToolSettings.DISK_GB, budget.diskGb()),
                dir.resolve("the tools"));
    }

    @ParameterizedTest
    @CsvSource({"vitis_hls, 2022.1, TCL", "vivado_hls, 2018.2, TCL", "vitis-run, 2024.2, CFG", "vitis-run, 2025.1, TCL"
    })
    void simulationsAndPowerAfterSynthesis(String tool, String version, ToolOptions.Script script) throws IOException {
        Path tb = testbench("int main() { return 0; }");
        var options = ToolOptionSamples.of(
                java.util.Optional.of(15.0), List.of("-std=c++14"), List.of(tb.toString()), true, true);
        try (var standIns = new StandIns(space, 3, Faults.NONE)) {
            Path program = standIns.install(dir.resolve("my bin"), tool, version);
            standIns.install(dir.resolve("my bin"), "v++", version);
            standIns.install(dir.resolve("my bin"), "vivado", version);
            try (Evaluator e = with(program, options, JobBudget.DEFAULT, script)) {
                List<Evaluation> stages = all(e, space.space().draw(new java.util.Random(5)));
                assertThat(stages).hasSize(3).allMatch(Evaluation::isMeasured, "measured: " + stages);
                assertThat(stages.get(0).value("power")).isEmpty();
                assertThat(stages.get(1).value("power"))
                        .as("of the netlist, by report_power")
                        .isPresent();
                assertThat(stages.get(2).value("power")).isPresent();
            }
            Path design;
            try (var folders = Files.list(dir.resolve("the tools"))) {
                design = folders.filter(f -> Files.exists(f.resolve("design.json")))
                        .findFirst()
                        .orElseThrow();
            }
            String said = Files.readString(design.resolve("hls.log"));
            assertThat(said).contains("csim finished: PASS").contains("cosim finished: PASS");
            assertThat(design.resolve("home/.Xilinx/Vivado/Vivado_init.tcl"))
                    .content()
                    .startsWith("set_param general.maxThreads ");
            assertThat(dir.resolve("the tools/vivado.log"))
                    .as("Vivado was started once before many")
                    .content()
                    .contains("vivado v" + version);
            assertThat(Files.readString(
                            design.resolve(script == ToolOptions.Script.CFG ? "hls_config.cfg" : "run_hls.tcl")))
                    .contains(
                            script == ToolOptions.Script.CFG ? "clock_uncertainty=1.5ns" : "set_clock_uncertainty 1.5")
                    .contains("-std=c++14");
        }
    }

    @Test
    void aTestbenchThatFailsEndsTheRunAndAWrongDesignIsInvalid() throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE)) {
            Path program = standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1");
            Path tb = testbench("// FAIL_CSIM");
            var options =
                    ToolOptionSamples.of(java.util.Optional.empty(), List.of(), List.of(tb.toString()), true, true);
            try (Evaluator e = with(program, options, JobBudget.DEFAULT, ToolOptions.Script.TCL)) {
                assertThatThrownBy(() -> all(e, space.baseline()))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("testbench fails in C simulation");
            }
            testbench("// FAIL_COSIM");
            try (Evaluator e = with(program, options, JobBudget.DEFAULT, ToolOptions.Script.TCL)) {
                var f = (Outcome.Failure) all(e, space.baseline()).getLast().outcome();
                assertThat(f.kind()).isEqualTo(FailureKind.WRONG_RESULT);
            }
        }
        assertThatThrownBy(() -> ToolOptionSamples.of(java.util.Optional.empty(), List.of(), List.of(), true, false))
                .hasMessageContaining("testbench");
        assertThatThrownBy(() -> ToolOptionSamples.of(java.util.Optional.of(120.0), List.of(), List.of(), false, false))
                .hasMessageContaining("uncertainty");
    }

    @Test
    void configurationFilesNeedAToolThatTakesThem() throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE);
                Evaluator e = with(
                        standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1"),
                        ToolOptions.NONE,
                        JobBudget.DEFAULT,
                        ToolOptions.Script.CFG)) {
            assertThatThrownBy(e::prepare).isInstanceOf(UserError.class).hasMessageContaining("2024.2");
        }
    }

    @Test
    void jobsStayWithinMemoryAndLicences() {
        assertThat(new JobBudget(20, 0, 0).jobs(16, 128)).isEqualTo(6);
        assertThat(new JobBudget(4, 2, 0).jobs(16, 128)).isEqualTo(2);
        assertThat(new JobBudget(4, 0, 0).jobs(2, 128)).isEqualTo(2);
        assertThat(new JobBudget(64, 0, 0).jobs(8, 32)).as("one always").isEqualTo(1);
        Engine one = Engine.local(1);
        var threads = java.util.stream.IntStream.range(0, 3)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    Path mark = dir.resolve("job" + i);
                    one.run(
                            new ToolProcess.Job(
                                    mark.toString(),
                                    List.of(
                                            "sh",
                                            "-c",
                                            "ls \"$0\"/running.* 2>/dev/null | wc -l >> \"$0\"/seen; touch \"$0\"/running.$$; sleep 0.2; rm \"$0\"/running.$$",
                                            dir.toString()),
                                    dir,
                                    Map.of(),
                                    dir.resolve("log" + i),
                                    java.time.Duration.ofMinutes(1)),
                            new CancellationSignal());
                }))
                .toList();
        threads.forEach(t -> {
            try {
                t.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(dir.resolve("seen")).content().isEqualToIgnoringWhitespace("0 0 0");
    }

    /// Three jobs that begin at once, of which two may run.
    @Test
    void vivadoIsStartedOnceBeforeManyJobsAndTheyShareTheProcessors() throws Exception {
        assertThat(VitisFlow.threads(16, 4)).isEqualTo(4);
        assertThat(VitisFlow.threads(16, 1)).as("more than Vivado can use").isEqualTo(8);
        assertThat(VitisFlow.threads(2, Integer.MAX_VALUE)).isEqualTo(1);
        Path bin = dir.resolve("bin");
        var budget = new JobBudget(0.5, 2, 0);
        try (var standIns = new StandIns(space, 3, Faults.NONE)) {
            Path program = standIns.install(bin, "vitis_hls", "2022.1");
            standIns.install(bin, "vivado", "2022.1");
            List<Configuration> designs = java.util.stream.IntStream.range(0, 3)
                    .mapToObj(i -> space.space().draw(new java.util.Random(i)))
                    .toList();
            assertThat(designs).doesNotHaveDuplicates();
            try (Evaluator e = with(program, ToolOptions.NONE, budget, ToolOptions.Script.TCL)) {
                var threads = designs.stream()
                        .map(c -> Thread.ofPlatform()
                                .start(() -> e.evaluate(c, e.info().fidelity("syn"), new CancellationSignal())))
                        .toList();
                for (Thread t : threads) {
                    t.join();
                }
            }
            List<String> calls = Files.readAllLines(bin.resolve("calls"));
            assertThat(calls).filteredOn("vivado -version"::equals).hasSize(1);
            assertThat(calls.indexOf("vivado -version")).isLessThan(calls.indexOf("vitis_hls -f run_hls.tcl"));
            int processors = Runtime.getRuntime().availableProcessors();
            assertThat(designs)
                    .allSatisfy(c -> assertThat(
                                    dir.resolve("the tools").resolve(c.id()).resolve("syn.log"))
                            .content()
                            .contains("general.maxThreads is "
                                    + VitisFlow.threads(processors, budget.jobs(processors, ToolSettings.memoryGb()))));
        }
    }

    @Test
    void projectsGoWhereTheDiskBudgetIsOverAndLaterStagesMakeThemAnew() throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE)) {
            Path program = standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1");
            var small = new JobBudget(4, 0, 150_000.0 / (1L << 30));
            try (Evaluator e = with(program, ToolOptions.NONE, small, ToolOptions.Script.TCL)) {
                var designs = java.util.stream.IntStream.range(0, 3)
                        .mapToObj(i -> space.space().draw(new java.util.Random(i)))
                        .distinct()
                        .toList();
                e.prepare();
                for (Configuration c : designs) {
                    assertThat(e.evaluate(c, e.info().fidelity("syn"), new CancellationSignal()))
                            .allMatch(Evaluation::isMeasured);
                }
                Path first = dir.resolve("the tools").resolve(designs.getFirst().id());
                try (var files = Files.walk(first)) {
                    assertThat(files.map(f -> f.getFileName().toString()))
                            .contains("hls.log", "syn.log", "dot_csynth.xml")
                            .doesNotContain("checkpoint.dcp");
                }
                assertThat(all(e, designs.getFirst())).hasSize(3).allMatch(Evaluation::isMeasured);
            }
        }
    }

    @Test
    void theNewestKindOfToolInAnInstallationIsTaken() throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE)) {
            Path bin = dir.resolve("xilinx/bin");
            standIns.install(bin, "vitis_hls", "2024.2");
            standIns.install(bin, "vitis-run", "2024.2");
            VendorTool found = VendorTool.find(dir.resolve("xilinx").toString(), "", dir.resolve("scratch"));
            assertThat(found.kind()).isEqualTo(VendorTool.Kind.VITIS_RUN);
            assertThat(found.version()).isEqualTo("2024.2");
        }
        assertThatThrownBy(() -> VendorTool.find(dir.toString(), "", dir.resolve("scratch")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("settings64.sh")
                .hasMessageContaining(dir.toString());
    }

    @Test
    void stagesThatAreKnownAreNotRunAgain() throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE)) {
            Path program = standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1");
            List<Evaluation> first;
            try (Evaluator e = vitis(program)) {
                first = e.evaluate(space.baseline(), e.info().fidelity("syn"), new CancellationSignal());
            }
            assertThat(standIns.answers()).isEqualTo(2);
            try (Evaluator e = vitis(program)) {
                assertThat(all(e, space.baseline()).subList(0, 2)).isEqualTo(first);
            }
            assertThat(standIns.answers()).as("only implementation was run").isEqualTo(3);
        }
    }

    @Test
    void crashesHalfReportsLiesAndLicenceOutagesAreAskedAgain() throws IOException {
        var faults = new Faults(0.2, 0, 0.15, 0.15, 1, 20);
        try (var calm = new StandIns(space, 9, Faults.NONE);
                var wild = new StandIns(space, 9, faults);
                Evaluator a = vitis(calm.install(dir.resolve("calm"), "vitis_hls", "2022.1"));
                Evaluator b = VendorTools.vitis(
                        wild.install(dir.resolve("wild"), "vitis_hls", "2022.1").toString(),
                        work,
                        settings(1, 5, 20, 1, 0.01),
                        dir.resolve("tools2"))) {
            for (int i = 0; i < 4; i++) {
                if (i == 1) {
                    wild.noLicences(Duration.ofMinutes(10));
                }
                Configuration c = space.space().draw(new java.util.Random(i));
                assertThat(all(b, c)).isEqualTo(all(a, c));
            }
            assertThat(wild.refusals()).isPositive();
            assertThat(wild.answers()).isGreaterThan(calm.answers() + wild.refusals());
            assertThat(wild.succeeded().values()).as("no stage came out twice").allMatch(n -> n == 1);
        }
    }

    @Test
    void aStageThatTheToolFailedContinuesLaterWhereTheStageBeforeLeft() throws IOException {
        try (var standIns = new StandIns(space, 3, Faults.NONE);
                Evaluator e = VendorTools.vitis(
                        standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1")
                                .toString(),
                        work,
                        settings(1, 5, 0, 0, 0.01),
                        dir.resolve("the tools"))) {
            e.prepare();
            assertThat(e.evaluate(space.baseline(), e.info().fidelity("hls"), new CancellationSignal()))
                    .allMatch(Evaluation::isMeasured);
            standIns.noLicences(Duration.ofDays(10_000));
            List<Evaluation> first = all(e, space.baseline());
            standIns.noLicences(Duration.ZERO);
            assertThat(((Outcome.Failure) first.getLast().outcome()).kind()).isEqualTo(FailureKind.LICENCE);
            assertThat(all(e, space.baseline())).hasSize(3).allMatch(Evaluation::isMeasured);
            assertThat(standIns.answers()).as("hls once, syn twice, impl once").isEqualTo(4);
        }
    }

    @Test
    void whatDoesNotFitIsInvalidAndNotAskedAgain() throws IOException {
        ToolLog.failure("ERROR: [Place 30-640] requires more Slice LUTs")
                .ifPresentOrElse(
                        f -> assertThat(f.kind()).isEqualTo(FailureKind.DOES_NOT_FIT),
                        () -> assertThat(false).isTrue());
        assertThat(ToolLog.failure("INFO: [Common 17-349] Got license for feature 'Synthesis'"))
                .isEmpty();
        assertThat(ToolLog.failure("\u001b[31mERROR: [Common 17-345] A valid license was not found\u001b[0m")
                        .orElseThrow()
                        .kind())
                .isEqualTo(FailureKind.LICENCE);
        assertThat(ToolLog.failure("ERROR: [Common 17-348] Failed to get the license for feature 'Synthesis'")
                        .orElseThrow()
                        .kind())
                .isEqualTo(FailureKind.LICENCE);
        String refused =
                "WARNING: [Common 17-348] Failed to get the license for feature '%s' and/or device 'xc7z020'\n";
        String got = "INFO: [Common 17-349] Got license for feature '%s' and/or device 'xc7z020'\n";
        assertThat(ToolLog.failure(refused.formatted("Synthesis") + got.formatted("Synthesis")
                                + "ERROR: [Place 30-640] requires more Slice LUTs")
                        .orElseThrow()
                        .kind())
                .as("the licence was got at last")
                .isEqualTo(FailureKind.DOES_NOT_FIT);
        assertThat(ToolLog.failure(got.formatted("Synthesis") + refused.formatted("Implementation"))
                        .orElseThrow()
                        .kind())
                .as("of another feature")
                .isEqualTo(FailureKind.LICENCE);
        assertThat(ToolLog.failure("ERROR: [IMPL 213-28] Failed to generate IP.")
                        .orElseThrow()
                        .kind())
                .as("no fault of the design")
                .isEqualTo(FailureKind.CRASHED);
    }

    @Test
    void eachJobHasAHomeATemporaryFolderALocaleAndAWorkFolderOfItsOwn() throws IOException {
        Path p = program("""
                [ "$1" = describe ] && { echo '{"stages": ["run"], "objectives": ["delay"]}' > "$2/describe.json"; exit 0; }
                echo "$HOME|$TMPDIR|$LC_ALL|$(pwd)" > "$2/environment"
                echo '{"values": {"delay": 1}}' > "$2/result.json"
                """);
        try (Evaluator e = command(p)) {
            for (int seed : new int[] {1, 2}) {
                Configuration c = space.space().draw(new java.util.Random(seed));
                assertThat(all(e, c)).allMatch(Evaluation::isMeasured);
                Path folder = dir.resolve("own tools").resolve(c.id());
                assertThat(folder.resolve("environment"))
                        .content()
                        .isEqualTo(folder.resolve("home") + "|" + folder.resolve("tmp") + "|C|" + folder + "\n");
            }
        }
    }

    /// A program killed during the first of two steps has left its tool running: its next start waits for it, and runs
    /// the second.
    @Test
    void stepsThatAreLeftFollowTheOneThatAnEarlierStartBegan() throws Exception {
        Path program = Files.writeString(dir.resolve("tool.sh"), "#!/bin/sh\nexit 9\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Configuration c = space.baseline();
        Path folder = dir.resolve("the tools");
        Path design = Files.createDirectories(folder.resolve(c.id()));
        var flow = new CommandFlow(program, work, folder);
        flow.open();
        var stage = flow.info().fidelities().getFirst();
        Path result = design.resolve("result.json");
        var left = new StageProgress(
                knobscape.space.Sha256.of((flow.inputs(c, stage) + "\n" + stage.name())
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                0,
                List.of(List.of(
                        "sh",
                        "-c",
                        "echo '{\"values\": {\"latency\": 7, \"clock\": 2, \"lut\": 3}, \"seconds\": '$(cat first)$WORD'}' > "
                                + "result.json")),
                Map.of("WORD", "0"));
        left.write(design.resolve("running-" + stage.name()));
        var first = new ProcessBuilder("sh", "-c", "sleep 1; echo 5 > first").directory(design.toFile());
        first.environment().put("KNOBSCAPE_JOB", design + "#" + stage.name());
        Process earlier = first.start();
        try (Evaluator e = new ToolEvaluator(flow, Engine.local(1), QUICK, folder)) {
            List<Evaluation> done = e.evaluate(c, stage, new CancellationSignal());
            assertThat(earlier.isAlive()).isFalse();
            assertThat(done).singleElement().satisfies(d -> {
                assertThat(d.isMeasured()).as(() -> d.outcome().toString()).isTrue();
                assertThat(d.costSeconds())
                        .as("by the second step, of what the first left")
                        .isEqualTo(50);
            });
        }
        assertThat(result).exists();
        assertThat(design.resolve("running-" + stage.name())).doesNotExist();
    }

    @Test
    void aHangIsStoppedWithAllThatItStarted() throws IOException {
        try (var standIns = new StandIns(space, 3, new Faults(0, 1, 0, 0, 1, 0.5));
                Evaluator e = VendorTools.vitis(
                        standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1")
                                .toString(),
                        work,
                        settings(0.02, 5, 0, 1, 0.01),
                        dir.resolve("the tools"))) {
            Evaluation only = all(e, space.baseline()).getFirst();
            assertThat(((Outcome.Failure) only.outcome()).kind()).isEqualTo(FailureKind.TIMED_OUT);
            assertThat(ToolProcess.isRunning(
                            dir.resolve("the tools").resolve(space.baseline().id()) + "#hls"))
                    .isFalse();
        }
    }

    @Test
    void aStopEndsTheWholeTree() throws Exception {
        try (var standIns = new StandIns(space, 3, new Faults(0, 1, 0, 0, 1, 0.5));
                Evaluator e = vitis(standIns.install(dir.resolve("bin"), "vitis_hls", "2022.1"))) {
            var cancel = new CancellationSignal();
            var stages = new ArrayList<Evaluation>();
            Thread stopper = Thread.ofVirtual().start(() -> {
                while (standIns.answers() == 0) {
                    Thread.onSpinWait();
                }
                cancel.cancel();
            });
            assertThatThrownBy(() -> e.evaluate(
                            Request.all(space.baseline(), e.info(), e.info().top()), stages::add, cancel))
                    .isInstanceOf(CancellationException.class);
            stopper.join();
            assertThat(stages).isEmpty();
            assertThat(ToolProcess.isRunning(
                            dir.resolve("the tools").resolve(space.baseline().id()) + "#hls"))
                    .isFalse();
        }
    }

    private Path program(String body) throws IOException {
        Path p = Files.writeString(dir.resolve("my tool.sh"), "#!/bin/sh\n" + body);
        return Files.setPosixFilePermissions(p, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Evaluator command(Path p) {
        return VendorTools.command(p.toString(), dir, work, settings(1, 5, 0, 1, 0), dir.resolve("own tools"));
    }

    @Test
    void aProgramOfOnesOwnEvaluates() throws IOException {
        Path p = program("""
                stage=$1; folder=$2
                if [ "$stage" = describe ]; then
                  echo '{"version": "7", "stages": ["hls", "impl"], "reported": {"hls": ["delay", "lut"]}}' > "$folder/describe.json"
                  exit 0
                fi
                n=$(grep -c . "$folder/directives.tcl")
                [ "$stage" = hls ] && echo '{"values": {"delay": 100, "lut": 7}, "seconds": 3}' > "$folder/result.json"
                [ "$stage" = impl ] && echo '{"values": {"latency": 20, "clock": 4, "lut": 7, "power": 0.5}}' > "$folder/result.json"
                """);
        try (Evaluator e = command(p)) {
            assertThat(Files.exists(dir.resolve("own tools/describe.json")))
                    .as("nothing of a person's is run before a run begins")
                    .isFalse();
            e.prepare();
            assertThat(e.info().fidelities()).extracting(f -> f.name()).containsExactly("hls", "impl");
            List<Evaluation> stages = all(e, space.baseline());
            assertThat(stages.get(0).costSeconds()).isEqualTo(3);
            assertThat(stages.get(1).value("delay").orElseThrow()).isEqualTo(80);
            assertThat(stages.get(1).provenance().version()).isEqualTo("7");
        }
    }

    @Test
    void aProgramOfOnesOwnMayWriteAVendorsReport() throws IOException {
        Path p = program("""
                [ "$1" = describe ] && { echo '{"stages": ["hls"], "objectives": ["delay", "lut"]}' > "$2/describe.json"; exit 0; }
                cat > "$2/dot_csynth.xml" <<'X'
                <profile><UserAssignments><TopModelName>dot</TopModelName></UserAssignments><PerformanceEstimates>
                <SummaryOfTimingAnalysis><EstimatedClockPeriod>5</EstimatedClockPeriod></SummaryOfTimingAnalysis>
                <SummaryOfOverallLatency><Worst-caseLatency>33</Worst-caseLatency></SummaryOfOverallLatency></PerformanceEstimates>
                <AreaEstimates><Resources><LUT>12</LUT></Resources></AreaEstimates></profile>
                X
                """);
        try (Evaluator e = command(p)) {
            assertThat(all(e, space.baseline()).getFirst().value("delay").orElseThrow())
                    .isEqualTo(165);
        }
    }

    @Test
    void whatAProgramOfOnesOwnSaysOfFailuresCounts() throws IOException {
        Path p = program("""
                [ "$1" = describe ] && exit 0
                echo '{"status": "invalid", "kind": "does not fit", "reason": "too many LUT", "values": {"lut": 1e6}}' > "$2/result.json"
                """);
        try (Evaluator e = command(p)) {
            var f = (Outcome.Failure) all(e, space.baseline()).getFirst().outcome();
            assertThat(f.kind()).isEqualTo(FailureKind.DOES_NOT_FIT);
            assertThat(f.reason()).isEqualTo("too many LUT");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 3 | exit status 3",
                "echo '{' > \"$2/result.json\" | not whole",
                "echo '{\"values\": {\"lut\": 3}}' > \"$2/result.json\" | no value of the objective 'delay'",
                "echo '{\"values\": {\"delay\": -5, \"lut\": 3, \"power\": 1}}' > \"$2/result.json\" | delay is -5 and must be above 0",
                "echo '{\"values\": {\"delay\": 5, \"lut\": 3.5, \"power\": 1}}' > \"$2/result.json\" | lut is 3.5 and must be a whole number",
                "echo '{\"values\": {\"delay\": 5, \"lut\": NaN}}' > \"$2/result.json\" | it holds NaN, which Python writes",
                "echo '{\"values\": {\"delay\": \"5\", \"lut\": 3}}' > \"$2/result.json\" | the value of 'delay' is \"5\", which is no number",
                "echo '{\"error\": \"segfault\", \"values\": {\"delay\": 5, \"lut\": 3, \"power\": 1}}' > \"$2/result.json\" | error says 'segfault'",
                "echo '{\"success\": false, \"values\": {\"delay\": 5, \"lut\": 3, \"power\": 1}}' > \"$2/result.json\" | success says 'false'",
                "echo boom; exit 0 | boom"
            })
    void aProgramWithoutAResultHasCrashed(String body, String reason) throws IOException {
        Path p = program("[ \"$1\" = describe ] && exit 0\n" + body + "\n");
        try (Evaluator e = command(p)) {
            var f = (Outcome.Failure) all(e, space.baseline()).getFirst().outcome();
            assertThat(f.kind()).isEqualTo(FailureKind.CRASHED);
            assertThat(f.reason()).contains(reason);
        }
    }

    @Test
    void aProgramThatEndsWellWithoutAResultIsNotWaitedFor() throws IOException {
        Path p = program("[ \"$1\" = describe ] && exit 0\necho run >> \"$2/../count\"\n");
        try (Evaluator e =
                VendorTools.command(p.toString(), dir, work, settings(1, 5, 3, 1, 3600), dir.resolve("own tools"))) {
            all(e, space.baseline());
        }
        try (Stream<Path> files = Files.walk(dir)) {
            Path count = files.filter(f -> f.endsWith("count")).findFirst().orElseThrow();
            assertThat(Files.readAllLines(count)).hasSize(2);
        }
    }

    @Test
    void whatIsNoProgramIsRefused() throws IOException {
        Path text = Files.writeString(dir.resolve("notes.txt"), "hello");
        assertThatThrownBy(() -> command(text).prepare())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("chmod +x");
        assertThatThrownBy(() -> command(Path.of(""))).isInstanceOf(UserError.class);
    }
}

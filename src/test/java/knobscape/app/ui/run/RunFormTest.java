package knobscape.app.ui.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Provenance;
import knobscape.explore.RunEvent;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsSettings;
import knobscape.hls.evaluate.Part;
import knobscape.hls.export.ToolOptions;
import knobscape.project.BoxTools;
import knobscape.work.Area;
import knobscape.work.Evaluators;
import knobscape.work.RunSettings;
import knobscape.work.parameter.Parameter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFormTest {
    private static final RunPictures.Picture NOTHING = (run, anew) -> {};
    private static final HlsSettings KERNEL = HlsSettings.of("k.cpp");

    private final RunForm form = new RunForm(new HlsArea(), List.of(), Set.of());

    @BeforeEach
    void fill() {
        form.fill(
                new Area.Work(KERNEL, BoxTools.settings(30).with(RunSettings.OBJECTIVES, List.of("power", "lut"))),
                BoxTools.tools().methods().all(),
                BoxTools.tools().toolchains().all());
    }

    @Test
    void untouchedFormSaysWhatItWasFilledWith() {
        var checked = form.check(KERNEL).getFirst();
        assertThat(checked.run())
                .isEqualTo(BoxTools.settings(30).with(RunSettings.OBJECTIVES, List.of("power", "lut")));
        assertThat(checked.settings()).isEqualTo(KERNEL);
        // A bare source shows the part that will be taken, and goes on naming none.
        assertThat(form.text(field("Part")).get()).isEqualTo(Part.byDefault().name());
        assertThat(KERNEL.part()).isEmpty();
    }

    @Test
    void theNextRunInAFewWordsNamesItsStepsWhereTheyAreLimited() {
        assertThat(form.summary().getValue()).contains("30 steps").noneMatch(String::isBlank);
        form.text(RunSettings.STEPS).set("no limit");
        assertThat(form.summary().getValue()).noneMatch(s -> s.contains("limit") || s.contains("steps"));
    }

    @Test
    void whatIsTypedCounts() {
        form.text(RunSettings.SEED).set(" -7 ");
        form.text(field("Clock (ns)")).set("4,5");
        form.text(field("Part")).set("xc7z020");
        var checked = form.check(KERNEL).getFirst();
        assertThat(checked.run().seed()).isEqualTo(-7);
        assertThat(checked.settings())
                .isEqualTo(KERNEL.with(HlsSettings.CLOCK, 4.5).with(HlsSettings.PART, "xc7z020"));
    }

    @Test
    void aToolIsNamedByItsPlace() {
        var toolchains = knobscape.hls.Toolchains.standard();
        form.fill(
                new Area.Work(KERNEL, BoxTools.settings(30).with(RunSettings.TOOLCHAIN, "command:/home/me/tool.sh")),
                BoxTools.tools().methods().all(),
                toolchains.all());
        assertThat(form.text(field("Tool")).get()).isEqualTo("/home/me/tool.sh");
        assertThat(form.shown().get()).contains(field("Tool"), field("Testbench"), field("Clock (ns)"));
        assertThat(form.check(KERNEL).getFirst().run().toolchain()).isEqualTo("command:/home/me/tool.sh");
        form.toolchain().set(Optional.of(toolchains.named("vitis")));
        form.text(field("Tool")).set(" /opt/xilinx ");
        assertThat(form.check(KERNEL).getFirst().run().toolchain()).isEqualTo("vitis:/opt/xilinx");
        form.text(field("Tool")).set("");
        assertThat(form.check(KERNEL).getFirst().run().toolchain()).isEqualTo("vitis");
        form.toolchain().set(Optional.of(toolchains.named("estimator")));
        assertThat(form.shown().get()).contains(field("Clock (ns)")).doesNotContain(field("Tool"), field("Script"));
        // What is wrong can be seen.
        form.text(field("Disk (GiB)")).set("much");
        assertThat(form.check(KERNEL)).isEmpty();
        assertThat(form.shown().get()).contains(field("Disk (GiB)")).doesNotContain(field("Script"));
        form.text(field("Disk (GiB)")).set("no limit");
        assertThat(form.check(KERNEL).getFirst().run().toolchain()).isEqualTo("estimator");
    }

    @Test
    void whatTheToolIsToldIsTyped() {
        form.text(field("C flags")).set(" -std=c++14  -Isrc");
        form.text(field("Testbench")).set("my bench/tb.cpp, golden.dat ,");
        form.text(field("C simulation")).set("yes");
        form.text(field("Disk (GiB)")).set("12,5");
        form.text(field("Script")).set("cfg");
        var settings = (HlsSettings) form.check(KERNEL).getFirst().settings();
        assertThat(settings.toolOptions().cFlags()).containsExactly("-std=c++14", "-Isrc");
        assertThat(settings.toolOptions().testbench()).containsExactly("my bench/tb.cpp", "golden.dat");
        assertThat(settings.toolOptions().csim()).isTrue();
        assertThat(settings.toolOptions().cosim()).isFalse();
        assertThat(settings.tool().budget().diskGb()).isEqualTo(12.5);
        assertThat(settings.toolOptions().script()).isEqualTo(ToolOptions.Script.CFG);
        form.fill(
                new Area.Work(settings, BoxTools.settings(30)),
                BoxTools.tools().methods().all(),
                BoxTools.tools().toolchains().all());
        assertThat(form.check(KERNEL).getFirst().settings()).isEqualTo(settings);
        form.text(field("Testbench")).set(" ");
        assertThat(form.check(KERNEL)).isEmpty();
        assertThat(form.errors().get())
                .containsExactly(java.util.Map.entry(
                        field("C simulation"), "C simulation must be no, or name the files of the testbench."));
    }

    @Test
    void methodsAndSeedsFollowEachOther() {
        String other = "another";
        form.fill(
                new Area.Work(KERNEL, BoxTools.settings(30)),
                List.of(
                        BoxTools.tools().methods().named(BoxTools.settings(30).method()),
                        new Evaluators.Plain(other, "Another", "Another.")),
                BoxTools.tools().toolchains().all());
        form.text(RunSettings.SEED).set("3");
        form.text(RunForm.RUNS).set("2");
        form.also().add(other);
        assertThat(form.check(KERNEL))
                .extracting(w -> w.run().method() + " " + w.run().seed())
                .containsExactly(
                        BoxTools.settings(30).method() + " 3",
                        BoxTools.settings(30).method() + " 4",
                        other + " 3",
                        other + " 4");
        form.text(RunForm.RUNS).set("21");
        assertThat(form.check(KERNEL)).isEmpty();
    }

    @Test
    void evaluationsAreCountedWhereTheyAreLimitedAndTheirPaceTellsTheTimeLeft() {
        var progress = new RunEvent.Progress(40, 0, 40, Double.NaN, 0, 0, 1, 10, Double.NaN);
        var news = new RunNews(
                NOTHING,
                40,
                "speedup 2.10",
                Optional.of(progress),
                Optional.empty(),
                "T3",
                List.of(),
                false,
                Optional.empty());
        var limit = new Status.Limit(HlsSettings.defaultRun(), 120, 20);
        assertThat(Status.live(RunState.RUNNING, news, limit, Provenance.Source.MEASURED)
                        .figures())
                .startsWith("40 of 120", "speedup 2.10", "about 40 s left");
        Status second = Status.live(RunState.RUNNING, news, limit, Provenance.Source.MEASURED)
                .of(2, 4);
        assertThat(second.figures()).endsWith("run 2 of 4");
        assertThat(second.share()).isCloseTo((1 + 1 / 3.0) / 4, org.assertj.core.data.Offset.offset(1e-9));
    }

    private Parameter<?> field(String label) {
        return form.fields().stream()
                .filter(f -> f.label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            Seed           | x1    | Seed must be a whole number, not 'x1'.
            Steps          | -1    | Steps must be a whole number from 0, not '-1'.
            Initial designs | 0     | Initial designs must be a whole number from 1, not '0'.
            Early stop (steps) | 2.5   | Early stop (steps) must be a whole number from 0, not '2.5'.
            In parallel    | 1000  | In parallel must be a whole number from 1 to 256, not '1000'.
            Clock (ns)     | 0     | Clock (ns) must be a number above 0, not '0'.
            Clock (ns)     | NaN   | Clock (ns) must be a number above 0, not 'NaN'.
            Disk (GiB)     | -1    | Disk (GiB) must be a number from 0 to 100000, not '-1'.
            Simulated tool delay    | -1    | Simulated tool delay must be a number from 0, not '-1'.
            """)
    void whatIsWrongIsSaidByField(String label, String typed, String sentence) {
        Parameter<?> field = field(label);
        form.text(field).set(typed);
        assertThat(form.check(KERNEL)).isEmpty();
        assertThat(form.errors().get()).containsOnlyKeys(field);
        assertThat(form.errors().get().get(field)).isEqualTo(sentence);
        form.text(field).set("5");
        assertThat(form.check(KERNEL)).hasSize(1);
        assertThat(form.errors().get()).isEmpty();
    }

    @Test
    void statusSaysWhatBecomesOfTheWorkInFlight() {
        var progress = new RunEvent.Progress(17, 40, 25, 0.5, 6, 40_320, 38, 95, 360);
        var limit = new Status.Limit(HlsSettings.defaultRun().with(RunSettings.STEPS, 40), 0, 0);
        var news = new RunNews(
                NOTHING,
                0,
                "",
                Optional.of(progress),
                Optional.of(new RunForecast.Range(240, 480)),
                "#28 up to impl",
                List.of(),
                false,
                Optional.empty());
        assertThat(Status.live(RunState.RUNNING, news, limit, Provenance.Source.MEASURED)
                        .figures())
                .containsExactly(
                        "step 17 of 40",
                        "4 min to 8 min left",
                        "11.2 measured hours",
                        "algorithm 38 s",
                        "elapsed 2 min");
        assertThat(Status.live(RunState.RUNNING, news, limit, Provenance.Source.MODEL)
                        .figures())
                .contains("11.2 simulated hours");
        assertThat(Status.live(RunState.RUNNING, news, limit, Provenance.Source.MEASURED)
                        .words())
                .isEqualTo("Evaluating #28 up to impl");
        assertThat(Status.live(RunState.PAUSING, news, limit, Provenance.Source.MEASURED)
                        .words())
                .isEqualTo("Pausing when #28 up to impl has come back");
        assertThat(Status.live(RunState.PAUSED, news, limit, Provenance.Source.MEASURED)
                        .words())
                .contains("has come back and is stored");
        assertThat(Status.live(RunState.STOPPED, news, limit, Provenance.Source.MEASURED)
                        .words())
                .contains("was cancelled", "Resume");
        assertThat(Status.live(RunState.RUNNING, news, limit, Provenance.Source.MEASURED)
                        .share())
                .isCloseTo(25 / 48.0, org.assertj.core.data.Offset.offset(1e-9));
        var none =
                new RunNews(NOTHING, 0, "", Optional.empty(), Optional.empty(), "", List.of(), false, Optional.empty());
        assertThat(Status.live(RunState.RUNNING, none, limit, Provenance.Source.MEASURED)
                        .figures())
                .containsExactly("initial design 1 of 8");
    }

    @Test
    void theTimeLeftEndsWhereTheRunExpectsToEnd() {
        var pace = new RunForecast();
        for (int step = 0; step <= 5; step++) {
            pace.step(new RunEvent.Progress(step, 40, step, Double.NaN, 0, 0, 0, 10 * step, 30));
        }
        assertThat(pace.left()).contains(new RunForecast.Range(30, 30));
    }

    @Test
    void ofARunThatAnotherProcessWorksOnTheTimeLeftIsToldAfterThreeStepsToo() {
        var pace = new RunForecast();
        for (int step = 7; step < 10; step++) {
            pace.step(step, 20, 60 * step);
            assertThat(pace.left()).isEmpty();
        }
        pace.step(10, 20, 600);
        assertThat(pace.left()).contains(new RunForecast.Range(600, 600));
    }

    @Test
    void theTimeLeftIsARangeFromThreeStepsOnThatHoldsNineTimesOfTen() {
        int held = 0;
        for (long seed = 0; seed < 200; seed++) {
            var random = new java.util.Random(seed);
            var pace = new RunForecast();
            double now = 5;
            Optional<RunForecast.Range> told = Optional.empty();
            double asked = 0;
            for (int step = 0; step <= 40; step++) {
                pace.step(new RunEvent.Progress(step, 40, step, Double.NaN, 0, 0, 0, now, Double.NaN));
                assertThat(pace.left().isPresent()).isEqualTo(step >= 3);
                if (step == 15) {
                    told = pace.left();
                    asked = now;
                }
                now += step < 40 ? 10 + 5 * random.nextGaussian() : 0;
            }
            held += told.orElseThrow().least() <= now - asked
                            && now - asked <= told.get().most()
                    ? 1
                    : 0;
        }
        assertThat(held).isBetween(165, 195);
    }

    @Test
    void aMethodThatAnswersAtOnceIsOfferedNoEvaluations() {
        var fusion = new RunForm(new FusionArea(), List.of(), Set.of());
        var methods = FusionMethods.standard();
        fusion.fill(
                new Area.Work(FusionSettings.of("zoo:resnet18"), FusionWorkbench.defaultRun()),
                methods.all(),
                List.of());
        fusion.method().set(Optional.of(methods.named("gsampler")));
        assertThat(fusion.summary().getValue()).containsExactly("G-Sampler", "2000 evaluations", "seed 1");
        assertThat(fusion.shown().get()).contains(FusionSettings.EVALUATIONS);
        fusion.method().set(Optional.of(methods.named("exact")));
        assertThat(fusion.summary().getValue()).containsExactly("Exact", "seed 1");
        assertThat(fusion.shown().get()).doesNotContain(FusionSettings.EVALUATIONS);
        // A search after it spends them.
        fusion.also().add("pso");
        assertThat(fusion.summary().getValue()).contains("Exact and 1 more", "2000 evaluations");
        assertThat(fusion.shown().get()).contains(FusionSettings.EVALUATIONS);
    }
}

package knobscape.project;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.report.JsonFields;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.search.Constraint;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.source.TunableNetwork;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsSettings;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.hls.space.Pruning;
import knobscape.study.StudySettings;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.history.HistoryUse;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Settings stored and project files written before each setting was declared once (`settings/*.json`, written by
/// that program) mean today what they meant then.
class StoredSettingsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final List<String> DECLARED_SINCE = List.of("costModel", "trips");

    @TempDir
    private Path folder;

    private static String sample(String name) {
        try (InputStream in =
                requireNonNull(StoredSettingsTest.class.getResourceAsStream("settings/" + name + ".json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static HlsSettings hls(String name) {
        return (HlsSettings) new HlsArea().readStored(JsonFields.parse(name, sample(name)));
    }

    private static GpuSettings gpu(String name) {
        return new GpuArea().readStored(JsonFields.parse(name, sample(name)));
    }

    private static RunSettings run(Area area, String name) {
        return area.readStoredRun(JsonFields.parse(name, sample(name)));
    }

    private Area.Work project(String name) {
        try {
            Path file = Files.writeString(folder.resolve("knobscape.json"), sample("project-" + name));
            return ProjectFile.read(file).both();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aKernelWithEverythingSaid() {
        HlsSettings k = hls("stored-hls");
        assertThat(k.source()).isEqualTo("src/k.cpp");
        assertThat(k.top()).contains("k");
        assertThat(k.includeDirs()).containsExactly("inc");
        assertThat(k.defines()).isEqualTo(Map.of("N", "64"));
        assertThat(k.directives()).contains("directives.yaml");
        assertThat(k.part()).contains("xc7vx485t");
        assertThat(k.clockNs()).isEqualTo(5);
        assertThat(k.starts()).containsExactly("best.tcl");
        assertThat(k.pruning()).isEqualTo(Pruning.SOFT);
        assertThat(k.isEstimatePrior()).isTrue();
        ToolSettings t = k.tool();
        assertThat(List.of(
                        t.stageMinutes(),
                        t.learnedFactor(),
                        (double) t.crashRetries(),
                        t.licenceHours(),
                        t.pauseSeconds(),
                        t.budget().jobGb(),
                        (double) t.budget().licences(),
                        t.budget().diskGb(),
                        k.toolOptions().uncertainty().orElseThrow()))
                .containsExactly(90.0, 4.0, 1.0, 2.0, 5.0, 20.0, 3.0, 50.0, 20.0);
        assertThat(t.engine()).isEqualTo(ToolSettings.EngineKind.SLURM);
        assertThat(t.sbatch()).containsExactly("--partition=long");
        ToolOptions o = k.toolOptions();
        assertThat(o.script()).isEqualTo(ToolOptions.Script.CFG);
        assertThat(o.cFlags()).containsExactly("-std=c++14");
        assertThat(o.testbench()).containsExactly("tb.cpp");
        assertThat(o.csim()).isTrue();
        assertThat(o.cosim()).isFalse();
        assertThat(o.flow()).isEqualTo(Flow.VITIS);
        assertThat(project("hls").settings()).isEqualTo(k);
    }

    @Test
    void aKernelByDefaultAndMeasuredDesigns() {
        assertThat(hls("stored-hls-default")).isEqualTo(HlsSettings.of("gemm.cpp"));
        assertThat(project("hls-default"))
                .isEqualTo(new Area.Work(
                        HlsSettings.of("gemm.cpp"),
                        HlsSettings.defaultRun().with(RunSettings.STEPS, 40).with(RunSettings.EARLY_STOP, 5)));
        // Tables were work of the FPGA area once.
        var measured = new StudySettings(
                StudySettings.of("/d/designs.csv").values().with(StudySettings.MAPPING, "/d/columns.yaml"));
        JsonFields stored = JsonFields.parse("stored-measured", sample("stored-measured"));
        WorkSettings read = Areas.standard().find("hls", stored).orElseThrow().readStored(stored);
        assertThat(read).isInstanceOf(StudySettings.class);
        assertThat(read.source()).isEqualTo("/d/designs.csv");
        assertThat(read.inputs()).containsExactly("/d/columns.yaml");
        assertThat(project("measured").settings()).isEqualTo(measured);
    }

    @Test
    void howARunGoes() {
        RunSettings expected = RunSettings.of("random", "estimator", 10, 4, 0)
                .with(RunSettings.SEED, 42L)
                .with(RunSettings.PARALLEL, 2)
                .with(RunSettings.OBJECTIVES, List.of("power", "lut"))
                .with(RunSettings.WAIT, 0.5)
                .with(RunSettings.GOAL, "lut<20k")
                .with(RunSettings.LEAST_GAIN, 0.05)
                .with(RunSettings.HOURS, 7.5);
        assertThat(run(new HlsArea(), "run-hls")).isEqualTo(expected);
        assertThat(project("hls").run()).isEqualTo(expected);
        assertThat(run(new HlsArea(), "run-hls-default")).isEqualTo(RunSettings.of("cgp", "estimator", 40, 8, 5));
        assertThat(run(new GpuArea(), "run-gpu"))
                .isEqualTo(GpuSettings.defaultRun())
                .isEqualTo(RunSettings.of("transfer", "model:gtx1080ti", 0, 1, 400));
        assertThat(run(new FusionArea(), "run-fusion")).isEqualTo(RunSettings.of("auto", "cost-model", 2000, 1, 0));
        // Runs of still earlier versions have no goal; what they say of their end stays.
        assertThat(
                        new HlsArea()
                                .readStoredRun(
                                        JsonFields.parse(
                                                "early",
                                                "{\"method\":\"cgp\",\"toolchain\":\"estimator\",\"seed\":1,\"steps\":40,\"initialDesigns\":8,\"earlyStop\":5,\"parallel\":1,\"objectives\":[],\"waitFactor\":0.0}")))
                .isEqualTo(HlsSettings.defaultRun().with(RunSettings.STEPS, 40).with(RunSettings.EARLY_STOP, 5));
    }

    @Test
    void networksOnDevices() {
        GpuSettings all = GpuSettings.of("zoo:resnet18")
                .with(GpuSettings.BATCH, 8)
                .with(GpuSettings.EXTENTS, Map.of("h", 3L))
                .with(GpuSettings.TEMPLATES, TunableNetwork.Ways.ALL)
                .with(GpuSettings.FUSED, false)
                .with(GpuSettings.FEATURES, "curve")
                .with(GpuSettings.MINUTES, 2.5)
                .with(GpuSettings.LOG, "log.json");
        assertThat(gpu("stored-gpu")).isEqualTo(all);
        assertThat(project("gpu"))
                .isEqualTo(new Area.Work(
                        all, RunSettings.of("autotvm", "cuda:1", 0, 1, 400).with(RunSettings.SEED, 4L)));
        assertThat(gpu("stored-gpu-default")).isEqualTo(GpuSettings.of("replay:/d/set.csv"));
        assertThat(project("gpu-measured").settings()).isEqualTo(GpuSettings.of("replay:set.csv"));
        GpuSettings sketches = gpu("stored-gpu-sketches");
        assertThat(sketches.templates()).isEqualTo(TunableNetwork.Ways.SKETCHES);
        assertThat(sketches.history()).contains(new HistoryUse("/h/history.db", 77));
        assertThat(sketches.weights()).contains(new WeightsUse("/h/m.gat", -5));
        assertThat(((GpuSettings) project("gpu-sketches").settings()).templates())
                .isEqualTo(TunableNetwork.Ways.SKETCHES);
    }

    @Test
    void networksOnAccelerators() {
        FusionSettings all = FusionSettings.of("zoo:resnet18")
                .with(FusionSettings.ACCELERATOR, "accelerator.json")
                .with(FusionSettings.BUFFER, 20_000_000L)
                .with(FusionSettings.BATCH, 32)
                .with(FusionSettings.CONSTRAINT, Constraint.SOFT)
                .with(FusionSettings.DIMS, Map.of("ids:1", 128L));
        var area = new FusionArea();
        assertThat(area.readStored(JsonFields.parse("f", sample("stored-fusion"))))
                .isEqualTo(all);
        assertThat(area.readStored(JsonFields.parse("f", sample("stored-fusion-default"))))
                .isEqualTo(FusionSettings.of("zoo:resnet18").with(FusionSettings.BATCH, 64));
        assertThat(project("fusion"))
                .isEqualTo(new Area.Work(
                        all, RunSettings.of("pso", "cost-model", 500, 1, 0).with(RunSettings.SEED, 9L)));
        assertThat(project("fusion-default").settings())
                .isEqualTo(FusionSettings.of("zoo:resnet50").with(FusionSettings.BATCH, 64));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hls",
                "hls-default",
                "measured",
                "gpu",
                "gpu-measured",
                "gpu-sketches",
                "fusion",
                "fusion-default"
            })
    void whatIsWrittenTodayMeansTheSame(String name) throws IOException {
        Area.Work work = project(name);
        Area area = Areas.standard().of(work.settings());
        Path file = folder.resolve("again.json");
        new ProjectFile(name, "", work.settings(), work.run()).write(file);
        assertThat(ProjectFile.read(file).both()).isEqualTo(work);
        // Keys stay those of the sample.
        ObjectNode then = (ObjectNode) JSON.readTree(sample("project-" + name));
        ObjectNode now = (ObjectNode) JSON.readTree(Files.readString(file));
        now.remove(DECLARED_SINCE);
        assertThat(then.propertyNames()).containsAll(now.propertyNames());
        // Written since it has a default.
        if (now.get("run") instanceof ObjectNode run) {
            run.remove("leastGain");
        }
        for (String inner : List.of("tool", "search", "run")) {
            Optional.ofNullable(now.get(inner))
                    .ifPresent(o -> assertThat(requireNonNull(then.get(inner)).propertyNames())
                            .as(inner)
                            .containsAll(o.propertyNames()));
        }
        ObjectNode stored = JSON.createObjectNode();
        area.parameters().writeStored(work.settings().values(), stored);
        assertThat(area.readStored(JsonFields.parse("stored", stored.toString())))
                .isEqualTo(work.settings());
        ObjectNode run = JSON.createObjectNode();
        area.runParameters().writeStored(work.run().values(), run);
        assertThat(area.readStoredRun(JsonFields.parse("stored", run.toString())))
                .isEqualTo(work.run());
    }
}

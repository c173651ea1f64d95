package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.source.TunableNetwork;
import knobscape.hls.HlsSettings;
import knobscape.hls.export.Flow;
import knobscape.hls.export.ToolOptions;
import knobscape.work.RunSettings;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectTest {
    @TempDir
    private Path folder;

    private Path json(String text) throws IOException {
        Files.writeString(folder.resolve("gemm.cpp"), "void gemm() {}\n");
        return Files.writeString(folder.resolve(ProjectFile.FILE_NAME), text);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        var kernel = HlsSettings.of("src/k.cpp")
                .with(HlsSettings.TOP, "k")
                .with(HlsSettings.INCLUDES, List.of("inc"))
                .with(HlsSettings.DEFINES, Map.of("N", "64", "M", "8"))
                .with(HlsSettings.DIRECTIVES, "directives.yaml")
                .with(HlsSettings.PART, "xc7vx485t")
                .with(HlsSettings.CLOCK, 5.0)
                .with(ToolSettings.STAGE_MINUTES, 90.0)
                .with(ToolSettings.ENGINE, ToolSettings.EngineKind.SLURM)
                .with(ToolSettings.SBATCH, List.of("--partition=long"))
                .with(ToolOptions.UNCERTAINTY, 20.0)
                .with(ToolOptions.C_FLAGS, List.of("-std=c++14"))
                .with(ToolOptions.TESTBENCH, List.of("tb.cpp"))
                .with(ToolOptions.CSIM, true)
                .with(ToolOptions.FLOW, Flow.VITIS)
                .with(ToolSettings.JOB_GB, 20.0)
                .with(ToolSettings.LICENCES, 3)
                .with(ToolOptions.SCRIPT, ToolOptions.Script.CFG)
                .with(HlsSettings.STARTS, List.of("best.tcl"))
                .with(HlsSettings.PRUNING, knobscape.hls.space.Pruning.SOFT)
                .with(HlsSettings.PRIOR, true);
        var run = RunSettings.of("random", "estimator", 10, 4, 0)
                .with(RunSettings.SEED, 42L)
                .with(RunSettings.PARALLEL, 2)
                .with(RunSettings.OBJECTIVES, List.of("power", "lut"))
                .with(RunSettings.WAIT, 0.5)
                .with(RunSettings.GOAL, "lut<20k")
                .with(RunSettings.LEAST_GAIN, 0.05)
                .with(RunSettings.HOURS, 7.5);
        var file = new ProjectFile("name", "words \"in\" quotes", kernel, run);
        Path json = folder.resolve(ProjectFile.FILE_NAME);
        file.write(json);
        assertThat(ProjectFile.read(json)).isEqualTo(file);
    }

    @Test
    void aFusionProjectIsReadBackAndHasNoKernel() throws IOException {
        var fusion = FusionSettings.of("zoo:resnet18")
                .with(FusionSettings.ACCELERATOR, "accelerator.json")
                .with(FusionSettings.BUFFER, 20_000_000L)
                .with(FusionSettings.BATCH, 32)
                .with(FusionSettings.CONSTRAINT, knobscape.fusion.search.Constraint.SOFT)
                .with(FusionSettings.DIMS, Map.of("ids:1", 128L));
        var file = new ProjectFile(
                "net",
                "",
                fusion,
                FusionWorkbench.defaultRun()
                        .with(RunSettings.METHOD, "pso")
                        .with(RunSettings.SEED, 9L)
                        .with(RunSettings.STEPS, 500)
                        .with(RunSettings.INITIAL, 1)
                        .with(RunSettings.EARLY_STOP, 0));
        Path json = folder.resolve(ProjectFile.FILE_NAME);
        file.write(json);
        assertThat(ProjectFile.read(json)).isEqualTo(file);
        assertThatThrownBy(() -> file.work(HlsSettings.class))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("knobscape fuse");
        for (String[] wrong : new String[][] {
            {"\"batch\" : 32", "\"batch\" : -1", "batch must be a whole number from 1 to 4096"},
            {"\"20MB\"", "\"20\"", "buffer must be a size"},
            {"\"soft\"", "\"hard\"", "death, lexi or soft"},
            {"\"source\"", "\"top\"", "'top' is not a known key"},
            {"500", "0", "run.evaluations must be a whole number from 1"}
        }) {
            String text = Files.readString(json);
            assertThat(text).contains(wrong[0]);
            Path bad = Files.writeString(folder.resolve("bad.json"), text.replace(wrong[0], wrong[1]));
            assertThatThrownBy(() -> ProjectFile.read(bad))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(wrong[2]);
        }
    }

    @Test
    void aGpuProjectIsReadBack() throws IOException {
        Path json = folder.resolve(ProjectFile.FILE_NAME);
        for (var settings : List.of(
                GpuSettings.of("zoo:resnet18")
                        .with(GpuSettings.BATCH, 8)
                        .with(GpuSettings.EXTENTS, Map.of("h", 3L))
                        .with(GpuSettings.TEMPLATES, TunableNetwork.Ways.ALL)
                        .with(GpuSettings.FUSED, false)
                        .with(GpuSettings.FEATURES, "curve")
                        .with(GpuSettings.MINUTES, 2.5)
                        .with(GpuSettings.LOG, "log.json"),
                GpuSettings.of("replay:set.csv"))) {
            var file = new ProjectFile(
                    "net",
                    "words",
                    settings,
                    RunSettings.of("autotvm", settings.isMeasured() ? "replay:set.csv" : "cuda:1", 500, 1, 100)
                            .with(RunSettings.SEED, 4L));
            file.write(json);
            assertThat(ProjectFile.read(json)).isEqualTo(file);
            assertThatThrownBy(() -> file.work(FusionSettings.class))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("knobscape tune");
        }
        assertThat(ProjectFile.read(Path.of("sample-projects/gpu_squeezenet/knobscape.json"))
                        .work(GpuSettings.class)
                        .source())
                .isEqualTo("zoo:squeezenet_v1.1");
    }

    @Test
    void onlyFormatAndSourceAreNeeded() throws IOException {
        json("{\"formatVersion\": 1, \"source\": \"gemm.cpp\"}");
        try (Project p = Project.open(folder)) {
            assertThat(p.source()).isEqualTo(folder.resolve("gemm.cpp").toAbsolutePath());
            assertThat(p.name()).isEqualTo(folder.getFileName().toString());
            assertThat(p.file().run()).isEqualTo(HlsSettings.defaultRun());
            assertThat(p.runs()).as("opening writes nothing").isEmpty();
            assertThat(folder).isDirectoryNotContaining("glob:**/.knobscape*");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"formatVersion": 2, "source": "gemm.cpp"}                          | newer Knobscape (format 2, this program reads up to 1)
            {"formatVersion": 0, "source": "gemm.cpp"}                          | formatVersion 0 does not exist
            {"source": "gemm.cpp"}                                              | has no formatVersion
            {"formatVersion": 1}                                                | names no source
            {"formatVersion": 1, "source": 3}                                   | source must be a string
            {"formatVersion": 1, "source": "gemm.cpp", "clokNs": 5}             | 'clokNs' is not a known key (did you mean 'clockNs'?)
            {"formatVersion": 1, "source": "gemm.cpp", "clockNs": -5}           | clockNs must be a number above 0
            {"formatVersion": 1, "source": "gemm.cpp", "kind": "asic"}          | kind 'asic' is not known
            {"formatVersion": 1, "source": "gemm.cpp", "run": {"steps": -1}}    | run.steps must be a whole number from 0
            {"formatVersion": 1, "source": "gemm.cpp", "run": {"parallel": 0}}  | run.parallel must be a whole number from 1 to 256
            {"formatVersion": 1, "source": "gemm.cpp", "run": {"sed": 1}}       | 'run.sed' is not a known key (did you mean 'seed'?)
            {"formatVersion": 1, "source": "a", "source": "b"}                  | is not valid JSON
            {"formatVersion": 1,                                                | is not valid JSON
            [1]                                                                 | must hold one JSON object
            """)
    void aWrongProjectFileGetsOneSentence(String text, String expected) throws IOException {
        Path json = json(text);
        assertThatThrownBy(() -> Project.open(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(json.toString())
                .hasMessageContaining(expected)
                .satisfies(e -> assertThat(e.getMessage()).endsWith(".").doesNotContain("\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "description", "source", "top", "directives", "part"})
    void textThatNoFileCanHoldIsRefused(String key) throws IOException {
        for (String bad : List.of("a\\u0000b", "a\\ud800", "\\udc00b")) {
            Path json = Files.writeString(
                    folder.resolve(ProjectFile.FILE_NAME),
                    "{\"formatVersion\": 1, " + (key.equals("source") ? "" : "\"source\": \"gemm.cpp\", ") + "\"" + key
                            + "\": \"" + bad + "\"}");
            assertThatThrownBy(() -> ProjectFile.read(json))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(key + " must be text without NUL");
        }
    }

    @Test
    void syntaxErrorsNameTheLine() throws IOException {
        json("{\"formatVersion\": 1,\n \"source\": oops}");
        assertThatThrownBy(() -> Project.open(folder)).hasMessageContaining(ProjectFile.FILE_NAME + ":2");
    }

    @Test
    void whatIsNotThereOrNoProjectGetsOneSentence() {
        assertThatThrownBy(() -> Project.open(folder.resolve("none")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There is no file or folder");
        assertThatThrownBy(() -> Project.open(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("without knobscape.json");
    }

    @Test
    void aBareSourceGetsAScratchProjectBesideItWhenSomethingIsStored() throws IOException {
        Path source = Files.writeString(folder.resolve("k.cpp"), "void k() {}\n");
        try (Project p = Project.open(source)) {
            assertThat(p.isScratch()).isTrue();
            assertThat(p.name()).isEqualTo("k");
            assertThat(folder.resolve("k.knobscape")).doesNotExist();
            p.lock();
        }
        assertThat(folder.resolve("k.knobscape").resolve(RunStore.FILE_NAME)).exists();
        try (Project again = Project.open(folder.resolve("k.knobscape"))) {
            assertThat(again.source()).isEqualTo(source.toAbsolutePath());
            assertThat(again.runs()).isPresent();
        }
        try (Project again = Project.open(source)) {
            assertThat(again.runs()).as("found again from the source").isPresent();
        }
    }

    @Test
    void aScratchFolderBelongsToOneSource() throws IOException {
        Path a = Files.writeString(folder.resolve("a.cpp"), "");
        Path b = Files.writeString(folder.resolve("b.cpp"), "");
        Path out = folder.resolve("out");
        try (Project p = Project.open(a, Optional.of(out))) {
            p.lock();
        }
        assertThatThrownBy(() -> Project.open(b, Optional.of(out)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a.cpp")
                .hasMessageContaining("--out");
    }

    /// Networks share a folder, other areas get one of their own beside it.
    @Test
    void networksShareAFolderWithTheirLikesOnly() throws IOException {
        Path first = Files.writeString(folder.resolve("a.onnx"), "");
        Path second = Files.writeString(folder.resolve("b.onnx"), "");
        var gpu = Areas.standard().areas().stream()
                .filter(a -> a.kind().equals("gpu"))
                .findFirst()
                .orElseThrow();
        var fusion = Areas.standard().areas().stream()
                .filter(a -> a.kind().equals("fusion"))
                .findFirst()
                .orElseThrow();
        Path out = folder.resolve("runs");
        Path store;
        try (Project p = Project.shared(gpu.bare(first), Optional.of(out))) {
            assertThat(p.isScratch()).isTrue();
            assertThat(p.runsFolder()).isEqualTo(out.toAbsolutePath());
            p.lock();
            store = p.runsFolder();
        }
        try (Project p = Project.shared(gpu.bare(second), Optional.of(out))) {
            assertThat(p.runsFolder()).isEqualTo(store);
            assertThat(p.source()).as("the folder is the first one's").isEqualTo(first.toAbsolutePath());
            assertThat(p.runs()).isPresent();
        }
        assertThatThrownBy(() -> Project.shared(fusion.bare(first), Optional.of(out)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("holds a project of '" + gpu.title() + "'")
                .hasMessageContaining("--out");
        var own = gpu.bare(first);
        try (Project p = Project.shared(own, Optional.empty())) {
            p.lock();
        }
        try (Project p = Project.shared(
                new knobscape.work.Area.BareProject(
                        "a", own.folder(), fusion.bare(first).work()),
                Optional.empty())) {
            assertThat(p.runsFolder().getParent())
                    .isEqualTo(own.folder().toAbsolutePath().getParent());
            assertThat(p.runsFolder().getFileName().toString()).isEqualTo("a-" + fusion.verb() + ".knobscape");
        }
    }

    @Test
    void onlyOneWriterAtATime() throws IOException {
        json("{\"formatVersion\": 1, \"source\": \"gemm.cpp\"}");
        try (Project second = Project.open(folder)) {
            try (Project first = Project.open(folder)) {
                first.lock();
                refuses(second);
            }
            second.lock();
            assertThat(second.isLocked()).isTrue();
        }
    }

    private static void refuses(Project second) {
        assertThat(second.lockedBy())
                .hasValueSatisfying(w -> assertThat(w)
                        .startsWith("process " + ProcessHandle.current().pid() + " on "));
        assertThatThrownBy(second::lock)
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "in use by process " + ProcessHandle.current().pid());
        assertThat(second.runs()).as("reading is free").isPresent();
    }

    @Test
    void aLockLeftBehindByADeadProcessIsStale() throws IOException {
        json("{\"formatVersion\": 1, \"source\": \"gemm.cpp\"}");
        Files.writeString(folder.resolve(ProjectLock.FILE_NAME), "process 1 on elsewhere");
        try (Project p = Project.open(folder)) {
            assertThat(p.lockedBy()).isEmpty();
            p.lock();
            assertThat(p.isLocked()).isTrue();
        }
    }

    @Test
    void aFolderThatCannotBeWrittenGetsOneSentence() throws IOException {
        Path file = Files.writeString(folder.resolve("plain"), "");
        Path source = Files.writeString(folder.resolve("k.cpp"), "");
        try (Project p = Project.open(source, Optional.of(file.resolve("out")))) {
            assertThatThrownBy(p::lock)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(file.resolve("out").toString());
        }
        try (Project p = Project.open(source, Optional.of(file))) {
            assertThatThrownBy(p::lock).isInstanceOf(UserError.class).hasMessageContaining("is a file, not a folder");
        }
    }
}

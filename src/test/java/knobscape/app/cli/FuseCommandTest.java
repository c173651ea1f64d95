package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.export.StrategyFile;
import knobscape.network.chain.Linearization;
import knobscape.network.onnx.OnnxWriter;
import knobscape.network.onnx.WeightFill;
import knobscape.network.table.LayerTableText;
import knobscape.network.zoo.Zoo;
import knobscape.project.BoxTools;
import knobscape.project.Project;
import knobscape.project.RunFiles;
import knobscape.project.RunSession;
import knobscape.project.RunStatus;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `fuse` as a person uses it.
class FuseCommandTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder, BoxTools::tools);

    /// What a test leaves in the user's folder is its own.
    @BeforeEach
    void ownUser() {
        System.setProperty("knobscape.config", folder.resolve("user").toString());
    }

    @AfterEach
    void noUser() {
        System.clearProperty("knobscape.config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gsampler", "ga", "de", "pso", "tbpsa", "cmaes"})
    void aBudgetMayEndInsideAPopulation(String method) {
        assertThat(terminal.run("fuse", "resnet18", "--method", method, "--evaluations", "53", "--out", "o"))
                .as(terminal::err)
                .isZero();
    }

    @Test
    void searchesPrintsStoresAndWrites() {
        assertThat(terminal.run("fuse", "resnet18", "--buffer", "20MB", "--evaluations", "120", "--out", "o"))
                .isZero();
        assertThat(terminal.out())
                .contains("resnet18, 18 layers, batch 64, accelerator calibrated, buffer 20.00 MB")
                .contains("Speedup ")
                .contains("Peak on-chip use is")
                .contains("Run: " + folder.resolve("o") + ":1");
        assertThat(folder.resolve("o"))
                .isDirectoryContaining("glob:**/strategy.json")
                .isDirectoryContaining("glob:**/strategy.csv")
                .isDirectoryContaining("glob:**/front.csv")
                .isDirectoryContaining("glob:**/designs.csv")
                .isDirectoryContaining("glob:**/run.json")
                .isDirectoryContaining("glob:**/report.md");
        StrategyFile file = StrategyFile.read(folder.resolve("o/strategy.json"));
        assertThat(file.accelerator().bufferBytes()).isEqualTo(20_000_000);
        // What was written can be explained again.
        assertThat(terminal.run("fuse", "resnet18", "--buffer", "20MB", "--strategy", "o/strategy.json", "--json"))
                .isZero();
        assertThat(terminal.json().get("strategy").toString())
                .isEqualTo(java.util.Arrays.toString(file.strategy().toArray()).replace(" ", ""));
        assertThat(terminal.run("runs", "o")).isZero();
        assertThat(terminal.out()).contains("auto").contains("1/120");
        assertThat(folder.resolve("o/report.md"))
                .content()
                .contains("## Best strategy", "Speedup ", "Peak on-chip use is", "Proven: no strategy", "| 1 | 1-");
    }

    @Test
    void withJsonStandardOutputIsOneDocumentOfTheKnownShape() {
        assertThat(terminal.run(
                        "fuse",
                        "vgg11",
                        "--buffer",
                        "20MB",
                        "--evaluations",
                        "80",
                        "--seed",
                        "3",
                        "--json",
                        "--out",
                        "o"))
                .isZero();
        JsonNode root = terminal.json();
        for (String key : new String[] {
            "run",
            "method",
            "seed",
            "evaluations",
            "hours",
            "algorithmSeconds",
            "front",
            "hypervolume",
            "best",
            "batch",
            "bufferBytes"
        }) {
            assertThat(root.has(key)).as(key).isTrue();
        }
        assertThat(root.get("evaluations").intValue()).isPositive().isLessThanOrEqualTo(80);
        assertThat(root.get("front").get(0).get("knobs").get("mb0@input").asString())
                .matches("\\d+");
        assertThat(root.get("front").get(0).get("objectives").has("latency")).isTrue();
        assertThat(root.get("best").get("valid").booleanValue()).isTrue();
        JsonNode first = root.get("best");
        terminal.run("fuse", "vgg11", "--buffer", "20MB", "--evaluations", "80", "--seed", "3", "--json", "--out", "p");
        assertThat(terminal.json().get("best")).isEqualTo(first);
    }

    @Test
    void aProjectFolderAndATableAndAGraphAreTheSameNetwork() throws IOException {
        Files.createDirectory(folder.resolve("net"));
        Files.writeString(
                folder.resolve("net/net.csv"),
                LayerTableText.csv(LayerTableText.of(Linearization.of(Zoo.RESNET18.network(1)))));
        Files.writeString(folder.resolve("net/accelerator.json"), """
                {"format": "knobscape-accelerator", "formatVersion": 1, "pes": 1024, "macsPerPe": 4096, "frequencyGHz": 1, "offChipGBps": 900, "onChipGBps": 9000, "buffer": "64MB"}""");
        Files.writeString(folder.resolve("net/knobscape.json"), """
                {"formatVersion": 1, "name": "net", "kind": "fusion", "source": "net.csv", "accelerator": "accelerator.json", "buffer": "20MB", "batch": 32, "run": {"method": "exact", "evaluations": 5}}""");
        assertThat(terminal.run("fuse", "net", "--json")).isZero();
        double project = terminal.json().get("best").get("latencySeconds").doubleValue();
        assertThat(terminal.json().get("command").asString()).startsWith("knobscape fuse " + folder.resolve("net"));
        assertThat(terminal.run(
                        "fuse",
                        "net/net.csv",
                        "--batch",
                        "32",
                        "--buffer",
                        "20MB",
                        "--method",
                        "exact",
                        "--cost-model",
                        "paper",
                        "--json",
                        "--out",
                        "o"))
                .isZero();
        assertThat(terminal.json().get("best").get("latencySeconds").doubleValue())
                .isEqualTo(project);
        assertThat(terminal.run(
                        "fuse",
                        "zoo:resnet18",
                        "--batch",
                        "32",
                        "--buffer",
                        "20MB",
                        "--method",
                        "exact",
                        "--cost-model",
                        "paper",
                        "--json",
                        "--out",
                        "z"))
                .isZero();
        assertThat(terminal.json().get("best").get("latencySeconds").doubleValue())
                .isEqualTo(project);
        OnnxWriter.write(Zoo.RESNET18.network(4), folder.resolve("net.onnx"), WeightFill.computed());
        assertThat(terminal.run(
                        "fuse",
                        "net.onnx",
                        "--batch",
                        "32",
                        "--buffer",
                        "20MB",
                        "--method",
                        "exact",
                        "--cost-model",
                        "paper",
                        "--json",
                        "--out",
                        "x"))
                .isZero();
        assertThat(terminal.json().get("best").get("latencySeconds").doubleValue())
                .isEqualTo(project);
        assertThat(terminal.run("explore", "net")).isEqualTo(1);
        assertThat(terminal.err()).contains("knobscape fuse");
    }

    @Test
    void theDefaultOfThePapersModelIsTheProvenBestAndSaysSo() {
        assertThat(terminal.run(
                        "fuse", "resnet18", "--buffer", "20MB", "--cost-model", "paper", "--json", "--out", "a"))
                .isZero();
        JsonNode auto = terminal.json();
        assertThat(auto.get("method").asString()).isEqualTo("auto");
        assertThat(auto.get("best").get("proven").booleanValue()).isTrue();
        assertThat(auto.get("best").get("lowerBoundSeconds").doubleValue())
                .isEqualTo(auto.get("best").get("latencySeconds").doubleValue());
        assertThat(terminal.run(
                        "fuse",
                        "resnet18",
                        "--buffer",
                        "20MB",
                        "--method",
                        "exact",
                        "--cost-model",
                        "paper",
                        "--json",
                        "--out",
                        "e"))
                .isZero();
        assertThat(terminal.json().get("best")).isEqualTo(auto.get("best"));
        assertThat(terminal.run(
                        "fuse",
                        "resnet18",
                        "--buffer",
                        "20MB",
                        "--method",
                        "dp",
                        "--cost-model",
                        "paper",
                        "--json",
                        "--out",
                        "d"))
                .isZero();
        assertThat(terminal.json().get("best").has("proven")).isFalse();
        assertThat(terminal.json().get("best").get("speedup").doubleValue())
                .isLessThan(auto.get("best").get("speedup").doubleValue());
    }

    @Test
    void aLearnedAnswerThatIsWorseThanDpGivesWayAndThatIsSaid() {
        assertThat(terminal.run(
                        "fuse", "vgg11", "--batch", "256", "--buffer", "53MB", "--method", "dnnfuser", "--out", "o"))
                .isZero();
        assertThat(terminal.out())
                .contains("Speedup 3.83 over no fusion")
                .contains("is faster than the answer of DNNFuser (speedup 0.10), so it is taken instead.");
        assertThat(folder.resolve("o/report.md")).content().contains("so it is taken instead.");
        assertThat(terminal.run(
                        "fuse",
                        "vgg11",
                        "--batch",
                        "256",
                        "--buffer",
                        "53MB",
                        "--method",
                        "dnnfuser",
                        "--evaluations",
                        "1",
                        "--json",
                        "--out",
                        "p"))
                .isZero();
        assertThat(terminal.json().get("best").get("speedup").doubleValue()).isGreaterThan(3.8);
    }

    @Test
    void aStrategyFileIsEvaluatedOnItsOwnAcceleratorUnlessAnotherIsAskedFor() throws IOException {
        Files.writeString(folder.resolve("chip.json"), """
                {"format": "knobscape-accelerator", "formatVersion": 1, "name": "edge", "pes": 64, "frequencyGHz": 1,
                 "offChipGBps": 10, "onChipGBps": 100, "buffer": "3MB"}
                """);
        assertThat(terminal.run(
                        "fuse",
                        "alexnet",
                        "--accelerator",
                        "chip.json",
                        "--batch",
                        "9",
                        "--cost-model",
                        "paper",
                        "--json",
                        "--out",
                        "o"))
                .isZero();
        double made = terminal.json().get("best").get("latencySeconds").doubleValue();
        assertThat(terminal.run("fuse", "alexnet", "--strategy", "o/strategy.json", "--json"))
                .isZero();
        assertThat(terminal.json().get("latencySeconds").doubleValue()).isEqualTo(made);
        assertThat(terminal.json().get("accelerator").get("name").asString()).isEqualTo("edge");
        assertThat(terminal.err()).contains("that the file was made for");
        assertThat(terminal.run(
                        "fuse", "alexnet", "--strategy", "o/strategy.json", "--accelerator", "calibrated", "--json"))
                .isZero();
        assertThat(terminal.json().get("latencySeconds").doubleValue()).isLessThan(made);
        assertThat(terminal.json().get("batch").intValue()).isEqualTo(9);
        assertThat(terminal.err())
                .contains("Evaluated on calibrated with 64.00 MB, batch 9, as asked; the file was made for edge with"
                        + " 3.00 MB, batch 9.");
    }

    /// Populations do not depend on what is left to spend.
    @Tag("slow")
    @Test
    void everySearchIsResumedWithMoreEvaluations() {
        for (String method : List.of("tbpsa", "gsampler", "cmaes", "de", "ga", "seq2seq")) {
            assertThat(terminal.run(
                            "fuse",
                            "alexnet",
                            "--method",
                            method,
                            "--evaluations",
                            "130",
                            "--buffer",
                            "200MB",
                            "--out",
                            method))
                    .isZero();
            assertThat(terminal.run("fuse", "--resume", method, "--evaluations", "700", "--json"))
                    .as(method + ": " + terminal.err())
                    .isZero();
            JsonNode resumed = terminal.json().get("best");
            assertThat(terminal.run(
                            "fuse",
                            "alexnet",
                            "--method",
                            method,
                            "--evaluations",
                            "700",
                            "--buffer",
                            "200MB",
                            "--json",
                            "--out",
                            method + "2"))
                    .isZero();
            assertThat(terminal.json().get("best")).as(method).isEqualTo(resumed);
        }
    }

    /// A search of alexnet in `store` that was stopped half-way.
    private void stopped(Path store) throws Exception {
        try (Project project = Project.scratch(FusionArea.bare("zoo:alexnet", folder), Optional.of(store));
                Runner runner = Runner.withSystemClocks()) {
            var bench = Session.of(
                    project,
                    project.file()
                            .work(FusionSettings.class)
                            .with(FusionSettings.COST_MODEL, FusionSettings.CostModelKind.PAPER)
                            .with(FusionSettings.BUFFER, 5_000_000L),
                    s -> FusionWorkbench.open(project, (FusionSettings) s));
            var box = new CompletableFuture<RunSession>();
            RunSession session = runner.start(
                    bench,
                    FusionWorkbench.defaultRun()
                            .with(RunSettings.METHOD, "pso")
                            .with(RunSettings.SEED, 2L)
                            .with(RunSettings.STEPS, 3000)
                            .with(RunSettings.INITIAL, 1)
                            .with(RunSettings.EARLY_STOP, 0),
                    List.of(e -> {
                        if (e instanceof RunEvent.Batch b && b.step() >= 700) {
                            box.join().stop();
                        }
                    }));
            box.complete(session);
            session.await();
            assertThat(session.results().run().status()).isEqualTo(RunStatus.STOPPED);
            RunFiles.write(project, session.results(), store, FileGuard.standard());
        }
    }

    private JsonNode undisturbed() {
        assertThat(terminal.run(
                        "fuse",
                        "alexnet",
                        "--buffer",
                        "5MB",
                        "--method",
                        "pso",
                        "--evaluations",
                        "3000",
                        "--seed",
                        "2",
                        "--out",
                        "undisturbed",
                        "--json"))
                .isZero();
        return terminal.json();
    }

    @Test
    void aStoppedRunIsResumed() throws Exception {
        JsonNode whole = undisturbed();
        stopped(folder.resolve("r"));
        assertThat(terminal.run("fuse", "--resume", "r", "--json")).isZero();
        assertThat(terminal.json().get("steps").intValue()).isEqualTo(3000);
        for (String same : List.of("best", "designs", "hypervolume", "front")) {
            assertThat(terminal.json().get(same)).as(same).isEqualTo(whole.get(same));
        }
    }

    @Test
    void resultsFilesAreThoseOfTheEndOfAResumedRun() throws Exception {
        JsonNode whole = undisturbed();
        stopped(folder.resolve("r"));
        assertThat(terminal.run("fuse", "--resume", "r")).isZero();
        assertThat(JsonMapper.shared()
                        .readTree(folder.resolve("r/run.json"))
                        .get("steps")
                        .intValue())
                .isEqualTo(3000);
        assertThat(StrategyFile.read(folder.resolve("r/strategy.json"))
                        .strategy()
                        .toArray())
                .isEqualTo(whole.get("best")
                        .get("strategy")
                        .valueStream()
                        .mapToInt(JsonNode::intValue)
                        .toArray());
    }

    /// A copy of a folder that holds a run and its results has a run of its own.
    @Test
    void aCopyIsResumedInItself() throws Exception {
        assertThat(terminal.run("fuse", "alexnet", "--method", "random", "--evaluations", "20", "--out", "d"))
                .isZero();
        Files.createDirectory(folder.resolve("e"));
        try (var files = Files.list(folder.resolve("d"))) {
            for (Path f : files.toList()) {
                Files.copy(f, folder.resolve("e").resolve(f.getFileName()));
            }
        }
        assertThat(terminal.run("fuse", "--resume", "e", "--evaluations", "30")).isZero();
        assertThat(Files.readString(folder.resolve("d/run.json"))).contains("\"steps\" : 20");
        assertThat(Files.readString(folder.resolve("e/run.json"))).contains("\"steps\" : 30");
        assertThat(terminal.run("runs", "d")).isZero();
        assertThat(terminal.out()).contains("20/20");
    }

    @Test
    void twentyThousandEvaluationsLeaveASmallStore() throws IOException {
        long before = System.nanoTime();
        assertThat(terminal.run("fuse", "resnet50", "--method", "gsampler", "--evaluations", "20000", "--out", "o"))
                .isZero();
        assertThat((System.nanoTime() - before) * 1e-9)
                .as("seconds, alone 2 at most")
                .isLessThan(20);
        assertThat(Files.size(folder.resolve("o/runs.db"))).isLessThan(5_000_000);
        assertThat(terminal.run("runs", "o")).isZero();
        assertThat(terminal.out()).contains("20000/20000");
    }

    @Test
    void runsGoBesideTheFileAndThoseOfABuiltInNetworkToTheUsersFolder() throws IOException {
        Path here = Files.createDirectory(folder.resolve("here"));
        Path net = Files.createDirectory(folder.resolve("net")).resolve("net.csv");
        Files.writeString(net, LayerTableText.csv(LayerTableText.of(Linearization.of(Zoo.VGG11.network(1)))));
        var elsewhere = new Terminal(() -> here, BoxTools::tools);
        assertThat(elsewhere.run("fuse", "vgg11", "--evaluations", "50")).isZero();
        assertThat(elsewhere.run("fuse", net.toString(), "--evaluations", "50")).isZero();
        assertThat(elsewhere.run("fuse", "vgg11", "--strategy", "8^12")).isZero();
        assertThat(here).isEmptyDirectory();
        assertThat(folder.resolve("user/runs/vgg11-fusion.knobscape/runs.db")).exists();
        assertThat(folder.resolve("net/net.csv.knobscape/runs.db")).exists();
    }

    @Test
    void aSearchThatFindsNothingThatFitsSaysSo() {
        assertThat(terminal.run(
                        "fuse",
                        "vgg16",
                        "--buffer",
                        "1MB",
                        "--method",
                        "random",
                        "--constraint",
                        "death",
                        "--evaluations",
                        "30",
                        "--out",
                        "o"))
                .isEqualTo(1);
        assertThat(terminal.err())
                .contains("No strategy that fits 1.00 MB was found (N/A)")
                .contains("gsampler");
        assertThat(folder.resolve("o/strategy.json")).doesNotExist();
    }

    @Test
    void explainsAStrategyThatDoesNotFit() {
        assertThat(terminal.run("fuse", "vgg16", "--buffer", "10MB", "--strategy", "64,6,-1^15"))
                .isZero();
        assertThat(terminal.out())
                .contains("Speedup N/A")
                .contains("It needs 19.27 MB for the activations of layers 1 to 2, but the buffer holds 10.00 MB.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resnet5 | 1 | did you mean 'resnet50'?",
                "zoo:nope | 1 | There is no built-in network 'nope'",
                "missing.onnx | 1 | There is no file 'missing.onnx'",
                "resnet18 --buffer -20MB | 2 | --buffer must be a size",
                "resnet18 --buffer 20 | 2 | --buffer must be a size",
                "resnet18 --batch 0 | 2 | atch must be a whole number from 1 to 4096",
                "resnet18 --batch -3 | 2 | atch must be",
                "resnet18 --evaluations 0 | 2 | --evaluations must be a whole number from 1",
                "resnet18 --evaluations 900000 | 2 | from 1 to 100000",
                "resnet18 --method gsmpler | 2 | did you mean 'gsampler'?",
                "resnet18 --constraint maybe | 2 | --constraint",
                "resnet18 --accelerator none.json | 1 | no accelerator of that name is built in",
                "resnet18 --strategy 64,1 | 2 | wants 19",
                "resnet18 --strategy 64,x^18 | 2 | is not an entry of a strategy",
                "resnet18 --strategy 64,99^18 | 2 | more than the batch of 64",
                "inception_v3 --method exact --cost-model paper | 1 | cannot be proven",
                "'' | 2 | Name a network"
            })
    void whatIsWrongIsSaidInOneSentence(String words, int status, String sentence) {
        String[] arguments = ("fuse" + (words.isEmpty() ? "" : " " + words)).split(" ");
        assertThat(terminal.run(arguments)).isEqualTo(status);
        assertThat(terminal.err())
                .contains(sentence)
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
    }

    @Test
    void damagedNetworkFilesAreSaid() throws IOException {
        String csv = LayerTableText.csv(LayerTableText.of(Linearization.of(Zoo.VGG11.network(1))));
        Files.writeString(folder.resolve("cut.csv"), csv.substring(0, csv.length() / 2));
        assertThat(terminal.run("fuse", "cut.csv")).isEqualTo(1);
        assertThat(terminal.err()).contains("cut.csv");
        Files.write(folder.resolve("cut.onnx"), new byte[] {8, 7, 6, 5});
        assertThat(terminal.run("fuse", "cut.onnx")).isEqualTo(1);
        assertThat(terminal.err()).contains("cut.onnx").doesNotContain("\tat ");
        Files.writeString(folder.resolve("x.json"), "{\"format\": \"other\"}");
        assertThat(terminal.run("fuse", "x.json")).isEqualTo(1);
        assertThat(terminal.err()).contains("x.json");
        assertThat(folder.resolve("x.json.knobscape")).doesNotExist();
    }
}

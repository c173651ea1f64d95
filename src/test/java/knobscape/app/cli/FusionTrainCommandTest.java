package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.project.BoxTools;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `fusion-train` and asking its models as a person does.
class FusionTrainCommandTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder, BoxTools::tools);

    @Test
    void trainsFineTunesAndIsAsked() {
        Assumptions.assumeTrue(TorchRuntime.problem().isEmpty(), "LibTorch does not load here");
        assertThat(terminal.run(
                        "fusion-train",
                        "alexnet",
                        "--model",
                        "a.seq",
                        "--steps",
                        "3",
                        "--lessons",
                        "20",
                        "--batch",
                        "16",
                        "--json"))
                .isZero();
        JsonNode json = terminal.json();
        assertThat(json.get("steps").intValue()).isEqualTo(3);
        assertThat(json.get("losses")).hasSize(3);
        assertThat(terminal.err()).contains("20 of 20 lessons").contains("step 3 of 3, loss");
        assertThat(terminal.run(
                        "fusion-train",
                        "vgg11",
                        "--from",
                        "a.seq",
                        "--model",
                        "b.seq",
                        "--steps",
                        "20",
                        "--lessons",
                        "20"))
                .isZero();
        assertThat(terminal.out()).contains("trained for 5 steps");
        assertThat(terminal.run(
                        "fuse", "vgg11", "--method", "dnnfuser", "--model", "b.seq", "--buffer", "20MB", "--out", "o"))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.out()).contains("Speedup ");
        assertThat(terminal.run("fusion-train", "vgg11", "--model", "b.seq")).isEqualTo(1);
        assertThat(terminal.err()).contains("already holds a finished model");
    }

    @Test
    void theModelsThatShipAreAsked() {
        for (String method : new String[] {"dnnfuser", "seq2seq", "dnnfuser-published"}) {
            assertThat(terminal.run(
                            "fuse", "resnet50", "--method", method, "--buffer", "20MB", "--out", method, "--json"))
                    .as(terminal.err())
                    .isZero();
            JsonNode json = terminal.json();
            assertThat(json.get("evaluations").intValue())
                    .as("the search that guards it, and the model: two passes, of the published one one")
                    .isEqualTo(method.equals("dnnfuser-published") ? 2 : 3);
        }
    }

    @Test
    void wrongUsageIsSaidInASentence() throws java.io.IOException {
        assertThat(terminal.run("fusion-train")).isEqualTo(2);
        assertThat(terminal.run("fusion-train", "--method", "gpt", "--model", "x.seq"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("--method is dnnfuser, seq2seq or dnnfuser-published, not gpt.");
        assertThat(terminal.run("fusion-train", "--from-shipped", "--model", "x.seq"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("Name the network to fine-tune for.");
        assertThat(terminal.run("fusion-train", "--steps", "0", "--model", "x.seq"))
                .isEqualTo(2);
        assertThat(terminal.run("fusion-train", "nothing.onnx", "--model", "x.seq"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("There is no file 'nothing.onnx'");
        assertThat(terminal.run("fuse", "alexnet", "--method", "gsampler", "--model", "x.seq"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("--model goes with --method dnnfuser, seq2seq or dnnfuser-published");
        Files.writeString(folder.resolve("bad.seq"), "hello");
        assertThat(terminal.run("fuse", "alexnet", "--method", "dnnfuser", "--model", "bad.seq", "--out", "o"))
                .isNotZero();
        assertThat(terminal.err()).contains("bad.seq").contains("is no sequence model");
    }
}

package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.project.BoxTools;
import knobscape.project.Runner;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `fusion-train` and asking its models as a person does.
class FusionTrainCommandTest {
    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int knobscape(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.execute(new CommandContext(BoxTools::tools, Runner::withSystemClocks, folder, false), new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void trainsFineTunesAndIsAsked() {
        Assumptions.assumeTrue(TorchRuntime.problem().isEmpty(), "LibTorch does not load here");
        assertThat(knobscape("fusion-train", "alexnet", "--model", "a.seq", "--steps", "3", "--lessons", "20", "--batch", "16", "--json")).isZero();
        JsonNode json = JsonMapper.builder().build().readTree(out.toString());
        assertThat(json.get("steps").intValue()).isEqualTo(3);
        assertThat(json.get("losses")).hasSize(3);
        assertThat(err.toString()).contains("20 of 20 lessons").contains("step 3 of 3, loss");
        assertThat(knobscape("fusion-train", "vgg11", "--from", "a.seq", "--model", "b.seq", "--steps", "20", "--lessons", "20")).isZero();
        assertThat(out.toString()).contains("trained for 5 steps");
        assertThat(knobscape("fuse", "vgg11", "--method", "dnnfuser", "--model", "b.seq", "--buffer", "20MB", "--out", "o")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("Speedup ");
        assertThat(knobscape("fusion-train", "vgg11", "--model", "b.seq")).isEqualTo(1);
        assertThat(err.toString()).contains("already holds a finished model");
    }

    @Test
    void theModelsThatShipAreAsked() {
        for (String method : new String[] {"dnnfuser", "seq2seq"}) {
            assertThat(knobscape("fuse", "resnet50", "--method", method, "--buffer", "20MB", "--out", method, "--json")).as(err.toString()).isZero();
            JsonNode json = JsonMapper.builder().build().readTree(out.toString());
            assertThat(json.get("evaluations").intValue()).isEqualTo(2);
        }
    }

    @Test
    void wrongUsageIsSaidInASentence() throws java.io.IOException {
        assertThat(knobscape("fusion-train")).isEqualTo(2);
        assertThat(knobscape("fusion-train", "--method", "gpt", "--model", "x.seq")).isEqualTo(2);
        assertThat(err.toString()).contains("--method is dnnfuser or seq2seq, not gpt.");
        assertThat(knobscape("fusion-train", "--from-shipped", "--model", "x.seq")).isEqualTo(2);
        assertThat(err.toString()).contains("Name the network to fine-tune for.");
        assertThat(knobscape("fusion-train", "--steps", "0", "--model", "x.seq")).isEqualTo(2);
        assertThat(knobscape("fusion-train", "nothing.onnx", "--model", "x.seq")).isEqualTo(1);
        assertThat(err.toString()).contains("There is no file 'nothing.onnx'");
        assertThat(knobscape("fuse", "alexnet", "--method", "gsampler", "--model", "x.seq")).isEqualTo(2);
        assertThat(err.toString()).contains("--model goes with --method dnnfuser or seq2seq");
        Files.writeString(folder.resolve("bad.seq"), "hello");
        assertThat(knobscape("fuse", "alexnet", "--method", "dnnfuser", "--model", "bad.seq", "--out", "o")).isNotZero();
        assertThat(err.toString()).contains("bad.seq").contains("is no sequence model");
    }
}

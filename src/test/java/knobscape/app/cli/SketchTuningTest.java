package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.table.NetworkJson;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A transformer block from a file to tuned kernels of sketches, on the command line.
class SketchTuningTest {
    private static final int WORDS = 16;
    private static final int WIDTH = 32;
    private static final int HEADS = 2;

    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    private static String linear(NetworkBuilder b, String name, String x, int from, int to) {
        String product = b.add(name + "_product", new Operator.MatMul(), x, b.weight(name + "_w", from, to));
        return b.add(
                name, new Operator.Elementwise(Operator.Elementwise.Function.ADD), product, b.weight(name + "_b", to));
    }

    private static String norm(NetworkBuilder b, String name, String x) {
        return b.add(
                name, new Operator.LayerNorm(2, 1e-5), x, b.weight(name + "_g", WIDTH), b.weight(name + "_s", WIDTH));
    }

    private static String heads(NetworkBuilder b, String name, String x, Integer... order) {
        String split = b.add(
                name + "_split",
                new Operator.Reshape(Shape.of(1, WORDS, HEADS, WIDTH / HEADS)),
                linear(b, name, x, WIDTH, WIDTH));
        return b.add(name + "_turned", new Operator.Transpose(List.of(order)), split);
    }

    /// Attention and the two layers behind it, each with its normalisation and the way around it.
    private static Network block() {
        var b = new NetworkBuilder("block", ElementType.FLOAT32);
        var sum = new Operator.Elementwise(Operator.Elementwise.Function.ADD);
        String x = b.input("x", Shape.of(1, WORDS, WIDTH));
        String first = norm(b, "norm1", x);
        String scores = b.add(
                "scores",
                new Operator.MatMul(),
                heads(b, "query", first, 0, 2, 1, 3),
                heads(b, "key", first, 0, 2, 3, 1));
        String scaled = b.add(
                "scaled", new Operator.Elementwise(Operator.Elementwise.Function.MUL), scores, b.weight("scale", 1));
        String attention = b.add("attention", new Operator.Softmax(3, false, false), scaled);
        String context = b.add("context", new Operator.MatMul(), attention, heads(b, "value", first, 0, 2, 1, 3));
        String joined = b.add(
                "joined",
                new Operator.Reshape(Shape.of(1, WORDS, WIDTH)),
                b.add("together", new Operator.Transpose(List.of(0, 2, 1, 3)), context));
        String middle = b.add("middle", sum, linear(b, "out", joined, WIDTH, WIDTH), x);
        String wide = b.add(
                "gelu",
                new Operator.Unary(Operator.Unary.Function.GELU),
                linear(b, "wide", norm(b, "norm2", middle), WIDTH, 2 * WIDTH));
        b.output(b.add("last", sum, linear(b, "narrow", wide, 2 * WIDTH, WIDTH), middle));
        return b.build();
    }

    private JsonNode tuned(String device, String trials) throws Exception {
        Files.writeString(
                folder.resolve("block.json"), NetworkJson.write(block()).toPrettyString());
        assertThat(terminal.run(
                        "tune",
                        "block.json",
                        "--sketches",
                        "--method",
                        "random",
                        "--device",
                        device,
                        "--trials",
                        trials,
                        "--out",
                        "run"))
                .as(terminal::err)
                .isZero();
        return JsonMapper.shared().readTree(Files.readString(folder.resolve("run/tuning.json")));
    }

    @Test
    void everySubgraphOfATransformerBlockIsTuned() throws Exception {
        JsonNode tuning = tuned("model:gtx1080ti", "120");

        assertThat(tuning.path("untuned").size()).isZero();
        assertThat(tuning.path("front")
                        .valueStream()
                        .map(k -> k.path("design").asString("").replaceFirst("_\\d.*", "")))
                .contains("layer_norm", "softmax", "batch_matmul", "transpose", "dense");
        assertThat(tuning.path("latencyMs").asDouble(0)).isPositive();
        assertThat(terminal.run("export", "run", "--as", "cuda", "--out", "kernels"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.run("export", "run", "--as", "csv"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.run("export", "run", "--as", "autotvm")).isEqualTo(1);
        assertThat(terminal.err()).contains("AutoTVM's log has no place for it");
    }

    /// On a device that runs code a result that is wrong is a failure of its own kind, and the first result of every
    /// kernel and each new best is compared with the reference.
    @Tag("slow")
    @Test
    void onADeviceEveryKernelOfTheBlockIsRight() throws Exception {
        Assumptions.assumeTrue(
                terminal.run("doctor") == 0 && terminal.out().matches("(?s).*Device opencl\\s+found.*"),
                "no OpenCL device");
        JsonNode tuning = tuned("opencl", "24");

        assertThat(Files.readString(folder.resolve("run/log.jsonl"))).doesNotContain("result is wrong");
        assertThat(tuning.path("front").valueStream())
                .isNotEmpty()
                .allSatisfy(k -> assertThat(k.path("objectives").path("time").asDouble(0))
                        .isPositive());
    }
}

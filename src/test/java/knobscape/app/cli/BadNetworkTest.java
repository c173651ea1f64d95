package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Networks that are broken, hostile or of no use to `tune` and `fuse`, and stores of runs that were damaged:
/// one sentence that names the file, and nothing lost.
class BadNetworkTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void makeFiles() throws Exception {
        OnnxMl.NodeProto conv = node("Conv", "c", "y", "x", "w");
        byte[] good = model(shape(1, 3, 16, 16), List.of(8L, 3L, 3L, 3L), conv);
        write("good.onnx", good);
        write("cut.onnx", Arrays.copyOf(good, good.length / 2));
        write("bomb-dims.onnx", model(shape(1, 3, 16, 16), List.of(1L << 40, 3L, 3L, 3L), conv));
        write(
                "bomb-input.onnx",
                model(shape(1, 3, Integer.MAX_VALUE, Integer.MAX_VALUE), List.of(8L, 3L, 3L, 3L), conv));
        write("bomb-length.onnx", new byte[] {8, 7, 58, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0, 0});
        write(
                "bomb-varint.onnx",
                new byte[] {8, 7, 58, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, 1});
        write(
                "cycle.onnx",
                model(
                        shape(1, 3, 16, 16),
                        List.of(8L, 3L, 3L, 3L),
                        node("Add", "a", "t", "x", "u"),
                        node("Relu", "r", "u", "t"),
                        node("Conv", "c", "y", "u", "w")));
        write("negative.onnx", model(shape(1, 3, -16, 16), List.of(8L, 3L, 3L, 3L), conv));
        write("no-task.onnx", model(shape(1, 3, 16, 16), List.of(8L, 3L, 3L, 3L), node("Relu", "r", "y", "x")));
        write("open.onnx", model(shape(1, 3, "H", 16), List.of(8L, 3L, 3L, 3L), conv));
        write("nameless.onnx", model(shape("?", 3, "?", -1), List.of(8L, 3L, 3L, 3L), conv));
        write("open-batch.onnx", model(shape("N", 3, 16, 16), List.of(8L, 3L, 3L, 3L), conv));
        write("empty.onnx", new byte[0]);
        Files.writeString(folder.resolve("text.onnx"), "This is a letter, not a network.\n");
        Files.createDirectory(folder.resolve("folder.onnx"));
        Files.writeString(folder.resolve("empty.json"), "");
        Files.writeString(folder.resolve("half.json"), "{\"format\": \"knobscape-network\", \"layers\": [{");
        Files.writeString(folder.resolve("deep.json"), "[".repeat(100_000));
    }

    private void write(String name, byte[] bytes) throws Exception {
        Files.write(folder.resolve(name), bytes);
    }

    private static OnnxMl.NodeProto node(String type, String name, String output, String... inputs) {
        return OnnxMl.NodeProto.newBuilder()
                .setOpType(type)
                .setName(name)
                .addOutput(output)
                .addAllInput(List.of(inputs))
                .build();
    }

    /// Extents, each a number or a name.
    private static OnnxMl.TensorShapeProto shape(Object... extents) {
        var shape = OnnxMl.TensorShapeProto.newBuilder();
        for (Object e : extents) {
            shape.addDim(
                    e instanceof Integer n
                            ? OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(n)
                            : OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimParam((String) e));
        }
        return shape.build();
    }

    private static byte[] model(OnnxMl.TensorShapeProto x, List<Long> weights, OnnxMl.NodeProto... nodes) {
        var type = OnnxMl.TypeProto.newBuilder()
                .setTensorType(
                        OnnxMl.TypeProto.Tensor.newBuilder().setElemType(1).setShape(x));
        var w = OnnxMl.TensorProto.newBuilder()
                .setName("w")
                .setDataType(1)
                .addAllDims(weights)
                .setRawData(ByteString.copyFrom(new byte[4 * 8 * 27]));
        var graph = OnnxMl.GraphProto.newBuilder()
                .setName("g")
                .addAllNode(List.of(nodes))
                .addInitializer(w)
                .addInput(OnnxMl.ValueInfoProto.newBuilder().setName("x").setType(type))
                .addOutput(OnnxMl.ValueInfoProto.newBuilder().setName("y"));
        return OnnxMl.ModelProto.newBuilder()
                .setIrVersion(7)
                .addOpsetImport(OnnxMl.OperatorSetIdProto.newBuilder().setVersion(13))
                .setGraph(graph)
                .build()
                .toByteArray();
    }

    private void saysOneSentence(String named, String... arguments) {
        assertThat(terminal.run(arguments)).as(terminal::err).isEqualTo(1);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err().strip())
                .contains(named)
                .doesNotContain("\n")
                .doesNotContain("Exception")
                .doesNotContain("SQLITE")
                .doesNotContain("Internal error")
                .matches(".*[.?]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cut.onnx         | is cut short or damaged
            bomb-dims.onnx   | is beyond every memory
            bomb-input.onnx  | is beyond every memory
            bomb-length.onnx | is cut short or damaged
            bomb-varint.onnx | has no end; copy or export it again
            cycle.onnx       | wait for one another in a circle
            negative.onnx    | has an extent of -16 on axis 2
            no-task.onnx     | name another network
            open.onnx        | (--dim H=N); give it
            nameless.onnx    | axis 2 of input 'x' (--dim x:2=N) and axis 3 of input 'x' (--dim x:3=N); give them.
            empty.onnx       | is empty
            text.onnx        | is not an ONNX model
            folder.onnx      | is a folder without knobscape.json; name a project folder or a file
            empty.json       | is empty
            half.json        | :1 is not valid JSON: Unexpected end-of-input: expected close marker for Object
            deep.json        | is not valid JSON: Document nesting depth (501) exceeds the maximum allowed (500).
            """)
    void whatIsNoUsableNetworkIsNamed(String file, String words) {
        saysOneSentence(file, "tune", file, "--out", "t");
        assertThat(terminal.err()).contains(words);
        saysOneSentence(file, "fuse", file, "--out", "f");
        assertThat(terminal.err()).contains(words);
        assertThat(folder.resolve("t/runs.db")).doesNotExist();
        assertThat(folder.resolve("f/runs.db")).doesNotExist();
    }

    @Test
    void aProjectHasTheExtentsItWasMadeWith() {
        for (List<String> search : List.of(
                List.of("fuse", "--method", "random", "--evaluations", "20"),
                List.of("tune", "--method", "random", "--trials", "4"))) {
            for (List<String> what : List.of(
                    List.of("open.onnx", "--dim", "H=16", "--out", search.getFirst()), List.of(search.getFirst()))) {
                var words = new ArrayList<>(search);
                words.addAll(what);
                assertThat(terminal.run(words.toArray(String[]::new)))
                        .as(terminal::err)
                        .isZero();
            }
        }
    }

    @Test
    void spaceTakesTheExtentsThatItsMessageAsksFor() {
        assertThat(terminal.run("space", "open.onnx")).isEqualTo(1);
        assertThat(terminal.err()).contains("(--dim H=N); give it");
        assertThat(terminal.run("space", "open.onnx", "--dim", "H=16"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out()).contains(": 1 kernel to tune");
    }

    @Test
    void whatAFileLeavesOpenIsGivenAndContinues() {
        for (String[] more : new String[][] {
            {"open-batch.onnx"},
            {"open-batch.onnx", "--batch", "1"},
            {"open-batch.onnx", "--batch", "2"},
            {"open.onnx", "--dim", "H=16"},
            {"nameless.onnx", "--dim", "x:2=16", "--dim", "x:3=16"}
        }) {
            var words = new ArrayList<>(List.of("tune", "--method", "random", "--trials", "2", "--out", "t", "--json"));
            words.addAll(List.of(more));
            assertThat(terminal.run(words.toArray(String[]::new)))
                    .as(terminal::err)
                    .isZero();
            assertThat(terminal.err()).doesNotContain("Note:");
        }
        assertThat(terminal.json().get("front").get(0).get("design").stringValue())
                .startsWith("conv2d_1x3x16x16");
        assertThat(terminal.run("tune", "--resume", "t", "--trials", "3", "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.json().get("evaluations").intValue()).isEqualTo(3);
        assertThat(terminal.run(
                        "tune",
                        "good.onnx",
                        "--batch",
                        "5",
                        "--method",
                        "random",
                        "--trials",
                        "2",
                        "--out",
                        "t",
                        "--json"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.err()).contains("The batch size is fixed in the file at 1 and stays so.");
    }

    @Test
    void aTailWithoutEndIsCut() throws Exception {
        var nodes = new ArrayList<>(List.of(node("Conv", "c", "t0", "x", "w")));
        int length = 20_000;
        IntStream.range(0, length)
                .forEach(i -> nodes.add(node("Relu", "r" + i, i == length - 1 ? "y" : "t" + (i + 1), "t" + i)));
        write("long.onnx", model(shape(1, 3, 16, 16), List.of(8L, 3L, 3L, 3L), nodes.toArray(OnnxMl.NodeProto[]::new)));
        assertThat(terminal.run("tune", "long.onnx", "--method", "random", "--trials", "2", "--out", "t"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.err()).contains("The last steps behind T1 are more than these kernels do");
    }

    @Test
    void aDamagedStoreIsNamedAndWhatLiesBesideItStays() throws Exception {
        assertThat(terminal.run("tune", "good.onnx", "--method", "random", "--trials", "40", "--out", "t"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.run(
                        "fuse",
                        "alexnet",
                        "--method",
                        "random",
                        "--evaluations",
                        "60",
                        "--buffer",
                        "20MB",
                        "--out",
                        "f"))
                .as(terminal::err)
                .isZero();
        Files.delete(folder.resolve("f/run.json"));
        for (String[] store : new String[][] {{"t/runs.db", "tune"}, {"f/runs.db", "fuse"}}) {
            Path file = folder.resolve(store[0]);
            byte[] whole = Files.readAllBytes(file);
            String place = store[0].substring(0, 1);
            for (byte[] damaged : List.of(
                    filled(whole, 4096, whole.length),
                    filled(whole, 0, 100),
                    Arrays.copyOf(whole, whole.length / 2),
                    "no store\n".repeat(500).getBytes(StandardCharsets.UTF_8),
                    replaced(whole))) {
                Files.write(file, damaged);
                saysOneSentence(
                        store[0],
                        store[1],
                        "--resume",
                        place,
                        store[1].equals("tune") ? "--trials" : "--evaluations",
                        "100");
                assertThat(terminal.err())
                        .contains("is damaged; put a copy of it back, or begin anew in another folder (--out)");
                assertThat(file).hasBinaryContent(damaged);
            }
            Files.write(file, whole);
        }
        assertThat(folder.resolve("t"))
                .isDirectoryContaining("glob:**/tuning.json")
                .isDirectoryContaining("glob:**/log.jsonl");
        assertThat(terminal.run("tune", "--resume", "t", "--trials", "41"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.run("export", "t", "--as", "csv")).as(terminal::err).isZero();
    }

    private static byte[] filled(byte[] bytes, int from, int to) {
        byte[] copy = bytes.clone();
        Arrays.fill(copy, from, to, (byte) 0x5A);
        return copy;
    }

    /// The settings of the run are no JSON any more, while the store is sound.
    private static byte[] replaced(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace("{\"", "{'").getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aFolderOfResultsThatWasMovedHasItsRunsWithIt() throws Exception {
        terminal.run("fuse", "alexnet", "--method", "random", "--evaluations", "30", "--buffer", "20MB", "--out", "f");
        Files.move(folder.resolve("f"), folder.resolve("g"));
        terminal.run("fuse", "--resume", "g", "--evaluations", "40");
        assertThat(terminal.err()).contains("resumed after 30 stored evaluations");
    }

    /// What other tuners wrote is named, with the verb that reads it.
    @Test
    void recordsOfOtherTunersAreNamed() throws Exception {
        Files.writeString(folder.resolve("workload.json"), "[\"-12\", \"AAAA\"]\n[\"-13\", \"BBBB\"]\n");
        Files.writeString(
                folder.resolve("ansor.json"),
                "{\"i\": [[\"[]\", \"llvm\"], [[], []]], \"r\": [[0.001], 0, 1.2, 17], \"v\": \"v0.6\"}\n".repeat(2));
        Files.writeString(folder.resolve("moe.json"), "{\"1\": {\"BLOCK_SIZE_M\": 16}}");
        assertThat(terminal.run("tune", "workload.json")).isOne();
        assertThat(terminal.err())
                .contains("workload.json is no network but a list of the workloads of TVM's MetaSchedule");
        assertThat(terminal.run("tune", "ansor.json")).isOne();
        assertThat(terminal.err()).contains("an Ansor log", "knobscape history --import ");
        assertThat(terminal.run("tune", "moe.json")).isOne();
        assertThat(terminal.err()).contains("best configurations of vLLM", "by --suggest");
    }
}

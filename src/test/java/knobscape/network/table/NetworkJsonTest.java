package knobscape.network.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import knobscape.network.onnx.NetworkSamples;
import knobscape.network.source.NetworkSource;
import knobscape.network.zoo.Zoo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NetworkJsonTest {
    @TempDir
    Path folder;

    private Network back(Network n) throws IOException {
        return NetworkSource.read(
                        Files.writeString(
                                        folder.resolve("n.json"),
                                        NetworkJson.write(n).toPrettyString())
                                .toString(),
                        ImportOptions.none())
                .network();
    }

    @ParameterizedTest
    @EnumSource
    void networksReadBackTheSame(Zoo zoo) throws IOException {
        assertThat(back(zoo.network(2))).isEqualTo(zoo.network(2));
    }

    @Test
    void everyOperatorReadsBackTheSame() throws IOException {
        assertThat(back(NetworkSamples.operators())).isEqualTo(NetworkSamples.operators());
    }

    @Test
    void opaqueNodesKeepTheirShapes() throws IOException {
        var known = new Tensor("y", ElementType.INT8, Shape.of(1, 2), Tensor.Role.ACTIVATION);
        var unknown = new Tensor("z", ElementType.OTHER, Optional.empty(), Tensor.Role.ACTIVATION);
        var after = new Tensor("a", ElementType.OTHER, Optional.empty(), Tensor.Role.ACTIVATION);
        var x = new Tensor("x", ElementType.FLOAT32, Shape.of(1, 2), Tensor.Role.INPUT);
        var n = new Network(
                "odd",
                List.of(
                        new Node(
                                "m",
                                new Operator.Opaque("Mystery", "my.domain", Map.of("k", "v")),
                                List.of("x", ""),
                                List.of("y", "", "z")),
                        new Node("r", new Operator.Unary(Operator.Unary.Function.RELU), List.of("z"), List.of("a"))),
                Map.of("x", x, "y", known, "z", unknown, "a", after),
                List.of("x"),
                List.of("a"));

        assertThat(back(n)).isEqualTo(n);
        assertThat(n.nodes().stream().filter(node -> node.operator() instanceof Operator.Opaque))
                .extracting(Node::name)
                .containsExactly("m");
    }

    @Test
    void aFixedBatchIsNoted() throws IOException {
        Path file = Files.writeString(
                folder.resolve("n.json"),
                NetworkJson.write(Zoo.ALEXNET.network(2)).toPrettyString());
        ImportedNetwork read = NetworkSource.read(file.toString(), ImportOptions.batch(8));

        assertThat(read.network().batch()).isEqualTo(2);
        assertThat(read.notes()).singleElement().asString().contains("fixed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "{\"op\": \"conv\"}|/nodes/0/operator|window",
                "{\"op\": \"softmax\", \"axis\": 1, \"flattened\": false, \"logarithm\": false, \"colour\": 1}|/nodes/0/operator|colour",
                "{\"op\": \"telepathy\"}|/nodes/0/operator|telepathy",
                "{\"op\": \"reshape\", \"target\": {\"dims\": [3, 1]}}|/nodes/0|1x2 cannot be viewed as 3x1",
                "{\"op\": \"reshape\", \"target\": {\"dims\": [-1, -2]}}|/nodes/0|negative",
                "{\"op\": \"pool\", \"kind\": \"MAX\", \"window\": {\"kernel\": [0], \"strides\": [1], \"padBegin\": [0], \"padEnd\": [0], \"dilations\": [1]}, \"ceil\": false, \"countPadding\": false}|/nodes/0|kernel is 0",
                "null|/nodes/0|operator"
            })
    void wrongOperatorsAreNamed(String operator, String place, String reason) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.json"), """
                {"format": "knobscape-network", "formatVersion": 1, "name": "bad", "inputs": [{"name": "x", "type": "float32", "shape": [1, 2]}], "weights": [],
                 "nodes": [{"name": "n", "operator": %s, "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]}
                """.formatted(operator));

        assertThatThrownBy(() -> TableImport.read(file, ImportOptions.none()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("bad.json")
                .hasMessageContaining(place)
                .hasMessageContaining(reason);
    }

    @Test
    void wrongDocumentsAreNamed() throws IOException {
        String node =
                "{\"name\": \"n\", \"operator\": {\"op\": \"identity\"}, \"inputs\": [\"%s\"], \"outputs\": [\"%s\"]}";
        String frame =
                "{\"format\": \"knobscape-network\", \"formatVersion\": %s, \"name\": \"bad\", \"inputs\": [{\"name\": \"x\", \"type\": \"%s\", \"shape\": %s}], \"weights\": [], \"nodes\": [%s], \"outputs\": [\"%s\"]}";
        String good = node.formatted("x", "y");

        wrong(frame.formatted("2", "float32", "[1]", good, "y"), "newer Knobscape");
        wrong(frame.formatted("1", "float31", "[1]", good, "y"), "float31");
        wrong(frame.formatted("1", "float32", "[-1]", good, "y"), "negative");
        wrong(frame.formatted("1", "float32", "[1099511627776, 1099511627776]", good, "y"), "memory");
        wrong(frame.formatted("1", "float32", "[1.5]", good, "y"), "whole numbers");
        wrong(frame.formatted("1", "float32", "[1]", node.formatted("w", "y"), "y"), "'w'");
        wrong(frame.formatted("1", "float32", "[1]", node.formatted("x", "x"), "x"), "two tensors");
        wrong(frame.formatted("1", "float32", "[1]", good, "z"), "'z'");
        wrong(frame.formatted("1", "float32", "[1]", good + "," + node.formatted("y", "z"), "z"), "two nodes");
        assertThat(frame.formatted("1", "float32", "[1]", good, "y"))
                .satisfies(t -> assertThat(TableImport.read(
                                        Files.writeString(folder.resolve("good.json"), t), ImportOptions.none())
                                .network()
                                .nodes())
                        .hasSize(1));
    }

    private void wrong(String text, String reason) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.json"), text);
        assertThatThrownBy(() -> TableImport.read(file, ImportOptions.none()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("bad.json")
                .hasMessageContaining(reason);
    }
}

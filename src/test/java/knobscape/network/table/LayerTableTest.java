package knobscape.network.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.network.ImportOptions;
import knobscape.network.Shape;
import knobscape.network.chain.LayerChain;
import knobscape.network.chain.Linearization;
import knobscape.network.source.NetworkSource;
import knobscape.network.zoo.Zoo;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LayerTableTest {
    private static final String HEADER =
            "layer,name,type,K,C,Y,X,R,S,stride,pad,Yo,Xo,pool,Yp,Xp,skip_from,skip_proj\n";

    @TempDir
    Path folder;

    private static Path published(String network) {
        Path file =
                Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/fusion/" + network + ".csv");
        Assumptions.assumeTrue(Files.exists(file), "the optional folder with measured data is not here");
        return file;
    }

    /// Rows without names, which are a matter of taste.
    private static List<LayerRow> nameless(LayerTable t) {
        return t.rows().stream()
                .map(r -> new LayerRow(
                        r.layer(),
                        "",
                        r.extents(),
                        r.pooling(),
                        r.pooledHeight(),
                        r.pooledWidth(),
                        r.skipFrom(),
                        r.skipProjected()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"vgg16", "resnet18", "resnet50", "mobilenet_v2", "mnasnet"})
    void thePublishedTablesAreThoseOfOurOwnNetworks(String network) {
        LayerTable published = LayerTable.read(published(network));

        assertThat(published.name()).isEqualTo(network);
        assertThat(nameless(
                        LayerTableText.of(Linearization.of(Zoo.named(network).network(1)))))
                .isEqualTo(nameless(published));
        // And the table itself comes back from the network made of it.
        assertThat(LayerTableText.of(Linearization.of(published.network(4)))).isEqualTo(published);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vgg16",
                "resnet18",
                "resnet18-tvm",
                "resnet50",
                "mobilenet_v1",
                "mobilenet_v2",
                "mnasnet",
                "alexnet"
            })
    void tablesComeBackFromNetworksCsvAndJson(String network) throws IOException {
        LayerTable table = LayerTableText.of(Linearization.of(Zoo.named(network).network(1)));
        Path csv = Files.writeString(folder.resolve(network + ".csv"), LayerTableText.csv(table));
        Path json = Files.writeString(folder.resolve("other.json"), LayerTableText.json(table));

        assertThat(LayerTableText.of(Linearization.of(table.network(2)))).isEqualTo(table);
        assertThat(LayerTable.read(csv)).isEqualTo(table);
        assertThat(LayerTable.read(json)).isEqualTo(table);
        assertThat(LayerTableText.of(Linearization.of(NetworkSource.read(csv.toString(), ImportOptions.batch(8))
                        .network())))
                .isEqualTo(table);
        assertThat(NetworkSource.read(json.toString(), ImportOptions.batch(8))
                        .network()
                        .tensor("input")
                        .shape())
                .contains(Shape.of(8, 3, 224, 224));
    }

    @Test
    void extentsThatFollowFromOthersMayBeLeftOutInJson() throws IOException {
        Path file = Files.writeString(folder.resolve("small.json"), """
                {"format": "knobscape-layers", "formatVersion": 1, "layers": [
                  {"K": 16, "C": 3, "Y": 32, "X": 20, "R": 3, "S": 5, "pad": 1, "pad_x": 2, "stride_x": 2, "pool": "max2_s2", "Yp": 16, "Xp": 5},
                  {"name": "g", "K": 16, "C": 16, "Y": 16, "X": 5, "R": 1, "groups": 4, "pool": "global_avg", "skip_from": 1},
                  {"type": "FC", "K": 10, "C": 16}]}
                """);
        LayerTable t = LayerTable.read(file);

        assertThat(t.rows()).extracting(LayerRow::name).containsExactly("layer1", "g", "layer3");
        assertThat(t.rows().getFirst().extents().outWidth()).isEqualTo(10);
        LayerChain c = Linearization.of(t.network(1));
        assertThat(c.layer(2).weights()).isEqualTo(16 * 4);
        assertThat(LayerTableText.of(c)).isEqualTo(t);
        assertThat(LayerTableText.csv(t))
                .startsWith(
                        "layer,name,type,K,C,Y,X,R,S,stride,pad,Yo,Xo,pool,Yp,Xp,skip_from,skip_proj,stride_x,pad_x,groups\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2,a,CONV,8,3,8,8,3,3,1,1,8,8,none,8,8,,0|:2|number layers",
                "1,a,POOL,8,3,8,8,3,3,1,1,8,8,none,8,8,,0|:2|CONV, DWCONV or FC",
                "1,a,CONV,-8,3,8,8,3,3,1,1,8,8,none,8,8,,0|:2|K = -8",
                "1,a,CONV,x,3,8,8,3,3,1,1,8,8,none,8,8,,0|:2|whole number",
                "1,a,CONV,9999999999999999999,3,8,8,3,3,1,1,8,8,none,8,8,,0|:2|whole number",
                "1,a,CONV,8,3,8,8,3,3,0,1,8,8,none,8,8,,0|:2|stride = 0",
                "1,a,CONV,8,3,8,8,3,3,1,1,7,8,none,7,8,,0|Layer 1|Yo, Xo",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,none,4,4,,0|:2|without pooling",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,min2_s2,4,4,,0|:2|min2_s2",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,max2_s2,3,3,,0|Layer 1|no padding",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,none,8,8,1,0|:2|earlier layer",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,none,8,8,,1|:2|skip_proj",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,none,8,8,0,0|Layer 1|skip_proj to 1",
                "1,a,DWCONV,8,3,8,8,3,3,1,1,8,8,none,8,8,,0|:2|depthwise",
                "1,a,CONV,8,3,8,8,13,13,1,1,1,1,none,1,1,,0|Layer 1|does not fit",
                "1,a,CONV,1099511627776,1048576,8,8,3,3,1,1,8,8,none,8,8,,0|Layer 1|memory",
                "1,a,CONV,8,3,8,8,3,3,1,1,8,8,none,8,8,,0,9|:2|19 cells"
            })
    void wrongRowsAreNamed(String row, String place, String reason) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), HEADER + row + "\n");

        assertThatThrownBy(() -> LayerTable.read(file).network(1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(place)
                .hasMessageContaining(reason);
    }

    @Test
    void rowsThatDoNotFollowOneAnotherAreNamed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.csv"),
                HEADER + "1,a,CONV,8,3,8,8,3,3,1,1,8,8,none,8,8,,0\n2,b,CONV,8,9,8,8,3,3,1,1,8,8,none,8,8,,0\n");

        assertThatThrownBy(() -> LayerTable.read(file).network(1))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "Layer 2 ('b') of 'bad': its input is stated as C, Y, X = 9, 8, 8 where the layer before leaves 8, 8, 8.");
    }

    @Test
    void filesThatAreNoTablesAreNamed() throws IOException {
        Path other = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
        Path json = Files.writeString(folder.resolve("other.json"), "{\"format\": \"else\"}");
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\n\"layers\": [");
        Path empty = Files.writeString(folder.resolve("empty.csv"), HEADER);
        Path typo = Files.writeString(
                folder.resolve("typo.json"),
                "{\"format\": \"knobscape-layers\", \"formatVersion\": 1, \"layers\": [{\"Q\": 1}]}");

        assertThatThrownBy(() -> LayerTable.read(other))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no column 'layer'");
        assertThatThrownBy(() -> TableImport.read(json, ImportOptions.none()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("knobscape-network")
                .hasMessageContaining("knobscape-layers");
        assertThatThrownBy(() -> LayerTable.read(broken))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("broken.json:2");
        assertThatThrownBy(() -> LayerTable.read(empty).network(1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no layers");
        assertThatThrownBy(() -> LayerTable.read(typo))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'Q'");
        assertThatThrownBy(() -> LayerTable.read(folder.resolve("none.csv")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There is no file");
        assertThatThrownBy(() -> NetworkSource.read(folder.resolve("model.pt").toString(), ImportOptions.none()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(".onnx");
    }

    @Test
    void whatBranchesIsNoTable() {
        LayerChain inception = Linearization.of(Zoo.INCEPTION_V3.network(1));

        assertThatThrownBy(() -> LayerTableText.of(inception))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("branches")
                .hasMessageContaining("JSON graph");
    }
}

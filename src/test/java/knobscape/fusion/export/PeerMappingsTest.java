package knobscape.fusion.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripNetworks;
import knobscape.fusion.search.strip.StripSearch;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.rows.RowGraph;
import org.junit.jupiter.api.Test;

/// Mappings of other programs. Their own readers are not here; what these made of the files is with the laboratory's
/// notes.
class PeerMappingsTest {
    private static StripReport report(RowGraph graph, long buffer) {
        Accelerator edge = Accelerator.preset("edge").orElseThrow().withBuffer(buffer);
        var model = new StripModel(graph, edge.machine(), 1);
        return new StripReport(
                model,
                edge,
                StripSearch.solve(model, Objective.TRAFFIC, new CancellationSignal())
                        .orElseThrow());
    }

    @Test
    void aFusedChainOfProductsIsALoopOverRowsForAccelForge() {
        StripReport r = report(StripNetworks.rows(StripNetworks.products(4096, 64, 64, 64)), StripNetworks.KIB * 20);
        assertThat(r.answer().groups()).hasSize(1);
        Map<String, String> files = new PeerMappings(r).files();
        int strip = r.answer().groups().getFirst().pieces().strip();
        assertThat(files.get("accelforge.yaml"))
                .contains(
                        "m: 0 <= m < 4096",
                        "n2: 0 <= n2 < 64",
                        "- !Storage {tensors: [T0, T2, W0, W1], component: MainMemory}",
                        "- !Storage {tensors: [W0, W1], component: GlobalBuffer}",
                        "- !Temporal {rank_variable: m, tile_shape: " + strip + "}",
                        "- !Compute {einsum: Product1, component: MAC}");
        assertThat(files.get("stream.yaml")).contains("fused_groups:", "- name: Group_1");
    }

    @Test
    void groupsOfImagesHaveTilesOfRowsForStream() {
        StripReport r = report(StripNetworks.rows(StripNetworks.threeConvolutions()), StripNetworks.KIB * 256);
        Map<String, String> files = new PeerMappings(r).files();
        int strip = r.answer().groups().getLast().pieces().strip();
        assertThat(files.get("stream.yaml")).contains(".D2\"\n    tile: " + strip + "\n", ".D0\"\n    tile: 1\n");
        assertThat(files).doesNotContainKey("accelforge.yaml");
        assertThat(new PeerMappings(r).words()).anyMatch(w -> w.contains("chains of products"));
    }

    @Test
    void weightsPinnedInPartAreNotSaid() {
        StripReport r = report(StripNetworks.rows(StripNetworks.products(128, 128, 128, 128)), StripNetworks.KIB * 16);
        List<String> words = new PeerMappings(r).words();
        assertThat(new PeerMappings(r).files()).doesNotContainKey("accelforge.yaml");
        assertThat(words).anyMatch(w -> w.startsWith("AccelForge is given no mapping: "));
    }
}

package knobscape.gpu.space.feature;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.NodeGraph;
import org.junit.jupiter.api.Test;

class SubgraphFeaturesTest {
    private static NodeGraph dense(long m, long n, long k, Epilogue tail) {
        return SubgraphFeatures.of(SketchSource.of(new Workload.Dense(ElementType.FLOAT32, m, n, k))
                .orElseThrow()
                .computation(tail));
    }

    @Test
    void aNodePerTensorAndAnEdgePerRead() {
        NodeGraph bare = dense(8, 16, 32, Epilogue.NONE);
        NodeGraph tailed = dense(
                8, 16, 32, new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Clamp(0, Double.POSITIVE_INFINITY))));

        assertThat(bare.nodes().length).isEqualTo(3);
        assertThat(bare.edges()).hasSize(2);
        assertThat(tailed.nodes().length).isEqualTo(6);
        assertThat(tailed.edges()).hasSize(5);
        double[] data = bare.nodes()[0];
        double[] product = bare.nodes()[2];
        // Input or stage; the role of the input; the operator (dense is the seventh).
        assertThat(Arrays.copyOf(data, 3)).containsExactly(1, 0, 1);
        assertThat(Arrays.copyOf(product, 3)).containsExactly(0, 1, 0);
        assertThat(product[7 + 6]).isEqualTo(1);
        // The last two extents of the shape.
        assertThat(data[43 + 6]).isEqualTo(StatementFeatures.log(8));
        assertThat(data[43 + 7]).isEqualTo(StatementFeatures.log(32));
        assertThat(product[43 + 7]).isEqualTo(StatementFeatures.log(16));
        assertThat(List.of(bare.nodes()))
                .allSatisfy(
                        node -> assertThat(node).hasSize(GraphArchitecture.NODE).doesNotContain(Double.NaN));
    }

    @Test
    void differentWorkHasDifferentFeatures() {
        assertThat(dense(8, 16, 32, Epilogue.NONE).nodes()[2])
                .isNotEqualTo(dense(8, 16, 64, Epilogue.NONE).nodes()[2]);
        assertThat(dense(8, 16, 32, Epilogue.NONE).nodes()[2])
                .isEqualTo(dense(8, 16, 32, Epilogue.NONE).nodes()[2]);
    }
}

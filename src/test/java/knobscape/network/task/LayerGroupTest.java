package knobscape.network.task;

import static org.assertj.core.api.Assertions.assertThat;

import knobscape.network.zoo.Zoo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayerGroupTest {
    /// As the paper says; only convolutions are tuned there.
    @ParameterizedTest
    @CsvSource({"vgg16, 1", "alexnet, 3", "resnet18, 4", "resnet18-tvm, 4", "mobilenet_v1, 4"})
    void thePublishedNumberOfGroups(String network, int groups) {
        assertThat(TuningTasks.of(Zoo.named(network).network(1)).convolutions().stream()
                        .map(t -> LayerGroup.of(t.workload()))
                        .distinct())
                .hasSize(groups);
    }
}

package knobscape.pareto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CrowdedOrderTest {
    /// Worked by hand: (0,4), (1,2), (2,1.9), (4,0) are no worse than one another; of the two in the middle the first
    /// has neighbours (2 + 2.1) apart in shares of 4, the second (3 + 2) of 4.
    @Test
    void ranksComeFirstAndThenTheMostIsolated() {
        List<double[]> vectors = List.of(
                new double[] {3, 3},
                new double[] {1, 2},
                new double[] {2, 1.9},
                new double[] {0, 4},
                new double[] {4, 4},
                new double[] {4, 0});
        assertThat(CrowdedOrder.of(vectors)).containsExactly(3, 5, 2, 1, 0, 4);
        assertThat(CrowdedOrder.crowding(List.of(vectors.get(3), vectors.get(1), vectors.get(2), vectors.get(5))))
                .containsExactly(
                        Double.POSITIVE_INFINITY, 2 / 4.0 + 2.1 / 4, 3 / 4.0 + 2 / 4.0, Double.POSITIVE_INFINITY);
    }

    @Test
    void oneObjectiveIsAnOrderByValue() {
        assertThat(CrowdedOrder.of(List.of(new double[] {2}, new double[] {1}, new double[] {3}, new double[] {1})))
                .containsExactly(1, 3, 0, 2);
        assertThat(CrowdedOrder.of(List.of())).isEmpty();
    }
}

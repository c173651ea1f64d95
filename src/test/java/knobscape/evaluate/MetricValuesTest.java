package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// As a map in the order of insertion, which the library's linked one is.
class MetricValuesTest {
    @Test
    void isTheSameMapInTheSameOrder() {
        var random = new Random(5);
        for (int n = 0; n < 12; n++) {
            var map = new LinkedHashMap<String, Double>();
            for (int i = 0; i < n; i++) {
                map.put("m" + random.nextInt(100), random.nextDouble());
            }
            var values = MetricValues.of(map);
            assertThat(values).isEqualTo(map).hasSameHashCodeAs(map).hasToString(map.toString());
            assertThat(map).isEqualTo(values);
            assertThat(values.keySet()).containsExactlyElementsOf(map.keySet());
            for (int i = 0; i < 100; i++) {
                assertThat(values.get("m" + i)).isEqualTo(map.get("m" + i));
                assertThat(values.containsKey("m" + i)).isEqualTo(map.containsKey("m" + i));
            }
        }
    }

    @Test
    void cannotBeChanged() {
        var map = new LinkedHashMap<>(Map.of("delay", 1.0));
        var measured = new Outcome.Measured(map);
        map.put("delay", 2.0);
        assertThat(measured.value("delay")).hasValue(1);
        assertThatThrownBy(() -> measured.values().put("delay", 3.0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> measured.values().remove("delay")).isInstanceOf(UnsupportedOperationException.class);
    }
}

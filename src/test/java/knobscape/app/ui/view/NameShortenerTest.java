package knobscape.app.ui.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NameShortenerTest {
    @Test
    void namesThatDifferInTheMiddleStayDifferent() {
        var names = List.of("conv", "blocks.0.layer1.downsample.conv", "blocks.0.layer2.downsample.conv");
        Map<String, String> shortened = NameShortener.of(names, 12);
        assertThat(shortened.get("conv")).isEqualTo("conv");
        assertThat(shortened.values()).doesNotHaveDuplicates();
        assertThat(shortened.values()).allMatch(s -> s.length() <= 12 || names.contains(s));
    }

    @Test
    void anyNamesStayDifferent() {
        var random = new SplittableRandom(1);
        for (int round = 0; round < 200; round++) {
            var names = new HashSet<String>();
            while (names.size() < 40) {
                names.add(IntStream.range(0, 1 + random.nextInt(24))
                        .mapToObj(i -> random.nextInt(6) == 0 ? "b" : "a")
                        .reduce("", String::concat));
            }
            Map<String, String> shortened = NameShortener.of(List.copyOf(names), 8);
            assertThat(shortened.keySet()).isEqualTo(names);
            assertThat(shortened.values()).doesNotHaveDuplicates();
        }
    }
}

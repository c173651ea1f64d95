package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {
    @Test
    void operatorsThatLaterBlocksBringAreCounted() {
        var first = new Usage(1, 0);
        first.units[0] = 2;
        var later = new Usage(3, 0);
        later.units[0] = 1;
        later.units[2] = 4;
        first.add(later, false);
        assertThat(first.units).containsExactly(3, 0, 4);
        first.add(new Usage(1, 0), true);
        assertThat(first.units).containsExactly(3, 0, 4);
    }
}

package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PatternsTest {
    /// Against the library's expressions, which say the same as long as they are short.
    @Test
    void aStarStandsForAnyText() {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            String pattern = word(random, "ab*");
            String name = word(random, "ab");
            String expression = pattern.chars()
                    .mapToObj(c -> c == '*' ? ".*" : Pattern.quote("" + (char) c))
                    .collect(Collectors.joining());
            assertThat(Patterns.matches(pattern, name))
                    .as(pattern + " on " + name)
                    .isEqualTo(name.matches(expression));
        }
    }

    private static String word(Random random, String letters) {
        return random.ints(random.nextInt(8), 0, letters.length())
                .mapToObj(n -> "" + letters.charAt(n))
                .collect(Collectors.joining());
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void thousandsOfStarsAreMatchedAtOnce() {
        assertThat(Patterns.matches("a*".repeat(5_000), "a".repeat(5_000))).isTrue();
        assertThat(Patterns.matches("*".repeat(5_000) + "b", "a".repeat(5_000))).isFalse();
        assertThat(Patterns.matches("*a".repeat(2_500) + "b", "a".repeat(5_000)))
                .isFalse();
    }
}

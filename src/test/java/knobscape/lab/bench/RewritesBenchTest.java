package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RewritesBenchTest {
    private static Trial<RewritesBench.Reached> trial(
            String kernel, String method, long seed, int offered, double... delays) {
        return new Trial<>(
                kernel,
                method,
                seed,
                new RewritesBench.Reached(
                        Collections.nCopies(delays.length, offered > 1 ? "a in 2 sums" : ""),
                        java.util.Arrays.stream(delays)
                                .mapToObj(d -> List.of(d, 100 / d))
                                .toList(),
                        0,
                        offered));
    }

    @Test
    void bothAreHeldAgainstTheFrontOfBoth() {
        BenchReport report = RewritesBench.report(
                "rewrites",
                List.of(
                        trial("k", "directives alone", 1, 1, 10, 20),
                        trial("k", "with rewrites", 1, 3, 5, 10, 20),
                        // Nothing to rewrite: in no aim.
                        trial("plain", "directives alone", 1, 1, 10),
                        trial("plain", "with rewrites", 1, 1, 20)),
                1,
                100);
        // Of the points 5, 10 and 20 the first is missed by 10 / 5 - 1 in the one objective.
        assertThat(report.rows().getFirst().stream()
                        .map(Object::toString)
                        .toList()
                        .toString())
                .contains("a in 2 sums (3)");
        assertThat(report.aims().getFirst().value())
                .isCloseTo(0.001 / (1.0 / 3 + 0.001), org.assertj.core.data.Offset.offset(1e-12));
        assertThat(report.aims().getLast().value()).isEqualTo(1);
    }
}

package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

class RandomExplorerTest {
    private static final Fidelity IMPL = new Fidelity("impl", 2);

    private static Evaluation evaluation(Configuration c) {
        return new Evaluation(
                c,
                IMPL,
                new Outcome.Measured(Map.of("power", 1.0)),
                1,
                new Provenance("test", "1", 0, Provenance.Source.MODEL));
    }

    @Test
    void visitsEveryMemberOnceAndThenEnds() {
        var space = GridSpace.of(3, 4, 2);
        var explorer = new RandomExplorer(space, IMPL, 8, 1);
        var history = new History();
        Set<Configuration> seen = new HashSet<>();
        explorer.initial().forEach(p -> {
            assertThat(seen.add(p.configuration())).isTrue();
            history.add(evaluation(p.configuration()));
        });
        assertThat(seen).hasSize(8);
        while (true) {
            List<Proposal> next = explorer.ask(history, 3);
            if (next.isEmpty()) {
                break;
            }
            next.forEach(p -> {
                assertThat(seen.add(p.configuration())).isTrue();
                assertThat(p.upTo()).isEqualTo(IMPL);
                history.add(evaluation(p.configuration()));
            });
            history.countAsk();
        }
        assertThat(seen).hasSize(24);
    }

    @Test
    void dependsOnSeedAndStepAlone() {
        var space = GridSpace.of(50, 50, 50);
        var history = new History();
        history.countAsk();
        var asked = new RandomExplorer(space, IMPL, 8, 7).ask(history, 2);
        assertThat(new RandomExplorer(space, IMPL, 8, 7).ask(history, 2)).isEqualTo(asked);
        assertThat(new RandomExplorer(space, IMPL, 8, 8).ask(history, 2)).isNotEqualTo(asked);
        history.countAsk();
        assertThat(new RandomExplorer(space, IMPL, 8, 7).ask(history, 2)).isNotEqualTo(asked);
    }

    @Test
    void leavesPendingDesignsAlone() {
        var space = GridSpace.of(2);
        var explorer = new RandomExplorer(space, IMPL, 0, 3);
        assertThat(explorer.initial()).isEmpty();
        var history = new History();
        Proposal first = explorer.ask(history, 1).getFirst();
        history.markPending(first);
        assertThat(explorer.ask(history, 5))
                .hasSize(1)
                .noneMatch(p -> p.configuration().equals(first.configuration()));
    }

    @Test
    void drawsAreUniform() {
        var space = GridSpace.of(4);
        int[] counts = new int[4];
        for (int i = 0; i < 4000; i++) {
            counts[
                    Candidates.draw(space, Set.of(), 1, new SplittableRandom(i))
                            .getFirst()
                            .level(0)]++;
        }
        assertThat(java.util.Arrays.stream(counts).boxed()).allMatch(c -> c > 900 && c < 1100);
    }
}

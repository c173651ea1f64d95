package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import org.junit.jupiter.api.Test;

/// What every explorer keeps to.
public abstract class ExplorerContractTest {
    private static final long SEED = 5;

    /// A fresh explorer.
    protected abstract Explorer explorer(long seed);

    /// What it explores, larger than a few steps need.
    protected abstract DesignSpace space();

    /// What answers it.
    protected abstract Evaluator evaluator();

    /// Designs asked for at a time.
    protected int batch() {
        return 2;
    }

    /// Steps it is followed for; fewer where each takes seconds.
    protected int steps() {
        return 3;
    }

    /// A search as the loop leads it, one question after the other.
    private final class Search {
        final Evaluator evaluator = evaluator();
        final Explorer explorer;
        final History history = new History();
        final List<Proposal> asked = new ArrayList<>();

        Search(Explorer explorer) {
            this.explorer = explorer;
        }

        Search begin() {
            explorer.initial().forEach(this::answer);
            history.fixObjectives(Objectives.calibrate(
                    evaluator.info().objectives().stream()
                            .map(evaluator.info()::metric)
                            .toList(),
                    history.evaluations()));
            return this;
        }

        List<Proposal> step() {
            List<Proposal> proposals = explorer.ask(history, batch());
            history.countAsk();
            proposals.forEach(this::answer);
            return proposals;
        }

        private void answer(Proposal p) {
            asked.add(p);
            for (Evaluation e : evaluator.evaluate(p.configuration(), p.upTo(), new CancellationSignal())) {
                history.add(e);
            }
        }
    }

    @Test
    void asksForMembersAndStagesThatExist() {
        var search = new Search(explorer(SEED)).begin();
        for (int s = 0; s < steps(); s++) {
            search.step();
        }
        assertThat(search.asked).isNotEmpty().allSatisfy(p -> {
            assertThat(space().contains(p.configuration())).isTrue();
            assertThat(search.evaluator.info().fidelities()).contains(p.upTo());
            assertThat(p.reason()).isNotBlank();
        });
        assertThat(search.explorer.name()).isNotBlank().isLowerCase();
    }

    @Test
    void sameSeedSameQuestions() {
        var one = new Search(explorer(SEED)).begin();
        var two = new Search(explorer(SEED)).begin();
        assertThat(keys(one.asked)).isEqualTo(keys(two.asked));
        for (int s = 0; s < steps(); s++) {
            assertThat(keys(one.step())).isEqualTo(keys(two.step()));
        }
    }

    /// A fresh explorer with the history and the stored state continues as the one that made them.
    @Test
    void continuesFromHistoryAndState() {
        var search = new Search(explorer(SEED)).begin();
        for (int s = 0; s < steps(); s++) {
            Explorer resumed = explorer(SEED);
            resumed.initial();
            resumed.restore(search.explorer.state());
            List<Proposal> expected = resumed.ask(search.history, batch());
            assertThat(keys(search.step())).as("step " + (s + 1)).isEqualTo(keys(expected));
        }
    }

    @Test
    void neverAsksForWhatIsInFlightOrKnownAtThatStage() {
        var search = new Search(explorer(SEED)).begin();
        Set<Configuration> initial = new HashSet<>();
        assertThat(search.asked).allMatch(p -> initial.add(p.configuration()));
        for (int s = 0; s < steps(); s++) {
            List<Proposal> first = search.explorer.ask(search.history, batch());
            search.history.countAsk();
            assertThat(first)
                    .allSatisfy(p -> assertThat(search.history.find(p.configuration(), p.upTo()))
                            .isEmpty());
            first.forEach(search.history::markPending);
            List<Proposal> second = search.explorer.ask(search.history, batch());
            search.history.countAsk();
            Set<Configuration> pending = new HashSet<>();
            first.forEach(p -> pending.add(p.configuration()));
            assertThat(second).allSatisfy(p -> assertThat(pending).doesNotContain(p.configuration()));
            first.forEach(p -> {
                search.history.clearPending(p);
                search.answer(p);
            });
            second.forEach(search::answer);
        }
    }

    private static List<String> keys(List<Proposal> proposals) {
        return proposals.stream()
                .map(p -> p.configuration().text() + " up to " + p.upTo())
                .toList();
    }
}

package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import org.junit.jupiter.api.Test;

/// What every evaluator keeps to.
public abstract class EvaluatorContractTest {
    private static final int DRAWS = 25;

    /// A fresh evaluator.
    protected abstract Evaluator evaluator();

    /// What it evaluates.
    protected abstract DesignSpace space();

    private List<Configuration> draws() {
        var random = new SplittableRandom(7);
        var all = new ArrayList<Configuration>();
        for (int i = 0; i < DRAWS; i++) {
            all.add(space().draw(random));
        }
        return all;
    }

    private static List<Evaluation> ask(Evaluator evaluator, Request request) {
        var stages = new ArrayList<Evaluation>();
        evaluator.evaluate(request, stages::add, new CancellationSignal());
        return stages;
    }

    @Test
    void tellsEveryStageInOrderAndNothingAfterAFailure() {
        try (Evaluator e = evaluator()) {
            for (Configuration c : draws()) {
                for (Fidelity upTo : e.info().fidelities()) {
                    List<Evaluation> stages = ask(e, Request.all(c, e.info(), upTo));
                    assertThat(stages).isNotEmpty().hasSizeLessThanOrEqualTo(upTo.rank() + 1);
                    for (int i = 0; i < stages.size(); i++) {
                        assertThat(stages.get(i).fidelity())
                                .isEqualTo(e.info().fidelities().get(i));
                        assertThat(stages.get(i).configuration()).isEqualTo(c);
                        assertThat(stages.get(i).costSeconds()).isNotNegative().isFinite();
                        assertThat(stages.get(i).isMeasured())
                                .isEqualTo(
                                        i + 1 < stages.size() || stages.get(i).isMeasured());
                    }
                    assertThat(stages.size() == upTo.rank() + 1
                                    || !stages.getLast().isMeasured())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void measuredStagesReportWhatTheyPromise() {
        try (Evaluator e = evaluator()) {
            EvaluatorInfo info = e.info();
            assertThat(info.objectives()).isNotEmpty().allMatch(o -> info.reports(info.top(), o));
            for (Configuration c : draws()) {
                for (Evaluation v : ask(e, Request.all(c, info, info.top()))) {
                    if (v.outcome() instanceof Outcome.Measured m) {
                        assertThat(m.values().keySet())
                                .isSubsetOf(info.reported().get(v.fidelity().name()));
                    } else {
                        assertThat(((Outcome.Failure) v.outcome()).reason()).isNotBlank();
                    }
                }
            }
        }
    }

    /// A run that is resumed asks only for the stages it does not know.
    @Test
    void beginsAtAStageAsIfItHadRunThoseBelow() {
        try (Evaluator e = evaluator()) {
            EvaluatorInfo info = e.info();
            for (Configuration c : draws()) {
                List<Evaluation> whole = ask(e, Request.all(c, info, info.top()));
                for (int from = 1; from < whole.size() && info.simulatesTime(); from++) {
                    assertThat(ask(e, new Request(c, info.fidelities().get(from), info.top(), whole.subList(0, from))))
                            .isEqualTo(whole.subList(from, whole.size()));
                }
            }
        }
    }

    @Test
    void simulatedAnswersRepeat() {
        try (Evaluator one = evaluator();
                Evaluator two = evaluator()) {
            for (Configuration c : draws()) {
                if (one.info().simulatesTime()) {
                    assertThat(ask(one, Request.all(c, one.info(), one.info().top())))
                            .isEqualTo(ask(
                                    two, Request.all(c, two.info(), two.info().top())));
                }
            }
            assertThat(one.info().isPure())
                    .as("what is pure simulates its time")
                    .matches(pure -> !pure || one.info().simulatesTime());
        }
    }

    @Test
    void aStopIsObeyed() {
        try (Evaluator e = evaluator()) {
            var stop = new CancellationSignal();
            stop.cancel();
            Configuration c = draws().getFirst();
            assertThatThrownBy(() -> e.evaluate(c, e.info().top(), stop)).isInstanceOf(CancellationException.class);
        }
    }
}

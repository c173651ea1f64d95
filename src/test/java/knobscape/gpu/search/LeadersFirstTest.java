package knobscape.gpu.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluator;
import knobscape.explore.Exploration;
import knobscape.explore.RandomExplorer;
import knobscape.explore.RunEvent;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.history.KernelExperience;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import org.junit.jupiter.api.Test;

/// The first kernel of a group has its measurements before another of the group begins.
class LeadersFirstTest {
    private final List<NetworkKernel> kernels = TunableNetwork.read(
                    "zoo:alexnet", 1, Map.of(), TunableNetwork.Ways.FIRST, true)
            .kernels();
    private final int[] leaders = KernelExperience.leaders(kernels);

    @Test
    void layersOfAGroupFollowItsFirst() {
        // Convolutions 11x11, 5x5, 3x3 three times; three dense layers, by one template.
        assertThat(leaders).startsWith(0, 1, 2, 2, 2);
        assertThat(IntStream.of(leaders).distinct().count()).isLessThan(kernels.size());
    }

    @Test
    void aFollowerBeginsWhenItsLeaderHasItsShareAndTheLeaderIsNotAskedAgain() {
        int budget = 5 * kernels.size() + 2;
        var turns = new LeadersFirst(leaders, new Finish(List.of(), List.of()), budget, 0, () -> 0);
        try (var device = Devices.open("model:gtx1080ti")) {
            List<Subject> subjects = kernels.stream()
                    .map(k -> subject(
                            k,
                            new ScheduleEvaluator(
                                    k.source().orElseThrow(),
                                    k.tails().getFirst().epilogue(),
                                    device)))
                    .toList();
            var search = new Exploration(
                    subjects,
                    turns,
                    new Exploration.Settings(1, Integer.MAX_VALUE, 0, 0, 1, 0),
                    System::nanoTime,
                    Runnable::run);
            var order = new ArrayList<Integer>();
            search.addListener(e -> {
                if (e instanceof RunEvent.StageDone d) {
                    order.add(d.subject());
                }
            });
            assertThat(search.run(List.of()).reason()).isEqualTo("all " + budget + " trials are done");
            for (int k = 0; k < leaders.length; k++) {
                int kernel = k;
                assertThat(order.stream().filter(s -> s == kernel)).hasSize(turns.trials(k));
                if (leaders[k] != k) {
                    assertThat(order.lastIndexOf(leaders[k])).isLessThan(order.indexOf(k));
                }
            }
            assertThat(IntStream.range(0, leaders.length).map(turns::trials).sum())
                    .isEqualTo(budget);
            assertThat(turns.trace(2).orElseThrow().evaluations()).hasSize(turns.trials(2));
        }
    }

    @Test
    void settingsOfTheDeepProcessShrinkWithTheShare() {
        DgpExplorer.Settings full = DgpExplorer.Settings.DEFAULT;
        assertThat(full.within(1000)).isSameAs(full);
        DgpExplorer.Settings small = full.within(36);
        assertThat(small.tuning()).isEqualTo(29);
        assertThat(small.tuning() + 2 * small.round()).isLessThanOrEqualTo(36);
        assertThat(full.within(1).tuning()).isEqualTo(1);
    }

    private static Subject subject(NetworkKernel k, Evaluator evaluator) {
        return new Subject(
                k.id(),
                1,
                k.space(),
                new RandomExplorer(k.space(), evaluator.info().top(), 2, 1),
                evaluator,
                List.of(evaluator.info().metric(evaluator.info().objectives().getFirst())),
                1,
                new Termination.Never(),
                List.of());
    }
}

package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.explore.Budget;
import knobscape.explore.Proposal;
import knobscape.explore.RandomExplorer;
import knobscape.explore.SyntheticFlow;
import knobscape.explore.TestRun;
import knobscape.work.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PeersTest {
    static List<Method> peers() {
        return LabMethods.peers();
    }

    private static TestRun run(Method method, long seed, int steps) {
        var flow = new SyntheticFlow(true);
        var problem = new Method.Problem(
                SyntheticFlow.SPACE,
                SyntheticFlow.SPACE.encoder(),
                flow.info(),
                flow.info().metrics(),
                seed,
                8,
                List.of(),
                Budget.NONE,
                Optional.empty());
        return new TestRun(flow, method.factory().create(problem)).start().steps(steps, 1, 1e12);
    }

    /// Every peer runs each design once, to the highest fidelity, the same ones with the same seed.
    @ParameterizedTest
    @MethodSource("peers")
    void runsEachDesignOnceAndRepeats(Method method) {
        List<Proposal> all = run(method, 3, 16).proposals();
        assertThat(all).hasSize(24).allMatch(p -> p.upTo().rank() == 2);
        Set<String> distinct = all.stream().map(p -> p.configuration().text()).collect(Collectors.toSet());
        assertThat(distinct).hasSize(24);
        assertThat(run(method, 3, 16).proposals())
                .extracting(Proposal::configuration)
                .isEqualTo(all.stream().map(Proposal::configuration).toList());
    }

    /// Over three seeds their designs are nearer to the true front than as many random ones. The other peers are
    /// not on this flow, and NSGA-II needs generations: ADRS counts the ends of its front, which random designs
    /// meet more often than those near the best.
    @ParameterizedTest
    @CsvSource({"gp-ehvi, 40", "steady-nsga2, 40", "nsga2, 120"})
    void comesNearerThanRandomDesigns(String name, int steps) {
        Method method =
                peers().stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
        var flow = new SyntheticFlow(true);
        var objectives = flow.objectives();
        double[][] front = TestRun.trueFront(flow, SyntheticFlow.SPACE, objectives);
        double own = 0;
        double random = 0;
        for (long seed = 1; seed <= 3; seed++) {
            own += run(method, seed, steps).adrs(front, objectives);
            random += new TestRun(
                            flow,
                            new RandomExplorer(SyntheticFlow.SPACE, flow.info().top(), 8, seed))
                    .start()
                    .steps(steps, 1, 1e12)
                    .adrs(front, objectives);
        }
        assertThat(own).isLessThan(random);
    }
}

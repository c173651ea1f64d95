package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.explore.GridSpace;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.SyntheticFlow;
import knobscape.explore.TestRun;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.space.Configuration;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.ProcessTrainer;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgpExplorerTest {
    private static final GridSpace SMALL = GridSpace.of(4, 3, 3, 2);

    /// A tool of two stages whose values a function gives; stage 0 reports the first two of three objectives.
    private record Tool(Function<Configuration, double[]> values, double limit) implements Evaluator {
        private static final List<Fidelity> STAGES = List.of(new Fidelity("fast", 0), new Fidelity("full", 1));

        @Override
        public EvaluatorInfo info() {
            var metrics = List.of("a", "b", "c").stream()
                    .map(n -> new Metric(n, n, "", Metric.Direction.MINIMISE, limit))
                    .toList();
            return new EvaluatorInfo(
                    "tool",
                    "For tests.",
                    Provenance.Source.MODEL,
                    STAGES,
                    metrics,
                    Map.of("fast", Set.of("a", "b"), "full", Set.of("a", "b", "c")),
                    List.of("a", "b", "c"),
                    Map.of("fast", 1.0, "full", 9.0));
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            Configuration c = request.configuration();
            double[] v = values.apply(c);
            STAGES.subList(request.from().rank(), request.upTo().rank() + 1)
                    .forEach(f -> stageDone.accept(new Evaluation(
                            c,
                            f,
                            new Outcome.Measured(
                                    f.rank() == 0
                                            ? Map.of("a", v[0] * 1.1, "b", v[1] * 0.9)
                                            : Map.of("a", v[0], "b", v[1], "c", v[2])),
                            f.rank() == 0 ? 1 : 9,
                            new Provenance("tool", "1", 0, Provenance.Source.MODEL))));
        }
    }

    private static double[] curve(Configuration c) {
        double u = c.level(0) / 3.0;
        double p = c.level(1) / 2.0;
        return new double[] {
            1 + 2 * u + 0.3 * p + 0.1 * c.level(3),
            4 - 2 * u - p * u + 0.2 * c.level(2),
            2 + p + 0.3 * c.level(2) - 0.2 * u * c.level(3)
        };
    }

    private static CgpExplorer explorer(GridSpace space, Evaluator tool, BayesSettings settings) {
        return new CgpExplorer(space, space.encoder(), tool.info(), settings, 3);
    }

    /// The proposal of the first step is the largest score found by going through all candidates and fidelities
    /// one by one.
    @Test
    void choosesTheLargestPenalisedImprovement() {
        choosesTheLargest(SMALL, CgpExplorerTest::curve, FPL18.with(BayesSettings.FidelityRule.OWN_FRONT), 1.25 / 0.35);
    }

    /// As printed: normalised objectives on a linear scale, times the time of a full run over that of the stage.
    @Test
    void choosesTheLargestPenalisedImprovementAsPrinted() {
        choosesTheLargest(
                SMALL,
                CgpExplorerTest::curve,
                BayesSettings.PUBLISHED.with(BayesSettings.ObjectiveModel.INDEPENDENT),
                10);
    }

    /// The same with a network as kernel (Eq. 3.17-3.19) in place of the plain process, which is all that
    /// `dcgp-paper` changes.
    @Test
    void choosesTheLargestPenalisedImprovementUnderADeepKernel() {
        Assumptions.assumeTrue(
                TorchRuntime.problem().isEmpty(), () -> TorchRuntime.problem().orElse(""));
        BayesSettings settings = BayesSettings.PUBLISHED.with(BayesSettings.ObjectiveModel.INDEPENDENT);
        choosesTheLargest(
                SMALL,
                CgpExplorerTest::curve,
                settings,
                10,
                IndependentOutputs.trainer(new DeepKernelTrainer(new DeepKernelSettings(
                        List.of(20, 10, 3),
                        20,
                        1e-3,
                        0.05,
                        1e-2,
                        0.3,
                        settings.learning().gp()))));
    }

    @Test
    void theThesisAsPrintedIsCorrelatedAndSeesObjectivesAlone() {
        BayesSettings p = BayesSettings.PUBLISHED;
        assertThat(p.learning().objectives()).isEqualTo(BayesSettings.ObjectiveModel.CORRELATED);
        assertThat(p.learning().report().shows(false)).isFalse();
        assertThat(p.learning().gp().link()).isEqualTo(GpSettings.LowerLink.CURVED);
        assertThat(p.learning().prior()).isEqualTo(BayesSettings.Prior.NONE);
    }

    /// Also where most candidates are sorted out by rough beliefs before any is weighed in full.
    @Test
    void choosesTheLargestPenalisedImprovementOfManyCandidates() {
        choosesTheLargest(
                GridSpace.of(12, 8, 6, 3),
                c -> {
                    double u = c.level(0) / 11.0;
                    double p = c.level(1) / 7.0;
                    return new double[] {
                        1 + 2 * u + 0.3 * p + 0.1 * c.level(3),
                        4 - 2 * u - p * u + 0.08 * c.level(2),
                        2 + p + 0.1 * c.level(2) - 0.2 * u * c.level(3)
                    };
                },
                FPL18,
                1.25 / 0.35);
    }

    private static final BayesSettings FPL18 = BayesSettings.FPL18.with(BayesSettings.Alignment.NONE);

    private static void choosesTheLargest(
            GridSpace space, Function<Configuration, double[]> values, BayesSettings settings, double rho) {
        choosesTheLargest(space, values, settings, rho, CgpExplorer.gaussianProcesses(settings));
    }

    /// @param rho what the lower stage's score is multiplied by, which costs a tenth of a full run
    private static void choosesTheLargest(
            GridSpace space,
            Function<Configuration, double[]> values,
            BayesSettings settings,
            double rho,
            Model.Trainer trainer) {
        var tool = new Tool(values, 10);
        boolean isTopFront = settings.choosing().fidelity() == BayesSettings.FidelityRule.TOP_FRONT;
        boolean isNormalised = settings.choosing().volume() == BayesSettings.Volume.NORMALISED;
        var explorer = new CgpExplorer("x", space, space.encoder(), tool.info(), settings, trainer, 3, () -> 0);
        var run = new TestRun(tool, explorer).start();
        Proposal chosen = explorer.ask(run.history(), 1).getFirst();

        History history = run.history();
        var objectives = history.objectives().orElseThrow();
        Observations seen = Observations.of(history, tool.info(), objectives, space.encoder()::encode, 0, settings);
        FidelityLadder ladder =
                FidelityLadder.fit(seen.ladder(), trainer, List.of(Optional.empty(), Optional.empty()), 3);
        List<Configuration> all = space.enumerate().toList();
        var beliefs = new LadderPredictions(
                seen,
                objectives,
                ladder,
                new CandidatePool.Batch(all, space.encoder().encodeAll(all)));
        double best = 0;
        Configuration bestCandidate = null;
        int bestLevel = -1;
        for (int k = 0; k < 2; k++) {
            boolean isTold = k == 0 && isTopFront;
            List<Scale> linear = Collections.nCopies(3, Scale.LINEAR);
            var boxes = NonDominatedBoxes.of(
                    beliefs.front(isTold ? 1 : k, new double[3], linear).vectors(),
                    isNormalised ? objectives.referencePoint() : seen.reference());
            Posterior p = isTold ? beliefs.resolved(0) : beliefs.objectives(k, new double[3]);
            double[] scores = Eipv.exact(boxes, linear).score(p);
            double advantage = k == 1 ? 1 : rho;
            for (int i = 0; i < all.size(); i++) {
                double[] mean = {p.mean(i, 0), p.mean(i, 1), p.mean(i, 2)};
                double score = advantage * (scores[i] - (isTold ? boxes.improvement(mean) : 0));
                if (history.highestRank(all.get(i)) < k && score > best) {
                    best = score;
                    bestCandidate = all.get(i);
                    bestLevel = k;
                }
            }
        }
        assertThat(chosen.configuration()).isEqualTo(bestCandidate);
        assertThat(chosen.upTo().rank()).isEqualTo(bestLevel);
        assertThat(chosen.acquisition()).isCloseTo(best, org.assertj.core.api.Assertions.within(1e-9 * best));
    }

    static List<BayesSettings> rules() {
        return List.of(
                BayesSettings.DEFAULT,
                BayesSettings.CGP,
                BayesSettings.CGP.with(BayesSettings.Invalid.EXPECTED),
                BayesSettings.FPL18,
                BayesSettings.MES,
                BayesSettings.DEFAULT.with(BayesSettings.Gain.HYPERVOLUME),
                BayesSettings.DEFAULT.with(new BayesSettings.Screening(1)));
    }

    /// A design invalid or measured at the top never comes back, one measured at a stage never at the same or a
    /// lower one; power is missing at `hls`.
    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("rules")
    void asksNothingTwiceAndNothingOfInvalidDesigns(BayesSettings settings) {
        var flow = new SyntheticFlow(false);
        GridSpace space = SyntheticFlow.SPACE;
        var few = settings.with(light())
                .with(new BayesSettings.FirstDesigns(10, 6, settings.start().kind()));
        var run = new TestRun(flow, new CgpExplorer(space, space.encoder(), flow.info(), small(few), 5))
                .start()
                .steps(8, 1, 1e12);
        Set<Configuration> ended = new HashSet<>();
        Map<Configuration, Integer> reached = new java.util.HashMap<>();
        int at = 0;
        for (Proposal p : run.proposals()) {
            assertThat(ended).doesNotContain(p.configuration());
            assertThat(reached.getOrDefault(p.configuration(), -1))
                    .isLessThan(p.upTo().rank());
            reached.put(p.configuration(), p.upTo().rank());
            boolean refused = flow.evaluate(p.configuration(), p.upTo(), new CancellationSignal()).stream()
                    .anyMatch(e -> !e.isMeasured());
            if (refused || p.upTo().rank() == 2) {
                ended.add(p.configuration());
            }
            at++;
        }
        assertThat(at).isGreaterThanOrEqualTo(18);
    }

    private static GpSettings light() {
        GpSettings d = GpSettings.DEFAULT;
        return new GpSettings(
                d.priors(), d.link(), new GpSettings.Effort(1, 10, 4, d.effort().fitnessDrop()), 6);
    }

    /// Few candidates, few draws: the rules are what is under test.
    private static BayesSettings small(BayesSettings s) {
        return s.with(new BayesSettings.Pool(100, 150, 50));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "1, true", "3, true"})
    void aResumedRunContinuesAsIfItHadNeverStopped(int slots, boolean isCgp) {
        var tool = new Tool(CgpExplorerTest::curve, 10);
        BayesSettings settings =
                (isCgp ? BayesSettings.CGP.with(BayesSettings.CGP.start().of(4)) : BayesSettings.DEFAULT).with(light());
        var whole = new TestRun(tool, explorer(SMALL, tool, settings)).start().steps(7, slots, 1e12);
        var first = new TestRun(tool, explorer(SMALL, tool, settings)).start().steps(5, slots, 1e12);
        var second = explorer(SMALL, tool, settings);
        second.restore(first.states().getLast());
        List<Proposal> next = second.ask(first.history(), slots);
        int done = first.proposals().size();
        assertThat(next.stream().map(CgpExplorerTest::text).toList())
                .isEqualTo(whole.proposals().subList(done, done + next.size()).stream()
                        .map(CgpExplorerTest::text)
                        .toList());
    }

    private static String text(Proposal p) {
        return p.configuration() + " " + p.upTo() + " " + p.acquisition();
    }

    /// One design is better than all others in everything: its front is a point.
    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("rules")
    void aFrontOfOnePointIsNoTrouble(BayesSettings settings) {
        var tool = new Tool(
                c -> new double[] {1 + c.level(0) + c.level(1), 1 + c.level(0) + c.level(2), 1 + c.level(0) + c.level(3)
                },
                20);
        var run = new TestRun(tool, explorer(SMALL, tool, settings.with(light())))
                .start()
                .steps(6, 1, 1e12);
        assertThat(run.history().asks()).isEqualTo(6);
        assertThat(run.proposals())
                .extracting(p -> Double.isFinite(p.acquisition()) || p.reason().startsWith("initial"))
                .doesNotContain(false);
    }

    /// Everything lies beyond the reference point, so nothing can improve on it.
    @Test
    void runsTheLeastKnownWhereNothingPromisesAnImprovement() {
        var tool = new Tool(CgpExplorerTest::curve, 0.01);
        var settings = BayesSettings.FPL18.with(BayesSettings.Volume.NORMALISED).with(light());
        var explorer = explorer(SMALL, tool, settings);
        var run = new TestRun(tool, explorer).start();
        Proposal p = explorer.ask(run.history(), 1).getFirst();
        assertThat(p.reason()).startsWith("largest deviation");
        assertThat(p.upTo().rank()).isEqualTo(1);
    }

    @Test
    void endsWhenTheSpaceIsExhausted() {
        var space = GridSpace.of(3, 3);
        var tool = new Tool(c -> new double[] {1 + c.level(0), 3 - c.level(0) + c.level(1), 1 + c.level(1)}, 10);
        var run = new TestRun(
                        tool,
                        new CgpExplorer(space, space.encoder(), tool.info(), BayesSettings.DEFAULT.with(light()), 1))
                .start()
                .steps(100, 2, 1e12);
        assertThat(run.history().at(tool.info().top())).hasSize(9);
    }

    /// Designs in flight are fantasised: the slots of a step get different designs, and none of those asked for
    /// already.
    @Test
    void slotsOfAStepGetDifferentDesigns() {
        var tool = new Tool(CgpExplorerTest::curve, 10);
        var explorer = explorer(SMALL, tool, BayesSettings.DEFAULT.with(light()));
        var run = new TestRun(tool, explorer).start();
        Proposal inFlight = explorer.ask(run.history(), 1).getFirst();
        run.history().markPending(inFlight);
        List<Proposal> four = explorer.ask(run.history(), 4);
        assertThat(four).hasSizeGreaterThanOrEqualTo(4);
        assertThat(four)
                .extracting(Proposal::configuration)
                .doesNotHaveDuplicates()
                .doesNotContain(inFlight.configuration());
    }

    /// The gain of a neighbourhood is taken away by a design in flight there: the second slot's own score is
    /// not above the first's.
    @Test
    void laterSlotsExpectLess() {
        var tool = new Tool(CgpExplorerTest::curve, 10);
        var explorer = explorer(
                SMALL,
                tool,
                BayesSettings.DEFAULT
                        .with((BayesSettings.Report) _ -> false)
                        .with(BayesSettings.FidelityRule.OWN_FRONT)
                        .with(BayesSettings.Gain.HYPERVOLUME)
                        .with(light()));
        var run = new TestRun(tool, explorer).start();
        List<Double> scores = explorer.ask(run.history(), 4).stream()
                .map(Proposal::acquisition)
                .collect(Collectors.toList());
        assertThat(scores.getLast()).isLessThan(scores.getFirst());
    }

    /// A bundle of low-fidelity evaluations never costs more than one full run, and a screening is at a lower stage.
    @Test
    void bundlesOfLooksCostNoMoreThanOneFullRun() {
        var flow = new SyntheticFlow(true);
        var explorer = new CgpExplorer(
                SyntheticFlow.SPACE,
                SyntheticFlow.SPACE.encoder(),
                flow.info(),
                small(BayesSettings.DEFAULT.with(light())),
                2);
        var run = new TestRun(flow, explorer).start();
        boolean bundled = false;
        for (int step = 1; step <= 6; step++) {
            List<Proposal> asked = explorer.ask(run.history(), 1);
            if (asked.size() > 1) {
                bundled = true;
                assertThat(asked).allMatch(p -> p.upTo().rank() < 2);
                assertThat(asked).extracting(Proposal::configuration).doesNotHaveDuplicates();
            }
            run.steps(step, 1, 1e12);
        }
        assertThat(bundled).isTrue();
    }

    /// One design is the best in everything: once it is found no run brings another of the front, and what is least
    /// known is screened beside each.
    @ParameterizedTest
    @CsvSource({"EXACT_AND_LOOK, true", "NONE, false"})
    void aStalledSearchLooksWhereItKnowsLeast(BayesSettings.Stall stall, boolean isLooking) {
        var space = GridSpace.of(5, 5, 4);
        var tool = new Tool(
                c -> {
                    double sum = 1 + c.level(0) + c.level(1) + 0.5 * c.level(2);
                    return new double[] {sum, 2 * sum, 1 + sum};
                },
                100);
        var explorer = explorer(space, tool, BayesSettings.CGP.with(stall).with(light()));
        var run = new TestRun(tool, explorer).start();
        List<Proposal> looks = new ArrayList<>();
        for (int step = 1; step <= 10; step++) {
            List<Proposal> asked = explorer.ask(run.history(), 1);
            if (asked.size() == 2 && asked.getFirst().upTo().rank() == 1) {
                looks.add(asked.getLast());
                assertThat(asked.getLast().upTo().rank()).isZero();
                assertThat(asked).extracting(Proposal::configuration).doesNotHaveDuplicates();
            }
            run.steps(step, 1, 1e12);
        }
        assertThat(!looks.isEmpty()).isEqualTo(isLooking);
        assertThat(looks).extracting(Proposal::reason).allMatch(r -> r.startsWith("least known"));
        assertThat(looks).extracting(Proposal::configuration).doesNotHaveDuplicates();
    }

    /// What one search stores another one goes on from with the same designs, those of the second opinion too.
    @Test
    void asksOtherProcessesWhereTheFrontStandsStillAndLittleIsExpected() {
        var space = GridSpace.of(5, 5, 4);
        var tool = new Tool(
                c -> {
                    double sum = 1 + c.level(0) + c.level(1) + 0.5 * c.level(2);
                    return new double[] {sum, 2 * sum, 1 + sum};
                },
                100);
        BayesSettings settings = BayesSettings.CGP.with(light());
        var explorer = explorer(space, tool, settings);
        var run = new TestRun(tool, explorer).start();
        int opinions = 0;
        int step = 1;
        for (; step <= 40 && opinions < 2; step++) {
            run.steps(step, 1, 1e12);
            opinions += run.proposals().getLast().reason().equals(CgpExplorer.SECOND_OPINION) ? 1 : 0;
        }
        assertThat(opinions).isEqualTo(2);
        var other = explorer(space, tool, settings);
        other.restore(explorer.state());
        for (int more = 0; more < 2; more++) {
            List<Proposal> asked = explorer.ask(run.history(), 1);
            assertThat(other.ask(run.history(), 1)).isEqualTo(asked);
            run.history().countAsk();
        }
    }

    @Test
    void fpl18LearnsALinearChain() {
        var tool = new Tool(CgpExplorerTest::curve, 10);
        var explorer = new CgpExplorer(
                "fpl18",
                SMALL,
                SMALL.encoder(),
                tool.info(),
                BayesSettings.FPL18,
                IndependentOutputs.trainer(ProcessTrainer.chain(GpSettings.DEFAULT)),
                3,
                () -> 0);
        var run = new TestRun(tool, explorer).start().steps(3, 1, 1e12);
        // The full stage's a is the fast one's less a tenth, on a log scale a shift: the factor is 1.
        assertThat(explorer.diagnostics().get("full.rho.0")[0])
                .isCloseTo(1, org.assertj.core.api.Assertions.within(0.05));
        assertThat(explorer.diagnostics().get("full.rho.2")[0]).isZero();
        assertThat(run.history().asks()).isEqualTo(3);
    }

    /// The start screens three designs for each initial one, then runs the least of each objective that was
    /// screened.
    @Test
    void beginsWithTheExtremesOfWhatWasScreened() {
        var tool = new Tool(CgpExplorerTest::curve, 10);
        var explorer = explorer(
                SMALL,
                tool,
                BayesSettings.CGP.with(light()).with(BayesSettings.CGP.start().of(4)));
        var run = new TestRun(tool, explorer).start();
        assertThat(run.proposals()).hasSize(12).allMatch(p -> p.upTo().rank() == 0);
        run.steps(3, 1, 1e12);
        List<Configuration> screened = run.proposals().subList(0, 12).stream()
                .map(Proposal::configuration)
                .toList();
        for (int j = 0; j < 2; j++) {
            int objective = j;
            double least = screened.stream()
                    .mapToDouble(c -> curve(c)[objective])
                    .min()
                    .orElseThrow();
            assertThat(run.proposals().subList(12, 15))
                    .anyMatch(p -> p.upTo().rank() == 1 && curve(p.configuration())[objective] == least);
        }
    }

    /// A bound of an objective is learned: after the start most runs in full keep it, though few designs do.
    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("bounded")
    void keepsToTheBoundsOfAGoal(BayesSettings settings) {
        var flow = new SyntheticFlow(true);
        GridSpace space = SyntheticFlow.SPACE;
        var bounds = List.of(new Goal.Bound("lut", Double.NEGATIVE_INFINITY, 4_000));
        var run = new TestRun(
                        flow,
                        new CgpExplorer(
                                space,
                                space.encoder(),
                                flow.info(),
                                small(settings.with(light()))
                                        .with(new BayesSettings.Limits(
                                                bounds, settings.limits().budget())),
                                5))
                .start()
                .steps(24, 1, 1e12);
        List<Evaluation> top = run.history().at(flow.info().top());
        var late = top.subList(10, top.size()).stream()
                .filter(Evaluation::isMeasured)
                .toList();
        long kept =
                late.stream().filter(e -> e.value("lut").orElseThrow() <= 4_000).count();
        assertThat(kept).isGreaterThanOrEqualTo((long) (0.7 * late.size()));
    }

    static List<BayesSettings> bounded() {
        return List.of(BayesSettings.DEFAULT, BayesSettings.CGP);
    }
}

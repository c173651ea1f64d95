package knobscape.gpu.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.explore.History;
import knobscape.explore.RunEvent;
import knobscape.explore.SearchStanding;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.FeatureEncoder;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.surrogate.ensemble.XgBoost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TuningSearchTest {
    /// Six knobs of eight levels: 262 144 members, one best, falling off smoothly with a ripple; every ninth
    /// sum of levels fails.
    private static final KnobSet KNOBS = new KnobSet(IntStream.range(0, 6)
            .mapToObj(i -> new Knob("k" + i, new Domain.Factors(List.of(1, 2, 4, 8, 16, 32, 64, 128))))
            .toList());
    private static final DesignSpace SPACE = new CartesianSpace(KNOBS);
    private static final int[] PEAK = {5, 2, 6, 1, 3, 4};

    private static double height(Configuration c) {
        double d = 0;
        for (int i = 0; i < PEAK.length; i++) {
            d += Math.abs(c.level(i) - PEAK[i]);
        }
        return 100 / (1 + 0.15 * d * d) + (d == 0 ? 0 : Math.floorMod(c.hashCode(), 7) * 0.1);
    }

    private static final class Toy implements Evaluator {
        private static final Fidelity RUN = new Fidelity("run", 0);
        private static final Provenance MADE = new Provenance("toy", "1", 0, Provenance.Source.MODEL);
        private final Map<Configuration, Integer> asked = new HashMap<>();

        @Override
        public EvaluatorInfo info() {
            return new EvaluatorInfo(
                    "toy",
                    "a hill",
                    Provenance.Source.MODEL,
                    List.of(RUN),
                    List.of(new Metric("gflops", "GFLOPS", "", Metric.Direction.MAXIMISE, Double.NaN)),
                    Map.of("run", Set.of("gflops")),
                    List.of("gflops"),
                    Map.of("run", 1.0));
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            Configuration c = request.configuration();
            asked.merge(c, 1, Integer::sum);
            int sum = IntStream.of(c.levels()).sum();
            Outcome o = sum % 9 == 8
                    ? new Outcome.Failure(FailureKind.REJECTED, "too wide")
                    : new Outcome.Measured(Map.of("gflops", height(c)));
            stageDone.accept(new Evaluation(c, RUN, o, 1, MADE));
        }
    }

    private static OneSearch search(
            String method, DesignSpace space, Toy toy, long seed, int batch, int trials, List<Evaluation> known) {
        TuningProblem problem = TuningProblem.ofKnobs(space, toy.info(), seed);
        TuningMethod m = TuningMethod.standard().named(method);
        return new OneSearch(problem, m.factory().apply(problem), toy, batch == 0 ? m.batch() : batch, trials, known);
    }

    private static OneSearch searched(String method, DesignSpace space, Toy toy, long seed, int batch, int trials) {
        OneSearch s = search(method, space, toy, seed, batch, trials, List.of());
        s.run();
        return s;
    }

    static Stream<String> methods() {
        return TuningMethod.standard().all().stream()
                .map(TuningMethod::name)
                .filter(m -> !TuningMethod.has(m, TuningMethod::needsSketches));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void noConfigurationIsMeasuredTwiceAndTheSeedDecidesAll(String method) {
        var toys = List.of(new Toy(), new Toy(), new Toy());
        var searches = List.of(
                searched(method, SPACE, toys.get(0), 1, 8, 120),
                searched(method, SPACE, toys.get(1), 1, 8, 120),
                searched(method, SPACE, toys.get(2), 2, 8, 120));
        assertThat(searches.get(0).trials()).isEqualTo(120);
        assertThat(toys.get(0).asked.values()).allMatch(n -> n == 1);
        assertThat(searches.get(0).curve()).isEqualTo(searches.get(1).curve());
        if (!method.equals("grid")) {
            assertThat(searches.get(0).curve()).isNotEqualTo(searches.get(2).curve());
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("methods")
    void aSearchInterruptedAnywhereIsResumedAsIfItHadNotBeen(String method) {
        OneSearch whole = searched(method, SPACE, new Toy(), 5, 8, 132);
        for (int at : new int[] {1, 40, 113, 116}) {
            List<RunEvent> past = whole.until(at);
            var toy = new Toy();
            OneSearch second = search(method, SPACE, toy, 5, 8, 132, List.of());
            second.run(past, _ -> {});
            assertThat(second.measured()).as("interrupted after " + at).isEqualTo(whole.measured());
            assertThat(toy.asked).hasSize(132 - at);
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void whatWasKnownBeforeIsNotMeasuredAgainNorCountedAndAStopChangesNothing(String method) {
        List<Evaluation> known = searched("random", SPACE, new Toy(), 9, 8, 30).measured();
        double best = known.stream()
                .mapToDouble(e -> e.value("gflops").orElse(0))
                .max()
                .orElseThrow();
        var toy = new Toy();
        OneSearch whole = search(method, SPACE, toy, 5, 8, 100, known);
        whole.run();
        assertThat(whole.trials()).isEqualTo(100);
        assertThat(whole.curve().getFirst()).isGreaterThanOrEqualTo(best);
        known.forEach(e -> assertThat(toy.asked).doesNotContainKey(e.configuration()));
        assertThat(toy.asked.values()).allMatch(n -> n == 1);

        OneSearch second = search(method, SPACE, new Toy(), 5, 8, 100, known);
        second.run(whole.until(79), _ -> {});
        assertThat(second.measured()).isEqualTo(whole.measured());
    }

    @ParameterizedTest
    @ValueSource(strings = {"autotvm", "bted", "bted+bao", "ga"})
    void learningFindsTheHillWhereDrawingDoesNot(String method) {
        var toy = new Toy();
        OneSearch s =
                searched(method, SPACE, toy, 3, method.equals("bted+bao") ? 8 : 0, method.equals("ga") ? 600 : 320);
        OneSearch random = searched("random", SPACE, new Toy(), 3, 0, s.trials());
        assertThat(s.curve().getLast()).isGreaterThan(1.5 * random.curve().getLast());
        if (!method.equals("ga")) {
            assertThat(s.curve().getLast()).isEqualTo(100);
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aSmallSpaceIsMeasuredToItsEnd(String method) {
        var members = SPACE.enumerate().limit(90).toList();
        var toy = new Toy();
        OneSearch s = search(method, new FiniteSpace(KNOBS, members), toy, 1, 0, 1000, List.of());
        String reason = s.run();
        assertThat(toy.asked.keySet()).isEqualTo(new HashSet<>(members));
        assertThat(reason).contains("nothing new to try");
    }

    @Test
    void annealingReachesTheTopOfAKnownHillAndKeepsDifferentOnes() {
        var annealing = new Annealing(SPACE, Annealing.Settings.AUTO_TVM);
        var result = annealing.run(
                list -> list.stream().mapToDouble(TuningSearchTest::height).toArray(),
                List.of(),
                32,
                Set.of(),
                new SplittableRandom(1));
        assertThat(result.best().getFirst().levels()).isEqualTo(PEAK);
        assertThat(new HashSet<>(result.best())).hasSize(32);
        assertThat(result.scores()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(result.chains()).hasSize(128);
        var without = annealing.run(
                list -> list.stream().mapToDouble(TuningSearchTest::height).toArray(),
                result.chains(),
                8,
                Set.of(Configuration.of(KNOBS, PEAK)),
                new SplittableRandom(2));
        assertThat(without.best()).doesNotContain(Configuration.of(KNOBS, PEAK));
    }

    @Test
    void neighbourhoodsHoldWhatIsWithinTheRadiusAndNothingElse() {
        var knobs = new KnobSet(KNOBS.list().subList(0, 5));
        var small = new CartesianSpace(knobs);
        FeatureEncoder coordinates = FeatureEncoder.coordinates(knobs);
        Configuration centre = Configuration.of(knobs, 5, 2, 6, 1, 3);
        for (double radius : new double[] {1, 1.5, 3}) {
            List<Configuration> near = new Neighbourhood(small, coordinates)
                    .around(centre, radius, Set.of(centre), Integer.MAX_VALUE, new SplittableRandom(1));
            long expected = small.enumerate()
                    .filter(c -> !c.equals(centre) && coordinates.squaredDistance(centre, c) <= radius * radius)
                    .count();
            assertThat(near).hasSize((int) expected).doesNotHaveDuplicates();
        }
    }

    @Test
    void neighbourhoodsOfLargeSpacesAreDrawnWithinTheRadius() {
        FeatureEncoder coordinates = FeatureEncoder.coordinates(KNOBS);
        Configuration centre = Configuration.of(KNOBS, PEAK);
        List<Configuration> near =
                new Neighbourhood(SPACE, coordinates).around(centre, 3, Set.of(centre), 500, new SplittableRandom(1));
        assertThat(near)
                .hasSize(500)
                .doesNotHaveDuplicates()
                .allMatch(c -> coordinates.squaredDistance(centre, c) <= 9.001)
                .doesNotContain(centre);
        // Of the twelve nearest ones, one step of one knob away, none may be out of reach of the draws.
        assertThat(new Neighbourhood(SPACE, coordinates).around(centre, 1, Set.of(), 1000, new SplittableRandom(1)))
                .hasSize(12);
    }

    @Test
    void initialDesignOfBtedSpreadsWiderThanDraws() {
        TuningProblem problem = TuningProblem.ofKnobs(SPACE, new Toy().info(), 1);
        List<Configuration> bted = InitialDesign.bted().choose(problem, 64, new SplittableRandom(1));
        List<Configuration> drawn = InitialDesign.random().choose(problem, 64, new SplittableRandom(1));
        assertThat(bted).hasSize(64).doesNotHaveDuplicates();
        assertThat(nearest(problem, bted)).isGreaterThan(1.1 * nearest(problem, drawn));
    }

    private static final BaoExplorer.Settings AS_PRINTED = new BaoExplorer.Settings(
            64,
            2,
            XgBoost.Options.autoTvm(XgBoost.Objective.RANK, 64),
            new BaoExplorer.Region(3, 1.5, 0.05, 4000),
            new BaoExplorer.Escape(0, 0, 0));

    @Test
    void asPrintedItNeverLeavesTheNeighbourhoodOfTheBest() {
        TuningProblem problem = TuningProblem.ofKnobs(SPACE, new Toy().info(), 4);
        var printed = new OneSearch(
                problem,
                new BaoExplorer("printed", problem, InitialDesign.random(), AS_PRINTED),
                new Toy(),
                1,
                90,
                List.of());
        var reasons = new HashSet<String>();
        printed.run(List.of(), a -> {
            if (a.step() > 0) {
                reasons.add(a.proposal().reason());
                Configuration asked = a.proposal().configuration();
                Configuration best = printed.measured().stream()
                        .filter(e -> !e.configuration().equals(asked))
                        .max(java.util.Comparator.comparingDouble(problem::score))
                        .orElseThrow()
                        .configuration();
                assertThat(problem.coordinates().squaredDistance(best, asked)).isLessThan(4.5 * 4.5 + 0.01);
            }
        });
        assertThat(reasons).containsExactly("bootstrap models, neighbourhood");
    }

    @Test
    void byDefaultItAlsoLooksElsewhere() {
        var reasons = new HashMap<String, Integer>();
        search("bted+bao", SPACE, new Toy(), 4, 1, 264, List.of())
                .run(List.of(), a -> reasons.merge(a.proposal().reason(), 1, Integer::sum));
        assertThat(reasons.keySet())
                .containsExactlyInAnyOrder(
                        "initial design",
                        "bootstrap models, neighbourhood",
                        "bootstrap models, whole space",
                        "annealed plan",
                        "random");
        int guided = 264 - reasons.get("initial design") - reasons.get("annealed plan");
        assertThat(reasons.get("random")).isBetween(1, 19);
        assertThat(reasons.get("bootstrap models, whole space")).isBetween(guided / 8, guided / 2);
    }

    @Test
    void baoThatHasStalledMeasuresPlansUntilOneBringsANewBestAndContinuesInAPlanAfterAnInterruption() {
        var answers = new ArrayList<RunEvent.Evaluated>();
        OneSearch whole = search("bted+bao", SPACE, new Toy(), 4, 4, 300, List.of());
        whole.run(List.of(), answers::add);
        double best = 0;
        int since = 0;
        int step = -1;
        boolean stalled = false;
        for (RunEvent.Evaluated a : answers) {
            if (a.step() != step) {
                step = a.step();
                stalled = since >= BaoExplorer.Settings.DEFAULT.escape().stall();
            }
            assertThat(a.proposal().reason().equals("annealed plan"))
                    .as("step %d", a.step())
                    .isEqualTo(stalled);
            double score = a.evaluations().getLast().value("gflops").orElse(0);
            since = score > best ? 0 : since + 1;
            best = Math.max(best, score);
        }
        int inAPlan = 1
                + answers.indexOf(answers.stream()
                        .filter(a -> a.proposal().reason().equals("annealed plan"))
                        .toList()
                        .get(10));
        OneSearch second = search("bted+bao", SPACE, new Toy(), 4, 4, 300, List.of());
        second.run(whole.until(inAPlan), _ -> {});
        assertThat(second.measured()).isEqualTo(whole.measured());
    }

    private static double nearest(TuningProblem problem, List<Configuration> all) {
        return all.stream()
                .mapToDouble(a -> all.stream()
                        .filter(b -> b != a)
                        .mapToDouble(b -> Math.sqrt(problem.coordinates().squaredDistance(a, b)))
                        .min()
                        .orElseThrow())
                .average()
                .orElseThrow();
    }

    @Test
    void splitsHaveLogarithmicCoordinatesAndPlainFeatures() {
        var knobs = new KnobSet(List.of(
                new Knob("tile", new Domain.Categories(List.of("8x1x2", "2x4x2", "-1x2x8"))),
                new Knob("unroll", new Domain.Factors(List.of(0, 512, 1500))),
                new Knob("kind", new Domain.Categories(List.of("a", "b", "c")))));
        Configuration c = Configuration.of(knobs, 1, 2, 0);
        assertThat(FeatureEncoder.numbers(knobs).encode(c)).containsExactly(2, 4, 2, 1500, 1, 0, 0);
        assertThat(FeatureEncoder.coordinates(knobs).encode(c)[1]).isEqualTo(2f);
        assertThat(FeatureEncoder.coordinates(knobs).squaredDistance(c, c.with(0, 0)))
                .isCloseTo(8, org.assertj.core.api.Assertions.within(1e-6));
        assertThat(FeatureEncoder.coordinates(knobs).squaredDistance(c, c.with(1, 1)))
                .isEqualTo(1);
        assertThat(FeatureEncoder.coordinates(knobs).squaredDistance(c, c.with(2, 2)))
                .isCloseTo(1, org.assertj.core.api.Assertions.within(1e-6));
    }

    /// Tasks whose rounds bring what a test says.
    private static final class Tasks {
        private static final int ROUND = 64;
        private static final int ROUNDS = 31;
        private final List<TaskScheduler.Task> tasks;
        private final List<History> histories;
        private final Set<Integer> ended = new HashSet<>();
        private final TaskScheduler scheduler;

        Tasks(TaskScheduler.Task... tasks) {
            this.tasks = List.of(tasks);
            this.histories = this.tasks.stream().map(t -> new History()).toList();
            this.scheduler =
                    new TaskScheduler(this.tasks, new Finish(List.of(), List.of()), ROUNDS * ROUND, 0, false, () -> 0);
        }

        java.util.OptionalInt next() {
            var standings = new ArrayList<SearchStanding>();
            for (int i = 0; i < tasks.size(); i++) {
                var problem = TuningProblem.ofKnobs(SPACE, new Toy().info(), 1);
                var subject = Subject.of(
                        "t" + i,
                        SPACE,
                        new GridExplorer(problem),
                        new Toy(),
                        List.of(problem.metric()),
                        new Termination.Never());
                standings.add(new SearchStanding(
                        subject,
                        !ended.contains(i),
                        histories.get(i).evaluations().size() / ROUND,
                        histories.get(i),
                        0,
                        List.of()));
            }
            return scheduler.next(standings, List.of());
        }

        /// A round, at the end of which the best time is so much; infinite for none.
        void rounded(int task, double time) {
            for (int i = 0; i < ROUND; i++) {
                Outcome o = Double.isInfinite(time)
                        ? new Outcome.Failure(FailureKind.REJECTED, "")
                        : new Outcome.Measured(Map.of("gflops", 1 / time));
                histories
                        .get(task)
                        .add(new Evaluation(
                                SPACE.at(java.math.BigInteger.valueOf(
                                        histories.get(task).evaluations().size())),
                                Toy.RUN,
                                o,
                                0,
                                Toy.MADE));
            }
        }
    }

    @Test
    void schedulerTurnsToTheTaskFromWhichMostIsExpected() {
        var tasks = new Tasks(
                new TaskScheduler.Task(1, 1e9, "direct"),
                new TaskScheduler.Task(10, 1e9, "direct"),
                new TaskScheduler.Task(1, 1e9, "dense"));
        for (int k = 0; k < 3; k++) {
            assertThat(tasks.next()).hasValue(k);
            tasks.rounded(k, 1.0);
        }
        assertThat(tasks.next()).hasValue(1);
        // Ten times the weight counts until its hope is used up; then the rates of similar tasks say where more
        // is to be had.
        tasks.rounded(1, 0.1);
        tasks.ended.add(1);
        assertThat(tasks.next()).hasValue(0);
        tasks.ended.add(0);
        tasks.ended.add(2);
        assertThat(tasks.next()).isEmpty();
        assertThat(tasks.scheduler.ended()).isEqualTo("every search has ended");
    }

    /// As published, the hope to come near to a like kernel's rate stands for ever.
    @Test
    void aTaskThatStaysSlowerThanItsLikeDoesNotTakeAllThatIsLeft() {
        var tasks = new Tasks(
                new TaskScheduler.Task(1, 1e9, "a"),
                new TaskScheduler.Task(1, 1e9, "a"),
                new TaskScheduler.Task(1, 1e9, "c"));
        int[] turns = new int[3];
        for (int round = 0; round < 30; round++) {
            int k = tasks.next().orElseThrow();
            turns[k]++;
            tasks.rounded(k, k == 1 ? 8.0 : 1.0 / turns[k]);
        }
        assertThat(turns[1]).isBetween(8, 25);
        assertThat(turns[0]).isGreaterThan(1);
        assertThat(turns[2]).isGreaterThan(1);
    }

    @Test
    void aTaskOfWhichNothingRunsHasItsEvenShareAndNoMore() {
        var tasks = new Tasks(
                new TaskScheduler.Task(1, 1e9, "a"),
                new TaskScheduler.Task(1, 1e9, "b"),
                new TaskScheduler.Task(1, 1e9, "c"));
        int[] turns = new int[3];
        for (int round = 0; round < 30; round++) {
            int k = tasks.next().orElseThrow();
            turns[k]++;
            tasks.rounded(k, k == 0 ? Double.POSITIVE_INFINITY : 1.0 / turns[k]);
            if (round == 2) {
                assertThat(turns).containsExactly(1, 1, 1);
            }
        }
        assertThat(turns[0]).isBetween(9, 11);
        tasks.ended.add(1);
        tasks.ended.add(2);
        assertThat(tasks.next()).hasValue(0);
        tasks.rounded(0, Double.POSITIVE_INFINITY);
        assertThat(tasks.next()).isEmpty();
        assertThat(tasks.scheduler.ended()).isEqualTo("all 1984 trials are done");
    }
}

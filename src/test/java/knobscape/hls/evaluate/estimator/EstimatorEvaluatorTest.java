package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class EstimatorEvaluatorTest {
    private static final KnobSet KNOBS = new KnobSet(List.of(
            new Knob("pipeline", new Domain.Categories(List.of("off", "inner", "middle"))),
            new Knob("unroll", new Domain.Factors(List.of(1, 2, 4, 8, 16, 32, 64))),
            new Knob("banks", new Domain.Factors(List.of(1, 2, 4, 8, 16, 32)))));
    private static final Kernel GEMM = Kernels.gemm(Kernels.FLOAT, 64);

    private static List<Directive> directives(Configuration c) {
        var list = new ArrayList<Directive>();
        if (!c.value("pipeline").equals("off")) {
            list.add(new Directive.Pipeline("gemm/" + c.value("pipeline"), true, 0));
        }
        int unroll = Integer.parseInt(c.value("unroll"));
        if (unroll > 1) {
            list.add(new Directive.Unroll("gemm/inner", unroll));
        }
        int banks = Integer.parseInt(c.value("banks"));
        if (banks > 1) {
            list.add(new Directive.Partition("gemm/m1", 1, PartitionType.CYCLIC, banks));
            list.add(new Directive.Partition("gemm/m2", 1, PartitionType.BLOCK, banks));
        }
        return list;
    }

    private static List<Configuration> all() {
        var list = new ArrayList<Configuration>();
        for (int p = 0; p < 3; p++) {
            for (int u = 0; u < 7; u++) {
                for (int b = 0; b < 6; b++) {
                    list.add(Configuration.of(KNOBS, p, u, b));
                }
            }
        }
        return list;
    }

    private static EstimatorEvaluator evaluator(EstimatorSettings settings) {
        return new EstimatorEvaluator(GEMM, EstimatorEvaluatorTest::directives, settings);
    }

    private static List<Evaluation> evaluate(EstimatorEvaluator e, Configuration c) {
        return e.evaluate(c, EstimatorEvaluator.IMPL, new CancellationSignal());
    }

    @Test
    void reportsEveryMetricAtEveryFidelity() {
        try (var e = evaluator(EstimatorSettings.defaults())) {
            List<Evaluation> stages = evaluate(e, all().getFirst());
            assertThat(stages).extracting(s -> s.fidelity().name()).containsExactly("hls", "syn", "impl");
            for (Evaluation s : stages) {
                var m = (Outcome.Measured) s.outcome();
                assertThat(m.values().keySet())
                        .isEqualTo(e.info().reported().get(s.fidelity().name()));
                assertThat(m.values().get("delay"))
                        .isEqualTo(m.values().get("latency") * m.values().get("clock"));
                assertThat(s.costSeconds()).isPositive();
                assertThat(s.provenance().source().words()).isEqualTo("built-in estimate");
            }
            assertThat(e.info().objectives()).containsExactly("power", "delay", "lut");
            assertThat(e.info().metric("lut").limit()).isEqualTo(303_600);
        }
    }

    @Test
    void stopsAtTheFidelityAskedFor() {
        try (var e = evaluator(EstimatorSettings.defaults())) {
            assertThat(e.evaluate(all().getFirst(), EstimatorEvaluator.HLS, new CancellationSignal()))
                    .hasSize(1);
            assertThat(e.evaluate(all().getFirst(), EstimatorEvaluator.SYN, new CancellationSignal()))
                    .hasSize(2);
        }
    }

    @Test
    void sameSeedSameFiguresInAnyOrderAndFromManyThreads() throws Exception {
        List<Configuration> space = all();
        List<List<Evaluation>> expected;
        try (var e = evaluator(EstimatorSettings.defaults())) {
            expected = space.stream().map(c -> evaluate(e, c)).toList();
        }
        try (var e = evaluator(EstimatorSettings.defaults());
                var pool = Executors.newFixedThreadPool(4)) {
            var futures = IntStream.range(0, space.size())
                    .map(i -> space.size() - 1 - i)
                    .mapToObj(i -> pool.submit(() -> evaluate(e, space.get(i))))
                    .toList();
            for (int i = 0; i < futures.size(); i++) {
                assertThat(futures.get(i).get()).isEqualTo(expected.get(space.size() - 1 - i));
            }
        }
    }

    @Test
    void seedsDifferOnlyAfterPlacement() {
        try (var one = evaluator(EstimatorSettings.defaults());
                var two = evaluator(EstimatorSettings.defaults().withSeed(2))) {
            List<Evaluation> a = evaluate(one, all().getFirst());
            List<Evaluation> b = evaluate(two, all().getFirst());
            assertThat(a.get(0).outcome()).isEqualTo(b.get(0).outcome());
            assertThat(a.get(1).outcome()).isEqualTo(b.get(1).outcome());
            assertThat(a.get(2).outcome()).isNotEqualTo(b.get(2).outcome());
            assertThat(a.get(2).value("clock").getAsDouble())
                    .isCloseTo(
                            b.get(2).value("clock").getAsDouble(), org.assertj.core.data.Percentage.withPercentage(6));
        }
    }

    @Test
    void whatDoesNotFitIsInvalidAndSaysWhy() {
        var small = EstimatorSettings.defaults().withPart(Part.byName("Zynq-7020"));
        Configuration wide = Configuration.of(KNOBS, 2, 0, 5);
        try (var e = evaluator(small);
                var large = evaluator(EstimatorSettings.defaults())) {
            Evaluation last = evaluate(e, wide).getLast();
            assertThat(last.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Failure.class,
                            i -> assertThat(i.reason()).matches("does not fit xc7z020-1: needs [\\d,]+ DSP of 220"));
            assertThat(evaluate(large, wide).getLast().isMeasured()).isTrue();
        }
    }

    @Test
    void tooManyBanksAreRefused() {
        var e = new EstimatorEvaluator(
                GEMM,
                c -> List.of(new Directive.Partition("gemm/m1", 1, PartitionType.COMPLETE, 0)),
                EstimatorSettings.defaults());
        assertThat(evaluate(e, all().getFirst()))
                .singleElement()
                .satisfies(s -> assertThat(s.outcome())
                        .isEqualTo(new Outcome.Failure(
                                FailureKind.DOES_NOT_FIT,
                                "array gemm/m1 would be split into 4096 banks; the tool takes at most 1024")));
    }

    @Test
    void writingOutTooMuchIsRefused() {
        var e = new EstimatorEvaluator(
                GEMM,
                c -> List.of(new Directive.Pipeline("gemm/outer", true, 0), new Directive.Unroll("gemm/outer", 64)),
                EstimatorSettings.defaults());
        assertThat(evaluate(e, all().getFirst()).getFirst().outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failure.class,
                        i -> assertThat(i.reason()).startsWith("writing out the loops of gemm makes about "));
    }

    @Test
    void badSettingsAreOneSentence() {
        assertThatThrownBy(() -> EstimatorSettings.defaults().withClockNs(0))
                .isInstanceOf(UserError.class)
                .hasMessage("the clock period must be between 1 and 1000 ns, was 0.0");
        assertThatThrownBy(() -> Part.byName("xc7vx"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("xc7vx485t (VC707)");
    }

    /// Everything dissolved into wires: no cycle and no LUT would make ratios of objectives meaningless.
    @Test
    void evenWiresTakeACycleAndALookUpTable() {
        Kernel wires =
                Kernels.of("void wires(int in[4], int out[4]) { L: for (int i = 0; i < 4; i++) out[i] = in[3 - i]; }");
        var all = List.<Directive>of(
                new Directive.Unroll("wires/L", 0),
                new Directive.Partition("wires/in", 1, PartitionType.COMPLETE, 4),
                new Directive.Partition("wires/out", 1, PartitionType.COMPLETE, 4));
        assertThat(new Estimator(wires, EstimatorSettings.defaults()).estimate(all, 2))
                .hasSize(3)
                .allMatch(s -> s.latencyCycles() == 1 && s.delayNs() > 0 && s.lut() >= 1 && s.powerWatts() > 0);
    }

    @Test
    void aBodyOfThousandsOfStatementsIsEvaluated() {
        for (int statements : new int[] {1_500, 4_000}) {
            String body = IntStream.range(0, statements)
                    .mapToObj(n -> "x[" + n % 8 + "] = x[" + n % 8 + "] + " + n + ".0f;")
                    .collect(Collectors.joining("\n"));
            for (long trip : new long[] {1, 16}) {
                Kernel kernel = Kernels.of(
                        "void many(float x[8]) {\nbody: for (int i = 0; i < " + trip + "; i++) {\n" + body + "\n} }");
                try (var e = new EstimatorEvaluator(
                        kernel,
                        c -> List.of(new Directive.Pipeline("many/body", true, 0)),
                        EstimatorSettings.defaults())) {
                    var last = evaluate(e, all().getFirst()).getLast();
                    assertThat(last.outcome()).as(statements + " x " + trip).isInstanceOf(Outcome.Measured.class);
                }
            }
        }
    }
}

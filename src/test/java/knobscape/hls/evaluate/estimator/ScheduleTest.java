package knobscape.hls.evaluate.estimator;

import static knobscape.hls.evaluate.estimator.Kernels.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import knobscape.hls.evaluate.Part;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final EstimatorSettings SETTINGS = EstimatorSettings.defaults();

    private static EstimateReport report(Kernel kernel, Directive... directives) {
        return new Estimator(kernel, SETTINGS).explain(List.of(directives));
    }

    private static LoopEstimate loopOf(EstimateReport report, String id) {
        return report.loops().stream()
                .filter(l -> l.loop().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /// PowerGear's atax design b, Vivado HLS 2018.2 on xczu9eg at 10 ns, sizes 64 x 64: copy in 64*(64+4),
    /// products 64*(64*8+2), flattened pipeline 8-1+4095, copy out 64, and 6 around them, 41,420 cycles.
    @Test
    void ataxOfVivadoHls2018() {
        Kernel k = Kernels.of("""
                void atax(float A[64][64], float x[64], float out[64]) {
                    float B[64][64], tmp[64], y[64];
                    ci: for (int i = 0; i < 64; i++)
                        cj: for (int j = 0; j < 64; j++) B[i][j] = A[i][j];
                    mi: for (int i = 0; i < 64; i++) {
                        float s = 0;
                        mj: for (int j = 0; j < 64; j++) s += B[i][j] * x[j];
                        tmp[i] = s;
                    }
                    yi: for (int i = 0; i < 64; i++)
                        yj: for (int j = 0; j < 64; j++) y[j] = y[j] + B[i][j] * tmp[i];
                    o: for (int i = 0; i < 64; i++) out[i] = y[i];
                }
                """);
        String f = "atax/";
        var settings = SETTINGS.withPart(Part.byName("xczu9eg-2")).withProfile(ToolProfile.VIVADO_HLS_2018);
        EstimateReport r = new Estimator(k, settings)
                .explain(List.of(
                        new Directive.Flatten(f + "ci", false),
                        new Directive.Pipeline(f + "cj", true, 0),
                        new Directive.Pipeline(f + "yj", true, 0),
                        new Directive.Pipeline(f + "o", true, 0)));
        assertThat(loopOf(r, f + "ci").latency()).isEqualTo(4352);
        assertThat(loopOf(r, f + "mi").latency()).isEqualTo(32_896);
        assertThat(loopOf(r, f + "yj").interval()).isEqualTo(1);
        assertThat(r.stages().getFirst().latencyCycles()).isEqualTo(41_420);
    }

    /// `init_1` of sort_radix: a body of one state; unrolling by 2 halves the 2048 cycles, as reported.
    @Test
    void unrollingAOneStateBodyHalvesIt() {
        Kernel k = Kernels.of("void init(int bucket[2048]) { i: for (int n = 0; n < 2048; n++) bucket[n] = 0; }");
        double one = report(k).stages().getFirst().latencyCycles();
        double two =
                report(k, new Directive.Unroll("init/i", 2)).stages().getFirst().latencyCycles();
        assertThat(one - two).isEqualTo(1024);
    }

    @Test
    void portsLimitTheIntervalAndAreNamed() {
        EstimateReport r = report(Kernels.gemm(FLOAT, 64), new Directive.Pipeline("gemm/middle", true, 0));
        assertThat(loopOf(r, "gemm/middle")).satisfies(l -> {
            assertThat(l.state()).isEqualTo(LoopEstimate.State.PIPELINED);
            assertThat(l.interval()).isEqualTo(32);
            assertThat(l.limit()).isEqualTo("ports of m1");
        });
        assertThat(loopOf(r, "gemm/inner").state()).isEqualTo(LoopEstimate.State.UNROLLED);
        assertThat(loopOf(r, "gemm/outer").state()).isEqualTo(LoopEstimate.State.FLATTENED);
    }

    @Test
    void recurrencesLimitTheIntervalAndAreNamed() {
        EstimateReport sum = report(
                Kernels.gemm(FLOAT, 64),
                new Directive.Pipeline("gemm/inner", true, 0),
                new Directive.Partition("gemm/prod", 1, PartitionType.CYCLIC, 2));
        assertThat(loopOf(sum, "gemm/inner").interval()).isEqualTo(3);
        assertThat(loopOf(sum, "gemm/inner").limit()).isEqualTo("recurrence through sum, fadd of latency 3");
        EstimateReport counts = report(Kernels.histogram(1024, 256), new Directive.Pipeline("histogram/keys", true, 0));
        assertThat(loopOf(counts, "histogram/keys").interval()).isBetween(2, 3);
        assertThat(loopOf(counts, "histogram/keys").limit()).isEqualTo("recurrence through count");
    }

    /// Vitis HLS 2022.2 keeps what an iteration stored, and where, beside the memory (`reuse_reg` in its schedules).
    @Test
    void whatTheLastIterationStoredNeedsNoLoad() {
        EstimateReport r = new Estimator(Kernels.histogram(1024, 256), SETTINGS.withUnasked(ToolDefaults.VITIS))
                .explain(List.of(new Directive.Pipeline("histogram/keys", true, 0)));
        assertThat(loopOf(r, "histogram/keys").interval()).isEqualTo(1);
    }

    /// Rows that are told apart by nothing meet a row apart, elements of one row at once; Vitis HLS 2022.2 reports an
    /// interval of 11 for the second in public projects, as for `x[i] -= l[i][j] * x[j]`.
    @Test
    void rowsOfUnknownNumberMeetARowApart() {
        Kernel k = Kernels.of("""
                void eliminate(double a[40][40], int k) {
                  rows: for (int i = k + 1; i < 40; i++) {
                    across: for (int j = 0; j < 40; j++) a[i][j] -= 2.0 * a[k][j];
                    within: for (int j = 0; j < 40; j++) a[i][i] -= 2.0 * a[i][j];
                  }
                }
                """);
        EstimateReport r = report(
                k,
                new Directive.Pipeline("eliminate/across", true, 0),
                new Directive.Pipeline("eliminate/within", true, 0));
        assertThat(loopOf(r, "eliminate/across").limit()).isEqualTo("ports of a");
        assertThat(loopOf(r, "eliminate/across").interval()).isEqualTo(2);
        assertThat(loopOf(r, "eliminate/within").limit()).startsWith("recurrence through a");
        assertThat(loopOf(r, "eliminate/within").interval()).isBetween(9, 12);
    }

    /// Two variables that take turns need the states of both for two iterations, rounded up.
    @Test
    void variablesThatTakeTurnsShareTheirStates() {
        Kernel k = Kernels.of("""
                void turns(float a[64], float out[2]) {
                    float x = 1, y = 2;
                    walk: for (int i = 0; i < 64; i++) {
                        float before = x;
                        x = y + a[i];
                        y = before * 1.5f;
                    }
                    out[0] = x;
                    out[1] = y;
                }
                """);
        EstimateReport r = report(k, new Directive.Pipeline("turns/walk", true, 0));
        assertThat(loopOf(r, "turns/walk").interval()).isEqualTo(4);
    }

    /// A row of a block-partitioned array moves to the other bank within an outer loop that crosses at least half a
    /// block, for nobody knows where in its block it begins. The bank is chosen outside of the inner loop then, and
    /// the two loops stay two.
    @ParameterizedTest
    @CsvSource({"4, 2, true", "5, 2, false", "5, 1, true", "9, 1, true"})
    void loopsJoinWhereNoBankIsChosenBetweenThem(int rows, int banks, boolean join) {
        Kernel k = Kernels.of("""
                void sums(int a[16][32], int out[16]) {
                    rows: for (int i = 0; i < %d; i++) {
                        int s = 0;
                        columns: for (int j = 0; j < 32; j++) s += a[i][j];
                        out[i] = s;
                    }
                }
                """.formatted(rows));
        EstimateReport r = report(
                k,
                new Directive.Pipeline("sums/columns", true, 0),
                new Directive.Partition("sums/a", 1, PartitionType.BLOCK, banks));
        assertThat(loopOf(r, "sums/rows").state() == LoopEstimate.State.FLATTENED)
                .isEqualTo(join);
    }

    @Test
    void integerSumsAreBalanced() {
        Kernel k = Kernels.of("""
                void sum(int a[1024], int out[1]) {
                    int s = 0;
                    i: for (int n = 0; n < 1024; n++) s += a[n];
                    out[0] = s;
                }
                """);
        EstimateReport r = report(
                k,
                new Directive.Pipeline("sum/i", true, 0),
                new Directive.Unroll("sum/i", 16),
                new Directive.Partition("sum/a", 1, PartitionType.CYCLIC, 8));
        assertThat(loopOf(r, "sum/i").interval()).isEqualTo(1);
        assertThat(loopOf(r, "sum/i").depth()).isLessThanOrEqualTo(5);
    }

    @Test
    void anAskedForIntervalIsKept() {
        EstimateReport r = report(Kernels.scale(FLOAT, 256), new Directive.Pipeline("scale/work", true, 4));
        assertThat(loopOf(r, "scale/work").interval()).isEqualTo(4);
        assertThat(loopOf(r, "scale/work").limit()).isEmpty();
    }

    @Test
    void loopsOfUnknownLengthAreAssumedAndSaidSo() {
        Kernel k = Kernels.of("""
                void f(int a[64], int n) {
                    rows: for (int r = 0; r < 8; r++)
                        items: for (int i = 0; i < n; i++) a[i] = 1;
                }
                """);
        var e = new Estimator(k, SETTINGS.withAssumedTrip(10));
        assertThat(e.notes()).containsExactly("the trip count of loop f/items is unknown; latency assumes 10");
        EstimateReport r = e.explain(List.of(new Directive.Pipeline("f/rows", true, 0)));
        assertThat(loopOf(r, "f/rows").state()).isEqualTo(LoopEstimate.State.SEQUENTIAL);
        assertThat(loopOf(r, "f/rows").limit())
                .isEqualTo("cannot be pipelined: a loop inside has no constant number of iterations");
        assertThat(r.stages().getFirst().latencyCycles()).isEqualTo(1 + 8 * (2 + 10));
    }

    /// The tool's reports print the best and the worst case of a LOOP_TRIPCOUNT range.
    @ParameterizedTest
    @CsvSource({"WORST, 32", "MEAN, 20", "BEST, 8"})
    void theCaseOfARangeIsASetting(TripBasis basis, double trip) {
        Kernel k = Kernels.of("""
                void f(int a[64], int n) {
                    items: for (int i = 0; i < n; i++) {
                #pragma HLS LOOP_TRIPCOUNT min=8 max=32
                #pragma HLS PIPELINE II=2
                        a[i] = n;
                    }
                    copies: for (int i = 0; i < 64; i++) a[i] += 1;
                }
                """);
        EstimateReport r = new Estimator(k, SETTINGS.withTripBasis(basis)).explain(List.of());
        assertThat(loopOf(r, "f/items").trip()).isEqualTo(trip);
        assertThat(loopOf(r, "f/copies").trip()).isEqualTo(64);
        // Four iterations are one, and what is left is done behind them.
        EstimateReport four =
                new Estimator(k, SETTINGS.withTripBasis(basis)).explain(List.of(new Directive.Unroll("f/items", 4)));
        assertThat(four.loops()).anyMatch(l -> l.loop().equals("f/items") && l.trip() == trip / 4);
    }

    @Test
    void automaticPipeliningIsASetting() {
        Kernel k = Kernels.scale(FLOAT, 128);
        assertThat(new Estimator(k, SETTINGS).explain(List.of()).loops())
                .allMatch(l -> l.state() == LoopEstimate.State.SEQUENTIAL);
        var automatic = new Estimator(k, SETTINGS.withUnasked(ToolDefaults.VITIS));
        assertThat(automatic.explain(List.of()).loops()).allMatch(l -> l.state() == LoopEstimate.State.PIPELINED);
        assertThat(loopOf(automatic.explain(List.of(new Directive.Pipeline("scale/work", false, 0))), "scale/work")
                        .state())
                .isEqualTo(LoopEstimate.State.SEQUENTIAL);
    }

    @Test
    void completePartitionMakesRegisters() {
        EstimateReport r =
                report(Kernels.scale(FLOAT, 32), new Directive.Partition("scale/x", 1, PartitionType.COMPLETE, 0));
        assertThat(r.arrays())
                .filteredOn(a -> a.array().equals("scale/x"))
                .singleElement()
                .satisfies(a -> {
                    assertThat(a.storage()).isEqualTo("registers");
                    assertThat(a.banks()).isEqualTo(32);
                });
        assertThat(r.arrays())
                .filteredOn(a -> a.array().equals("scale/a"))
                .singleElement()
                .extracting("storage")
                .isEqualTo("external");
    }

    @Test
    void unknownNamesAreProgramErrors() {
        assertThatThrownBy(() -> report(Kernels.scale(FLOAT, 32), new Directive.Unroll("scale/nowhere", 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the kernel has no loop named scale/nowhere");
        assertThatThrownBy(() -> report(
                        Kernels.scale(FLOAT, 32), new Directive.Partition("scale/x", 2, PartitionType.CYCLIC, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("array scale/x has no dimension 2");
    }

    /// More banks never raise an interval where accesses are resolved, and partitioning never changes the
    /// operations.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void moreBanksNeverRaiseTheInterval(long seed) {
        var random = new Random(seed);
        var estimator = new Estimator(Kernels.gemm(FLOAT, 64), SETTINGS);
        for (int round = 0; round < 40; round++) {
            var base = new ArrayList<Directive>();
            base.add(new Directive.Pipeline("gemm/middle", true, 0));
            base.add(new Directive.Unroll("gemm/middle", 1 << random.nextInt(3)));
            PartitionType m1 = random.nextBoolean() ? PartitionType.CYCLIC : PartitionType.BLOCK;
            PartitionType m2 = random.nextBoolean() ? PartitionType.CYCLIC : PartitionType.BLOCK;
            int before = Integer.MAX_VALUE;
            long operations = -1;
            for (int banks = 1; banks <= 64; banks *= 2) {
                var d = new ArrayList<>(base);
                if (banks > 1) {
                    d.add(new Directive.Partition("gemm/m1", 1, m1, banks));
                    d.add(new Directive.Partition("gemm/m2", 1, m2, banks));
                }
                EstimateReport r = estimator.explain(d);
                int interval = loopOf(r, "gemm/middle").interval();
                assertThat(interval).as("%s with %d banks", base, banks).isLessThanOrEqualTo(before);
                before = interval;
                long now = r.operators().stream()
                        .mapToLong(EstimateReport.OperatorEstimate::operations)
                        .sum();
                assertThat(operations < 0 || now == operations)
                        .as("%s with %d banks: %d operations instead of %d", base, banks, now, operations)
                        .isTrue();
                operations = now;
            }
        }
    }

    @Test
    void onePortIsNeverFasterThanTwo() {
        var estimator = new Estimator(Kernels.scale(FLOAT, 256), SETTINGS);
        for (int unroll : new int[] {1, 2, 4, 8}) {
            var two = List.<Directive>of(
                    new Directive.Unroll("scale/work", unroll), new Directive.Pipeline("scale/work", true, 0));
            var one = new ArrayList<>(two);
            one.add(new Directive.BindStorage("scale/x", Directive.Storage.BRAM_1P));
            assertThat(loopOf(estimator.explain(one), "scale/work").interval())
                    .isGreaterThanOrEqualTo(
                            loopOf(estimator.explain(two), "scale/work").interval());
        }
    }

    /// What is too large to be written out is extended on a line: figures that the ports dictate must come out
    /// as the accesses say. All of `m2` does not change with `outer`, so it is loaded once, two elements a
    /// cycle.
    @Test
    void largeBlocksAreExtended() {
        EstimateReport r = report(Kernels.gemm(FLOAT, 64), new Directive.Pipeline("gemm/outer", true, 0));
        assertThat(loopOf(r, "gemm/outer")).satisfies(l -> {
            assertThat(l.state()).isEqualTo(LoopEstimate.State.PIPELINED);
            assertThat(l.interval()).isEqualTo(32);
            assertThat(l.latency() - 63 * 32 - l.depth()).isBetween(2048.0, 2060.0);
        });
        assertThat(r.operators())
                .filteredOn(o -> o.name().equals("fmul"))
                .singleElement()
                .satisfies(o -> {
                    assertThat(o.operations()).isEqualTo(4096);
                    assertThat(o.units()).isEqualTo(128);
                });
    }
}

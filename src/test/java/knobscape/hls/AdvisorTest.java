package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.Advisor.Advice;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Questions that users ask, with the known answer in each file's comment (`hls/cases` of the shared data).
@Tag("slow")
class AdvisorTest {
    private static final Path CASES =
            Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls/cases");

    private static List<Advice> advice(String file, String top, Consumer<Advisor> more) {
        Path source = CASES.resolve(file);
        assumeTrue(Files.exists(source), "the shared cases are not here");
        var options = new KernelReader.Options(Optional.of(top), List.of(), java.util.Map.of());
        Kernel kernel = HlsTools.standard().reader().read(source, options);
        Advisor advisor = Advisor.of(kernel, EstimatorSettings.defaults(), List.of(), new CancellationSignal());
        List<Advice> all = advisor.advise(3);
        more.accept(advisor);
        return all;
    }

    private static List<Advice> advice(String file, String top) {
        return advice(file, top, _ -> {});
    }

    private static double latency(EstimateReport r) {
        return r.stages().getFirst().latencyCycles();
    }

    private static OptionalInt interval(EstimateReport r, String loop) {
        return r.loops().stream()
                .filter(l -> l.loop().endsWith(loop))
                .mapToInt(LoopEstimate::interval)
                .max();
    }

    @Test
    void threeNeighboursNeedTwoBanks() {
        Advice a = advice("q1_three_taps.c", "taps").getFirst();
        assertThat(a.remedy().directives())
                .contains(
                        new Directive.Pipeline("taps/go", true, 0),
                        new Directive.Partition("taps/a", 1, PartitionType.CYCLIC, 2));
        assertThat(interval(a.after(), "/go")).hasValue(1);
        assertThat(latency(a.after())).isBetween(1024.0, 1040.0);
    }

    /// A shift register is a static local, which has few elements and is worth registers.
    @Test
    void aShiftRegisterIsDivided(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("fir.c"), """
                void fir(const short x[256], short y[256], const short c[8]) {
                  static short reg[8];
                samples:
                  for (int n = 0; n < 256; n++) {
                    int acc = 0;
                shift:
                    for (int i = 7; i > 0; i--) reg[i] = reg[i - 1];
                    reg[0] = x[n];
                taps:
                    for (int i = 0; i < 8; i++) acc += reg[i] * c[i];
                    y[n] = acc >> 8;
                  }
                }
                """);
        Kernel kernel = HlsTools.standard().reader().read(file, KernelReader.Options.defaults());
        Advice a = Advisor.of(kernel, EstimatorSettings.defaults(), List.of(), new CancellationSignal())
                .advise(1)
                .getFirst();
        assertThat(a.remedy().directives())
                .contains(
                        new Directive.Pipeline("fir/samples", true, 0),
                        new Directive.Partition("fir/reg", 1, PartitionType.COMPLETE, 0));
        assertThat(interval(a.after(), "/samples")).hasValue(1);
    }

    /// The adder's latency bounds the interval; no division of the memory is advised.
    @Test
    void aSumIsLimitedByItsAdder() {
        Advice a = advice("q2_sum.c", "sum").getFirst();
        assertThat(a.remedy().directives()).noneMatch(Directive.Partition.class::isInstance);
        assertThat(a.after().loops())
                .anyMatch(l -> l.limit().startsWith("recurrence through s")
                        && l.limit().contains("latency"));
    }

    @Test
    void aHistogramNeedsRegisters() {
        List<Advice> all = advice("q3_hist.c", "hist");
        Advice a = all.stream()
                .filter(x -> x.subject().equals("hist/go"))
                .findFirst()
                .orElseThrow();
        assertThat(a.remedy().directives()).contains(new Directive.Partition("hist/t", 1, PartitionType.COMPLETE, 0));
        assertThat(interval(a.after(), "/go")).hasValue(1);
    }

    @Test
    void threeStagesOverlap() {
        Advice a = advice("q4_dataflow.c", "top").getLast();
        assertThat(a.remedy().directives()).contains(new Directive.Dataflow("top"));
        assertThat(a.after().interval()).isBetween(1024.0, 1040.0);
    }

    /// Of the matrix the second dimension is divided, never the first.
    @Test
    void aRowTimesAVectorNeedsTheInnerDimension() {
        List<Directive> said = advice("q5_matvec.c", "mv").stream()
                .flatMap(a -> a.remedy().directives().stream())
                .toList();
        assertThat(said)
                .anyMatch(d -> d instanceof Directive.Partition p
                        && p.array().equals("mv/m")
                        && p.dimension() == 2
                        && p.factor() >= 4)
                .anyMatch(d -> d instanceof Directive.Partition p && p.array().equals("mv/x") && p.factor() >= 4)
                .noneMatch(d -> d instanceof Directive.Partition p && p.array().equals("mv/m") && p.dimension() == 1);
    }

    @Test
    void twoPointersNeedTwoPorts() {
        Advice a = advice("q6_bundle.c", "add").getFirst();
        assertThat(a.why()).contains("AXI port g");
        assertThat(a.remedy().bundles()).hasSize(1);
        assertThat(interval(a.after(), "/go")).hasValue(1);
    }

    /// What is advised is never dearer than what is there, and the shares are those of one whole.
    @Test
    void sharesAddUpAndNothingGetsSlower() {
        for (String[] q : new String[][] {
            {"q1_three_taps.c", "taps"}, {"q2_sum.c", "sum"}, {"q3_hist.c", "hist"}, {"q5_matvec.c", "mv"}
        }) {
            double[] before = new double[2];
            List<Advice> all = advice(q[0], q[1], a -> {
                before[0] = latency(a.before());
                before[1] =
                        a.before().costs().stream().mapToDouble(c -> c.cycles()).sum();
            });
            assertThat(before[1]).isLessThanOrEqualTo(1.01 * before[0] + 2);
            assertThat(all.stream()
                            .filter(a -> !a.subject().equals(q[1]))
                            .mapToDouble(Advice::share)
                            .sum())
                    .isLessThanOrEqualTo(1.0001);
            assertThat(all.stream().filter(a -> a.subject().contains("/")))
                    .allSatisfy(a -> assertThat(latency(a.after())).isLessThanOrEqualTo(before[0]));
        }
    }

    /// The tool assumes what it does not find out; only the engineer can say that places differ.
    @Test
    void aRecurrenceThatMayNotBeThereIsSaidAway(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("scatter.c"), """
                void scatter(int a[64], const int to[64]) {
                  places: for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                    a[to[i]] = a[i] / 3;
                  }
                  walk: for (int i = 1; i < 64; i++) {
                #pragma HLS PIPELINE
                    a[i] = a[i - 1] / 3 + to[i];
                  }
                }
                """);
        Kernel kernel = HlsTools.standard().reader().read(file, KernelReader.Options.defaults());
        Advisor advisor = Advisor.of(kernel, EstimatorSettings.defaults(), List.of(), new CancellationSignal());
        for (Advice a : advisor.advise(2)) {
            assertThat(a.why()).contains("recurrence through a");
            assertThat(advisor.assertion(a).map(Advisor.Assertion::pragma))
                    .isEqualTo(
                            a.subject().endsWith("places")
                                    ? Optional.of("#pragma HLS DEPENDENCE variable=a type=inter dependent=false")
                                    : Optional.empty());
        }
    }
}

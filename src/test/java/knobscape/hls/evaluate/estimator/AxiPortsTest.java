package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import knobscape.hls.space.Directive;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.Test;

/// Memories behind AXI master ports: bursts, single requests, ports that are shared, and the defaults of the flows.
class AxiPortsTest {
    private static final EstimatorSettings CORE = EstimatorSettings.defaults();
    private static final EstimatorSettings KERNEL = CORE.withProfile(ToolProfile.VITIS_KERNEL_2022);
    private static final int N = 1024;
    /// States from the request to the first word, and from the last word to the answer, for 64 cycles of latency.
    private static final int REQUEST = 70;

    private static final int RESPONSE = 68;

    private EstimateReport report(String source, EstimatorSettings settings, Directive... more) {
        var all = new ArrayList<>(List.of(more));
        all.add(new Directive.Pipeline("f/L", true, 0));
        return new Estimator(Kernels.of(source), settings).explain(all);
    }

    private static double cycles(EstimateReport r) {
        return r.stages().getFirst().latencyCycles();
    }

    private static LoopEstimate loop(EstimateReport r) {
        return r.loops().getFirst();
    }

    private static String copy(String pragmas, String index) {
        return "void f(int *in, int *out) {\n" + pragmas + "  L: for (int i = 0; i < " + N + "; i++) out[i] = in["
                + index + "] + 1;\n}\n";
    }

    private static String masters(String inBundle, String outBundle, String more) {
        return "#pragma HLS INTERFACE m_axi port=in bundle=" + inBundle + more + "\n"
                + "#pragma HLS INTERFACE mode=m_axi port=out bundle=" + outBundle + more + "\n";
    }

    /// One request, then a word per cycle, then one answer.
    @Test
    void aCopyGoesInBursts() {
        var r = report(copy(masters("a", "b", " latency=64"), "i"), CORE);
        assertThat(cycles(r)).isCloseTo(N + REQUEST + RESPONSE, within(8.0));
        assertThat(loop(r).interval()).isEqualTo(1);
        assertThat(loop(r).depth()).isLessThan(8);
        assertThat(loop(r).limit()).isEmpty();
        // reading and writing go over channels of their own
        assertThat(cycles(report(copy(masters("a", "a", " latency=64"), "i"), CORE)))
                .isEqualTo(cycles(r));
    }

    @Test
    void memcpyIsABurst() {
        String source = "#include <string.h>\nvoid f(int *in, int *out) {\n" + masters("a", "b", " latency=64")
                + "  int a[1024]; memcpy(a, in, sizeof a);\n"
                + "  L: for (int i = 0; i < 1024; i++) out[i] = a[1023 - i];\n}\n";
        assertThat(cycles(report(source, CORE))).isCloseTo(2 * N + REQUEST + RESPONSE, within(14.0));
    }

    /// Requests of different iterations overlap, so a pipelined loop waits for the latency once, in its depth; without
    /// a pipeline every access waits.
    @Test
    void aStrideTakesARequestForEachElement() {
        String source = copy(masters("a", "b", " latency=64"), "4 * i");
        var r = report(source, CORE);
        assertThat(loop(r).depth()).isBetween(REQUEST + 2, REQUEST + 6);
        assertThat(loop(r).interval()).isEqualTo(1);
        assertThat(loop(r).limit()).contains("no burst of f/in: its elements are not accessed one after the other");
        assertThat(new Estimator(Kernels.of(source), CORE)
                        .estimate(List.of(), 0)
                        .getFirst()
                        .latencyCycles())
                .isGreaterThan(N * (double) (REQUEST + RESPONSE));
    }

    @Test
    void conditionsAndEndsThatAreNotKnownPreventBursts() {
        String head = "void f(int *in, int *out) {\n" + masters("a", "b", " latency=64");
        var guarded = report(head + "  L: for (int i = 0; i < 1024; i++) if (i > 6) out[i] = in[i];\n}\n", CORE);
        assertThat(loop(guarded).limit()).contains("accessed under a condition");
        var stops = report(
                head + "  L: for (int i = 0; i < 1024; i++) { out[i] = in[i]; if (in[i] == 0) break; }\n}\n", CORE);
        assertThat(loop(stops).limit()).contains("its end is not known");
        var behind = report(
                "void f(int *in) {\n#pragma HLS INTERFACE m_axi port=in\n"
                        + "  L: for (int i = 0; i < 1024; i++) in[i + 1] = in[i] + 1;\n}\n",
                CORE);
        assertThat(loop(behind).limit()).contains("written in the same loop");
        // Each element waits until the one before is written.
        assertThat(loop(behind).interval()).isGreaterThan(10);
        var same = report(
                "void f(int *in) {\n#pragma HLS INTERFACE m_axi port=in\n"
                        + "  L: for (int i = 0; i < 1024; i++) in[i] = in[i] + 1;\n}\n",
                CORE);
        assertThat(loop(same).interval()).isEqualTo(1);
        assertThat(loop(same).limit()).isEmpty();
    }

    private static String sum(String first, String second) {
        return "void f(int *in1, int *in2, int *out) {\n#pragma HLS INTERFACE m_axi port=in1 bundle=" + first
                + "\n#pragma HLS INTERFACE m_axi port=in2 bundle=" + second
                + "\n#pragma HLS INTERFACE m_axi port=out bundle=c\n"
                + "  L: for (int i = 0; i < 1024; i++) out[i] = in1[i] + in2[i];\n}\n";
    }

    /// UG1399: no bursts where two arguments of a port are read in one loop.
    @Test
    void argumentsOfOnePortShareIt() {
        var one = report(sum("a", "a"), CORE);
        var two = report(sum("a", "b"), CORE);
        assertThat(loop(one).interval()).isEqualTo(2);
        assertThat(loop(one).limit()).contains("AXI port a").contains("shares its port");
        assertThat(loop(two).interval()).isEqualTo(1);
        assertThat(cycles(two)).isLessThan(0.6 * cycles(one));
        // each port has an adapter
        assertThat(two.stages().getFirst().bram() - one.stages().getFirst().bram())
                .isEqualTo(4);
        assertThat(two.stages().getFirst().ff())
                .isGreaterThan(one.stages().getFirst().ff() + 400);
    }

    /// Vector addition of the Vitis examples in the kernel flow: Vitis HLS 2021.2 reported 8338 cycles at 4 ns for 4096
    /// elements on one port, and an adapter with 4 block RAMs, at an estimated clock of 2.920 ns.
    @Test
    void aPublishedReportIsMet() {
        String source = "void f(const unsigned int *in1, const unsigned int *in2, unsigned int *out, int size) {\n"
                + "  L: for (int i = 0; i < size; ++i) {\n#pragma HLS loop_tripcount min=4096 max=4096\n"
                + "    out[i] = in1[i] + in2[i];\n  }\n}\n";
        var r = report(source, KERNEL.withClockNs(4));
        assertThat(cycles(r)).isCloseTo(8338, within(10.0));
        assertThat(loop(r).interval()).isEqualTo(2);
        assertThat(r.stages().getFirst().bram()).isEqualTo(4);
        assertThat(r.stages().getFirst().clockNs()).isCloseTo(2.92, within(0.001));
    }

    @Test
    void theLatencyIsThatOfThePragmaOrTheFlow() {
        double core = cycles(report(copy(masters("a", "b", ""), "i"), CORE));
        double kernel = cycles(report(copy(masters("a", "b", ""), "i"), KERNEL));
        // 0 counts as 1
        assertThat(kernel - core).isEqualTo(2 * 63);
        assertThat(cycles(report(copy(masters("a", "b", " latency=20"), "i"), CORE)) - core)
                .isEqualTo(2 * 19);
        assertThat(cycles(report(copy(masters("a", "b", " latency=64"), "i"), CORE)))
                .isEqualTo(kernel);
    }

    /// Without pragmas the kernel flow makes a port of every memory, the other flow of none.
    @Test
    void theKernelFlowMakesPortsOfArguments() {
        String source = "#include <hls_stream.h>\nvoid f(int in[1024], hls::stream<int> &out) {\n"
                + "  L: for (int i = 0; i < 1024; i++) out.write(in[i]);\n}\n";
        assertThat(report(source, KERNEL).arrays())
                .anyMatch(a -> a.array().equals("f/in") && a.storage().equals("AXI gmem"))
                .noneMatch(a -> a.array().equals("f/out") && a.storage().startsWith("AXI"));
        assertThat(report(source, CORE).arrays()).noneMatch(a -> a.storage().startsWith("AXI"));
    }

    /// The kernel flow joins neighbours up to 512 bits; the other flow reads them one by one.
    @Test
    void neighboursAreJoinedToWideWords() {
        var unrolled = new Directive.Unroll("f/L", 16);
        String source = copy(masters("a", "b", ""), "i");
        var wide = report(source, KERNEL, unrolled);
        var narrow = report(source, CORE, unrolled);
        assertThat(loop(wide).interval()).isEqualTo(1);
        assertThat(loop(narrow).interval()).isEqualTo(16);
        assertThat(wide.stages().getFirst().bram()).isEqualTo(2 * 32);
        assertThat(narrow.stages().getFirst().bram()).isEqualTo(2 * 4);
        String bounded = copy(masters("a", "b", " max_widen_bitwidth=128"), "i");
        assertThat(loop(report(bounded, KERNEL, unrolled)).interval()).isEqualTo(4);
        assertThat(loop(report(bounded, CORE, unrolled)).interval()).isEqualTo(16);
    }

    /// Rows that follow on each other are one burst; rows with a gap are one each.
    @Test
    void nestsGoInOneBurstWhereRowsFollowOnRows() {
        String nest = "void f(int *in, int *out) {\n" + masters("a", "b", " latency=64")
                + "  R: for (int r = 0; r < 32; r++) L: for (int i = 0; i < 32; i++) out[r * 32 + i] = in[r * %d + i];\n}\n";
        double through = cycles(report(nest.formatted(32), CORE));
        assertThat(through).isCloseTo(N + REQUEST + RESPONSE, within(12.0));
        assertThat(cycles(report(nest.formatted(40), CORE))).isGreaterThan(N + 32 * REQUEST);
    }

    /// UG1399: neither ARRAY_PARTITION nor ARRAY_RESHAPE on such an argument.
    @Test
    void noBanksBehindAPort() {
        String source = "void f(int in[1024], int out[1024]) {\n#pragma HLS INTERFACE m_axi port=in bundle=a\n"
                + "  L: for (int i = 0; i < 1024; i++) out[i] = in[i] + 1;\n}\n";
        var cut = new Directive.Partition("f/in", 1, Directive.PartitionType.CYCLIC, 4);
        assertThat(cycles(report(source, CORE, cut))).isEqualTo(cycles(report(source, CORE)));
        List<String> knobs =
                SpaceBuilder.build(Kernels.of(source), SpaceLimits.defaults()).space().knobs().list().stream()
                        .map(k -> k.name())
                        .toList();
        assertThat(knobs).anyMatch(k -> k.contains("f/out")).noneMatch(k -> k.contains("f/in"));
    }

    /// All members of a struct come with one word.
    @Test
    void membersOfAStructShareAWord() {
        String source = "struct point { int x; int y; };\nvoid f(struct point *in, int *out) {\n"
                + masters("a", "b", " latency=64")
                + "  L: for (int i = 0; i < 1024; i++) out[i] = in[i].x + in[i].y;\n}\n";
        var r = report(source, CORE);
        assertThat(loop(r).interval()).isEqualTo(1);
        assertThat(cycles(r)).isCloseTo(N + REQUEST + RESPONSE, within(8.0));
    }

    @Test
    void aSlaveTakesRegistersForTheAddresses() {
        String with = "#pragma HLS INTERFACE s_axilite port=n\n";
        String source = "void f(int n, int out[16]) {\n%s  L: for (int i = 0; i < 16; i++) out[i] = n * i;\n}\n";
        double ff = report(source.formatted(with), CORE).stages().getFirst().ff()
                - report(source.formatted(""), CORE).stages().getFirst().ff();
        assertThat(ff).isCloseTo(34 + 1.148 * 32, within(1.0));
    }

    /// Few short requests do not keep a far memory busy: the words of a burst wait for the answer to one before.
    @Test
    void shortBurstsAndFewRequestsWait() {
        String few = " latency=64 max_read_burst_length=8 num_read_outstanding=2";
        var stalls = report(copy(masters("a", "b", few), "i"), CORE);
        // two bursts of 8 words in 70 + 8 cycles, against one word a cycle
        double waits = (N / 8 - 2) / 2.0 * (REQUEST + 8 - 16);
        assertThat(cycles(stalls))
                .isCloseTo(cycles(report(copy(masters("a", "b", " latency=64"), "i"), CORE)) + waits, within(8.0));
        assertThat(loop(stalls).limit()).contains("2 outstanding requests of 8 words");
        double deep = report(copy(masters("a", "b", " latency=64 num_read_outstanding=64"), "i"), CORE)
                .stages()
                .getFirst()
                .bram();
        assertThat(deep).isGreaterThan(stalls.stages().getFirst().bram());
    }

    /// The wait by its formula is that of requests made and answered one by one.
    @Test
    void waitsAreThoseOfEveryRequest() {
        for (int requests : new int[] {1, 2, 3, 16}) {
            for (int length : new int[] {1, 4, 16, 300}) {
                for (int words : new int[] {1, 15, 64, 1000}) {
                    var window = new Buses.Window(requests, length);
                    assertThat(window.stall(words, 70, 32))
                            .as(requests + " x " + length + ", " + words)
                            .isEqualTo(lastWord(words, Math.min(length, 256), requests, 70)
                                    - lastWord(words, Math.min(length, 256), 1_000_000, 70));
                }
            }
        }
    }

    private static double lastWord(int words, int length, int outstanding, int states) {
        var complete = new ArrayList<Integer>();
        int issued = -1;
        for (int first = 0; first < words; first += length) {
            int burst = complete.size();
            issued = Math.max(issued + 1, burst >= outstanding ? complete.get(burst - outstanding) : 0);
            int data = issued + states;
            if (burst > 0) {
                data = Math.max(data, complete.getLast());
            }
            complete.add(data + Math.min(length, words - first));
        }
        return complete.getLast();
    }
}

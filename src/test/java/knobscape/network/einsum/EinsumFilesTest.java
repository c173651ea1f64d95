package knobscape.network.einsum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import knobscape.evaluate.UserError;
import knobscape.network.Arithmetic;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.MissingExtents;
import knobscape.network.Network;
import knobscape.network.Operator;
import knobscape.network.source.NetworkSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Workloads in YAML become networks with as many multiply-accumulates as their loops have trips.
final class EinsumFilesTest {
    private static final String ZIGZAG = """
            - id: 0
              operator_type: Conv
              equation: O[b][k][oy][ox]+=W[k][c][fy][fx]*I[b][c][iy][ix]
              dimension_relations: [ix=2*ox+1*fx, iy=2*oy+1*fy]
              loop_dims: [B, K, C, OY, OX, FY, FX]
              loop_sizes: [1, 8, 3, 16, 16, 5, 5]
              operand_precision: {W: 8, I: 8, O: 16, O_final: 8}
              operand_source: {I: 0, W: 0}
            - id: 1
              operator_type: Pooling
              equation: O[b][g][oy][ox]+=W[fx][fy]*I[b][g][iy][ix]
              dimension_relations: [ix=2*ox+1*fx, iy=2*oy+1*fy]
              loop_dims: [B, G, OY, OX, FX, FY]
              loop_sizes: [1, 8, 8, 8, 3, 3]
              operand_source: {I: 0, W: 1}
            - id: 2
              operator_type: Conv
              equation: O[b][k][oy][ox]+=W[k][c][fy][fx]*I[b][c][iy][ix]
              dimension_relations: [ix=1*ox+1*fx, iy=1*oy+1*fy]
              loop_dims: [B, K, C, OY, OX, FY, FX]
              loop_sizes: [1, 8, 8, 8, 8, 3, 3]
              operand_source: {I: 1, W: 2}
            - id: 3
              operator_type: Add
              equation: O[b][g][oy][ox]=W[b][g][oy][ox]+I[b][g][oy][ox]
              loop_dims: [B, G, OY, OX]
              loop_sizes: [1, 8, 8, 8]
              operand_source: {W: 1, I: 2}
            """;

    private static final String ACCELFORGE = """
            {%- set BATCH_SIZE = BATCH_SIZE | default(1) %}
            workload:
              rank_sizes: {B: {{BATCH_SIZE}}, P0: 10, Q0: 10, N0: 4, T0: 12, P1: 8, Q1: 8, N1: 4}
              bits_per_value: {All: 8}
              einsums:
              - name: Wide
                tensor_accesses:
                - {name: X, projection: [p0, q0, n0, b]}
                - {name: WA, projection: [n0, t0]}
                - {name: A, projection: [p0, q0, t0, b], output: True}
              - name: Deep
                tensor_accesses:
                - name: A
                  projection: {P0: p1 + r0, Q0: q1 + s0, T0: t0, B: b}
                - {name: WD, projection: [r0, s0, t0]}
                - {name: D, projection: [p1, q1, t0, b], output: True}
                iteration_space_shape: [0 <= r0 < 3, 0 <= s0 < 3]
              - einsum: "Y[p1, q1, n1, b] = D[p1, q1, t0, b] * WB[t0, n1]"
            """;

    private static final String TIMELOOP = """
            problem:
              version: 0.4
              instance: {C: 3, M: 16, N: 1, P: 28, Q: 28, R: 3, S: 3, Hstride: 2, Wstride: 2}
              shape:
                name: conv
                coefficients: [{name: Wstride, default: 1}, {name: Hstride, default: 1}]
                dimensions: [C, M, R, S, N, P, Q]
                data_spaces:
                - {name: Weights, projection: [[[C]], [[M]], [[R]], [[S]]]}
                - {name: Inputs, projection: [[[N]], [[C]], [[R], [P, Wstride]], [[S], [Q, Hstride]]]}
                - {name: Outputs, projection: [[[N]], [[M]], [[Q]], [[P]]], read_write: true}
            """;

    @TempDir
    Path folder;

    private ImportedNetwork read(String text, ImportOptions options) throws IOException {
        Path file = folder.resolve("work.yaml");
        Files.writeString(file, text);
        return NetworkSource.read(file.toString(), options);
    }

    private static long macs(Network n) {
        return n.nodes().stream().mapToLong(x -> Arithmetic.macs(n, x)).sum();
    }

    @Test
    void layersOfZigzagAreConnectedPaddedAndPooled() throws IOException {
        Network n = read(ZIGZAG, ImportOptions.none()).network();
        assertThat(macs(n)).isEqualTo(8L * 3 * 16 * 16 * 25 + 8L * 8 * 8 * 8 * 9);
        assertThat(n.nodes())
                .extracting(x -> x.operator().getClass().getSimpleName())
                .containsExactly("Conv", "Pool", "Conv", "Elementwise");
        assertThat(n.inputs()).hasSize(1);
        // The file's input carries its margin; layers between them are padded.
        assertThat(n.tensor(n.inputs().getFirst()).shape().orElseThrow().dims()).containsExactly(1L, 3L, 35L, 35L);
        assertThat(((Operator.Conv) n.nodes().get(2).operator()).window().padBegin())
                .containsExactly(1, 1);
        assertThat(n.outputs()).containsExactly("layer3");
    }

    @Test
    void einsumsOfAccelforgeBecomeConvolutionsWithoutMargins() throws IOException {
        Network n = read(ACCELFORGE, ImportOptions.none()).network();
        assertThat(macs(n)).isEqualTo(100L * 4 * 12 + 64L * 12 * 9 + 64L * 12 * 4);
        assertThat(n.nodes())
                .extracting(x -> ((Operator.Conv) x.operator()).groups())
                .containsExactly(1, 12, 1);
        assertThat(n.inputs()).containsExactly("X");
        assertThat(macs(read(ACCELFORGE, new ImportOptions(OptionalLong.of(3), Map.of()))
                        .network()))
                .isEqualTo(3 * macs(n));
    }

    @Test
    void aProblemOfTimeloopIsOneLayer() throws IOException {
        ImportedNetwork n = read(TIMELOOP, ImportOptions.none());
        assertThat(macs(n.network())).isEqualTo(3L * 16 * 28 * 28 * 9);
        assertThat(((Operator.Conv) n.network().nodes().getFirst().operator())
                        .window()
                        .strides())
                .containsExactly(2, 2);
        assertThat(n.notes()).isEmpty();
    }

    @Test
    void productsKeepTheirRowsAndHeads() throws IOException {
        Network n = read("""
                workload:
                  rank_sizes: {M: 64, N: 64, H: 4, E: 8}
                  einsums:
                  - {name: S, tensor_accesses: [{name: Q, projection: [h, m, e]}, {name: K, projection: [h, n, e]}, {name: QK, projection: [h, m, n], output: true}]}
                  - {name: P, tensor_accesses: [{name: QK, projection: [h, m, n]}, {name: V, projection: [h, n, e]}, {name: O, projection: [h, m, e], output: true}]}
                """, ImportOptions.none()).network();
        assertThat(macs(n)).isEqualTo(2L * 4 * 64 * 64 * 8);
    }

    @Test
    void aRankWithoutSizeIsAskedForOnce() throws IOException {
        String text = """
                workload:
                  rank_sizes: {K: 32}
                  einsums:
                  - {name: A, tensor_accesses: [{name: X, projection: [m, k]}, {name: W, projection: [k, n]}, {name: Y, projection: [m, n], output: true}]}
                """;
        assertThatThrownBy(() -> read(text, ImportOptions.none()))
                .isInstanceOf(MissingExtents.class)
                .hasMessageContaining("--dim m=N")
                .hasMessageContaining("--dim n=N");
        Network n = read(text, new ImportOptions(OptionalLong.empty(), Map.of("m", 8L, "n", 16L)))
                .network();
        assertThat(macs(n)).isEqualTo(32L * 8 * 16);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "- 1",
                "a: b",
                "problem: {}",
                "workload: {einsums: []}",
                "- {id: 0, equation: 'O[a]+=I[a]', loop_dims: [A], loop_sizes: [99999999999999999999]}",
                "- {id: 0, equation: 'O[a]+=I[a]', loop_dims: [A], loop_sizes: [-1]}",
                "- {id: 0, equation: 'O[a]+=W[a]*I[b][a]', loop_dims: [A, B], loop_sizes: [999999999999, 999999999999]}",
                "- {id: 0, equation: '', loop_dims: [], loop_sizes: []}",
                "workload:\n{% for i in range(9) %}\n  a: 1\n{% endfor %}",
                "workload: {einsums: [{einsum: 'A[i'}]}",
                "workload: &a {b: *a}"
            })
    void badFilesAreOneSentence(String text) {
        assertThatThrownBy(() -> read(text, ImportOptions.none()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("work.yaml");
    }
}

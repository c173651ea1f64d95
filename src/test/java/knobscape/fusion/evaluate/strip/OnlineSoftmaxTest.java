package knobscape.fusion.evaluate.strip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowReader;
import knobscape.network.ElementType;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import org.junit.jupiter.api.Test;

/// Plans of a fused attention are carried out with numbers: the result is that of a softmax over whole rows, in the
/// room
/// and with the traffic that the plan names.
final class OnlineSoftmaxTest {
    private static final int CASES = 60;
    private static final int BLOCK = 16;

    @Test
    void aFusedAttentionRunsInItsRoomWithItsTraffic() {
        var random = new SplittableRandom(8);
        int tried = 0;
        int streamed = 0;
        for (int n = 0; n < CASES; n++) {
            int queries = 1 + random.nextInt(12);
            int keys = 20 + random.nextInt(60);
            int width = 1 + random.nextInt(9);
            RowGraph g = attention(queries, keys, width);
            var counting = new Counting(false, true, false, 1);
            long buffer = 2L * BLOCK * width + random.nextInt(2 * keys * width);
            var model = new StripModel(g, RandomRows.machine(buffer, counting), 1);
            for (GroupPlan plan : new GroupCosts(model).all(model.first(), model.end() - 1)) {
                var run = new Run(queries, keys, width, plan, random);
                assertThat(run.mostLive)
                        .as(n + ": " + queries + " x " + keys + " x " + width + " " + plan)
                        .isLessThanOrEqualTo(plan.room());
                assertThat(run.moved)
                        .as(n + ": " + queries + " x " + keys + " x " + width + " " + plan)
                        .isEqualTo(plan.cost().offChip());
                tried++;
                streamed += run.moved > model.bound().offChip() ? 1 : 0;
            }
        }
        assertThat(tried).isGreaterThan(CASES);
        assertThat(streamed).isGreaterThan(CASES / 2);
    }

    private static RowGraph attention(int queries, int keys, int width) {
        var b = new NetworkBuilder("attention", ElementType.INT8);
        String q = b.input("q", Shape.of(1, 1, queries, width));
        String k = b.input("k", Shape.of(1, 1, keys, width));
        String v = b.input("v", Shape.of(1, 1, keys, width));
        String s = b.add(
                "scores", new Operator.MatMul(), q, b.add("turned", new Operator.Transpose(List.of(0, 1, 3, 2)), k));
        String p = b.add("softmax", new Operator.Softmax(3, false, false), s);
        return RowReader.of(b.output(b.add("out", new Operator.MatMul(), p, v)).build())
                .graph();
    }

    /// One head, block by block of keys, counting every element that crosses the border and every one that is live.
    private static final class Run {
        private long moved;
        private long mostLive;

        Run(int queries, int keys, int width, GroupPlan plan, SplittableRandom random) {
            double[][] q = matrix(queries, width, random);
            double[][] k = matrix(keys, width, random);
            double[][] v = matrix(keys, width, random);
            int strips = Math.ceilDiv(queries, plan.pieces().strip());
            int most = Math.min(plan.pieces().strip(), queries);
            // What the plan's room leaves beside live rows and one block of K or V holds the first elements of both.
            long rows = (long) most * (2L * width + Math.min(keys, BLOCK + 2));
            long spare = plan.room() - rows;
            long all = 2L * keys * width;
            long pinned = strips == 1 ? 0 : spare >= all ? all : Math.max(0, spare - (long) BLOCK * width);
            for (int s = 0; s < strips; s++) {
                int from = s * plan.pieces().strip();
                int to = Math.min(queries, from + plan.pieces().strip());
                int n = to - from;
                moved += (long) n * width;
                double[] largest = new double[n];
                Arrays.fill(largest, Double.NEGATIVE_INFINITY);
                double[] sum = new double[n];
                double[][] out = new double[n][width];
                for (int block = 0; block < keys; block += BLOCK) {
                    int end = Math.min(keys, block + BLOCK);
                    // K and then V go through the same part of the buffer.
                    for (int matrix = 0; matrix < 2; matrix++) {
                        long first = ((long) matrix * keys + block) * width;
                        long last = ((long) matrix * keys + end) * width;
                        long here = Math.max(0, Math.min(last, pinned) - first);
                        long loaded = last - first - (s == 0 ? 0 : here);
                        moved += loaded;
                        long streaming = last - first - here;
                        long stay = s == 0 ? Math.min(pinned, first + here) : pinned;
                        live((long) n * (2L * width + Math.min(keys, BLOCK + 2)) + streaming + stay);
                    }
                    for (int i = 0; i < n; i++) {
                        step(q[from + i], k, v, block, end, i, largest, sum, out[i]);
                    }
                }
                moved += (long) n * width;
                for (int i = 0; i < n; i++) {
                    double[] exact = plain(q[from + i], k, v);
                    for (int c = 0; c < width; c++) {
                        assertThat(out[i][c] / sum[i]).isCloseTo(exact[c], within(1e-9));
                    }
                }
            }
        }

        private void live(long elements) {
            mostLive = Math.max(mostLive, elements);
        }

        private static void step(
                double[] q,
                double[][] k,
                double[][] v,
                int begin,
                int end,
                int row,
                double[] largest,
                double[] sum,
                double[] out) {
            double[] score = new double[end - begin];
            double top = largest[row];
            for (int j = begin; j < end; j++) {
                score[j - begin] = dot(q, k[j]);
                top = Math.max(top, score[j - begin]);
            }
            double fade = Math.exp(largest[row] - top);
            sum[row] *= fade;
            for (int c = 0; c < out.length; c++) {
                out[c] *= fade;
            }
            for (int j = begin; j < end; j++) {
                double e = Math.exp(score[j - begin] - top);
                sum[row] += e;
                for (int c = 0; c < out.length; c++) {
                    out[c] += e * v[j][c];
                }
            }
            largest[row] = top;
        }

        private static double[] plain(double[] q, double[][] k, double[][] v) {
            double sum = 0;
            double[] out = new double[q.length];
            for (int j = 0; j < k.length; j++) {
                double e = Math.exp(dot(q, k[j]));
                sum += e;
                for (int c = 0; c < out.length; c++) {
                    out[c] += e * v[j][c];
                }
            }
            for (int c = 0; c < out.length; c++) {
                out[c] /= sum;
            }
            return out;
        }

        private static double dot(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i] * b[i];
            }
            return sum;
        }

        private static double[][] matrix(int rows, int columns, SplittableRandom random) {
            double[][] m = new double[rows][columns];
            for (double[] row : m) {
                for (int c = 0; c < columns; c++) {
                    row[c] = random.nextDouble(-1, 1);
                }
            }
            return m;
        }
    }

    @Test
    void scoresOfWholeRowsNeedMoreRoom() {
        RowGraph g = attention(32, 64, 8);
        var online = room(g, new Counting(false, true, false, 1));
        var whole = room(g, new Counting(false, false, false, 1));
        assertThat(online.orElseThrow()).isLessThan(whole.orElseThrow());
    }

    private static Optional<Long> room(RowGraph g, Counting counting) {
        var model = new StripModel(g, RandomRows.machine(1 << 20, counting), 1);
        List<GroupPlan> all = new GroupCosts(model).all(model.first(), model.end() - 1);
        return all.stream().map(GroupPlan::room).min(Long::compare);
    }
}

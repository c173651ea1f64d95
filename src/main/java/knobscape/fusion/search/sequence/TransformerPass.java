package knobscape.fusion.search.sequence;

import knobscape.fusion.search.sequence.SequenceModel.Linear;
import knobscape.fusion.search.sequence.SequenceModel.Matrix;

/// A pass of the Transformer that keeps keys and values of earlier steps, so that every step costs one token.
/// Blocks are pre-norm: attention and feed-forward layers read a normalised copy and add to the stream.
final class TransformerPass implements SequenceModel.Pass {
    private static final double EPSILON = 1e-5;

    private final int width;
    private final int heads;
    private final Linear embed;
    private final Block[] blocks;
    private final Norm norm;
    private final Linear head;
    private int t;

    private record Norm(Matrix gain, Matrix bias) {
        static Norm take(SequenceModel.Reader r) {
            return new Norm(r.take(), r.take());
        }

        float[] of(float[] x) {
            double mean = 0;
            for (float v : x) {
                mean += v;
            }
            mean /= x.length;
            double variance = 0;
            for (float v : x) {
                variance += (v - mean) * (v - mean);
            }
            double scale = 1 / Math.sqrt(variance / x.length + EPSILON);
            float[] y = bias.vector();
            float[] g = gain.vector();
            for (int i = 0; i < y.length; i++) {
                y[i] += (float) ((x[i] - mean) * scale) * g[i];
            }
            return y;
        }
    }

    private record Block(
            Norm norm1, Linear qkv, Linear projection, Norm norm2, Linear up, Linear down, float[][] memory) {}

    TransformerPass(SequenceModel.Reader r, int steps) {
        width = r.architecture().width();
        heads = r.architecture().heads();
        embed = r.linear();
        blocks = new Block[r.architecture().blocks()];
        for (int b = 0; b < blocks.length; b++) {
            blocks[b] = new Block(
                    Norm.take(r), r.linear(), r.linear(), Norm.take(r), r.linear(), r.linear(), new float[steps][]);
        }
        norm = Norm.take(r);
        head = r.linear();
    }

    @Override
    public float[] next(float[] state) {
        float[] h = embed.of(state);
        for (Block b : blocks) {
            b.memory[t] = b.qkv.of(b.norm1.of(h));
            add(h, b.projection.of(attend(b.memory)));
            add(h, b.down.of(b.up.rectified(b.norm2.of(h))));
        }
        t++;
        return head.of(norm.of(h));
    }

    /// The values that the last step gathers from all steps up to itself.
    private float[] attend(float[][] memory) {
        int size = width / heads;
        float[] gathered = new float[width];
        float[] query = memory[t];
        double scale = 1 / Math.sqrt(size);
        double[] weight = new double[t + 1];
        for (int head = 0; head < heads; head++) {
            int from = head * size;
            double largest = Double.NEGATIVE_INFINITY;
            for (int j = 0; j <= t; j++) {
                double dot = 0;
                for (int i = from; i < from + size; i++) {
                    dot += query[i] * memory[j][width + i];
                }
                weight[j] = dot * scale;
                largest = Math.max(largest, weight[j]);
            }
            double sum = 0;
            for (int j = 0; j <= t; j++) {
                weight[j] = Math.exp(weight[j] - largest);
                sum += weight[j];
            }
            for (int j = 0; j <= t; j++) {
                float w = (float) (weight[j] / sum);
                for (int i = from; i < from + size; i++) {
                    gathered[i] += w * memory[j][2 * width + i];
                }
            }
        }
        return gathered;
    }

    private static void add(float[] h, float[] x) {
        for (int i = 0; i < h.length; i++) {
            h[i] += x[i];
        }
    }
}

package knobscape.fusion.search.sequence;

import java.util.List;
import java.util.function.Function;
import knobscape.fusion.search.sequence.SequenceModel.Linear;
import knobscape.fusion.search.sequence.SequenceModel.Matrix;

/// A pass of the Transformer that keeps keys and values of earlier steps, so that every step costs one token.
/// Blocks are pre-norm: attention and feed-forward layers read a normalised copy and add to the stream.
final class TransformerPass implements SequenceModel.Pass {
    private static final double EPSILON = 1e-5;

    private final int width;
    private final int heads;
    private final Function<float[], float[][]> embedding;
    private final Block[] blocks;
    private final Norm norm;
    private final Linear head;
    private int step;
    /// Tokens read.
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
        Architecture.Kind kind = r.architecture().kind();
        embedding = kind == Architecture.Kind.PUBLISHED ? published(r) : ours(r.linear());
        int tokens = kind == Architecture.Kind.PUBLISHED ? PublishedFormulation.TOKENS * steps : steps;
        blocks = new Block[r.architecture().blocks()];
        for (int b = 0; b < blocks.length; b++) {
            blocks[b] = new Block(
                    Norm.take(r), r.linear(), r.linear(), Norm.take(r), r.linear(), r.linear(), new float[tokens][]);
        }
        norm = Norm.take(r);
        head = r.linear();
    }

    private static Function<float[], float[][]> ours(Linear embed) {
        return state -> new float[][] {embed.of(state)};
    }

    /// Three tokens, each with the embedding of its time step.
    private Function<float[], float[][]> published(SequenceModel.Reader r) {
        List<Linear> parts = List.of(r.linear(), r.linear(), r.linear());
        Matrix time = r.take();
        return state -> {
            float[][] inputs = PublishedFormulation.tokens(state);
            float[][] tokens = new float[inputs.length][];
            for (int k = 0; k < inputs.length; k++) {
                tokens[k] = parts.get(k).of(inputs[k]);
                add(tokens[k], time.row(PublishedFormulation.time(k, step)));
            }
            return tokens;
        };
    }

    @Override
    public float[] next(float[] state) {
        float[] h = {};
        for (float[] token : embedding.apply(state)) {
            h = read(token);
        }
        step++;
        return head.of(norm.of(h));
    }

    private float[] read(float[] h) {
        for (Block b : blocks) {
            b.memory[t] = b.qkv.of(b.norm1.of(h));
            add(h, b.projection.of(attend(b.memory)));
            add(h, b.down.of(b.up.rectified(b.norm2.of(h))));
        }
        t++;
        return h;
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

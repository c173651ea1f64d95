package knobscape.surrogate.gp;

import java.util.SplittableRandom;
import knobscape.numeric.Parallel;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/// The network phi_W of a deep kernel as plain arrays (float, layer by layer `[out][in]` and biases), with the
/// centre and scale that bring its outputs to a fixed spread over the training designs. Evaluated by LibTorch;
/// immutable and safe to ask from several threads.
///
/// @param weights per layer, out x in in row order
/// @param biases per layer
/// @param centre mean of every output over the training designs
/// @param scale what every centred output is multiplied with
record FeatureNetwork(float[][] weights, float[][] biases, double[] centre, double[] scale) {
    private static final int CHUNK = 1024;

    /// He-scaled normal weights from a seed, centre 0 and scale 1.
    static FeatureNetwork initial(int inputs, DeepKernelSettings settings, long seed) {
        var random = new SplittableRandom(seed);
        int layers = settings.widths().size();
        float[][] weights = new float[layers][];
        float[][] biases = new float[layers][];
        int in = inputs;
        for (int l = 0; l < layers; l++) {
            int out = settings.widths().get(l);
            weights[l] = new float[out * in];
            double deviation = Math.sqrt(2.0 / in);
            for (int i = 0; i < weights[l].length; i++) {
                weights[l][i] = (float) (deviation * random.nextGaussian());
            }
            biases[l] = new float[out];
            in = out;
        }
        double[] scale = new double[in];
        java.util.Arrays.fill(scale, 1);
        return new FeatureNetwork(weights, biases, new double[in], scale);
    }

    /// Number of features.
    int outputs() {
        return centre.length;
    }

    /// Features of rows, k x d to k x outputs.
    // The scope acts by being open; nothing refers to it.
    @SuppressWarnings("try")
    double[][] features(double[][] x) {
        double[][] result = new double[x.length][];
        try (PointerScope scope = new PointerScope()) {
            Tensor[] w = new Tensor[weights.length];
            Tensor[] b = new Tensor[weights.length];
            for (int l = 0; l < w.length; l++) {
                int out = biases[l].length;
                w[l] = tensor(weights[l], out, weights[l].length / out);
                b[l] = tensor(biases[l], out);
            }
            Parallel.chunks(x.length, CHUNK, (from, to) -> fill(result, from, evaluate(w, b, x, from, to)));
        }
        return result;
    }

    private void fill(double[][] result, int first, float[] flat) {
        int count = flat.length / outputs();
        for (int i = 0; i < count; i++) {
            double[] row = new double[outputs()];
            for (int c = 0; c < row.length; c++) {
                row[c] = (flat[i * row.length + c] - centre[c]) * scale[c];
            }
            result[first + i] = row;
        }
    }

    // The scope and the guard act by being open; nothing refers to them.
    @SuppressWarnings("try")
    private float[] evaluate(Tensor[] w, Tensor[] b, double[][] x, int from, int to) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard guard = new NoGradGuard()) {
            Tensor h = rows(x, from, to);
            for (int l = 0; l < weights.length; l++) {
                h = torch.linear(h, w[l], new TensorOptional(b[l]));
                if (l < weights.length - 1) {
                    h = h.relu_();
                }
            }
            float[] flat = new float[(to - from) * outputs()];
            h.contiguous().data_ptr_float().get(flat);
            return flat;
        }
    }

    /// Rows of features as a float tensor.
    static Tensor rows(double[][] x, int from, int to) {
        int d = x[0].length;
        float[] flat = new float[(to - from) * d];
        for (int i = from; i < to; i++) {
            for (int c = 0; c < d; c++) {
                flat[(i - from) * d + c] = (float) x[i][c];
            }
        }
        return tensor(flat, to - from, d);
    }

    /// A float tensor with a copy of the values.
    static Tensor tensor(float[] values, long... shape) {
        try (FloatPointer p = new FloatPointer(values)) {
            return torch.from_blob(p, shape, new TensorOptions(torch.ScalarType.Float))
                    .clone();
        }
    }
}

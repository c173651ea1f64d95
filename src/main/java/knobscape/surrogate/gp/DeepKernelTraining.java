package knobscape.surrogate.gp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.surrogate.TrainingData;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/// One training run of a deep kernel: a float network in LibTorch under a double process. The likelihood and its
/// gradient by hyper-parameters and features are those of [MarginalLikelihood], at a sixth of the time that the same
/// process takes in LibTorch's words; LibTorch carries the gradient by the features on to the weights.
final class DeepKernelTraining {
    private final DeepKernelSettings settings;
    private final ParameterLayout layout;
    private final TrainingData data;
    private final int n;
    private final StandardisedData standardised;

    /// The result of the training.
    ///
    /// @param network weights at the end, and the centring and scaling that belong to them
    /// @param theta hyper-parameters at the end
    /// @param loss negative log posterior per observed value, one entry per iteration
    record TrainedKernel(FeatureNetwork network, double[] theta, double[] loss) {}

    DeepKernelTraining(
            DeepKernelSettings settings, ParameterLayout layout, TrainingData data, StandardisedData standardised) {
        this.settings = settings;
        this.layout = layout;
        this.data = data;
        this.n = data.size();
        this.standardised = standardised;
    }

    /// Trains for `iterations` steps of Adam; for fewer where the covariance after one more cannot be factored.
    // Scopes act by being open; nothing refers to them.
    @SuppressWarnings("try")
    TrainedKernel run(FeatureNetwork initial, double[] start, int iterations) {
        double[] losses = new double[iterations + 1];
        try (PointerScope scope = new PointerScope()) {
            Tensor x = FeatureNetwork.rows(data.x(), 0, n);
            Scalar tiny = new Scalar(1e-10);
            Scalar spread = new Scalar(settings.spread());
            var p = new Parameters(initial, start);
            double[][] byFeatures = new double[n][layout.features];
            double[] byTheta = new double[layout.size];
            for (int t = 0; ; t++) {
                try (PointerScope step = new PointerScope()) {
                    Tensor raw = p.forward(x).to(torch.ScalarType.Double);
                    Tensor centre = raw.mean(0L);
                    Tensor deviation =
                            raw.sub(centre).square().mean(0L).add(tiny).sqrt();
                    Tensor phi = raw.sub(centre).div(deviation).mul(spread);
                    Optional<MarginalLikelihood.At> at =
                            new MarginalLikelihood(layout, inputs(read(phi)), standardised.y()).at(read(p.theta));
                    if (at.isEmpty()) {
                        return t == 0 ? new TrainedKernel(initial, start, new double[0]) : run(initial, start, t - 1);
                    }
                    losses[t] = at.get().value(byTheta, byFeatures);
                    if (t == iterations) {
                        return p.copy(read(centre), read(deviation), losses);
                    }
                    p.step(
                            phi,
                            Arrays.stream(byFeatures)
                                    .flatMapToDouble(Arrays::stream)
                                    .toArray(),
                            byTheta);
                }
            }
        }
    }

    /// The process's inputs, n x (features + lower): the learned features, then the lower outputs.
    private double[][] inputs(double[] learned) {
        int width = layout.features;
        return IntStream.range(0, n)
                .mapToObj(i -> {
                    double[] row = new double[width + layout.lower];
                    System.arraycopy(learned, i * width, row, 0, width);
                    System.arraycopy(standardised.inputs()[i], data.features(), row, width, layout.lower);
                    return row;
                })
                .toArray(double[][]::new);
    }

    /// Weights and hyper-parameters under Adam.
    private final class Parameters {
        final List<LayerWeights> weights = new ArrayList<>();
        final List<LayerWeights> biases = new ArrayList<>();
        final Tensor theta;
        private final AdamW process;
        private int steps;

        Parameters(FeatureNetwork start, double[] startTheta) {
            for (int l = 0; l < start.weights().length; l++) {
                int out = start.biases()[l].length;
                weights.add(new LayerWeights(start.weights()[l], out, start.weights()[l].length / out));
                biases.add(new LayerWeights(start.biases()[l], out));
            }
            theta = doubles(startTheta, startTheta.length).set_requires_grad(true);
            var processOptions = new AdamWOptions(settings.processRate());
            processOptions.weight_decay().put(0);
            process = new AdamW(new TensorVector(theta), processOptions);
        }

        Tensor forward(Tensor x) {
            Tensor h = x;
            for (int l = 0; l < weights.size(); l++) {
                h = torch.linear(h, weights.get(l).tensor, new TensorOptional(biases.get(l).tensor));
                if (l < weights.size() - 1) {
                    h = h.relu();
                }
            }
            return h;
        }

        /// One step down the gradients by the learned features and the hyper-parameters.
        void step(Tensor phi, double[] byFeatures, double[] byTheta) {
            process.zero_grad();
            // A linear function with these gradients: the chain rule from there on is LibTorch's.
            phi.mul(doubles(byFeatures, phi.size(0), phi.size(1)))
                    .sum()
                    .add(theta.mul(doubles(byTheta, byTheta.length)).sum())
                    .backward();
            process.step();
            steps++;
            weights.forEach(w -> w.step(steps, settings));
            biases.forEach(b -> b.step(steps, settings));
        }

        TrainedKernel copy(double[] centre, double[] deviation, double[] loss) {
            float[][] w = weights.stream().map(l -> l.values).toArray(float[][]::new);
            float[][] b = biases.stream().map(l -> l.values).toArray(float[][]::new);
            double[] scale =
                    Arrays.stream(deviation).map(d -> settings.spread() / d).toArray();
            return new TrainedKernel(new FeatureNetwork(w, b, centre, scale), read(theta), loss);
        }
    }

    /// Weights of a layer, here and in LibTorch, under Adam with decoupled decay (Loshchilov and Hutter 2019) in
    /// a single pass; LibTorch's own makes one for every operation and takes as long as the gradient itself.
    private static final class LayerWeights {
        final float[] values;
        final Tensor tensor;
        private final float[] gradient;
        private final float[] mean;
        private final float[] square;

        LayerWeights(float[] start, long... shape) {
            values = start.clone();
            tensor = FeatureNetwork.tensor(values, shape).set_requires_grad(true);
            gradient = new float[values.length];
            mean = new float[values.length];
            square = new float[values.length];
        }

        /// The step of number `t`, from 1, down the gradient that LibTorch holds.
        void step(int t, DeepKernelSettings settings) {
            tensor.grad().contiguous().data_ptr_float().get(gradient);
            tensor.mutable_grad().reset();
            update(
                    values,
                    gradient,
                    mean,
                    square,
                    (float) (1 - settings.networkRate() * settings.weightDecay()),
                    (float) (settings.networkRate() / (1 - Math.pow(0.9, t))),
                    (float) (1 / (1 - Math.pow(0.999, t))));
            tensor.data_ptr_float().put(values);
        }

        private static void update(
                float[] p, float[] g, float[] mean, float[] square, float kept, float rate, float unbiased) {
            for (int i = 0; i < p.length; i++) {
                mean[i] = 0.9f * mean[i] + 0.1f * g[i];
                square[i] = 0.999f * square[i] + 0.001f * g[i] * g[i];
                p[i] = kept * p[i] - rate * mean[i] / ((float) Math.sqrt(unbiased * square[i]) + 1e-8f);
            }
        }
    }

    private static double[] read(Tensor t) {
        double[] values = new double[(int) t.numel()];
        t.contiguous().data_ptr_double().get(values);
        return values;
    }

    private static Tensor doubles(double[] values, long... shape) {
        try (DoublePointer p = new DoublePointer(values)) {
            return torch.from_blob(p, shape, new TensorOptions(torch.ScalarType.Double))
                    .clone();
        }
    }
}

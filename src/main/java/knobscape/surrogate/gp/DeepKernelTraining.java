package knobscape.surrogate.gp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

/// One training run of a deep kernel: a float network in LibTorch, whose gradient comes from the likelihood of the process on its features ([MarginalLikelihood]).
final class DeepKernelTraining {
    private final DeepKernelSettings settings;
    private final Layout layout;
    private final TrainingData data;
    private final Standardised standardised;
    private final int n;

    /// What came out.
    ///
    /// @param network weights at the end, and the centring and scaling that belong to them
    /// @param theta hyper-parameters at the end
    /// @param loss negative log posterior per observed value, one entry per iteration
    /// @param density mean leave-one-out log predictive density, likewise
    record Trained(FeatureNetwork network, double[] theta, double[] loss, double[] density) { }

    DeepKernelTraining(DeepKernelSettings settings, Layout layout, TrainingData data, Standardised standardised) {
        this.settings = settings;
        this.layout = layout;
        this.data = data;
        this.standardised = standardised;
        this.n = data.size();
    }

    // Scopes act by being open; nothing refers to them.
    @SuppressWarnings("try")
    Trained run(FeatureNetwork initial, double[] start, int iterations, int every, Checkpoint checkpoint) {
        try (PointerScope scope = new PointerScope()) {
            Tensor x = FeatureNetwork.rows(data.x(), 0, n);
            Scalar tiny = new Scalar(1e-10);
            Scalar spread = new Scalar(settings.spread());
            Parameters p = new Parameters(initial, start);
            var losses = new ArrayList<Double>();
            var densities = new ArrayList<Double>();
            Optional<Trained> last = Optional.empty();
            for (int t = 0; t <= iterations; t++) {
                try (PointerScope step = new PointerScope()) {
                    p.zeroGradients();
                    Tensor raw = p.forward(x).to(torch.ScalarType.Double);
                    Tensor centre = raw.mean(0L);
                    Tensor deviation = raw.sub(centre).square().mean(0L).add(tiny).sqrt();
                    Tensor phi = raw.sub(centre).div(deviation).mul(spread);
                    Optional<MarginalLikelihood.At> at = new MarginalLikelihood(layout, inputs(read(phi)), standardised.y()).at(read(p.theta));
                    if (at.isEmpty()) {
                        break;
                    }
                    double[] gradient = new double[layout.size];
                    double[][] byInputs = new double[n][layout.features];
                    losses.add(at.get().value(gradient, byInputs));
                    densities.add(at.get().system().leaveOneOut());
                    if (t == iterations || t > 0 && t % every == 0) {
                        var now = p.copy(read(centre), read(deviation));
                        checkpoint.at(t, now);
                        last = Optional.of(now);
                    }
                    if (t < iterations) {
                        // A function of the features and hyper-parameters that has the likelihood's gradient here.
                        int own = layout.features - learned();
                        double[] byPhi = Arrays.stream(byInputs).flatMapToDouble(row -> Arrays.stream(row, own, row.length)).toArray();
                        phi.mul(doubles(byPhi, n, learned())).sum().add(p.theta.mul(doubles(gradient, layout.size)).sum()).backward();
                        p.step();
                    }
                }
            }
            Trained end = last.orElse(new Trained(initial, start, new double[0], new double[0]));
            return new Trained(end.network, end.theta, toArray(losses), toArray(densities));
        }
    }

    /// Told of a training run on its way.
    @FunctionalInterface
    interface Checkpoint {
        /// The network and hyper-parameters after `iterations` steps.
        void at(int iterations, Trained now);
    }

    private static double[] toArray(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private int learned() {
        return settings.widths().getLast();
    }

    /// The knobs' own features where the process sees them, the learned ones, the lower fidelity's outputs.
    private double[][] inputs(double[] phi) {
        int own = layout.features - learned();
        double[][] inputs = new double[n][];
        for (int i = 0; i < n; i++) {
            double[] all = standardised.inputs()[i];
            inputs[i] = Arrays.copyOf(all, layout.features + layout.lower);
            System.arraycopy(phi, i * learned(), inputs[i], own, learned());
            System.arraycopy(all, data.features(), inputs[i], layout.features, layout.lower);
        }
        return inputs;
    }

    /// Weights and hyper-parameters under Adam.
    private final class Parameters {
        final List<Tensor> weights = new ArrayList<>();
        final List<Tensor> biases = new ArrayList<>();
        final Tensor theta;
        private final AdamW network;
        private final AdamW process;

        Parameters(FeatureNetwork start, double[] startTheta) {
            var all = new TensorVector();
            for (int l = 0; l < start.weights().length; l++) {
                int out = start.biases()[l].length;
                weights.add(FeatureNetwork.tensor(start.weights()[l], out, start.weights()[l].length / out).set_requires_grad(true));
                biases.add(FeatureNetwork.tensor(start.biases()[l], out).set_requires_grad(true));
                all.push_back(weights.getLast());
                all.push_back(biases.getLast());
            }
            theta = doubles(startTheta, startTheta.length).set_requires_grad(true);
            var networkOptions = new AdamWOptions(settings.networkRate());
            networkOptions.weight_decay().put(settings.weightDecay());
            network = new AdamW(all, networkOptions);
            var processOptions = new AdamWOptions(settings.processRate());
            processOptions.weight_decay().put(0);
            process = new AdamW(new TensorVector(theta), processOptions);
        }

        Tensor forward(Tensor x) {
            Tensor h = x;
            for (int l = 0; l < weights.size(); l++) {
                h = torch.linear(h, weights.get(l), new TensorOptional(biases.get(l)));
                if (l < weights.size() - 1) {
                    h = h.relu();
                }
            }
            return h;
        }

        void zeroGradients() {
            network.zero_grad();
            process.zero_grad();
        }

        void step() {
            network.step();
            process.step();
        }

        Trained copy(double[] centre, double[] deviation) {
            float[][] w = new float[weights.size()][];
            float[][] b = new float[weights.size()][];
            for (int l = 0; l < w.length; l++) {
                w[l] = new float[(int) weights.get(l).numel()];
                weights.get(l).data_ptr_float().get(w[l]);
                b[l] = new float[(int) biases.get(l).numel()];
                biases.get(l).data_ptr_float().get(b[l]);
            }
            double[] scale = Arrays.stream(deviation).map(d -> settings.spread() / d).toArray();
            return new Trained(new FeatureNetwork(w, b, centre, scale, settings.skip()), read(theta), new double[0], new double[0]);
        }
    }

    private static double[] read(Tensor t) {
        double[] values = new double[(int) t.numel()];
        t.contiguous().data_ptr_double().get(values);
        return values;
    }

    private static Tensor doubles(double[] values, long... shape) {
        if (values.length == 0) {
            return torch.zeros(shape, new TensorOptions(torch.ScalarType.Double));
        }
        try (DoublePointer p = new DoublePointer(values)) {
            return torch.from_blob(p, shape, new TensorOptions(torch.ScalarType.Double)).clone();
        }
    }
}

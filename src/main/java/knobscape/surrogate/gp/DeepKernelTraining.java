package knobscape.surrogate.gp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.surrogate.TrainingData;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/// One training run of a deep kernel in LibTorch: float network, double process. The covariance, its priors and
/// the order of its hyper-parameters are those of [Layout], so that the result can be handed to [CoregionalGp].
///
/// The likelihood is that of [MarginalLikelihood] in LibTorch's words (a test holds them together). With the
/// gradient by the features taken from there the last digits of it differ, which half a million
/// single-precision weights make into another network: runs of DCGP would no longer repeat.
final class DeepKernelTraining {
    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);
    private final DeepKernelSettings settings;
    private final Layout layout;
    private final TrainingData data;
    private final int n;
    private final double[] y;
    private final double[] lower;
    private final long[] observed;

    /// What came out.
    ///
    /// @param network weights at the end, and the centring and scaling that belong to them
    /// @param theta hyper-parameters at the end
    /// @param loss negative log posterior per observed value, one entry per iteration
    /// @param density mean leave-one-out log predictive density, likewise
    record Trained(FeatureNetwork network, double[] theta, double[] loss, double[] density) {}

    DeepKernelTraining(DeepKernelSettings settings, Layout layout, TrainingData data, Standardised standardised) {
        this.settings = settings;
        this.layout = layout;
        this.data = data;
        this.n = data.size();
        double[] all = standardised.y();
        this.observed = IntStream.range(0, all.length)
                .filter(i -> !Double.isNaN(all[i]))
                .asLongStream()
                .toArray();
        this.y = Arrays.stream(observed).mapToDouble(i -> all[(int) i]).toArray();
        this.lower = new double[n * layout.lower];
        for (int i = 0; i < n; i++) {
            System.arraycopy(standardised.inputs()[i], data.features(), lower, i * layout.lower, layout.lower);
        }
    }

    // Scopes act by being open; nothing refers to them.
    @SuppressWarnings("try")
    Trained run(FeatureNetwork initial, double[] start, int iterations, int every, Checkpoint checkpoint) {
        try (PointerScope scope = new PointerScope()) {
            var fixed = new Fixed();
            Parameters p = new Parameters(initial, start);
            var losses = new ArrayList<Double>();
            var densities = new ArrayList<Double>();
            Optional<Trained> last = Optional.empty();
            for (int t = 0; t <= iterations; t++) {
                try (PointerScope step = new PointerScope()) {
                    p.zeroGradients();
                    Tensor raw = p.forward(fixed.x).to(torch.ScalarType.Double);
                    Tensor centre = raw.mean(0L);
                    Tensor deviation =
                            raw.sub(centre).square().mean(0L).add(fixed.tiny).sqrt();
                    Tensor phi = raw.sub(centre).div(deviation).mul(fixed.spread);
                    if (settings.skip()) {
                        phi = torch.cat(new TensorVector(fixed.own, phi), 1);
                    }
                    Covariance k = covariance(fixed, phi, p.theta);
                    if (k.failed) {
                        break;
                    }
                    Tensor loss = negativeLogPosterior(fixed, k, p.theta);
                    losses.add(loss.item_double());
                    densities.add(leaveOneOut(k));
                    if (t == iterations || (t > 0 && t % every == 0)) {
                        var now = p.copy(read(centre), read(deviation));
                        checkpoint.at(t, now);
                        last = Optional.of(now);
                    }
                    if (t < iterations) {
                        loss.backward();
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

    /// Tensors that do not change during training.
    private final class Fixed {
        final Tensor x = FeatureNetwork.rows(data.x(), 0, n);
        final Tensor own = x.to(torch.ScalarType.Double);
        final Tensor y = doubles(DeepKernelTraining.this.y, DeepKernelTraining.this.y.length, 1);
        final Tensor eye = torch.eye(n, new TensorOptions(torch.ScalarType.Double));
        final Tensor index = longs(observed);
        final Tensor centre = doubles(layout.centre(), layout.size);
        final Tensor inverseDeviation =
                doubles(Arrays.stream(layout.deviations()).map(v -> 1 / v).toArray(), layout.size);
        final List<Tensor> factorIndex = new ArrayList<>();
        final List<Tensor> diagonal = new ArrayList<>();
        final List<Tensor> below = new ArrayList<>();
        final Tensor lower;
        final Scalar tiny = new Scalar(1e-10);
        final Scalar floor = new Scalar(layout.noiseFloor);
        final Scalar spread = new Scalar(settings.spread());
        final Scalar five = new Scalar(5.0);
        final Scalar third = new Scalar(1.0 / 3);
        final Scalar one = new Scalar(1.0);
        final Scalar least = new Scalar(1e-12);

        Fixed() {
            int m = layout.outputs;
            double[] onDiagonal = new double[m * m];
            double[] underDiagonal = new double[m * m];
            for (int q = 0; q < layout.terms; q++) {
                long[] positions = new long[m * m];
                for (int a = 0; a < m; a++) {
                    for (int b = 0; b <= a; b++) {
                        positions[a * m + b] = layout.element(q, a, b);
                        (a == b ? onDiagonal : underDiagonal)[a * m + b] = 1;
                    }
                }
                factorIndex.add(longs(positions));
                diagonal.add(doubles(onDiagonal, m, m));
                below.add(doubles(underDiagonal, m, m));
            }
            lower = doubles(DeepKernelTraining.this.lower, n, layout.lower);
        }
    }

    /// The observations' covariance, factored.
    @SuppressWarnings("NullAway.Init") // alpha is there unless it failed
    private static final class Covariance {
        Tensor factor;
        Tensor alpha;
        boolean failed;
    }

    private Covariance covariance(Fixed f, Tensor phi, Tensor theta) {
        int m = layout.outputs;
        Tensor noise = theta.narrow(0, layout.noise(0), m).exp().add(f.floor);
        Tensor sum = torch.kron(noise.diag(), f.eye);
        for (int q = 0; q < layout.terms; q++) {
            Tensor k = matern(f, phi, theta.narrow(0, layout.lengths(q), layout.features));
            if (q == 0 && layout.lower > 0) {
                Tensor link = matern(f, f.lower, theta.narrow(0, layout.features, layout.lower));
                if (layout.slopes > 0) {
                    Tensor proportional = f.lower
                            .mul(theta.narrow(0, layout.slope(0), layout.slopes).exp())
                            .matmul(f.lower.t());
                    link = layout.curved ? link.add(proportional) : proportional;
                }
                k = k.mul(link);
            }
            Tensor elements = theta.index_select(0, f.factorIndex.get(q)).view(m, m);
            Tensor l = elements.mul(f.below.get(q))
                    .add(elements.mul(f.diagonal.get(q)).exp().mul(f.diagonal.get(q)));
            sum = sum.add(torch.kron(l.matmul(l.t()), k));
        }
        Tensor k = sum.index_select(0, f.index).index_select(1, f.index);
        var result = new Covariance();
        var factored = torch.linalg_cholesky_ex(k, false, false);
        result.failed = factored.get1().item_int() != 0;
        result.factor = factored.get0();
        if (!result.failed) {
            result.alpha = torch.cholesky_solve(f.y, result.factor, false);
        }
        return result;
    }

    private Tensor matern(Fixed f, Tensor columns, Tensor logLengths) {
        Tensor scaled = columns.mul(logLengths.neg().exp());
        Tensor difference = scaled.unsqueeze(1).sub(scaled.unsqueeze(0));
        // A distance of exactly zero has no gradient through the root.
        Tensor r2 = difference.square().sum(2L).mul(f.five).clamp_min(f.least);
        Tensor r = r2.sqrt();
        return r.add(f.one).add(r2.mul(f.third)).mul(r.neg().exp());
    }

    private Tensor negativeLogPosterior(Fixed f, Covariance k, Tensor theta) {
        Tensor quadratic = f.y.mul(k.alpha).sum();
        Tensor logDeterminant = k.factor.diagonal().log().sum();
        Tensor z = theta.sub(f.centre).mul(f.inverseDeviation);
        Tensor total = quadratic
                .add(z.square().sum())
                .mul(new Scalar(0.5))
                .add(logDeterminant)
                .add(new Scalar(0.5 * y.length * LOG_TWO_PI));
        return total.div(new Scalar((double) y.length));
    }

    /// Mean log density of every observation given all others (Rasmussen and Williams 2006, Eq. 5.10-5.12).
    @SuppressWarnings("try")
    private double leaveOneOut(Covariance k) {
        try (NoGradGuard guard = new NoGradGuard()) {
            double[] precision =
                    read(torch.cholesky_inverse(k.factor).diagonal().contiguous());
            double[] alpha = read(k.alpha.contiguous());
            double sum = 0;
            for (int i = 0; i < precision.length; i++) {
                sum += 0.5 * Math.log(precision[i]) - 0.5 * alpha[i] * alpha[i] / precision[i] - 0.5 * LOG_TWO_PI;
            }
            return sum / precision.length;
        }
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
                weights.add(FeatureNetwork.tensor(start.weights()[l], out, start.weights()[l].length / out)
                        .set_requires_grad(true));
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
            double[] scale =
                    Arrays.stream(deviation).map(d -> settings.spread() / d).toArray();
            return new Trained(
                    new FeatureNetwork(w, b, centre, scale, settings.skip()),
                    read(theta),
                    new double[0],
                    new double[0]);
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
            return torch.from_blob(p, shape, new TensorOptions(torch.ScalarType.Double))
                    .clone();
        }
    }

    private static Tensor longs(long[] values) {
        try (LongPointer p = new LongPointer(values)) {
            return torch.from_blob(p, new long[] {values.length}, new TensorOptions(torch.ScalarType.Long))
                    .clone();
        }
    }
}

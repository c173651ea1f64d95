package knobscape.surrogate.deepgp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.surrogate.neural.TorchRuntime;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/// The arithmetic of a deep process on LibTorch tensors in double precision (Salimbeni and Deisenroth, NIPS 2017):
/// marginals of `q(f)` layer by layer, the evidence's lower bound. Only inside the pointer scope it was made in.
final class DeepGpGraph {
    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);
    static final double JITTER = 1e-6;
    private static final double LARGEST_JITTER = 1e-2;

    /// Where the jitter is added.
    enum Jitter {
        /// To the kernel's matrix at the inducing inputs only (Salimbeni's form).
        INDUCING_ONLY,
        /// Also to the prior variance of every evaluated point (GPyTorch's habit).
        POINTS_TOO
    }

    /// Means and variances by row and output, N x P each.
    record Moments(Tensor mean, Tensor variance) {}

    private record Layer(
            DeepGpParameters.Layer of,
            Tensor z,
            Tensor logLengths,
            Tensor logVariance,
            Tensor m,
            Tensor s,
            Tensor mean) {
        List<Tensor> free() {
            return List.of(z, logLengths, logVariance, m, s);
        }
    }

    private final List<Layer> layers = new ArrayList<>();
    private final Tensor logNoise;
    private final Jitter jitter;

    DeepGpGraph(DeepGpParameters p, Jitter jitter) {
        this.jitter = jitter;
        for (DeepGpParameters.Layer l : p.layers()) {
            int k = l.kernels();
            layers.add(new Layer(
                    l,
                    doubles(l.z(), l.inducing(), l.inputs()),
                    doubles(l.logLengths(), k, l.inputs()),
                    doubles(l.logVariance(), k),
                    doubles(l.m(), l.outputs(), l.inducing()),
                    doubles(l.s(), l.outputs(), l.inducing(), l.inducing()),
                    doubles(l.mean(), l.mean().length == 0 ? 0 : l.inputs(), l.outputs())));
        }
        logNoise = doubles(new double[] {p.logNoise()}, 1);
    }

    /// The free parameters in a fixed order: by layer inducing inputs, lengths, variances, means and factors, then the
    /// noise.
    List<Tensor> free() {
        var all = new ArrayList<Tensor>();
        layers.forEach(l -> all.addAll(l.free()));
        all.add(logNoise);
        return all;
    }

    /// True if each of [#free()] belongs to the variational distribution and not to kernels and inducing inputs.
    List<Boolean> variational() {
        var all = new ArrayList<Boolean>();
        layers.forEach(l -> all.addAll(List.of(false, false, false, true, true)));
        all.add(false);
        return all;
    }

    /// The parameters as they are now.
    DeepGpParameters parameters() {
        return new DeepGpParameters(
                layers.stream()
                        .map(l -> new DeepGpParameters.Layer(
                                l.of.inputs(),
                                l.of.outputs(),
                                l.of.inducing(),
                                read(l.z),
                                read(l.logLengths),
                                read(l.logVariance),
                                read(l.m),
                                read(l.s.tril()),
                                l.of.mean()))
                        .toList(),
                read(logNoise)[0]);
    }

    int depth() {
        return layers.size();
    }

    int width(int layer) {
        return layers.get(layer).of.outputs();
    }

    /// Squared distances of rows, K x A x B, each in the length scales of its kernel.
    private static Tensor covariance(Layer l, Tensor a, Tensor b) {
        Tensor weights = l.logLengths.neg().exp().unsqueeze(1);
        Tensor x = a.unsqueeze(0).mul(weights);
        Tensor y = b.unsqueeze(0).mul(weights);
        Tensor squares = x.square()
                .sum(2L)
                .unsqueeze(2)
                .add(y.square().sum(2L).unsqueeze(1))
                .sub(x.matmul(y.transpose(1, 2)).mul(new Scalar(2.0)))
                .clamp_min(new Scalar(0.0));
        return squares.mul(new Scalar(-0.5))
                .exp()
                .mul(l.logVariance.exp().unsqueeze(1).unsqueeze(2));
    }

    /// Factor of the kernel's matrix at the inducing inputs, K x M x M.
    private static Tensor factor(Layer l) {
        Tensor k = covariance(l, l.z, l.z);
        Tensor eye = torch.eye(l.of.inducing(), new TensorOptions(torch.ScalarType.Double));
        for (double j = JITTER; j < LARGEST_JITTER * 1.5; j *= 10) {
            var factored = torch.linalg_cholesky_ex(k.add(eye.mul(new Scalar(j))), false, false);
            if (factored.get1().max().item_int() == 0) {
                return factored.get0();
            }
        }
        throw new ArithmeticException("the kernel's matrix at the inducing inputs cannot be factored");
    }

    /// Marginals of one layer.
    ///
    /// @param h inputs, N x D
    Moments layer(int index, Tensor h) {
        Layer l = layers.get(index);
        int p = l.of.outputs();
        int m = l.of.inducing();
        Tensor a = torch.linalg_solve_triangular(factor(l), covariance(l, l.z, h), false);
        Tensor mean;
        Tensor projected;
        if (l.of.kernels() == 1) {
            Tensor one = a.squeeze(0);
            mean = l.m.matmul(one);
            projected = l.s.tril()
                    .transpose(1, 2)
                    .reshape((long) p * m, m)
                    .matmul(one)
                    .view(p, m, -1);
        } else {
            mean = l.m.unsqueeze(1).matmul(a).squeeze(1);
            projected = l.s.tril().transpose(1, 2).matmul(a);
        }
        Tensor variance = l.logVariance
                .exp()
                .unsqueeze(1)
                .sub(a.square().sum(1L))
                .add(projected.square().sum(1L));
        if (jitter == Jitter.POINTS_TOO) {
            variance = variance.add(new Scalar(JITTER));
        }
        Tensor linear = mean.t();
        return new Moments(
                l.of.mean().length == 0 ? linear : linear.add(h.matmul(l.mean)),
                variance.t().clamp_min(new Scalar(1e-12)));
    }

    /// Posterior means of the last layer without variances, N x P: `K alpha`, no solve per row.
    Tensor lastMean(Tensor h) {
        Layer l = layers.getLast();
        Tensor alpha = torch.linalg_solve_triangular(
                factor(l).transpose(1, 2),
                l.m.view(l.of.kernels(), -1, l.of.inducing()).transpose(1, 2),
                true);
        return covariance(l, h, l.z).matmul(alpha).squeeze(0);
    }

    /// A sample of a hidden layer: mean plus deviation times standard normals, N x P.
    static Tensor sample(Moments m, Tensor normals) {
        return m.mean.add(m.variance.sqrt().mul(normals));
    }

    /// Marginals of the last layer for one sample of the hidden ones.
    ///
    /// @param normals by hidden layer, N x P or 1 x P
    Moments forward(Tensor x, List<Tensor> normals) {
        Tensor h = x;
        for (int l = 0; l < depth() - 1; l++) {
            h = sample(layer(l, h), normals.get(l));
        }
        return layer(depth() - 1, h);
    }

    /// Expected log likelihood of all rows for one sample.
    Tensor expectedLogLikelihood(Moments last, Tensor y) {
        Tensor errors = y.sub(last.mean).square().add(last.variance);
        return errors.mul(logNoise.neg().exp())
                .add(logNoise)
                .add(new Scalar(LOG_TWO_PI))
                .mul(new Scalar(-0.5))
                .sum();
    }

    /// Divergence of a layer's variational distribution from its prior.
    Tensor divergence(int index) {
        Layer l = layers.get(index);
        Tensor s = l.s.tril();
        return l.m.square()
                .sum()
                .add(s.square().sum())
                .sub(new Scalar((double) l.of.outputs() * l.of.inducing()))
                .sub(s.diagonal(0, -2, -1).abs().log().sum().mul(new Scalar(2.0)))
                .mul(new Scalar(0.5));
    }

    /// The bound: mean over samples of the expected log likelihood, scaled, less all divergences.
    ///
    /// @param samples by sample and hidden layer, standard normals
    /// @param scale rows in all over rows of the batch
    Tensor bound(Tensor x, Tensor y, List<List<Tensor>> samples, double scale) {
        Optional<Tensor> sum = Optional.empty();
        for (List<Tensor> normals : samples) {
            Tensor one = expectedLogLikelihood(forward(x, normals), y);
            sum = Optional.of(sum.map(t -> t.add(one)).orElse(one));
        }
        Tensor bound = sum.orElseThrow().mul(new Scalar(scale / samples.size()));
        for (int l = 0; l < depth(); l++) {
            bound = bound.sub(divergence(l));
        }
        return bound;
    }

    static Tensor doubles(double[] values, long... shape) {
        if (values.length == 0) {
            return torch.zeros(shape, new TensorOptions(torch.ScalarType.Double));
        }
        try (DoublePointer p = new DoublePointer(values)) {
            return torch.from_blob(p, shape, new TensorOptions(torch.ScalarType.Double))
                    .clone();
        }
    }

    static double[] read(Tensor t) {
        double[] values = new double[(int) t.numel()];
        t.contiguous().data_ptr_double().get(values);
        return values;
    }

    /// Throws [UserError] where LibTorch cannot be used.
    static void requireTorch() {
        TorchRuntime.problem().ifPresent(why -> {
            throw new UserError(why + " Use a method without a deep process: bo, transfer or autotvm.");
        });
    }
}

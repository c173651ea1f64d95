package knobscape.surrogate.gp;

import java.util.LinkedHashMap;
import java.util.Map;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.numeric.Lbfgs;

/// One output of one fidelity in a linear chain (Kennedy and O'Hagan 2000): `f(x) = mu + rho g(x) + delta(x)`, g being the same quantity at the fidelity below, delta a Gaussian
/// process with a squared-exponential kernel, one length-scale per feature. Where the fidelity below does not report the quantity, and at the lowest, there is no g. The mean mu and the
/// factor rho are the generalised least squares estimates at the hyper-parameters; the uncertainty of g is carried on as `rho^2 var(g)`, exactly, because the chain is linear.
///
/// Made by [LinearChainTrainer].
public final class LinearChainGp implements Model {
    private static final double LEAST_VARIANCE = 1e-12;

    private final LinearChainLikelihood likelihood;
    private final LinearChainLikelihood.Solved solved;
    private final Standardised data;
    private final int lowerOutput;
    private final double[] theta;
    private final double fitness;
    private final Lbfgs.Result fit;

    LinearChainGp(LinearChainLikelihood likelihood, Standardised data, int lowerOutput, double[] theta, double fitness, Lbfgs.Result fit) {
        this.likelihood = likelihood;
        this.data = data;
        this.lowerOutput = lowerOutput;
        this.theta = theta;
        this.fitness = fitness;
        this.fit = fit;
        this.solved = likelihood.solve(theta).orElseThrow(() -> new IllegalStateException("the covariance matrix of the observations cannot be factored"));
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        GaussianPosterior p = GaussianPosterior.blank(x.length, 1);
        double scale = data.scale()[0];
        double rho = factor();
        for (int i = 0; i < x.length; i++) {
            double mean = solved.beta()[0];
            double inherited = 0;
            if (lowerOutput >= 0) {
                double unit = data.lowerScale()[lowerOutput];
                mean += rho * (lower.mean(i, lowerOutput) - data.lowerMean()[lowerOutput]) / unit;
                inherited = rho * rho * lower.covariance(i, lowerOutput, lowerOutput) / (unit * unit);
            }
            double[] k = likelihood.covariances(theta, x[i]);
            for (int r = 0; r < k.length; r++) {
                mean += k[r] * solved.alpha()[r];
            }
            double variance = Math.max(LEAST_VARIANCE, Math.exp(theta[likelihood.signal()]) - solved.explained(k)) + inherited;
            p.means()[i] = data.mean()[0] + scale * mean;
            p.covariances()[i] = scale * scale * variance;
            p.inherited()[i] = scale * scale * inherited;
        }
        return p;
    }

    /// The factor rho of the standardised lower output, 0 where there is none.
    private double factor() {
        return lowerOutput < 0 ? 0 : solved.beta()[1];
    }

    /// The factor rho in the units of the data, 0 where there is no lower fidelity.
    public double rho() {
        return lowerOutput < 0 ? 0 : factor() * data.scale()[0] / data.lowerScale()[lowerOutput];
    }

    @Override
    public double[] noise() {
        return new double[] {data.scale()[0] * data.scale()[0] * likelihood.noise(theta)};
    }

    /// Standardisation and hyper-parameters stay; mu and rho are estimated anew.
    @Override
    public Model given(TrainingData more) {
        Standardised s = data.sameScale(more);
        return new LinearChainGp(LinearChainLikelihood.of(s, more.features(), lowerOutput, likelihood.settings()), s, lowerOutput, theta, fitness, fit);
    }

    /// The fitness, then the hyper-parameters.
    @Override
    public double[] parameters() {
        double[] p = new double[theta.length + 1];
        p[0] = fitness;
        System.arraycopy(theta, 0, p, 1, theta.length);
        return p;
    }

    @Override
    public double fitness() {
        return fitness;
    }

    @Override
    public Map<String, double[]> diagnostics() {
        var all = new LinkedHashMap<String, double[]>();
        all.put("loss", fit.trace());
        all.put("rho", new double[] {rho()});
        all.put("evaluations", new double[] {fit.evaluations()});
        all.put("jitter", new double[] {solved.cholesky().jitter()});
        double[] lengths = new double[likelihood.features()];
        for (int c = 0; c < lengths.length; c++) {
            lengths[c] = Math.exp(theta[c]);
        }
        all.put("lengths.0", lengths);
        all.put("noise", new double[] {likelihood.noise(theta)});
        return all;
    }

    /// The likelihood as a function, for tests of its gradient.
    LinearChainLikelihood likelihood() {
        return likelihood;
    }
}

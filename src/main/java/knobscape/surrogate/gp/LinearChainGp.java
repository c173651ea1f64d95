package knobscape.surrogate.gp;

import java.util.LinkedHashMap;
import java.util.Map;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// One output of one fidelity in a linear chain (Kennedy and O'Hagan 2000): `f(x) = mu + rho g(x) + delta(x)`,
/// g being the same quantity at the fidelity below, delta a Gaussian process with a squared-exponential kernel,
/// one length-scale per feature. Where the fidelity below does not report the quantity, and at the lowest,
/// there is no g. The mean mu and the factor rho are the generalised least squares estimates at the
/// hyper-parameters; the uncertainty of g is carried on as `rho^2 var(g)`, exactly, because the chain is
/// linear.
///
/// Made by [LinearChainTrainer].
public final class LinearChainGp implements Model {
    private final CoregionalGp delta;
    private final int lowerOutput;

    /// @param delta the process, whose trend is mu and rho
    /// @param lowerOutput the lower output that is the same quantity, -1 for none
    LinearChainGp(CoregionalGp delta, int lowerOutput) {
        this.delta = delta;
        this.lowerOutput = lowerOutput;
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return chained(delta.posterior(x), lower);
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return chained(delta.screen(x, GaussianPosterior.blank(x.length, 0)), lower);
    }

    private Posterior chained(Posterior own, Posterior lower) {
        GaussianPosterior p = GaussianPosterior.blank(own.size(), 1);
        double rho = rho();
        for (int i = 0; i < own.size(); i++) {
            double trend = delta.data().scale()[0] * delta.trend()[0];
            if (lowerOutput >= 0) {
                trend += rho * (lower.mean(i, lowerOutput) - delta.data().lowerMean()[lowerOutput]);
                p.inherited()[i] = rho * rho * lower.covariance(i, lowerOutput, lowerOutput);
            }
            p.means()[i] = own.mean(i, 0) + trend;
            p.covariances()[i] = own.covariance(i, 0, 0) + p.inherited()[i];
        }
        return p;
    }

    @Override
    public double heldOut() {
        return delta.heldOut();
    }

    /// The factor rho in the units of the data, 0 where there is no lower fidelity.
    public double rho() {
        return lowerOutput < 0
                ? 0
                : delta.trend()[1] * delta.data().scale()[0] / delta.data().lowerScale()[lowerOutput];
    }

    @Override
    public double[] noise() {
        return delta.noise();
    }

    /// Standardisation and hyper-parameters stay; mu and rho are estimated anew.
    @Override
    public Model given(TrainingData more) {
        return new LinearChainGp(delta.given(more), lowerOutput);
    }

    @Override
    public double[] parameters() {
        return delta.parameters();
    }

    @Override
    public double fitness() {
        return delta.fitness();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        var all = new LinkedHashMap<>(delta.diagnostics());
        all.put("rho", new double[] {rho()});
        return all;
    }
}

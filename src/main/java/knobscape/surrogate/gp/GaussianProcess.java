package knobscape.surrogate.gp;

import java.util.LinkedHashMap;
import java.util.Map;
import knobscape.numeric.Lbfgs;
import knobscape.numeric.Parallel;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// The exact Gaussian process of a fidelity, in one of two structures ([ParameterLayout]). With correlated outputs by
/// intrinsic
/// coregionalisation (thesis Eq. 3.13-3.14; Bonilla, Chai, Williams 2008) and, above the lowest fidelity, the
/// non-linear autoregressive covariance over (x, lower
/// outputs) (thesis Eq. 3.9; Perdikaris et al. 2017):
///
/// `cov(f_a(x,g), f_b(x',g')) = B_z[a,b] k_x(x,x') (sum_c v_c g_c g'_c + k_g(g,g')) + B_e[a,b] k_e(x,x')`, all
/// k Matern-5/2 with one length-scale per column; the sum is there where [GpSettings.LowerLink] asks for it.
///
/// Or a link of a linear chain (Kennedy and O'Hagan 2000): `f(x) = mu + rho g(x) + delta(x)`, g being the same quantity
/// at the fidelity below where that reports it, delta squared-exponential. Mean mu and factor rho are the generalised
/// least squares estimates at the hyper-parameters; the uncertainty of g is carried on as `rho^2 var(g)`, exactly.
///
/// Made by [ProcessTrainer]. In the first structure uncertainty about g is carried through by a few quasi-random draws
/// with matched
/// moments and the law of total covariance; the average over draws of the conditional covariance is exact in
/// one pass because it is a quadratic form in the averaged products of kernel values.
public final class GaussianProcess implements Model {
    /// Seed of the draws of lower outputs: the same for all inputs and fits, so that differences between
    /// candidates are not noise.
    private static final long PROPAGATION_SEED = 20260701L;
    /// Least posterior variance in standardised units; rounding may leave less, even below zero.
    private static final double LEAST_VARIANCE = 1e-12;

    private final ParameterLayout layout;
    private final GpSettings settings;
    private final double[] theta;
    private final double fitness;
    private final Lbfgs.Result fit;
    private final StandardisedData data;
    private final MarginalLikelihood likelihood;
    private final LinearSystem system;
    private final Predictor predictor;

    GaussianProcess(
            ParameterLayout layout,
            GpSettings settings,
            double[] theta,
            double fitness,
            Lbfgs.Result fit,
            StandardisedData data,
            MarginalLikelihood likelihood) {
        this.layout = layout;
        this.settings = settings;
        this.theta = theta;
        this.fitness = fitness;
        this.fit = fit;
        this.data = data;
        this.likelihood = likelihood;
        this.system = likelihood
                .at(theta)
                .orElseThrow(
                        () -> new IllegalStateException("the covariance matrix of the observations cannot be factored"))
                .system();
        this.predictor = switch (system) {
            case LinearSystem.Kronecker k -> new KroneckerPredictor(layout, theta, data, k);
            case LinearSystem.Dense d ->
                new DensePredictor(layout, theta, data, d, settings.propagationSamples(), PROPAGATION_SEED);
        };
    }

    /// Predicts blocks of inputs in standardised units.
    interface Predictor {
        /// Fills a blank block for the inputs from `from` on.
        void predict(double[][] x, Posterior lower, int from, Block block);

        /// Inputs worth taking at once.
        int lanes();

        /// One for [Model#screen], made anew at every call: worth it for many inputs.
        Predictor rough();
    }

    /// Beliefs about a block of inputs.
    ///
    /// @param means M x lanes
    /// @param covariances by pair of outputs in row order, M^2 x lanes
    /// @param inherited the part that comes from the lower outputs, M^2 x lanes
    record Block(double[][] means, double[][] covariances, double[][] inherited) {
        static Block blank(int outputs, int lanes) {
            return new Block(
                    new double[outputs][lanes],
                    new double[outputs * outputs][lanes],
                    new double[outputs * outputs][lanes]);
        }

        int lanes() {
            return means[0].length;
        }
    }

    @Override
    public int outputs() {
        return layout.outputs;
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return believe(predictor, x, lower);
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return believe(predictor.rough(), x, lower);
    }

    private Posterior believe(Predictor predictor, double[][] x, Posterior lower) {
        if (!layout.hasTrend) {
            return predict(predictor, x, lower);
        }
        GaussianPosterior p = predict(predictor, x, GaussianPosterior.blank(x.length, 0));
        double rho = rho();
        for (int i = 0; i < x.length; i++) {
            double trend = data.scale()[0] * trend()[0];
            if (layout.lowerOutput >= 0) {
                trend += rho * (lower.mean(i, layout.lowerOutput) - data.lowerMean()[layout.lowerOutput]);
                p.inherited()[i] = rho * rho * lower.covariance(i, layout.lowerOutput, layout.lowerOutput);
            }
            p.means()[i] += trend;
            p.covariances()[i] += p.inherited()[i];
        }
        return p;
    }

    /// Factor of the lower output in a chain, in the units of the data; 0 where there is none.
    double rho() {
        return layout.lowerOutput < 0 ? 0 : trend()[1] * data.scale()[0] / data.lowerScale()[layout.lowerOutput];
    }

    private GaussianPosterior predict(Predictor predictor, double[][] x, Posterior lower) {
        if (lower.size() != x.length || lower.outputs() != layout.lower) {
            throw new IllegalArgumentException("expected beliefs about " + layout.lower + " lower outputs at "
                    + x.length + " inputs, was " + lower.outputs() + " at " + lower.size());
        }
        int m = layout.outputs;
        GaussianPosterior result = GaussianPosterior.blank(x.length, m);
        int lanes = predictor.lanes();
        // Few inputs are still a few chunks, many are not more than needed.
        int blocks = Math.clamp((x.length + lanes - 1) / lanes / 8, 1, 8);
        Parallel.chunks(x.length, lanes * blocks, (from, to) -> {
            for (int at = from; at < to; at += lanes) {
                Block block = Block.blank(m, Math.min(lanes, to - at));
                predictor.predict(x, lower, at, block);
                store(result, at, block);
            }
        });
        return result;
    }

    private void store(GaussianPosterior result, int at, Block block) {
        int m = layout.outputs;
        for (int l = 0; l < block.lanes(); l++) {
            for (int a = 0; a < m; a++) {
                result.means()[(at + l) * m + a] = data.mean()[a] + data.scale()[a] * block.means()[a][l];
                for (int b = 0; b < m; b++) {
                    double v = block.covariances()[a * m + b][l];
                    v = a == b ? Math.max(v, LEAST_VARIANCE) : v;
                    int to = ((at + l) * m + a) * m + b;
                    result.covariances()[to] = data.scale()[a] * data.scale()[b] * v;
                    result.inherited()[to] = data.scale()[a] * data.scale()[b] * block.inherited()[a * m + b][l];
                }
            }
        }
    }

    /// Functions where there is one output, else as other models do.
    @Override
    public double[][][] paths(double[][] x, double[][][] lower, long seed) {
        if (layout.outputs > 1 || layout.hasTrend) {
            return Model.super.paths(x, lower, seed);
        }
        double[][][] below = new double[lower.length][][];
        for (int s = 0; s < lower.length; s++) {
            below[s] = layout.lower == 0 ? lower[s] : standardised(lower[s]);
        }
        double[][] drawn = new PathDraws(layout, theta, data, system, lower.length, seed).at(x, below);
        double[][][] values = new double[lower.length][x.length][1];
        for (int s = 0; s < lower.length; s++) {
            for (int i = 0; i < x.length; i++) {
                values[s][i][0] = data.mean()[0] + data.scale()[0] * drawn[s][i];
            }
        }
        return values;
    }

    private double[][] standardised(double[][] lower) {
        double[][] all = new double[lower.length][layout.lower];
        for (int i = 0; i < lower.length; i++) {
            for (int c = 0; c < layout.lower; c++) {
                all[i][c] = (lower[i][c] - data.lowerMean()[c]) / data.lowerScale()[c];
            }
        }
        return all;
    }

    @Override
    public double[] noise() {
        double[] d = layout.noise(theta);
        for (int a = 0; a < d.length; a++) {
            d[a] *= data.scale()[a] * data.scale()[a];
        }
        return d;
    }

    /// The same hyper-parameters given other data. Standardisation stays as it was, so that the
    /// hyper-parameters keep their meaning.
    @Override
    public GaussianProcess given(TrainingData more) {
        StandardisedData s = data.sameScale(more);
        return new GaussianProcess(
                layout, settings, theta, fitness, fit, s, new MarginalLikelihood(layout, s.inputs(), s.y()));
    }

    /// The fitness, then the hyper-parameters in the order of the covariance's description.
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

    /// Log marginal likelihood of the standardised observations.
    public double logLikelihood() {
        return system.logLikelihood();
    }

    /// The addition to the diagonal of the covariance matrix to factor it, 0 in the ordinary case; more
    /// than 1e-4 deserves a word in the log.
    public double jitter() {
        return system.jitter();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        var all = new LinkedHashMap<String, double[]>();
        all.put("loss", fit.trace());
        all.put("logLikelihood", new double[] {logLikelihood()});
        all.put("evaluations", new double[] {fit.evaluations()});
        all.put("jitter", new double[] {jitter()});
        for (int q = 0; q < layout.terms; q++) {
            double[] lengths = new double[layout.lengthCount(q)];
            for (int c = 0; c < lengths.length; c++) {
                lengths[c] = Math.exp(theta[layout.lengths(q) + c]);
            }
            all.put("lengths." + q, lengths);
            if (q == 0 && layout.slopes > 0) {
                all.put(
                        "slopes",
                        java.util.stream.IntStream.range(0, layout.slopes)
                                .mapToDouble(c -> Math.exp(theta[layout.slope(c)]))
                                .toArray());
            }
            all.put("coregionalisation." + q, layout.coregionalisation(theta, q));
        }
        all.put("noise", layout.noise(theta));
        if (settings.priors().multiplierDeviation() > 0 && layout.lower > 0) {
            all.put("multiplier", new double[] {data.multiplier()});
        }
        if (layout.hasTrend) {
            all.put("rho", new double[] {rho()});
        }
        return all;
    }

    /// Coefficients of the trend in standardised units, its constant first; none where the mean is 0.
    private double[] trend() {
        return system instanceof LinearSystem.Dense d ? d.beta() : new double[0];
    }

    /// The likelihood as a function, for tests of its gradient.
    MarginalLikelihood likelihood() {
        return likelihood;
    }
}

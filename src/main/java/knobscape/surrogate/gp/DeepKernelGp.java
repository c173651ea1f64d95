package knobscape.surrogate.gp;

import java.util.LinkedHashMap;
import java.util.Map;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// A correlated Gaussian process on learned features: `k'(x, x') = k(phi_W(x), phi_W(x'))` (thesis Eq.
/// 3.17-3.18). Made by [DeepKernelTrainer].
public final class DeepKernelGp implements Model {
    private final FeatureNetwork network;
    private final GaussianProcess process;
    private final double[] loss;

    DeepKernelGp(FeatureNetwork network, GaussianProcess process, double[] loss) {
        this.network = network;
        this.process = process;
        this.loss = loss;
    }

    @Override
    public int outputs() {
        return process.outputs();
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return process.posterior(network.features(x), lower);
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return process.screen(network.features(x), lower);
    }

    @Override
    public double[] noise() {
        return process.noise();
    }

    @Override
    public Model given(TrainingData more) {
        return new DeepKernelGp(network, process.given(onFeatures(network, more)), loss);
    }

    static TrainingData onFeatures(FeatureNetwork network, TrainingData data) {
        return new TrainingData(network.features(data.x()), data.lower(), data.y(), data.lowerOf());
    }

    /// Those of the process on the features; the weights are trained anew from the seed every time and are not
    /// part of them.
    @Override
    public double[] parameters() {
        return process.parameters();
    }

    @Override
    public double fitness() {
        return process.fitness();
    }

    /// The process's figures; `loss` is the negative log marginal likelihood with priors per observed value
    /// over the Adam iterations (Fig. 3.14), and `weights` the mean absolute weight of each layer.
    @Override
    public Map<String, double[]> diagnostics() {
        var all = new LinkedHashMap<>(process.diagnostics());
        all.put("loss", loss.clone());
        double[] means = new double[network.weights().length];
        for (int l = 0; l < means.length; l++) {
            double sum = 0;
            for (float w : network.weights()[l]) {
                sum += Math.abs(w);
            }
            means[l] = sum / network.weights()[l].length;
        }
        all.put("weights", means);
        return all;
    }
}

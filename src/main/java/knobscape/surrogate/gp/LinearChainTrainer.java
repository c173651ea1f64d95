package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.numeric.Lbfgs;

/// Fits a [LinearChainGp] to data of one output, complete, by maximising log likelihood plus the weak priors of [GpSettings]; starts and warm starts as [CoregionalTrainer].
///
/// @param settings priors, starts and limits
public record LinearChainTrainer(GpSettings settings) implements Model.Trainer {

    @Override
    public LinearChainGp fit(TrainingData data, Optional<double[]> warmStart, long seed) {
        if (data.outputs() != 1 || !data.isComplete()) {
            throw new IllegalArgumentException("a linear chain learns one output, observed everywhere, at a time");
        }
        Standardised s = Standardised.of(data);
        int lowerOutput = data.lowerOf()[0];
        var likelihood = LinearChainLikelihood.of(s, data.features(), lowerOutput, settings);
        double[] centre = likelihood.centre();
        Lbfgs.Result best = null;
        if (warmStart.isPresent() && warmStart.get().length == centre.length + 1) {
            double[] start = Arrays.copyOfRange(warmStart.get(), 1, centre.length + 1);
            if (Double.isFinite(likelihood.value(start, new double[centre.length]))) {
                best = minimiser(settings.warmIterations()).minimise(likelihood, start);
                if (-best.value() >= warmStart.get()[0] - settings.fitnessDrop()) {
                    return new LinearChainGp(likelihood, s, lowerOutput, best.x(), -best.value(), best);
                }
            }
        }
        var random = new SplittableRandom(seed);
        double[] deviation = likelihood.deviations();
        for (int k = 0; k < settings.starts(); k++) {
            double[] start = centre.clone();
            for (int i = 0; k > 0 && i < start.length; i++) {
                start[i] += deviation[i] * random.nextGaussian();
            }
            if (!Double.isFinite(likelihood.value(start, new double[start.length]))) {
                continue;
            }
            Lbfgs.Result result = minimiser(settings.iterations()).minimise(likelihood, start);
            if (best == null || result.value() < best.value()) {
                best = result;
            }
        }
        if (best == null) {
            throw new IllegalStateException("no start gives a covariance matrix that can be factored");
        }
        return new LinearChainGp(likelihood, s, lowerOutput, best.x(), -best.value(), best);
    }

    private static Lbfgs minimiser(int iterations) {
        return new Lbfgs(10, iterations, 2 * iterations + 10, 1e-5, 1e-7, 2);
    }
}

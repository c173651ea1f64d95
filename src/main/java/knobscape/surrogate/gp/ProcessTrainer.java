package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.numeric.Lbfgs;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;

/// Fits a [GaussianProcess] by maximising log marginal likelihood plus weak log-normal priors with L-BFGS. With a
/// warm start that one start is refined; several starts are made at first and when the fit has become much
/// worse than it was. With many designs the starts are tried on an even part of them, and the best is refined on all.
///
/// @param settings priors, starts and limits
/// @param structure of the process
public record ProcessTrainer(GpSettings settings, Structure structure) implements Model.Trainer {
    /// Designs up to which a warm start is refined in full.
    private static final int MANY = 128;
    /// Designs on which the starts of a fit to many are tried.
    private static final int PART = 48;
    /// Iterations that then refine the best on all.
    private static final int REFINEMENT = 15;

    /// See [GaussianProcess].
    public enum Structure {
        /// All outputs together, linked to all lower outputs.
        COREGIONAL,
        /// One output, observed everywhere, linked to the lower output that is the same quantity.
        CHAIN
    }

    /// Of coregional processes.
    public ProcessTrainer(GpSettings settings) {
        this(settings, Structure.COREGIONAL);
    }

    /// Of the links of a linear chain.
    public static ProcessTrainer chain(GpSettings settings) {
        return new ProcessTrainer(settings, Structure.CHAIN);
    }

    @Override
    public GaussianProcess fit(TrainingData data, Optional<double[]> warmStart, long seed) {
        ParameterLayout layout = switch (structure) {
            case COREGIONAL -> new ParameterLayout(data.features(), data.lowerOutputs(), data.outputs(), settings);
            case CHAIN -> {
                if (data.outputs() != 1 || !data.isComplete()) {
                    throw new IllegalArgumentException(
                            "a linear chain learns one output, observed everywhere, at a time");
                }
                yield ParameterLayout.chain(data.features(), data.lowerOf()[0], settings);
            }
        };
        return fit(layout, data, warmStart, seed);
    }

    private GaussianProcess fit(ParameterLayout layout, TrainingData data, Optional<double[]> warmStart, long seed) {
        StandardisedData standardised = StandardisedData.of(data);
        MarginalLikelihood likelihood = MarginalLikelihood.multiplied(
                layout, standardised, settings.priors().multiplierDeviation());
        Lbfgs.Result best = null;
        if (warmStart.isPresent() && warmStart.get().length == layout.size + 1) {
            double[] start = Arrays.copyOfRange(warmStart.get(), 1, layout.size + 1);
            if (Double.isFinite(likelihood.value(start, new double[layout.size]))) {
                best = minimiser(warmIterations(data.size())).minimise(likelihood, start);
                if (-best.value() >= warmStart.get()[0] - settings.effort().fitnessDrop()) {
                    return process(layout, best, standardised, likelihood);
                }
            }
        }
        if (data.size() > MANY && data.isComplete()) {
            TrainingData part = data.rows(
                    IntStream.range(0, PART).map(i -> i * data.size() / PART).toArray());
            double[] start = fit(layout, part, Optional.empty(), seed).parameters();
            Lbfgs.Result refined =
                    minimiser(REFINEMENT).minimise(likelihood, Arrays.copyOfRange(start, 1, start.length));
            if (best == null || refined.value() < best.value()) {
                best = refined;
            }
            return process(layout, best, standardised, likelihood);
        }
        SplittableRandom random = new SplittableRandom(seed);
        Lbfgs minimiser = minimiser(settings.effort().iterations());
        for (int s = 0; s < settings.effort().starts(); s++) {
            double[] start = s == 0 ? layout.centre() : layout.draw(random);
            if (!Double.isFinite(likelihood.value(start, new double[layout.size]))) {
                continue;
            }
            Lbfgs.Result result = minimiser.minimise(likelihood, start);
            if (best == null || result.value() < best.value()) {
                best = result;
            }
        }
        if (best == null) {
            throw new IllegalStateException("no start gives a covariance matrix that can be factored");
        }
        return process(layout, best, standardised, likelihood);
    }

    private GaussianProcess process(
            ParameterLayout layout, Lbfgs.Result best, StandardisedData data, MarginalLikelihood likelihood) {
        double multiplier = likelihood.multiplier(best.x());
        if (multiplier == 1) {
            return new GaussianProcess(layout, settings, best.x(), -best.value(), best, data, likelihood);
        }
        StandardisedData own = data.multiplied(multiplier);
        return new GaussianProcess(
                layout,
                settings,
                best.x(),
                -best.value(),
                best,
                own,
                new MarginalLikelihood(layout, own.inputs(), own.y()));
    }

    /// An iteration costs the cube of the number of designs, and many designs move the hyper-parameters little:
    /// of large sets fewer, at least one.
    private int warmIterations(int designs) {
        double share = (double) MANY / Math.max(MANY, designs);
        int warm = settings.effort().warmIterations();
        return warm == 0 ? 0 : Math.max(1, (int) (warm * share * share));
    }

    private static Lbfgs minimiser(int iterations) {
        return new Lbfgs(10, iterations, 2 * iterations + 10, 1e-5, 1e-7, 2);
    }
}

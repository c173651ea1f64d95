package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.neural.TorchRuntime;

/// Trains the network of a deep kernel together with the process's hyper-parameters on the log marginal
/// likelihood (thesis Eq. 3.19) in LibTorch, then lets the plain-Java trainer finish the hyper-parameters on
/// the features found.
///
/// With a few dozen designs a network of half a million weights can make any data look easy: on the six
/// measured MachSuite kernels 40 designs and 60 steps bring the coverage of 90 % intervals on held-out designs
/// from 0.89 down to 0.26. Guards (a mixture with the plain process, the number of steps by held-out density)
/// ended in the plain process in 94 % of the steps and took most of the time; they are gone, and the method
/// stands as the thesis has it. Every fit starts from the same seeded weights; features are brought to a fixed
/// spread, so that the network cannot do what the length-scales are for.
///
/// @param settings network and rates
public record DeepKernelTrainer(DeepKernelSettings settings) implements Model.Trainer {

    @Override
    public Model fit(TrainingData data, Optional<double[]> warmStart, long seed) {
        TorchRuntime.problem().ifPresent(p -> {
            throw new UserError(p + " Use the method cgp instead.");
        });
        ParameterLayout layout = layout(data);
        double[] theta = warmStart
                .filter(w -> w.length == layout.size + 1)
                .map(w -> Arrays.copyOfRange(w, 1, w.length))
                .orElseGet(layout::centre);
        var trained = new DeepKernelTraining(settings, layout, data, StandardisedData.of(data))
                .run(FeatureNetwork.initial(data.features(), settings, seed), theta, settings.iterations());
        GaussianProcess gp = new ProcessTrainer(settings.process())
                .fit(DeepKernelGp.onFeatures(trained.network(), data), Optional.of(startAt(trained.theta())), seed);
        return new DeepKernelGp(trained.network(), gp, trained.loss());
    }

    private ParameterLayout layout(TrainingData data) {
        return new ParameterLayout(
                settings.widths().getLast(), data.lowerOutputs(), data.outputs(), settings.process());
    }

    /// A warm start that is always taken.
    private static double[] startAt(double[] theta) {
        double[] start = new double[theta.length + 1];
        start[0] = Double.NEGATIVE_INFINITY;
        System.arraycopy(theta, 0, start, 1, theta.length);
        return start;
    }
}

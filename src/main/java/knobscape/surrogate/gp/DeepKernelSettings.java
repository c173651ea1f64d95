package knobscape.surrogate.gp;

import java.util.List;

/// How a deep kernel is trained.
///
/// @param widths outputs of the fully connected layers, ReLU between them (thesis section 3.6.3: 1000, 500, 50,
/// 6)
/// @param iterations most Adam iterations
/// @param networkRate Adam's step for the weights
/// @param processRate Adam's step for the process's hyper-parameters
/// @param weightDecay decoupled decay of the weights per unit of step
/// @param spread standard deviation every feature is brought to over the training designs
/// @param process priors and limits of the Gaussian process on the features
public record DeepKernelSettings(
        List<Integer> widths,
        int iterations,
        double networkRate,
        double processRate,
        double weightDecay,
        double spread,
        GpSettings process) {

    /// The thesis's model: features only.
    public static final DeepKernelSettings DEFAULT =
            new DeepKernelSettings(List.of(1000, 500, 50, 6), 60, 1e-3, 0.05, 1e-2, 0.3, GpSettings.DEFAULT);

    public DeepKernelSettings {
        widths = List.copyOf(widths);
        if (widths.isEmpty() || widths.stream().anyMatch(w -> w < 1) || iterations < 1) {
            throw new IllegalArgumentException("a deep kernel needs positive widths and iterations");
        }
        if (!(networkRate > 0 && processRate > 0 && weightDecay >= 0 && spread > 0)) {
            throw new IllegalArgumentException("rates and spread must be positive, weight decay at least 0");
        }
    }

    /// With another process on the features.
    public DeepKernelSettings with(GpSettings other) {
        return new DeepKernelSettings(widths, iterations, networkRate, processRate, weightDecay, spread, other);
    }
}

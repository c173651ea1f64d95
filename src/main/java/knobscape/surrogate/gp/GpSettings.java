package knobscape.surrogate.gp;

/// How a Gaussian process is fitted. Outputs are standardised inside, features lie in [0,1], so the priors need
/// no units. All priors are log-normal and weak: they decide only where a handful of points do not.
///
/// @param priors of the hyper-parameters
/// @param link how a higher fidelity follows the one below
/// @param effort of a fit
/// @param propagationSamples quasi-random draws that carry a lower fidelity's uncertainty upwards
public record GpSettings(Priors priors, LowerLink link, Effort effort, int propagationSamples) {

    /// The priors of the hyper-parameters.
    ///
    /// @param lengthCentre prior median of a feature's length-scale, as a share of the square root of the number of
    /// features (distances grow with it)
    /// @param linkLengthCentre the same for the factor by which a link between fidelities changes over the space;
    /// longer, because links change slowly
    /// @param lengthDeviation standard deviation of its logarithm
    /// @param lowerLengthCentre prior median of the length-scale of a lower fidelity's standardised output
    /// @param slopeCentre prior median of the variance of a linear link's slopes, in standardised units
    /// @param scaleDeviation standard deviation of the logarithm of the diagonal, and of the off-diagonal elements,
    /// of a coregionalisation factor
    /// @param errorScale prior median of the standard deviation of the error term of a higher fidelity, as a share
    /// of the outputs'
    /// @param multiplierDeviation prior standard deviation, about 1, of what slopes known of the lower outputs are
    /// multiplied by; 0 where they are taken as they are
    /// @param noise as a share of the outputs' variance
    public record Priors(
            double lengthCentre,
            double linkLengthCentre,
            double lengthDeviation,
            double lowerLengthCentre,
            double slopeCentre,
            double scaleDeviation,
            double errorScale,
            double multiplierDeviation,
            NoisePrior noise) {
        public Priors {
            if (!(lengthCentre > 0
                    && linkLengthCentre > 0
                    && lengthDeviation > 0
                    && lowerLengthCentre > 0
                    && slopeCentre > 0
                    && scaleDeviation > 0
                    && errorScale > 0
                    && multiplierDeviation >= 0)) {
                throw new IllegalArgumentException("priors must be positive");
            }
        }

        /// With another deviation of what known slopes are multiplied by.
        public Priors multiplied(double deviation) {
            return new Priors(
                    lengthCentre,
                    linkLengthCentre,
                    lengthDeviation,
                    lowerLengthCentre,
                    slopeCentre,
                    scaleDeviation,
                    errorScale,
                    deviation,
                    noise);
        }
    }

    /// How long a fit may take.
    ///
    /// @param starts starts without a warm start: the priors' centre and `starts - 1` draws from the priors
    /// @param iterations most L-BFGS iterations of each of those
    /// @param warmIterations most L-BFGS iterations from a warm start
    /// @param fitnessDrop a warm fit is started afresh where its fitness per observed value is lower than the
    /// earlier one's by more than this
    public record Effort(int starts, int iterations, int warmIterations, double fitnessDrop) {
        public Effort {
            if (starts < 1 || iterations < 1 || warmIterations < 0) {
                throw new IllegalArgumentException("starts and iterations must be positive");
            }
        }

        /// The usual one with other iterations from a warm start.
        public static Effort warm(int iterations) {
            return new Effort(3, 60, iterations, 0.5);
        }
    }

    /// The values used where nothing else is asked for.
    public static final GpSettings DEFAULT = new GpSettings(
            new Priors(0.5, 1.0, 0.8, 2.0, 0.7, 0.5, 0.3, 0, new NoisePrior(1e-3, 1.5, 1e-6)),
            LowerLink.LINEAR_AND_CURVED,
            Effort.warm(12),
            12);

    /// How a higher fidelity follows the one below.
    public enum LowerLink {
        /// `k_x (x,x') k_g(g,g') + k_e(x,x')`: Perdikaris et al. 2017, as in thesis Eq. 3.9.
        CURVED,
        /// `k_x(x,x') (sum_c v_c g_c g'_c + k_g(g,g')) + k_e(x,x')`: a linear kernel beside the curved one
        /// (Cutajar et al. 2019), which still knows a proportional lower fidelity when it sees values outside
        /// of what it has seen.
        LINEAR_AND_CURVED
    }

    public GpSettings {
        if (propagationSamples < 1) {
            throw new IllegalArgumentException("propagation samples must be positive");
        }
    }

    /// With another link between fidelities.
    public GpSettings with(LowerLink other) {
        return new GpSettings(priors, other, effort, propagationSamples);
    }

    /// With other priors.
    public GpSettings with(Priors other) {
        return new GpSettings(other, link, effort, propagationSamples);
    }

    /// With another effort.
    public GpSettings with(Effort other) {
        return new GpSettings(priors, link, other, propagationSamples);
    }
}

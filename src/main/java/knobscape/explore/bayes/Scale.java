package knobscape.explore.bayes;

/// On which scale a surrogate sees a normalised objective.
public enum Scale {
    /// As it is.
    LINEAR {
        @Override
        public double toModel(double normalised) {
            return normalised;
        }

        @Override
        public double toObjective(double modelled) {
            return modelled;
        }
    },
    /// Its decimal logarithm: delay and LUT span decades, and a factor of ten for invalid designs is then one
    /// unit.
    LOG10 {
        @Override
        public double toModel(double normalised) {
            return Math.log10(normalised);
        }

        @Override
        public double toObjective(double modelled) {
            return Math.exp(LN10 * modelled);
        }
    };

    static final double LN10 = Math.log(10);

    /// From the normalised objective to the surrogate's output.
    public abstract double toModel(double normalised);

    /// Back; increasing.
    public abstract double toObjective(double modelled);
}

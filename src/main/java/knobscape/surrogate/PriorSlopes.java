package knobscape.surrogate;

/// By how much outputs are expected to change with those of the next lower fidelity: a prior mean.
///
/// @param values by output and lower output, M x g
/// @param exact by output whether these are certain (a delay changes with the cycles it takes); others are as learned
/// elsewhere, and a model may find that they hold by half, or not at all
public record PriorSlopes(double[][] values, boolean[] exact) {
    /// Nothing is expected.
    public static final PriorSlopes NONE = new PriorSlopes(new double[0][], new boolean[0]);

    public PriorSlopes {
        if (values.length != exact.length) {
            throw new IllegalArgumentException("each output's slopes are exact or not");
        }
    }

    /// All as learned elsewhere.
    public static PriorSlopes learned(double[][] values) {
        return new PriorSlopes(values, new boolean[values.length]);
    }

    /// Of one output.
    PriorSlopes output(int j) {
        return new PriorSlopes(new double[][] {values[j]}, new boolean[] {exact[j]});
    }
}

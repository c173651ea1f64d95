package knobscape.space;

import java.util.List;

/// Turns a configuration into a row of numbers, the features that models see or the coordinates in which
/// distances are measured. Thread-safe.
public interface Encoder {

    /// Numbers per row, d.
    int length();

    /// The row of a configuration, of length d.
    double[] encode(Configuration configuration);

    /// One row per configuration, shape n x d.
    default double[][] encodeAll(List<Configuration> configurations) {
        return configurations.stream().map(this::encode).toArray(double[][]::new);
    }
}

package knobscape.space;

import java.util.List;

/// Turns a configuration into a feature vector in [0,1]^d with fixed, named columns (thesis section 3.3.2).
public interface Encoder {

    /// Column names in order; their number is d.
    List<String> columns();

    /// Feature vector of length d.
    double[] encode(Configuration configuration);

    /// One row per configuration, shape n x d.
    default double[][] encodeAll(List<Configuration> configurations) {
        return configurations.stream().map(this::encode).toArray(double[][]::new);
    }
}

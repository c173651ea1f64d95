package knobscape.gpu.search;

import knobscape.space.Configuration;

/// What a cost model sees of a configuration: a row of numbers on any scale. Thread-safe.
public interface TuningFeatures {

    /// Numbers per configuration, d.
    int length();

    /// Writes the row of a configuration into `to[at .. at+d-1]`.
    void write(Configuration configuration, float[] to, int at);

    /// The row of a configuration.
    default float[] row(Configuration configuration) {
        float[] row = new float[length()];
        write(configuration, row, 0);
        return row;
    }
}

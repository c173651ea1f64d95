package knobscape.explore.bo;

import java.util.List;
import knobscape.space.Configuration;

/// The expectation of configurations before any of them was measured.
@FunctionalInterface
interface Prior {
    /// Expected losses, smaller being better: how much slower than the best of its kind, as a logarithm.
    double[] of(List<Configuration> configurations);
}

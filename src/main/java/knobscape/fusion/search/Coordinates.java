package knobscape.fusion.search;

import java.util.random.RandomGenerator;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// Strategies as points for searchers over real numbers: one coordinate an entry in [-1, B], rounded; 0 and
/// below is a synchronisation, entry 0 is at least 1. A search starts around the middle with a standard
/// deviation of a sixth of the range, so that synchronisations are rare (nevergrad's way with bounded
/// integers).
final class Coordinates {
    private final FusionCostModel model;
    private final double low = -1;
    private final double high;

    Coordinates(FusionCostModel model) {
        this.model = model;
        this.high = model.batch();
    }

    int dimension() {
        return model.layers() + 1;
    }

    double middle() {
        return (low + high) / 2;
    }

    double sigma() {
        return (high - low) / 6;
    }

    double clip(double x) {
        return Math.clamp(x, low, high);
    }

    /// A start: normal around the middle, inside the range.
    double[] draw(RandomGenerator random) {
        double[] x = new double[dimension()];
        for (int i = 0; i < x.length; i++) {
            x[i] = clip(middle() + sigma() * random.nextGaussian());
        }
        return x;
    }

    int[] decode(double[] x) {
        int[] s = new int[x.length];
        for (int i = 0; i < x.length; i++) {
            long v = Math.round(clip(x[i]));
            s[i] = v >= 1 ? (int) v : i == 0 ? 1 : Strategy.SYNC;
        }
        return s;
    }
}

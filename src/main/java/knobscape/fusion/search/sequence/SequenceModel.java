package knobscape.fusion.search.sequence;

import java.util.Arrays;
import java.util.List;

/// A trained sequence model: weights and where they come from. Immutable and safe for use by several threads;
/// it answers in plain Java.
public final class SequenceModel {
    private final Architecture architecture;
    private final float[] weights;
    private final Provenance provenance;

    /// How a model came about.
    ///
    /// @param steps training steps, those before a fine-tuning included
    public record Provenance(String command, List<String> networks, int steps, long seed) {
        public Provenance {
            networks = List.copyOf(networks);
        }
    }

    /// @param weights as many as the architecture has; copied
    SequenceModel(Architecture architecture, float[] weights, Provenance provenance) {
        if (weights.length != architecture.size()) {
            throw new IllegalArgumentException(
                    weights.length + " weights where " + architecture.size() + " are needed");
        }
        this.architecture = architecture;
        this.weights = weights.clone();
        this.provenance = provenance;
    }

    /// Its shape.
    public Architecture architecture() {
        return architecture;
    }

    /// Where it comes from.
    public Provenance provenance() {
        return provenance;
    }

    /// Words that differ where the weights differ.
    public String fingerprint() {
        return Integer.toHexString(Arrays.hashCode(weights));
    }

    float[] weights() {
        return weights.clone();
    }

    /// Begins a pass over one network.
    ///
    /// @param fixed (N+1) x [StateEncoder#FIXED], the part of the states known beforehand; a Transformer needs its
    /// length alone
    Pass pass(float[][] fixed) {
        var reader = new Reader(architecture, weights);
        return architecture.kind() == Architecture.Kind.SEQ2SEQ
                ? new LstmPass(reader, fixed)
                : new TransformerPass(reader, fixed.length);
    }

    /// One pass over one network, step by step.
    interface Pass {
        /// Scores of the answers at the next step, or the action ([Architecture.Kind#outputs]).
        ///
        /// @param state of [Architecture.Kind#inputs] numbers
        float[] next(float[] state);
    }

    /// Hands out the weights in order.
    static final class Reader {
        private final Architecture architecture;
        private final float[] weights;
        private final List<Architecture.Parameter> parameters;
        private int next;
        private int at;

        private Reader(Architecture architecture, float[] weights) {
            this.architecture = architecture;
            this.weights = weights;
            this.parameters = architecture.parameters();
        }

        Architecture architecture() {
            return architecture;
        }

        /// The next two.
        Linear linear() {
            return new Linear(take(), take());
        }

        /// The next matrix or vector.
        Matrix take() {
            Architecture.Parameter p = parameters.get(next++);
            var m = new Matrix(weights, at, p.rows(), p.columns());
            at += p.size();
            return m;
        }
    }

    /// A layer `x W + b`.
    record Linear(Matrix weight, Matrix bias) {
        float[] of(float[] x) {
            float[] y = bias.vector();
            weight.addProduct(x, y);
            return y;
        }

        /// Its positive part.
        float[] rectified(float[] x) {
            float[] y = of(x);
            for (int i = 0; i < y.length; i++) {
                y[i] = Math.max(0, y[i]);
            }
            return y;
        }
    }

    /// A part of the weights.
    record Matrix(float[] all, int offset, int rows, int columns) {
        /// Adds `x W` to y. The inner loop runs along a row, so that the compiler makes vector instructions of
        /// it.
        void addProduct(float[] x, float[] y) {
            for (int i = 0; i < rows; i++) {
                float xi = x[i];
                if (xi != 0) {
                    int row = offset + i * columns;
                    for (int o = 0; o < columns; o++) {
                        y[o] += xi * all[row + o];
                    }
                }
            }
        }

        float[] row(int i) {
            return Arrays.copyOfRange(all, offset + i * columns, offset + (i + 1) * columns);
        }

        float[] vector() {
            return Arrays.copyOfRange(all, offset, offset + columns);
        }
    }
}

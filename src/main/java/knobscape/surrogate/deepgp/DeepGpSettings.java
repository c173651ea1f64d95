package knobscape.surrogate.deepgp;

/// How a deep process is built and trained.
///
/// @param shape of the process
/// @param training of its parameters
/// @param samples of hidden layers when predicting
public record DeepGpSettings(Shape shape, Training training, int samples) {
    /// Two layers, 128 inducing inputs as in the paper; lambda 1 (from 0 to 10 it makes little difference, 100 is too
    /// stiff).
    public static final DeepGpSettings DEFAULT =
            new DeepGpSettings(new Shape(2, 5, 128, true), new Training(256, 400, 150, 1e-2, 1), 10);

    /// How it is built.
    ///
    /// @param layers 1 to 3
    /// @param width outputs of each hidden layer, fewer where there are fewer features
    /// @param inducing inducing inputs of each layer, fewer where there are fewer rows
    /// @param isShared whether the outputs of a layer share a kernel
    public record Shape(int layers, int width, int inducing, boolean isShared) {
        /// Throws `IllegalArgumentException` for what cannot be built.
        public Shape {
            if (layers < 1 || layers > 3 || width < 1 || inducing < 1) {
                throw new IllegalArgumentException(
                        "a deep process needs 1 to 3 layers, and at least one output and inducing input");
            }
        }
    }

    /// How it is trained.
    ///
    /// @param batch rows per step
    /// @param steps of training
    /// @param tuningSteps of training on the tuning set
    /// @param rate of Adam, halved after one and after three quarters of the steps
    /// @param lambda weight of the squared distance to the pretrained length scales, variances, noise and inducing
    /// inputs, 100 times that of the variational parameters, which have another scale
    public record Training(int batch, int steps, int tuningSteps, double rate, double lambda) {
        /// Throws `IllegalArgumentException` where nothing would be trained.
        public Training {
            if (batch < 1 || steps < 1) {
                throw new IllegalArgumentException("a deep process is trained by at least one row and step");
            }
        }
    }

    /// Throws `IllegalArgumentException` without samples.
    public DeepGpSettings {
        if (samples < 1) {
            throw new IllegalArgumentException("a deep process predicts from at least one sample");
        }
    }
}

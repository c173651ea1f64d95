package knobscape.surrogate.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.numeric.Shuffle;
import org.bytedeco.pytorch.global.torch;

/// Training of a [GraphModel]: Adam over shuffled batches. It is advanced in slices on the
/// caller's thread; between two slices it can be saved, and resumes elsewhere. What comes out does not depend
/// on the slices.
public final class GraphTraining {
    /// How to train.
    ///
    /// @param epochs passes over all rows
    /// @param batch rows per step
    /// @param rate Adam's step
    /// @param ranks whether the ranking loss (ours) replaces the mean square error of the thesis
    /// @param seed of the first weights and of the order of rows
    public record Settings(int epochs, int batch, double rate, boolean ranks, long seed) {
        /// As in the thesis: 300 epochs, batches of 512, rate 1e-4, mean square error.
        public static final Settings GTUNER = new Settings(300, 512, 1e-4, false, 1);

        /// Throws [IllegalArgumentException] naming the bounds.
        public Settings {
            if (epochs < 1 || epochs > 100_000 || batch < 1 || batch > 1 << 16 || !(rate > 0 && rate <= 1)) {
                throw new IllegalArgumentException(
                        "a training has 1 to 100000 epochs, 1 to 65536 rows per step and a rate above 0 and up to 1");
            }
        }
    }

    /// All that a training is between two steps; single precision.
    ///
    /// @param mean moving mean of the gradient
    /// @param square moving mean of its square
    /// @param losses by step
    record State(double[] weights, double[] mean, double[] square, double[] losses) {
        static State begin(double[] weights) {
            return new State(weights, new double[weights.length], new double[weights.length], new double[0]);
        }
    }

    private final GraphModel start;
    private final Settings settings;
    private final GraphRows rows;
    private final GraphNetwork network;
    private final double[] weights;
    private final double[] mean;
    private final double[] square;
    private final List<Double> losses = new ArrayList<>();
    private final int stepsPerEpoch;

    /// Begins or resumes. Throws [UserError] where LibTorch does not load.
    ///
    /// @param start shape and scale of the model
    /// @param rows with raw statistics and targets
    GraphTraining(GraphModel start, Settings settings, GraphRows rows, State state) {
        this.start = start;
        this.settings = settings;
        this.rows = start.scale().apply(rows);
        network = new GraphNetwork(start.architecture(), torch.ScalarType.Float);
        weights = state.weights.clone();
        mean = state.mean.clone();
        square = state.square.clone();
        Arrays.stream(state.losses).forEach(losses::add);
        stepsPerEpoch = Math.ceilDiv(rows.size(), settings.batch);
    }

    /// Begins with new weights and the scale of the rows.
    public static GraphTraining begin(GraphArchitecture architecture, Settings settings, GraphRows rows) {
        float[] initial = architecture.initial(settings.seed);
        double[] weights = new double[initial.length];
        Arrays.setAll(weights, i -> initial[i]);
        var blank = new GraphModel(architecture, GraphScale.of(rows), weights, settings.ranks);
        return new GraphTraining(blank, settings, rows, State.begin(weights));
    }

    /// Begins with the weights and the scale of a model.
    public static GraphTraining from(GraphModel model, Settings settings, GraphRows rows) {
        return new GraphTraining(model, settings, rows, State.begin(model.weights()));
    }

    /// Steps of the whole training.
    public int steps() {
        return Math.multiplyExact(settings.epochs, stepsPerEpoch);
    }

    /// Steps done.
    public int step() {
        return losses.size();
    }

    /// Works until so many steps are done, or all are.
    ///
    /// @param cancel stops it between two steps by a `CancellationException`; it can be advanced again
    public void advance(int until, CancellationSignal cancel) {
        int[] order = new int[0];
        int epoch = -1;
        try (GraphNetwork.Descent descent = network.new Descent(weights, mean, square)) {
            try {
                while (step() < Math.min(until, steps())) {
                    cancel.throwIfCancelled();
                    if (step() / stepsPerEpoch != epoch) {
                        epoch = step() / stepsPerEpoch;
                        order = Shuffle.order(rows.size(), new SplittableRandom(settings.seed * 1_000_003L + epoch));
                    }
                    int from = step() % stepsPerEpoch * settings.batch;
                    double loss = descent.step(
                            rows.rows(Arrays.copyOfRange(order, from, Math.min(order.length, from + settings.batch))),
                            settings.ranks ? GraphNetwork.Loss.RANK : GraphNetwork.Loss.SQUARE,
                            settings.rate,
                            step() + 1);
                    if (!Double.isFinite(loss)) {
                        throw new UserError("The training broke down at step " + step()
                                + ": the loss is no number; take a smaller learning rate.");
                    }
                    losses.add((double) (float) loss);
                }
            } finally {
                descent.read(weights, mean, square);
            }
        }
    }

    /// Mean loss of each epoch done or begun.
    public double[] curve() {
        int done = Math.ceilDiv(step(), stepsPerEpoch);
        double[] curve = new double[done];
        for (int e = 0; e < done; e++) {
            curve[e] = losses.subList(e * stepsPerEpoch, Math.min(step(), (e + 1) * stepsPerEpoch)).stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElse(Double.NaN);
        }
        return curve;
    }

    /// All that is needed to resume elsewhere.
    State state() {
        return new State(
                weights.clone(),
                mean.clone(),
                square.clone(),
                losses.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /// The model as it is now.
    public GraphModel model() {
        return new GraphModel(start.architecture(), start.scale(), weights.clone(), settings.ranks);
    }
}

package knobscape.fusion.search.sequence;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.explore.StepRandom;
import knobscape.surrogate.neural.TorchRuntime;

/// Training of a sequence model on the lessons of a curriculum: AdamW (Loshchilov and Hutter 2019) on the cross
/// entropy between the model's answers and the teacher's, with a linear warm-up, a cosine decay and a bound on
/// the gradient's norm.
///
/// A training is advanced in slices of any length on the caller's thread; between two slices it rests, can be
/// saved, and resumes elsewhere. What comes out does not depend on the slices.
public final class SequenceTraining {
    private static final double BETA1 = 0.9;
    private static final double BETA2 = 0.98;
    private static final double EPSILON = 1e-8;
    private static final double DECAY = 0.01;
    private static final double LARGEST_NORM = 1;
    private static final double WARM_UP = 0.05;
    private static final double FLOOR = 0.02;

    /// How long and how fast.
    ///
    /// @param batch lessons per step
    /// @param seed of the first weights and of the draws of lessons
    public record Settings(int steps, int batch, double rate, long seed) {
        /// Maximum steps.
        public static final int MOST_STEPS = 10_000_000;

        /// Throws [IllegalArgumentException] naming the bounds.
        public Settings {
            if (steps < 1 || steps > MOST_STEPS || batch < 1 || batch > 1024 || !(rate > 0 && rate <= 1)) {
                throw new IllegalArgumentException("a training has 1 to " + MOST_STEPS
                        + " steps, 1 to 1024 lessons per step and a learning rate above 0 and up to 1");
            }
        }

        /// As the models that ship were trained.
        public static Settings of(int steps, long seed) {
            return new Settings(steps, 16, 2e-3, seed);
        }
    }

    /// Told of every step.
    @FunctionalInterface
    public interface Listener {
        void step(int step, double loss);
    }

    /// All that a training is between two steps.
    ///
    /// @param mean moving mean of the gradient
    /// @param square moving mean of its square
    record State(int step, float[] weights, float[] mean, float[] square, double[] losses) {}

    private final Architecture architecture;
    private final Settings settings;
    private final Map<Integer, List<Lesson>> byLength = new TreeMap<>();
    private final List<Lesson> lessons;
    private final float[] weights;
    private final float[] mean;
    private final float[] square;
    private final List<Double> losses = new ArrayList<>();
    private final TorchGradient torch;

    /// Begins or resumes. Throws [UserError] where LibTorch does not load.
    ///
    /// @param state where to continue, or empty
    SequenceTraining(Architecture architecture, Settings settings, List<Lesson> lessons, Optional<State> state) {
        requireTorch();
        this.architecture = architecture;
        this.settings = settings;
        this.lessons = List.copyOf(lessons);
        for (Lesson l : lessons) {
            byLength.computeIfAbsent(l.length(), k -> new ArrayList<>()).add(l);
        }
        weights = state.map(s -> s.weights().clone()).orElseGet(() -> architecture.initial(settings.seed()));
        mean = state.map(s -> s.mean().clone()).orElseGet(() -> new float[weights.length]);
        square = state.map(s -> s.square().clone()).orElseGet(() -> new float[weights.length]);
        state.ifPresent(s -> Arrays.stream(s.losses()).forEach(losses::add));
        torch = new TorchGradient(architecture);
    }

    /// Throws [UserError] where LibTorch does not load.
    static void requireTorch() {
        TorchRuntime.problem().ifPresent(p -> {
            throw new UserError(p + " Training needs it; the models that ship and all other methods do not.");
        });
    }

    /// Begins with the weights of a model, for fine-tuning.
    static SequenceTraining from(SequenceModel model, Settings settings, List<Lesson> lessons) {
        int n = model.architecture().size();
        return new SequenceTraining(
                model.architecture(),
                settings,
                lessons,
                Optional.of(new State(0, model.weights(), new float[n], new float[n], new double[0])));
    }

    /// Steps done.
    int step() {
        return losses.size();
    }

    /// True if all steps are done.
    boolean isDone() {
        return step() >= settings.steps();
    }

    /// Works until so many steps are done, or all are.
    ///
    /// @param cancel stops it between two steps by a `CancellationException`; it can be advanced again
    void advance(int until, Listener listener, CancellationSignal cancel) {
        float[] gradient = new float[weights.length];
        while (step() < Math.min(until, settings.steps())) {
            cancel.throwIfCancelled();
            double loss = torch.loss(weights, draw(), gradient);
            if (!Double.isFinite(loss)) {
                throw new UserError("The training broke down at step " + step()
                        + ": the loss is no number; take a smaller learning rate.");
            }
            update(gradient);
            losses.add(loss);
            listener.step(step(), loss);
        }
    }

    private List<Lesson> draw() {
        SplittableRandom random = StepRandom.of(settings.seed(), step());
        List<Lesson> equal = requireNonNull(
                byLength.get(lessons.get(random.nextInt(lessons.size())).length()));
        List<Lesson> drawn = new ArrayList<>();
        while (drawn.size() < settings.batch()) {
            drawn.add(equal.get(random.nextInt(equal.size())));
        }
        return drawn;
    }

    private double rate() {
        double warm = Math.max(1, Math.min(500, WARM_UP * settings.steps()));
        double t = step();
        if (t < warm) {
            return settings.rate() * (t + 1) / warm;
        }
        double along = (t - warm) / Math.max(1, settings.steps() - warm);
        return settings.rate() * (FLOOR + (1 - FLOOR) * 0.5 * (1 + Math.cos(Math.PI * along)));
    }

    private void update(float[] gradient) {
        double norm = 0;
        for (float g : gradient) {
            norm += (double) g * g;
        }
        norm = Math.sqrt(norm);
        float scale = (float) (norm > LARGEST_NORM ? LARGEST_NORM / norm : 1);
        int t = step() + 1;
        double rate = rate();
        double c1 = rate / (1 - Math.pow(BETA1, t));
        double c2 = 1 / (1 - Math.pow(BETA2, t));
        float keep = (float) (1 - rate * DECAY);
        for (int i = 0; i < weights.length; i++) {
            float g = gradient[i] * scale;
            mean[i] = (float) (BETA1 * mean[i] + (1 - BETA1) * g);
            square[i] = (float) (BETA2 * square[i] + (1 - BETA2) * g * g);
            weights[i] = (float) (keep * weights[i] - c1 * mean[i] / (Math.sqrt(square[i] * c2) + EPSILON));
        }
    }

    /// All that is needed to resume elsewhere.
    State state() {
        return new State(
                step(),
                weights.clone(),
                mean.clone(),
                square.clone(),
                losses.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /// The model as it is now.
    SequenceModel model(SequenceModel.Provenance provenance) {
        return new SequenceModel(architecture, weights, provenance);
    }
}

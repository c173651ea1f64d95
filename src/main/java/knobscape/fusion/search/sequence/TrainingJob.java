package knobscape.fusion.search.sequence;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.fusion.source.FusionNetwork;

/// A training from lessons to a file: it tells how far it is, keeps its state in the file as it goes, and
/// resumes from there when it was stopped. A model trained in pieces is the same to the last bit as one trained
/// at a stretch.
///
/// @param from the model to be fine-tuned, empty to begin with random weights
/// @param command what a person writes to do the same
public record TrainingJob(
        Architecture architecture,
        SequenceTraining.Settings settings,
        Curriculum curriculum,
        Optional<SequenceModel> from,
        String command) {
    /// Steps of the training of the models that ship.
    public static final int STEPS = 3000;
    /// Steps between two savings.
    private static final int SAVING = 250;
    /// Share of the steps of a training from random weights that a fine-tuning takes in the paper (section
    /// 5.4).
    public static final double FINE_TUNING = 0.1;

    /// An event of the training.
    public sealed interface Event {
        /// The teacher writes lessons.
        record Lessons(int done, int of) implements Event {}

        /// A step was made; the losses are the curve.
        record Step(int step, int of, double loss) implements Event {}

        /// The state was kept.
        record Saved(int step, Path file) implements Event {}
    }

    /// Throws [IllegalArgumentException] where the model to be fine-tuned is of another shape.
    public TrainingJob {
        if (from.isPresent() && !from.get().architecture().equals(architecture)) {
            throw new IllegalArgumentException("a model is fine-tuned in its own shape");
        }
        if (architecture.kind() == Architecture.Kind.PUBLISHED && curriculum.randomShare() > 0) {
            throw new IllegalArgumentException("the published model learns from named networks alone");
        }
    }

    /// Fine-tunes a model on one network: a tenth of the steps of a training from random weights, smaller
    /// steps, and that network alone.
    ///
    /// @param fullSteps steps of a training from random weights
    /// @param command what a person writes to do the same
    public static TrainingJob fineTuning(
            SequenceModel model, Curriculum curriculum, int fullSteps, long seed, String command) {
        int steps = Math.max(1, (int) Math.round(fullSteps * FINE_TUNING));
        var settings = SequenceTraining.Settings.of(steps, seed);
        return new TrainingJob(
                model.architecture(),
                new SequenceTraining.Settings(steps, settings.batch(), settings.rate() / 2, seed),
                curriculum,
                Optional.of(model),
                command);
    }

    /// Trains without a file.
    public SequenceModel run(Consumer<Event> listener, CancellationSignal cancel) {
        SequenceTraining training = begin(listener, cancel);
        training.advance(
                settings.steps(),
                (step, loss) -> listener.accept(new Event.Step(step, settings.steps(), loss)),
                cancel);
        return training.model(provenance(settings.steps()));
    }

    private SequenceTraining begin(Consumer<Event> listener, CancellationSignal cancel) {
        SequenceTraining.requireTorch();
        List<Lesson> lessons = lessons(listener, cancel);
        return from.map(m -> SequenceTraining.from(m, settings, lessons))
                .orElseGet(() -> new SequenceTraining(architecture, settings, lessons, Optional.empty()));
    }

    private List<Lesson> lessons(Consumer<Event> listener, CancellationSignal cancel) {
        IntConsumer progress = done -> listener.accept(new Event.Lessons(done, curriculum.lessons()));
        return architecture.kind() == Architecture.Kind.PUBLISHED
                ? Demonstrations.write(curriculum, progress, cancel)
                : curriculum.write(progress, cancel);
    }

    /// Trains and writes the model. A file that holds the same training unfinished is resumed; when it is
    /// stopped, or the program dies, the file holds what there is. Throws [UserError] where the file holds
    /// anything else.
    public SequenceModel run(Path file, Consumer<Event> listener, CancellationSignal cancel) {
        FileOutput.requireWritable(file);
        SequenceTraining training = Files.exists(file) ? resume(file, listener, cancel) : begin(listener, cancel);
        try {
            while (!training.isDone()) {
                int until = (training.step() / SAVING + 1) * SAVING;
                training.advance(
                        until, (step, loss) -> listener.accept(new Event.Step(step, settings.steps(), loss)), cancel);
                save(file, training, listener);
            }
        } catch (CancellationException e) {
            save(file, training, listener);
            throw e;
        }
        SequenceModel model = training.model(provenance(settings.steps()));
        ModelFile.write(file, model);
        return model;
    }

    private void save(Path file, SequenceTraining training, Consumer<Event> listener) {
        ModelFile.write(
                file,
                new ModelFile.Unfinished(
                        architecture, settings, training.state(), provenance(training.step()), fingerprint()));
        listener.accept(new Event.Saved(training.step(), file));
    }

    private SequenceTraining resume(Path file, Consumer<Event> listener, CancellationSignal cancel) {
        if (!ModelFile.isUnfinished(file)) {
            throw new UserError("'" + file + "' already holds a finished model; name another file for the new one.");
        }
        ModelFile.Unfinished u = ModelFile.readUnfinished(file);
        if (!u.architecture().equals(architecture)
                || !u.settings().equals(settings)
                || !u.curriculum().equals(fingerprint())) {
            throw new UserError("'" + file
                    + "' holds a training with other settings; resume it with the command it was begun with ("
                    + u.provenance().command() + "), or name another file.");
        }
        SequenceTraining.requireTorch();
        return new SequenceTraining(architecture, settings, lessons(listener, cancel), Optional.of(u.state()));
    }

    /// Words that differ where the lessons or the first weights differ.
    private String fingerprint() {
        return curriculum.networks().stream().map(FusionNetwork::name).toList() + " " + curriculum.accelerator() + " "
                + curriculum.batches() + " " + curriculum.randomShare() + " " + curriculum.lessons() + " "
                + curriculum.seed()
                + from.map(m -> " from " + java.util.Arrays.hashCode(m.weights()))
                        .orElse("");
    }

    private SequenceModel.Provenance provenance(int steps) {
        var networks = new TreeSet<>(
                curriculum.networks().stream().map(FusionNetwork::name).toList());
        from.ifPresent(m -> networks.addAll(m.provenance().networks()));
        if (curriculum.randomShare() > 0) {
            networks.add("random networks");
        }
        return new SequenceModel.Provenance(
                command,
                new ArrayList<>(networks),
                steps + from.map(m -> m.provenance().steps()).orElse(0),
                settings.seed());
    }
}

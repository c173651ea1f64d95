package knobscape.lab.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.sequence.Architecture;
import knobscape.fusion.search.sequence.Curriculum;
import knobscape.fusion.search.sequence.Demonstrations;
import knobscape.fusion.search.sequence.ModelFile;
import knobscape.fusion.search.sequence.SequenceMapper;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.fusion.search.sequence.SequenceModel;
import knobscape.fusion.search.sequence.SequenceTraining;
import knobscape.fusion.search.sequence.TrainingJob;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.FusionNetwork;
import knobscape.network.zoo.Zoo;
import knobscape.surrogate.neural.TorchRuntime;

/// The models of Table 3: those that ship, fine-tuned on one network with a tenth of the steps, and one trained
/// on that network alone. They are kept in the bench's folder.
final class FineTunings {
    private static final int EVERY = 100;

    private FineTunings() {}

    /// The methods for a network; none, and a word about it, where LibTorch does not load.
    static List<FusionMethod> of(String network, Bench.Job job) {
        if (TorchRuntime.problem().isPresent()) {
            job.progress()
                    .accept("No fine-tuned models: " + TorchRuntime.problem().get());
            return List.of();
        }
        FusionNetwork layers = FusionNetwork.of(Zoo.named(network).network(1));
        var methods = new ArrayList<FusionMethod>();
        for (Architecture.Kind kind : Architecture.Kind.values()) {
            SequenceModel shipped = SequenceMethods.shipped(kind);
            var training = TrainingJob.fineTuning(
                    shipped,
                    curriculum(layers, kind, Curriculum.LESSONS_OF_FINE_TUNING, job),
                    TrainingJob.STEPS,
                    job.firstSeed(),
                    "knobscape fusion-train " + network + " --method " + kind.method() + " --from-shipped");
            methods.add(method(
                    kind.method() + "-tuned",
                    kind.label() + ", fine-tuned",
                    "The model that ships after a tenth of its steps on this network.",
                    model(training, job, kind.method() + "-tuned-" + network + "-" + shipped.fingerprint())));
        }
        List<Architecture.Kind> direct =
                job.quick() ? List.of() : List.of(Architecture.Kind.DNNFUSER, Architecture.Kind.PUBLISHED);
        for (Architecture.Kind kind : direct) {
            var training = new TrainingJob(
                    Architecture.of(kind),
                    SequenceTraining.Settings.of(TrainingJob.STEPS, job.firstSeed()),
                    curriculum(layers, kind, Curriculum.LESSONS, job),
                    Optional.empty(),
                    "knobscape fusion-train " + network + " --method " + kind.method());
            methods.add(method(
                    kind.method() + "-direct",
                    kind.label() + ", trained directly",
                    "A model that has seen this network alone.",
                    model(training, job, kind.method() + "-direct-" + network)));
        }
        return methods;
    }

    private static Curriculum curriculum(FusionNetwork layers, Architecture.Kind kind, int lessons, Bench.Job job) {
        return new Curriculum(
                List.of(layers),
                Accelerator.calibrated(),
                List.of(FusionSettings.BATCH.usual().orElseThrow()),
                0,
                kind == Architecture.Kind.PUBLISHED ? Demonstrations.lessons(1, 1) : lessons,
                job.firstSeed());
    }

    private static FusionMethod method(String name, String label, String description, SequenceModel model) {
        return new FusionMethod(name, label, description, FusionMethod.Kind.INFERENCE, new SequenceMapper(model));
    }

    private static SequenceModel model(TrainingJob training, Bench.Job job, String name) {
        Path file = job.out().resolve(name + "-seed" + job.firstSeed() + ModelFile.EXTENSION);
        return ModelFile.finished(file)
                .orElseGet(() -> training.run(
                        file,
                        e -> {
                            if (e instanceof TrainingJob.Event.Step s
                                    && (s.step() % EVERY == 0 || s.step() == s.of())) {
                                job.progress().accept(name + ": step " + s.step() + " of " + s.of());
                            }
                        },
                        job.cancel()));
    }
}

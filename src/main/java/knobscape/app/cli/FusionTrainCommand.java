package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.search.sequence.Architecture;
import knobscape.fusion.search.sequence.Curriculum;
import knobscape.fusion.search.sequence.Demonstrations;
import knobscape.fusion.search.sequence.ModelFile;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.fusion.search.sequence.SequenceModel;
import knobscape.fusion.search.sequence.SequenceTraining;
import knobscape.fusion.search.sequence.TrainingJob;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.source.FusionNetwork;
import knobscape.network.source.NetworkNames;
import knobscape.network.source.NetworkSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape fusion-train`: trains or fine-tunes a sequence model that writes fusion strategies.
@Command(
        name = "fusion-train",
        description =
                "Train or fine-tune a model that writes fusion strategies in one pass. Ctrl-C stops and keeps what there is; the same command resumes it.")
final class FusionTrainCommand extends Verb {
    private static final int EVERY = 100;

    @Parameters(
            arity = "0..*",
            paramLabel = "NETWORK",
            description = "Networks to learn from: files or built-in ones (default: vgg16 resnet18).")
    private List<String> networks = new ArrayList<>();

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description = "dnnfuser, seq2seq or dnnfuser-published (default: dnnfuser; with --from that model's).")
    private Optional<String> method = Optional.empty();

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Fine-tune this model instead of beginning with random weights: a tenth of the steps, and the named networks alone.")
    private Optional<Path> from = Optional.empty();

    @Option(names = "--from-shipped", description = "Fine-tune the model that ships.")
    private boolean fromShipped;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "FILE",
            description = "Where the model goes, and the state of its training on the way.")
    private Path model;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Steps of a training from random weights (default: ${DEFAULT-VALUE}).")
    private int steps = TrainingJob.STEPS;

    @Option(
            names = "--lessons",
            paramLabel = "N",
            description =
                    "Lessons that the teacher writes (default: 2000, for fine-tuning 500; for dnnfuser-published 40 for each network and batch).")
    private Optional<Integer> lessons = Optional.empty();

    @Option(
            names = "--accelerator",
            paramLabel = "NAME|FILE",
            description = "calibrated, paper-literal or a JSON file (default: calibrated).")
    private String accelerator = Accelerator.calibrated().name();

    @Option(
            names = "--batch",
            split = ",",
            paramLabel = "N",
            description = "Batches to learn, the first most often (default: 64,128; for fine-tuning 64).")
    private List<Integer> batches = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    FusionTrainCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        TrainingJob job = job();
        Path file = context().here().resolve(model).toAbsolutePath().normalize();
        var cancel = new CancellationSignal();
        var curve = new ArrayList<double[]>();
        try {
            SequenceModel trained = InterruptibleRun.guard(cancel::cancel, () -> {
                try {
                    return job.run(file, e -> follow(e, curve), cancel);
                } catch (CancellationException e) {
                    say("Stopped; the same command resumes it.");
                    throw e;
                }
            });
            if (isJson()) {
                print(json(trained, file, curve));
            } else {
                out().println(trained.architecture().kind().label() + " with "
                        + trained.architecture().size() + " weights, trained for "
                        + trained.provenance().steps() + " steps, is in " + file + ".");
                out().println("Ask it: knobscape fuse NETWORK --method "
                        + trained.architecture().kind().method() + " --model " + model);
                out().flush();
            }
            return 0;
        } catch (CancellationException e) {
            return ErrorReporter.WORK_FAILED;
        }
    }

    private TrainingJob job() {
        if (from.isPresent() && fromShipped) {
            throw new ParameterException(spec().commandLine(), "Give --from or --from-shipped, not both.");
        }
        try {
            Optional<Architecture.Kind> kind = method.map(this::kind);
            Optional<SequenceModel> base =
                    from.map(f -> ModelFile.read(context().here().resolve(f)));
            if (fromShipped) {
                base = Optional.of(SequenceMethods.shipped(kind.orElse(Architecture.Kind.DNNFUSER)));
            }
            if (base.isPresent()
                    && kind.isPresent()
                    && base.get().architecture().kind() != kind.get()) {
                throw new ParameterException(
                        spec().commandLine(),
                        "The model to be fine-tuned is a "
                                + base.get().architecture().kind().label() + ".");
            }
            if (base.isPresent() && networks.isEmpty()) {
                throw new ParameterException(spec().commandLine(), "Name the network to fine-tune for.");
            }
            List<FusionNetwork> read = (networks.isEmpty() ? List.of("vgg16", "resnet18") : networks)
                    .stream().map(this::network).toList();
            Accelerator a = AcceleratorFile.named(accelerator, context().here());
            List<String> words = spec().commandLine().getParseResult().originalArgs();
            String command = "knobscape fusion-train "
                    + String.join(" ", words.subList(words.indexOf("fusion-train") + 1, words.size()));
            if (base.isPresent()) {
                Curriculum curriculum = curriculum(
                        read,
                        a,
                        List.of(FusionSettings.USUAL_BATCH),
                        base.get().architecture().kind(),
                        Curriculum.LESSONS_OF_FINE_TUNING,
                        0);
                return TrainingJob.fineTuning(base.get(), curriculum, steps, seed, command);
            }
            Architecture.Kind trained = kind.orElse(Architecture.Kind.DNNFUSER);
            Curriculum curriculum = curriculum(
                    read,
                    a,
                    List.of(FusionSettings.USUAL_BATCH, 2 * FusionSettings.USUAL_BATCH),
                    trained,
                    Curriculum.LESSONS,
                    Curriculum.RANDOM_SHARE);
            return new TrainingJob(
                    Architecture.of(trained),
                    SequenceTraining.Settings.of(steps, seed),
                    curriculum,
                    Optional.empty(),
                    command);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), ErrorReporter.sentence(UserError.reason(e)));
        }
    }

    private Curriculum curriculum(
            List<FusionNetwork> read,
            Accelerator a,
            List<Integer> usualBatches,
            Architecture.Kind kind,
            int usualLessons,
            double randomShare) {
        boolean published = kind == Architecture.Kind.PUBLISHED;
        List<Integer> taught = batches.isEmpty() ? usualBatches : batches;
        return new Curriculum(
                read,
                a,
                taught,
                published ? 0 : randomShare,
                lessons.orElse(published ? Demonstrations.lessons(read.size(), taught.size()) : usualLessons),
                seed);
    }

    private Architecture.Kind kind(String name) {
        return Architecture.Kind.of(name)
                .orElseThrow(() -> new ParameterException(
                        spec().commandLine(), "--method is " + Architecture.Kind.methods() + ", not " + name + "."));
    }

    private FusionNetwork network(String text) {
        String source = NetworkNames.source(text, context().here());
        return FusionNetwork.of(NetworkSource.read(source, 1, Map.of()).network());
    }

    private void follow(TrainingJob.Event event, List<double[]> curve) {
        switch (event) {
            case TrainingJob.Event.Lessons l
            when l.done() == l.of() || l.done() % (10 * EVERY) == 0 -> say(l.done() + " of " + l.of() + " lessons");
            case TrainingJob.Event.Lessons l -> {}
            case TrainingJob.Event.Step s -> {
                curve.add(new double[] {s.step(), s.loss()});
                if (s.step() % EVERY == 0 || s.step() == s.of()) {
                    double mean = curve.subList(Math.max(0, curve.size() - EVERY), curve.size()).stream()
                            .mapToDouble(p -> p[1])
                            .average()
                            .orElse(s.loss());
                    say(String.format(Locale.ROOT, "step %d of %d, loss %.4f", s.step(), s.of(), mean));
                }
            }
            case TrainingJob.Event.Saved s -> {}
        }
    }

    private ObjectNode json(SequenceModel trained, Path file, List<double[]> curve) {
        ObjectNode o = JsonMapper.builder().build().createObjectNode();
        o.put("model", file.toString())
                .put("method", trained.architecture().kind().method())
                .put("weights", trained.architecture().size())
                .put("steps", trained.provenance().steps())
                .put("seed", seed);
        trained.provenance().networks().forEach(o.putArray("networks")::add);
        ArrayNode losses = o.putArray("losses");
        curve.forEach(p -> losses.addObject().put("step", (int) p[0]).put("loss", p[1]));
        return o;
    }

    private void say(String line) {
        err().println(line);
        err().flush();
    }
}

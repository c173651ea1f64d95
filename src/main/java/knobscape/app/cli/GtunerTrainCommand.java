package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.search.ScheduleScorer;
import knobscape.gpu.search.SketchCollector;
import knobscape.gpu.search.SketchSamples;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.network.source.NetworkNames;
import knobscape.project.NumberFormats;
import knobscape.surrogate.graph.GraphModelFile;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.GraphTraining;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape gtuner-train`: measures kernels of networks by Ansor's search and trains a graph model on them.
@Command(
        name = "gtuner-train",
        description =
                "Train the model that gtuner begins with: Ansor's search measures the kernels of networks, a graph attention model learns from them. Ctrl-C stops and keeps what there is; the same command resumes it.")
final class GtunerTrainCommand extends Verb {
    private static final int EVERY = 10;

    @Parameters(
            arity = "0..*",
            paramLabel = "NETWORK",
            description = "Networks to learn from: files or built-in ones (default: inception_v3 vgg11).")
    private List<String> networks = new ArrayList<>();

    @Option(
            names = "--weights",
            required = true,
            paramLabel = "FILE",
            description =
                    "Where the model goes, and the state of its training on the way; measurements go to FILE.rows.jsonl beside it.")
    private Path weights;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "As for tune: cuda, opencl or model:NAME (default: ${DEFAULT-VALUE}).")
    private String device = "model:gtx1080ti";

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description =
                    "The method that the model is for: gtuner or one of its variants (default: ${DEFAULT-VALUE}).")
    private String method = "gtuner";

    @Option(
            names = "--trials",
            paramLabel = "N",
            description =
                    "Measurements of each kernel (default: ${DEFAULT-VALUE}, minutes on a model; 3300 are the thesis's 170 000 rows).")
    private int trials = 128;

    @Option(
            names = "--population",
            paramLabel = "N",
            description = "Schedules of each generation of the search (default: ${DEFAULT-VALUE}; Ansor's 2048).")
    private int population = 512;

    @Option(names = "--epochs", paramLabel = "N", description = "Passes over all rows (default: ${DEFAULT-VALUE}).")
    private int epochs = GraphTraining.Settings.GTUNER.epochs();

    @Option(names = "--rows", paramLabel = "N", description = "Rows per step (default: ${DEFAULT-VALUE}).")
    private int batch = GraphTraining.Settings.GTUNER.batch();

    @Option(names = "--rate", paramLabel = "X", description = "Adam's step (default: ${DEFAULT-VALUE}).")
    private double rate = GraphTraining.Settings.GTUNER.rate();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    GtunerTrainCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        ScheduleScorer.Graph shape = TuningMethod.standard()
                .named(method)
                .graph()
                .orElseThrow(() -> new ParameterException(
                        spec().commandLine(), "--method is gtuner or one of its variants, not " + method + "."));
        Path file = context().here().resolve(weights).toAbsolutePath().normalize();
        List<String> sources = (networks.isEmpty() ? List.of("inception_v3", "vgg11") : networks)
                .stream().map(n -> NetworkNames.source(n, context().here())).toList();
        var cancel = new CancellationSignal();
        try (GpuDevice on = Devices.open(device)) {
            var settings = new SketchCollector.Settings(sources, trials, population, seed);
            var training = new GraphTraining.Settings(epochs, batch, rate, shape.ranks(), seed);
            FileOutput.requireWritable(file);
            GraphModelFile.TrainedModel trained = InterruptibleRun.guard(cancel::cancel, () -> {
                try {
                    SketchSamples samples = SketchCollector.collect(
                            settings, on, file.resolveSibling(file.getFileName() + ".rows.jsonl"), this::say, cancel);
                    GraphRows rows = samples.graphRows();
                    say(rows.size() + " rows of " + rows.graphs().size() + " kernels");
                    return GraphModelFile.train(
                            file,
                            shape.architecture(),
                            new GraphModelFile.Provenance(
                                    StatementFeatures.VERSION,
                                    samples.fingerprint(),
                                    on.info().name(),
                                    String.join(" ", networks.isEmpty() ? List.of("inception_v3", "vgg11") : networks),
                                    rows.size(),
                                    training),
                            rows,
                            (done, of, loss, pace) -> follow(done, of, loss, pace, rows.size()),
                            cancel);
                } catch (CancellationException e) {
                    say("Stopped; the same command resumes it.");
                    throw e;
                }
            });
            report(trained, file);
            return 0;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), ErrorReporter.sentence(UserError.reason(e)));
        } catch (CancellationException e) {
            return ErrorReporter.WORK_FAILED;
        }
    }

    private void follow(int done, int of, double loss, double rowsPerSecond, int rows) {
        if (done % EVERY == 0 || done == of) {
            say(String.format(
                            Locale.ROOT,
                            "epoch %d of %d, loss %.4f, %.0f rows per second",
                            done,
                            of,
                            loss,
                            rowsPerSecond)
                    + (done < of
                            ? ", left about " + NumberFormats.duration((double) (of - done) * rows / rowsPerSecond)
                            : ""));
        }
    }

    private void report(GraphModelFile.TrainedModel trained, Path file) {
        if (isJson()) {
            ObjectNode o = JsonMapper.shared().createObjectNode();
            o.put("weights", file.toString())
                    .put("method", method)
                    .put("device", trained.provenance().device())
                    .put("rows", trained.provenance().rows())
                    .put("data", trained.provenance().data())
                    .put("epochs", trained.provenance().settings().epochs());
            Arrays.stream(trained.curve()).forEach(o.putArray("losses")::add);
            print(o);
        } else {
            out().println("A model of " + trained.model().architecture().size() + " weights, trained on "
                    + trained.provenance().rows() + " rows of "
                    + trained.provenance().networks() + " on "
                    + trained.provenance().device() + ", is in " + file + ".");
            out().println("Use it: knobscape tune NETWORK --method " + method + " --device " + device + " --weights "
                    + weights);
            out().flush();
        }
    }

    private void say(String line) {
        err().println(line);
        err().flush();
    }
}

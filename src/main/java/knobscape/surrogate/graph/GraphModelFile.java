package knobscape.surrogate.graph;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.surrogate.neural.WeightFile;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Graph models and unfinished trainings as files ([WeightFile]): the scale, the weights, of a training both
/// moments of the gradient, then the losses (of a model by epoch, of a training by step).
public final class GraphModelFile {
    /// End of a file's name.
    public static final String EXTENSION = ".gat";

    private static final String WHAT = "graph model";
    private static final String FORMAT = "knobscape-graph-model";
    private static final int VERSION = 1;
    private static final long SAVING_NANOS = 10_000_000_000L;
    private static final int MOST = Integer.MAX_VALUE / Float.BYTES;
    private static final Set<String> KEYS = Set.of(
            "format",
            "formatVersion",
            "convolution",
            "attention",
            "features",
            "numbers",
            "crc32",
            "data",
            "device",
            "networks",
            "rows",
            "epochs",
            "batch",
            "rate",
            "ranks",
            "seed",
            "done");

    private GraphModelFile() {}

    /// Where a model comes from.
    ///
    /// @param features version of what nodes and statistics mean; a model of another version answers nonsense
    /// @param data fingerprint of the rows
    /// @param device that answered
    /// @param networks whose kernels they are, in words
    /// @param rows how many
    /// @param settings of the training
    public record Provenance(
            int features, String data, String device, String networks, int rows, GraphTraining.Settings settings) {
        private String differs(Provenance other) {
            return features != other.features
                    ? "another version of the features"
                    : !data.equals(other.data) || rows != other.rows
                            ? "other measurements"
                            : !device.equals(other.device)
                                    ? "measurements of " + other.device
                                    : !settings.equals(other.settings) ? "other settings" : "";
        }
    }

    /// A finished model with its origin.
    ///
    /// @param curve mean loss by epoch
    /// @param check of the numbers of its file, 0 where it was not read from one
    public record TrainedModel(GraphModel model, Provenance provenance, double[] curve, long check) {}

    /// Told of every epoch.
    public interface Listener {
        /// @param done epochs, of `of`
        /// @param loss mean of the last
        /// @param rowsPerSecond of this start
        void epoch(int done, int of, double loss, double rowsPerSecond);
    }

    /// Trains and writes the model. A file that holds the same training unfinished is resumed, with the same
    /// result as without the interruption; when it is stopped, or the program dies, the file holds what there
    /// is. Throws [UserError] where the file holds anything else.
    ///
    /// @param cancel stops it by a `CancellationException`
    public static TrainedModel train(
            Path file,
            GraphArchitecture architecture,
            Provenance provenance,
            GraphRows rows,
            Listener listener,
            CancellationSignal cancel) {
        GraphTraining training = Files.exists(file)
                ? resume(file, architecture, provenance, rows)
                : GraphTraining.begin(architecture, provenance.settings, rows);
        Consumer<GraphTraining> save = t -> FileOutput.write(file, unfinished(t.model(), provenance, t.state()));
        int perEpoch = training.steps() / provenance.settings.epochs();
        int begun = training.step();
        long start = System.nanoTime();
        long saved = start;
        try {
            while (training.step() < training.steps()) {
                training.advance((training.step() / perEpoch + 1) * perEpoch, cancel);
                long now = System.nanoTime();
                int done = training.step() / perEpoch;
                double epochs = (training.step() - begun) / (double) perEpoch;
                listener.epoch(
                        done,
                        provenance.settings.epochs(),
                        training.curve()[done - 1],
                        epochs * rows.size() / ((now - start) / 1e9));
                if (now - saved > SAVING_NANOS) {
                    save.accept(training);
                    saved = now;
                }
            }
        } catch (CancellationException e) {
            save.accept(training);
            throw e;
        }
        var trained = new TrainedModel(training.model(), provenance, training.curve(), 0);
        write(file, trained);
        return trained;
    }

    private static GraphTraining resume(
            Path file, GraphArchitecture architecture, Provenance provenance, GraphRows rows) {
        Content c = content(file);
        if (c.done.isEmpty()) {
            throw new UserError("'" + file + "' already holds a finished model; name another file for the new one.");
        }
        String differs = c.model.architecture().equals(architecture)
                ? c.provenance.differs(provenance)
                : "a model of another shape";
        if (!differs.isEmpty()) {
            throw new UserError("'" + file + "' holds a training with " + differs
                    + "; resume it with what it was begun with, or name another file.");
        }
        int n = architecture.size();
        double[] rest = c.rest;
        return new GraphTraining(
                c.model,
                provenance.settings,
                rows,
                new GraphTraining.State(
                        c.model.weights(),
                        Arrays.copyOf(rest, n),
                        Arrays.copyOfRange(rest, n, 2 * n),
                        Arrays.copyOfRange(rest, 2 * n, rest.length)));
    }

    private static byte[] unfinished(GraphModel model, Provenance provenance, GraphTraining.State s) {
        return bytes(header(model, provenance).put("done", s.losses().length), model, s.mean(), s.square(), s.losses());
    }

    /// Writes a model.
    public static void write(Path file, TrainedModel t) {
        FileOutput.write(file, bytes(header(t.model, t.provenance), t.model, t.curve));
    }

    private static byte[] bytes(ObjectNode header, GraphModel model, double[]... more) {
        return WeightFile.bytes(
                header,
                floats(model.scale().values()),
                floats(model.weights()),
                floats(Arrays.stream(more).flatMapToDouble(DoubleStream::of).toArray()));
    }

    private static float[] floats(double[] values) {
        float[] f = new float[values.length];
        for (int i = 0; i < f.length; i++) {
            f[i] = (float) values[i];
        }
        return f;
    }

    private static ObjectNode header(GraphModel model, Provenance p) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("format", FORMAT)
                .put("formatVersion", VERSION)
                .put("convolution", model.architecture().convolution().key())
                .put("attention", model.architecture().attention())
                .put("features", p.features)
                .put("data", p.data)
                .put("device", p.device)
                .put("networks", p.networks)
                .put("rows", p.rows)
                .put("epochs", p.settings.epochs())
                .put("batch", p.settings.batch())
                .put("rate", p.settings.rate())
                .put("ranks", p.settings.ranks())
                .put("seed", p.settings.seed());
    }

    /// Reads a finished model. Throws [UserError] naming the file where it is none, damaged, or of other
    /// features.
    ///
    /// @param features version of what nodes and statistics mean
    public static TrainedModel read(Path file, int features) {
        Content c = content(file);
        if (c.done.isPresent()) {
            throw new UserError("'" + file + "' holds a training that is not finished (" + c.done.get()
                    + " steps done); resume it with the command it was begun with.");
        }
        if (c.provenance.features != features) {
            throw new UserError("'" + file + "' was trained with other features than this program has; train it anew.");
        }
        return new TrainedModel(c.model, c.provenance, c.rest, c.check);
    }

    /// @param done steps, of a training
    /// @param rest what follows the weights
    private record Content(GraphModel model, Provenance provenance, Optional<Long> done, double[] rest, long check) {}

    private static Content content(Path file) {
        WeightFile w = WeightFile.read(file, WHAT, FORMAT, VERSION);
        JsonFields f = w.header();
        f.onlyKnown(KEYS);
        try {
            var architecture = new GraphArchitecture(
                    GraphArchitecture.Convolution.of(f.text("convolution").orElse("")), f.flag("attention", true));
            var settings = new GraphTraining.Settings(
                    WeightFile.count(f, "epochs", 1, MOST),
                    WeightFile.count(f, "batch", 1, MOST),
                    f.number("rate").orElse(0.0),
                    f.flag("ranks", false),
                    f.whole("seed").orElse(0L));
            var provenance = new Provenance(
                    WeightFile.count(f, "features", 0, MOST),
                    f.text("data").orElse(""),
                    f.text("device").orElse(""),
                    f.text("networks").orElse(""),
                    WeightFile.count(f, "rows", 1, MOST),
                    settings);
            int s = GraphScale.size();
            int n = s + architecture.size();
            double[] all = new double[w.numbers().length];
            Arrays.setAll(all, i -> w.numbers()[i]);
            Optional<Long> done = f.whole("done");
            long expected = n + done.map(d -> d + 2L * architecture.size()).orElse((long) settings.epochs());
            if (all.length != expected) {
                throw new UserError(
                        "'" + file + "' holds " + all.length + " numbers where its model has " + expected + ".");
            }
            return new Content(
                    new GraphModel(
                            architecture,
                            GraphScale.of(Arrays.copyOf(all, s)),
                            Arrays.copyOfRange(all, s, n),
                            settings.ranks()),
                    provenance,
                    done,
                    Arrays.copyOfRange(all, n, all.length),
                    f.whole("crc32").orElse(0L));
        } catch (IllegalArgumentException e) {
            throw new UserError("'" + file + "': " + e.getMessage() + ".", e);
        }
    }
}

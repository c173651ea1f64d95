package knobscape.fusion.search.sequence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.JsonFields;
import knobscape.surrogate.neural.WeightFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Sequence models and unfinished trainings as files.
///
/// A model holds its weights. A training holds three times as many (weights, and both moments of the gradient)
/// and then the loss of every step. Their form is [WeightFile]'s.
public final class ModelFile {
    /// End of a file's name.
    public static final String EXTENSION = ".seq";
    private static final String FORMAT = "knobscape-sequence-model";
    private static final int VERSION = 1;
    /// Counts changes of the encoding of states and answers; a model of another encoding answers nonsense.
    private static final int ENCODING = 1;
    private static final String WHAT = "sequence model";
    private static final int MOST_NETWORKS = 1000;
    private static final Set<String> KEYS = Set.of(
            "format",
            "formatVersion",
            "method",
            "encoding",
            "width",
            "blocks",
            "heads",
            "numbers",
            "crc32",
            "command",
            "networks",
            "steps",
            "seed",
            "training");
    private static final Set<String> TRAINING_KEYS = Set.of("done", "steps", "batch", "rate", "seed", "curriculum");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ModelFile() {}

    /// A training on its way.
    ///
    /// @param curriculum words that tell one curriculum from another; a training resumes with the one it began
    /// with
    record Unfinished(
            Architecture architecture,
            SequenceTraining.Settings settings,
            SequenceTraining.State state,
            SequenceModel.Provenance provenance,
            String curriculum) {}

    /// Writes a model.
    public static void write(Path file, SequenceModel model) {
        FileOutput.write(file, WeightFile.bytes(header(model.architecture(), model.provenance()), model.weights()));
    }

    /// Writes a training that is to be resumed.
    static void write(Path file, Unfinished u) {
        ObjectNode header = header(u.architecture, u.provenance);
        ObjectNode t = header.putObject("training");
        t.put("done", u.state.step())
                .put("steps", u.settings.steps())
                .put("batch", u.settings.batch())
                .put("rate", u.settings.rate())
                .put("seed", u.settings.seed())
                .put("curriculum", u.curriculum);
        float[] losses = new float[u.state.losses().length];
        for (int i = 0; i < losses.length; i++) {
            losses[i] = (float) u.state.losses()[i];
        }
        FileOutput.write(file, WeightFile.bytes(header, u.state.weights(), u.state.mean(), u.state.square(), losses));
    }

    private static ObjectNode header(Architecture a, SequenceModel.Provenance p) {
        ObjectNode o = JSON.createObjectNode();
        o.put("format", FORMAT)
                .put("formatVersion", VERSION)
                .put("method", a.kind().method())
                .put("encoding", ENCODING)
                .put("width", a.width())
                .put("blocks", a.blocks())
                .put("heads", a.heads());
        o.put("command", p.command()).put("steps", p.steps()).put("seed", p.seed());
        p.networks().forEach(o.putArray("networks")::add);
        return o;
    }

    /// Reads a model. Throws [UserError] naming the file where it is none, damaged, or of another encoding.
    public static SequenceModel read(Path file) {
        return model(content(file));
    }

    /// Reads a model from a stream, which stays open.
    static SequenceModel read(InputStream stream, String name) throws IOException {
        return model(content(WeightFile.parse(name, stream.readAllBytes(), WHAT, FORMAT, VERSION)));
    }

    private static SequenceModel model(Content c) {
        if (c.header.get("training").isPresent()) {
            throw new UserError(
                    "'" + c.header.file()
                            + "' holds a training that is not finished; resume it with fusion-train, or name a finished model.");
        }
        if (c.numbers.length != c.architecture.size()) {
            throw new UserError("'" + c.header.file() + "' holds " + c.numbers.length + " numbers where its "
                    + c.architecture.kind().label() + " has " + c.architecture.size() + " weights.");
        }
        return new SequenceModel(c.architecture, c.numbers, c.provenance);
    }

    /// The model in a file; empty where there is no file, or one with a training that is not finished.
    public static Optional<SequenceModel> finished(Path file) {
        return Files.exists(file) && !isUnfinished(file) ? Optional.of(read(file)) : Optional.empty();
    }

    /// True if a file holds a training that is not finished.
    static boolean isUnfinished(Path file) {
        return content(file).header.get("training").isPresent();
    }

    /// Reads a training. Throws [UserError] naming the file where it is none or damaged.
    static Unfinished readUnfinished(Path file) {
        Content c = content(file);
        JsonFields t = c.header
                .object("training")
                .orElseThrow(() -> new UserError("'" + file + "' holds a finished model, no training to resume."));
        t.onlyKnown(TRAINING_KEYS);
        int n = c.architecture.size();
        int done = WeightFile.count(t, "done", 0, SequenceTraining.Settings.MOST_STEPS);
        if (c.numbers.length != 3L * n + done) {
            throw new UserError("'" + file + "' holds " + c.numbers.length + " numbers where a training after " + done
                    + " steps has " + (3L * n + done) + ".");
        }
        double[] losses = new double[done];
        for (int i = 0; i < done; i++) {
            losses[i] = c.numbers[3 * n + i];
        }
        try {
            var settings = new SequenceTraining.Settings(
                    WeightFile.count(t, "steps", 1, SequenceTraining.Settings.MOST_STEPS),
                    WeightFile.count(t, "batch", 1, Integer.MAX_VALUE),
                    t.number("rate").orElse(0.0),
                    t.whole("seed").orElse(0L));
            var state = new SequenceTraining.State(
                    done,
                    Arrays.copyOf(c.numbers, n),
                    Arrays.copyOfRange(c.numbers, n, 2 * n),
                    Arrays.copyOfRange(c.numbers, 2 * n, 3 * n),
                    losses);
            return new Unfinished(
                    c.architecture,
                    settings,
                    state,
                    c.provenance,
                    t.text("curriculum").orElse(""));
        } catch (IllegalArgumentException e) {
            throw new UserError("'" + file + "': " + e.getMessage() + ".", e);
        }
    }

    private record Content(
            JsonFields header, Architecture architecture, SequenceModel.Provenance provenance, float[] numbers) {}

    private static Content content(Path file) {
        return content(WeightFile.read(file, WHAT, FORMAT, VERSION));
    }

    private static Content content(WeightFile file) {
        JsonFields f = file.header();
        f.onlyKnown(KEYS);
        if (WeightFile.count(f, "encoding", 0, Integer.MAX_VALUE) != ENCODING) {
            throw new UserError(
                    "'" + f.file()
                            + "' was trained with another encoding of layers than this program has; train it anew with fusion-train.");
        }
        return new Content(f, architecture(f), provenance(f), file.numbers());
    }

    private static Architecture architecture(JsonFields f) {
        String method = f.text("method").orElse("");
        Architecture.Kind kind =
                Architecture.Kind.of(method).orElseThrow(() -> f.wrong("method", Architecture.Kind.methods()));
        try {
            return new Architecture(
                    kind,
                    WeightFile.count(f, "width", 1, Integer.MAX_VALUE),
                    WeightFile.count(f, "blocks", 1, Integer.MAX_VALUE),
                    WeightFile.count(f, "heads", 1, Integer.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            throw new UserError("'" + f.file() + "': " + e.getMessage() + ".", e);
        }
    }

    private static SequenceModel.Provenance provenance(JsonFields f) {
        List<String> networks = new ArrayList<>();
        Optional<JsonNode> list = f.get("networks");
        if (list.isPresent()) {
            if (!list.get().isArray() || list.get().size() > MOST_NETWORKS) {
                throw f.wrong("networks", "a list of names");
            }
            for (JsonNode n : list.get()) {
                networks.add(n.asString(""));
            }
        }
        return new SequenceModel.Provenance(
                f.text("command").orElse(""),
                networks,
                WeightFile.count(f, "steps", 0, SequenceTraining.Settings.MOST_STEPS),
                f.whole("seed").orElse(0L));
    }
}

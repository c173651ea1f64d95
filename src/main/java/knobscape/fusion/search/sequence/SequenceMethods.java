package knobscape.fusion.search.sequence;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.UserError;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Problem;
import knobscape.fusion.search.Search;
import knobscape.fusion.search.Searcher;

/// The sequence models as methods: `dnnfuser` and `seq2seq` are the models that ship, `dnnfuser:FILE` is a
/// model from a file.
public final class SequenceMethods {
    /// Between the name of a method and the file of its model.
    public static final String SEPARATOR = ":";

    private SequenceMethods() {}

    /// True if a method by name may be given a model of its own.
    public static boolean takesModel(String method) {
        return Architecture.Kind.of(method).isPresent();
    }

    /// The methods that are offered and whose models ship. The models are read when they are first asked.
    public static List<FusionMethod> shipped() {
        return List.of(shippedMethod(Architecture.Kind.DNNFUSER), shippedMethod(Architecture.Kind.SEQ2SEQ));
    }

    /// The paper's model, which ships too.
    public static FusionMethod published() {
        return shippedMethod(Architecture.Kind.PUBLISHED);
    }

    private static FusionMethod shippedMethod(Architecture.Kind kind) {
        return method(kind.method(), kind, new Shipped(kind));
    }

    /// Reads its model once, when it is first asked: whoever follows a buffer with it asks many times a second.
    private static final class Shipped implements Searcher {
        private final Architecture.Kind kind;
        private Optional<SequenceMapper> mapper = Optional.empty();

        Shipped(Architecture.Kind kind) {
            this.kind = kind;
        }

        @Override
        public Search begin(Problem problem, SplittableRandom random) {
            return mapper().begin(problem, random);
        }

        private synchronized SequenceMapper mapper() {
            if (mapper.isEmpty()) {
                mapper = Optional.of(new SequenceMapper(shipped(kind)));
            }
            return mapper.get();
        }
    }

    /// The model of a kind that ships.
    public static SequenceModel shipped(Architecture.Kind kind) {
        String name = kind.method() + ModelFile.EXTENSION;
        try (InputStream in = SequenceMethods.class.getResourceAsStream("/knobscape/fusion/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the program was built without its model " + name);
            }
            return ModelFile.read(in, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The method that a name with a file stands for; empty where the name has no file. Throws [UserError]
    /// where the file holds no model of that kind.
    ///
    /// @param name `dnnfuser:FILE` or `seq2seq:FILE`
    public static Optional<FusionMethod> fromFile(String name, Path here) {
        for (Architecture.Kind kind : Architecture.Kind.values()) {
            if (name.startsWith(kind.method() + SEPARATOR)) {
                Path file = here.resolve(name.substring(kind.method().length() + 1));
                SequenceModel model = ModelFile.read(file);
                if (model.architecture().kind() != kind) {
                    throw new UserError("'" + file + "' holds a "
                            + model.architecture().kind().label() + " model; take --method "
                            + model.architecture().kind().method() + ".");
                }
                return Optional.of(method(name, kind, new SequenceMapper(model)));
            }
        }
        return Optional.empty();
    }

    private static FusionMethod method(String name, Architecture.Kind kind, Searcher searcher) {
        String what = switch (kind) {
            case DNNFUSER ->
                "For chains of hundreds of layers, whose exact answer takes long in the paper's model: a trained Transformer writes down a strategy at once; elsewhere exact is as quick and never worse.";
            case SEQ2SEQ -> "To compare with DNNFuser: the same with a trained LSTM encoder and decoder.";
            case PUBLISHED ->
                "A baseline: DNNFuser as published, which imitates G-Sampler by squared error and answers once, fit or not.";
        };
        return new FusionMethod(name, kind.label(), what, FusionMethod.Kind.INFERENCE, searcher);
    }
}

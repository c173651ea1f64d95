package knobscape.fusion.search.sequence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.fusion.search.FusionState;

/// The shape of a sequence model.
///
/// @param width of the hidden vectors
/// @param blocks of the Transformer; 1 for the LSTM
/// @param heads of each attention; divides the width; 1 for the LSTM
public record Architecture(Kind kind, int width, int blocks, int heads) {
    private static final int WIDEST = 256;
    private static final int DEEPEST = 12;
    private static final int FEED_FORWARD = 4;

    /// Kinds of sequence models.
    public enum Kind {
        /// Decoder-only Transformer with causal attention (Fig. 3): the paper's choice.
        DNNFUSER("dnnfuser", "DNNFuser"),
        /// LSTM encoder and decoder: the paper's alternative. The encoder reads the layers from the last to the
        /// first, so that its state at a layer sums up what follows.
        SEQ2SEQ("seq2seq", "Seq2Seq"),
        /// The paper's model as it is printed ([PublishedFormulation]), to compare with.
        PUBLISHED("dnnfuser-published", "DNNFuser (Kao 2022)");

        private final String method;
        private final String label;

        Kind(String method, String label) {
            this.method = method;
            this.label = label;
        }

        /// The kind of a method by name.
        public static Optional<Kind> of(String method) {
            return Arrays.stream(values()).filter(k -> k.method.equals(method)).findFirst();
        }

        /// All methods in words.
        public static String methods() {
            return "dnnfuser, seq2seq or dnnfuser-published";
        }

        /// Numbers that a model of this kind is given at a step.
        int inputs() {
            return this == PUBLISHED ? PublishedFormulation.SIZE : StateEncoder.SIZE;
        }

        /// Numbers that it gives: scores of answers, or the action itself.
        int outputs() {
            return this == PUBLISHED ? 1 : MicroBatches.ACTIONS;
        }

        /// Name on the command line and in files.
        public String method() {
            return method;
        }

        /// Name for a person.
        public String label() {
            return label;
        }
    }

    /// Throws [IllegalArgumentException] naming what is out of range.
    public Architecture {
        if (width < 4 || width > WIDEST || blocks < 1 || blocks > DEEPEST || heads < 1 || width % heads != 0) {
            throw new IllegalArgumentException("a sequence model has a width of 4 to " + WIDEST + ", 1 to " + DEEPEST
                    + " blocks and a number of heads that divides the width, not " + width + ", " + blocks + " and "
                    + heads);
        }
        if (kind == Kind.SEQ2SEQ && (blocks != 1 || heads != 1)) {
            throw new IllegalArgumentException("a Seq2Seq model has 1 block and 1 head");
        }
    }

    /// The shape of the models that ship: small enough to be trained in half an hour on one core; the published
    /// one has the paper's (section 5.1).
    public static Architecture of(Kind kind) {
        return switch (kind) {
            case DNNFUSER -> new Architecture(kind, 64, 3, 2);
            case SEQ2SEQ -> new Architecture(kind, 96, 1, 1);
            case PUBLISHED -> new Architecture(kind, 128, 3, 2);
        };
    }

    /// A matrix (or, with one row, a vector) of weights, `[rows][columns]` in row order; a layer computes `x W
    /// + b`.
    record Parameter(String name, int rows, int columns) {
        int size() {
            return rows * columns;
        }

        boolean isMatrix() {
            return rows > 1 || name.endsWith(".weight");
        }
    }

    /// All weights in the order in which they are kept.
    List<Parameter> parameters() {
        var all = new ArrayList<Parameter>();
        if (kind != Kind.SEQ2SEQ) {
            if (kind == Kind.PUBLISHED) {
                linear(all, "action", 1, width);
                linear(all, "reward", 1, width);
                linear(all, "state", FusionState.SIZE, width);
                all.add(new Parameter("time", PublishedFormulation.STEPS, width));
            } else {
                linear(all, "embed", StateEncoder.SIZE, width);
            }
            for (int b = 0; b < blocks; b++) {
                norm(all, "norm1");
                linear(all, "qkv", width, 3 * width);
                linear(all, "projection", width, width);
                norm(all, "norm2");
                linear(all, "up", width, FEED_FORWARD * width);
                linear(all, "down", FEED_FORWARD * width, width);
            }
            norm(all, "norm");
        } else {
            recurrent(all, "encoder", StateEncoder.FIXED);
            recurrent(all, "decoder", StateEncoder.SIZE + width);
            linear(all, "hidden", width, width);
        }
        linear(all, "head", width, kind.outputs());
        return all;
    }

    private static void linear(List<Parameter> all, String name, int in, int out) {
        all.add(new Parameter(name + ".weight", in, out));
        all.add(new Parameter(name + ".bias", 1, out));
    }

    private void norm(List<Parameter> all, String name) {
        all.add(new Parameter(name + ".gain", 1, width));
        all.add(new Parameter(name + ".bias", 1, width));
    }

    /// Gates in the order input, forget, cell, output.
    private void recurrent(List<Parameter> all, String name, int in) {
        all.add(new Parameter(name + ".input", in, 4 * width));
        all.add(new Parameter(name + ".hidden", width, 4 * width));
        all.add(new Parameter(name + ".bias", 1, 4 * width));
    }

    /// Number of weights.
    public int size() {
        return parameters().stream().mapToInt(Parameter::size).sum();
    }

    /// Seeded weights: normal with deviation `1 / sqrt(inputs)`, gains 1, biases 0 (of forget gates 1).
    float[] initial(long seed) {
        var random = new SplittableRandom(seed);
        float[] weights = new float[size()];
        int at = 0;
        for (Parameter p : parameters()) {
            for (int i = 0; i < p.size(); i++, at++) {
                if (p.isMatrix()) {
                    double scale = p.name().equals("head.weight") ? 0.1 : 1;
                    weights[at] = (float) (scale * random.nextGaussian() / Math.sqrt(p.rows()));
                } else if (p.name().endsWith(".gain")
                        || (p.columns() == 4 * width && kind == Kind.SEQ2SEQ && i >= width && i < 2 * width)) {
                    weights[at] = 1;
                }
            }
        }
        return weights;
    }
}

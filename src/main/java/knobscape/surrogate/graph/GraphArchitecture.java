package knobscape.surrogate.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// The shape of the model: two graph convolutions and mean pooling, their result beside the statistics, a
/// linear layer to [#WIDTH], self-attention among [#TOKENS] pieces of it, and a perceptron. The thesis writes
/// every layer but the perceptron's hidden ones without activation; as in the layer it cites (Morris et al.,
/// AAAI 2019) a ReLU stands between the convolutions, without which two of them were one linear map.
///
/// @param convolution of the graph
/// @param attention whether there is self-attention; without it the linear layer's output goes to the
/// perceptron
public record GraphArchitecture(Convolution convolution, boolean attention) {
    /// Features of a node.
    public static final int NODE = 136;
    /// Statistics of a row.
    public static final int STATISTICS = 656;
    /// Output of the linear layer.
    public static final int WIDTH = 512;
    /// Pieces of it, and heads of the attention.
    public static final int TOKENS = 4;
    /// Length of a piece, and of the queries, keys and values of each head.
    public static final int PIECE = WIDTH / TOKENS;

    private static final int[] PERCEPTRON = {WIDTH, 200, 100, 20, 1};
    private static final int LAYERS = 2;

    /// GTuner's model.
    public static final GraphArchitecture GTUNER = new GraphArchitecture(Convolution.WL, true);

    /// How a node learns from its neighbours.
    public enum Convolution {
        /// No graph: statistics only.
        NONE("none"),
        /// `W1 x + W2 sum of neighbours` (Morris et al., AAAI 2019), GTuner's choice.
        WL("wl"),
        /// `W D^-1/2 (A + I) D^-1/2 x` (Kipf and Welling, ICLR 2017).
        SPECTRAL("spectral"),
        /// Weights of the neighbours and the node itself by masked attention, one head (Velickovic et al., ICLR
        /// 2018).
        MASKED("masked"),
        /// `W1 x + W2 mean of neighbours` over all neighbours (Hamilton et al., NeurIPS 2017).
        SAGE("sage");

        private final String key;

        Convolution(String key) {
            this.key = key;
        }

        /// Name in files.
        public String key() {
            return key;
        }

        /// The convolution with this name; throws [IllegalArgumentException] where there is none.
        public static Convolution of(String key) {
            return Arrays.stream(values())
                    .filter(c -> c.key.equals(key))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no graph convolution is called " + key));
        }
    }

    /// A matrix `[rows][columns]` in row order, or, with 0 rows, a vector; a layer computes `x W + b`.
    record Parameter(String name, int rows, int columns) {
        int size() {
            return Math.max(1, rows) * columns;
        }
    }

    /// All weights in the order in which they are kept.
    List<Parameter> parameters() {
        var all = new ArrayList<Parameter>();
        for (int l = 0; l < LAYERS; l++) {
            String name = "graph" + (l + 1);
            switch (convolution) {
                case NONE -> {}
                case SPECTRAL -> all.add(new Parameter(name + ".weight", NODE, NODE));
                case WL, SAGE -> {
                    all.add(new Parameter(name + ".self", NODE, NODE));
                    all.add(new Parameter(name + ".neighbours", NODE, NODE));
                }
                case MASKED -> {
                    all.add(new Parameter(name + ".weight", NODE, NODE));
                    all.add(new Parameter(name + ".to", NODE, 1));
                    all.add(new Parameter(name + ".from", NODE, 1));
                }
            }
        }
        linear(all, "joint", convolution == Convolution.NONE ? STATISTICS : STATISTICS + NODE, WIDTH);
        if (attention) {
            // The heads' matrices stand beside one another.
            for (String part : List.of("query", "key", "value")) {
                all.add(new Parameter("attention." + part, PIECE, TOKENS * PIECE));
            }
            all.add(new Parameter("attention.output", TOKENS * PIECE, PIECE));
        }
        for (int l = 1; l < PERCEPTRON.length; l++) {
            linear(all, "layer" + l, PERCEPTRON[l - 1], PERCEPTRON[l]);
        }
        return all;
    }

    private static void linear(List<Parameter> all, String name, int in, int out) {
        all.add(new Parameter(name + ".weight", in, out));
        all.add(new Parameter(name + ".bias", 0, out));
    }

    static int layers() {
        return LAYERS;
    }

    /// Number of hidden and output layers of the perceptron.
    static int perceptronLayers() {
        return PERCEPTRON.length - 1;
    }

    /// Number of weights.
    public int size() {
        return parameters().stream().mapToInt(Parameter::size).sum();
    }

    /// Seeded weights: uniform within `1 / sqrt(inputs)`, biases too.
    float[] initial(long seed) {
        var random = new SplittableRandom(seed);
        float[] weights = new float[size()];
        int at = 0;
        int inputs = 1;
        for (Parameter p : parameters()) {
            inputs = p.rows() > 0 ? p.rows() : inputs;
            double bound = 1 / Math.sqrt(inputs);
            for (int i = 0; i < p.size(); i++) {
                weights[at++] = (float) (bound * (2 * random.nextDouble() - 1));
            }
        }
        return weights;
    }
}

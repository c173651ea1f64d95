package knobscape.surrogate.graph;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.surrogate.neural.TorchRuntime;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/// The arithmetic of a [GraphArchitecture] by LibTorch, on a GPU where LibTorch has one. All weights are one
/// tensor that is cut into views, so that the optimiser, files and resuming are matters of plain arrays. The
/// graphs of a batch are padded to the largest; each is computed once, however many rows are of it.
final class GraphNetwork {
    private static final double NEVER = -1e9;
    private static final double LEAK = 0.2;

    private final GraphArchitecture architecture;
    private final List<GraphArchitecture.Parameter> parameters;
    private final torch.ScalarType type;
    private final String device;

    /// @param type single precision for use, double for checks
    GraphNetwork(GraphArchitecture architecture, torch.ScalarType type) {
        TorchRuntime.problem().ifPresent(why -> {
            throw new UserError(why + " Use a method without a neural network: ansor, bo or autotvm.");
        });
        this.architecture = architecture;
        this.parameters = architecture.parameters();
        this.type = type;
        this.device = torch.cuda_is_available() ? "cuda" : "cpu";
    }

    /// The minimised loss.
    enum Loss {
        /// Mean square error.
        SQUARE,
        /// Mean over pairs of rows of one graph of `log(1 + exp(output of the better - output of the worse))`;
        /// ours, not the thesis's.
        RANK
    }

    /// The loss of a batch and its gradient.
    ///
    /// @param gradient overwritten
    // Scopes act by being open; nothing refers to them.
    @SuppressWarnings("try")
    double loss(double[] weights, GraphRows rows, Loss loss, double[] gradient) {
        try (PointerScope scope = new PointerScope()) {
            Tensor theta = tensor(weights, weights.length).set_requires_grad(true);
            double value = loss(theta, rows, loss);
            read(theta.grad(), gradient);
            return value;
        }
    }

    /// The loss; its gradient is added to that of the weights.
    private double loss(Tensor theta, GraphRows rows, Loss loss) {
        Tensor value = loss(outputs(theta, rows).output, rows.target(), rows.graphOf(), loss);
        value.backward();
        return value.item_double();
    }

    /// Adam (Kingma and Ba 2015) on weights that stay with LibTorch from step to step. To be closed by the thread that
    /// made it, after all that this thread has opened since.
    final class Descent implements AutoCloseable {
        private static final double BETA1 = 0.9;
        private static final double BETA2 = 0.999;
        private static final double EPSILON = 1e-8;

        private final PointerScope scope = new PointerScope();
        private final Tensor weights;
        private final Tensor mean;
        private final Tensor square;

        /// @param mean moving mean of the gradient
        /// @param square moving mean of its square
        Descent(double[] weights, double[] mean, double[] square) {
            this.weights = tensor(weights, weights.length);
            this.mean = tensor(mean, mean.length);
            this.square = tensor(square, square.length);
        }

        /// One step; gives the loss before it. Where that is no number, nothing is changed.
        ///
        /// @param t number of the step, from 1
        @SuppressWarnings("try")
        double step(GraphRows rows, Loss loss, double rate, int t) {
            try (PointerScope step = new PointerScope()) {
                Tensor theta = weights.detach().set_requires_grad(true);
                double value = loss(theta, rows, loss);
                if (Double.isFinite(value)) {
                    update(theta.grad(), rate / (1 - Math.pow(BETA1, t)), 1 / (1 - Math.pow(BETA2, t)));
                }
                return value;
            }
        }

        private void update(Tensor gradient, double rate, double scale) {
            mean.mul_(new Scalar(BETA1)).add_(gradient, new Scalar(1 - BETA1));
            square.mul_(new Scalar(BETA2)).addcmul_(gradient, gradient, new Scalar(1 - BETA2));
            Tensor size = square.mul(new Scalar(scale)).sqrt_().add_(new Scalar(EPSILON));
            weights.addcdiv_(mean, size, new Scalar(-rate));
        }

        /// Copies out what there is now.
        void read(double[] weights, double[] mean, double[] square) {
            GraphNetwork.read(this.weights, weights);
            GraphNetwork.read(this.mean, mean);
            GraphNetwork.read(this.square, square);
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    private Tensor loss(Tensor output, double[] targets, int[] graphOf, Loss loss) {
        int n = targets.length;
        Tensor target = tensor(targets, n);
        if (loss == Loss.SQUARE) {
            return output.sub(target).square().mean(new ScalarTypeOptional());
        }
        Tensor graph = tensor(Arrays.stream(graphOf).asDoubleStream().toArray(), n);
        Tensor pairs = graph.unsqueeze(1)
                .eq(graph.unsqueeze(0))
                .logical_and(target.unsqueeze(1).lt(target.unsqueeze(0)))
                .to(type);
        Tensor costs = torch.softplus(output.unsqueeze(1).sub(output.unsqueeze(0)))
                .mul(pairs)
                .sum(new ScalarTypeOptional());
        return costs.div(pairs.sum(new ScalarTypeOptional()).clamp_min(new Scalar(1.0)));
    }

    /// Outputs by row, and for each the attention's weights.
    ///
    /// @param attention by row, head, asking and answering piece; empty without attention
    record Outputs(double[] output, double[] attention) {}

    /// As [Outputs], without gradients.
    @SuppressWarnings("try")
    Outputs outputs(double[] weights, GraphRows rows) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard guard = new NoGradGuard()) {
            Passed p = outputs(tensor(weights, weights.length), rows);
            double[] output = new double[rows.size()];
            read(p.output, output);
            double[] attention = new double[architecture.attention() ? (int) p.attention.numel() : 0];
            if (attention.length > 0) {
                read(p.attention, attention);
            }
            return new Outputs(output, attention);
        }
    }

    /// The input of the linear layer, by row: the graph's embedding, where there is one, and the statistics.
    @SuppressWarnings("try")
    double[][] joined(double[] weights, GraphRows rows) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard guard = new NoGradGuard()) {
            Tensor x = joined(weights(tensor(weights, weights.length)), rows);
            double[] flat = new double[(int) x.numel()];
            read(x, flat);
            int width = flat.length / rows.size();
            return IntStream.range(0, rows.size())
                    .mapToObj(i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width))
                    .toArray(double[][]::new);
        }
    }

    private record Passed(Tensor output, Tensor attention) {}

    private Weights weights(Tensor theta) {
        return new Weights(theta.split_with_sizes(
                parameters.stream().mapToLong(GraphArchitecture.Parameter::size).toArray(), 0));
    }

    private Passed outputs(Tensor theta, GraphRows rows) {
        Weights w = weights(theta);
        int n = rows.size();
        Tensor x = linear(w, joined(w, rows));
        Tensor attention = x;
        if (architecture.attention()) {
            int tokens = GraphArchitecture.TOKENS;
            Tensor pieces = x.view(n, tokens, GraphArchitecture.PIECE);
            UnaryOperator<Tensor> heads =
                    t -> t.view(n, tokens, tokens, GraphArchitecture.PIECE).transpose(1, 2);
            Tensor q = heads.apply(pieces.matmul(w.take()));
            Tensor k = heads.apply(pieces.matmul(w.take()));
            Tensor v = heads.apply(pieces.matmul(w.take()));
            attention = q.matmul(k.transpose(2, 3))
                    .mul(new Scalar(1 / Math.sqrt(GraphArchitecture.PIECE)))
                    .softmax(3);
            x = attention
                    .matmul(v)
                    .transpose(1, 2)
                    .reshape(n, tokens, (long) tokens * GraphArchitecture.PIECE)
                    .matmul(w.take())
                    .reshape(n, GraphArchitecture.WIDTH);
        }
        for (int l = 0; l < GraphArchitecture.perceptronLayers(); l++) {
            x = linear(w, l == 0 ? x : x.relu());
        }
        return new Passed(x.squeeze(1), attention);
    }

    private Tensor joined(Weights w, GraphRows rows) {
        int n = rows.size();
        float[] flat = new float[n * GraphArchitecture.STATISTICS];
        for (int i = 0; i < n; i++) {
            System.arraycopy(
                    rows.statistics()[i], 0, flat, i * GraphArchitecture.STATISTICS, GraphArchitecture.STATISTICS);
        }
        Tensor x;
        try (FloatPointer p = new FloatPointer(flat)) {
            x = tensor(p, torch.ScalarType.Float, n, GraphArchitecture.STATISTICS);
        }
        if (architecture.convolution() == GraphArchitecture.Convolution.NONE) {
            return x;
        }
        Tensor of = tensor(Arrays.stream(rows.graphOf()).asDoubleStream().toArray(), n)
                .to(torch.ScalarType.Long);
        return torch.cat(new TensorVector(pooled(w, rows.graphs()).index_select(0, of), x), 1);
    }

    /// The graphs' embeddings, G x [GraphArchitecture#NODE].
    private Tensor pooled(Weights w, List<NodeGraph> graphs) {
        int g = graphs.size();
        int n = graphs.stream().mapToInt(x -> x.nodes().length).max().orElseThrow();
        int d = GraphArchitecture.NODE;
        double[] nodes = new double[g * n * d];
        double[] edges = new double[g * n * n];
        double[] exists = new double[g * n];
        double[] count = new double[g];
        for (int i = 0; i < g; i++) {
            NodeGraph graph = graphs.get(i);
            count[i] = graph.nodes().length;
            for (int v = 0; v < count[i]; v++) {
                System.arraycopy(graph.nodes()[v], 0, nodes, (i * n + v) * d, d);
                exists[i * n + v] = 1;
            }
            for (NodeGraph.Edge e : graph.edges()) {
                edges[(i * n + e.from()) * n + e.to()] = 1;
                edges[(i * n + e.to()) * n + e.from()] = 1;
            }
        }
        Tensor x = tensor(nodes, g, n, d);
        Tensor mask = tensor(exists, g, n, 1);
        var adjacency = new Adjacency(tensor(edges, g, n, n), mask);
        for (int l = 0; l < GraphArchitecture.layers(); l++) {
            x = convolved(w, l == 0 ? x : x.relu(), adjacency);
        }
        return x.sum(1L).div(tensor(count, g, 1));
    }

    /// Which nodes are neighbours, G x N x N, and which exist, G x N x 1.
    private record Adjacency(Tensor edges, Tensor mask) {
        /// With every node its own neighbour.
        Tensor withSelf() {
            return edges.add(torch.diag_embed(mask.squeeze(2)));
        }
    }

    private Tensor convolved(Weights w, Tensor x, Adjacency a) {
        return switch (architecture.convolution()) {
            case NONE -> x;
            case WL -> x.matmul(w.take()).add(a.edges.matmul(x).matmul(w.take()));
            case SAGE -> {
                Tensor mean = a.edges
                        .matmul(x)
                        .div(a.edges.sum(2L).clamp_min(new Scalar(1.0)).unsqueeze(2));
                yield x.matmul(w.take()).add(mean.matmul(w.take()));
            }
            case SPECTRAL -> {
                Tensor self = a.withSelf();
                Tensor scale = self.sum(2L).clamp_min(new Scalar(1.0)).rsqrt().unsqueeze(2);
                yield self.mul(scale).mul(scale.transpose(1, 2)).matmul(x).matmul(w.take());
            }
            case MASKED -> {
                Tensor h = x.matmul(w.take());
                Tensor to = h.matmul(w.take());
                Tensor from = h.matmul(w.take());
                Tensor scores = torch.leaky_relu(to.add(from.transpose(1, 2)), new Scalar(LEAK));
                Tensor closed = a.withSelf().eq(new Scalar(0.0)).to(type).mul(new Scalar(NEVER));
                yield scores.add(closed).softmax(2).matmul(h).mul(a.mask);
            }
        };
    }

    private static Tensor linear(Weights w, Tensor x) {
        Tensor weight = w.take();
        return torch.addmm(w.take(), x, weight);
    }

    /// Hands out the weights in order.
    private final class Weights {
        private final TensorVector parts;
        private int next;

        Weights(TensorVector parts) {
            this.parts = parts;
        }

        Tensor take() {
            GraphArchitecture.Parameter p = parameters.get(next);
            Tensor part = parts.get(next++);
            return p.rows() == 0 ? part : part.view(p.rows(), p.columns());
        }
    }

    private Tensor tensor(double[] values, long... shape) {
        try (DoublePointer p = new DoublePointer(values)) {
            return tensor(p, torch.ScalarType.Double, shape);
        }
    }

    private Tensor tensor(Pointer values, torch.ScalarType of, long... shape) {
        Tensor view = torch.from_blob(values, shape, new TensorOptions(of));
        // Where neither type nor device change, `to` would only refer to memory that is not ours.
        return of == type ? view.clone().to(new Device(device), type) : view.to(new Device(device), type);
    }

    private static void read(Tensor t, double[] to) {
        t.cpu().to(torch.ScalarType.Double).contiguous().data_ptr_double().get(to);
    }
}

package knobscape.fusion.source.rows;

import java.util.List;
import java.util.stream.Stream;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;

/// The axes of a network's tensors that are counted as rows and as samples.
///
/// @param image the axis of images: down, or across for their columns
/// @param matrices whether every input is a matrix whose rows are rows, and no samples
/// @param heads that are samples; 1 where heads are none
/// @param batch samples of the network's inputs
public record RowAxes(Network network, int image, boolean matrices, long heads, long batch) {
    static final int DOWN = 2;
    static final int ACROSS = 3;
    private static final int HEADS_RANK = 4;

    /// Samples that a run of the network takes where the file fixes them: 1 for matrices, whose rows are rows.
    public static long samples(Network network) {
        return of(network, OperatorFusion.subgraphs(network), DOWN).batch();
    }

    /// The edge of a window that moves along an axis.
    static RowEdge edge(Window w, int axis) {
        int k = axis - DOWN;
        return RowEdge.window(
                0, Math.toIntExact(w.reach(k)), w.strides().get(k), w.padBegin().get(k));
    }

    static RowAxes of(Network network, List<Subgraph> subgraphs, int image) {
        List<Shape> shapes = network.inputs().stream()
                .flatMap(i -> network.tensor(i).shape().stream())
                .toList();
        boolean matrices = !shapes.isEmpty()
                && shapes.stream().allMatch(s -> s.rank() == 2 && s.dim(0) > 1)
                && network.inputs().stream()
                        .allMatch(i -> network.tensor(i).type().isFloating()
                                || network.tensor(i).type().bytes(1) == 1);
        boolean weightless = subgraphs.stream()
                .filter(s -> s.kind().isCompute())
                .allMatch(s ->
                        s.kind() == Subgraph.Kind.BATCH_MATMUL && s.weights().isEmpty());
        boolean bare = weightless
                && !shapes.isEmpty()
                && shapes.stream().allMatch(s -> s.rank() == HEADS_RANK)
                && network.nodes().stream()
                        .noneMatch(n -> n.operator() instanceof Operator.Transpose t
                                && t.order().size() == HEADS_RANK
                                && t.order().get(1) != 1);
        long least = bare ? shapes.stream().mapToLong(s -> s.dim(1)).min().orElse(1) : 1;
        long heads = bare && least > 0 && shapes.stream().allMatch(s -> s.dim(1) % least == 0) ? least : 1;
        long batch = matrices ? 1 : Math.max(1, network.batch());
        return new RowAxes(network, image, matrices, heads, batch);
    }

    /// Copies of what one sample needs: of a batch and of heads.
    long copies() {
        return batch * heads;
    }

    /// Samples of the graph: those of the whole batch where heads are samples, else 1.
    long samples() {
        return matrices ? 1 : heads > 1 ? copies() : 1;
    }

    /// The axis of an input that is counted as rows, -1 for none.
    int inputAxis(String tensor, Shape s) {
        if (matrices) {
            return 0;
        }
        Stream<Operator> by = network.nodes().stream()
                .filter(n -> n.inputs().contains(tensor))
                .map(Node::operator);
        return switch (s.rank()) {
            case 0, 1 -> -1;
            case 2 -> by.anyMatch(o -> o instanceof Operator.Gather) ? 1 : -1;
            case 3 ->
                by.anyMatch(o -> o instanceof Operator.Conv
                                || o instanceof Operator.TransposedConv
                                || o instanceof Operator.Pool)
                        ? 2
                        : 1;
            default ->
                by.anyMatch(o -> o instanceof Operator.Transpose t && t.order().get(1) != 1) ? 1 : image;
        };
    }

    /// The axis of a tensor of images that is counted as rows.
    int lines(Shape s) {
        return s.rank() > ACROSS ? image : DOWN;
    }

    /// Rows of a tensor along an axis; query heads that share K and V stand behind one another.
    int rows(Shape s, int axis) {
        if (axis < 0 || axis >= s.rank()) {
            return 1;
        }
        long stacked = heads > 1 && s.rank() == HEADS_RANK ? s.dim(1) / heads : 1;
        return Math.toIntExact(Math.max(1, s.dim(axis) * Math.max(1, stacked)));
    }

    /// Elements of a row of one sample.
    long elements(Shape s, int rows) {
        return Math.ceilDiv(s.elements(), batch * heads * rows);
    }
}

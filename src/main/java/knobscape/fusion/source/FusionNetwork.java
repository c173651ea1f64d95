package knobscape.fusion.source;

import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.network.Network;
import knobscape.network.chain.ChainEdge;
import knobscape.network.chain.LayerChain;
import knobscape.network.chain.Linearization;

/// A network as the cost model needs it: layers in the order of execution with what each computes, reads and
/// makes for one sample, and who reads what.
///
/// Any graph becomes such a row of layers ([Linearization]). Where the row is no plain chain, the rules of a
/// chain carry over to each edge:
/// - A layer reads each of its inputs and skips from the chip where the layer that made it is in the same
///   group, else from off-chip memory.
/// - A result is kept on chip where a layer of the same group reads it, and written off chip where a layer of a
///   later group does, or where it ends the group.
/// - A result read as an input further down keeps its buffer until the last such reader; the buffer holds the
///   largest micro-batch of the layers up to there. A concatenation (U-Net, Inception) is such an input; an
///   addition is a skip (see [CostOptions.Residuals]).
public final class FusionNetwork {
    private final LayerChain chain;
    /// Elements by layer 1..N; index 0 is the network's input where it makes sense.
    private final long[] output;
    private final long[] reduced;
    private final long[] macs;
    private final long[] weights;
    /// Input edges of each layer: sources and elements.
    private final int[][] inputFrom;
    private final long[][] inputElements;
    private final int[][] skipFrom;
    private final long[][] skipElements;
    private final int[] firstReader;
    private final int[] lastReader;
    private final int[] lastInputReader;
    private final boolean localInputs;

    private FusionNetwork(LayerChain chain) {
        this.chain = chain;
        int n = chain.size();
        output = new long[n + 1];
        reduced = new long[n + 1];
        macs = new long[n + 1];
        weights = new long[n + 1];
        inputFrom = new int[n + 1][];
        inputElements = new long[n + 1][];
        skipFrom = new int[n + 1][];
        skipElements = new long[n + 1][];
        firstReader = new int[n + 1];
        lastReader = new int[n + 1];
        lastInputReader = new int[n + 1];
        output[0] = chain.input();
        reduced[0] = chain.input();
        for (int i = 1; i <= n; i++) {
            output[i] = chain.layer(i).output();
            reduced[i] = chain.layer(i).reduced();
            macs[i] = chain.macs(i);
            weights[i] = chain.weights(i);
            List<ChainEdge> inputs = chain.inputs(i);
            // What comes from no layer and not from the input (a constant) lies off chip like the network's
            // input.
            inputFrom[i] = inputs.isEmpty()
                    ? new int[1]
                    : inputs.stream().mapToInt(ChainEdge::from).toArray();
            inputElements[i] = inputs.isEmpty()
                    ? new long[] {chain.layer(i).input()}
                    : inputs.stream().mapToLong(ChainEdge::elements).toArray();
            skipFrom[i] = chain.skips(i).stream().mapToInt(ChainEdge::from).toArray();
            skipElements[i] =
                    chain.skips(i).stream().mapToLong(ChainEdge::elements).toArray();
        }
        boolean local = true;
        for (ChainEdge e : chain.edges()) {
            firstReader[e.from()] = firstReader[e.from()] == 0 ? e.to() : Math.min(firstReader[e.from()], e.to());
            lastReader[e.from()] = Math.max(lastReader[e.from()], e.to());
            if (e.role() == ChainEdge.Role.INPUT) {
                lastInputReader[e.from()] = Math.max(lastInputReader[e.from()], e.to());
                local &= e.from() == 0 || e.isLink();
            }
        }
        localInputs = local;
    }

    /// The layers of a network. Throws [UserError] where it has none, or one of unknown shape.
    public static FusionNetwork of(Network network) {
        return of(Linearization.of(network));
    }

    /// The layers of a chain.
    public static FusionNetwork of(LayerChain chain) {
        if (chain.size() == 0) {
            throw new UserError("The network '" + chain.network() + "' has no layer to fuse.");
        }
        return new FusionNetwork(chain);
    }

    /// Name of the network.
    public String name() {
        return chain.network();
    }

    /// Number of layers, N.
    public int layers() {
        return macs.length - 1;
    }

    /// The layers with their shapes, and the edges.
    public LayerChain chain() {
        return chain;
    }

    /// All that costs depend on, one layer or edge a line: equal for networks that say the same in other words.
    public String text() {
        var text = new StringBuilder();
        chain.layers()
                .forEach(l -> text.append(l.name() + " " + l.extents().type() + " " + l.macs() + " " + l.weights() + " "
                        + l.input() + " " + l.output() + " " + l.reduced() + "\n"));
        chain.edges().forEach(e -> text.append(e).append('\n'));
        return text.toString();
    }

    /// Multiply-accumulates of layer 1..N for one sample, projections on its skips included.
    public long macs(int layer) {
        return macs[layer];
    }

    /// Elements of the weights of layer 1..N, projections on its skips included.
    public long weights(int layer) {
        return weights[layer];
    }

    /// Elements a layer makes for one sample, before pooling; layer 0 is the network's input.
    public long output(int layer) {
        return output[layer];
    }

    /// Elements left of it after pooling; layer 0 is the network's input.
    public long reduced(int layer) {
        return reduced[layer];
    }

    /// True if every layer reads its inputs from the layer right before it or from the network's input; skips
    /// do not matter.
    public boolean hasLocalInputs() {
        return localInputs;
    }

    /// The layers whose results layer 1..N reads as its inputs, 0 for the network's input; not to be changed.
    public int[] inputFrom(int layer) {
        return inputFrom[layer];
    }

    /// Elements of each of these inputs; not to be changed.
    public long[] inputElements(int layer) {
        return inputElements[layer];
    }

    /// The layers whose results layer 1..N adds to its own; not to be changed.
    public int[] skipFrom(int layer) {
        return skipFrom[layer];
    }

    /// Elements of each of these; not to be changed.
    public long[] skipElements(int layer) {
        return skipElements[layer];
    }

    /// The first layer that reads a layer's result, 0 where none does.
    public int firstReader(int layer) {
        return firstReader[layer];
    }

    /// The last layer that reads a layer's result for whatever purpose, 0 where none does.
    public int lastReader(int layer) {
        return lastReader[layer];
    }

    /// The last layer that reads a layer's result as its input, 0 where none does.
    public int lastInputReader(int layer) {
        return lastInputReader[layer];
    }
}

package knobscape.compile.analysis;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.compile.ir.IrLoopMark;

/// A natural loop of a function's control flow. Made by [IrLoops].
public final class IrLoop {
    private final int header;
    private final BitSet blocks = new BitSet();
    private final List<Integer> latches = new ArrayList<>();
    private final List<IrLoop> children = new ArrayList<>();
    private Optional<IrLoop> parent = Optional.empty();
    private Optional<IrLoopMark> mark = Optional.empty();

    IrLoop(int header) {
        this.header = header;
        blocks.set(header);
    }

    /// The block through which control enters.
    public int header() {
        return header;
    }

    /// Its blocks, those of inner loops included; not to be changed.
    public BitSet blocks() {
        return blocks;
    }

    /// True if a block belongs to it or to a loop inside.
    public boolean contains(int block) {
        return blocks.get(block);
    }

    /// Blocks that go back to the header.
    public List<Integer> latches() {
        return Collections.unmodifiableList(latches);
    }

    /// Loops directly inside, in the order of the code.
    public List<IrLoop> children() {
        return Collections.unmodifiableList(children);
    }

    /// The loop directly around.
    public Optional<IrLoop> parent() {
        return parent;
    }

    /// How many loops it lies in, itself included.
    public int depth() {
        return 1 + parent.map(IrLoop::depth).orElse(0);
    }

    /// The mark on its back edge.
    public Optional<IrLoopMark> mark() {
        return mark;
    }

    /// The loop of the source that it comes from.
    public OptionalLong id() {
        return mark.map(IrLoopMark::id).orElse(OptionalLong.empty());
    }

    void latch(int block) {
        latches.add(block);
    }

    void marked(IrLoopMark m) {
        mark = Optional.of(m);
    }

    void inside(IrLoop outer) {
        parent = Optional.of(outer);
        outer.children.add(this);
    }

    void sortChildren(FlowGraph flow) {
        children.sort((a, b) -> Integer.compare(flow.position(a.header), flow.position(b.header)));
    }
}

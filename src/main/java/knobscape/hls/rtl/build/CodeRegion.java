package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A region with its own schedule: the states of one block, or a pipelined loop whose decisions became choices.
final class CodeRegion {
    /// An order of two accesses: the second is at least `delta` cycles after the first of `distance` iterations before.
    record Order(DataOp first, DataOp second, int delta, long distance) {}

    final int number;
    final CodeBlock head;
    /// The block that decides where to go on.
    final CodeBlock last;
    final List<CodeBlock> blocks;
    final List<DataOp> phis;
    final List<DataOp> ops = new ArrayList<>();
    final List<Order> orders = new ArrayList<>();
    /// The loop of a pipeline.
    final @Nullable CodeLoop loop;
    /// The values that a pipeline's phis take the next time around.
    final Map<DataOp, DataOp> back = new HashMap<>();
    /// Phis whose next value is used in the cycle in which it arrives.
    final Set<DataOp> bypassed = new HashSet<>();
    int interval;
    int length;
    /// Its first state.
    int state;

    CodeRegion(int number, List<CodeBlock> blocks, CodeBlock last, @Nullable CodeLoop loop) {
        this.number = number;
        this.blocks = List.copyOf(blocks);
        this.head = blocks.getFirst();
        this.last = last;
        this.loop = loop;
        phis = head.phis;
    }

    boolean isPipeline() {
        return loop != null;
    }

    CodeLoop loop() {
        return Objects.requireNonNull(loop);
    }

    /// True if it takes no time.
    boolean isEmpty() {
        return !isPipeline() && ops.isEmpty() && phis.isEmpty() && last.next.size() == 1;
    }

    @Nullable
    DataOp condition() {
        return last.condition;
    }

    /// Of a pipeline whether a true condition leaves it.
    boolean leavesOnTrue() {
        return !loop().contains(last.next.getFirst());
    }

    /// The block after a pipeline.
    CodeBlock exit() {
        return last.next.get(leavesOnTrue() ? 0 : 1);
    }

    /// Accesses that may meet keep their order.
    void order() {
        List<DataOp> accesses = ops.stream().filter(DataOp::isAccess).toList();
        for (int j = 0; j < accesses.size(); j++) {
            for (int i = 0; i < accesses.size(); i++) {
                DataOp a = accesses.get(i);
                DataOp b = accesses.get(j);
                if (a.access().memory != b.access().memory
                        || (a.kind == DataOp.Kind.LOAD && b.kind == DataOp.Kind.LOAD)) {
                    continue;
                }
                if (i < j && a.access().meets(b.access())) {
                    orders.add(new Order(a, b, 1, 0));
                }
                if (loop != null) {
                    a.access().meetsLater(b.access(), loop).ifPresent(k -> orders.add(new Order(a, b, 1, k)));
                }
            }
        }
    }
}

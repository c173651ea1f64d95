package knobscape.hls.evaluate.estimator;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import knobscape.hls.evaluate.estimator.Program.Invoke;
import knobscape.hls.evaluate.estimator.Program.Step;
import knobscape.hls.evaluate.estimator.Program.Value;

/// Questions about the steps of a body.
final class Bodies {
    private Bodies() {}

    /// Adds the numbers of the arrays that `body` writes to, callees not.
    static void writes(List<Step> body, Set<Integer> found) {
        for (Step s : body) {
            switch (s) {
                case Step.Write w -> found.add(w.target().array());
                case Step.Nested n -> writes(n.loop().body, found);
                case Step.Branch b -> {
                    writes(b.then(), found);
                    writes(b.otherwise(), found);
                }
                default -> {}
            }
        }
    }

    /// Every value computed in `body`, operands included, nested loops included, callees not.
    static void forEachValue(List<Step> body, Consumer<Value> use) {
        for (Step s : body) {
            switch (s) {
                case Step.Assign a -> walk(a.value(), use);
                case Step.Write w -> {
                    for (Value i : w.target().indices()) {
                        walk(i, use);
                    }
                    walk(w.value(), use);
                }
                case Step.Nested n -> forEachValue(n.loop().body, use);
                case Step.Call c -> walk(c.invoke(), use);
                case Step.Branch b -> {
                    walk(b.condition(), use);
                    forEachValue(b.then(), use);
                    forEachValue(b.otherwise(), use);
                }
                case Step.Return r -> walk(r.value(), use);
            }
        }
    }

    private static void walk(Value v, Consumer<Value> use) {
        use.accept(v);
        switch (v) {
            case Value.Compute c -> {
                for (Value o : c.operands()) {
                    walk(o, use);
                }
            }
            case Value.Read r -> {
                for (Value i : r.source().indices()) {
                    walk(i, use);
                }
            }
            case Invoke i -> {
                for (Value a : i.arguments()) {
                    walk(a, use);
                }
            }
            default -> {}
        }
    }

    /// Number of operations and accesses in `body`, callees included.
    static int operations(List<Step> body) {
        int[] n = {0};
        forEachValue(body, v -> {
            switch (v) {
                case Value.Compute c -> n[0]++;
                case Value.Read r -> n[0]++;
                case Invoke i -> n[0] += i.callee().operations;
                default -> {}
            }
        });
        return n[0] + body.size();
    }

    /// Marks slots that a block reads before writing them. Every loop body, and every stretch between loops, is
    /// a block.
    static void expose(List<Step> body, Set<Integer> written, boolean[] exposed) {
        for (Step s : body) {
            switch (s) {
                case Step.Assign a -> {
                    read(a.value(), written, exposed);
                    written.add(a.slot());
                }
                case Step.Return r -> {
                    read(r.value(), written, exposed);
                    exposed[r.slot()] = true;
                }
                case Step.Write w -> {
                    for (Value i : w.target().indices()) {
                        read(i, written, exposed);
                    }
                    read(w.value(), written, exposed);
                }
                case Step.Call c -> read(c.invoke(), written, exposed);
                case Step.Nested n -> {
                    expose(n.loop().body, new HashSet<>(), exposed);
                    written.clear();
                }
                case Step.Branch b -> {
                    read(b.condition(), written, exposed);
                    expose(b.then(), new HashSet<>(written), exposed);
                    expose(b.otherwise(), new HashSet<>(written), exposed);
                    if (b.structured()) {
                        written.clear();
                    }
                }
            }
        }
    }

    private static void read(Value v, Set<Integer> written, boolean[] exposed) {
        walk(v, x -> {
            if (x instanceof Value.Scalar s && !written.contains(s.slot())) {
                exposed[s.slot()] = true;
            }
        });
    }
}

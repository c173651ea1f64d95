package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.function.Consumer;
import knobscape.hls.evaluate.estimator.Program.Invoke;
import knobscape.hls.evaluate.estimator.Program.Reference;
import knobscape.hls.evaluate.estimator.Program.Step;
import knobscape.hls.evaluate.estimator.Program.Value;

/// Visits the array accesses of a body.
final class References {
    private References() {}

    /// Every access in `body`, nested loops included, callees not.
    static void forEach(List<Step> body, Consumer<Reference> use) {
        for (Step s : body) {
            switch (s) {
                case Step.Assign a -> value(a.value(), use);
                case Step.Write w -> {
                    use.accept(w.target());
                    value(w.value(), use);
                }
                case Step.Nested n -> forEach(n.loop().body, use);
                case Step.Call c -> value(c.invoke(), use);
                case Step.Branch b -> {
                    value(b.condition(), use);
                    forEach(b.then(), use);
                    forEach(b.otherwise(), use);
                }
                case Step.Return r -> value(r.value(), use);
            }
        }
    }

    private static void value(Value v, Consumer<Reference> use) {
        switch (v) {
            case Value.Read r -> {
                use.accept(r.source());
                for (Value i : r.source().indices()) {
                    value(i, use);
                }
            }
            case Value.Compute c -> {
                for (Value o : c.operands()) {
                    value(o, use);
                }
            }
            case Invoke i -> {
                for (Value a : i.arguments()) {
                    value(a, use);
                }
            }
            default -> {}
        }
    }
}

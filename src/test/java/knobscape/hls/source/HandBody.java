package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;

/// The facts of a body that a test puts together, in source order.
public final class HandBody {
    private final List<Loop> loops = new ArrayList<>();
    private final List<Access> accesses = new ArrayList<>();
    private final List<BodyFacts.Call> calls = new ArrayList<>();
    private final List<Multiplication> multiplications = new ArrayList<>();
    private final List<String> tasks = new ArrayList<>();
    private int others;

    /// A loop.
    public void add(Loop loop) {
        loops.add(loop);
    }

    /// A statement that is nothing but a call.
    public void add(BodyFacts.Call call) {
        calls.add(call);
        tasks.add(call.callee());
    }

    /// A statement with a product and what it reads and writes.
    public void add(Multiplication product, List<Access> of) {
        multiplications.add(product);
        accesses.addAll(of);
        others++;
    }

    /// What was added.
    public BodyFacts facts() {
        return new BodyFacts(loops, accesses, calls, multiplications, tasks, others);
    }
}

package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Facts of what stands between the braces of a function or loop, branches included, nested loops left out.
///
/// @param loops nested ones, in source order
/// @param accesses to arrays; a compound assignment's once
/// @param calls all of them, in order
/// @param multiplications of values
/// @param tasks callees of statements that are nothing but a call, in order
/// @param others number of statements that are neither a loop nor nothing but a call
public record BodyFacts(
        List<Loop> loops,
        List<Access> accesses,
        List<Call> calls,
        List<Multiplication> multiplications,
        List<String> tasks,
        int others) {
    public BodyFacts {
        loops = List.copyOf(loops);
        accesses = List.copyOf(accesses);
        calls = List.copyOf(calls);
        multiplications = List.copyOf(multiplications);
        tasks = List.copyOf(tasks);
    }

    /// A call.
    ///
    /// @param callee [Function#name()], or the name of one without a body here
    /// @param external whether it has no body here
    /// @param arrays ids of arrays that are given to it, in order
    /// @param location of the call
    public record Call(String callee, boolean external, List<String> arrays, Location location) {
        public Call {
            arrays = List.copyOf(arrays);
        }
    }

    /// Of nothing.
    public static BodyFacts empty() {
        return new BodyFacts(List.of(), List.of(), List.of(), List.of(), List.of(), 0);
    }

    /// The same with each nested loop replaced.
    public BodyFacts withLoops(UnaryOperator<Loop> change) {
        return new BodyFacts(loops.stream().map(change).toList(), accesses, calls, multiplications, tasks, others);
    }

    /// True if it is a sequence of at least two loops and calls, which dataflow could overlap.
    public boolean isTaskSequence() {
        return others == 0 && loops.size() + tasks.size() >= 2;
    }

    /// True if it is one loop and nothing else.
    public boolean isOneLoop() {
        return others == 0 && tasks.isEmpty() && loops.size() == 1;
    }

    /// This and the bodies of all loops inside, outer ones first.
    public List<BodyFacts> nest() {
        var all = new ArrayList<BodyFacts>();
        all.add(this);
        loops.forEach(l -> all.addAll(l.body().nest()));
        return List.copyOf(all);
    }

    /// Accesses here and in all loops inside.
    public Stream<Access> allAccesses() {
        return nest().stream().flatMap(b -> b.accesses().stream());
    }
}

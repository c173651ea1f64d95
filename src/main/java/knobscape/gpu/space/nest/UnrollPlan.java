package knobscape.gpu.space.nest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which loops of a nest are unrolled, by its axes' bindings and by the [UnrollPolicy] of the pragmas around
/// them.
public final class UnrollPlan {
    // A dozen axes at most, each equal only to itself.
    private final List<Axis> unrolled = new ArrayList<>();
    private final List<Axis> written = new ArrayList<>();
    private final LoopNest nest;

    /// The plan of a nest.
    public static UnrollPlan of(LoopNest nest) {
        var plan = new UnrollPlan(nest);
        plan.visit(List.of(nest.body()), List.of(), Optional.empty());
        return plan;
    }

    private UnrollPlan(LoopNest nest) {
        this.nest = nest;
    }

    /// True if the loop over `axis` is unrolled by the generator or a hint.
    public boolean isUnrolled(Axis axis) {
        return unrolled.contains(axis);
    }

    /// True if the generator writes the copies of the loop over `axis` itself.
    public boolean isWrittenOut(Axis axis) {
        return written.contains(axis);
    }

    /// The contents of a loop.
    ///
    /// @param statements statements, multiplied by the unrolled loops
    /// @param rolledDepth nested loops that stay
    /// @param unrolledDepth nested loops that are unrolled
    private record Inside(long statements, int rolledDepth, int unrolledDepth) {}

    private Inside visit(List<NestStatement> body, List<IndexBound> conditions, Optional<UnrollPolicy> policy) {
        long statements = 0;
        int rolled = 0;
        int depth = 0;
        for (NestStatement s : body) {
            Inside in = switch (s) {
                case NestStatement.Store store -> new Inside(nest.repeats(store, conditions), 0, 0);
                case NestStatement.Barrier _, NestStatement.Fragment _ -> new Inside(1, 0, 0);
                case NestStatement.Guard g -> visit(g.body(), g.conditions(), policy);
                case NestStatement.Pragma p -> visit(p.body(), conditions, Optional.of(p.policy()));
                case NestStatement.Loop l -> loop(l, conditions, policy);
            };
            statements = Math.min(Integer.MAX_VALUE, statements + in.statements);
            rolled = Math.max(rolled, in.rolledDepth);
            depth = Math.max(depth, in.unrolledDepth);
        }
        return new Inside(statements, rolled, depth);
    }

    private Inside loop(NestStatement.Loop l, List<IndexBound> conditions, Optional<UnrollPolicy> policy) {
        Inside in = visit(l.body(), conditions, policy);
        Axis a = l.axis();
        if (a.binding() == Axis.Binding.UNROLLED || a.binding() == Axis.Binding.VECTORIZED) {
            unrolled.add(a);
            return new Inside(
                    Math.min(Integer.MAX_VALUE, a.extent() * in.statements), in.rolledDepth, in.unrolledDepth + 1);
        }
        if (a.binding() != Axis.Binding.SERIAL) {
            return in;
        }
        boolean unroll = policy.isPresent()
                && a.extent() * in.statements <= policy.get().maxStep()
                && in.rolledDepth == 0
                && in.unrolledDepth < UnrollPolicy.MAX_DEPTH;
        if (unroll) {
            unrolled.add(a);
            if (policy.get().explicit()) {
                written.add(a);
            }
            return new Inside(a.extent() * in.statements, 0, in.unrolledDepth + 1);
        }
        return new Inside(in.statements, in.rolledDepth + 1, in.unrolledDepth);
    }
}

package knobscape.gpu.space.sketch;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.Value;

/// What a subgraph computes: stages in an order in which they can run, each reading inputs and earlier stages.
/// The last one makes the result.
///
/// @param inputs in the order of a kernel's arguments
/// @param stages at least one
public record Computation(List<TensorRef> inputs, List<Stage> stages) {
    /// Copies the lists.
    public Computation {
        inputs = List.copyOf(inputs);
        stages = List.copyOf(stages);
    }

    /// The stage that makes the result.
    public Stage output() {
        return stages.getLast();
    }

    /// The stage that makes a tensor; empty for an input.
    public Optional<Stage> producer(TensorRef tensor) {
        return stages.stream().filter(s -> s.result().equals(tensor)).findFirst();
    }

    /// The stages that a stage reads, by their places.
    public List<Integer> producers(int stage) {
        return IntStream.range(0, stages.size())
                .filter(i -> stages.get(stage).reads().contains(stages.get(i).result()))
                .boxed()
                .toList();
    }

    /// Whether it takes logarithms, roots or powers, which only positive numbers have.
    public boolean needsPositive() {
        return stages.stream().anyMatch(s -> needsPositive(s.value()));
    }

    private static boolean needsPositive(Expression e) {
        return switch (e) {
            case Expression.Load _, Expression.Constant _ -> false;
            case Expression.Unary u ->
                u.function() == Value.Function.LOG || u.function() == Value.Function.SQRT || needsPositive(u.of());
            case Expression.Binary b ->
                b.operator() == Value.Operator.POWER || needsPositive(b.left()) || needsPositive(b.right());
            case Expression.Select s -> needsPositive(s.then()) || needsPositive(s.otherwise());
        };
    }

    /// Whether a stage is computed where it is read: every function of each element but the result.
    public boolean isInlined(Stage stage) {
        return !stage.isReduction() && stage != output();
    }

    /// An expression in which the inlined stages are written out.
    public Expression inlined(Expression expression) {
        return expression.rewrite(
                IndexExpr::of,
                l -> producer(l.tensor())
                        .filter(this::isInlined)
                        .map(s -> inlined(element(s, l)))
                        .orElse(l));
    }

    /// What a stage without a reduction makes at a place.
    static Expression element(Stage stage, Expression.Load at) {
        return stage.value().rewrite(a -> at.at().get(stage.space().indexOf(a)), l -> l);
    }
}

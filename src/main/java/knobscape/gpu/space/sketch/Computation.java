package knobscape.gpu.space.sketch;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;

/// The computation of a subgraph: stages in an order in which they can run, each reading inputs and earlier stages.
/// The last one makes the result.
///
public final class Computation {
    private final List<TensorRef> inputs;
    private final List<Stage> stages;
    private final Map<TensorRef, Stage> producers = new HashMap<>();

    /// @param inputs in the order of a kernel's arguments
    /// @param stages at least one
    Computation(List<TensorRef> inputs, List<Stage> stages) {
        this.inputs = List.copyOf(inputs);
        this.stages = List.copyOf(stages);
        stages.forEach(s -> producers.put(s.result(), s));
    }

    /// The inputs, in the order of a kernel's arguments.
    public List<TensorRef> inputs() {
        return inputs;
    }

    /// The operators, in an order in which they can run.
    public List<Stage> stages() {
        return stages;
    }

    /// The stage that makes the result.
    public Stage output() {
        return stages.getLast();
    }

    /// The stage that makes a tensor; empty for an input.
    public Optional<Stage> producer(TensorRef tensor) {
        return Optional.ofNullable(producers.get(tensor));
    }

    /// The stages that a stage reads, by their places.
    public List<Integer> producers(int stage) {
        return IntStream.range(0, stages.size())
                .filter(i -> stages.get(stage).reads().contains(stages.get(i).result()))
                .boxed()
                .toList();
    }

    /// For a person, every operator with what it reads of the others: `pad, conv2d(pad), bias(conv2d)`.
    public String words() {
        return IntStream.range(0, stages.size())
                .mapToObj(i -> {
                    List<Integer> from = producers(i);
                    return stages.get(i).operator()
                            + (from.isEmpty()
                                    ? ""
                                    : from.stream()
                                            .map(k -> stages.get(k).operator())
                                            .collect(Collectors.joining(", ", "(", ")")));
                })
                .collect(Collectors.joining(", "));
    }

    /// True if it takes logarithms, roots or powers, which only positive numbers have.
    public boolean needsPositive() {
        return stages.stream().anyMatch(s -> needsPositive(s.value()));
    }

    private static boolean needsPositive(TensorExpression e) {
        return switch (e) {
            case TensorExpression.Load _, TensorExpression.Constant _ -> false;
            case TensorExpression.Unary u ->
                u.function() == NestValue.Function.LOG
                        || u.function() == NestValue.Function.SQRT
                        || needsPositive(u.of());
            case TensorExpression.Binary b ->
                b.operator() == NestValue.Operator.POWER || needsPositive(b.left()) || needsPositive(b.right());
            case TensorExpression.Select s -> needsPositive(s.then()) || needsPositive(s.otherwise());
        };
    }

    /// True if a stage is computed where it is read: every function of each element but the result.
    public boolean isInlined(Stage stage) {
        return !stage.isReduction() && stage != output();
    }

    private boolean isInlined(TensorRef tensor) {
        Stage s = producers.get(tensor);
        return s != null && isInlined(s);
    }

    /// An expression in which the inlined stages are written out.
    public TensorExpression inlined(TensorExpression expression) {
        boolean[] any = {false};
        expression.loads(l -> any[0] |= isInlined(l.tensor()));
        return any[0]
                ? expression.rewrite(
                        IndexExpr::of,
                        l -> isInlined(l.tensor()) ? inlined(element(requireNonNull(producers.get(l.tensor())), l)) : l)
                : expression;
    }

    /// The element that a stage without a reduction makes at a place.
    static TensorExpression element(Stage stage, TensorExpression.Load at) {
        return stage.value().rewrite(a -> at.at().get(stage.space().indexOf(a)), l -> l);
    }
}

package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.List;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.template.Schedule;

/// A tensor of a computation: an input, or what a stage makes. Two are the same only when they are the same object.
public final class TensorRef {
    private final String name;
    private final List<Long> shape;
    private final Schedule.Role role;

    TensorRef(String name, List<Long> shape, Schedule.Role role) {
        this.name = name;
        this.shape = List.copyOf(shape);
        this.role = role;
    }

    /// Its name, unique in its computation and an identifier in C.
    public String name() {
        return name;
    }

    /// Its extents, outermost first; elements lie row by row.
    public List<Long> shape() {
        return shape;
    }

    /// Of an input what it holds; of the last stage's tensor the output; of others a workspace.
    public Schedule.Role role() {
        return role;
    }

    @Override
    public String toString() {
        return name + shape;
    }

    /// Number of elements.
    public long elements() {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }

    /// The element at some indices.
    public TensorExpression at(IndexExpr... indices) {
        return new TensorExpression.Load(this, List.of(indices));
    }

    /// Flat position of some indices.
    public IndexExpr flat(List<IndexExpr> at) {
        IndexExpr flat = IndexExpr.ZERO;
        for (int i = 0; i < at.size(); i++) {
            flat = flat.times(shape.get(i)).plus(at.get(i));
        }
        return flat;
    }

    /// The indices of a flat position.
    public List<IndexExpr> unflat(IndexExpr position) {
        var at = new ArrayList<IndexExpr>();
        long step = elements();
        for (long extent : shape) {
            step /= extent;
            at.add(position.dividedBy(step).modulo(extent));
        }
        return at;
    }
}

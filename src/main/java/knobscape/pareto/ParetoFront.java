package knobscape.pareto;

import java.util.ArrayList;
import java.util.List;

/// The non-dominated vectors of everything added so far, kept up to date one vector at a time. Objectives are
/// minimised. Equal vectors do not dominate one another (thesis Definition 1), so two designs with the same
/// values are both members; [#vectors()] lists such a vector once. An addition costs one pass over the front.
/// Not thread-safe.
///
/// @param <T> what a vector belongs to, for example a design
public final class ParetoFront<T> {
    private final int objectives;
    private final List<Member<T>> members = new ArrayList<>();

    /// A vector on the front and what it belongs to.
    ///
    /// @param <T> what the vector belongs to
    public static final class Member<T> {
        private final double[] values;
        private final T item;

        private Member(double[] values, T item) {
            this.values = values;
            this.item = item;
        }

        /// A copy of the objective vector.
        public double[] values() {
            return values.clone();
        }

        /// The item that the vector belongs to.
        public T item() {
            return item;
        }
    }

    /// An empty front.
    ///
    /// @param objectives length of every vector, at least one
    public ParetoFront(int objectives) {
        if (objectives < 1) {
            throw new IllegalArgumentException("a front needs at least one objective, was " + objectives);
        }
        this.objectives = objectives;
    }

    /// Adds a vector; members it dominates leave. Returns whether it is on the front now. Throws
    /// `IllegalArgumentException` where the length is wrong or a value is NaN.
    public boolean add(double[] values, T item) {
        check(values);
        for (Member<T> m : members) {
            if (Dominance.dominates(m.values, values)) {
                return false;
            }
        }
        members.removeIf(m -> Dominance.dominates(values, m.values));
        members.add(new Member<>(values.clone(), item));
        return true;
    }

    /// True if some member is no worse than `values` in every objective.
    public boolean covers(double[] values) {
        for (Member<T> m : members) {
            if (Dominance.weaklyDominates(m.values, values)) {
                return true;
            }
        }
        return false;
    }

    /// Number of members, equal vectors counted each.
    public int size() {
        return members.size();
    }

    /// The members in order of arrival.
    public List<Member<T>> members() {
        return List.copyOf(members);
    }

    /// The distinct vectors in order of arrival, shape size x objectives; copies.
    public double[][] vectors() {
        List<double[]> distinct = new ArrayList<>();
        for (Member<T> m : members) {
            if (distinct.stream().noneMatch(v -> java.util.Arrays.equals(v, m.values))) {
                distinct.add(m.values.clone());
            }
        }
        return distinct.toArray(double[][]::new);
    }

    /// Exact hypervolume of the front up to `reference`.
    public double hypervolume(double[] reference) {
        return Hypervolume.of(members.stream().map(m -> m.values).toArray(double[][]::new), reference);
    }

    /// Positions of the non-dominated rows of `vectors` in increasing order; equal rows all count.
    public static int[] nonDominated(double[][] vectors) {
        if (vectors.length == 0) {
            return new int[0];
        }
        var front = new ParetoFront<Integer>(vectors[0].length);
        for (int i = 0; i < vectors.length; i++) {
            front.add(vectors[i], i);
        }
        return front.members.stream().mapToInt(Member::item).sorted().toArray();
    }

    /// The distinct non-dominated rows of `vectors` in their order; copies.
    public static double[][] of(double[][] vectors) {
        if (vectors.length == 0) {
            return new double[0][];
        }
        var front = new ParetoFront<Integer>(vectors[0].length);
        for (int i = 0; i < vectors.length; i++) {
            front.add(vectors[i], i);
        }
        return front.vectors();
    }

    private void check(double[] values) {
        if (values.length != objectives) {
            throw new IllegalArgumentException("expected " + objectives + " objectives, was " + values.length);
        }
        for (double v : values) {
            if (Double.isNaN(v)) {
                throw new IllegalArgumentException("an objective is not a number");
            }
        }
    }
}

package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.source.LinearForm.Atom;
import knobscape.hls.source.LinearForm.LoopValue;

/// Distance test between a write and a read of one array: after how many iterations of a loop does the read
/// meet the element that was written? Each dimension is a linear equation in the distance; where inner loops
/// take part it is bounded by their ranges (Banerjee's inequality) and by the greatest common divisor of their
/// coefficients.
///
/// U. Banerjee, Dependence Analysis for Supercomputing, Kluwer 1988.
public final class CarriedDistance {
    /// Distances tried against the divisibility of the coefficients; beyond that the bound is kept.
    private static final long MAX_TRIED = 4096;
    private final String loop;
    private final long step;
    private final OptionalLong trip;
    private final Set<String> inside;
    private final LinearForm.Ranges ranges;

    /// @param loop id of the loop whose iterations are counted
    /// @param step of its variable
    /// @param trip most iterations, where known
    /// @param inside ids of the loops in its body
    /// @param ranges values of loop variables
    public CarriedDistance(String loop, long step, OptionalLong trip, Set<String> inside, LinearForm.Ranges ranges) {
        this.loop = loop;
        this.step = step;
        this.trip = trip;
        this.inside = Set.copyOf(inside);
        this.ranges = ranges;
    }

    /// @param distance fewest iterations after which the element can be met; empty where that is not known
    /// @param certain whether it is met after exactly that many
    public record Result(OptionalLong distance, boolean certain) {}

    /// Tests one pair.
    ///
    /// @param write index of each dimension at the write
    /// @param read index of each dimension at the read
    /// @return empty where they never meet in different iterations
    public Optional<Result> between(List<LinearForm> write, List<LinearForm> read) {
        long last = trip.isPresent() ? trip.getAsLong() - 1 : Long.MAX_VALUE;
        long most = last;
        long least = 1;
        boolean known = write.size() == read.size();
        OptionalLong diagonal = OptionalLong.empty();
        boolean meetOnDiagonal = true;
        var dimensions = new ArrayList<Dimension>();
        for (int k = 0; k < Math.min(write.size(), read.size()); k++) {
            Dimension d = new Dimension(write.get(k), read.get(k));
            if (!d.understood) {
                known = false;
                continue;
            }
            // A dimension that is understood may exclude the meeting even where others are not.
            Range distances = d.distances().orElse(new Range(1, Long.MAX_VALUE));
            least = Math.max(least, distances.min());
            most = Math.min(most, distances.max());
            if (!d.feasible || least > most) {
                return Optional.empty();
            }
            OptionalLong same = d.onDiagonal();
            meetOnDiagonal &= d.constantOnDiagonal()
                    || (same.isPresent() && (diagonal.isEmpty() || diagonal.getAsLong() == same.getAsLong()));
            diagonal = same.isPresent() ? same : diagonal;
            dimensions.add(d);
        }
        if (!known) {
            return least > most ? Optional.empty() : Optional.of(new Result(OptionalLong.empty(), false));
        }
        OptionalLong distance = firstPossible(dimensions, least, most);
        if (distance.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Result(distance, meetOnDiagonal && diagonal.orElse(1) == distance.getAsLong()));
    }

    /// Smallest distance that every dimension's divisibility allows.
    private static OptionalLong firstPossible(List<Dimension> dimensions, long least, long most) {
        if (least > most) {
            return OptionalLong.empty();
        }
        for (long d = least; d <= most; d++) {
            long distance = d;
            if (d - least > MAX_TRIED) {
                return OptionalLong.of(least);
            }
            if (dimensions.stream().allMatch(x -> x.allows(distance))) {
                return OptionalLong.of(d);
            }
        }
        return OptionalLong.empty();
    }

    /// `own * step * d = constant + rest` where `rest` is within a range and a multiple of `divisor`.
    private final class Dimension {
        /// Coefficient of the loop's variable at the read.
        private long own;
        private long constant;
        private Range rest = Range.of(0);
        private long divisor;
        /// Whether the two sides differ only by the constant once inner loops stand at the same iteration.
        private boolean diagonal = true;
        boolean understood = true;
        boolean feasible = true;

        Dimension(LinearForm write, LinearForm read) {
            try {
                build(write, read);
            } catch (ArithmeticException e) {
                understood = false;
            }
        }

        private void build(LinearForm write, LinearForm read) {
            own = read.terms().getOrDefault(new LoopValue(loop), 0L);
            constant = Math.subtractExact(write.constant(), read.constant());
            for (Map.Entry<Atom, Long> e : write.terms().entrySet()) {
                term(e.getKey(), e.getValue(), read.terms().getOrDefault(e.getKey(), 0L));
            }
            for (Map.Entry<Atom, Long> e : read.terms().entrySet()) {
                if (!write.terms().containsKey(e.getKey())) {
                    term(e.getKey(), 0, e.getValue());
                }
            }
            if (own == 0) {
                feasible = !understood || (rest.contains(-constant) && multiple(-constant));
            }
        }

        private void term(Atom atom, long atWrite, long atRead) {
            if (atom instanceof LoopValue v && v.loop().equals(loop)) {
                free(atom, Math.subtractExact(atWrite, atRead));
                return;
            }
            if (varies(atom)) {
                // Two moments, two values.
                diagonal &= atWrite == atRead && atom instanceof LoopValue;
                free(atom, atWrite, atWrite);
                free(atom, Math.negateExact(atRead), atRead);
            } else {
                free(atom, Math.subtractExact(atWrite, atRead));
            }
        }

        /// A term whose value is the same on both sides, so that only the difference of the coefficients
        /// counts.
        private void free(Atom atom, long difference) {
            diagonal &= difference == 0;
            free(atom, difference, difference);
        }

        private void free(Atom atom, long coefficient, long weight) {
            if (coefficient == 0) {
                return;
            }
            Range r = LinearForms.range(atom, ranges);
            if (!r.bounded()) {
                understood &= atom instanceof LoopValue;
            }
            rest = rest.plus(r.times(coefficient));
            divisor = gcd(divisor, Math.abs(weight));
        }

        private boolean varies(Atom atom) {
            return switch (atom) {
                case LoopValue v -> inside.contains(v.loop());
                case LinearForm.Unknown u ->
                    u.within().contains(loop) || u.within().stream().anyMatch(inside::contains);
                case LinearForm.Applied a ->
                    LinearForm.of(a).leaves().stream()
                            .anyMatch(l -> (l instanceof LoopValue v && v.loop().equals(loop)) || varies(l));
            };
        }

        private boolean multiple(long value) {
            return divisor == 0 ? value == 0 : value % divisor == 0;
        }

        /// Distances at which the equation can hold; empty where the distance does not matter.
        Optional<Range> distances() {
            if (own == 0) {
                return Optional.empty();
            }
            long per = Math.multiplyExact(own, step);
            Range sum = rest.plus(Range.of(constant));
            long a = per > 0 ? sum.min() : sum.max();
            long b = per > 0 ? sum.max() : sum.min();
            long low = a == Long.MIN_VALUE || a == Long.MAX_VALUE ? Long.MIN_VALUE : Math.ceilDiv(a, per);
            long high = b == Long.MIN_VALUE || b == Long.MAX_VALUE ? Long.MAX_VALUE : Math.floorDiv(b, per);
            return low > high ? Optional.of(new Range(0, 0)) : Optional.of(new Range(low, high));
        }

        boolean allows(long distance) {
            if (own == 0) {
                return feasible;
            }
            try {
                long needed = Math.subtractExact(Math.multiplyExact(Math.multiplyExact(own, step), distance), constant);
                return rest.contains(needed) && multiple(needed);
            } catch (ArithmeticException e) {
                return true;
            }
        }

        boolean constantOnDiagonal() {
            return diagonal && own == 0 && constant == 0;
        }

        /// The distance where inner loops stand at the same iteration.
        OptionalLong onDiagonal() {
            long per = own * step;
            return diagonal && own != 0 && per != 0 && constant % per == 0
                    ? OptionalLong.of(constant / per)
                    : OptionalLong.empty();
        }
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}

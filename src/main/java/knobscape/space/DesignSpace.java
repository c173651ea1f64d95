package knobscape.space;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Knobs plus constraints. Sizes may exceed 10^90, so nothing here lists the space; every member has a rank
/// `0 .. size()-1` in a fixed order, from which exact counting, uniform draws and lazy enumeration follow.
public interface DesignSpace {

    /// The knobs, in their fixed order.
    KnobSet knobs();

    /// Exact number of configurations that satisfy the constraints; at least one.
    BigInteger size();

    /// Size before constraints: the product of all domain sizes.
    default BigInteger fullSize() {
        return knobs().fullSize();
    }

    /// The configuration of rank `rank`; throws `IndexOutOfBoundsException` outside `0 .. size()-1`.
    Configuration at(BigInteger rank);

    /// True if the configuration satisfies the constraints.
    boolean contains(Configuration configuration);

    /// One configuration, every member equally likely.
    default Configuration draw(RandomGenerator random) {
        return at(BigIntegers.uniformBelow(size(), random));
    }

    /// One of the members that have only allowed levels, every one of them equally likely where the numbers are drawn
    /// evenly from 0 to 1. A knob that constrains no other follows its own number alone. Throws
    /// `IllegalArgumentException` where there is no such member.
    ///
    /// @param allowed the levels of each knob, by position
    /// @param uniform a number of 0 (inclusive) to 1 (exclusive) for each knob
    Configuration drawWithin(List<BitSet> allowed, double[] uniform);

    /// The levels of the knob at position `knob` that occur in members. A space that cannot tell cheaply
    /// answers with all levels, so this is a superset; the spaces of this package are exact.
    default BitSet possibleLevels(int knob) {
        var levels = new BitSet();
        levels.set(0, knobs().get(knob).domain().size());
        return levels;
    }

    /// All members in rank order, made one at a time.
    Stream<Configuration> enumerate();

    /// Members close to `configuration` (a member): by default, those that differ from it in one knob by any
    /// value. Spaces whose constraints tie knobs together also offer members that differ in a whole group of
    /// tied knobs. In a fixed order, without duplicates and without `configuration` itself.
    List<Configuration> neighbours(Configuration configuration);
}

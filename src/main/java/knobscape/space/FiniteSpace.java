package knobscape.space;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// An explicit list of configurations, for example the designs of a measured data set. The rank is the position
/// in the list; repeated configurations count once.
public final class FiniteSpace implements DesignSpace {
    private final KnobSet knobs;
    private final List<Configuration> members;
    private final Map<Configuration, Integer> ranks;

    /// Throws `IllegalArgumentException` where there is no member, or where a member has other knobs.
    public FiniteSpace(KnobSet knobs, Collection<Configuration> members) {
        this.knobs = knobs;
        this.members = members.stream().distinct().toList();
        this.ranks = HashMap.newHashMap(this.members.size());
        for (int i = 0; i < this.members.size(); i++) {
            ranks.put(this.members.get(i), i);
        }
        if (this.members.isEmpty()) {
            throw new IllegalArgumentException("a space needs at least one configuration");
        }
        for (Configuration member : this.members) {
            if (!member.knobs().equals(knobs)) {
                throw new IllegalArgumentException("configuration " + member + " has other knobs than the space");
            }
        }
    }

    @Override
    public KnobSet knobs() {
        return knobs;
    }

    @Override
    public BigInteger size() {
        return BigInteger.valueOf(members.size());
    }

    @Override
    public Configuration at(BigInteger rank) {
        if (rank.signum() < 0 || rank.compareTo(size()) >= 0) {
            throw new IndexOutOfBoundsException("rank " + rank + " is outside 0 .. " + size() + " - 1");
        }
        return members.get(rank.intValue());
    }

    @Override
    public boolean contains(Configuration configuration) {
        return ranks.containsKey(configuration);
    }

    /// Follows the number of the first knob that has a choice.
    @Override
    public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
        List<Configuration> left = members.stream()
                .filter(m -> IntStream.range(0, knobs.size())
                        .allMatch(k -> allowed.get(k).get(m.level(k))))
                .toList();
        if (left.isEmpty()) {
            throw new IllegalArgumentException("no member has only the allowed levels");
        }
        double u = IntStream.range(0, uniform.length)
                .filter(k -> allowed.get(k).cardinality() > 1)
                .mapToDouble(k -> uniform[k])
                .findFirst()
                .orElse(0);
        return left.get((int) (u * left.size()));
    }

    @Override
    public Stream<Configuration> enumerate() {
        return members.stream();
    }

    @Override
    public BitSet possibleLevels(int knob) {
        var levels = new BitSet();
        members.forEach(m -> levels.set(m.level(knob)));
        return levels;
    }

    /// Members that differ in one knob. A sparse list often has none: then those that differ in the fewest
    /// knobs.
    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        // Looked up rather than searched for: a list may have hundreds of thousands of members.
        List<Configuration> near = IntStream.range(0, knobs.size())
                .boxed()
                .flatMap(k -> IntStream.range(0, knobs.get(k).domain().size())
                        .filter(l -> l != configuration.level(k))
                        .mapToObj(l -> configuration.with(k, l)))
                .filter(ranks::containsKey)
                .sorted(Comparator.comparing(ranks::get))
                .toList();
        if (!near.isEmpty()) {
            return near;
        }
        int least = Integer.MAX_VALUE;
        for (Configuration member : members) {
            int d = distance(configuration, member, least);
            if (d > 0 && d < least) {
                least = d;
            }
        }
        int wanted = least;
        return members.stream()
                .filter(m -> distance(configuration, m, wanted) == wanted)
                .toList();
    }

    /// Number of knobs in which they differ; counting stops beyond `limit`.
    private int distance(Configuration a, Configuration b, int limit) {
        int different = 0;
        for (int i = 0; i < knobs.size() && different <= limit; i++) {
            if (a.level(i) != b.level(i)) {
                different++;
            }
        }
        return different;
    }
}

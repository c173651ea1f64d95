package knobscape.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Every combination of its knobs' values, without constraints. Ranks are lexicographic; the first knob counts
/// most.
///
/// @param knobs the knobs; none at all gives a space with one, empty, configuration
public record CartesianSpace(KnobSet knobs) implements DesignSpace {
    public CartesianSpace {
        Objects.requireNonNull(knobs, "knobs");
    }

    @Override
    public BigInteger size() {
        return knobs.fullSize();
    }

    @Override
    public Configuration at(BigInteger rank) {
        if (rank.signum() < 0 || rank.compareTo(size()) >= 0) {
            throw new IndexOutOfBoundsException("rank " + rank + " is outside 0 .. " + size() + " - 1");
        }
        int[] levels = new int[knobs.size()];
        BigInteger rest = rank;
        for (int i = levels.length - 1; i >= 0; i--) {
            BigInteger[] split = rest.divideAndRemainder(
                    BigInteger.valueOf(knobs.get(i).domain().size()));
            levels[i] = split[1].intValue();
            rest = split[0];
        }
        return Configuration.of(knobs, levels);
    }

    @Override
    public boolean contains(Configuration configuration) {
        return configuration.knobs().equals(knobs);
    }

    @Override
    public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
        return Configuration.of(
                knobs,
                IntStream.range(0, knobs.size())
                        .map(k -> pick(allowed.get(k), uniform[k]))
                        .toArray());
    }

    private static int pick(BitSet allowed, double uniform) {
        return allowed.stream()
                .skip((long) (uniform * allowed.cardinality()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no member has only the allowed levels"));
    }

    @Override
    public Stream<Configuration> enumerate() {
        return Enumerations.of(knobs, new int[knobs.size()], this::advance);
    }

    private boolean advance(int[] levels) {
        for (int i = levels.length - 1; i >= 0; i--) {
            if (++levels[i] < knobs.get(i).domain().size()) {
                return true;
            }
            levels[i] = 0;
        }
        return false;
    }

    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        var near = new ArrayList<Configuration>();
        for (int i = 0; i < knobs.size(); i++) {
            for (int level = 0; level < knobs.get(i).domain().size(); level++) {
                if (level != configuration.level(i)) {
                    near.add(configuration.with(i, level));
                }
            }
        }
        return near;
    }
}

package knobscape.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Spaces over different knobs that do not constrain each other. A member is any member of each; sizes
/// multiply, and diagrams stay small. Ranks are lexicographic over the parts, the first part counting most.
public final class ProductSpace implements DesignSpace {
    private final KnobSet knobs;
    private final List<DesignSpace> parts;
    /// Position in `knobs` of every knob of every part.
    private final int[][] positions;
    private final int[] partOf;
    private final int[] placeInPart;
    private final BigInteger size;
    private final boolean byPart;

    /// A product with knobs in an order of its own. Throws `IllegalArgumentException` unless every knob belongs
    /// to exactly one part.
    public ProductSpace(KnobSet knobs, List<? extends DesignSpace> parts) {
        this(knobs, parts, false);
    }

    /// The same of parts whose draws are not even: each is drawn as it draws by itself.
    public static ProductSpace drawnByPart(KnobSet knobs, List<? extends DesignSpace> parts) {
        return new ProductSpace(knobs, parts, true);
    }

    private ProductSpace(KnobSet knobs, List<? extends DesignSpace> parts, boolean byPart) {
        this.knobs = knobs;
        this.byPart = byPart;
        this.parts = List.copyOf(parts);
        positions = new int[parts.size()][];
        partOf = new int[knobs.size()];
        placeInPart = new int[knobs.size()];
        var seen = new BitSet();
        for (int p = 0; p < positions.length; p++) {
            KnobSet own = parts.get(p).knobs();
            positions[p] = new int[own.size()];
            for (int i = 0; i < own.size(); i++) {
                String name = own.get(i).name();
                int at = knobs.indexOf(name).orElse(-1);
                if (at < 0 || !knobs.get(at).equals(own.get(i)) || seen.get(at)) {
                    throw new IllegalArgumentException(
                            "knob '" + name + "' of a part is missing in the product, differs, or occurs twice");
                }
                seen.set(at);
                positions[p][i] = at;
                partOf[at] = p;
                placeInPart[at] = i;
            }
        }
        if (seen.cardinality() != knobs.size()) {
            throw new IllegalArgumentException(
                    "knob '" + knobs.get(seen.nextClearBit(0)).name() + "' belongs to no part");
        }
        size = parts.stream().map(DesignSpace::size).reduce(BigInteger.ONE, BigInteger::multiply);
    }

    @Override
    public KnobSet knobs() {
        return knobs;
    }

    @Override
    public BigInteger size() {
        return size;
    }

    @Override
    public Configuration at(BigInteger rank) {
        if (rank.signum() < 0 || rank.compareTo(size) >= 0) {
            throw new IndexOutOfBoundsException("rank " + rank + " is outside 0 .. " + size + " - 1");
        }
        int[] levels = new int[knobs.size()];
        if (size.bitLength() < Long.SIZE) {
            long rest = rank.longValue();
            for (int p = positions.length - 1; p >= 0; p--) {
                long own = parts.get(p).size().longValue();
                put(p, parts.get(p).at(BigInteger.valueOf(rest % own)), levels);
                rest /= own;
            }
            return Configuration.of(knobs, levels);
        }
        BigInteger rest = rank;
        for (int p = positions.length - 1; p >= 0; p--) {
            BigInteger[] split = rest.divideAndRemainder(parts.get(p).size());
            put(p, parts.get(p).at(split[1]), levels);
            rest = split[0];
        }
        return Configuration.of(knobs, levels);
    }

    @Override
    public Configuration draw(RandomGenerator random) {
        if (!byPart) {
            return DesignSpace.super.draw(random);
        }
        int[] levels = new int[knobs.size()];
        for (int p = 0; p < positions.length; p++) {
            put(p, parts.get(p).draw(random), levels);
        }
        return Configuration.of(knobs, levels);
    }

    @Override
    public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
        int[] levels = new int[knobs.size()];
        for (int p = 0; p < positions.length; p++) {
            double[] own =
                    Arrays.stream(positions[p]).mapToDouble(k -> uniform[k]).toArray();
            put(p, parts.get(p).drawWithin(own(p, allowed), own), levels);
        }
        return Configuration.of(knobs, levels);
    }

    private List<BitSet> own(int part, List<BitSet> allowed) {
        return Arrays.stream(positions[part]).mapToObj(allowed::get).toList();
    }

    private void put(int part, Configuration member, int[] levels) {
        for (int i = 0; i < positions[part].length; i++) {
            levels[positions[part][i]] = member.level(i);
        }
    }

    private Configuration part(int part, Configuration whole) {
        int[] levels = new int[positions[part].length];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = whole.level(positions[part][i]);
        }
        return Configuration.of(parts.get(part).knobs(), levels);
    }

    @Override
    public boolean contains(Configuration configuration) {
        if (!configuration.knobs().equals(knobs)) {
            return false;
        }
        for (int p = 0; p < positions.length; p++) {
            if (!parts.get(p).contains(part(p, configuration))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public BitSet possibleLevels(int knob) {
        return parts.get(partOf[knob]).possibleLevels(placeInPart[knob]);
    }

    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        var near = new ArrayList<Configuration>();
        for (int p = 0; p < positions.length; p++) {
            for (Configuration moved : parts.get(p).neighbours(part(p, configuration))) {
                int[] levels = configuration.levels();
                put(p, moved, levels);
                near.add(Configuration.of(knobs, levels));
            }
        }
        return near;
    }

    @Override
    public Stream<Configuration> enumerate() {
        return Enumerations.stream(new Odometer());
    }

    /// Runs the parts' enumerations like the wheels of an odometer; a wheel that is through starts again.
    private final class Odometer implements Iterator<Configuration> {
        private final List<Iterator<Configuration>> wheels = new ArrayList<>();
        private final int[] levels = new int[knobs.size()];
        private boolean more = true;

        private Odometer() {
            for (int p = 0; p < positions.length; p++) {
                wheels.add(parts.get(p).enumerate().iterator());
                put(p, wheels.get(p).next(), levels);
            }
        }

        @Override
        public boolean hasNext() {
            return more;
        }

        @Override
        public Configuration next() {
            if (!more) {
                throw new NoSuchElementException();
            }
            var current = Configuration.of(knobs, levels);
            int p = positions.length - 1;
            while (p >= 0 && !wheels.get(p).hasNext()) {
                wheels.set(p, parts.get(p).enumerate().iterator());
                put(p, wheels.get(p).next(), levels);
                p--;
            }
            more = p >= 0;
            if (more) {
                put(p, wheels.get(p).next(), levels);
            }
            return current;
        }
    }
}

package knobscape.gpu.space.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.KnobSet;
import knobscape.space.Sha256;

/// The knobs of a template or of the sketches of some work. Of a template every combination is a member, and
/// the rank of a configuration is AutoTVM's index: mixed radix, the first knob varying fastest.
///
/// Where there are alternatives (several sketches), the first knob chooses one and each has some of the other
/// knobs; those it does not have are at level 0. Alternatives follow one another in rank, each ranked as above.
///
/// Configurations that a device cannot run are members too, as in the papers: what is valid depends on the
/// device, see [knobscape.gpu.space.nest.DeviceLimitCheck].
public final class ScheduleSpace implements DesignSpace {
    private final List<ScheduleKnob> scheduleKnobs;
    private final KnobSet knobs;
    /// For each alternative the knobs it has, the choice itself left out.
    private final List<BitSet> active;
    /// For each alternative and knob what a level of the knob counts in the rank; 0 where it has no such knob.
    private final long[][] weight;
    /// First rank of each alternative, and the size.
    private final long[] start;

    /// The space over some knobs; throws `ArithmeticException` where it has 2^63 members or more.
    public ScheduleSpace(List<ScheduleKnob> scheduleKnobs) {
        this(scheduleKnobs, List.of(all(scheduleKnobs.size())));
    }

    /// The space of alternatives; throws `ArithmeticException` where it has 2^63 members or more.
    ///
    /// @param scheduleKnobs where there is more than one alternative, the first one chooses
    /// @param active for each alternative the positions of its knobs, the choice left out
    public ScheduleSpace(List<ScheduleKnob> scheduleKnobs, List<BitSet> active) {
        this.scheduleKnobs = List.copyOf(scheduleKnobs);
        this.active = active.stream().map(b -> (BitSet) b.clone()).toList();
        knobs = new KnobSet(scheduleKnobs.stream().map(ScheduleKnob::knob).toList());
        if (active.size() > 1 && (active.size() != size(0) || active.stream().anyMatch(b -> b.get(0)))) {
            throw new IllegalArgumentException("the first knob must choose among the alternatives");
        }
        weight = new long[active.size()][knobs.size()];
        start = new long[active.size() + 1];
        for (int a = 0; a < weight.length; a++) {
            long product = 1;
            for (int k = active.get(a).nextSetBit(0); k >= 0; k = active.get(a).nextSetBit(k + 1)) {
                weight[a][k] = product;
                product = Math.multiplyExact(product, size(k));
            }
            start[a + 1] = Math.addExact(start[a], product);
        }
    }

    private static BitSet all(int count) {
        var bits = new BitSet();
        bits.set(0, count);
        return bits;
    }

    private int size(int knob) {
        return knobs.get(knob).domain().size();
    }

    /// The knobs with their factors and values.
    public List<ScheduleKnob> scheduleKnobs() {
        return scheduleKnobs;
    }

    @Override
    public KnobSet knobs() {
        return knobs;
    }

    @Override
    public BigInteger size() {
        return BigInteger.valueOf(count());
    }

    /// The size as a number.
    public long count() {
        return start[start.length - 1];
    }

    /// The fingerprint of the space's knobs: a digest of the names and values of each alternative's knobs, in
    /// order.
    public String fingerprint() {
        var text = new StringBuilder();
        for (BitSet own : active) {
            own.stream()
                    .mapToObj(scheduleKnobs::get)
                    .forEach(k -> text.append(k.name())
                            .append('=')
                            .append(k.knob().domain().labels())
                            .append('\n'));
            text.append('\n');
        }
        return Sha256.of(text.toString());
    }

    /// Number of alternatives; 1 for a template.
    public int alternatives() {
        return active.size();
    }

    /// Which alternative a configuration is of.
    public int alternative(Configuration configuration) {
        return active.size() == 1 ? 0 : configuration.level(0);
    }

    /// True if the alternative of a configuration has the knob at a position; the choice itself is no such
    /// knob.
    public boolean isActive(Configuration configuration, int knob) {
        return active.get(alternative(configuration)).get(knob);
    }

    @Override
    public Configuration at(BigInteger rank) {
        if (rank.signum() < 0 || rank.compareTo(size()) >= 0) {
            throw new IndexOutOfBoundsException("index " + rank + " is outside 0 .. " + (count() - 1));
        }
        return at(rank.longValueExact());
    }

    /// The configuration of AutoTVM's index `index`; throws `IndexOutOfBoundsException` outside `0 ..
    /// count()-1`.
    public Configuration at(long index) {
        if (index < 0 || index >= count()) {
            throw new IndexOutOfBoundsException("index " + index + " is outside 0 .. " + (count() - 1));
        }
        int a = 0;
        while (index >= start[a + 1]) {
            a++;
        }
        int[] levels = levels(a);
        for (int i = 0; i < levels.length; i++) {
            if (weight[a][i] > 0) {
                levels[i] = (int) ((index - start[a]) / weight[a][i] % size(i));
            }
        }
        return Configuration.of(knobs, levels);
    }

    private int[] levels(int alternative) {
        int[] levels = new int[knobs.size()];
        if (active.size() > 1) {
            levels[0] = alternative;
        }
        return levels;
    }

    /// A member of one alternative, every one of them equally likely.
    public Configuration draw(int alternative, RandomGenerator random) {
        int[] levels = levels(alternative);
        for (int i = 0; i < levels.length; i++) {
            if (weight[alternative][i] > 0) {
                levels[i] = random.nextInt(size(i));
            }
        }
        return Configuration.of(knobs, levels);
    }

    @Override
    public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
        double rest = uniform[0]
                * alternatives(allowed).mapToDouble(ScheduleSpace::combinations).sum();
        for (List<BitSet> own : alternatives(allowed).toList()) {
            rest -= combinations(own);
            if (rest < 0) {
                return new CartesianSpace(knobs).drawWithin(own, uniform);
            }
        }
        throw new IllegalArgumentException("no member has only the allowed levels");
    }

    private static double combinations(List<BitSet> allowed) {
        return allowed.stream().mapToDouble(BitSet::cardinality).reduce(1, (a, b) -> a * b);
    }

    /// The allowed levels of each alternative, the knobs that it does not have at level 0.
    private Stream<List<BitSet>> alternatives(List<BitSet> allowed) {
        return IntStream.range(0, active.size())
                .mapToObj(a -> IntStream.range(0, knobs.size())
                        .mapToObj(k -> active.get(a).get(k)
                                ? allowed.get(k)
                                : only(allowed.get(k), active.size() > 1 && k == 0 ? a : 0))
                        .toList());
    }

    private static BitSet only(BitSet allowed, int level) {
        var one = new BitSet();
        one.set(level, allowed.get(level));
        return one;
    }

    /// AutoTVM's index of a member.
    public long indexOf(Configuration configuration) {
        if (!contains(configuration)) {
            throw new IllegalArgumentException("the configuration is of another space");
        }
        int a = alternative(configuration);
        long index = start[a];
        for (int i = 0; i < knobs.size(); i++) {
            index += weight[a][i] * configuration.level(i);
        }
        return index;
    }

    @Override
    public boolean contains(Configuration configuration) {
        return (configuration.knobs() == knobs || configuration.knobs().equals(knobs))
                && (active.size() == 1
                        || IntStream.range(1, knobs.size())
                                .allMatch(i -> configuration.level(i) == 0 || isActive(configuration, i)));
    }

    @Override
    public Stream<Configuration> enumerate() {
        return LongStream.range(0, count()).mapToObj(this::at);
    }

    /// Members that differ in one knob by any value; with another alternative, those whose knobs of their own
    /// are all at level 0.
    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        var near = new ArrayList<Configuration>();
        for (int i = 0; i < knobs.size(); i++) {
            for (int level = 0; level < size(i); level++) {
                if (level != configuration.level(i)) {
                    Configuration other = configuration.with(i, level);
                    if (active.size() > 1 && i == 0) {
                        int[] levels = other.levels();
                        for (int k = 1; k < levels.length; k++) {
                            levels[k] = active.get(level).get(k) ? levels[k] : 0;
                        }
                        other = Configuration.of(knobs, levels);
                    }
                    if (contains(other)) {
                        near.add(other);
                    }
                }
            }
        }
        return near;
    }

    /// The factors chosen for the split called `name`, outermost first.
    public long[] factors(Configuration configuration, String name) {
        int i = position(name);
        if (scheduleKnobs.get(i) instanceof ScheduleKnob.Split s) {
            return s.factors(configuration.level(i));
        }
        throw new IllegalArgumentException("knob '" + name + "' is not a split");
    }

    /// The value chosen for the option called `name`.
    public int option(Configuration configuration, String name) {
        int i = position(name);
        if (scheduleKnobs.get(i) instanceof ScheduleKnob.Option o) {
            return o.value(configuration.level(i));
        }
        throw new IllegalArgumentException("knob '" + name + "' is not an option");
    }

    private int position(String name) {
        return knobs.indexOf(name).orElseThrow(() -> new IllegalArgumentException("no knob is named '" + name + "'"));
    }
}

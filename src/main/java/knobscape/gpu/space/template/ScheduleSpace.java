package knobscape.gpu.space.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.KnobSet;

/// Every combination of a template's knobs. The rank of a configuration is AutoTVM's index: mixed radix, the
/// first knob varying fastest.
///
/// Configurations that a device cannot run are members too, as in the papers: what is valid depends on the
/// device, see [knobscape.gpu.space.nest.Validity].
public final class ScheduleSpace implements DesignSpace {
    private final List<ScheduleKnob> scheduleKnobs;
    private final KnobSet knobs;
    private final long[] weight;
    private final long size;

    /// The space over some knobs; throws `ArithmeticException` where it has 2^63 members or more.
    public ScheduleSpace(List<ScheduleKnob> scheduleKnobs) {
        this.scheduleKnobs = List.copyOf(scheduleKnobs);
        knobs = new KnobSet(scheduleKnobs.stream().map(ScheduleKnob::knob).toList());
        weight = new long[knobs.size()];
        long product = 1;
        for (int i = 0; i < weight.length; i++) {
            weight[i] = product;
            product = Math.multiplyExact(product, knobs.get(i).domain().size());
        }
        size = product;
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
        return BigInteger.valueOf(size);
    }

    /// The size as a number.
    public long count() {
        return size;
    }

    @Override
    public Configuration at(BigInteger rank) {
        if (rank.signum() < 0 || rank.compareTo(size()) >= 0) {
            throw new IndexOutOfBoundsException("index " + rank + " is outside 0 .. " + (size - 1));
        }
        return at(rank.longValueExact());
    }

    /// The configuration of AutoTVM's index `index`; throws `IndexOutOfBoundsException` outside `0 ..
    /// count()-1`.
    public Configuration at(long index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " is outside 0 .. " + (size - 1));
        }
        int[] levels = new int[weight.length];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = (int) (index / weight[i] % knobs.get(i).domain().size());
        }
        return Configuration.of(knobs, levels);
    }

    /// AutoTVM's index of a member.
    public long indexOf(Configuration configuration) {
        if (!contains(configuration)) {
            throw new IllegalArgumentException("the configuration is of another space");
        }
        long index = 0;
        for (int i = 0; i < weight.length; i++) {
            index += weight[i] * configuration.level(i);
        }
        return index;
    }

    @Override
    public boolean contains(Configuration configuration) {
        return configuration.knobs() == knobs || configuration.knobs().equals(knobs);
    }

    @Override
    public Stream<Configuration> enumerate() {
        return LongStream.range(0, size).mapToObj(this::at);
    }

    /// Members that differ in one knob by any value.
    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        var near = new ArrayList<Configuration>();
        for (int i = 0; i < weight.length; i++) {
            for (int level = 0; level < knobs.get(i).domain().size(); level++) {
                if (level != configuration.level(i)) {
                    near.add(configuration.with(i, level));
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

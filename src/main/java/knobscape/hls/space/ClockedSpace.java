package knobscape.hls.space;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// A space with one more knob: the clock period that a design is built for, which trades cycles for a faster clock.
public final class ClockedSpace implements DirectiveSpace {
    private final DirectiveSpace own;
    private final Domain.Numbers clocks;
    private final int usual;
    private final KnobSet knobs;
    private final Encoder encoder;
    private final DesignSpace space = new Product();

    /// @param periods ns
    /// @param usualNs the period that the baseline is nearest to
    public ClockedSpace(DirectiveSpace own, List<Double> periods, double usualNs) {
        this.own = own;
        clocks = new Domain.Numbers(List.copyOf(new TreeSet<>(periods)), false);
        usual = IntStream.range(0, clocks.size())
                .boxed()
                .min(java.util.Comparator.comparingDouble(
                        i -> Math.abs(clocks.values().get(i) - usualNs)))
                .orElseThrow();
        knobs = new KnobSet(Stream.concat(
                        own.space().knobs().list().stream(),
                        Stream.of(new Knob(KnobNames.clock(own.kernel().top()), clocks)))
                .toList());
        encoder = new FeatureEncoder(knobs);
    }

    private int last() {
        return knobs.size() - 1;
    }

    private Configuration with(Configuration design, int clock) {
        int[] levels = new int[knobs.size()];
        for (int i = 0; i < last(); i++) {
            levels[i] = design.level(i);
        }
        levels[last()] = clock;
        return Configuration.of(knobs, levels);
    }

    private Configuration without(Configuration c) {
        return Configuration.of(
                own.space().knobs(), IntStream.range(0, last()).map(c::level).toArray());
    }

    @Override
    public Placed at(Configuration configuration) {
        Placed p = own.at(without(configuration));
        return new Placed(
                p.space(), p.configuration(), OptionalDouble.of(clocks.values().get(configuration.level(last()))));
    }

    @Override
    public Kernel kernel() {
        return own.kernel();
    }

    @Override
    public DesignSpace space() {
        return space;
    }

    @Override
    public Encoder encoder() {
        return encoder;
    }

    @Override
    public List<Directive> directives(Configuration configuration) {
        return own.directives(without(configuration));
    }

    @Override
    public Configuration baseline() {
        return with(own.baseline(), usual);
    }

    @Override
    public Configuration stated(List<Pragma> stated, boolean complete) {
        return with(own.stated(stated, complete), usual);
    }

    @Override
    public int disliked(Configuration configuration) {
        return own.disliked(without(configuration));
    }

    @Override
    public List<PruningStep> pruning() {
        return own.pruning();
    }

    /// Every design with every clock.
    private final class Product implements DesignSpace {
        private DesignSpace designs() {
            return own.space();
        }

        private BigInteger count() {
            return BigInteger.valueOf(clocks.size());
        }

        @Override
        public KnobSet knobs() {
            return knobs;
        }

        @Override
        public BigInteger size() {
            return designs().size().multiply(count());
        }

        @Override
        public BigInteger fullSize() {
            return designs().fullSize().multiply(count());
        }

        @Override
        public Configuration at(BigInteger rank) {
            BigInteger[] parts = rank.divideAndRemainder(count());
            if (rank.signum() < 0) {
                throw new IndexOutOfBoundsException("rank " + rank + " is outside 0 .. " + size() + " - 1");
            }
            return with(designs().at(parts[0]), parts[1].intValue());
        }

        @Override
        public boolean contains(Configuration configuration) {
            return designs().contains(without(configuration));
        }

        @Override
        public Configuration draw(RandomGenerator random) {
            return with(designs().draw(random), random.nextInt(clocks.size()));
        }

        @Override
        public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
            int[] open = allowed.getLast().stream().toArray();
            if (open.length == 0) {
                throw new IllegalArgumentException("no member has only the allowed levels");
            }
            return with(
                    designs().drawWithin(allowed.subList(0, last()), Arrays.copyOf(uniform, last())),
                    open[(int) (uniform[last()] * open.length)]);
        }

        @Override
        public BitSet possibleLevels(int knob) {
            return knob == last()
                    ? DesignSpace.super.possibleLevels(knob)
                    : designs().possibleLevels(knob);
        }

        @Override
        public Stream<Configuration> enumerate() {
            return designs()
                    .enumerate()
                    .flatMap(c -> IntStream.range(0, clocks.size()).mapToObj(i -> with(c, i)));
        }

        @Override
        public List<Configuration> neighbours(Configuration configuration) {
            int clock = configuration.level(last());
            return Stream.concat(
                            IntStream.range(0, clocks.size())
                                    .filter(i -> i != clock)
                                    .mapToObj(i -> configuration.with(last(), i)),
                            designs().neighbours(without(configuration)).stream()
                                    .map(c -> with(c, clock)))
                    .toList();
        }
    }
}

package knobscape.explore;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// A full grid of factor knobs without constraints, for tests.
public record GridSpace(KnobSet knobs) implements DesignSpace {

    /// A grid with the given number of levels per knob.
    public static GridSpace of(int... sizes) {
        return new GridSpace(new KnobSet(IntStream.range(0, sizes.length)
                .mapToObj(i -> new Knob(
                        "k" + i,
                        new Domain.Factors(
                                IntStream.rangeClosed(1, sizes[i]).boxed().toList())))
                .toList()));
    }

    @Override
    public BigInteger size() {
        return knobs.fullSize();
    }

    @Override
    public Configuration at(BigInteger rank) {
        int[] levels = new int[knobs.size()];
        BigInteger rest = rank;
        for (int i = levels.length - 1; i >= 0; i--) {
            BigInteger[] qr = rest.divideAndRemainder(
                    BigInteger.valueOf(knobs.get(i).domain().size()));
            levels[i] = qr[1].intValue();
            rest = qr[0];
        }
        if (rest.signum() != 0) {
            throw new IndexOutOfBoundsException("rank " + rank);
        }
        return Configuration.of(knobs, levels);
    }

    @Override
    public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
        return new CartesianSpace(knobs).drawWithin(allowed, uniform);
    }

    @Override
    public boolean contains(Configuration configuration) {
        return configuration.knobs().equals(knobs);
    }

    @Override
    public Stream<Configuration> enumerate() {
        return Stream.iterate(BigInteger.ZERO, r -> r.compareTo(size()) < 0, r -> r.add(BigInteger.ONE))
                .map(this::at);
    }

    @Override
    public List<Configuration> neighbours(Configuration configuration) {
        List<Configuration> all = new ArrayList<>();
        for (int i = 0; i < knobs.size(); i++) {
            for (int l = 0; l < knobs.get(i).domain().size(); l++) {
                if (l != configuration.level(i)) {
                    all.add(configuration.with(i, l));
                }
            }
        }
        return all;
    }

    /// Levels scaled to [0,1].
    public Encoder encoder() {
        return new Encoder() {
            @Override
            public int length() {
                return knobs.size();
            }

            @Override
            public double[] encode(Configuration configuration) {
                double[] x = new double[knobs.size()];
                for (int i = 0; i < x.length; i++) {
                    x[i] = configuration.level(i)
                            / (double) Math.max(1, knobs.get(i).domain().size() - 1);
                }
                return x;
            }
        };
    }
}

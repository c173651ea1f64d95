package knobscape.hls.space;

import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.space.ProductSpace;

/// A space with one more knob: the clock period that a design is built for, which trades cycles for a faster clock.
public final class ClockedSpace implements DirectiveSpace {
    private final DirectiveSpace own;
    private final Domain.Numbers clocks;
    private final int usual;
    private final KnobSet knobs;
    private final Encoder encoder;
    private final DesignSpace space;

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
        var clock = new KnobSet(List.of(new Knob(KnobNames.clock(own.kernel().top()), clocks)));
        knobs = new KnobSet(Stream.concat(own.space().knobs().list().stream(), clock.list().stream())
                .toList());
        encoder = new FeatureEncoder(knobs);
        space = ProductSpace.drawnByPart(knobs, List.of(own.space(), new CartesianSpace(clock)));
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
}

package knobscape.hls.space;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.KnobSet;

/// A space in which what the rules of pruning dislike is kept: all configurations without contradictions are members,
/// half of the draws come from those that pruning would keep, and [#disliked(Configuration)] tells how many groups of
/// knobs it would not.
final class SoftDirectiveSpace implements DirectiveSpace {
    private final PrunedDirectiveSpace whole;
    private final PrunedDirectiveSpace kept;
    private final DesignSpace space;

    /// @param whole without the rules; its knobs are those of `kept`
    /// @param kept with them
    SoftDirectiveSpace(PrunedDirectiveSpace whole, PrunedDirectiveSpace kept) {
        this.whole = whole;
        this.kept = kept;
        this.space = new Mixed(whole.space(), kept.space());
    }

    @Override
    public Kernel kernel() {
        return whole.kernel();
    }

    @Override
    public DesignSpace space() {
        return space;
    }

    @Override
    public Encoder encoder() {
        return whole.encoder();
    }

    @Override
    public List<Directive> directives(Configuration configuration) {
        return whole.directives(configuration);
    }

    @Override
    public Configuration baseline() {
        return whole.baseline();
    }

    @Override
    public Configuration stated(List<Pragma> stated, boolean complete) {
        return whole.stated(stated, complete);
    }

    @Override
    public int disliked(Configuration configuration) {
        return kept.groupsWithout(configuration);
    }

    @Override
    public List<PruningStep> pruning() {
        var steps = new ArrayList<PruningStep>();
        steps.add(new PruningStep(
                "soft pruning: what the rules below dislike is kept, half of the draws are of what they like",
                List.of(),
                whole.space().size(),
                kept.space().size()));
        steps.addAll(kept.pruning());
        return List.copyOf(steps);
    }

    /// Everything of `whole`, drawn from `liked` every other time.
    private record Mixed(DesignSpace whole, DesignSpace liked) implements DesignSpace {
        @Override
        public KnobSet knobs() {
            return whole.knobs();
        }

        @Override
        public BigInteger size() {
            return whole.size();
        }

        @Override
        public Configuration at(BigInteger rank) {
            return whole.at(rank);
        }

        @Override
        public boolean contains(Configuration configuration) {
            return whole.contains(configuration);
        }

        @Override
        public Configuration draw(RandomGenerator random) {
            return (random.nextBoolean() ? liked : whole).draw(random);
        }

        @Override
        public Configuration drawWithin(List<BitSet> allowed, double[] uniform) {
            return whole.drawWithin(allowed, uniform);
        }

        @Override
        public BitSet possibleLevels(int knob) {
            return whole.possibleLevels(knob);
        }

        @Override
        public Stream<Configuration> enumerate() {
            return whole.enumerate();
        }

        @Override
        public List<Configuration> neighbours(Configuration configuration) {
            return whole.neighbours(configuration);
        }
    }
}

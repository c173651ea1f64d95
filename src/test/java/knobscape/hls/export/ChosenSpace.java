package knobscape.hls.export;

import java.util.List;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobNames;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Unrolling and pipelining of one loop, and inlining of one function, as a space: level by level what the test
/// chose.
record ChosenSpace(Kernel kernel, String loop, String function) implements DirectiveSpace {

    @Override
    public DesignSpace space() {
        return new CartesianSpace(new KnobSet(List.of(
                new Knob(KnobNames.pipeline(loop), new Domain.Categories(List.of("off", "on"))),
                new Knob(KnobNames.unroll(loop), new Domain.Factors(List.of(1, 2, 4))),
                new Knob(KnobNames.inline(function), new Domain.Toggle()))));
    }

    @Override
    public Encoder encoder() {
        throw new UnsupportedOperationException("not asked for when exporting");
    }

    @Override
    public List<Directive> directives(Configuration configuration) {
        var chosen = new java.util.ArrayList<Directive>();
        if (configuration.level(0) == 1) {
            chosen.add(new Directive.Pipeline(loop, true, 0));
        }
        if (configuration.level(1) > 0) {
            chosen.add(new Directive.Unroll(loop, Integer.parseInt(configuration.value(1))));
        }
        if (configuration.level(2) == 1) {
            chosen.add(new Directive.Inline(function, true));
        }
        return chosen;
    }

    @Override
    public Configuration baseline() {
        return Configuration.of(space().knobs(), 0, 0, 0);
    }

    @Override
    public List<PruningStep> pruning() {
        return List.of();
    }
}

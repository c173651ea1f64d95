package knobscape.fusion.space;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import knobscape.fusion.source.FusionNetwork;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// The strategies of a network and batch as a design space: one knob an entry, `mb0@input` with the values
/// 1..B, then `mb1@conv1` and so on with -1 (synchronise) before them. Every combination is a member; whether
/// one fits the buffer is for the cost model to say.
public final class StrategySpace {
    private final CartesianSpace space;

    private StrategySpace(CartesianSpace space) {
        this.space = space;
    }

    /// The strategies of a network for `batch` samples.
    public static StrategySpace of(FusionNetwork network, int batch) {
        List<Integer> batches = IntStream.rangeClosed(1, batch).boxed().toList();
        var values = new ArrayList<Integer>(List.of(Strategy.SYNC));
        values.addAll(batches);
        var domain = new Domain.Factors(values);
        var knobs = new ArrayList<Knob>();
        knobs.add(new Knob("mb0@input", new Domain.Factors(batches)));
        for (int i = 1; i <= network.layers(); i++) {
            knobs.add(new Knob(name(network, i), domain));
        }
        return new StrategySpace(new CartesianSpace(new KnobSet(knobs)));
    }

    private static String name(FusionNetwork network, int layer) {
        return "mb" + layer + "@"
                + network.chain().layer(layer).name().replace(';', '_').replace('=', '_');
    }

    /// Knobs and members.
    public CartesianSpace space() {
        return space;
    }

    /// A strategy as a configuration. Throws [IllegalArgumentException] where it is none of this space.
    public Configuration configuration(Strategy s) {
        int[] levels = new int[s.layers() + 1];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = i == 0 ? s.get(0) - 1 : Math.max(0, s.get(i));
        }
        return Configuration.of(space.knobs(), levels);
    }

    /// A configuration of this space, or of one with the same knobs, as a strategy.
    public Strategy strategy(Configuration c) {
        int[] s = c.levels();
        for (int i = 0; i < s.length; i++) {
            s[i] = i == 0 ? s[0] + 1 : s[i] == 0 ? Strategy.SYNC : s[i];
        }
        return Strategy.of(s);
    }
}

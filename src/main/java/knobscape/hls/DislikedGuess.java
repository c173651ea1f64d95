package knobscape.hls;

import java.util.Arrays;
import java.util.Optional;
import knobscape.evaluate.Fidelity;
import knobscape.explore.Guess;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;

/// A [Guess] that expects every objective of a configuration which pruning dislikes to be worse: by
/// [#WORSE] for each group of knobs it dislikes, at most [#MOST] of them.
///
/// @param space soft
/// @param guess what is expected beside that; all configurations alike where there is nothing
/// @param objectives how many
record DislikedGuess(DirectiveSpace space, Optional<Guess> guess, int objectives) implements Guess {
    /// The rise of LUTs times cycles from which [EstimatedKnobCosts] calls a directive in vain.
    static final double WORSE = EstimatedKnobCosts.MUCH;

    private static final int MOST = 3;

    @Override
    public Optional<double[]> at(Configuration configuration, Fidelity fidelity) {
        double factor = Math.pow(WORSE, Math.min(MOST, space.disliked(configuration)));
        return guess.map(g -> g.at(configuration, fidelity))
                .orElseGet(() -> {
                    double[] alike = new double[objectives];
                    Arrays.fill(alike, 1);
                    return Optional.of(alike);
                })
                .map(y -> Arrays.stream(y).map(v -> v * factor).toArray());
    }
}

package knobscape.app.ui.insight;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Random chains of members of a space, from which the Shapley effects of its knobs on any function follow.
///
/// A Shapley effect is the part of the function's variance over the space that is due to a knob: what its being known
/// takes off the variance, averaged over every order in which the knobs could become known. Shared parts are split
/// evenly, so effects are right for knobs that constrain each other, are never negative, and add up to the variance.
///
/// Every chain begins at a member, and in a random order redraws the knobs given those not redrawn yet, so half the
/// mean square of the change is the mean variance that the redrawn knobs leave. (A. Owen, "Sobol' indices and Shapley
/// value", 2014; E. Song, B. Nelson, J. Staum, "Shapley effects for global sensitivity analysis", 2016.)
final class ShapleyEffects {
    private final int knobs;
    /// By chain, the knobs in the order in which they are redrawn.
    private final List<int[]> orders = new ArrayList<>();
    private final List<Configuration> members = new ArrayList<>();

    /// @param varying the knobs that have more than one value
    /// @param chains how many chains; the error falls with the root of their number
    /// @param check throws where nobody waits for it any more; called before each chain
    ShapleyEffects(DesignSpace space, int[] varying, int chains, SplittableRandom random, Runnable check) {
        this.knobs = space.knobs().size();
        List<BitSet> every =
                IntStream.range(0, knobs).mapToObj(space::possibleLevels).toList();
        for (int n = 0; n < chains; n++) {
            check.run();
            Configuration first = space.drawWithin(every, random.doubles(knobs).toArray());
            // The same numbers along a chain: knobs that constrain no other change once.
            double[] uniform = random.doubles(knobs).toArray();
            int[] order = varying.clone();
            for (int i = order.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                int other = order[j];
                order[j] = order[i];
                order[i] = other;
            }
            var allowed = new ArrayList<>(every);
            for (int k : varying) {
                allowed.set(k, BitSet.valueOf(new long[0]));
                allowed.get(k).set(first.level(k));
            }
            orders.add(order);
            members.add(first);
            for (int k : order) {
                allowed.set(k, every.get(k));
                members.add(space.drawWithin(allowed, uniform));
            }
        }
    }

    /// The members to ask the function for, in order.
    List<Configuration> members() {
        return members;
    }

    /// The effect of each knob as a share of the variance, by position; they add up to 1, or are all 0 where the
    /// function is constant. Estimates of small ones may lie a little below 0.
    ///
    /// @param values the function at [#members()]
    double[] shares(double[] values) {
        var effects = new double[knobs];
        double variance = 0;
        int at = 0;
        for (int[] order : orders) {
            double first = values[at];
            double before = 0;
            for (int i = 0; i < order.length; i++) {
                double change = values[at + i + 1] - first;
                double left = change * change / 2;
                effects[order[i]] += left - before;
                before = left;
            }
            variance += before;
            at += order.length + 1;
        }
        for (int k = 0; k < knobs; k++) {
            effects[k] = variance > 0 ? effects[k] / variance : 0;
        }
        return effects;
    }
}

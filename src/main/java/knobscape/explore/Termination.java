package knobscape.explore;

import java.util.List;
import java.util.Optional;

/// When a run has done enough. A value; it looks only at what has happened.
public sealed interface Termination {

    /// One optimisation step in hindsight.
    ///
    /// @param step 1 for the first after the initial designs
    /// @param hypervolume of the top-fidelity front after it
    /// @param reachedTop whether the step ran something at the top fidelity, so that it could have changed the front
    record Step(int step, double hypervolume, boolean reachedTop) { }

    /// Why to stop now, in words, or empty to go on.
    ///
    /// @param initialHypervolume of the front after the initial designs
    /// @param steps every completed optimisation step, in order
    Optional<String> reached(double initialHypervolume, List<Step> steps);

    /// After `count` steps.
    record Steps(int count) implements Termination {
        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            return steps.size() >= count ? Optional.of(count == 1 ? "the step asked for is done" : "all " + count + " steps are done") : Optional.empty();
        }
    }

    /// After `count` consecutive steps without hypervolume gain (thesis Algorithm 2, S_E).
    ///
    /// @param count steps, at least 1
    /// @param counting which steps count
    record WithoutGain(int count, Counting counting) implements Termination {
        /// Gains below this share of the hypervolume are rounding.
        private static final double ROUNDING = 1e-12;

        /// Which steps count towards stopping.
        public enum Counting {
            /// Every step, as Algorithm 2 is written.
            ALL_STEPS,
            /// Only steps that ran something at the top fidelity: others cannot change the front.
            STEPS_AT_THE_TOP
        }

        public WithoutGain {
            if (count < 1) {
                throw new IllegalArgumentException("steps without gain must be at least 1, was " + count);
            }
        }

        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            double best = initialHypervolume;
            int idle = 0;
            for (Step s : steps) {
                if (s.hypervolume() > best * (1 + ROUNDING) || Double.isNaN(best)) {
                    best = s.hypervolume();
                    idle = 0;
                } else if (counting == Counting.ALL_STEPS || s.reachedTop()) {
                    idle++;
                }
            }
            return idle >= count ? Optional.of("no hypervolume gain in " + count + (count == 1 ? " step" : " steps")
                    + (counting == Counting.STEPS_AT_THE_TOP ? " at the highest fidelity" : "")) : Optional.empty();
        }
    }

    /// As soon as one of several is reached.
    record AnyOf(List<Termination> parts) implements Termination {
        public AnyOf {
            parts = List.copyOf(parts);
        }

        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            return parts.stream().map(p -> p.reached(initialHypervolume, steps)).flatMap(Optional::stream).findFirst();
        }
    }

    /// At most `steps`, and early after `earlyStop` steps at the top fidelity without gain where that is above 0. An explorer that buys many cheap looks at a
    /// low fidelity would otherwise be stopped for looking.
    static Termination of(int steps, int earlyStop) {
        Termination limit = new Steps(steps);
        return earlyStop <= 0 ? limit : new AnyOf(List.of(limit, new WithoutGain(earlyStop, WithoutGain.Counting.STEPS_AT_THE_TOP)));
    }
}

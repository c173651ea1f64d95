package knobscape.explore;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// When a search has done enough. A value; it looks only at what has happened.
public sealed interface Termination {
    /// Name among an explorer's diagnostics of what it expects of the next hour of tool time: by how much, on
    /// average over the points of the true front, the nearest design found would come relatively nearer to it.
    /// Behind it, where they are known, its 5 % and 95 % quantiles.
    String PROMISE = "promise";
    /// Name among them of what is expected likewise of the next design run to the highest stage, which does not
    /// depend on how many of them fit into an hour.
    String RUN_PROMISE = "promise.run";
    /// Name among them of the tool time spent so far, in such runs.
    String RUNS_SPENT = "promise.spent";
    /// Expected gain of such a run that is still worth it, where the user says nothing.
    double LEAST_PROMISE = 0.015;

    /// One optimisation step in hindsight.
    ///
    /// @param step 1 for the first after the initial designs
    /// @param hypervolume of the top-fidelity front after it
    /// @param reachedTop whether the step ran something at the top fidelity, so that it could have changed the
    /// front
    /// @param sinceGain designs run at the top fidelity since one last changed the front (with one objective:
    /// was the best)
    /// @param promise what the explorer expected of the next design ([#RUN_PROMISE]), NaN where it does not say
    /// @param spent tool time when it was asked ([#RUNS_SPENT]), likewise
    record Step(int step, double hypervolume, boolean reachedTop, int sinceGain, double promise, double spent) {}

    /// Why to stop now, in words, or empty to continue.
    ///
    /// @param initialHypervolume of the front after the initial designs
    /// @param steps every completed optimisation step, in the order they were completed
    Optional<String> reached(double initialHypervolume, List<Step> steps);

    /// Only with the run.
    record Never() implements Termination {
        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            return Optional.empty();
        }
    }

    /// After `count` designs at the top fidelity without one that changed the front.
    record WithoutNewBest(int count) implements Termination {
        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            return !steps.isEmpty() && steps.getLast().sinceGain() >= count
                    ? Optional.of("no better design in " + count + " evaluations")
                    : Optional.empty();
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
            return idle >= count
                    ? Optional.of("no hypervolume gain in " + count + (count == 1 ? " step" : " steps")
                            + (counting == Counting.STEPS_AT_THE_TOP ? " at the highest fidelity" : ""))
                    : Optional.empty();
        }
    }

    /// Where the explorer itself expects too little of the next design; never of an explorer that does not say.
    /// Nor after few designs: models that have seen
    /// little are surest where they are wrong.
    ///
    /// @param least smallest expected gain of a design ([#RUN_PROMISE]) that is worth it
    record WithoutPromise(double least) implements Termination {
        /// Steps in a row that have to promise too little: a single one may be an accident of its draws.
        public static final int IN_A_ROW = 3;
        /// Tool time, in runs to the highest stage, before which a search is not ended.
        public static final int LEAST_RUNS = 30;

        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            return steps.size() >= IN_A_ROW
                            && steps.getLast().spent() >= LEAST_RUNS
                            && steps.subList(steps.size() - IN_A_ROW, steps.size()).stream()
                                    .allMatch(s -> s.promise() < least)
                    ? Optional.of(String.format(
                            Locale.ROOT,
                            "another design is expected to bring the front nearer by less than %.2g %%",
                            100 * least))
                    : Optional.empty();
        }
    }

    /// The first of several reasons.
    record AnyOf(List<Termination> all) implements Termination {
        @Override
        public Optional<String> reached(double initialHypervolume, List<Step> steps) {
            return all.stream()
                    .flatMap(t -> t.reached(initialHypervolume, steps).stream())
                    .findFirst();
        }
    }

    /// Early after `earlyStop` steps at the top fidelity without gain, and where the explorer expects less than
    /// `least` of the next design; each only where it is above 0.
    static Termination of(int earlyStop, double least) {
        return least > 0 ? new AnyOf(List.of(of(earlyStop), new WithoutPromise(least))) : of(earlyStop);
    }

    /// Early after `earlyStop` steps at the top fidelity without gain where that is above 0, else never. An
    /// explorer that buys many cheap evaluations at a low fidelity would otherwise be stopped for them.
    static Termination of(int earlyStop) {
        return earlyStop <= 0 ? new Never() : new WithoutGain(earlyStop, WithoutGain.Counting.STEPS_AT_THE_TOP);
    }
}

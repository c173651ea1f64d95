package knobscape.work;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// How to explore.
///
/// @param method name of the search method
/// @param toolchain name of the evaluator (`estimator`, `replay:FILE`)
/// @param seed of everything random
/// @param steps most optimisation steps, each one question to the method, asked when a slot is free; of a
/// population search most evaluations
/// @param initialDesigns designs drawn before the first step
/// @param earlyStop ends the run after this many steps at the highest fidelity without hypervolume gain, 0
/// never
/// @param parallel designs in flight at once; a free slot is filled at once
/// @param objectives names of the metrics explored, the toolchain's own where empty
/// @param waitFactor seconds really waited per second of tool time, for demonstrations; 0 does not wait
/// @param goal bounds that the designs looked for have to keep, as [knobscape.evaluate.Goal] reads them
/// (`lut<20k`); empty for none
/// @param leastGain ends the run where the method expects less of the next hour of tool time
/// ([knobscape.explore.Termination#PROMISE]), 0 never
/// @param hours ends the run once so much tool time is spent, told or simulated, 0 for no limit
public record RunSettings(
        String method,
        String toolchain,
        long seed,
        int steps,
        int initialDesigns,
        int earlyStop,
        int parallel,
        List<String> objectives,
        double waitFactor,
        String goal,
        double leastGain,
        double hours) {
    public RunSettings {
        // Runs of earlier versions have no goal.
        goal = Objects.requireNonNullElse(goal, "");
        objectives = List.copyOf(objectives);
        require(steps >= 0, "steps", steps);
        require(initialDesigns >= 1, "initial designs", initialDesigns);
        require(earlyStop >= 0, "early stop", earlyStop);
        require(parallel >= 1, "parallel", parallel);
        require(waitFactor >= 0 && Double.isFinite(waitFactor), "simulated tool delay", waitFactor);
        require(leastGain >= 0 && leastGain < 1, "least gain of an hour", leastGain);
        require(hours >= 0 && Double.isFinite(hours), "tool hours", hours);
    }

    /// Without a goal, and without an end by what is expected or spent.
    public RunSettings(
            String method,
            String toolchain,
            long seed,
            int steps,
            int initialDesigns,
            int earlyStop,
            int parallel,
            List<String> objectives,
            double waitFactor) {
        this(method, toolchain, seed, steps, initialDesigns, earlyStop, parallel, objectives, waitFactor, "", 0, 0);
    }

    private static void require(boolean holds, String name, Number value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " cannot be " + value);
        }
    }

    /// A method on an evaluator with seed 1, one design in flight and the evaluator's own objectives.
    public static RunSettings of(String method, String toolchain, int steps, int initialDesigns, int earlyStop) {
        return new RunSettings(method, toolchain, 1, steps, initialDesigns, earlyStop, 1, List.of(), 0);
    }

    /// The same with another method.
    public RunSettings withMethod(String name) {
        return with(c -> c.method = name);
    }

    /// The same with another toolchain.
    public RunSettings withToolchain(String name) {
        return with(c -> c.toolchain = name);
    }

    /// The same with another seed.
    public RunSettings withSeed(long value) {
        return with(c -> c.seed = value);
    }

    /// The same with other limits.
    public RunSettings withBudget(int maxSteps, int initial, int stopAfter) {
        return with(c -> {
            c.steps = maxSteps;
            c.initialDesigns = initial;
            c.earlyStop = stopAfter;
        });
    }

    /// The same with another number of designs in flight.
    public RunSettings withParallel(int inFlight) {
        return with(c -> c.parallel = inFlight);
    }

    /// The same with other objectives.
    public RunSettings withObjectives(List<String> names) {
        return with(c -> c.objectives = names);
    }

    /// The same with another share of tool time really waited.
    public RunSettings withWaitFactor(double factor) {
        return with(c -> c.waitFactor = factor);
    }

    /// The same with a goal.
    public RunSettings withGoal(String text) {
        return with(c -> c.goal = text);
    }

    /// The same with another least gain of an hour.
    public RunSettings withLeastGain(double least) {
        return with(c -> c.leastGain = least);
    }

    /// The same with another limit of tool time.
    public RunSettings withHours(double most) {
        return with(c -> c.hours = most);
    }

    /// Tool time that the run may take, in seconds; positive infinity where it is not limited.
    public double toolSeconds() {
        return hours > 0 ? hours * 3600 : Double.POSITIVE_INFINITY;
    }

    private RunSettings with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /// Settings that are being changed.
    private static final class Draft {
        private String method;
        private String toolchain;
        private long seed;
        private int steps;
        private int initialDesigns;
        private int earlyStop;
        private int parallel;
        private List<String> objectives;
        private double waitFactor;
        private String goal;
        private double leastGain;
        private double hours;

        Draft(RunSettings from) {
            this.method = from.method;
            this.toolchain = from.toolchain;
            this.seed = from.seed;
            this.steps = from.steps;
            this.initialDesigns = from.initialDesigns;
            this.earlyStop = from.earlyStop;
            this.parallel = from.parallel;
            this.objectives = from.objectives;
            this.waitFactor = from.waitFactor;
            this.goal = from.goal;
            this.leastGain = from.leastGain;
            this.hours = from.hours;
        }

        RunSettings settings() {
            return new RunSettings(
                    method,
                    toolchain,
                    seed,
                    steps,
                    initialDesigns,
                    earlyStop,
                    parallel,
                    objectives,
                    waitFactor,
                    goal,
                    leastGain,
                    hours);
        }
    }
}

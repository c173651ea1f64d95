package knobscape.work;

import java.util.List;
import java.util.Objects;

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
        double leastGain) {
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
    }

    /// Without a goal, and without an end by what is expected.
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
        this(method, toolchain, seed, steps, initialDesigns, earlyStop, parallel, objectives, waitFactor, "", 0);
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
        return new RunSettings(
                name,
                toolchain,
                seed,
                steps,
                initialDesigns,
                earlyStop,
                parallel,
                objectives,
                waitFactor,
                goal,
                leastGain);
    }

    /// The same with another toolchain.
    public RunSettings withToolchain(String name) {
        return new RunSettings(
                method,
                name,
                seed,
                steps,
                initialDesigns,
                earlyStop,
                parallel,
                objectives,
                waitFactor,
                goal,
                leastGain);
    }

    /// The same with another seed.
    public RunSettings withSeed(long value) {
        return new RunSettings(
                method,
                toolchain,
                value,
                steps,
                initialDesigns,
                earlyStop,
                parallel,
                objectives,
                waitFactor,
                goal,
                leastGain);
    }

    /// The same with other limits.
    public RunSettings withBudget(int maxSteps, int initial, int stopAfter) {
        return new RunSettings(
                method,
                toolchain,
                seed,
                maxSteps,
                initial,
                stopAfter,
                parallel,
                objectives,
                waitFactor,
                goal,
                leastGain);
    }

    /// The same with another number of designs in flight.
    public RunSettings withParallel(int inFlight) {
        return new RunSettings(
                method,
                toolchain,
                seed,
                steps,
                initialDesigns,
                earlyStop,
                inFlight,
                objectives,
                waitFactor,
                goal,
                leastGain);
    }

    /// The same with other objectives.
    public RunSettings withObjectives(List<String> names) {
        return new RunSettings(
                method,
                toolchain,
                seed,
                steps,
                initialDesigns,
                earlyStop,
                parallel,
                names,
                waitFactor,
                goal,
                leastGain);
    }

    /// The same with another share of tool time really waited.
    public RunSettings withWaitFactor(double factor) {
        return new RunSettings(
                method,
                toolchain,
                seed,
                steps,
                initialDesigns,
                earlyStop,
                parallel,
                objectives,
                factor,
                goal,
                leastGain);
    }

    /// The same with a goal.
    public RunSettings withGoal(String text) {
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
                text,
                leastGain);
    }

    /// The same with another least gain of an hour.
    public RunSettings withLeastGain(double least) {
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
                least);
    }
}

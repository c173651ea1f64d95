package knobscape.work;

import java.util.List;
import java.util.stream.Stream;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.TextList;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;

/// How to explore: values of the settings that runs of every area have. An area names some of them otherwise, has
/// other defaults, and hides what means nothing to it ([#parameters]).
///
/// @param values of all of [#COMMON]
public record RunSettings(Values values) {
    /// Largest number of steps; where [#STEPS] may be unlimited, no limit.
    public static final int MOST_STEPS = 10_000_000;

    /// Name of the search method.
    public static final Parameter<String> METHOD = Parameter.text("method")
            .usually("")
            .at("run.method")
            .words("Method", "Search method")
            .option("--method", "NAME");
    /// Name of the evaluator (`estimator`, `replay:FILE`).
    public static final Parameter<String> TOOLCHAIN = Parameter.text("toolchain")
            .usually("")
            .at("run.toolchain")
            .words("Evaluator", "What evaluates designs")
            .option("--toolchain", "NAME");
    /// Of everything random.
    public static final Parameter<Long> SEED = Parameter.whole("seed", 1)
            .at("run.seed")
            .further()
            .words("Seed", "Seed of all random draws; the same seed repeats the run")
            .option("--seed", "N");
    /// Most optimisation steps, each one question to the method, asked when a slot is free; of a population search
    /// most evaluations.
    public static final Parameter<Integer> STEPS = Parameter.count("steps", 40, 0, MOST_STEPS)
            .at("run.steps")
            .words(
                    "Steps",
                    "Most optimisation steps after the initial designs (0: these alone): questions to the method, one"
                            + " for every design that comes back")
            .option("--steps", "N");
    /// Designs drawn before the first step.
    public static final Parameter<Integer> INITIAL = Parameter.count("initialDesigns", 8, 1, MOST_STEPS)
            .at("run.initialDesigns")
            .further()
            .words("Initial designs", "Designs drawn before the first step")
            .option("--init", "N");
    /// Ends the run after this many steps at the highest fidelity without hypervolume gain, 0 never.
    public static final Parameter<Integer> EARLY_STOP = Parameter.count("earlyStop", 5, 0, MOST_STEPS)
            .at("run.earlyStop")
            .none("never")
            .unit("steps")
            .words("Early stop", "Ends the run after this many steps at the highest fidelity without hypervolume gain")
            .option("--early-stop", "N");
    /// Designs in flight at once; a free slot is filled at once.
    public static final Parameter<Integer> PARALLEL = Parameter.count("parallel", 1, 1, 256)
            .at("run.parallel")
            .further()
            .words("In parallel", "Designs in flight at once; a free slot is filled at once")
            .option("--parallel", "K");
    /// Names of the metrics explored, the evaluator's own where there are none.
    public static final Parameter<List<String>> OBJECTIVES = Parameter.texts(
                    "objectives", new TextList(ValueType.text(), ",", true))
            .at("run.objectives")
            .none("the evaluator's own")
            .words("", "Metrics to explore")
            .option("--objectives", "NAME,...");
    /// Seconds really waited per second of tool time, for demonstrations.
    public static final Parameter<Double> WAIT = Parameter.real("waitFactor", 0, ValueType.from(0, Integer.MAX_VALUE))
            .at("run.waitFactor")
            .none("none")
            .further()
            .words("Simulated tool delay", "Seconds really waited per simulated second, for demonstrations")
            .option("--wait", "FACTOR");
    /// Bounds that the designs looked for have to keep, as [knobscape.evaluate.Goal] reads them (`lut<20k`).
    public static final Parameter<String> GOAL = Parameter.text("goal")
            .usually("")
            .at("run.goal")
            .none("none")
            .words("Goal", "Bounds that a design has to meet, such as \"lut<20k delay<1ms\"; the search respects them")
            .option("--goal", "TEXT");
    /// Ends the run where the method expects less of the next design run to the highest stage
    /// ([knobscape.explore.Termination#RUN_PROMISE]).
    public static final Parameter<Double> LEAST_GAIN = Parameter.real(
                    "leastGain", 0, ValueType.from(0, 1).below().percent())
            .at("run.leastGain")
            .none("never")
            .unit("%")
            .words(
                    "Least gain",
                    "Ends the run where the method expects the next design, run to the highest stage, to bring the front"
                            + " nearer to the true one by less than this, once the tool time of 30 such runs is spent; cgp says what it expects")
            .option("--stop-gain", "PERCENT");
    /// Ends the run once so many hours of tool time are spent, told or simulated.
    public static final Parameter<Double> HOURS = Parameter.real("hours", 0, ValueType.from(0, 1_000_000))
            .at("run.hours")
            .none("no limit")
            .unit("h")
            .words(
                    "Hours",
                    "Ends the run once tools took so many hours, simulated ones where designs are estimated, not"
                            + " counting designs in flight; cgp puts no more than a third of it into its first designs")
            .option("--hours", "H");
    /// Ends the run once so many designs are run to the highest stage, the first ones included.
    public static final Parameter<Integer> DESIGNS = Parameter.count("designs", 0, 0, MOST_STEPS)
            .at("run.designs")
            .none("no limit")
            .words(
                    "Designs",
                    "Ends the run once this many designs are run to the highest stage, the first ones included")
            .option("--designs", "N");

    /// The common settings of runs of every area, in the order shown.
    public static final Parameters COMMON = Parameters.of(
            METHOD,
            TOOLCHAIN,
            SEED,
            INITIAL,
            STEPS,
            PARALLEL,
            OBJECTIVES,
            GOAL,
            EARLY_STOP,
            LEAST_GAIN,
            HOURS,
            DESIGNS,
            WAIT);

    /// The settings of an area's runs: its own declarations, and hidden what it does not declare.
    ///
    /// @param own of the common ones, with other words, defaults or bounds, in the order shown
    public static Parameters parameters(Parameter<?>... own) {
        List<Parameter<?>> shown = List.of(own);
        return new Parameters(
                Stream.concat(
                                shown.stream(),
                                COMMON.list().stream()
                                        .filter(p -> shown.stream()
                                                .noneMatch(o -> o.name().equals(p.name())))
                                        .<Parameter<?>>map(Parameter::hidden))
                        .toList(),
                List.of());
    }

    /// A method on an evaluator with seed 1, one design in flight and the evaluator's own objectives.
    public static RunSettings of(String method, String toolchain, int steps, int initialDesigns, int earlyStop) {
        return new RunSettings(COMMON.usual())
                .with(METHOD, method)
                .with(TOOLCHAIN, toolchain)
                .with(INITIAL, initialDesigns)
                .with(STEPS, steps)
                .with(EARLY_STOP, earlyStop);
    }

    /// The same with another value of one setting. Throws [IllegalArgumentException] where it cannot be.
    public <T> RunSettings with(Parameter<T> parameter, T value) {
        return new RunSettings(values.with(parameter, value));
    }

    /// Name of the search method.
    public String method() {
        return values.get(METHOD);
    }

    /// Name of the evaluator (`estimator`, `replay:FILE`).
    public String toolchain() {
        return values.get(TOOLCHAIN);
    }

    /// Of everything random.
    public long seed() {
        return values.get(SEED);
    }

    /// Most optimisation steps, [Integer#MAX_VALUE] where they are not limited.
    public int steps() {
        int most = values.get(STEPS);
        return most == MOST_STEPS ? Integer.MAX_VALUE : most;
    }

    /// True if steps are limited.
    public boolean hasSteps() {
        return steps() != Integer.MAX_VALUE;
    }

    /// Steps done, with the most there can be where they are limited (`12 of 40`).
    ///
    /// @param done below 0 where none is
    /// @param of stands between (` of `)
    public String stepsDone(int done, String of) {
        return Math.max(0, done) + (hasSteps() ? of + steps() : "");
    }

    /// Designs run to the highest stage that end the run, 0 for no limit.
    public int designs() {
        return values.get(DESIGNS);
    }

    /// Designs drawn before the first step.
    public int initialDesigns() {
        return values.get(INITIAL);
    }

    /// Steps without gain that end the run, 0 never.
    public int earlyStop() {
        return values.get(EARLY_STOP);
    }

    /// Designs in flight at once.
    public int parallel() {
        return values.get(PARALLEL);
    }

    /// Names of the metrics explored, none for the evaluator's own.
    public List<String> objectives() {
        return values.get(OBJECTIVES);
    }

    /// Seconds really waited per second of tool time.
    public double waitFactor() {
        return values.get(WAIT);
    }

    /// Bounds that designs have to keep, empty for none.
    public String goal() {
        return values.get(GOAL);
    }

    /// Share of the way to the true front that the next hour has to promise, 0 for none.
    public double leastGain() {
        return values.get(LEAST_GAIN);
    }

    /// Tool time that the run may take in seconds; positive infinity where it is not limited.
    public double toolSeconds() {
        double hours = values.get(HOURS);
        return hours > 0 ? hours * 3600 : Double.POSITIVE_INFINITY;
    }
}

package knobscape.project;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;

/// The toolchains this program knows, in the order shown.
///
/// @param all every toolchain
public record Toolchains(List<Toolchain> all) {
    public Toolchains {
        all = List.copyOf(all);
    }

    /// Name of the toolchain that answers from a file of measured designs.
    public static final String REPLAY = "replay";

    /// The toolchains that come with the program.
    public static Toolchains standard() {
        return new Toolchains(List.of(new Toolchain(EstimatorEvaluator.NAME, "Built-in estimator",
                "Estimates every stage of the FPGA flow by itself; needs no tool.", job -> new EstimatorEvaluator(job.space(), EstimatorSettings.defaults()
                        .withPart(HlsTools.part(job.kernel().part())).withClockNs(job.kernel().clockNs()).withSeed(job.seed()))),
                new Toolchain(REPLAY, "Measured designs", "Answers with designs measured earlier, from a CSV file.", job -> {
                    throw new UserError("Measured designs have a space of their own; explore the file itself (knobscape explore --toolchain replay:FILE).");
                })));
    }

    /// The file of measured designs that `toolchain` names (`replay:FILE`); empty for another toolchain, and for `replay` alone.
    public static Optional<String> measured(String toolchain) {
        return Optional.of(toolchain).filter(t -> t.startsWith(REPLAY + ":")).map(t -> t.substring(REPLAY.length() + 1)).filter(f -> !f.isBlank());
    }

    /// Whether `toolchain` is `replay`, with or without a file.
    public static boolean isReplay(String toolchain) {
        return toolchain.equals(REPLAY) || toolchain.startsWith(REPLAY + ":");
    }

    /// Those that can judge a kernel (`measured` false), or that can answer for measured designs.
    public List<Toolchain> fitting(boolean measured) {
        return all.stream().filter(t -> t.name().equals(REPLAY) == measured).toList();
    }

    /// The toolchain that `argument` (`estimator`, `replay:FILE`) names; throws [UserError] naming the nearest where there is none.
    public Toolchain named(String argument) {
        String name = argument.contains(":") ? argument.substring(0, argument.indexOf(':')) : argument;
        var names = all.stream().map(Toolchain::name).toList();
        return all.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no toolchain '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }

    /// Makes the evaluator that `argument` names for a job; what stands behind the colon replaces the job's argument.
    public Evaluator create(String argument, Toolchain.Job job) {
        int colon = argument.indexOf(':');
        String rest = colon < 0 ? "" : argument.substring(colon + 1);
        return named(argument).factory().create(new Toolchain.Job(job.space(), job.kernel(), rest, job.folder(), job.seed(), job.waitFactor()));
    }
}

package knobscape.project;

import java.util.List;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.hls.toolchain.estimator.EstimatorEvaluator;
import knobscape.hls.toolchain.estimator.EstimatorSettings;

/// The toolchains this program knows, in the order shown.
///
/// @param all every toolchain
public record Toolchains(List<Toolchain> all) {
    public Toolchains {
        all = List.copyOf(all);
    }

    /// The toolchains that come with the program.
    public static Toolchains standard() {
        return new Toolchains(List.of(new Toolchain(EstimatorEvaluator.NAME, "Built-in estimator",
                "Estimates every stage of the FPGA flow by itself; needs no tool.", job -> new EstimatorEvaluator(job.space(), EstimatorSettings.defaults()
                        .withPart(HlsTools.part(job.kernel().part())).withClockNs(job.kernel().clockNs()).withSeed(job.seed()).withDelayFactor(job.waitFactor())))));
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

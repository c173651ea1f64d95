package knobscape.hls;

import java.util.List;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.work.Choices;

/// What can evaluate designs of the HLS area, in the order shown.
public final class Toolchains {
    private Toolchains() {}

    /// The toolchains that come with the program.
    public static Choices<Toolchain> standard() {
        return new Choices<>(
                "toolchain",
                List.of(
                        new Toolchain(
                                EstimatorEvaluator.NAME,
                                "Built-in estimator",
                                "Estimates every stage of the FPGA flow by itself; needs no tool.",
                                job -> new EstimatorEvaluator(
                                        job.space(),
                                        EstimatorSettings.defaults()
                                                .withPart(Part.named(job.kernel().part()))
                                                .withClockNs(job.kernel().clockNs())
                                                .withSeed(job.seed()))),
                        new Toolchain(
                                HlsSettings.REPLAY,
                                "Measured designs",
                                "Answers with designs measured earlier, from a CSV file.",
                                job -> {
                                    throw new UserError(
                                            "Measured designs have a space of their own; explore the file itself (knobscape explore --toolchain replay:FILE).");
                                })));
    }

    /// Those that can evaluate a kernel (`measured` false), or that can answer for measured designs.
    public static List<Toolchain> fitting(Choices<Toolchain> known, boolean measured) {
        return known.all().stream()
                .filter(t -> t.name().equals(HlsSettings.REPLAY) == measured)
                .toList();
    }

    /// The toolchain that `argument` (`estimator`, `replay:FILE`) names; throws [UserError] naming the nearest
    /// where there is none.
    public static Toolchain named(Choices<Toolchain> known, String argument) {
        return known.named(argument.contains(":") ? argument.substring(0, argument.indexOf(':')) : argument);
    }

    /// Makes the evaluator that `argument` names for a job; what stands behind the colon replaces the job's
    /// argument.
    public static Evaluator create(Choices<Toolchain> known, String argument, Toolchain.Job job) {
        int colon = argument.indexOf(':');
        String rest = colon < 0 ? "" : argument.substring(colon + 1);
        return named(known, argument)
                .factory()
                .create(new Toolchain.Job(job.space(), job.kernel(), rest, job.folder(), job.seed()));
    }
}

package knobscape.hls;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.work.Choices;

/// What can evaluate designs of the HLS area, in the order shown.
public final class Toolchains {
    /// Name of the toolchain that answers from a file of measured designs.
    public static final String REPLAY = "replay";

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
                                                .withPart(HlsTools.part(
                                                        job.kernel().part()))
                                                .withClockNs(job.kernel().clockNs())
                                                .withSeed(job.seed()))),
                        new Toolchain(
                                REPLAY,
                                "Measured designs",
                                "Answers with designs measured earlier, from a CSV file.",
                                job -> {
                                    throw new UserError(
                                            "Measured designs have a space of their own; explore the file itself (knobscape explore --toolchain replay:FILE).");
                                })));
    }

    /// The file of measured designs that `toolchain` names (`replay:FILE`); empty for another toolchain, and
    /// for `replay` alone.
    public static Optional<String> measured(String toolchain) {
        return Optional.of(toolchain)
                .filter(t -> t.startsWith(REPLAY + ":"))
                .map(t -> t.substring(REPLAY.length() + 1))
                .filter(f -> !f.isBlank());
    }

    /// Whether `toolchain` is `replay`, with or without a file.
    public static boolean isReplay(String toolchain) {
        return toolchain.equals(REPLAY) || toolchain.startsWith(REPLAY + ":");
    }

    /// Those that can evaluate a kernel (`measured` false), or that can answer for measured designs.
    public static List<Toolchain> fitting(Choices<Toolchain> known, boolean measured) {
        return known.all().stream()
                .filter(t -> t.name().equals(REPLAY) == measured)
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

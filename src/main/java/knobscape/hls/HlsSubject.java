package knobscape.hls;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.work.RunSettings;

/// What HLS work explores: a kernel by its directives, or designs measured earlier.
sealed interface HlsSubject permits KernelWork, MeasuredWork {
    /// What a person calls it.
    String name();

    /// SHA-256 over all that was read.
    String hash();

    DesignSpace space();

    /// Features of the configurations.
    Encoder encoder();

    /// The configuration that results are compared with.
    Optional<Configuration> baseline();

    /// Evaluations that are there before a run, by design.
    default Stream<List<Evaluation>> known() {
        return Stream.empty();
    }

    /// Of what was read, one sentence each.
    List<String> warnings();

    /// Of the built-in estimator, one sentence each.
    default List<String> assumptions() {
        return List.of();
    }

    /// A fresh evaluator. Throws [knobscape.evaluate.UserError] for a toolchain that cannot evaluate these designs.
    Evaluator evaluator(String toolchain);

    /// What is expected of designs before they are evaluated.
    default Optional<Guess> guess(RunSettings run, List<Metric> objectives) {
        return Optional.empty();
    }

    /// The explorer behind the designs that were decided elsewhere.
    default Explorer started(Explorer explorer, EvaluatorInfo info) {
        return explorer;
    }
}

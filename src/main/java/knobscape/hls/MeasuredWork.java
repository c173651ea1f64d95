package knobscape.hls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.Sha256;
import knobscape.work.Choices;
import knobscape.work.WorkLocation;

/// Designs measured earlier, with the finite space that they are.
///
/// @param hash of the table and the mapping of its columns
/// @param toolchains who may be asked for
record MeasuredWork(ReplaySet set, String hash, Choices<Toolchain> toolchains) implements HlsSubject {
    private static final int MAX_KNOWN = 200_000;

    /// Reads the table that the settings name. Throws [UserError] where it cannot be read.
    static MeasuredWork open(WorkLocation place, HlsSettings settings, Choices<Toolchain> toolchains) {
        Path columns = place.runsFolder().resolve(HlsWorkbench.COLUMNS);
        ReplaySet set = ReplaySet.open(
                place.resolve(settings.source()),
                settings.directives()
                        .map(place::resolve)
                        .or(() -> Optional.of(columns).filter(Files::isRegularFile)));
        String hash = Sha256.of(KernelWork.bytes(set.file()), set.mappingText().getBytes(StandardCharsets.UTF_8));
        return new MeasuredWork(set, hash, toolchains);
    }

    @Override
    public String name() {
        return set.file().getFileName().toString();
    }

    @Override
    public DesignSpace space() {
        return set.space();
    }

    @Override
    public Encoder encoder() {
        return new FeatureEncoder(set.space().knobs());
    }

    @Override
    public Optional<Configuration> baseline() {
        return set.baseline();
    }

    @Override
    public Stream<List<Evaluation>> known() {
        return set.rows() <= MAX_KNOWN ? set.all() : Stream.empty();
    }

    @Override
    public List<String> warnings() {
        return set.notes();
    }

    @Override
    public Evaluator evaluator(String toolchain) {
        if (!EvaluatorKind.REPLAY.isOf(toolchain)) {
            Toolchains.named(toolchains, toolchain);
            throw new UserError(set.file()
                    + " holds measured designs, for which only the toolchain replay can answer; leave out --toolchain "
                    + toolchain + ".");
        }
        return set.evaluator();
    }
}

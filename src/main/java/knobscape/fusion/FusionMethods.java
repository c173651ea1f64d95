package knobscape.fusion;

import java.nio.file.Path;
import java.util.stream.Stream;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.work.Choices;

/// The methods of the fusion area, in the order shown.
public final class FusionMethods {
    private FusionMethods() {}

    /// The methods that come with the program: searches, references, and the sequence models that ship.
    public static Choices<FusionMethod> standard() {
        return new Choices<>(
                "method",
                Stream.concat(FusionMethod.builtIn().stream(), SequenceMethods.shipped().stream())
                        .toList());
    }

    /// The method called `name`, where `dnnfuser:FILE` and `seq2seq:FILE` stand for models from files; throws
    /// [UserError] naming the nearest where there is none.
    public static FusionMethod named(Choices<FusionMethod> known, String name) {
        return SequenceMethods.fromFile(name, Path.of("")).orElseGet(() -> known.named(name));
    }
}

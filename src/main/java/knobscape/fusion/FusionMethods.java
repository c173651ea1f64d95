package knobscape.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.fusion.search.ExactSearch;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.work.Choices;

/// The methods of the fusion area, in the order shown.
public final class FusionMethods {
    /// The method that is the default.
    public static final String AUTO = "auto";

    /// Every layer alone.
    public static final String NONE = "none";

    private static final Set<String> STRIPS = Set.of(AUTO, "exact", NONE);

    private FusionMethods() {}

    /// The methods that come with the program: searches, references, and the sequence models that ship.
    public static Choices<FusionMethod> standard() {
        List<FusionMethod> models = SequenceMethods.shipped();
        var auto = new FusionMethod(
                AUTO,
                "Automatic",
                "Recommended: groups in strips proven best; in the paper's model exact for chains, and G-Sampler for networks that branch.",
                FusionMethod.Kind.REFERENCE,
                (problem, random) -> (ExactSearch.obstacle(problem.model()).isEmpty()
                                ? ExactSearch.searcher()
                                : FusionMethod.named("gsampler").searcher())
                        .begin(problem, random));
        return new Choices<>(
                "method",
                Stream.of(Stream.of(auto), FusionMethod.offered().stream(), models.stream())
                        .flatMap(s -> s)
                        .toList(),
                Stream.concat(FusionMethod.baselines().stream(), Stream.of(SequenceMethods.published()))
                        .toList());
    }

    /// Those that answer in strips.
    public static Choices<FusionMethod> strips() {
        return new Choices<>(
                "method",
                standard().offered().stream()
                        .filter(m -> STRIPS.contains(m.name()))
                        .toList());
    }

    /// True if a method answers in strips.
    public static boolean isOfStrips(String name) {
        return STRIPS.contains(name);
    }

    /// The method called `name`, where `dnnfuser:FILE` and `seq2seq:FILE` stand for models from files; throws
    /// [UserError] naming the nearest where there is none.
    public static FusionMethod named(Choices<FusionMethod> known, String name) {
        return SequenceMethods.fromFile(name, Path.of("")).orElseGet(() -> known.named(name));
    }
}

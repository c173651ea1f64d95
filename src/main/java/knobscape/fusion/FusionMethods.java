package knobscape.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.PortfolioSearch;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.work.Choices;

/// The methods of the fusion area, in the order shown.
public final class FusionMethods {
    /// The method that is the default.
    public static final String AUTO = "auto";

    private FusionMethods() {}

    /// The methods that come with the program: searches, references, and the sequence models that ship.
    public static Choices<FusionMethod> standard() {
        List<FusionMethod> models = SequenceMethods.shipped();
        var auto = new FusionMethod(
                AUTO,
                "Automatic",
                "Take it first: the proven best strategy where that can be had, else the best of several answers improved by local search.",
                FusionMethod.Kind.REFERENCE,
                PortfolioSearch.searcher(
                        models.stream().map(FusionMethod::searcher).toList()));
        return new Choices<>(
                "method",
                Stream.of(Stream.of(auto), FusionMethod.offered().stream(), models.stream())
                        .flatMap(s -> s)
                        .toList(),
                FusionMethod.baselines());
    }

    /// The method called `name`, where `dnnfuser:FILE` and `seq2seq:FILE` stand for models from files; throws
    /// [UserError] naming the nearest where there is none.
    public static FusionMethod named(Choices<FusionMethod> known, String name) {
        return SequenceMethods.fromFile(name, Path.of("")).orElseGet(() -> known.named(name));
    }
}

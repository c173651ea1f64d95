package knobscape.project;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.sequence.SequenceMethods;

/// The ways to find fusion strategies that this program knows, in the order shown.
///
/// @param all every method
public record FusionMethods(List<FusionMethod> all) {
    public FusionMethods {
        all = List.copyOf(all);
    }

    /// The methods that come with the program: searches, references, and the sequence models that ship.
    public static FusionMethods standard() {
        return new FusionMethods(Stream.concat(FusionMethod.builtIn().stream(), SequenceMethods.shipped().stream()).toList());
    }

    /// The method called `name`, where `dnnfuser:FILE` and `seq2seq:FILE` stand for models from files; throws [UserError] naming the nearest where there is none.
    public FusionMethod named(String name) {
        Optional<FusionMethod> fromFile = SequenceMethods.fromFile(name, Path.of(""));
        if (fromFile.isPresent()) {
            return fromFile.get();
        }
        var names = all.stream().map(FusionMethod::name).toList();
        return all.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no method '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }
}

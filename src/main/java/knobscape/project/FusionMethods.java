package knobscape.project;

import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.fusion.mapper.FusionMethod;

/// The ways to find fusion strategies that this program knows, in the order shown.
///
/// @param all every method
public record FusionMethods(List<FusionMethod> all) {
    public FusionMethods {
        all = List.copyOf(all);
    }

    /// The methods that come with the program. Methods that need a trained model belong here too, where their model is there.
    public static FusionMethods standard() {
        return new FusionMethods(FusionMethod.builtIn());
    }

    /// The method called `name`; throws [UserError] naming the nearest where there is none.
    public FusionMethod named(String name) {
        var names = all.stream().map(FusionMethod::name).toList();
        return all.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no method '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }
}

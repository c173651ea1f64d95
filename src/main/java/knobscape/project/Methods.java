package knobscape.project;

import java.util.List;
import knobscape.evaluate.UserError;

/// The search strategies this program knows, in the order shown.
///
/// @param all every method
public record Methods(List<Method> all) {
    public Methods {
        all = List.copyOf(all);
    }

    /// The method called `name`; throws [UserError] naming the nearest where there is none.
    public Method named(String name) {
        var names = all.stream().map(Method::name).toList();
        return all.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no method '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }
}

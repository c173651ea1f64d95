package knobscape.work;

import java.util.List;
import java.util.stream.Collectors;
import knobscape.evaluate.Names;
import knobscape.evaluate.UserError;

/// What a person can choose among, in the order shown.
///
/// @param what what one of them is called (`method`, `toolchain`)
/// @param all every choice
/// @param <T> kind of choice
public record Choices<T extends Named>(String what, List<T> all) {
    /// Copies the list.
    public Choices {
        all = List.copyOf(all);
    }

    /// The choice called `name`; throws [UserError] naming the nearest where there is none.
    public T named(String name) {
        List<String> names = names();
        return all.stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no " + what + " '" + name + "'"
                        + Names.didYouMean(name, names) + "; known: " + list() + "."));
    }

    /// Label of the choice called `name`; the name itself where there is none (a choice of another version).
    public String label(String name) {
        return all.stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .map(Named::label)
                .orElse(name);
    }

    /// All names, in order.
    public List<String> names() {
        return all.stream().map(Named::name).toList();
    }

    /// All names with commas between.
    public String list() {
        return names().stream().collect(Collectors.joining(", "));
    }
}

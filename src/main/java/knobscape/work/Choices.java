package knobscape.work;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;

/// A person's choices, in the order shown.
///
/// @param what what one of them is called (`method`, `toolchain`)
/// @param offered those that help and forms show
/// @param further those that only their names reach: baselines of papers, for comparisons
/// @param <T> kind of choice
public record Choices<T extends Named>(String what, List<T> offered, List<T> further) {
    /// Copies the lists.
    public Choices {
        offered = List.copyOf(offered);
        further = List.copyOf(further);
    }

    /// Choices that are all offered.
    public Choices(String what, List<T> offered) {
        this(what, offered, List.of());
    }

    /// The same with more that only their names reach.
    public Choices<T> with(List<T> more) {
        return new Choices<>(
                what, offered, Stream.concat(further.stream(), more.stream()).toList());
    }

    /// Every choice, those offered first.
    public List<T> all() {
        return Stream.concat(offered.stream(), further.stream()).toList();
    }

    /// The choices that a form shows where one is chosen already: those offered, and that one.
    public List<T> offered(String chosen) {
        return Stream.concat(
                        offered.stream(), further.stream().filter(c -> c.name().equals(chosen)))
                .toList();
    }

    /// The choice called `name`; throws [UserError] naming the nearest where there is none.
    public T named(String name) {
        List<String> names = names();
        return find(name)
                .orElseThrow(() -> new UserError("There is no " + what + " '" + name + "'"
                        + NameSuggestions.didYouMean(name, names) + "; known: " + list() + "."));
    }

    private Optional<T> find(String name) {
        return all().stream().filter(c -> c.name().equals(name)).findFirst();
    }

    /// Label of the choice called `name`; the name itself where there is none (a choice of another version).
    public String label(String name) {
        return find(name).map(Named::label).orElse(name);
    }

    /// All names, in order.
    public List<String> names() {
        return all().stream().map(Named::name).toList();
    }

    /// All names with commas between.
    public String list() {
        return names().stream().collect(Collectors.joining(", "));
    }
}

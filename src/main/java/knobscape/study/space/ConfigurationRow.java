package knobscape.study.space;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.Formula;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.study.text.Numerals;

/// The parameters of a configuration and constants beside them, as formulas read them.
///
/// @param constants numbers by name
public record ConfigurationRow(Configuration configuration, Map<String, String> constants) implements Formula.Row {
    public ConfigurationRow {
        constants = Map.copyOf(constants);
    }

    @Override
    public OptionalDouble apply(String name) {
        String constant = constants.get(name);
        if (constant != null) {
            return number(constant);
        }
        int knob = configuration.knobs().indexOf(name).orElseThrow();
        return number(configuration.knobs().get(knob).domain(), configuration.level(knob));
    }

    @Override
    public Optional<String> text(String name) {
        String constant = constants.get(name);
        return Optional.of(
                constant != null
                        ? constant
                        : configuration.value(
                                configuration.knobs().indexOf(name).orElseThrow()));
    }

    /// The number that a level of a parameter is: 0 or 1 for a switch; empty for a word.
    static OptionalDouble number(Domain domain, int level) {
        return switch (domain) {
            case Domain.Toggle _ -> OptionalDouble.of(level);
            case Domain.Factors f -> OptionalDouble.of(f.values().get(level));
            case Domain.Numbers n -> OptionalDouble.of(n.values().get(level));
            case Domain.Categories c -> number(c.label(level));
        };
    }

    private static OptionalDouble number(String label) {
        return Numerals.number(label).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
    }
}

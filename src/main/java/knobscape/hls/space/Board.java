package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import knobscape.space.Diagrams;
import knobscape.space.Diagrams.Diagram;
import knobscape.space.Domain;

/// A manager for sets of combinations whose variables have names and labelled values.
final class Board {
    /// Work of a few seconds and some hundred megabytes; see [knobscape.space.Diagrams.TooLargeException].
    private static final int MOST_NODES = 2_500_000;

    private final Map<String, Integer> variables = new LinkedHashMap<>();
    private final List<Domain> domains;
    private final Diagrams diagrams;

    /// @param domains name to values, in variable order
    Board(Map<String, Domain> domains) {
        domains.keySet().forEach(name -> variables.put(name, variables.size()));
        this.domains = List.copyOf(domains.values());
        this.diagrams = new Diagrams(
                MOST_NODES, domains.values().stream().mapToInt(Domain::size).toArray());
    }

    /// Gives up early: a condition on one of so many variables takes a node for each of them, and each of them is
    /// in some condition.
    static void checkSize(int variables) {
        if ((long) variables * variables > MOST_NODES) {
            throw new Diagrams.TooLargeException(MOST_NODES);
        }
    }

    Diagrams diagrams() {
        return diagrams;
    }

    Set<String> names() {
        return variables.keySet();
    }

    boolean has(String name) {
        return variables.containsKey(name);
    }

    int variable(String name) {
        return requireNonNull(variables.get(name));
    }

    Domain domain(String name) {
        return domains.get(requireNonNull(variables.get(name)));
    }

    Diagram everything() {
        return diagrams.everything();
    }

    Diagram nothing() {
        return diagrams.nothing();
    }

    /// The variable takes a value whose label passes; no condition where there is no such variable.
    Diagram where(String name, Predicate<String> labels) {
        if (!has(name)) {
            return diagrams.everything();
        }
        var allowed = new BitSet();
        IntStream.range(0, domain(name).size())
                .filter(level -> labels.test(domain(name).label(level)))
                .forEach(allowed::set);
        return diagrams.only(variable(name), allowed);
    }

    /// The variable takes the value called `label`.
    Diagram is(String name, String label) {
        return where(name, label::equals);
    }

    /// The variable takes the value that means "no directive", or its first where that one is left out.
    Diagram rests(String name) {
        return where(name, label -> label.equals(domain(name).label(restLevel(domain(name)))));
    }

    /// Level of the value that changes nothing: factor 1, `off`, `none`, `auto`; else the first.
    static int restLevel(Domain domain) {
        for (String rest : List.of("1", "off", "none", "auto")) {
            boolean number = rest.equals("1") && !(domain instanceof Domain.Factors);
            if (domain.levelOf(rest) >= 0 && !number) {
                return domain.levelOf(rest);
            }
        }
        return 0;
    }

    /// A set of another board. Names that stand here too have the same order; on the others the set does not
    /// depend.
    Diagram adopt(Board other, Diagram set) {
        return diagrams.adopt(
                set,
                other.names().stream()
                        .mapToInt(name -> variables.getOrDefault(name, -1))
                        .toArray());
    }
}

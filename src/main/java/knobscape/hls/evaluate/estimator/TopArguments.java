package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.hls.evaluate.estimator.Program.Store;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;

/// Which arrays are arguments of the top function, or parts of one.
final class TopArguments {
    /// Bits of a word that is said to be wide.
    private static final long WIDE_STRUCT = 4096;

    private final Kernel kernel;
    private final Set<String> ids;

    TopArguments(Kernel kernel) {
        this.kernel = kernel;
        this.ids = kernel.arrays().stream().map(ArrayVariable::id).collect(Collectors.toSet());
    }

    /// Whether an array is one, or a member of one.
    boolean isArgument(ArrayVariable v) {
        return (v.scope() == ArrayVariable.Scope.PARAMETER && v.function().equals(kernel.top()))
                || isMemberOfParameter(v);
    }

    /// The members of each struct of which Vitis HLS makes one word (UG1399, structs on the interface); Vivado HLS
    /// makes a port of every member (UG902).
    ///
    /// @param notes where a wide word is told
    List<List<Store>> structs(List<Store> arrays, Collection<String> notes) {
        var byVariable = new LinkedHashMap<String, List<Store>>();
        arrays.stream()
                .filter(s -> isMemberOfParameter(s.source()) && !isInElements(s.source()) && !s.onBus())
                .forEach(s -> byVariable
                        .computeIfAbsent(s.source().variable(), _ -> new ArrayList<>())
                        .add(s));
        byVariable.values().removeIf(m -> m.stream().anyMatch(s -> s.source().elements() == 0));
        byVariable.forEach((name, members) -> {
            long bits = members.stream()
                    .mapToLong(m -> m.bits() * m.source().elements())
                    .sum();
            if (bits > WIDE_STRUCT) {
                notes.add(
                        "struct " + name + " at the top is taken for one word of " + bits
                                + " bits, as Vitis HLS aggregates structs there; disaggregate it, or pass its arrays one by one");
            }
        });
        return byVariable.values().stream().map(List::copyOf).toList();
    }

    /// Whether the structs of an array have this member: memories, as the array is one.
    private boolean isInElements(ArrayVariable v) {
        return ids.contains(v.id().substring(0, v.id().lastIndexOf('.')));
    }

    /// Members of parameters are declared where the parameters are: before the body.
    private boolean isMemberOfParameter(ArrayVariable v) {
        return v.scope() == ArrayVariable.Scope.MEMBER
                && v.function().equals(kernel.top())
                && v.name().contains(".")
                && kernel.function(kernel.top())
                        .filter(f -> v.location().offset() <= f.bodyStart().offset()
                                && v.location().offset() >= f.location().offset())
                        .isPresent();
    }
}

package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.cdt.core.dom.ast.DOMException;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPBinding;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMember;

/// What the functions of a program go by: their class and name; with all their namespaces where that is the name of
/// functions of several; with a number from the second on where that is not enough either (`f#2`, an overload).
final class FunctionNames {
    private final IdentityHashMap<IASTFunctionDefinition, String> names = new IdentityHashMap<>();
    private final Set<String> namesakes = new HashSet<>();

    /// @param definitions in source order
    FunctionNames(Collection<IASTFunctionDefinition> definitions) {
        Map<String, Integer> used = new HashMap<>();
        Map<String, Set<String>> whole = definitions.stream()
                .collect(Collectors.groupingBy(
                        FunctionNames::plain, Collectors.mapping(FunctionNames::whole, Collectors.toSet())));
        for (IASTFunctionDefinition f : definitions) {
            String plain = plain(f);
            String name = requireNonNull(whole.get(plain)).size() == 1 ? plain : whole(f);
            int n = used.merge(name, 1, Integer::sum);
            names.put(f, n == 1 ? name : name + "#" + n);
        }
        definitions.stream().collect(Collectors.groupingBy(FunctionNames::plain)).values().stream()
                .filter(same -> same.size() > 1)
                .forEach(same -> same.forEach(f -> namesakes.add(of(f))));
    }

    String of(IASTFunctionDefinition f) {
        return requireNonNull(names.get(f));
    }

    /// Of [knobscape.hls.source.Kernel#namesakes()].
    Set<String> namesakes() {
        return namesakes;
    }

    /// With its namespaces; [#plain] where one of them has no name.
    private static String whole(IASTFunctionDefinition f) {
        try {
            if (Nodes.binding(Nodes.nameOf(f)) instanceof ICPPBinding b) {
                String[] parts = b.getQualifiedName();
                return Stream.of(parts).anyMatch(String::isEmpty) ? plain(f) : String.join("::", parts);
            }
        } catch (DOMException e) {
            // What has no whole name is told apart by a number.
        }
        return plain(f);
    }

    /// `f`, or `Class::f` for a method.
    private static String plain(IASTFunctionDefinition f) {
        IASTName name = Nodes.nameOf(f);
        String last = String.valueOf(name.getLastName().getSimpleID());
        IBinding b = Nodes.binding(name);
        return b instanceof ICPPMember m
                        && m.getClassOwner() != null
                        && !m.getClassOwner().getName().isEmpty()
                ? m.getClassOwner().getName() + "::" + last
                : last;
    }
}

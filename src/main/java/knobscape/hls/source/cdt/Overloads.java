package knobscape.hls.source.cdt;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTStandardFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IProblemBinding;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPClassType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMethod;

/// Which function is meant where the parser cannot say, as types depend on a template's arguments or are missing.
final class Overloads {
    private final Program program;
    private final Set<IASTFunctionDefinition> inlined = Collections.newSetFromMap(new IdentityHashMap<>());

    Overloads(Program program) {
        this.program = program;
    }

    /// Where no overload fits, because types are missing: the only candidate with a body and as many
    /// parameters.
    Optional<Instance> candidate(IProblemBinding p, IASTName name, IASTFunctionCallExpression c, Instance caller) {
        int arguments = c.getArguments().length;
        IBinding[] all = p.getCandidateBindings();
        Set<Instance> fitting = new LinkedHashSet<>();
        for (IBinding b : all == null ? new IBinding[0] : all) {
            program.instanceOf(b, Optional.empty())
                    .filter(i -> parameters(i.definition()) == arguments)
                    .filter(i ->
                            !Program.isTemplate(i.definition()) || i.arguments().isPresent())
                    .ifPresent(fitting::add);
        }
        return fitting.size() == 1 ? Optional.of(fitting.iterator().next()) : byName(name, c, caller);
    }

    /// The only function of that name with as many parameters; of `x.name()` the only method.
    Optional<Instance> byName(IASTName name, IASTFunctionCallExpression c, Instance caller) {
        int arguments = c.getArguments().length;
        String last = String.valueOf(name.getLastName().getSimpleID());
        boolean method = name.getParent() instanceof IASTFieldReference;
        List<IASTFunctionDefinition> fitting = program.defined().entrySet().stream()
                .filter(e -> !method || e.getKey() instanceof ICPPMethod)
                .map(Map.Entry::getValue)
                .filter(f -> !Program.isTemplate(f)
                        && String.valueOf(Nodes.nameOf(f).getLastName().getSimpleID())
                                .equals(last)
                        && parameters(f) == arguments)
                .toList();
        return fitting.size() == 1
                ? Optional.of(program.instance(fitting.getFirst(), Optional.empty()))
                : sibling(name, c, caller);
    }

    /// The only method of the caller's class template with that name and as many parameters, called of the same object.
    private Optional<Instance> sibling(IASTName name, IASTFunctionCallExpression c, Instance caller) {
        boolean own = !(name.getParent() instanceof IASTFieldReference f) || Nodes.isThis(f.getFieldOwner());
        if (!own || !(Nodes.binding(caller.innermostName()) instanceof ICPPMethod m)) {
            return Optional.empty();
        }
        String last = String.valueOf(name.getLastName().getSimpleID());
        List<IASTFunctionDefinition> fitting = program.defined().entrySet().stream()
                .filter(e -> e.getKey() instanceof ICPPMethod o
                        && o.getName().equals(last)
                        && o.getClassOwner().equals(m.getClassOwner())
                        && parameters(e.getValue()) == c.getArguments().length)
                .map(Map.Entry::getValue)
                .toList();
        return fitting.size() == 1
                ? Optional.of(program.instance(fitting.getFirst(), caller.arguments()))
                : Optional.empty();
    }

    /// The operator of an object whose class depends on a template's arguments.
    Optional<Instance> operator(IASTExpression object, String name, int operands, Instance caller) {
        return caller.types().composite(object.getExpressionType()).stream()
                .filter(ICPPClassType.class::isInstance)
                .flatMap(t -> Stream.of(((ICPPClassType) t).getDeclaredMethods()))
                .filter(m -> m.getName().equals(name) && m.getParameters().length == operands)
                .flatMap(m -> program.instanceOf(m, Optional.empty()).stream())
                .findFirst();
    }

    /// The method that a call or subscript calls, where it only says where in its object something lies.
    Optional<Instance> accessor(IASTExpression e, Instance caller) {
        Optional<Instance> method = switch (e) {
            case IASTFunctionCallExpression c -> program.callee(c, caller);
            case IASTArraySubscriptExpression s -> operator(s.getArrayExpression(), "operator []", 1, caller);
            default -> Optional.empty();
        };
        Optional<Instance> found = method.filter(m -> AccessorReader.isAccessor(m, program));
        found.ifPresent(m -> inlined.add(m.definition()));
        return found;
    }

    /// Whether what is subscripted is an object of a class of this source with an operator for it.
    boolean hasSubscript(IASTArraySubscriptExpression s, Instance caller) {
        return operator(s.getArrayExpression(), "operator []", 1, caller).isPresent();
    }

    /// Whether a function is a method whose calls stand for places.
    boolean isInlined(IASTFunctionDefinition f) {
        return inlined.contains(f);
    }

    static int parameters(IASTFunctionDefinition f) {
        return f.getDeclarator() instanceof IASTStandardFunctionDeclarator s ? s.getParameters().length : -1;
    }
}

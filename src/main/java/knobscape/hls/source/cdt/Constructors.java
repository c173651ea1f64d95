package knobscape.hls.source.cdt;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTImplicitNameOwner;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IParameter;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorChainInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPConstructor;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateParameterMap;

/// Finds the constructors of this source that declarations of variables and other constructors run.
final class Constructors {
    private final Program program;

    Constructors(Program program) {
        this.program = program;
    }

    /// The constructor with loops that a declaration of a local variable runs. Others only set members.
    Optional<Instance> withLoops(IASTDeclarator d, Optional<ICPPTemplateParameterMap> arguments) {
        // That of a static object runs once, before the hardware starts.
        return maker(d, arguments)
                .filter(i -> Nodes.containsLoop(i.definition())
                        && !(Nodes.binding(d.getName()) instanceof IVariable v && v.isStatic()));
    }

    /// The constructors with loops that a constructor runs on members of its object, by where it says so.
    Map<ICPPASTConstructorChainInitializer, Instance> members(Instance constructor) {
        Map<ICPPASTConstructorChainInitializer, Instance> found = ofMembers(constructor);
        found.values().removeIf(i -> !Nodes.containsLoop(i.definition()));
        return found;
    }

    /// The constructors of this source that a constructor runs on members of its object, by where it says so.
    Map<ICPPASTConstructorChainInitializer, Instance> ofMembers(Instance constructor) {
        var found = new LinkedHashMap<ICPPASTConstructorChainInitializer, Instance>();
        if (constructor.definition() instanceof ICPPASTFunctionDefinition d) {
            for (ICPPASTConstructorChainInitializer n : d.getMemberInitializers()) {
                if (n instanceof IASTImplicitNameOwner owner
                        && Nodes.binding(n.getMemberInitializerId()) instanceof IField) {
                    made(owner, constructor.arguments()).ifPresent(i -> found.put(n, i));
                }
            }
        }
        return found;
    }

    private Optional<Instance> made(IASTImplicitNameOwner owner, Optional<ICPPTemplateParameterMap> arguments) {
        return Stream.of(owner.getImplicitNames())
                .map(Nodes::binding)
                .filter(ICPPConstructor.class::isInstance)
                .flatMap(b -> program.instanceOf(b, arguments).stream())
                .findFirst();
    }

    /// The constructor of this source that a declaration of a local variable runs.
    Optional<Instance> maker(IASTDeclarator d, Optional<ICPPTemplateParameterMap> arguments) {
        if (Nodes.isNameless(d)
                || !(d instanceof IASTImplicitNameOwner owner)
                || !(Nodes.binding(d.getName()) instanceof IVariable v)
                || v instanceof IParameter
                || v instanceof IField
                || program.declarations().isGlobal(v)) {
            return Optional.empty();
        }
        return made(owner, arguments);
    }
}

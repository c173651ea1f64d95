package knobscape.hls.source.cdt;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier.IASTEnumerator;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IEnumerator;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeTemplateParameter;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateParameter;

/// Numbers by name, as they can be used in the pragmas of one function: template parameters, enumerators, const
/// variables, parameters with one value.
final class ConstantNames {
    private final FunctionContext context;
    private final Map<String, IBinding> bindings = new HashMap<>();
    private final Map<String, Long> given;

    /// @param given parameters with a known value
    ConstantNames(FunctionContext context, Map<String, Long> given) {
        this.context = context;
        this.given = given;
        context.program.parsed().unit().accept(new ASTVisitor() {
            {
                shouldVisitDeclarators = true;
                shouldVisitEnumerators = true;
                shouldVisitDeclarations = true;
            }

            @Override
            public int visit(org.eclipse.cdt.core.dom.ast.IASTDeclaration d) {
                boolean otherFunction = d instanceof org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition f
                        && f != context.instance.definition();
                return otherFunction || context.positions().file(d).isEmpty() ? PROCESS_SKIP : PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTDeclarator d) {
                if (!Nodes.isNameless(d)) {
                    add(d.getName());
                }
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTEnumerator e) {
                add(e.getName());
                return PROCESS_CONTINUE;
            }
        });
        for (IASTNode n = context.instance.definition(); n != null; n = n.getParent()) {
            if (n instanceof ICPPASTTemplateDeclaration t) {
                for (ICPPASTTemplateParameter p : t.getTemplateParameters()) {
                    switch (p) {
                        case ICPPASTParameterDeclaration d
                        when !Nodes.isNameless(d.getDeclarator()) ->
                            add(d.getDeclarator().getName());
                        case ICPPASTSimpleTypeTemplateParameter s -> {}
                        default -> {}
                    }
                }
            }
        }
    }

    private void add(IASTName name) {
        IBinding b = name.toString().isEmpty() ? null : Nodes.binding(name);
        if (b != null) {
            bindings.put(String.valueOf(name.getLastName().getSimpleID()), b);
        }
    }

    OptionalLong value(String name) {
        String last = name.substring(name.lastIndexOf(':') + 1);
        Long known = given.get(name);
        if (known != null) {
            return OptionalLong.of(known);
        }
        IBinding b = bindings.get(last);
        var n = switch (b) {
            case IEnumerator e -> context.program.constants().of(e, context);
            case IVariable v -> context.program.constants().of(Place.of(v), v.getType(), context.types, context);
            case null -> java.util.Optional.<Long>empty();
            default -> context.types.argumentOf(b);
        };
        return n.isPresent() ? OptionalLong.of(n.get()) : OptionalLong.empty();
    }
}

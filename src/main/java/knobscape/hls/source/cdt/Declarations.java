package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTArrayModifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier.IASTEnumerator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTNamedTypeSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IArrayType;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IParameter;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.ITypedef;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPSpecialization;
import org.jspecify.annotations.Nullable;

/// Where variables are declared, with what size and initial value.
final class Declarations {
    private final Map<IBinding, IASTDeclarator> declarators = new HashMap<>();
    private final Map<IBinding, IASTEnumerator> enumerators = new HashMap<>();

    /// Indexes every declarator of the files a person wrote.
    Declarations(TranslationUnits.Parsed parsed) {
        parsed.unit().accept(new ASTVisitor() {
            {
                shouldVisitDeclarators = true;
                shouldVisitDeclarations = true;
                shouldVisitEnumerators = true;
            }

            @Override
            public int visit(org.eclipse.cdt.core.dom.ast.IASTDeclaration d) {
                return parsed.positions().file(d).isPresent() ? PROCESS_CONTINUE : PROCESS_SKIP;
            }

            @Override
            public int visit(IASTEnumerator e) {
                IBinding b = Nodes.binding(e.getName());
                if (b != null) {
                    enumerators.put(b, e);
                }
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTDeclarator d) {
                if (Nodes.isNameless(d)) {
                    return PROCESS_CONTINUE;
                }
                IBinding b = Nodes.binding(d.getName());
                if (b instanceof IVariable) {
                    // The declaration that says most: with an initialiser, else with a size.
                    declarators.merge(b, d, (old, now) -> rank(now) > rank(old) ? now : old);
                }
                return PROCESS_CONTINUE;
            }
        });
    }

    private static int rank(IASTDeclarator d) {
        IASTNode function = d.getParent();
        while (function != null
                && !(function instanceof IASTFunctionDefinition)
                && !(function instanceof IASTSimpleDeclaration)) {
            function = function.getParent();
        }
        return (d.getInitializer() != null ? 4 : 0)
                + (function instanceof IASTFunctionDefinition ? 2 : 0)
                + (d instanceof IASTArrayDeclarator ? 1 : 0);
    }

    /// Where an enumerator is written; in a template for one of an instance.
    Optional<IASTEnumerator> enumerator(IBinding enumerator) {
        IBinding b = enumerator;
        while (!enumerators.containsKey(b) && b instanceof ICPPSpecialization s && s.getSpecializedBinding() != b) {
            b = s.getSpecializedBinding();
        }
        return Optional.ofNullable(enumerators.get(b));
    }

    /// Declaration of a variable; that of the template's member for a member of an instance.
    Optional<IASTDeclarator> declarator(IBinding variable) {
        IBinding b = variable;
        IASTDeclarator d = declarators.get(b);
        while (d == null && b instanceof ICPPSpecialization s && s.getSpecializedBinding() != b) {
            b = s.getSpecializedBinding();
            d = declarators.get(b);
        }
        return Optional.ofNullable(d);
    }

    /// Specifier in front of a variable's declaration.
    Optional<IASTDeclSpecifier> specifier(IBinding variable) {
        return declarator(variable).map(d -> {
            IASTNode n = d;
            while (n instanceof IASTDeclarator) {
                n = n.getParent();
            }
            return n instanceof IASTSimpleDeclaration s
                    ? s.getDeclSpecifier()
                    : n instanceof IASTParameterDeclaration p ? p.getDeclSpecifier() : null;
        });
    }

    /// The expression a scalar is initialised with.
    Optional<IASTInitializerClause> initial(IBinding variable) {
        return declarator(variable).map(IASTDeclarator::getInitializer).flatMap(Declarations::clause);
    }

    static Optional<IASTInitializerClause> clause(IASTInitializer initializer) {
        return switch (initializer) {
            case IASTEqualsInitializer e -> Optional.ofNullable(e.getInitializerClause());
            case ICPPASTConstructorInitializer c when c.getArguments().length == 1 -> Optional.of(c.getArguments()[0]);
            case IASTInitializerList l when l.getClauses().length == 1 -> Optional.of(l.getClauses()[0]);
            case IASTInitializerList l when l.getClauses().length > 1 -> Optional.of(l);
            case null, default -> Optional.empty();
        };
    }

    /// Whether the variable lives outside all functions and objects.
    boolean isGlobal(IBinding b) {
        if (!(b instanceof IVariable v) || b instanceof IParameter) {
            return false;
        }
        if (b instanceof IField) {
            return v.isStatic();
        }
        try {
            var scope = b.getScope();
            return scope == null
                    || scope.getKind() == org.eclipse.cdt.core.dom.ast.EScopeKind.eGlobal
                    || scope.getKind() == org.eclipse.cdt.core.dom.ast.EScopeKind.eNamespace;
        } catch (org.eclipse.cdt.core.dom.ast.DOMException e) {
            return false;
        }
    }

    /// Sizes as written in the declaration, as far as they are known; 0 for the others.
    List<Long> sizes(IBinding variable, Numbers numbers) {
        var sizes = new ArrayList<Long>();
        Optional<IASTDeclarator> declarator = declarator(variable);
        if (declarator.isPresent() && declarator.get() instanceof IASTArrayDeclarator a) {
            for (IASTArrayModifier m : a.getArrayModifiers()) {
                IASTExpression size = m.getConstantExpression();
                long n = size == null ? 0 : numbers.constant(size).orElse(0L);
                sizes.add(Math.max(0, n));
            }
            // int a[] = {1, 2, 3}
            if (!sizes.isEmpty()
                    && sizes.getFirst() == 0
                    && clause(a.getInitializer()).orElse(null) instanceof IASTInitializerList l) {
                sizes.set(0, (long) l.getSize());
            }
        }
        return sizes;
    }

    /// The array type that a variable is declared by the name of: a parameter of such a type is a pointer to the type
    /// system, and has lost its size.
    Optional<IType> namedArray(IBinding variable) {
        return declarator(variable)
                .filter(d -> d.getPointerOperators().length == 0)
                .flatMap(_ -> specifier(variable))
                .flatMap(s -> s instanceof IASTNamedTypeSpecifier n
                                && Nodes.binding(n.getName()) instanceof ITypedef t
                                && named(t) instanceof IArrayType
                        ? Optional.of(t)
                        : Optional.empty());
    }

    private static @Nullable IType named(ITypedef typedef) {
        IType type = typedef;
        while (type instanceof ITypedef t) {
            type = t.getType();
        }
        return type;
    }
}

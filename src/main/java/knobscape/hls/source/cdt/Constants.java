package knobscape.hls.source.cdt;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier.IASTEnumerator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IEnumerator;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPFunction;
import org.eclipse.cdt.internal.core.dom.parser.ValueFactory;

/// Values that the source fixes: const and constexpr variables, elements of constant tables, constexpr calls.
final class Constants {
    private static final long MAX_TABLE = 1 << 16;
    private final Declarations declarations;
    /// What is being computed, against definitions in circles.
    private final Set<IBinding> open = new HashSet<>();

    Constants(Declarations declarations) {
        this.declarations = declarations;
    }

    /// The number a const variable or member is.
    Optional<Long> of(Place place, IType type, Types types, Numbers numbers) {
        if (!place.path().isEmpty()
                || !(place.root() instanceof IVariable v)
                || !isFixed(v, type, types)
                || !open.add(v)) {
            return Optional.empty();
        }
        try {
            Optional<Long> n = Types.number(v.getInitialValue());
            if (n.isEmpty()) {
                n = declarations.initial(v).flatMap(c -> number(c, numbers));
            }
            return n;
        } finally {
            open.remove(v);
        }
    }

    /// The number an enumerator is; in a template, with its arguments.
    Optional<Long> of(IEnumerator e, Numbers numbers) {
        Optional<Long> n = Types.number(e.getValue());
        Optional<IASTEnumerator> written = n.isPresent() ? Optional.empty() : declarations.enumerator(e);
        if (written.isEmpty() || !open.add(e)) {
            return n;
        }
        try {
            if (written.get().getValue() != null) {
                return numbers.constant(written.get().getValue());
            }
            IASTEnumerator[] all = ((IASTEnumerationSpecifier) written.get().getParent()).getEnumerators();
            int at = List.of(all).indexOf(written.get());
            return at == 0
                    ? Optional.of(0L)
                    : Nodes.binding(all[at - 1].getName()) instanceof IEnumerator before
                            ? of(before, numbers).map(b -> b + 1)
                            : Optional.empty();
        } finally {
            open.remove(e);
        }
    }

    private static boolean isFixed(IVariable v, IType type, Types types) {
        return types.isConst(type) && !types.isPointer(type) && !(v instanceof org.eclipse.cdt.core.dom.ast.IParameter);
    }

    private static Optional<Long> number(IASTInitializerClause clause, Numbers numbers) {
        return clause instanceof IASTExpression e ? numbers.constant(e) : Optional.empty();
    }

    /// An element of a const table with initial values.
    Optional<Long> element(Located.Element e, Numbers numbers) {
        if (!e.array().constant()
                || e.part() != Located.Part.WHOLE
                || e.array().dims().stream().reduce(1L, (a, b) -> Math.min(a * b, MAX_TABLE + 1)) > MAX_TABLE) {
            return Optional.empty();
        }
        Optional<IASTInitializerClause> clause = declarations
                .declarator(e.array().place().root())
                .map(d -> d.getInitializer())
                .flatMap(i -> i instanceof org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer q
                        ? Optional.ofNullable(q.getInitializerClause())
                        : i instanceof IASTInitializerList l ? Optional.of(l) : Optional.empty());
        if (clause.isEmpty()) {
            return Optional.empty();
        }
        IASTInitializerClause c = clause.get();
        List<Value> indices = e.indices();
        for (Value index : indices) {
            if (index.formula().number().isEmpty() || !(c instanceof IASTInitializerList l)) {
                return Optional.empty();
            }
            long i = index.formula().constant();
            IASTInitializerClause[] clauses = l.getClauses();
            if (i < 0 || i >= clauses.length) {
                return Optional.empty();
            }
            c = clauses[(int) i];
        }
        return number(c, numbers);
    }

    /// The value of a call of a constexpr function with constant arguments.
    Optional<Long> call(IASTFunctionCallExpression c, Types types) {
        return Nodes.binding(c.getFunctionNameExpression()) instanceof ICPPFunction f && f.isConstexpr()
                ? types.evaluated(ValueFactory.create(c))
                : Optional.empty();
    }
}

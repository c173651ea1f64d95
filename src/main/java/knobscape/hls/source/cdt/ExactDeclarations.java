package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactStatement;
import knobscape.hls.source.exact.ExactType;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTArrayModifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.jspecify.annotations.Nullable;

/// Reads declarations of variables, and what they are initialised with.
final class ExactDeclarations {
    private final ExactScope scope;
    private final ExactExpressions expressions;

    ExactDeclarations(ExactScope scope, ExactExpressions expressions) {
        this.scope = scope;
        this.expressions = expressions;
    }

    List<ExactStatement> read(IASTDeclaration declaration) {
        var made = new ArrayList<ExactStatement>();
        if (!(declaration instanceof IASTSimpleDeclaration s)) {
            return made;
        }
        if (s.getDeclSpecifier().getStorageClass() == IASTDeclSpecifier.sc_typedef) {
            return made;
        }
        boolean lasting = s.getDeclSpecifier().getStorageClass() == IASTDeclSpecifier.sc_static;
        for (IASTDeclarator d : s.getDeclarators()) {
            IASTDeclarator inner = innermost(d);
            if (inner instanceof IASTFunctionDeclarator || !(Nodes.binding(inner.getName()) instanceof IVariable v)) {
                if (!(inner instanceof IASTFunctionDeclarator)) {
                    throw new NotExact("the declaration of " + inner.getName(), d);
                }
                continue;
            }
            if (ExactTypes.isPrinter(v.getType(), scope.instance.types())) {
                // What is printed into it goes nowhere.
                continue;
            }
            if (lasting) {
                scope.program.global(v, scope, d);
            } else if (ExactTypes.isReference(v.getType(), scope.instance.types())) {
                made.add(reference(v, d));
            } else {
                ExactType t = type(v, inner);
                ExactPlace.Local place = scope.variable(v.getName(), t);
                scope.bind(v, place);
                made.addAll(initial(
                        place, inner.getInitializer() == null ? d.getInitializer() : inner.getInitializer(), d));
            }
        }
        return made;
    }

    private static IASTDeclarator innermost(IASTDeclarator d) {
        IASTDeclarator inner = d;
        while (inner.getNestedDeclarator() != null) {
            inner = inner.getNestedDeclarator();
        }
        return inner;
    }

    private ExactStatement reference(IVariable v, IASTDeclarator d) {
        IASTInitializerClause to =
                Declarations.clause(d.getInitializer()).orElseThrow(() -> new NotExact("a reference to nothing", d));
        Optional<ExactPlace> there = to instanceof IASTExpression e ? expressions.placeOf(e) : Optional.empty();
        var before = new ArrayList<ExactExpression>();
        ExactType target = there.isPresent() ? there.get().type() : scope.type(v.getType(), d);
        ExactPlace place = there.isPresent() ? there.get() : scope.kept(expressions.value(to, target), before);
        var pointer = new ExactType.Pointer(target);
        ExactPlace.Local variable = scope.variable(v.getName(), pointer);
        scope.bind(v, new ExactPlace.Pointee(new ExactExpression.Load(variable), target));
        return new ExactStatement.Evaluate(
                ExactExpressions.after(before, new ExactExpression.Store(variable, scope.address(place, d))),
                scope.program.location(d));
    }

    /// Binds the variable of `for (T x : array)` to an element.
    List<ExactStatement> ofRange(IASTDeclaration declaration, ExactPlace element) {
        if (!(declaration instanceof IASTSimpleDeclaration s)
                || s.getDeclarators().length != 1
                || !(Nodes.binding(s.getDeclarators()[0].getName()) instanceof IVariable v)) {
            throw new NotExact("this loop", declaration);
        }
        if (s.getDeclarators()[0].getPointerOperators().length > 0) {
            scope.bind(v, element);
            return List.of();
        }
        ExactPlace.Local x = scope.variable(v.getName(), element.type());
        scope.bind(v, x);
        return List.of(new ExactStatement.Evaluate(
                new ExactExpression.Store(x, new ExactExpression.Load(element)), scope.program.location(declaration)));
    }

    /// Type of a variable; sizes that the parser does not know are computed, or counted in the initialiser.
    ExactType type(IVariable v, IASTDeclarator d) {
        if (!(d instanceof IASTArrayDeclarator a)) {
            return scope.type(v.getType(), d);
        }
        try {
            return scope.type(v.getType(), d);
        } catch (NotExact e) {
            var sizes = new ArrayList<Long>();
            for (IASTArrayModifier m : a.getArrayModifiers()) {
                sizes.add(
                        m.getConstantExpression() != null
                                ? scope.constant(m.getConstantExpression())
                                : counted(a.getInitializer(), e));
            }
            ExactType t = scope.type(scope.instance.types().innermost(v.getType()), d);
            for (long n : sizes.reversed()) {
                t = ExactTypes.array(t, n, d);
            }
            return t;
        }
    }

    private static long counted(@Nullable IASTInitializer initializer, NotExact otherwise) {
        IASTInitializerClause c = initializer instanceof IASTEqualsInitializer q ? q.getInitializerClause() : null;
        if (c instanceof IASTInitializerList l) {
            return l.getSize();
        }
        if (c instanceof IASTLiteralExpression l && l.getKind() == IASTLiteralExpression.lk_string_literal) {
            return ExactProgramReader.bytesOf(l).length;
        }
        throw otherwise;
    }

    /// Statements that give a new variable its first value.
    List<ExactStatement> initial(ExactPlace place, @Nullable IASTInitializer initializer, IASTNode node) {
        ExactType t = place.type();
        if (inner(t) instanceof ExactType.Stream) {
            return List.of(new ExactStatement.Open(place));
        }
        IASTInitializerClause clause = switch (initializer) {
            case null -> null;
            case IASTEqualsInitializer q -> q.getInitializerClause();
            case IASTInitializerList l -> l;
            case ICPPASTConstructorInitializer c when c.getArguments().length == 1 -> c.getArguments()[0];
            case ICPPASTConstructorInitializer c when c.getArguments().length == 0 -> null;
            default -> throw new NotExact("the initialisation of '" + Nodes.text(node) + "'", node);
        };
        if (clause == null) {
            if (inner(t) instanceof ExactType.Struct s && scope.program.isConstructed(s)) {
                throw new NotExact("a constructor of " + s.name(), node);
            }
            return List.of();
        }
        var made = new ArrayList<ExactStatement>();
        if (t.isAggregate() && clause instanceof IASTInitializerList l) {
            if (inner(t) instanceof ExactType.Struct s && scope.program.isConstructed(s)) {
                throw new NotExact("a constructor of " + s.name(), node);
            }
            made.add(new ExactStatement.Clear(place));
            fill(place, List.of(l.getClauses()).iterator(), made, node, true);
            return made;
        }
        assign(place, clause, made, node);
        return made;
    }

    private static ExactType inner(ExactType t) {
        return t instanceof ExactType.Array a ? inner(a.element()) : t;
    }

    private void assign(ExactPlace place, IASTInitializerClause clause, List<ExactStatement> made, IASTNode node) {
        if (clause instanceof IASTInitializerList l) {
            if (place.type().isAggregate()) {
                fill(place, List.of(l.getClauses()).iterator(), made, node, true);
            } else if (l.getClauses().length == 1) {
                assign(place, l.getClauses()[0], made, node);
            } else if (l.getClauses().length == 0) {
                made.add(new ExactStatement.Clear(place));
            } else {
                throw new NotExact("the initialiser " + Nodes.text(l), l);
            }
            return;
        }
        if (place.type() instanceof ExactType.Array a
                && clause instanceof IASTLiteralExpression l
                && l.getKind() == IASTLiteralExpression.lk_string_literal) {
            byte[] text = ExactProgramReader.bytesOf(l);
            for (int i = 0; i < Math.min(text.length, a.length()); i++) {
                store(element(place, a, i), ExactExpression.Whole.of(text[i], new ExactType.Int(8, true)), made, l);
            }
            return;
        }
        ExactExpression v = expressions.value(clause);
        if (place.type() instanceof ExactType.Struct s && !v.type().equals(s)) {
            throw new NotExact("a constructor of " + s.name(), clause);
        }
        store(place, scope.arithmetic.convert(v, place.type(), clause), made, clause);
    }

    private void store(ExactPlace place, ExactExpression v, List<ExactStatement> made, IASTNode node) {
        made.add(new ExactStatement.Evaluate(
                new ExactExpression.Store(place, scope.arithmetic.convert(v, place.type(), node)),
                scope.program.location(node)));
    }

    private static ExactPlace element(ExactPlace array, ExactType.Array a, int i) {
        return new ExactPlace.Element(array, ExactExpression.Whole.of(i, ExactType.INT), a.element());
    }

    /// Fills an array or structure from a list; inner braces may be missing, then the elements are taken from
    /// the outer list.
    private void fill(
            ExactPlace place,
            Iterator<IASTInitializerClause> clauses,
            List<ExactStatement> made,
            IASTNode node,
            boolean braced) {
        switch (place.type()) {
            case ExactType.Array a -> {
                for (int i = 0; i < a.length() && clauses.hasNext(); i++) {
                    take(element(place, a, i), clauses, made, node);
                }
            }
            case ExactType.Struct s -> {
                for (ExactType.Field f : s.fields()) {
                    if (clauses.hasNext()) {
                        take(new ExactPlace.Member(place, f), clauses, made, node);
                    }
                }
            }
            default -> throw new NotExact("the initialiser " + Nodes.text(node), node);
        }
        if (braced && clauses.hasNext()) {
            throw new NotExact("an initialiser with more elements than fit", node);
        }
    }

    private void take(
            ExactPlace place, Iterator<IASTInitializerClause> clauses, List<ExactStatement> made, IASTNode node) {
        IASTInitializerClause c = clauses.next();
        if (c instanceof org.eclipse.cdt.core.dom.ast.c.ICASTDesignatedInitializer
                || c instanceof org.eclipse.cdt.core.dom.ast.cpp.ICPPASTDesignatedInitializer) {
            throw new NotExact("a designated initialiser", c);
        }
        boolean whole = c instanceof IASTInitializerList
                || !place.type().isAggregate()
                || (c instanceof IASTLiteralExpression l && l.getKind() == IASTLiteralExpression.lk_string_literal);
        if (whole) {
            assign(place, c, made, node);
            return;
        }
        if (place.type() instanceof ExactType.Struct s
                && c instanceof IASTExpression e
                && expressions.placeOf(e).filter(p -> p.type().equals(s)).isPresent()) {
            assign(place, c, made, node);
            return;
        }
        var rest = new ArrayList<IASTInitializerClause>();
        rest.add(c);
        fill(place, new Joined(rest.iterator(), clauses), made, node, false);
    }

    /// One iterator, then another.
    private record Joined(Iterator<IASTInitializerClause> first, Iterator<IASTInitializerClause> second)
            implements Iterator<IASTInitializerClause> {
        @Override
        public boolean hasNext() {
            return first.hasNext() || second.hasNext();
        }

        @Override
        public IASTInitializerClause next() {
            return first.hasNext() ? first.next() : second.next();
        }
    }
}

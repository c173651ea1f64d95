package knobscape.hls.source.cdt;

import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IProblemBinding;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.internal.core.dom.parser.cpp.ICPPInternalBinding;
import org.jspecify.annotations.Nullable;

/// Small questions about syntax nodes.
final class Nodes {
    private Nodes() {}

    /// Without parentheses.
    static IASTExpression strip(IASTExpression e) {
        IASTExpression x = e;
        while (x instanceof IASTUnaryExpression u
                && (u.getOperator() == IASTUnaryExpression.op_bracketedPrimary
                        || u.getOperator() == IASTUnaryExpression.op_plus)) {
            x = u.getOperand();
        }
        return x;
    }

    /// What the expression's name means; null where it has none or the parser does not know.
    static @Nullable IBinding binding(IASTExpression e) {
        IASTExpression x = strip(e);
        IASTName name = x instanceof IASTIdExpression id
                ? id.getName()
                : x instanceof IASTFieldReference f ? f.getFieldName() : null;
        return name == null ? null : binding(name);
    }

    static @Nullable IBinding binding(IASTName name) {
        IBinding b = name.resolveBinding();
        return b instanceof IProblemBinding ? null : b;
    }

    /// A name without its template arguments and what qualifies it.
    static String simple(IASTName name) {
        return String.valueOf(name.getLastName().getSimpleID());
    }

    /// The name of a function, whatever stands around it in its declarator.
    static IASTName nameOf(IASTFunctionDefinition f) {
        IASTDeclarator inner = f.getDeclarator();
        while (inner.getNestedDeclarator() != null) {
            inner = inner.getNestedDeclarator();
        }
        return inner.getName();
    }

    /// Whether a declarator declares nothing: `int *` as a type, the parameters of a lambda.
    static boolean isNameless(IASTDeclarator d) {
        return d.getName() == null || d.getName().toString().isEmpty();
    }

    /// The lambda that a call's function name stands for: a variable initialised with one, or itself.
    static Optional<ICPPASTLambdaExpression> lambda(IASTExpression name) {
        IASTExpression x = strip(name);
        if (x instanceof ICPPASTLambdaExpression l) {
            return Optional.of(l);
        }
        return binding(x) instanceof ICPPInternalBinding b
                        && b instanceof IVariable
                        && b.getDefinition() instanceof IASTNode n
                        && (n instanceof IASTDeclarator ? n : n.getParent()) instanceof IASTDeclarator d
                        && Declarations.clause(d.getInitializer()).orElse(null) instanceof ICPPASTLambdaExpression l
                ? Optional.of(l)
                : Optional.empty();
    }

    static boolean isThis(IASTExpression e) {
        return strip(e) instanceof IASTLiteralExpression l && l.getKind() == IASTLiteralExpression.lk_this;
    }

    static boolean isLoop(IASTNode n) {
        return n instanceof IASTForStatement
                || n instanceof IASTWhileStatement
                || n instanceof IASTDoStatement
                || n instanceof ICPPASTRangeBasedForStatement;
    }

    static boolean containsLoop(IASTNode code) {
        boolean[] found = {false};
        code.accept(new ASTVisitor() {
            {
                shouldVisitStatements = true;
            }

            @Override
            public int visit(IASTStatement s) {
                found[0] |= isLoop(s);
                return found[0] ? PROCESS_ABORT : PROCESS_CONTINUE;
            }
        });
        return found[0];
    }

    /// Source text of a node, short enough for a message.
    static String text(IASTNode node) {
        String s = node.getRawSignature().replaceAll("\\s+", " ").strip();
        return s.length() <= 60 ? s : s.substring(0, 57) + "...";
    }
}

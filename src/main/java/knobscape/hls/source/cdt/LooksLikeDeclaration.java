package knobscape.hls.source.cdt;

import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;

/// Recognises `name < x > y;` as a statement: a declaration whose template type is not known.
final class LooksLikeDeclaration {
    private LooksLikeDeclaration() {}

    static boolean test(IASTExpressionStatement s) {
        IASTExpression e = s.getExpression();
        if (!(e instanceof IASTBinaryExpression outer
                && outer.getOperator() == IASTBinaryExpression.op_greaterThan
                && outer.getOperand1() instanceof IASTBinaryExpression inner
                && inner.getOperator() == IASTBinaryExpression.op_lessThan)) {
            return false;
        }
        IASTExpression declared = outer.getOperand2();
        while (declared instanceof IASTArraySubscriptExpression a) {
            declared = a.getArrayExpression();
        }
        return inner.getOperand1() instanceof IASTIdExpression && declared instanceof IASTIdExpression;
    }
}

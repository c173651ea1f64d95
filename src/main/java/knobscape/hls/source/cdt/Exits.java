package knobscape.hls.source.cdt;

import java.util.HashSet;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;

/// Ways out of a loop's body.
///
/// @param leavesLoop whether a break, return or goto may end the loop
/// @param leavesIteration whether one of these or a continue may end an iteration early
record Exits(boolean leavesLoop, boolean leavesIteration) {

    static Exits of(IASTStatement body) {
        Set<String> labels = new HashSet<>();
        body.accept(new ASTVisitor() {
            {
                shouldVisitStatements = true;
            }

            @Override
            public int visit(IASTStatement s) {
                if (s instanceof IASTLabelStatement l) {
                    labels.add(l.getName().toString());
                }
                return PROCESS_CONTINUE;
            }
        });
        boolean[] found = new boolean[2];
        body.accept(new ASTVisitor() {
            {
                shouldVisitStatements = true;
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                return e instanceof ICPPASTLambdaExpression ? PROCESS_SKIP : PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTStatement s) {
                switch (s) {
                    case IASTReturnStatement r -> found[0] = true;
                    case IASTGotoStatement g ->
                        found[labels.contains(g.getName().toString()) ? 1 : 0] = true;
                    case IASTBreakStatement b -> found[0] |= !caught(b, body, true);
                    case IASTContinueStatement c -> found[1] |= !caught(c, body, false);
                    default -> {}
                }
                return PROCESS_CONTINUE;
            }
        });
        return new Exits(found[0], found[0] || found[1]);
    }

    /// Whether a loop (or switch, for a break) inside `body` catches the jump.
    private static boolean caught(IASTNode jump, IASTNode body, boolean bySwitch) {
        for (IASTNode n = jump; n != null; n = n.getParent()) {
            if (n != jump && (Nodes.isLoop(n) || (bySwitch && n instanceof IASTSwitchStatement))) {
                return true;
            }
            if (n == body) {
                return false;
            }
        }
        return false;
    }
}

package knobscape.hls.source.cdt;

import knobscape.evaluate.UserError;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;

/// Refuses loops that nest deeper than any kernel: the work for each grows with the loops around it.
final class Nesting extends ASTVisitor {
    /// Most loops around one another.
    static final int MOST_LOOPS = 64;

    private final TranslationUnits.Parsed parsed;
    private int depth;
    private int levels;

    private Nesting(TranslationUnits.Parsed parsed) {
        this.parsed = parsed;
        shouldVisitStatements = true;
        shouldVisitExpressions = true;
    }

    /// Throws a [UserError] that names the first loop that stands too deep.
    static void check(TranslationUnits.Parsed parsed) {
        parsed.unit().accept(new Nesting(parsed));
    }

    @Override
    public int visit(IASTStatement s) {
        enter(s);
        if (isLoop(s) && ++depth > MOST_LOOPS) {
            throw new UserError(parsed.positions().of(s) + ": this loop stands in " + MOST_LOOPS + " others; at most "
                    + MOST_LOOPS + " loops may nest, move the inner ones out.");
        }
        return PROCESS_CONTINUE;
    }

    @Override
    public int leave(IASTStatement s) {
        levels--;
        if (isLoop(s)) {
            depth--;
        }
        return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTExpression e) {
        enter(e);
        return PROCESS_CONTINUE;
    }

    @Override
    public int leave(IASTExpression e) {
        levels--;
        return PROCESS_CONTINUE;
    }

    private void enter(IASTNode n) {
        if (++levels > Budget.LEVELS) {
            throw Budget.exceeded(
                    parsed.positions().of(n).toString(),
                    "statements and expressions nest in more than " + Budget.LEVELS + " levels",
                    "split the longest one");
        }
    }

    private static boolean isLoop(IASTStatement s) {
        return s instanceof IASTForStatement
                || s instanceof IASTWhileStatement
                || s instanceof IASTDoStatement
                || s instanceof ICPPASTRangeBasedForStatement;
    }
}

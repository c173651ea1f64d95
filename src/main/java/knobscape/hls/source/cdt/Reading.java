package knobscape.hls.source.cdt;

import java.util.List;
import knobscape.hls.source.ScalarType;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;

/// Reads any expression: what the readers of particular ones ask for their operands.
interface Reading {
    /// Reads one expression. Increments behind a variable happen when [FunctionContext#finish()] is called.
    Value read(IASTExpression expression);

    /// Reads an initialiser clause that is an expression; the first of a braced list with one.
    Value read(IASTInitializerClause clause);

    /// The members of an object side by side, as a list or the arguments of a constructor give them: wires.
    Value joined(List<? extends IASTInitializerClause> members, ScalarType type);
}

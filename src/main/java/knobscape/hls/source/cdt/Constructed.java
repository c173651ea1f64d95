package knobscape.hls.source.cdt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorChainInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionDefinition;
import org.eclipse.cdt.internal.core.dom.parser.cpp.CPPASTInitializerList;

/// What a constructor puts into the members of its object as it was given.
final class Constructed {
    private static final IASTInitializerClause NOTHING = new CPPASTInitializerList();

    private Constructed() {}

    /// The arguments by the members that get them unchanged: `coefficients(c)` and `this->coefficients = c;`.
    ///
    /// @param given arguments of the constructor
    static Map<IField, IASTExpression> members(Instance constructor, IASTInitializerClause[] given) {
        var found = new LinkedHashMap<IField, IASTExpression>();
        List<IVariable> formals = FunctionReader.parameters(constructor);
        if (constructor.definition() instanceof ICPPASTFunctionDefinition d) {
            for (ICPPASTConstructorChainInitializer n : d.getMemberInitializers()) {
                if (Nodes.binding(n.getMemberInitializerId()) instanceof IField f) {
                    IASTInitializerClause[] value = TaskCalls.given(n.getInitializer());
                    if (value.length == 1 && value[0] instanceof IASTExpression e) {
                        argument(e, formals, given).ifPresent(a -> found.put(f, a));
                    }
                }
            }
        }
        if (constructor.definition().getBody() instanceof IASTCompoundStatement body) {
            for (IASTStatement s : body.getStatements()) {
                if (s instanceof IASTExpressionStatement x
                        && Nodes.strip(x.getExpression()) instanceof IASTBinaryExpression b
                        && b.getOperator() == IASTBinaryExpression.op_assign
                        && Nodes.binding(b.getOperand1()) instanceof IField f) {
                    argument(b.getOperand2(), formals, given).ifPresent(a -> found.put(f, a));
                }
            }
        }
        return found;
    }

    /// What the constructor of a member gets, as the object's own was given it; what it gets otherwise is left out.
    static IASTInitializerClause[] passedOn(
            Instance constructor, IASTInitializerClause[] given, IASTInitializerClause[] inner) {
        List<IVariable> formals = FunctionReader.parameters(constructor);
        return Stream.of(inner)
                .map(c -> c instanceof IASTExpression e
                        ? argument(e, formals, given)
                                .<IASTInitializerClause>map(x -> x)
                                .orElse(NOTHING)
                        : NOTHING)
                .toArray(IASTInitializerClause[]::new);
    }

    private static Optional<IASTExpression> argument(
            IASTExpression value, List<IVariable> formals, IASTInitializerClause[] given) {
        int i = Nodes.binding(value) instanceof IVariable v ? formals.indexOf(v) : -1;
        return i >= 0 && i < given.length && given[i] instanceof IASTExpression e ? Optional.of(e) : Optional.empty();
    }
}

package knobscape.hls.source.cdt;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTTypeIdInitializerExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeConstructorExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMethod;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPSpecialization;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateInstance;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateParameter;
import org.jspecify.annotations.Nullable;

/// Calls that do not look like calls of what they run: tasks of a library (`task().invoke(f, a)` of TAPA,
/// `hls::task t(f, a)` and `t(f, a)` of Vitis HLS, threads of simulations), and objects that are called (`filter(x)`).
final class TaskCalls {
    private final Set<IBinding> defined;
    private final Types types;

    /// @param defined functions with a body in this source
    TaskCalls(Set<IBinding> defined, Widths widths) {
        this.defined = defined;
        this.types = new Types(Optional.empty(), widths);
    }

    /// Whether the call has a task run its first argument.
    boolean isInvoke(IASTFunctionCallExpression c) {
        IASTExpression name = Nodes.strip(c.getFunctionNameExpression());
        boolean invokes = name instanceof IASTFieldReference f
                && Nodes.simple(f.getFieldName()).startsWith("invoke");
        return c.getArguments().length > 0
                && isDefined(c.getArguments()[0])
                && (invokes
                        || (!(Nodes.binding(name) instanceof IFunction) && isTask(name.getExpressionType()))
                        || (isVariadic(Nodes.binding(name)) && takesRest(c)));
    }

    /// Whether it is a function template that takes any arguments, as one does that has a thread run a function.
    private static boolean isVariadic(@Nullable IBinding called) {
        return called instanceof ICPPTemplateInstance i
                && Arrays.stream(i.getTemplateDefinition().getTemplateParameters())
                        .anyMatch(ICPPTemplateParameter::isParameterPack);
    }

    /// Whether the first argument is a function of as many parameters as there are other arguments.
    private static boolean takesRest(IASTFunctionCallExpression c) {
        return Nodes.binding((IASTExpression) c.getArguments()[0]) instanceof IFunction f
                && f.getParameters().length == c.getArguments().length - 1;
    }

    /// The arguments that the tasks of a declaration are given, each with its function first: once for
    /// `hls::task t(f, a)`, once for each of an array `hls::task t[2]{{f, a}, hls::task(g, b)}`.
    List<IASTInitializerClause[]> started(IASTDeclarator d) {
        return !Nodes.isNameless(d)
                        && Nodes.binding(d.getName()) instanceof IVariable v
                        && isTask(types.innermost(v.getType()))
                ? started(d.getInitializer())
                : List.of();
    }

    private List<IASTInitializerClause[]> started(@Nullable IASTNode initial) {
        IASTInitializerClause[] given = given(initial);
        if (given.length > 0 && isDefined(given[0])) {
            return List.<IASTInitializerClause[]>of(given);
        }
        return Arrays.stream(given).flatMap(g -> started(g).stream()).toList();
    }

    /// What an initializer, or the making of an object in one, is given.
    static IASTInitializerClause[] given(@Nullable IASTNode initial) {
        return switch (initial) {
            case ICPPASTConstructorInitializer c -> c.getArguments();
            case IASTInitializerList l -> l.getClauses();
            case IASTEqualsInitializer e -> new IASTInitializerClause[] {e.getInitializerClause()};
            case IASTFunctionCallExpression c -> c.getArguments();
            case ICPPASTSimpleTypeConstructorExpression c -> {
                // `hls::task(f, a)` is parsed as the one or the other.
                IASTInitializer i = c.getInitializer();
                yield i instanceof ICPPASTConstructorInitializer k
                        ? k.getArguments()
                        : i instanceof IASTInitializerList l ? l.getClauses() : new IASTInitializerClause[0];
            }
            case IASTTypeIdInitializerExpression c ->
                c.getInitializer() instanceof IASTInitializerList l ? l.getClauses() : new IASTInitializerClause[0];
            case null, default -> new IASTInitializerClause[0];
        };
    }

    /// What comes behind the function.
    static IASTInitializerClause[] behind(IASTInitializerClause[] arguments) {
        return Arrays.copyOfRange(arguments, 1, arguments.length);
    }

    /// The `operator()` of a class of this source that a call of an object calls; null for any other call.
    static @Nullable IBinding operator(IASTFunctionCallExpression c) {
        return isObject(c)
                        && c instanceof ICPPASTFunctionCallExpression call
                        && call.getOverload() instanceof ICPPMethod m
                ? m
                : null;
    }

    /// Whether what is called is an object, no function.
    static boolean isObject(IASTFunctionCallExpression c) {
        IASTExpression name = Nodes.strip(c.getFunctionNameExpression());
        return !(name instanceof IASTIdExpression || name instanceof IASTFieldReference)
                || Nodes.binding(name) instanceof IVariable;
    }

    private boolean isTask(@Nullable IType type) {
        return type != null && types.isNamed(type, "task");
    }

    private boolean isDefined(IASTInitializerClause clause) {
        return clause instanceof IASTExpression e
                && Nodes.binding(e) instanceof IBinding b
                && (defined.contains(b)
                        || (b instanceof ICPPSpecialization s && defined.contains(s.getSpecializedBinding())));
    }
}

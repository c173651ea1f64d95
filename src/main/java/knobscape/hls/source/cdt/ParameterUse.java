package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import knobscape.hls.source.Access;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPField;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMethod;

/// What a function does with the one variable or element that a parameter of it refers to, by reference or by address,
/// and a method with its object.
final class ParameterUse extends ASTVisitor {
    private static final Set<String> STREAM_READS = Set.of("read", "read_nb", "try_read");

    private final Predicate<IBinding> meant;
    private final boolean object;
    private final Instance function;
    private final Program program;
    private final Assignments assignments;
    private boolean read;
    private boolean written;

    private ParameterUse(Predicate<IBinding> meant, boolean object, Instance function, Program program) {
        this.meant = meant;
        this.object = object;
        this.function = function;
        this.program = program;
        this.assignments = new Assignments(function.types(), program.parsed().cpp());
        shouldVisitExpressions = true;
    }

    /// Whether the function reads what the parameter refers to, writes it, or both; empty where it does not use it.
    static Optional<Access.Kind> of(IVariable parameter, Instance function, Program program) {
        return new ParameterUse(parameter::equals, false, function, program).found();
    }

    /// Whether a method reads members of its object, writes them, or both.
    static Optional<Access.Kind> ofObject(Instance method, Program program) {
        return new ParameterUse(b -> b instanceof ICPPField f && !f.isStatic(), true, method, program).found();
    }

    private Optional<Access.Kind> found() {
        function.definition().accept(this);
        return read && written
                ? Optional.of(Access.Kind.READ_WRITE)
                : written ? Optional.of(Access.Kind.WRITE) : read ? Optional.of(Access.Kind.READ) : Optional.empty();
    }

    @Override
    public int visit(IASTExpression e) {
        boolean member = object && e instanceof IASTFieldReference f && Nodes.isThis(f.getFieldOwner());
        if (e instanceof IASTIdExpression || member) {
            IBinding b = Nodes.binding(e);
            if (b != null && meant.test(b)) {
                met(e);
            } else if (object
                    && b instanceof ICPPMethod m
                    && !m.isStatic()
                    && e.getParent() instanceof IASTFunctionCallExpression c
                    && c.getFunctionNameExpression() == e) {
                add(program.callee(c, function)
                        .map(i -> i.useOfObject(program))
                        .orElse(Optional.of(Access.Kind.READ_WRITE)));
            }
        } else if (object && Nodes.isThis(e) && !(e.getParent() instanceof IASTFieldReference)) {
            add(Optional.of(Access.Kind.READ_WRITE));
        }
        return PROCESS_CONTINUE;
    }

    private void add(Optional<Access.Kind> use) {
        read |= use.isPresent() && use.get() != Access.Kind.WRITE;
        written |= use.isPresent() && use.get() != Access.Kind.READ;
    }

    private void met(IASTExpression name) {
        IASTExpression e = name;
        boolean part = false;
        while (e.getParent() instanceof IASTExpression around && isPartOf(around, e)) {
            // Some bits of a number: its others stay.
            part |= around instanceof IASTArraySubscriptExpression;
            e = around;
        }
        IASTNode user = e.getParent();
        switch (user) {
            case IASTBinaryExpression b
            when Assignments.isAssignment(b.getOperator()) -> {
                boolean target = b.getOperand1().contains(name);
                written |= target;
                read |= !target || part || b.getOperator() != IASTBinaryExpression.op_assign || isUsed(b);
            }
            case IASTUnaryExpression u
            when isStep(u.getOperator()) -> {
                written = true;
                read = true;
            }
            case IASTFunctionCallExpression c -> call(c, e);
            case IASTBinaryExpression _, IASTUnaryExpression _ -> {
                read = true;
                written |= isChanged((IASTExpression) user);
            }
            // A method may change its object.
            case IASTFieldReference _ -> {
                read = true;
                written = true;
            }
            default -> {
                read = true;
                // `T &other = x`
                written |= user instanceof IASTInitializer
                        && user.getParent() instanceof IASTDeclarator d
                        && d.getPointerOperators().length > 0;
            }
        }
    }

    /// It is passed on.
    private void call(IASTFunctionCallExpression c, IASTExpression argument) {
        boolean taken = Nodes.strip(c.getFunctionNameExpression()) instanceof IASTFieldReference f
                && STREAM_READS.contains(Nodes.simple(f.getFieldName()));
        Optional<Instance> callee = program.tasks().isInvoke(c) ? Optional.empty() : program.callee(c, function);
        int index = List.of(c.getArguments()).indexOf(argument);
        if (callee.isPresent() && index >= 0) {
            List<IVariable> formals = FunctionReader.parameters(callee.get());
            if (index < formals.size() && refers(callee.get(), formals.get(index))) {
                add(callee.get().use(formals.get(index), program));
                return;
            }
        }
        read |= !taken;
        written |= isChanged(c);
    }

    private static boolean refers(Instance callee, IVariable formal) {
        return callee.types().isWritableReference(formal.getType())
                || callee.types().isPointer(formal.getType());
    }

    private boolean isChanged(IASTExpression e) {
        return assignments.places(e).stream().anyMatch(p -> meant.test(p.root()));
    }

    /// Whether `around` names what `e` refers to, or a part of it.
    private static boolean isPartOf(IASTExpression around, IASTExpression e) {
        return switch (around) {
            case IASTUnaryExpression u ->
                u.getOperator() == IASTUnaryExpression.op_star
                        || u.getOperator() == IASTUnaryExpression.op_bracketedPrimary;
            case IASTArraySubscriptExpression s -> s.getArrayExpression() == e;
            // `*(float *) p`
            case IASTCastExpression c -> c.getParent() instanceof IASTUnaryExpression;
            case IASTFieldReference f ->
                f.getFieldOwner() == e
                        && !(f.getParent() instanceof IASTFunctionCallExpression c
                                && c.getFunctionNameExpression() == f);
            default -> false;
        };
    }

    private static boolean isStep(int operator) {
        return operator == IASTUnaryExpression.op_prefixIncr
                || operator == IASTUnaryExpression.op_prefixDecr
                || operator == IASTUnaryExpression.op_postFixIncr
                || operator == IASTUnaryExpression.op_postFixDecr;
    }

    /// `y = (x = 1)`
    private static boolean isUsed(IASTBinaryExpression b) {
        return b.getParent() instanceof IASTExpression;
    }
}

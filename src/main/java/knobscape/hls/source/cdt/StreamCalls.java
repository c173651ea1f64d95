package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IBasicType;
import org.eclipse.cdt.core.dom.ast.IType;

/// Reads what is asked of streams: their methods and operators, and the channels of memories.
final class StreamCalls {
    private static final Set<String> MEMORY_CHANNELS =
            Set.of("read_addr", "read_data", "write_addr", "write_data", "write_resp");
    private final FunctionContext context;
    private final Reading expressions;
    private final Locator locator;
    private final Memory memory;

    StreamCalls(FunctionContext context, Reading expressions, Locator locator, Memory memory) {
        this.context = context;
        this.expressions = expressions;
        this.locator = locator;
        this.memory = memory;
    }

    Value method(IASTFunctionCallExpression c, Located.Stream s, String method) {
        IASTInitializerClause[] a = c.getArguments();
        switch (method) {
            case "read", "read_nb", "try_read" -> {
                return given(c, method, take(s, c), s.array().element());
            }
            case "write", "write_nb", "try_write" -> {
                memory.store(s, a.length == 1 ? expressions.read(a[0]) : Value.of(0), Access.Kind.WRITE, c);
                return room();
            }
            default -> {
                return state();
            }
        }
    }

    /// What was read, handed over as the method does: as its value, or through its argument.
    private Value given(IASTFunctionCallExpression c, String method, Value v, ScalarType element) {
        IASTInitializerClause[] a = c.getArguments();
        // read(nullptr) and read(succeeded) of a task library take no value through their argument.
        boolean through = a.length == 1 && (!method.equals("read") || isValue(a[0], element));
        if (through && a[0] instanceof IASTExpression target) {
            memory.store(locator.locate(target), v, Access.Kind.WRITE, target);
            return new Value(
                    new Expression.Operation(OperationKind.OTHER, List.of(), Widths.BOOL),
                    context.unknown("whether a stream has data"));
        }
        context.assignments.places(c).forEach(context.environment::forget);
        return v;
    }

    private Value room() {
        return new Value(new Expression.Constant(1, Widths.BOOL), context.unknown("whether a stream has room"));
    }

    private Value state() {
        return new Value(
                new Expression.Operation(OperationKind.OTHER, List.of(), Widths.BOOL),
                context.unknown("state of a stream"));
    }

    /// A method of a channel of TAPA's `async_mmap`, which is a memory: what comes from `read_data` is read from it,
    /// what goes to `write_data` is written to it, at addresses that went to other channels before.
    Optional<Value> ofMemory(IASTFunctionCallExpression c, IASTFieldReference f, String method) {
        if (!(Nodes.strip(f.getFieldOwner()) instanceof IASTFieldReference channel)
                || !MEMORY_CHANNELS.contains(Nodes.simple(channel.getFieldName()))
                || Nodes.binding(channel) != null
                || !(locator.locate(channel.getFieldOwner()) instanceof Located.Row memoryRow)
                || !(locator.indexed(
                                memoryRow,
                                new Value(
                                        new Expression.Constant(0, Widths.LONG),
                                        context.unknown("the address that was asked for")))
                        instanceof Located.Element element)) {
            return Optional.empty();
        }
        boolean writes = method.endsWith("write");
        Optional<Value> put = writes && c.getArguments().length == 1
                ? Optional.of(expressions.read(c.getArguments()[0]))
                : Optional.empty();
        String name = Nodes.simple(channel.getFieldName());
        if (name.equals("read_data") && method.endsWith("read")) {
            return Optional.of(given(c, method, memory.load(element, c, Access.Kind.READ), element.element()));
        }
        if (name.equals("write_data") && put.isPresent()) {
            memory.store(element, put.get(), Access.Kind.WRITE, c);
            return Optional.of(room());
        }
        context.assignments.places(c).forEach(context.environment::forget);
        return Optional.of(state());
    }

    private static boolean isValue(IASTInitializerClause argument, ScalarType element) {
        return !(argument instanceof IASTLiteralExpression)
                && !(element.kind() != Kind.BOOL
                        && argument instanceof IASTExpression e
                        && e.getExpressionType() instanceof IBasicType t
                        && t.getKind() == IBasicType.Kind.eBoolean);
    }

    private Value take(Located.Stream s, IASTNode node) {
        s.array().markRead();
        return new Value(
                new Expression.ArrayRead(
                        memory.streamAccess(s, Access.Kind.READ, node),
                        s.indices().stream().map(Value::expression).toList(),
                        s.array().element()),
                context.unknown("read from " + s.array().name()));
    }

    /// Whether `b` reads from or writes to a stream with an operator.
    boolean isOperator(IASTBinaryExpression b) {
        if ((b.getOperator() != IASTBinaryExpression.op_shiftLeft
                        && b.getOperator() != IASTBinaryExpression.op_shiftRight)
                || !context.program.parsed().cpp()) {
            return false;
        }
        IType t = leftmost(b).getExpressionType();
        return t != null
                && (context.types.streamElement(t).isPresent()
                        || context.types.isNamed(t, "ostream")
                        || context.types.isNamed(t, "istream")
                        || context.types.isNamed(t, "ofstream")
                        || context.types.isNamed(t, "ifstream"));
    }

    private static IASTExpression leftmost(IASTBinaryExpression b) {
        IASTExpression e = b.getOperand1();
        while (Nodes.strip(e) instanceof IASTBinaryExpression inner && inner.getOperator() == b.getOperator()) {
            e = inner.getOperand1();
        }
        return Nodes.strip(e);
    }

    /// `s << v` and `s >> x`; printing is ignored.
    Value operator(IASTBinaryExpression b) {
        if (locator.locate(leftmost(b)) instanceof Located.Stream s && Nodes.strip(b.getOperand1()) == leftmost(b)) {
            if (b.getOperator() == IASTBinaryExpression.op_shiftRight) {
                return memory.store(locator.locate(b.getOperand2()), take(s, b), Access.Kind.WRITE, b);
            }
            return memory.store(s, expressions.read(b.getOperand2()), Access.Kind.WRITE, b);
        }
        return new Value(new Expression.Constant(0, ScalarType.INT), context.unknown("an output"));
    }
}

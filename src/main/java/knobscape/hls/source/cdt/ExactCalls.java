package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactExpression.Channel;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Int;
import knobscape.hls.source.exact.ExactType.Real;
import knobscape.hls.source.interpret.LibraryCode;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPConstructor;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateTypeParameter;

/// Reads calls exactly: of functions of the source, of the C library, of methods of the vendor's types.
final class ExactCalls {
    private final ExactScope scope;
    private final ExactExpressions expressions;

    ExactCalls(ExactScope scope, ExactExpressions expressions) {
        this.scope = scope;
        this.expressions = expressions;
    }

    /// Where the result of a call stands: of a function that returns a reference, of `x.range(8, 4)`.
    Optional<ExactPlace> place(IASTFunctionCallExpression c) {
        Optional<Instance> callee = callee(c);
        if (callee.isPresent()) {
            var signature = scope.program.signature(callee.get(), c);
            return signature.reference()
                    ? Optional.of(expressions.pointee(internal(c, callee.get()), c))
                    : Optional.empty();
        }
        return bits(c);
    }

    private Optional<Instance> callee(IASTFunctionCallExpression c) {
        if (scope.program.program().tasks().isInvoke(c)) {
            throw new NotExact("a task that runs beside others", c);
        }
        Optional<Instance> callee = scope.program.program().callee(c, scope.instance);
        if (callee.isPresent() && TaskCalls.isObject(c)) {
            throw new NotExact("an object that is called", c);
        }
        return callee;
    }

    ExactExpression call(IASTFunctionCallExpression c) {
        Optional<Instance> callee = callee(c);
        if (callee.isPresent()) {
            return internal(c, callee.get());
        }
        IASTExpression f = c.getFunctionNameExpression();
        if (f instanceof IASTFieldReference r) {
            return method(c, r);
        }
        if (f instanceof IASTIdExpression id) {
            IBinding b = scope.instance.types().resolved(id.getName().resolveBinding());
            if (b instanceof ICPPConstructor k) {
                return converted(k.getClassOwner(), c);
            }
            if (b instanceof IType t) {
                return converted(t, c);
            }
            return library(c, id.getName());
        }
        throw new NotExact("the call " + Nodes.text(c), c);
    }

    private ExactExpression converted(Object type, IASTFunctionCallExpression c) {
        if (!(type instanceof IType t)
                || (type instanceof ICPPTemplateTypeParameter
                        && scope.instance.arguments().isEmpty())) {
            throw new NotExact("the call " + Nodes.text(c), c);
        }
        IASTInitializerClause[] a = c.getArguments();
        if (a.length > 1) {
            throw new NotExact("the construction " + Nodes.text(c), c);
        }
        return expressions.made(scope.type(t, c), a.length == 0 ? Optional.empty() : Optional.of(a[0]), c);
    }

    private ExactExpression internal(IASTFunctionCallExpression c, Instance callee) {
        List<ExactExpression> before = new ArrayList<>();
        var arguments = new ArrayList<ExactExpression>();
        Optional<ExactType.Struct> self = Optional.empty();
        if (callee.isMethod()) {
            ExactExpression object = c.getFunctionNameExpression() instanceof IASTFieldReference r
                    ? scope.address(expressions.owner(r), c)
                    : scope.thisAddress(c);
            arguments.add(object);
            if (!(object.type() instanceof ExactType.Pointer p) || !(p.target() instanceof ExactType.Struct s)) {
                throw new NotExact("the call " + Nodes.text(c), c);
            }
            self = Optional.of(s);
        }
        ExactProgramReader.Signature signature = scope.program.signature(callee, c);
        IASTInitializerClause[] given = c.getArguments();
        if (given.length > signature.parameters().size()) {
            throw new NotExact("a call with more arguments than '" + callee.name() + "' has parameters", c);
        }
        for (int i = 0; i < signature.parameters().size(); i++) {
            ExactProgramReader.Parameter p = signature.parameters().get(i);
            IASTInitializerClause a = i < given.length
                    ? given[i]
                    : Declarations.clause(p.declarator().getInitializer())
                            .orElseThrow(() -> new NotExact("a call with too few arguments", c));
            arguments.add(p.reference() ? reference(a, p.target(), before) : expressions.value(a, p.type()));
        }
        int function = scope.program.function(callee, self);
        ExactType result = signature.reference() ? new ExactType.Pointer(signature.result()) : signature.result();
        Optional<ExactPlace.Local> room =
                result instanceof ExactType.Struct ? Optional.of(scope.variable("", result)) : Optional.empty();
        return ExactExpressions.after(before, new ExactExpression.Call(function, arguments, room, result));
    }

    /// The address of an argument that is passed by reference.
    private ExactExpression reference(IASTInitializerClause a, ExactType type, List<ExactExpression> before) {
        if (a instanceof IASTExpression e) {
            Optional<ExactPlace> there = expressions.placeOf(e);
            if (there.isPresent() && there.get().type().equals(type) && !(there.get() instanceof ExactPlace.Bits)) {
                return scope.address(there.get(), a);
            }
            if (there.isPresent()
                    && type instanceof ExactType.Array
                    && there.get().type() instanceof ExactType.Pointer) {
                return new ExactExpression.Convert(expressions.value(a), new ExactType.Pointer(type));
            }
        }
        return scope.address(scope.kept(expressions.value(a, type), before), a);
    }

    // ---- methods of the vendor's types

    private Optional<ExactPlace> bits(IASTFunctionCallExpression c) {
        IASTExpression f = c.getFunctionNameExpression();
        IASTInitializerClause[] a = c.getArguments();
        String method = f instanceof IASTFieldReference r
                ? String.valueOf(r.getFieldName().getLastName().getSimpleID())
                : "";
        boolean called = f instanceof IASTIdExpression && a.length == 2;
        if (!called && !method.equals("range") && !method.equals("bit") && !method.equals("operator()")) {
            return Optional.empty();
        }
        Optional<ExactPlace> whole =
                f instanceof IASTFieldReference r ? Optional.of(expressions.owner(r)) : expressions.placeOf(f);
        if (whole.isEmpty() || !(whole.get().type() instanceof ExactType.Arbitrary t)) {
            return Optional.empty();
        }
        if (method.equals("bit")) {
            ExactExpression i = expressions.value(a[0], ExactType.INT);
            return Optional.of(new ExactPlace.Bits(whole.get(), i, i, ExactType.BOOL));
        }
        ExactExpression high = a.length == 0
                ? ExactExpression.Whole.of(t.bits() - 1, ExactType.INT)
                : expressions.value(a[0], ExactType.INT);
        ExactExpression low =
                a.length == 0 ? ExactExpression.Whole.of(0, ExactType.INT) : expressions.value(a[1], ExactType.INT);
        return Optional.of(new ExactPlace.Bits(whole.get(), high, low, ExactType.Arbitrary.integer(t.bits(), false)));
    }

    private ExactExpression method(IASTFunctionCallExpression c, IASTFieldReference r) {
        String name = String.valueOf(r.getFieldName().getLastName().getSimpleID());
        IASTInitializerClause[] a = c.getArguments();
        if (ExactTypes.isPrinter(r.getFieldOwner().getExpressionType(), scope.instance.types())) {
            return ExactExpression.Whole.of(name.equals("is_open") ? 1 : 0, ExactType.INT);
        }
        Optional<ExactPlace> owner = Optional.empty();
        try {
            owner = Optional.of(expressions.owner(r));
        } catch (NotExact e) {
            // A value, not a place.
        }
        ExactType t = owner.map(ExactPlace::type)
                .orElseGet(() -> expressions.value(r.getFieldOwner()).type());
        if (t instanceof ExactType.Stream && owner.isPresent()) {
            return stream(owner.get(), name, c);
        }
        if (t instanceof ExactType.Arbitrary x) {
            ExactExpression v =
                    owner.isPresent() ? expressions.loaded(owner.get(), c) : expressions.value(r.getFieldOwner());
            return number(name, v, x, c);
        }
        throw new NotExact("the method " + name + (a.length == 0 ? "()" : "(...)"), c);
    }

    private ExactExpression number(String name, ExactExpression v, ExactType.Arbitrary t, IASTNode node) {
        ExactType to = switch (name) {
            case "to_int" -> ExactType.INT;
            case "to_uint" -> new Int(32, false);
            case "to_int64", "to_long" -> new Int(64, true);
            case "to_uint64", "to_ulong" -> new Int(64, false);
            case "to_float" -> new Real(32);
            case "to_double" -> new Real(64);
            case "or_reduce" -> ExactType.BOOL;
            case "length" -> ExactType.INT;
            default -> throw new NotExact("the method " + name + " of " + t.bits() + " bits", node);
        };
        return name.equals("length")
                ? ExactExpression.Whole.of(t.bits(), ExactType.INT)
                : scope.arithmetic.convert(v, to, node);
    }

    private ExactExpression stream(ExactPlace s, String name, IASTFunctionCallExpression c) {
        IASTInitializerClause[] a = c.getArguments();
        return switch (name) {
            case "read" ->
                a.length == 0
                        ? read(s, c)
                        : new ExactExpression.Store(expressions.place((IASTExpression) a[0]), read(s, c));
            case "write" -> write(s, a[0], c);
            case "empty" -> new ExactExpression.StreamCall(Channel.EMPTY, s, Optional.empty(), ExactType.BOOL);
            case "full" -> ExactExpression.Whole.of(0, ExactType.BOOL);
            case "size" -> new ExactExpression.StreamCall(Channel.SIZE, s, Optional.empty(), ExactType.SIZE);
            default -> throw new NotExact("the method " + name + " of a stream", c);
        };
    }

    /// The next value of a stream.
    ExactExpression read(ExactPlace stream, IASTNode node) {
        ExactType t = ((ExactType.Stream) stream.type()).element();
        ExactPlace.Local room = scope.variable("", t);
        ExactExpression at = scope.address(room, node);
        return new ExactExpression.Sequence(
                new ExactExpression.StreamCall(Channel.READ, stream, Optional.of(at), at.type()),
                expressions.loaded(room, node));
    }

    /// Puts a value into a stream.
    ExactExpression write(ExactPlace stream, IASTInitializerClause value, IASTNode node) {
        ExactType t = ((ExactType.Stream) stream.type()).element();
        var before = new ArrayList<ExactExpression>();
        ExactExpression at = scope.address(scope.kept(expressions.value(value, t), before), node);
        return ExactExpressions.after(
                before, new ExactExpression.StreamCall(Channel.WRITE, stream, Optional.of(at), ExactType.INT));
    }

    // ---- the C library

    private ExactExpression library(IASTFunctionCallExpression c, IASTName written) {
        String name = String.valueOf(written.getLastName().getSimpleID());
        boolean qualified = written.toString().contains("::");
        IASTInitializerClause[] a = c.getArguments();
        switch (name) {
            case "printf", "fprintf", "puts", "putchar", "fflush", "assert" -> {
                // What is printed is not part of the result; what the arguments do is.
                var before = new ArrayList<ExactExpression>();
                for (int i = name.equals("fprintf") ? 1 : 0; i < a.length; i++) {
                    before.add(expressions.value(a[i]));
                }
                return ExactExpressions.after(before, ExactExpression.Whole.of(0, ExactType.INT));
            }
            case "fopen" -> {
                // A file that is only written to matters as little as what is printed.
                if (a.length == 2 && Nodes.text(a[1]).matches("\"[wa].*")) {
                    return new ExactExpression.Convert(
                            ExactExpression.Whole.of(1, new Int(64, true)), scope.type(c.getExpressionType(), c));
                }
            }
            case "fclose", "system", "remove" -> {
                return ExactExpression.Whole.of(0, ExactType.INT);
            }
            case "rand", "srand" -> {
                List<ExactExpression> seed = a.length == 1
                        ? List.of(scope.arithmetic.convert(expressions.value(a[0]), new Int(32, false), c))
                        : List.of();
                return new ExactExpression.Library(name, seed, ExactType.INT);
            }
            case "time" -> {
                // A program that draws by the clock runs as if it were started at 0.
                return ExactExpression.Whole.of(0, new Int(64, true));
            }
            case "memcpy", "memmove", "memset" -> {
                ExactExpression to = expressions.value(a[0]);
                ExactExpression with =
                        name.equals("memset") ? expressions.value(a[1], ExactType.INT) : expressions.value(a[1]);
                return new ExactExpression.Library(
                        name, List.of(to, with, expressions.value(a[2], new Int(64, true))), to.type());
            }
            case "min", "max" -> {
                if (a.length == 2) {
                    return lesser(name.equals("min"), a, c);
                }
            }
            case "abs", "labs", "llabs" -> {
                ExactExpression v = expressions.value(a[0]);
                if (v.type() instanceof Real r && scope.cpp()) {
                    return real("fabs", r, List.of(v), c);
                }
                ExactType t = name.equals("abs") && !scope.cpp()
                        ? ExactType.INT
                        : name.equals("abs") ? ExactArithmetic.promoted(v.type()) : new Int(64, true);
                if (t instanceof Int i && i.signed()) {
                    return new ExactExpression.Library(name, List.of(scope.arithmetic.convert(v, t, c)), t);
                }
            }
            default -> {}
        }
        boolean single = name.endsWith("f")
                && LibraryCode.reals(name.substring(0, name.length() - 1)).isPresent();
        String plain = single ? name.substring(0, name.length() - 1) : name;
        if (LibraryCode.reals(plain).filter(n -> n == a.length).isEmpty()) {
            throw new NotExact("the function '" + name + "', which has no body here", c);
        }
        var arguments = new ArrayList<ExactExpression>();
        for (IASTInitializerClause x : a) {
            arguments.add(expressions.value(x));
        }
        boolean overloaded = scope.cpp() && (qualified || scope.program.includes("math.h"));
        boolean allSingle = arguments.stream().allMatch(x -> x.type() instanceof Real r && r.bits() == 32);
        return real(plain, new Real(single || (overloaded && allSingle) ? 32 : 64), arguments, c);
    }

    private ExactExpression real(String name, Real type, List<ExactExpression> arguments, IASTNode node) {
        return new ExactExpression.Library(
                type.bits() == 32 ? name + "f" : name,
                arguments.stream()
                        .map(x -> scope.arithmetic.convert(x, type, node))
                        .toList(),
                type);
    }

    private ExactExpression lesser(boolean min, IASTInitializerClause[] a, IASTNode node) {
        var before = new ArrayList<ExactExpression>();
        ExactExpression x = expressions.value(a[0]);
        ExactExpression y = expressions.value(a[1]);
        if (!x.type().equals(y.type())) {
            throw new NotExact("min or max of different types", node);
        }
        ExactExpression l = new ExactExpression.Load(scope.kept(x, before));
        ExactExpression r = new ExactExpression.Load(scope.kept(y, before));
        ExactExpression second = scope.arithmetic.truth(
                min
                        ? scope.arithmetic.binary(Operator.LESS, r, l, node)
                        : scope.arithmetic.binary(Operator.LESS, l, r, node),
                node);
        return ExactExpressions.after(before, new ExactExpression.Choice(second, r, l, x.type()));
    }
}

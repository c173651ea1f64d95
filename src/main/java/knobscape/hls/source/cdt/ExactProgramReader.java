package knobscape.hls.source.cdt;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.Location;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactStatement;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;
import knobscape.hls.source.interpret.Interpreter;
import knobscape.hls.source.interpret.Limits;
import knobscape.hls.source.interpret.Outcome;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStandardFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IArrayType;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.gnu.c.ICASTKnRFunctionDeclarator;

/// Reads the functions that a top function needs, each once, into an [ExactProgram].
final class ExactProgramReader {
    private static final int LARGEST = 64 << 20;
    private final Program program;
    private final ExactTypes types;
    private final ExactArithmetic arithmetic;
    private final IdentityHashMap<Instance, Integer> indices = new IdentityHashMap<>();
    private final List<Optional<ExactFunction>> functions = new ArrayList<>();
    private final IdentityHashMap<Instance, Signature> signatures = new IdentityHashMap<>();
    private final List<ExactVariable> globals = new ArrayList<>();
    private final Map<IBinding, ExactPlace> globalPlaces = new HashMap<>();
    private final List<ExactStatement> start = new ArrayList<>();
    private final Set<ExactStatement.Unsupported> unsupported = new LinkedHashSet<>();
    private Optional<ExactScope> starting = Optional.empty();

    ExactProgramReader(Program program) {
        this.program = program;
        this.types = new ExactTypes(program);
        this.arithmetic = new ExactArithmetic(program.parsed().cpp());
    }

    /// A parameter.
    ///
    /// @param type of the variable; for a reference the address
    /// @param target what a reference leads to, else the same as `type`
    record Parameter(
            IVariable variable, ExactType type, ExactType target, boolean reference, IASTDeclarator declarator) {}

    /// What a caller needs to know.
    ///
    /// @param result of the function; of one that returns a reference, what it leads to
    record Signature(List<Parameter> parameters, ExactType result, boolean reference) {}

    Program program() {
        return program;
    }

    ExactTypes types() {
        return types;
    }

    ExactArithmetic arithmetic() {
        return arithmetic;
    }

    boolean isConstructed(ExactType.Struct s) {
        return types.isConstructed(s);
    }

    Location location(IASTNode node) {
        return program.parsed().positions().of(node);
    }

    boolean includes(String header) {
        return program.parsed().read().stream().anyMatch(n -> n.endsWith("/" + header));
    }

    /// The program with this top function.
    ExactProgram read(Instance top) {
        int index = function(top, Optional.empty());
        return assembled(index);
    }

    private ExactProgram assembled(int top) {
        List<ExactVariable> variables = starting.map(ExactScope::variables).orElse(List.of());
        var init = new ExactFunction("", 0, variables, ExactType.NOTHING, new ExactStatement.Block(start));
        return new ExactProgram(
                top,
                functions.stream().map(Optional::orElseThrow).toList(),
                globals,
                init,
                unsupported.stream()
                        .sorted(java.util.Comparator.comparing((ExactStatement.Unsupported u) ->
                                        u.location().file())
                                .thenComparingInt(u -> u.location().offset()))
                        .toList());
    }

    Signature signature(Instance i, IASTNode node) {
        Signature known = signatures.get(i);
        if (known != null) {
            return known;
        }
        var parameters = new ArrayList<Parameter>();
        List<IVariable> variables = FunctionReader.parameters(i);
        for (int k = 0; k < variables.size(); k++) {
            IVariable v = variables.get(k);
            IASTDeclarator d = declarator(i.definition(), k, node);
            boolean reference = ExactTypes.isReference(v.getType(), i.types());
            IType bare = i.types().bare(v.getType());
            ExactType t;
            if (!reference && bare instanceof IArrayType a) {
                t = new ExactType.Pointer(element(a.getType(), i, d));
            } else {
                t = types.of(v.getType(), i.types(), d);
            }
            parameters.add(new Parameter(v, reference ? new ExactType.Pointer(t) : t, t, reference, d));
        }
        if (!(Nodes.binding(i.innermostName()) instanceof IFunction f) || f.getType() == null) {
            throw new NotExact("the function '" + i.name() + "'", node);
        }
        if (f.takesVarArgs()) {
            throw new NotExact("a function with any number of arguments", node);
        }
        IType r = f.getType().getReturnType();
        var made = new Signature(parameters, types.of(r, i.types(), node), ExactTypes.isReference(r, i.types()));
        signatures.put(i, made);
        return made;
    }

    private ExactType element(IType t, Instance i, IASTNode node) {
        return types.of(t, i.types(), node);
    }

    private static IASTDeclarator declarator(IASTFunctionDefinition f, int index, IASTNode node) {
        if (f.getDeclarator() instanceof IASTStandardFunctionDeclarator s && s.getParameters().length > index) {
            IASTParameterDeclaration p = s.getParameters()[index];
            return p.getDeclarator();
        }
        if (f.getDeclarator() instanceof ICASTKnRFunctionDeclarator old && old.getParameterNames().length > index) {
            return old.getDeclaratorForParameterName(old.getParameterNames()[index]);
        }
        throw new NotExact("a function with parameters that are not understood", node);
    }

    /// Number of a function; it is read where it was not.
    int function(Instance i, Optional<ExactType.Struct> self) {
        Integer known = indices.get(i);
        if (known != null) {
            return known;
        }
        Signature signature = signature(i, i.definition());
        int index = functions.size();
        indices.put(i, index);
        functions.add(Optional.empty());
        var scope = new ExactScope(this, i, self);
        self.ifPresent(s -> scope.variable("this", new ExactType.Pointer(s)));
        for (Parameter p : signature.parameters()) {
            ExactPlace.Local v = scope.variable(p.variable().getName(), p.type());
            scope.bind(
                    p.variable(), p.reference() ? new ExactPlace.Pointee(new ExactExpression.Load(v), p.target()) : v);
        }
        int parameters = signature.parameters().size() + (self.isPresent() ? 1 : 0);
        ExactStatement body = new ExactStatements(scope, signature.result(), signature.reference())
                .read(i.definition().getBody());
        functions.set(
                index,
                Optional.of(new ExactFunction(
                        i.name(),
                        parameters,
                        scope.variables(),
                        signature.reference() ? new ExactType.Pointer(signature.result()) : signature.result(),
                        body)));
        return index;
    }

    /// Notes what cannot be held.
    ExactStatement.Unsupported unsupported(NotExact e) {
        var u = new ExactStatement.Unsupported(String.valueOf(e.getMessage()), location(e.node()));
        unsupported.add(u);
        return u;
    }

    /// The place of a variable that lives as long as the program.
    ///
    /// @param from the function that uses it
    ExactPlace global(IVariable v, ExactScope from, IASTNode node) {
        ExactPlace known = globalPlaces.get(v);
        if (known != null) {
            return known;
        }
        IASTDeclarator d = program.declarations()
                .declarator(v)
                .orElseThrow(() -> new NotExact("the variable '" + v.getName() + "', which is not defined here", node));
        if (ExactTypes.isReference(v.getType(), from.instance.types())) {
            throw new NotExact("a global reference", node);
        }
        var scope = startScope(from);
        var reading = new ExactDeclarations(scope, new ExactExpressions(scope));
        ExactType t = reading.type(v, d);
        if (t.size() > LARGEST) {
            throw new NotExact("a variable of " + t.size() + " bytes", node);
        }
        var place = new ExactPlace.Global(globals.size(), t);
        globals.add(new ExactVariable(v.getName(), t, true));
        globalPlaces.put(v, place);
        try {
            IASTInitializer initializer = d.getInitializer();
            start.addAll(reading.initial(place, initializer, d));
        } catch (NotExact e) {
            start.add(unsupported(e));
        }
        return place;
    }

    /// Initialisers are read where they stand; the parameters of a template around them are those of `from`.
    private ExactScope startScope(ExactScope from) {
        if (starting.isEmpty()) {
            starting = Optional.of(new ExactScope(this, from.instance, Optional.empty()));
        }
        return starting.get();
    }

    /// The array that a string literal is.
    ExactPlace text(IASTLiteralExpression l) {
        byte[] bytes = bytesOf(l);
        var element = new ExactType.Int(8, true);
        var type = new ExactType.Array(element, bytes.length);
        var place = new ExactPlace.Global(globals.size(), type);
        globals.add(new ExactVariable("", type, true));
        for (int i = 0; i < bytes.length; i++) {
            start.add(new ExactStatement.Evaluate(
                    new ExactExpression.Store(
                            new ExactPlace.Element(place, ExactExpression.Whole.of(i, ExactType.INT), element),
                            ExactExpression.Whole.of(bytes[i], element)),
                    location(l)));
        }
        return place;
    }

    /// Bytes of a string literal with its final 0.
    static byte[] bytesOf(IASTLiteralExpression l) {
        String s = String.valueOf(l.getValue());
        var out = new ByteArrayOutputStream();
        int end = s.lastIndexOf('"');
        for (int i = s.indexOf('"') + 1; i < end; i++) {
            char c = s.charAt(i);
            if (c != '\\') {
                out.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            int from = ++i;
            if (s.charAt(i) == 'x') {
                while (i + 1 < end && Character.digit(s.charAt(i + 1), 16) >= 0) {
                    i++;
                }
            } else {
                while (i + 1 < end
                        && i - from < 2
                        && Character.digit(s.charAt(from), 8) >= 0
                        && Character.digit(s.charAt(i + 1), 8) >= 0) {
                    i++;
                }
            }
            String written = "'\\" + s.substring(from, i + 1) + "'";
            out.write((int)
                    Literals.character(written).orElseThrow(() -> new NotExact("the text " + Nodes.text(l), l)));
        }
        out.write(0);
        return out.toByteArray();
    }

    /// The number that a constant expression is.
    long constant(ExactExpression e, IASTNode node) {
        if (e instanceof ExactExpression.Whole w) {
            return w.value().longValue();
        }
        var type = new ExactType.Int(64, true);
        ExactExpression v = arithmetic.convert(e, type, node);
        var function =
                new ExactFunction("", 0, List.of(), type, new ExactStatement.Return(Optional.of(v), location(node)));
        var init = new ExactFunction(
                "",
                0,
                starting.map(ExactScope::variables).orElse(List.of()),
                ExactType.NOTHING,
                new ExactStatement.Block(start));
        Outcome o;
        try {
            o = Interpreter.run(
                    new ExactProgram(0, List.of(function), globals, init, List.of()),
                    List.of(),
                    Limits.defaults().steps(10_000));
        } catch (IndexOutOfBoundsException x) {
            throw new NotExact("'" + Nodes.text(node) + "' as a constant", node);
        }
        if (o.stopped().isPresent()) {
            throw new NotExact("'" + Nodes.text(node) + "' as a constant", node);
        }
        return java.nio.ByteBuffer.wrap(o.result())
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }
}

package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.LinearForm;
import knobscape.hls.source.LinearForm.Atom;
import knobscape.hls.source.Range;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTStandardFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IParameter;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.gnu.c.ICASTKnRFunctionDeclarator;

/// Walks one function once from top to bottom. Its callers have been read, so that the arguments they pass are
/// known.
final class FunctionReader {
    private static final int MAX_CONTEXTS = 64;
    private final Program program;
    private final Map<Instance, FunctionContext> contexts;

    /// @param contexts of the functions read before
    FunctionReader(Program program, Map<Instance, FunctionContext> contexts) {
        this.program = program;
        this.contexts = contexts;
    }

    /// What was read.
    ///
    /// @param scalars scalar parameters
    /// @param assumed parameters that have a value only because of the calls in this file
    record Body(
            Instance instance,
            FunctionContext context,
            Map<String, ScalarType> scalars,
            Map<String, Long> assumed,
            List<Statement> statements) {}

    Body read(Instance instance) {
        var context = new FunctionContext(program, instance);
        var arrays = new ArrayTable(context);
        var expressions = new ExpressionReader(context, arrays);
        context.setExpressions(expressions);
        var statements = new StatementReader(context, expressions, arrays);
        context.setStatements(statements::block);
        contexts.put(instance, context);
        escapes(context);
        List<IVariable> parameters = parameters(instance);
        var scalars = new LinkedHashMap<String, ScalarType>();
        // Sizes of arrays may be other parameters, so the values come first.
        Map<String, Long> assumed = bind(context, parameters);
        for (IVariable p : parameters) {
            arrays.declare(p);
            if (!context.arrays.containsKey(Place.of(p))) {
                var type = context.types.isPointer(p.getType())
                        ? context.types.target(p.getType()).orElse(p.getType())
                        : p.getType();
                scalars.put(p.getName(), instance.declaredType(Place.of(p), type));
            }
        }
        linkSizes(context, parameters);
        // A parameter that moves starts at the beginning of what was passed.
        for (IVariable p : parameters) {
            Place place = Place.of(p);
            ArrayInfo array = context.arrays.get(place);
            if (array != null
                    && array.scope() == ArrayVariable.Scope.PARAMETER
                    && context.types.isPointer(p.getType())
                    && instance.isChanged(place)
                    && !context.escaped.contains(place)) {
                context.environment.set(place, new Environment.Pointer(array, List.of(), LinearForm.ZERO));
            }
        }
        List<Statement> body = context.collect(() -> {
            program.constructors().members(instance).forEach(statements::member);
            statements.read(instance.definition().getBody());
        });
        return new Body(instance, context, scalars, assumed, body);
    }

    static List<IVariable> parameters(Instance instance) {
        var found = new ArrayList<IVariable>();
        IASTFunctionDeclarator d = instance.definition().getDeclarator();
        if (d instanceof IASTStandardFunctionDeclarator s) {
            for (IASTParameterDeclaration p : s.getParameters()) {
                IASTDeclarator inner = p.getDeclarator();
                while (inner.getNestedDeclarator() != null) {
                    inner = inner.getNestedDeclarator();
                }
                IBinding b = Nodes.binding(inner.getName());
                // f(void) has none, though the parser makes one where f was declared before.
                boolean none = Nodes.isNameless(inner)
                        && inner.getPointerOperators().length == 0
                        && p.getDeclSpecifier() instanceof IASTSimpleDeclSpecifier word
                        && word.getType() == IASTSimpleDeclSpecifier.t_void;
                if (b instanceof IParameter v && !none) {
                    found.add(v);
                }
            }
        } else if (d instanceof ICASTKnRFunctionDeclarator k) {
            for (var name : k.getParameterNames()) {
                if (Nodes.binding(name) instanceof IParameter v) {
                    found.add(v);
                }
            }
        }
        return found;
    }

    /// Scalars whose address is taken other than for a call.
    private static void escapes(FunctionContext context) {
        context.instance.definition().accept(new ASTVisitor() {
            {
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                if (e instanceof IASTUnaryExpression u && u.getOperator() == IASTUnaryExpression.op_amper) {
                    IASTNode n = u.getParent();
                    while (n instanceof IASTExpression x
                            && !(n instanceof IASTFunctionCallExpression)
                            && x.getParent() instanceof IASTExpression) {
                        n = x.getParent();
                    }
                    if (!(n instanceof IASTFunctionCallExpression)) {
                        context.assignments.place(u.getOperand()).ifPresent(context.escaped::add);
                    }
                }
                return PROCESS_CONTINUE;
            }
        });
    }

    /// Gives the parameters the values that all calls agree on, and remembers the others' for each call.
    private Map<String, Long> bind(FunctionContext context, List<IVariable> parameters) {
        List<CallSite> calls = program.callsOf(context.instance);
        var assumed = new LinkedHashMap<String, Long>();
        if (calls.isEmpty() || program.isRecursive(context.instance)) {
            return assumed;
        }
        // One row for each call under each way its caller is called; an absent number is not known.
        Set<Map<Integer, Long>> rows = new LinkedHashSet<>();
        Map<Integer, Range> ranges = new HashMap<>();
        for (CallSite c : calls) {
            FunctionContext caller = contexts.get(c.caller());
            if (caller == null) {
                return assumed;
            }
            for (Map<Atom, Long> outer : caller.calls.isEmpty() ? List.of(Map.<Atom, Long>of()) : caller.calls) {
                Map<Integer, Long> row = new HashMap<>();
                for (int i = 0; i < c.actuals().size(); i++) {
                    if (c.actuals().get(i) instanceof CallSite.Number n) {
                        int index = i;
                        n.formula().value(a -> known(outer, a)).ifPresent(v -> row.put(index, v));
                        Range r = n.formula().range(caller);
                        ranges.merge(i, r, Range::hull);
                    } else {
                        ranges.put(i, Range.ALL);
                    }
                }
                rows.add(row);
            }
        }
        if (rows.size() > MAX_CONTEXTS) {
            rows = new HashSet<>();
        }
        List<Map<Atom, Long>> perCall = new ArrayList<>();
        rows.forEach(r -> perCall.add(new HashMap<>()));
        for (int i = 0; i < parameters.size(); i++) {
            bind(context, parameters.get(i), i, rows, ranges.getOrDefault(i, Range.ALL), perCall, assumed);
        }
        if (perCall.stream().anyMatch(m -> !m.isEmpty())) {
            context.calls.addAll(new LinkedHashSet<>(perCall));
        }
        return assumed;
    }

    private static void bind(
            FunctionContext context,
            IVariable parameter,
            int index,
            Set<Map<Integer, Long>> rows,
            Range range,
            List<Map<Atom, Long>> perCall,
            Map<String, Long> assumed) {
        Place place = Place.of(parameter);
        ScalarType type = context.instance.declaredType(place, parameter.getType());
        if ((type.kind() != ScalarType.Kind.INTEGER && type.kind() != ScalarType.Kind.BOOL)
                || context.escaped.contains(place)) {
            return;
        }
        Set<Long> values = new HashSet<>();
        rows.forEach(r -> values.add(r.getOrDefault(index, Long.MIN_VALUE)));
        if (values.size() == 1 && !values.contains(Long.MIN_VALUE)) {
            long v = values.iterator().next();
            LinearForm f = context.stored(LinearForm.of(v), type);
            context.environment.set(place, f);
            assumed.put(parameter.getName(), f.constant());
            return;
        }
        Range narrow = FunctionContext.narrow(type);
        Range known = narrow.contains(range) ? range : narrow;
        Atom atom = context.parameter(
                "the value of parameter " + parameter.getName()
                        + (values.isEmpty() || values.contains(Long.MIN_VALUE)
                                ? " is not known"
                                : " differs from call to call"),
                known);
        context.environment.set(place, LinearForm.of(atom));
        int row = 0;
        for (Map<Integer, Long> r : rows) {
            if (r.containsKey(index)) {
                perCall.get(row).put(atom, r.get(index));
            }
            row++;
        }
    }

    private static OptionalLong known(Map<Atom, Long> values, Atom atom) {
        Long v = values.get(atom);
        return v == null ? OptionalLong.empty() : OptionalLong.of(v);
    }

    /// Sizes that a parameter leaves open, where all calls pass arrays of one size.
    private void linkSizes(FunctionContext context, List<IVariable> parameters) {
        List<CallSite> calls = program.callsOf(context.instance);
        for (int i = 0; i < parameters.size(); i++) {
            ArrayInfo formal = context.arrays.get(Place.of(parameters.get(i)));
            if (formal == null || !formal.dims().contains(0L)) {
                continue;
            }
            Set<List<Long>> sizes = new HashSet<>();
            for (CallSite c : calls) {
                sizes.add(
                        i < c.actuals().size() && c.actuals().get(i) instanceof CallSite.Array a
                                ? passed(a, formal.dims())
                                : formal.dims());
            }
            if (sizes.size() == 1) {
                formal.setDims(sizes.iterator().next());
            }
        }
    }

    /// Dimensions the callee sees, those it declares itself kept.
    private static List<Long> passed(CallSite.Array a, List<Long> declared) {
        List<Long> rest = new ArrayList<>(a.array()
                .dims()
                .subList(
                        Math.min(a.indices(), a.array().dims().size()),
                        a.array().dims().size()));
        if (!a.whole() && !rest.isEmpty()) {
            rest.set(0, 0L);
        }
        if (declared.size() == 1 && rest.size() > 1) {
            // A flat view of all of it.
            long product = 1;
            for (long d : rest) {
                product *= d;
            }
            rest = List.of(product);
        }
        if (rest.size() != declared.size()) {
            return declared;
        }
        var seen = new ArrayList<Long>();
        for (int i = 0; i < declared.size(); i++) {
            seen.add(declared.get(i) != 0 ? declared.get(i) : rest.get(i));
        }
        return seen;
    }

    /// The arrays a function has, in source order.
    static List<ArrayInfo> inOrder(FunctionContext context) {
        var list = new ArrayList<>(context.arrays.values());
        list.sort(java.util.Comparator.comparing((ArrayInfo a) -> a.location().file())
                .thenComparingInt(a -> a.location().offset())
                .thenComparing(ArrayInfo::id));
        return list;
    }
}

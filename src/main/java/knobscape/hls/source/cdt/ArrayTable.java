package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import knobscape.hls.source.ArrayVariable.Scope;
import knobscape.hls.source.Location;
import knobscape.hls.source.ScalarType;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IBasicType;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IParameter;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;

/// The arrays of one function, made when they are first met; globals are shared by all functions.
final class ArrayTable {
    private final FunctionContext context;

    ArrayTable(FunctionContext context) {
        this.context = context;
    }

    /// The array that is this variable or member.
    ArrayInfo array(Place place, IType type) {
        ArrayInfo known = table(place).get(place);
        return known != null
                ? known
                : add(
                        place,
                        scope(place),
                        context.types.innermost(type),
                        dims(place, type),
                        context.types.isConst(type));
    }

    /// What a pointer points to that is used as an array.
    boolean has(Place place) {
        return table(place).containsKey(place);
    }

    ArrayInfo pointer(Place place, IType type) {
        ArrayInfo known = table(place).get(place);
        if (known != null) {
            return known;
        }
        IType target = seen(place, context.types.target(type).orElse(type));
        var dims = new ArrayList<Long>();
        dims.add(0L);
        // int **p and int (*p)[8]
        IType inner = target;
        while (context.types.isPointer(inner) && dims.size() < 8) {
            dims.add(0L);
            inner = context.types.target(inner).orElseThrow();
        }
        dims.addAll(context.types.dims(inner));
        fill(dims, place);
        return add(place, scope(place), context.types.innermost(inner), dims, context.types.isConst(target));
    }

    /// What `void *p` points to, by the first cast of it that says.
    private IType seen(Place place, IType target) {
        if (!(context.types.resolved(target) instanceof IBasicType b) || b.getKind() != IBasicType.Kind.eVoid) {
            return target;
        }
        var found = new ArrayList<IType>();
        context.instance.definition().accept(new ASTVisitor() {
            {
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                if (e instanceof IASTCastExpression c && Nodes.binding(Nodes.strip(c.getOperand())) == place.root()) {
                    context.types.target(c.getExpressionType()).ifPresent(found::add);
                }
                return found.isEmpty() ? PROCESS_CONTINUE : PROCESS_ABORT;
            }
        });
        return found.isEmpty() ? target : found.getFirst();
    }

    /// A stream, or an array of streams.
    ArrayInfo stream(Place place, IType type) {
        ArrayInfo known = table(place).get(place);
        if (known != null) {
            return known;
        }
        IType inner = context.types.innermost(
                context.types.isPointer(type) ? context.types.target(type).orElse(type) : type);
        // hls::stream<int> s[4] and istreams<int, 4> s as parameters are pointers to the type system, but the sizes are
        // written.
        List<Long> dims = context.types.isPointer(type) && place.path().isEmpty() ? written(place) : dims(place, type);
        return add(place, Scope.STREAM, context.types.streamElement(inner).orElse(inner), dims, false);
    }

    /// A member that is an array of an element of an array of structs.
    ArrayInfo member(ArrayInfo owner, String name, IType type) {
        Place place = owner.place().member(name);
        ArrayInfo known = table(place).get(place);
        if (known != null) {
            return known;
        }
        var dims = new ArrayList<>(owner.dims());
        dims.addAll(context.types.dims(type));
        return add(place, Scope.MEMBER, context.types.innermost(type), dims, context.types.isConst(type));
    }

    private Map<Place, ArrayInfo> table(Place place) {
        return isGlobal(place) ? context.program.globals() : context.arrays;
    }

    private boolean isGlobal(Place place) {
        return context.program.declarations().isGlobal(place.root());
    }

    private Scope scope(Place place) {
        if (place.root() instanceof IField || !place.path().replace("*", "").isEmpty()) {
            return Scope.MEMBER;
        }
        return isGlobal(place) ? Scope.GLOBAL : place.root() instanceof IParameter ? Scope.PARAMETER : Scope.LOCAL;
    }

    private List<Long> dims(Place place, IType type) {
        List<Long> dims = new ArrayList<>(context.types.dims(type));
        fill(dims, place);
        return dims;
    }

    /// `int a[64]` and `row a` as parameters are pointers to the type system, but the sizes are written.
    private void fill(List<Long> dims, Place place) {
        if (!place.path().isEmpty()) {
            return;
        }
        List<Long> written = written(place);
        for (int i = 0; written.size() == dims.size() && i < dims.size(); i++) {
            dims.set(i, dims.get(i) == 0 ? written.get(i) : dims.get(i));
        }
    }

    /// The sizes at the declarator of a variable, then those of the named type of its elements.
    private List<Long> written(Place place) {
        var sizes = new ArrayList<>(context.program.declarations().sizes(place.root(), context));
        context.program
                .declarations()
                .namedArray(place.root())
                .map(context.types::dims)
                .ifPresent(sizes::addAll);
        return sizes;
    }

    private ArrayInfo add(Place place, Scope scope, IType elementType, List<Long> dims, boolean constant) {
        boolean global = isGlobal(place);
        String function = global ? "" : context.instance.name();
        String name = (place.root() instanceof IField ? "this." : "") + place.name();
        String id = unique(function + "/" + name, table(place).values());
        ScalarType element =
                (place.path().isEmpty() && context.types.element(elementType).kind() != ScalarType.Kind.STRUCT)
                                || place.path().isEmpty()
                        ? context.instance.declaredType(place, elementType)
                        : context.types.element(elementType);
        Location location = context.program
                .declarations()
                .declarator(place.root())
                .map(IASTDeclarator::getName)
                .map(context.positions()::of)
                .orElseGet(() -> context.positions().of(context.instance.definition()));
        var info = new ArrayInfo(
                id,
                id.substring(id.indexOf('/', function.length()) + 1),
                function,
                scope,
                place,
                elementType,
                element,
                dims,
                constant,
                location);
        table(place).put(place, info);
        return info;
    }

    private static String unique(String id, Collection<ArrayInfo> others) {
        String candidate = id;
        for (int n = 2; ; n++) {
            String c = candidate;
            if (others.stream().noneMatch(a -> a.id().equals(c))) {
                return c;
            }
            candidate = id + "_" + n;
        }
    }

    /// Makes the arrays and streams that a declaration brings, whether or not anything uses them.
    void declare(IBinding binding) {
        if (!(binding instanceof IVariable v)) {
            return;
        }
        Place place = Place.of(v);
        IType type = v.getType();
        IType behind =
                context.types.isPointer(type) ? context.types.target(type).orElse(type) : type;
        if (context.types.streamElement(context.types.innermost(behind)).isPresent()) {
            stream(place, type);
        } else if (context.types.isArray(type)) {
            array(place, type);
        } else if (context.types.isPointer(type)
                && v instanceof IParameter
                && context.instance.isArrayPointer(place, context.program)) {
            pointer(place, type);
        }
    }
}

package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.exact.ExactType;
import org.eclipse.cdt.core.dom.ast.ASTTypeUtil;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFieldDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IArrayType;
import org.eclipse.cdt.core.dom.ast.IBasicType;
import org.eclipse.cdt.core.dom.ast.ICompositeType;
import org.eclipse.cdt.core.dom.ast.IEnumeration;
import org.eclipse.cdt.core.dom.ast.IEnumerator;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IFunctionType;
import org.eclipse.cdt.core.dom.ast.IPointerType;
import org.eclipse.cdt.core.dom.ast.ISemanticProblem;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.ITypedef;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPBase;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPClassType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPConstructor;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMethod;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPReferenceType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateArgument;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateInstance;
import org.jspecify.annotations.Nullable;

/// Exact types of the parser's, with the layout of 64-bit Linux.
final class ExactTypes {
    private final Program program;
    /// Structures by name; of one that is being laid out, nothing yet.
    private final Map<String, Optional<ExactType.Struct>> structs = new HashMap<>();
    /// Those that a constructor or initialised members set up.
    private final Set<String> constructed = new HashSet<>();

    ExactTypes(Program program) {
        this.program = program;
    }

    /// Whether the type is a reference.
    static boolean isReference(@Nullable IType type, Types types) {
        IType t = types.resolved(type);
        while (t instanceof ITypedef d) {
            t = d.getType();
        }
        return t instanceof ICPPReferenceType;
    }

    /// The type, without references and `const`.
    ///
    /// Whether a type is one of those that text is printed into: `std::ostream`, `std::ofstream`.
    static boolean isPrinter(@Nullable IType type, Types types) {
        return types.composite(type)
                .filter(c -> c.getName().equals("ostream") || c.getName().equals("ofstream"))
                .isPresent();
    }

    /// @param types replaces template parameters
    /// @param node for the message
    ExactType of(@Nullable IType type, Types types, IASTNode node) {
        if (types.isBlock(type)) {
            // Every lock takes the next block of a queue: more than the array its accesses reach.
            throw new NotExact("a stream of blocks", node);
        }
        IType t = types.bare(type);
        return switch (t) {
            case null -> throw new NotExact("a type that is not known", node);
            case ISemanticProblem _ -> throw new NotExact("a type that is not known", node);
            case ITypedef d -> {
                // int7 of ap_cint.h, or a user's name for a type of just these bits.
                ExactType is = of(d.getType(), types, node);
                ScalarType e = types.element(d);
                if (is.isInteger() && is.bits() == e.bits() && is.signed() == e.signed()) {
                    yield is;
                }
                throw new NotExact("the type " + d.getName() + " of ap_cint.h", node);
            }
            case IBasicType b -> basic(b, node);
            case IEnumeration e -> new ExactType.Int(32, program.parsed().cpp() || hasNegative(e));
            case IArrayType a ->
                array(
                        of(a.getType(), types, node),
                        Types.number(a.getSize())
                                .orElseThrow(() -> new NotExact("an array whose size is not constant", node)),
                        node);
            case IPointerType p -> {
                if (types.bare(p.getType()) instanceof IFunctionType) {
                    throw new NotExact("a pointer to a function", node);
                }
                yield new ExactType.Pointer(of(p.getType(), types, node));
            }
            case ICompositeType c -> composite(c, types, node);
            default -> throw new NotExact("the type " + ASTTypeUtil.getType(t), node);
        };
    }

    static ExactType array(ExactType element, long length, IASTNode node) {
        if (length < 1 || length > Integer.MAX_VALUE / Math.max(1, element.size())) {
            throw new NotExact("an array of " + length + " elements", node);
        }
        return new ExactType.Array(element, (int) length);
    }

    private static boolean hasNegative(IEnumeration e) {
        for (IEnumerator v : e.getEnumerators()) {
            if (Types.number(v.getValue()).orElse(0L) < 0) {
                return true;
            }
        }
        return false;
    }

    private static ExactType basic(IBasicType b, IASTNode node) {
        boolean signed = !b.isUnsigned();
        return switch (b.getKind()) {
            case eBoolean -> ExactType.BOOL;
            case eChar -> new ExactType.Int(8, signed);
            case eChar16 -> new ExactType.Int(16, false);
            case eChar32 -> new ExactType.Int(32, false);
            case eWChar -> new ExactType.Int(32, true);
            case eInt, eUnspecified ->
                new ExactType.Int(b.isLong() || b.isLongLong() ? 64 : b.isShort() ? 16 : 32, signed);
            case eFloat -> new ExactType.Real(32);
            case eDouble -> {
                if (b.isLong()) {
                    throw new NotExact("long double", node);
                }
                yield new ExactType.Real(64);
            }
            case eVoid -> ExactType.NOTHING;
            default -> throw new NotExact("the type " + ASTTypeUtil.getType(b), node);
        };
    }

    private ExactType composite(ICompositeType c, Types types, IASTNode node) {
        ICPPTemplateArgument[] a =
                c instanceof ICPPTemplateInstance i ? i.getTemplateArguments() : ICPPTemplateArgument.EMPTY_ARGUMENTS;
        switch (c.getName()) {
            case "ap_int", "ap_uint", "ap_int_base", "ap_fixed", "ap_ufixed" -> {
                return arbitrary(c, a, types, node);
            }
            case "stream" -> {
                return new ExactType.Stream(of(
                        types.streamElement(c).orElseThrow(() -> new NotExact("a stream of anything", node)),
                        types,
                        node));
            }
            case "array" -> {
                if (a.length == 2 && types.isArray(c)) {
                    return array(
                            of(a[0].getTypeValue(), types, node),
                            types.size(c).orElseThrow(() -> new NotExact("an array of unknown size", node)),
                            node);
                }
            }
            case "half", "vector", "string", "complex", "knobscape_bits" ->
                throw new NotExact("the type " + c.getName(), node);
            default -> {}
        }
        return struct(c, types, node);
    }

    private static ExactType arbitrary(ICompositeType c, ICPPTemplateArgument[] a, Types types, IASTNode node) {
        ScalarType e = types.element(c);
        if (e.kind() == ScalarType.Kind.UNKNOWN || e.bits() > 4096) {
            throw new NotExact("the type " + c.getName() + " of unknown width", node);
        }
        if (e.kind() == ScalarType.Kind.INTEGER) {
            return ExactType.Arbitrary.integer(e.bits(), e.signed());
        }
        int q = a.length > 2 ? types.argument(a[2]).orElse(5L).intValue() : 5;
        int o = a.length > 3 ? types.argument(a[3]).orElse(3L).intValue() : 3;
        return new ExactType.Arbitrary(
                e.bits(),
                e.fraction(),
                e.signed(),
                true,
                ExactType.Quantization.values()[q],
                ExactType.Overflow.values()[o]);
    }

    private ExactType struct(ICompositeType c, Types types, IASTNode node) {
        String name = name(c, types);
        Optional<ExactType.Struct> known = structs.get(name);
        if (known != null) {
            return known.isPresent() ? known.get() : new ExactType.Named(name);
        }
        structs.put(name, Optional.empty());
        try {
            ExactType.Struct s = laidOut(c, name, types, node);
            structs.put(name, Optional.of(s));
            return s;
        } finally {
            if (structs.get(name).isEmpty()) {
                structs.remove(name);
            }
        }
    }

    private static String name(ICompositeType c, Types types) {
        var name = new StringBuilder(c.getName().isEmpty() ? "struct@" + System.identityHashCode(c) : c.getName());
        if (c instanceof ICPPTemplateInstance i) {
            for (ICPPTemplateArgument a : i.getTemplateArguments()) {
                name.append(',')
                        .append(
                                a.isNonTypeValue()
                                        ? types.argument(a).map(String::valueOf).orElse("?")
                                        : ASTTypeUtil.getType(a.getTypeValue()));
            }
        }
        return name.toString();
    }

    private ExactType.Struct laidOut(ICompositeType c, String name, Types types, IASTNode node) {
        boolean union = c.getKey() == ICompositeType.k_union;
        var fields = new ArrayList<ExactType.Field>();
        int size = 0;
        int alignment = 1;
        if (c instanceof ICPPClassType k) {
            for (ICPPConstructor m : k.getConstructors()) {
                if (!m.isImplicit()) {
                    constructed.add(name);
                }
            }
            for (ICPPMethod m : k.getAllDeclaredMethods()) {
                if (m.isVirtual()) {
                    throw new NotExact("virtual methods", node);
                }
            }
            for (ICPPBase base : k.getBases()) {
                if (!(base.getBaseClass() instanceof IType t) || !(of(t, types, node) instanceof ExactType.Struct b)) {
                    throw new NotExact("a base class that is not known", node);
                }
                if (!b.fields().isEmpty()) {
                    if (size > 0) {
                        throw new NotExact("several base classes", node);
                    }
                    fields.addAll(b.fields());
                    size = b.size();
                    alignment = b.alignment();
                }
            }
        }
        List<IField> own = List.of(c instanceof ICPPClassType k ? k.getDeclaredFields() : c.getFields());
        for (IField f : own) {
            if (f.isStatic()) {
                continue;
            }
            Optional<IASTDeclarator> declared = program.declarations().declarator(f);
            if (declared.filter(d -> d.getInitializer() != null).isPresent()) {
                constructed.add(name);
            }
            if (declared.orElse(null) instanceof IASTFieldDeclarator) {
                throw new NotExact("a bit field", node);
            }
            if (isReference(f.getType(), types)) {
                throw new NotExact("a member that is a reference", node);
            }
            ExactType t = of(f.getType(), types, node);
            int at = union ? 0 : (size + t.alignment() - 1) / t.alignment() * t.alignment();
            fields.add(new ExactType.Field(f.getName(), t, at));
            size = Math.max(size, at + t.size());
            alignment = Math.max(alignment, t.alignment());
        }
        size = Math.max(1, (size + alignment - 1) / alignment * alignment);
        return new ExactType.Struct(name, fields, size, alignment);
    }

    /// Whether a new variable of this type is set up by code.
    boolean isConstructed(ExactType.Struct type) {
        return constructed.contains(type.name())
                || type.fields().stream().anyMatch(f -> f.type() instanceof ExactType.Struct s && isConstructed(s));
    }

    /// The structure behind a name that a pointer in itself leads to.
    ExactType complete(ExactType type, IASTNode node) {
        if (type instanceof ExactType.Named n) {
            Optional<ExactType.Struct> s = structs.getOrDefault(n.name(), Optional.empty());
            return s.orElseThrow(() -> new NotExact("the type " + n.name() + ", which is not complete", node));
        }
        return type;
    }
}

package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.ScalarType.Kind;
import org.eclipse.cdt.core.dom.ast.ASTTypeUtil;
import org.eclipse.cdt.core.dom.ast.DOMException;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IArrayType;
import org.eclipse.cdt.core.dom.ast.IBasicType;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.ICompositeType;
import org.eclipse.cdt.core.dom.ast.IEnumeration;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IPointerType;
import org.eclipse.cdt.core.dom.ast.IProblemBinding;
import org.eclipse.cdt.core.dom.ast.IQualifierType;
import org.eclipse.cdt.core.dom.ast.ISemanticProblem;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.ITypedef;
import org.eclipse.cdt.core.dom.ast.IValue;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPNamespace;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPParameterPackType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPReferenceType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateArgument;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateInstance;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateParameterMap;
import org.eclipse.cdt.internal.core.dom.parser.c.ICInternalBinding;
import org.eclipse.cdt.internal.core.dom.parser.cpp.ICPPInternalBinding;
import org.eclipse.cdt.internal.core.dom.parser.cpp.ICPPUnknownBinding;
import org.eclipse.cdt.internal.core.dom.parser.cpp.InstantiationContext;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPTemplates;
import org.jspecify.annotations.Nullable;

/// Reads the parser's types. Template parameters of the function being read are replaced by their arguments.
final class Types {
    private static final Pattern C_BITS = Pattern.compile("(u?)int(\\d+)");
    private static final int MAX_NESTING = 16;
    /// What is read and written value by value: also ports, and memories that are read in bursts.
    private static final Set<String> STREAMS = Set.of("stream", "burst_maxi", "directio");
    /// Containers of the standard library that grow.
    static final Set<String> GROWING = Set.of(
            "vector",
            "list",
            "deque",
            "queue",
            "priority_queue",
            "stack",
            "map",
            "multimap",
            "set",
            "multiset",
            "unordered_map",
            "unordered_set",
            "forward_list");

    private static final Set<String> BLOCKS = Set.of("stream_of_blocks", "read_lock", "write_lock");
    private static final Pattern QUALIFIERS =
            Pattern.compile("\\b(const|static|volatile|register|extern|inline|struct|constexpr|mutable)\\b");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private final Optional<ICPPTemplateParameterMap> arguments;

    private final IdentityHashMap<IASTDeclSpecifier, Optional<String>> spellings = new IdentityHashMap<>();
    private final IdentityHashMap<ICompositeType, Long> structBits = new IdentityHashMap<>();
    private final Widths widths;

    /// @param widths is told which names stand for arbitrary-precision types
    Types(Optional<ICPPTemplateParameterMap> arguments, Widths widths) {
        this.arguments = arguments;
        this.widths = widths;
    }

    /// The type with template parameters replaced.
    @Nullable
    IType resolved(@Nullable IType type) {
        if (type == null || arguments.isEmpty()) {
            return type;
        }
        IType t = CPPTemplates.instantiateType(type, new InstantiationContext(arguments.get()));
        return t == null ? type : t;
    }

    /// What a name that depends on template parameters means once they are given (`T::size`).
    @Nullable
    IBinding resolved(@Nullable IBinding binding) {
        if (!(binding instanceof ICPPUnknownBinding) || arguments.isEmpty()) {
            return binding;
        }
        try {
            IBinding known = CPPTemplates.instantiateBinding(
                    binding, new InstantiationContext(arguments.get()), Program.MAX_TEMPLATE_DEPTH);
            return known == null || known instanceof IProblemBinding ? binding : known;
        } catch (DOMException e) {
            return binding;
        }
    }

    /// Without typedefs, const, references and parameter packs. A stream of blocks and a lock of one are the block:
    /// the tool builds a memory of that shape (several, if it is deeper), and every access goes to its elements.
    @Nullable
    IType bare(@Nullable IType type) {
        IType t = resolved(type);
        for (int i = 0; i < MAX_NESTING * 4 && t != null; i++) {
            IType inner = switch (t) {
                case ITypedef d -> cBits(d).isPresent() ? t : d.getType();
                case IQualifierType q -> q.getType();
                case ICPPReferenceType r -> r.getType();
                case ICPPParameterPackType p -> p.getType();
                case ICPPTemplateInstance x when isBlock(x) -> x.getTemplateArguments()[0].getTypeValue();
                default -> t;
            };
            if (inner == t) {
                return t;
            }
            t = inner;
        }
        return t;
    }

    private static boolean isBlock(IBinding type) {
        return BLOCKS.contains(type.getName())
                && type instanceof ICPPTemplateInstance i
                && i.getOwner() instanceof ICPPNamespace n
                && n.getName().equals("hls")
                && i.getTemplateArguments().length > 0
                && i.getTemplateArguments()[0].getTypeValue() != null;
    }

    /// Whether it is `hls::stream_of_blocks`, `hls::read_lock` or `hls::write_lock`, or a reference to one.
    boolean isBlock(@Nullable IType type) {
        IType t = resolved(type);
        for (int i = 0; i < MAX_NESTING * 4; i++) {
            switch (t) {
                case ITypedef d -> t = d.getType();
                case IQualifierType q -> t = q.getType();
                case ICPPReferenceType r -> t = r.getType();
                case ICPPTemplateInstance x -> {
                    return isBlock((IBinding) x);
                }
                case null, default -> {
                    return false;
                }
            }
        }
        return false;
    }

    /// Whether writes through it reach the caller: a reference to something not const.
    boolean isWritableReference(IType type) {
        IType t = resolved(type);
        for (int i = 0; i < MAX_NESTING && t instanceof ITypedef d; i++) {
            t = d.getType();
        }
        return t instanceof ICPPReferenceType r && !(r.getType() instanceof IQualifierType q && q.isConst());
    }

    /// Whether the type, or the elements of an array of it, are const.
    boolean isConst(IType type) {
        IType t = resolved(type);
        for (int i = 0; i < MAX_NESTING * 4 && t != null; i++) {
            switch (t) {
                case IQualifierType q -> {
                    if (q.isConst()) {
                        return true;
                    }
                    t = q.getType();
                }
                case ITypedef d -> t = d.getType();
                case ICPPReferenceType r -> t = r.getType();
                case IArrayType a -> t = a.getType();
                case IPointerType p -> t = p.getType();
                default -> {
                    return false;
                }
            }
        }
        return false;
    }

    boolean isPointer(@Nullable IType type) {
        return bare(type) instanceof IPointerType;
    }

    boolean isArray(IType type) {
        IType t = bare(type);
        return t instanceof IArrayType || isStdArray(t);
    }

    /// Type of the elements of an array or the target of a pointer.
    Optional<IType> target(@Nullable IType type) {
        IType t = bare(type);
        if (t instanceof IArrayType a) {
            return Optional.of(a.getType());
        }
        if (t instanceof IPointerType p) {
            return Optional.of(p.getType());
        }
        return t instanceof ICPPTemplateInstance i && isStdArray(t)
                ? Optional.ofNullable(i.getTemplateArguments()[0].getTypeValue())
                : Optional.empty();
    }

    /// Size of an array's first dimension as the type tells it.
    Optional<Long> size(IType type) {
        IType t = bare(type);
        if (t instanceof IArrayType a) {
            return number(a.getSize());
        }
        return t instanceof ICPPTemplateInstance i && isStdArray(t)
                ? number(i.getTemplateArguments()[1].getNonTypeValue())
                : Optional.empty();
    }

    /// Whether it is an array that is assigned and passed as a whole: `std::array`.
    boolean isArrayObject(IType type) {
        return isStdArray(bare(type));
    }

    private static boolean isStdArray(@Nullable IType t) {
        return t instanceof ICPPTemplateInstance i
                && t instanceof ICompositeType c
                && c.getName().equals("array")
                && i.getTemplateArguments().length == 2
                && i.getTemplateArguments()[1].isNonTypeValue();
    }

    /// Dimensions and innermost element type of an array, pointers not followed; 0 for an unknown size.
    List<Long> dims(IType type) {
        var dims = new ArrayList<Long>();
        IType t = type;
        while (isArray(t) && dims.size() < MAX_NESTING) {
            dims.add(size(t).orElse(0L));
            t = target(t).orElseThrow();
        }
        return dims;
    }

    /// Type of the innermost elements of an array.
    IType innermost(IType type) {
        IType t = type;
        for (int i = 0; i < MAX_NESTING && isArray(t); i++) {
            t = target(t).orElseThrow();
        }
        return t;
    }

    /// Whether it is a template instance or class called `name`.
    boolean isNamed(IType type, String name) {
        return bare(type) instanceof ICompositeType c && c.getName().equals(name);
    }

    /// Whether it is a container of the standard library that grows.
    boolean allocates(IType type) {
        return bare(type) instanceof ICPPTemplateInstance c
                && GROWING.contains(c.getName())
                && c.getOwner() instanceof ICPPNamespace n
                && n.getName().equals("std");
    }

    /// Element type of a stream or of what is read and written like one; empty for anything else.
    Optional<IType> streamElement(IType type) {
        IType t = bare(type);
        if (t instanceof ICompositeType c
                && STREAMS.contains(c.getName())
                && t instanceof ICPPTemplateInstance i
                && i.getTemplateArguments().length > 0) {
            return Optional.ofNullable(i.getTemplateArguments()[0].getTypeValue());
        }
        return Optional.empty();
    }

    /// The class behind the type.
    Optional<ICompositeType> composite(@Nullable IType type) {
        return bare(type) instanceof ICompositeType c ? Optional.of(c) : Optional.empty();
    }

    /// Scalar type, spelled as the declaration does.
    ScalarType element(@Nullable IType type, IASTDeclSpecifier specifier) {
        return element(type, spellings.computeIfAbsent(specifier, Types::spelling));
    }

    private static Optional<String> spelling(IASTDeclSpecifier specifier) {
        String written = QUALIFIERS.matcher(specifier.getRawSignature()).replaceAll(" ");
        written = BLANKS.matcher(written).replaceAll(" ").strip();
        // Of what a macro made the text is that of the macro, which may hold a whole list of parameters.
        boolean macro = written.endsWith(")")
                && specifier.getParent() != null
                && specifier.getParent().getRawSignature().equals(specifier.getRawSignature());
        if (macro || written.contains("{")) {
            written = "";
        }
        return written.isEmpty() || written.equals("auto") ? Optional.empty() : Optional.of(written);
    }

    /// Scalar type, spelled by itself.
    ScalarType element(@Nullable IType type) {
        return element(type, Optional.empty());
    }

    private ScalarType element(@Nullable IType type, Optional<String> spelling) {
        IType t = bare(type);
        if (t == null) {
            return new ScalarType(Kind.UNKNOWN, 32, 0, true, spelling.orElse("unknown"));
        }
        return switch (t) {
            case ITypedef d -> {
                widths.isArbitrary(spelling.orElse(d.getName()));
                yield cBits(d).map(e -> respell(e, spelling)).orElseThrow();
            }
            case IBasicType b -> basic(b, spelling);
            case IEnumeration e -> new ScalarType(Kind.INTEGER, 32, 0, true, spelling.orElse(e.getName()));
            case ICompositeType c -> composite(c, spelling);
            case IPointerType p ->
                new ScalarType(
                        Kind.UNKNOWN, 64, 0, false, spelling.map(s -> s + " *").orElse("pointer"));
            case IArrayType a -> element(innermost(a), spelling);
            case ISemanticProblem _ -> new ScalarType(Kind.UNKNOWN, 32, 0, true, spelling.orElse("unknown"));
            default -> new ScalarType(Kind.UNKNOWN, 32, 0, true, spelling.orElse(ASTTypeUtil.getType(t)));
        };
    }

    private static ScalarType respell(ScalarType e, Optional<String> spelling) {
        return new ScalarType(e.kind(), e.bits(), e.fraction(), e.signed(), spelling.orElse(e.spelling()));
    }

    /// `int7` and `uint7` of ap_cint.h; a source may have types of these names that are others.
    private static Optional<ScalarType> cBits(ITypedef typedef) {
        Matcher m = C_BITS.matcher(typedef.getName());
        if (!m.matches() || m.group(2).length() > 4 || !isVendors(typedef)) {
            return Optional.empty();
        }
        return Optional.of(new ScalarType(
                Kind.INTEGER, Integer.parseInt(m.group(2)), 0, m.group(1).isEmpty(), typedef.getName()));
    }

    private static boolean isVendors(ITypedef typedef) {
        IASTNode node = typedef instanceof ICInternalBinding c
                ? c.getPhysicalNode()
                : typedef instanceof ICPPInternalBinding p ? p.getDefinition() : null;
        return node != null
                && node.getFileLocation() != null
                && node.getFileLocation().getFileName().startsWith(StubHeaders.FOLDER);
    }

    private static ScalarType basic(IBasicType b, Optional<String> spelling) {
        return switch (b.getKind()) {
            case eBoolean -> new ScalarType(Kind.BOOL, 1, 0, false, spelling.orElse("bool"));
            case eChar ->
                new ScalarType(
                        Kind.INTEGER,
                        8,
                        0,
                        !b.isUnsigned(),
                        spelling.orElse(b.isUnsigned() ? "unsigned char" : "char"));
            case eChar16 -> new ScalarType(Kind.INTEGER, 16, 0, false, spelling.orElse("char16_t"));
            case eChar32 -> new ScalarType(Kind.INTEGER, 32, 0, false, spelling.orElse("char32_t"));
            case eWChar -> new ScalarType(Kind.INTEGER, 32, 0, true, spelling.orElse("wchar_t"));
            case eFloat -> new ScalarType(Kind.FLOAT, 32, 0, true, spelling.orElse("float"));
            case eDouble -> new ScalarType(Kind.DOUBLE, b.isLong() ? 128 : 64, 0, true, spelling.orElse("double"));
            case eInt128 -> new ScalarType(Kind.INTEGER, 128, 0, !b.isUnsigned(), spelling.orElse("__int128"));
            case eInt, eUnspecified -> {
                int bits = b.isLong() || b.isLongLong() ? 64 : b.isShort() ? 16 : 32;
                String name =
                        (b.isUnsigned() ? "unsigned " : "") + (bits == 64 ? "long" : bits == 16 ? "short" : "int");
                yield new ScalarType(Kind.INTEGER, bits, 0, !b.isUnsigned(), spelling.orElse(name));
            }
            default ->
                new ScalarType(
                        Kind.UNKNOWN,
                        32,
                        0,
                        true,
                        spelling.orElse(b.getKind().name().substring(1).toLowerCase(Locale.ROOT)));
        };
    }

    private ScalarType composite(ICompositeType c, Optional<String> spelling) {
        String name = c.getName();
        ICPPTemplateArgument[] a =
                c instanceof ICPPTemplateInstance i ? i.getTemplateArguments() : ICPPTemplateArgument.EMPTY_ARGUMENTS;
        Optional<Long> width = a.length > 0 ? argument(a[0]) : Optional.empty();
        if (name.startsWith("ap_")) {
            spelling.ifPresent(widths::isArbitrary);
        }
        switch (name) {
            case "ap_int", "ap_uint", "ap_int_base" -> {
                boolean signed = name.equals("ap_int")
                        || (name.equals("ap_int_base")
                                && a.length > 1
                                && argument(a[1]).orElse(1L) != 0);
                return width.filter(Types::sane)
                        .map(w -> new ScalarType(
                                Kind.INTEGER, w.intValue(), 0, signed, spelling.orElse(name + "<" + w + ">")))
                        .orElseGet(() -> new ScalarType(Kind.UNKNOWN, 32, 0, signed, spelling.orElse(name)));
            }
            case "ap_fixed", "ap_ufixed" -> {
                boolean signed = name.equals("ap_fixed");
                Optional<Long> whole = a.length > 1 ? argument(a[1]) : Optional.empty();
                return width.filter(Types::sane)
                        .filter(w -> whole.isPresent())
                        .map(w -> new ScalarType(
                                Kind.FIXED,
                                w.intValue(),
                                (int) (w - whole.get()),
                                signed,
                                spelling.orElse(name + "<" + w + "," + whole.get() + ">")))
                        .orElseGet(() -> new ScalarType(Kind.UNKNOWN, 32, 0, signed, spelling.orElse(name)));
            }
            case "half" -> {
                return new ScalarType(Kind.HALF, 16, 0, true, spelling.orElse(name));
            }
            case "knobscape_bits" -> {
                return new ScalarType(Kind.INTEGER, 32, 0, false, "bits");
            }
            case "stream", "burst_maxi", "directio" -> {
                if (a.length > 0 && a[0].getTypeValue() != null) {
                    return element(a[0].getTypeValue());
                }
            }
            case "complex" -> {
                if (a.length == 1 && a[0].getTypeValue() != null) {
                    return ComplexNumbers.of(element(a[0].getTypeValue()));
                }
            }
            case "vector" -> {
                Optional<Long> n = a.length > 1 ? argument(a[1]) : Optional.empty();
                if (n.filter(Types::sane).isPresent() && a[0].getTypeValue() != null) {
                    ScalarType lane = element(a[0].getTypeValue());
                    return new ScalarType(
                            Kind.STRUCT,
                            (int) Math.min(Integer.MAX_VALUE, lane.bits() * n.get()),
                            0,
                            lane.signed(),
                            spelling.orElse("vector<" + lane.spelling() + "," + n.get() + ">"));
                }
            }
            default -> {}
        }
        return new ScalarType(
                Kind.STRUCT,
                (int) Math.min(Integer.MAX_VALUE, structBits(c)),
                0,
                true,
                spelling.orElse(name.isEmpty() ? "struct" : name));
    }

    private static boolean sane(Long width) {
        return width > 0 && width <= 1 << 16;
    }

    /// Each type once: a structure of two of the next, 40 deep, has as many parts as no computer counts.
    private long structBits(ICompositeType c) {
        Long known = structBits.get(c);
        if (known != null) {
            return known;
        }
        // A type that holds itself is an error of the source, and ends here.
        structBits.put(c, 0L);
        long bits = 0;
        for (IField f : c.getFields()) {
            if (!f.isStatic()) {
                IType inner = innermost(f.getType());
                long one = composite(inner)
                        .filter(x -> element(inner).kind() == Kind.STRUCT)
                        .map(this::structBits)
                        .orElseGet(() -> (long) element(inner).bits());
                long n = dims(f.getType()).stream().reduce(1L, (x, y) -> Math.min(x * Math.max(1, y), 1L << 40));
                bits = Math.min(bits + one * n, 1L << 50);
            }
        }
        structBits.put(c, bits);
        return bits;
    }

    /// Bytes of a value, as `sizeof` tells; empty where unknown.
    Optional<Long> sizeOf(IType type) {
        ScalarType e = element(innermost(type));
        if ((e.kind() == Kind.UNKNOWN && !isPointer(innermost(type))) || e.bits() == 0) {
            return Optional.empty();
        }
        long n = e.kind() == Kind.BOOL ? 1 : (e.bits() + 7) / 8;
        if (e.kind() == Kind.INTEGER && n > 2 && n < 8) {
            n = n <= 4 ? 4 : 8;
        }
        for (long d : dims(type)) {
            if (d <= 0 || n > Long.MAX_VALUE / d) {
                return Optional.empty();
            }
            n *= d;
        }
        return Optional.of(n);
    }

    Optional<Long> argument(ICPPTemplateArgument a) {
        return a.isNonTypeValue() ? number(a.getNonTypeValue()) : Optional.empty();
    }

    /// The argument bound to a non-type template parameter.
    Optional<Long> argumentOf(IBinding parameter) {
        if (arguments.isEmpty() || !(parameter instanceof org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateParameter p)) {
            return Optional.empty();
        }
        ICPPTemplateArgument a = arguments.get().getArgument(p);
        return a == null ? Optional.empty() : argument(a);
    }

    /// Whether the type is a struct that has a stream among its members, or those of its base classes.
    boolean holdsStream(IType type) {
        return composite(type).stream()
                .flatMap(c -> Arrays.stream(c.getFields()))
                .anyMatch(f -> streamElement(innermost(f.getType())).isPresent());
    }

    /// A value of the parser's evaluator with template parameters replaced.
    Optional<Long> evaluated(IValue value) {
        return number(value);
    }

    static Optional<Long> number(IValue value) {
        Number n = value == null ? null : value.numberValue();
        return n == null || n instanceof Double || n instanceof Float ? Optional.empty() : Optional.of(n.longValue());
    }
}

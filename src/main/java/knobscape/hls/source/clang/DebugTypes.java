package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.compile.ir.IrDebugType;
import knobscape.hls.source.ScalarType;

/// The compiler's description of types, as elements of arrays.
final class DebugTypes {
    private static final Pattern INTEGER = Pattern.compile("ap_int_base<(-?\\d+), (true|false)>");
    private static final Pattern FIXED_SHORT =
            Pattern.compile("ap_fixed_base<(-?\\d+), (-?\\d+)(?:, (true|false))?.*>");

    private DebugTypes() {}

    /// An array as declared: sizes outermost first, 0 for one that is not known, and what it holds.
    record Shape(List<Long> dims, IrDebugType element) {}

    /// The shape of a type: of arrays, of pointers to them (a parameter whose first size is not told), of nothing else.
    static Optional<Shape> shape(IrDebugType type) {
        IrDebugType t = plain(type);
        return switch (t) {
            case IrDebugType.Elements e -> Optional.of(elements(e, List.of()));
            case IrDebugType.Address(IrDebugType target, boolean reference) -> {
                IrDebugType to = plain(target);
                yield Optional.of(
                        to instanceof IrDebugType.Elements e
                                ? elements(e, reference ? List.of() : List.of(0L))
                                : new Shape(List.of(0L), target));
            }
            default -> Optional.empty();
        };
    }

    private static Shape elements(IrDebugType.Elements e, List<Long> before) {
        var dims = new ArrayList<>(before);
        e.dims().forEach(d -> dims.add(Math.max(0, d)));
        return plain(e.element()) instanceof IrDebugType.Elements inner
                ? elements(inner, dims)
                : new Shape(dims, e.element());
    }

    /// The name of a member behind that of its object; what a base holds is the object's own.
    static String within(String object, IrDebugType.Member m) {
        return m.name().equals(m.type().name()) && plain(m.type()) instanceof IrDebugType.Composite
                ? object
                : object + "." + m.name();
    }

    /// Without second names.
    static IrDebugType plain(IrDebugType type) {
        return type instanceof IrDebugType.Alias a ? plain(a.target()) : type;
    }

    /// A scalar type.
    static ScalarType element(IrDebugType type) {
        String spelling = type.name();
        return switch (plain(type)) {
            case IrDebugType.Basic b ->
                switch (b.encoding()) {
                    case BOOLEAN -> new ScalarType(ScalarType.Kind.BOOL, 1, 0, false, spelling);
                    case FLOATING ->
                        new ScalarType(
                                b.bits() <= Short.SIZE
                                        ? ScalarType.Kind.HALF
                                        : b.bits() <= Float.SIZE ? ScalarType.Kind.FLOAT : ScalarType.Kind.DOUBLE,
                                (int) b.bits(),
                                0,
                                true,
                                spelling);
                    case SIGNED, UNSIGNED ->
                        new ScalarType(
                                ScalarType.Kind.INTEGER,
                                (int) b.bits(),
                                0,
                                b.encoding() == IrDebugType.Encoding.SIGNED,
                                spelling);
                };
            case IrDebugType.Enumeration e ->
                new ScalarType(ScalarType.Kind.INTEGER, (int) e.bits(), 0, true, spelling);
            case IrDebugType.Composite c -> composite(c, spelling);
            case IrDebugType t ->
                new ScalarType(ScalarType.Kind.UNKNOWN, (int) Math.max(1, t.bits()), 0, false, spelling);
        };
    }

    private static ScalarType composite(IrDebugType.Composite c, String spelling) {
        Matcher m = INTEGER.matcher(c.name());
        if (m.matches()) {
            boolean signed = m.group(2).equals("true");
            String name = spelling.equals(c.name()) ? (signed ? "ap_int<" : "ap_uint<") + m.group(1) + ">" : spelling;
            return new ScalarType(ScalarType.Kind.INTEGER, Integer.parseInt(m.group(1)), 0, signed, name);
        }
        m = FIXED_SHORT.matcher(c.name());
        if (m.matches()) {
            int bits = Integer.parseInt(m.group(1));
            boolean signed = !"false".equals(m.group(3));
            return new ScalarType(ScalarType.Kind.FIXED, bits, bits - Integer.parseInt(m.group(2)), signed, spelling);
        }
        return new ScalarType(ScalarType.Kind.STRUCT, (int) Math.min(Integer.MAX_VALUE, c.bits()), 0, true, spelling);
    }

    /// The type that a stream carries, where a type is one.
    static Optional<IrDebugType> streamed(IrDebugType type) {
        return plain(type) instanceof IrDebugType.Composite c && c.name().startsWith("stream<")
                ? c.members().stream()
                        .filter(m -> m.name().equals("element"))
                        .map(IrDebugType.Member::type)
                        .filter(IrDebugType.Elements.class::isInstance)
                        .map(e -> ((IrDebugType.Elements) e).element())
                        .findFirst()
                : Optional.empty();
    }
}

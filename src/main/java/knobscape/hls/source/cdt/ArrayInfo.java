package knobscape.hls.source.cdt;

import java.util.Collection;
import java.util.List;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.ArrayVariable.Scope;
import knobscape.hls.source.Location;
import knobscape.hls.source.ScalarType;
import org.eclipse.cdt.core.dom.ast.IType;

/// An array while its function is being read; sizes may become known only when all calls have been seen.
final class ArrayInfo {
    private final String id;
    private final String name;
    private final String function;
    private final Scope scope;
    private final Place place;
    private final IType elementType;
    private final ScalarType element;
    private final Location location;
    private final boolean constant;
    private List<Long> dims;
    private boolean written;
    private boolean read;

    /// @param id as in [ArrayVariable]
    /// @param place variable it belongs to
    /// @param elementType innermost element as the parser knows it
    /// @param constant whether it is declared const
    ArrayInfo(
            String id,
            String name,
            String function,
            Scope scope,
            Place place,
            IType elementType,
            ScalarType element,
            List<Long> dims,
            boolean constant,
            Location location) {
        this.id = id;
        this.name = name;
        this.function = function;
        this.scope = scope;
        this.place = place;
        this.elementType = elementType;
        this.element = element;
        this.dims = List.copyOf(dims);
        this.constant = constant;
        this.location = location;
    }

    String id() {
        return id;
    }

    String name() {
        return name;
    }

    String function() {
        return function;
    }

    Scope scope() {
        return scope;
    }

    Place place() {
        return place;
    }

    IType elementType() {
        return elementType;
    }

    ScalarType element() {
        return element;
    }

    List<Long> dims() {
        return dims;
    }

    void setDims(List<Long> sizes) {
        dims = List.copyOf(sizes);
    }

    boolean written() {
        return written;
    }

    void markWritten() {
        written = true;
    }

    boolean read() {
        return read;
    }

    void markRead() {
        read = true;
    }

    boolean constant() {
        return constant;
    }

    Location location() {
        return location;
    }

    /// @param beside the arrays of the same function, or all globals
    ArrayVariable toVariable(Collection<ArrayInfo> beside) {
        return new ArrayVariable(
                id,
                name,
                function,
                scope,
                remaining(beside),
                dims,
                scope != Scope.STREAM && (constant || !written),
                location);
    }

    /// What stays in its elements once their member arrays are arrays of their own: tools take local structs apart.
    private ScalarType remaining(Collection<ArrayInfo> beside) {
        if (element.kind() != ScalarType.Kind.STRUCT || scope == Scope.PARAMETER || scope == Scope.STREAM) {
            return element;
        }
        List<ArrayInfo> members = beside.stream().filter(this::holds).toList();
        double apart = members.stream()
                .filter(m -> members.stream().noneMatch(o -> o.holds(m)))
                .mapToDouble(m -> m.dims.subList(dims.size(), m.dims.size()).stream()
                        .reduce((double) m.element.bits(), (product, d) -> product * d, (a, b) -> a * b))
                .sum();
        return apart == 0
                ? element
                : new ScalarType(
                        element.kind(),
                        (int) Math.max(1, element.bits() - apart),
                        element.fraction(),
                        element.signed(),
                        element.spelling());
    }

    /// Whether `member` is an array that every element has.
    private boolean holds(ArrayInfo member) {
        return member.place.root().equals(place.root())
                && member.place.path().startsWith(place.path() + ".")
                && member.dims.size() > dims.size()
                && member.dims.subList(0, dims.size()).equals(dims);
    }
}

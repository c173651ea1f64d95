package knobscape.hls.source;

import java.util.List;

/// An array of the kernel.
///
/// @param id `function/name`; a global is `/name`, a struct member `function/variable.member`
/// @param name as in the source
/// @param function where it is declared, empty for a global
/// @param scope kind of declaration
/// @param element element type
/// @param dims sizes, outermost first; 0 where unknown (`int *p`, `int a[]` never called with a known array)
/// @param location of the declaration
public record ArrayVariable(
        String id, String name, String function, Scope scope, ScalarType element, List<Long> dims, Location location) {

    /// Kind of declaration.
    public enum Scope {
        PARAMETER,
        LOCAL,
        GLOBAL,
        MEMBER,
        STREAM
    }

    public ArrayVariable {
        dims = List.copyOf(dims);
    }

    /// Name of the variable that the array is, or is a member of.
    public String variable() {
        return name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
    }

    boolean isArgument(Pragma port, String top) {
        return function.equals(top)
                && (scope == Scope.PARAMETER || scope == Scope.MEMBER)
                && variable().equals(port.options().get("port"));
    }

    /// Number of elements, 0 where a dimension is unknown.
    public long elements() {
        return dims.stream().reduce(1L, (a, b) -> a * b);
    }
}

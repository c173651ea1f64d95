package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A function with a body.
///
/// @param name unqualified name, made unique for overloads and template instances (`f`, `f<8>`)
/// @param arrays parameters and locals that are arrays, in source order
/// @param scalars scalar parameters, name to type
/// @param body what it does
/// @param callees functions of this kernel it calls, each once
/// @param bindings for each call site: callee, and formal array parameter name to actual array id of the caller
/// @param location of the name in the definition
/// @param bodyStart place right after the opening brace
/// @param explicitInline whether the source says `inline` or has an INLINE pragma
public record Function(
        String name,
        List<ArrayVariable> arrays,
        Map<String, ScalarType> scalars,
        BodyFacts body,
        List<String> callees,
        List<Binding> bindings,
        Location location,
        Location bodyStart,
        boolean explicitInline) {
    public Function {
        arrays = List.copyOf(arrays);
        scalars = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(scalars));
        callees = List.copyOf(callees);
        bindings = List.copyOf(bindings);
    }

    /// The same with another body.
    public Function withBody(BodyFacts other) {
        return new Function(name, arrays, scalars, other, callees, bindings, location, bodyStart, explicitInline);
    }

    /// Multiplications of values, loops included.
    public List<Multiplication> multiplications() {
        return body.nest().stream().flatMap(b -> b.multiplications().stream()).toList();
    }

    /// Outermost loops in source order.
    public List<Loop> loops() {
        return body.loops();
    }

    /// All loops, outer before inner, in source order.
    public List<Loop> allLoops() {
        var all = new ArrayList<Loop>();
        loops().forEach(l -> all.addAll(l.nest()));
        return List.copyOf(all);
    }

    /// Which actual arrays stand behind the formal ones at one call site.
    ///
    /// @param callee called function
    /// @param arrays formal parameter name to actual array id
    /// @param location of the call
    public record Binding(String callee, Map<String, String> arrays, Location location) {}
}

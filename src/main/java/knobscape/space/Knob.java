package knobscape.space;

import java.util.Objects;

/// One decision with a finite ordered domain, for example `unroll@gemm/inner` over the factors 1, 2, 4, 8.
///
/// @param name unique within its [KnobSet]; free of `;` and `=`
/// @param domain the values it may take
public record Knob(String name, Domain domain) {
    public Knob {
        Objects.requireNonNull(domain, "domain");
        if (name.isBlank() || name.indexOf(';') >= 0 || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException(
                    "a knob's name must not be blank nor hold ';' or '=', was '" + name + "'");
        }
    }
}

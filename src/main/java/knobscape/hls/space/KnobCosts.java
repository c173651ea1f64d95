package knobscape.hls.space;

import java.util.List;

/// Tells which single directives are not worth offering, whatever the others are, and which are.
@FunctionalInterface
public interface KnobCosts {
    /// Nothing is known, everything is offered.
    KnobCosts NONE = directive -> false;

    /// True if a directive makes the design slower or larger by much and nothing better. Of a partition this
    /// speaks where no unrolled loop asks for it.
    boolean isVain(Directive directive);

    /// True if a directive is worth offering although it is no knob by default: beside others it makes a design that
    /// is better in something than without it, and than with another directive in its place.
    ///
    /// @param instead the other directive, none where there is nothing to replace
    /// @param beside what it needs to be of use
    default boolean pays(Directive directive, List<Directive> instead, List<Directive> beside) {
        return false;
    }
}

package knobscape.hls.space;

/// Tells which single directives are not worth offering, whatever the others are.
@FunctionalInterface
public interface KnobCosts {
    /// Nothing is known, everything is offered.
    KnobCosts NONE = directive -> false;

    /// Whether a directive makes the design slower or larger by much and nothing better. Of a partition this
    /// speaks where no unrolled loop asks for it.
    boolean isVain(Directive directive);
}

package knobscape.hls.space;

/// The treatment of configurations that the pruning rules rate as poor. Contradictions are left out in any case.
public enum Pruning {
    /// They are left out of the space.
    HARD,
    /// They stay in it, and a search expects less of them ([DirectiveSpace#disliked]).
    SOFT
}

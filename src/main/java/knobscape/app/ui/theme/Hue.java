package knobscape.app.ui.theme;

/// The meaning of a colour of a chart; the theme says which colour that is. Meanings are the same everywhere in the
/// window; the hues are those of Okabe and Ito (Color Universal Design, 2008), which people with colour-blind eyes
/// can tell apart.
public enum Hue {
    /// Designs nothing measured dominates; the best, or selected.
    FRONT,
    /// Other measured designs; the rest.
    DOMINATED,
    /// Designs evaluated at a lower fidelity only.
    LOWER,
    /// Designs that cannot be built.
    INVALID,
    /// Values that a model expects.
    PREDICTED,
    /// The design that everything is measured against.
    BASELINE,
    /// Designs pinned for comparison.
    PINNED,
    /// The ring around the selected design.
    SELECTED,
    /// Labels and ordinary text.
    TEXT,
    /// Tick labels, hints, text and lines that stand back.
    MUTED,
    /// Grid lines.
    GRID,
    /// Behind a plot.
    BACKGROUND;

    private static final Hue[] GROUPS = {FRONT, PINNED, BASELINE, PREDICTED};

    /// The colour of group number `n`, counted from 0; neighbours differ.
    public static Hue group(int n) {
        return GROUPS[Math.floorMod(n, GROUPS.length)];
    }
}

package knobscape.app.ui.plot;

import java.awt.Color;
import knobscape.app.ui.theme.Palette;

/// What a colour of a [Figure] means; the theme says which colour that is.
public enum Hue {
    /// What is best, or selected.
    FRONT,
    /// The rest.
    DOMINATED,
    /// What is known at a lower fidelity only.
    LOWER,
    /// What cannot be.
    INVALID,
    /// What a model expects.
    PREDICTED,
    /// What everything is measured against.
    BASELINE,
    /// What is compared with.
    PINNED,
    /// What is chosen.
    SELECTED,
    /// Ordinary text.
    TEXT,
    /// Text and lines that stand back.
    MUTED;

    private static final Hue[] GROUPS = {FRONT, PINNED, BASELINE, PREDICTED};

    /// The colour of group number `n`, counted from 0; neighbours differ.
    public static Hue group(int n) {
        return GROUPS[Math.floorMod(n, GROUPS.length)];
    }

    Color in(Palette p) {
        return switch (this) {
            case FRONT -> p.front();
            case DOMINATED -> p.dominated();
            case LOWER -> p.lower();
            case INVALID -> p.invalid();
            case PREDICTED -> p.predicted();
            case BASELINE -> p.baseline();
            case PINNED -> p.pinned();
            case SELECTED -> p.selected();
            case TEXT -> p.text();
            case MUTED -> p.muted();
        };
    }
}

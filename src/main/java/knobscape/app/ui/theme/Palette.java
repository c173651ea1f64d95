package knobscape.app.ui.theme;

import java.awt.Color;

/// The colours of charts, as the style sheets say. The meanings are the same everywhere in the window; the hues
/// are those of Okabe and Ito (Color Universal Design, 2008), which people with colour-blind eyes can tell
/// apart.
///
/// @param background behind a plot
/// @param text labels
/// @param muted tick labels, hints
/// @param grid grid lines
/// @param front designs nothing measured dominates
/// @param dominated other measured designs
/// @param lower designs evaluated at a lower fidelity only
/// @param invalid designs that cannot be built
/// @param predicted what the surrogate expects
/// @param baseline the design without directives
/// @param pinned designs pinned for comparison
/// @param selected the ring around the selected design
public record Palette(
        Color background,
        Color text,
        Color muted,
        Color grid,
        Color front,
        Color dominated,
        Color lower,
        Color invalid,
        Color predicted,
        Color baseline,
        Color pinned,
        Color selected) {

    /// The light look of the style sheets, for pictures made without a window.
    public static Palette light() {
        return new Palette(
                Color.WHITE,
                new Color(0x24292f),
                new Color(0x57606a),
                new Color(0xe6e9ed),
                new Color(0x0072b2),
                new Color(0x8c959f),
                new Color(0xa9b1ba),
                new Color(0xd55e00),
                new Color(0xb8578f),
                new Color(0xc98a00),
                new Color(0x009e73),
                new Color(0x24292f));
    }
}

package knobscape.app.ui.theme;

import static java.util.Objects.requireNonNull;

import java.awt.Color;
import java.util.Map;

/// The colours of charts, as the style sheets say.
///
/// @param colours one for every meaning
public record Palette(Map<Hue, Color> colours) {
    public Palette {
        colours = Map.copyOf(colours);
    }

    /// The light look of the style sheets, for pictures made without a window.
    public static Palette light() {
        return new Palette(Map.ofEntries(
                Map.entry(Hue.BACKGROUND, Color.WHITE),
                Map.entry(Hue.TEXT, new Color(0x24292f)),
                Map.entry(Hue.MUTED, new Color(0x57606a)),
                Map.entry(Hue.GRID, new Color(0xe6e9ed)),
                Map.entry(Hue.FRONT, new Color(0x0072b2)),
                Map.entry(Hue.DOMINATED, new Color(0x8c959f)),
                Map.entry(Hue.LOWER, new Color(0xa9b1ba)),
                Map.entry(Hue.INVALID, new Color(0xd55e00)),
                Map.entry(Hue.PREDICTED, new Color(0xb8578f)),
                Map.entry(Hue.BASELINE, new Color(0xc98a00)),
                Map.entry(Hue.PINNED, new Color(0x009e73)),
                Map.entry(Hue.SELECTED, new Color(0x24292f))));
    }

    /// The colour of a meaning.
    public Color of(Hue hue) {
        return requireNonNull(colours.get(hue));
    }
}

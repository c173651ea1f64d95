package knobscape.app.ui.designs;

import java.util.Locale;
import javafx.scene.layout.Region;

/// The mark of a kind of design as a small shape; form and colour stand in the style sheet.
public final class MarkGlyph extends Region {

    /// The mark of a standing.
    public MarkGlyph(Standing standing) {
        this(standing.name().toLowerCase(Locale.ROOT));
    }

    private MarkGlyph(String kind) {
        getStyleClass().addAll("mark", "mark-" + kind);
        setMouseTransparent(true);
    }

    /// The mark of the baseline.
    public static MarkGlyph baseline() {
        return new MarkGlyph("baseline");
    }

    /// The mark of pinned designs.
    public static MarkGlyph pinned() {
        return new MarkGlyph("pinned");
    }
}

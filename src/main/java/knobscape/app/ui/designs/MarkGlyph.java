package knobscape.app.ui.designs;

import java.util.Locale;
import javafx.scene.layout.Region;

/// The mark of a kind of design as a small shape; form and colour stand in the style sheet.
public final class MarkGlyph extends Region {
    private final String kind;

    /// The mark of a standing.
    public MarkGlyph(DesignStanding standing) {
        this(kind(standing));
    }

    private MarkGlyph(String kind) {
        this.kind = kind;
        getStyleClass().addAll("mark", "mark-" + kind);
        setMouseTransparent(true);
    }

    private static String kind(DesignStanding standing) {
        return standing.name().toLowerCase(Locale.ROOT);
    }

    /// True if this is the mark of a standing.
    boolean isOf(DesignStanding standing) {
        return kind.equals(kind(standing));
    }

    /// The mark of the baseline.
    public static MarkGlyph baseline() {
        return new MarkGlyph("baseline");
    }
}

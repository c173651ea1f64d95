package knobscape.app.ui.theme;

import atlantafx.base.theme.PrimerDark;
import atlantafx.base.theme.PrimerLight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javafx.application.Application;
import javafx.application.ColorScheme;
import javafx.application.Platform;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.text.Font;
import knobscape.app.ui.settings.Settings;

/// Dresses scenes in the chosen look, follows the system where asked to, and scales text. Used from the JavaFX
/// thread.
public final class ThemeService {
    /// Family of the font of the window, whose figures have equal widths.
    public static final String FONT = "Roboto";

    private static final String KEY = "theme";
    private static final String TEXT_KEY = "text.size";
    private static final double SMALLEST = 9;
    private static final double LARGEST = 24;
    private static final String DARK_CLASS = "dark";

    private final Settings settings;
    private final ObjectProperty<Theme> theme;
    private boolean dark;
    private final List<Parent> roots = new ArrayList<>();
    private double textSize;

    /// @param settings where the choice is kept
    public ThemeService(Settings settings) {
        this.settings = settings;
        this.theme = new SimpleObjectProperty<>(
                settings.get(KEY).flatMap(Theme::named).orElse(Theme.SYSTEM));
        this.textSize = clamp(settings.number(TEXT_KEY).orElse(defaultSize()));
        theme.addListener((o, was, is) -> {
            settings.put(KEY, is.name().toLowerCase(Locale.ROOT));
            follow();
        });
        Platform.getPreferences().colorSchemeProperty().addListener((o, was, is) -> follow());
        follow();
    }

    /// The choice; setting it changes every window at once and is remembered.
    public ObjectProperty<Theme> theme() {
        return theme;
    }

    /// Dresses a scene, now and whenever the look changes.
    public void dress(Scene scene) {
        scene.getStylesheets()
                .add(Objects.requireNonNull(ThemeService.class.getResource("/styles/app.css"), "style sheet")
                        .toExternalForm());
        dress(scene.getRoot());
    }

    private void dress(Parent root) {
        roots.add(root);
        dressOne(root);
    }

    /// Makes text larger (positive) or smaller by whole points; 0 goes back to the system's size.
    public void resizeText(int points) {
        textSize = points == 0 ? defaultSize() : clamp(textSize + points);
        if (points == 0) {
            settings.remove(TEXT_KEY);
        } else {
            settings.put(TEXT_KEY, Double.toString(textSize));
        }
        roots.forEach(this::dressOne);
    }

    /// Size of ordinary text in points.
    public double textSize() {
        return textSize;
    }

    private void follow() {
        boolean isDark = switch (theme.get()) {
            case LIGHT -> false;
            case DARK -> true;
            case SYSTEM -> Platform.getPreferences().getColorScheme() == ColorScheme.DARK;
        };
        dark = isDark;
        Application.setUserAgentStylesheet(
                isDark ? new PrimerDark().getUserAgentStylesheet() : new PrimerLight().getUserAgentStylesheet());
        roots.forEach(this::dressOne);
    }

    private void dressOne(Parent root) {
        root.getStyleClass().remove(DARK_CLASS);
        if (dark) {
            root.getStyleClass().add(DARK_CLASS);
        }
        root.setStyle("-fx-font-size: " + textSize + "px;");
    }

    /// A little smaller than the system's text: engineers want to see much at once.
    private static double defaultSize() {
        return Font.getDefault().getSize() * 12 / 13;
    }

    private static double clamp(double size) {
        return Math.clamp(size, SMALLEST, LARGEST);
    }
}

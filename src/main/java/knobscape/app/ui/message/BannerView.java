package knobscape.app.ui.message;

import atlantafx.base.controls.Notification;
import atlantafx.base.theme.Styles;
import java.util.HashMap;
import java.util.Map;
import javafx.animation.PauseTransition;
import javafx.collections.ListChangeListener;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import org.kordamp.ikonli.javafx.FontIcon;

/// The messages, above what is shown and without moving it. They never take the keyboard away from what a person is
/// doing. News goes after a while, warnings after a longer one, unless somebody points at it; errors and what can be
/// acted upon stay until they are closed.
public final class BannerView {
    private static final Duration NEWS = Duration.seconds(6);
    private static final Duration WARNING = Duration.seconds(20);

    private final Messages model;
    private final Map<Message, Node> made = new HashMap<>();
    private final VBox root = new VBox();

    /// @param model what to show
    public BannerView(Messages model) {
        this.model = model;
        root.getStyleClass().add("banners");
        root.setPickOnBounds(false);
        model.shown().addListener((ListChangeListener<Message>) c -> show());
        show();
    }

    /// The view; takes no room while there is nothing to say.
    public Parent root() {
        return root;
    }

    private void show() {
        made.keySet().retainAll(model.shown());
        root.getChildren()
                .setAll(model.shown().stream()
                        .map(m -> made.computeIfAbsent(m, this::strip))
                        .toList());
    }

    private Node strip(Message m) {
        var icon = new FontIcon(
                switch (m.kind()) {
                    case ERROR -> "mdi2a-alert-circle-outline";
                    case WARNING -> "mdi2a-alert-outline";
                    case DONE -> "mdi2c-check-circle-outline";
                });
        var strip = new Notification(m.text(), icon);
        strip.getStyleClass()
                .addAll(
                        Styles.ELEVATED_1,
                        switch (m.kind()) {
                            case ERROR -> Styles.DANGER;
                            case WARNING -> Styles.WARNING;
                            case DONE -> Styles.SUCCESS;
                        });
        m.action().ifPresent(a -> {
            var button = new Button(a.label());
            button.getStyleClass().add(Styles.SMALL);
            ButtonBar.setButtonUniformSize(button, false);
            button.setMinWidth(Region.USE_PREF_SIZE);
            button.setOnAction(e -> {
                model.close(m);
                a.run().run();
            });
            strip.setPrimaryActions(button);
        });
        strip.setOnClose(e -> model.close(m));
        strip.setAccessibleRole(AccessibleRole.TEXT);
        strip.setAccessibleText(m.text());
        if (m.kind() != Message.Kind.ERROR && m.action().isEmpty()) {
            var rest = new PauseTransition(m.kind() == Message.Kind.DONE ? NEWS : WARNING);
            rest.setOnFinished(e -> model.close(m));
            strip.hoverProperty().subscribe(over -> {
                if (over) {
                    rest.stop();
                } else {
                    rest.playFromStart();
                }
            });
        }
        return strip;
    }
}

package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.SplitPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.settings.Settings;

/// Figures behind tabs. Where there is height two stand one above the other, each with its own tabs; where there is not, all are behind one row.
public final class FigureTabs extends StackPane {
    private static final double TALL = 580;

    /// A figure behind a tab.
    public record Tab(String title, Node body) { }

    private final String name;
    private final List<Tab> upper;
    private final List<Tab> lower;
    private final Settings settings;
    private final ReadOnlyStringWrapper shown = new ReadOnlyStringWrapper("");
    private Optional<Boolean> tall = Optional.empty();
    private final List<ToggleButton> buttons = new ArrayList<>();

    /// @param name under which choices are remembered
    /// @param upper tabs of the upper half
    /// @param lower tabs of the lower half
    /// @param settings where choices are remembered
    public FigureTabs(String name, List<Tab> upper, List<Tab> lower, Settings settings) {
        this.name = name;
        this.upper = List.copyOf(upper);
        this.lower = List.copyOf(lower);
        this.settings = settings;
        setMinSize(0, 0);
    }

    /// Title of the tab turned to last.
    public ReadOnlyStringProperty shown() {
        return shown.getReadOnlyProperty();
    }

    /// Turns to a tab.
    public void turnTo(String title) {
        buttons.stream().filter(b -> b.getText().equals(title)).findFirst().ifPresent(b -> b.setSelected(true));
    }

    @Override
    protected void layoutChildren() {
        boolean now = getHeight() >= TALL;
        if (tall.isEmpty() || tall.get() != now) {
            tall = Optional.of(now);
            arrange(now);
        }
        super.layoutChildren();
    }

    private void arrange(boolean both) {
        buttons.clear();
        if (!both) {
            var all = new ArrayList<>(upper);
            all.addAll(lower);
            getChildren().setAll(book(all, name + ".tab"));
            return;
        }
        var split = new SplitPane(book(upper, name + ".tab.upper"), book(lower, name + ".tab.lower"));
        split.setOrientation(Orientation.VERTICAL);
        split.setDividerPositions(settings.number(name + ".split.figures").orElse(0.55));
        split.getDividers().getFirst().positionProperty().addListener((o, was, is) -> settings.put(name + ".split.figures", Double.toString(is.doubleValue())));
        getChildren().setAll(split);
    }

    private VBox book(List<Tab> tabs, String key) {
        var group = new ToggleGroup();
        var strip = new HBox();
        strip.getStyleClass().add("tab-strip");
        var body = new StackPane();
        body.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        var own = new ArrayList<ToggleButton>();
        for (Tab tab : tabs) {
            var button = new ToggleButton(tab.title());
            button.getStyleClass().add("tab-button");
            button.setMinWidth(USE_PREF_SIZE);
            button.setToggleGroup(group);
            button.setOnAction(e -> button.setSelected(true));
            button.selectedProperty().addListener((o, was, is) -> {
                if (is) {
                    body.getChildren().setAll(tab.body());
                    settings.put(key, tab.title());
                    shown.set(tab.title());
                }
            });
            own.add(button);
        }
        strip.getChildren().setAll(own);
        buttons.addAll(own);
        String remembered = settings.get(key).orElse("");
        own.stream().filter(b -> b.getText().equals(remembered)).findFirst().orElse(own.getFirst()).setSelected(true);
        var book = new VBox(strip, body);
        book.setMinSize(0, 0);
        return book;
    }
}

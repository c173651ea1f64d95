package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.geometry.Orientation;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;

/// Figures behind tabs. Where there is height two stand one above the other, each with its own tabs; where
/// there is not, all are behind one row.
public final class FigureTabs extends StackPane {
    private static final double TALL = 580;

    private final String name;
    private final List<Tab> upper;
    private final List<Tab> lower;
    private final Settings settings;
    private final List<Tabs> books = new ArrayList<>();
    private final ReadOnlyStringWrapper shown = new ReadOnlyStringWrapper("");
    private Optional<Boolean> tall = Optional.empty();

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
        books.clear();
        if (!both) {
            var all = new ArrayList<>(upper);
            all.addAll(lower);
            getChildren().setAll(book(all, name + ".tab"));
            return;
        }
        getChildren()
                .setAll(Nodes.split(
                        settings,
                        name + ".split.figures",
                        0.55,
                        Orientation.VERTICAL,
                        book(upper, name + ".tab.upper"),
                        book(lower, name + ".tab.lower")));
    }

    /// Turns to the tab of a title, if it is there.
    public void turnTo(String title) {
        books.stream()
                .flatMap(b -> b.buttons().stream())
                .filter(b -> b.getText().equals(title))
                .forEach(b -> b.setSelected(true));
    }

    private VBox book(List<Tab> tabs, String key) {
        Tabs book = Tabs.boxed(tabs, settings, key, shown::set);
        books.add(book);
        return book.box();
    }
}

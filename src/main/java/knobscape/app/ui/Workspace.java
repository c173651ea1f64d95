package knobscape.app.ui;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.geometry.Orientation;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.SplitPane;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.area.WindowArea.Page;
import knobscape.app.ui.area.WindowArea.Places;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Footed;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;

/// Lays out the four places of an area. Where the window is narrow the design's page moves to the left, behind
/// a tab; left and right can be folded away. Dividers are remembered.
final class Workspace extends VBox {
    /// Below this width, in sizes of text, there is no room for three columns.
    static final double NARROW = 93.3;
    /// Share of the width of the left place at first, and its bounds.
    private static final double LEFT_SHARE = 0.28;
    /// Share of the width of the left place while nothing was run.
    private static final double ASKING_SHARE = 0.55;

    /// Widths in sizes of text.
    private static final double MOST_LEFT = 40;

    private static final double LEAST_LEFT = 26.67;
    private static final double RIGHT_WIDTH = 30;

    private final String name;
    private final Places places;
    private final Settings settings;
    private final SplitPane columns = new SplitPane();
    private final StackPane left = new StackPane();
    private final StackPane right = new StackPane();
    private final StackPane middle = new StackPane();
    private final SplitPane results;
    private final BooleanProperty leftShown;
    private final BooleanProperty rightShown;
    /// Has the size of text that the window has.
    private final Label ruler = new Label();
    private final StackPane upperLeft = new StackPane();
    private final Footed leftPlace;
    private Optional<Boolean> narrow = Optional.empty();
    /// Width of the window, in sizes of text, that the places were given their widths for.
    private double placed;
    private String page = "";
    private Optional<Tabs> pages = Optional.empty();

    Workspace(String name, Places places, Settings settings) {
        this.name = name;
        this.places = places;
        this.settings = settings;
        this.leftShown = shown(".left");
        this.rightShown = shown(".right");
        results = Nodes.split(
                settings, name + ".split.results", 0.68, Orientation.VERTICAL, places.pictures(), places.table());
        upperLeft.setMinSize(0, 0);
        leftPlace = new Footed(upperLeft, places.details());
        middle.getChildren().addAll(results, places.cover().body());
        middle.setMinSize(0, 0);
        results.visibleProperty().bind(places.cover().body().visibleProperty().not());
        left.getStyleClass().add("place-left");
        right.getStyleClass().add("place-right");
        left.setMinWidth(0);
        right.setMinWidth(0);
        columns.getStyleClass().add("columns");
        var body = new StackPane(columns, places.controls().sheet());
        body.setMinSize(0, 0);
        StackPane.setAlignment(places.controls().sheet(), Pos.TOP_RIGHT);
        VBox.setVgrow(body, Priority.ALWAYS);
        columns.setMinHeight(0);
        places.headline().ifPresent(h -> {
            // The strip hides itself where it has no figures, so the box around it is hidden here.
            var strip = new VBox(h);
            strip.visibleProperty().bind(Bindings.not(places.cover().asks()));
            strip.managedProperty().bind(strip.visibleProperty());
            getChildren().add(strip);
        });
        places.cover().asks().addListener((o, was, is) -> arrange());
        getChildren().addAll(body, places.controls().drawer(), places.controls().bar());
        ruler.setManaged(false);
        ruler.setVisible(false);
        ruler.fontProperty().addListener(o -> requestLayout());
        getChildren().add(ruler);
        setMinSize(0, 0);
        columns.addEventFilter(MouseEvent.MOUSE_RELEASED, e -> {
            if (e.getTarget() instanceof Node n
                    && isDivider(n)
                    && !places.cover().asks().get()) {
                rememberWidth(left, ".left.width");
                rememberWidth(right, ".right.width");
            }
        });
        SplitPane.setResizableWithParent(left, false);
        SplitPane.setResizableWithParent(right, false);
        page = places.left().getFirst().title();
    }

    private BooleanProperty shown(String place) {
        var shown = new SimpleBooleanProperty(
                settings.get(name + place).map(Boolean::parseBoolean).orElse(true));
        shown.addListener((o, was, is) -> {
            settings.put(name + place, is.toString());
            arrange();
        });
        return shown;
    }

    /// True if the left place is shown.
    BooleanProperty leftShown() {
        return leftShown;
    }

    /// True if the right place is shown.
    BooleanProperty rightShown() {
        return rightShown;
    }

    @Override
    protected void layoutChildren() {
        boolean now = getWidth() < NARROW * size();
        boolean changed = narrow.isEmpty() || narrow.get() != now;
        if (changed) {
            narrow = Optional.of(now);
            arrange();
        }
        super.layoutChildren();
        if (changed || placed != getWidth() / size()) {
            placed = getWidth() / size();
            // Dividers that were set while the pane still had its former width end at its edge.
            requireNonNull(columns.getParent()).layout();
            placeDividers();
        }
    }

    /// True if somebody who drags it moves a divider of the columns.
    private boolean isDivider(Node node) {
        for (Node n = node; n != null && n != columns; n = n.getParent()) {
            if (n.getStyleClass().contains("split-pane-divider")) {
                return n.getParent() == columns;
            }
        }
        return false;
    }

    private void arrange() {
        boolean folded = narrow.orElse(false);
        boolean asks = places.cover().asks().get();
        columns.getItems().clear();
        right.getChildren().clear();
        var pages = new ArrayList<>(places.left());
        if (folded) {
            pages.add(places.design());
        } else if (!asks) {
            right.getChildren().setAll(places.design().body());
        }
        left.getChildren().setAll(pageBook(pages));
        if (leftShown.get()) {
            columns.getItems().add(left);
        }
        columns.getItems().add(middle);
        if (!folded && !asks && rightShown.get()) {
            columns.getItems().add(right);
        }
        placeDividers();
    }

    /// Turns to a page of the left place, which is shown for it.
    void front(String title) {
        leftShown.set(true);
        pages.ifPresent(p -> p.turnTo(title));
    }

    /// Only what a person dragged is remembered: a narrow window makes places narrow that have room in a wide one.
    private void rememberWidth(StackPane place, String key) {
        if (columns.getItems().contains(place) && place.getWidth() > 0) {
            settings.put(name + key, Double.toString(place.getWidth()));
        }
    }

    /// Closes the sheet, else the drawer over the middle, else the one above the bar.
    void closeTopmost() {
        Stream.of(
                        places.controls().sheet(),
                        places.pictures(),
                        places.controls().drawer())
                .flatMap(n -> n.lookupAll("#close").stream())
                .filter(Nodes::isShown)
                .findFirst()
                .ifPresent(b -> ((Button) b).fire());
    }

    private double size() {
        return ruler.getFont().getSize();
    }

    /// Source text wants a share of the width; graphs and chains have enough with the least.
    private double leftWidth(double width) {
        return name.equals(WorkKind.HLS)
                ? Math.clamp(width * LEFT_SHARE, LEAST_LEFT * size(), MOST_LEFT * size())
                : LEAST_LEFT * size();
    }

    private void placeDividers() {
        double width = Math.max(400, getWidth());
        double l = !leftShown.get()
                ? 0
                : places.cover().asks().get()
                        ? width * ASKING_SHARE
                        : Math.min(settings.number(name + ".left.width").orElse(leftWidth(width)), width * 0.5);
        double r = columns.getItems().contains(right)
                ? Math.min(settings.number(name + ".right.width").orElse(RIGHT_WIDTH * size()), width * 0.4)
                : 0;
        left.setPrefWidth(l);
        right.setPrefWidth(r);
        var positions = new ArrayList<Double>();
        if (leftShown.get()) {
            positions.add(l / width);
        }
        if (r > 0) {
            positions.add((width - r) / width);
        }
        columns.setDividerPositions(
                positions.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private Node pageBook(List<Page> pages) {
        var strip = new HBox();
        strip.getStyleClass().add("tab-strip");
        var body = new StackPane();
        body.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        Map<String, Page> byTitle = pages.stream().collect(Collectors.toMap(Page::title, p -> p));
        this.pages = Optional.of(new Tabs(
                strip,
                body,
                pages.stream()
                        .map(p -> new Tab(p.title(), p == places.design() ? p.body() : leftPlace))
                        .toList(),
                List.of("tab-button"),
                page,
                title -> {
                    page = title;
                    Page turned = requireNonNull(byTitle.get(title));
                    if (turned != places.design()) {
                        upperLeft.getChildren().setAll(turned.body());
                        Nodes.show(places.details(), !turned.alone());
                    }
                }));
        return new VBox(strip, body);
    }
}

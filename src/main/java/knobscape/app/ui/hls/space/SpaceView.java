package knobscape.app.ui.hls.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.control.TreeCell;
import javafx.scene.control.TreeItem;
import javafx.scene.control.TreeView;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.PruningBars;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.space.KnobTree.Branch;
import knobscape.app.ui.hls.space.KnobTree.KnobLine;
import knobscape.app.ui.view.Fxml;
import org.kordamp.ikonli.javafx.FontIcon;

/// The tree of knobs with the size of the space above it.
public final class SpaceView {
    private final SpaceViewModel model;
    private final Parent root;
    private boolean following;

    @FXML
    private Label summary;

    @FXML
    private VBox bars;

    @FXML
    private TreeView<Object> tree;

    /// @param model what to show
    public SpaceView(SpaceViewModel model) {
        this.model = model;
        this.root = Fxml.load("hls/space", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        tree.setShowRoot(false);
        tree.setCellFactory(t -> new Cell());
        tree.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (!following && is != null) {
                TreeItem<Object> item = is.getValue() instanceof Branch ? is : is.getParent();
                if (item != null && item.getValue() instanceof Branch b) {
                    model.select(b.subject());
                }
            }
        });
        model.tree().addListener((o, was, is) -> show(is));
        model.source().selected().addListener((o, was, is) -> follow(is));
        show(model.tree().get());
    }

    private void show(Optional<KnobTree> shown) {
        bars.getChildren().clear();
        tree.setRoot(null);
        if (shown.isEmpty()) {
            summary.setText("");
            return;
        }
        KnobTree t = shown.get();
        summary.setText(
                t.knobCount() + (t.knobCount() == 1 ? " knob, " : " knobs, ") + Sizes.words(t.pruned()) + " designs");
        double fullLog = Sizes.log10(t.full());
        bars.getChildren().add(new PruningBars("", t.full(), t.pruned(), fullLog, "kept"));
        var invisible = new TreeItem<Object>("");
        t.branches().forEach(b -> invisible.getChildren().add(item(b)));
        tree.setRoot(invisible);
    }

    private static TreeItem<Object> item(Branch b) {
        var item = new TreeItem<Object>(b);
        b.knobs().forEach(k -> item.getChildren().add(new TreeItem<>(k)));
        b.inside().forEach(i -> item.getChildren().add(item(i)));
        item.setExpanded(true);
        return item;
    }

    private void follow(Optional<SourceElement> subject) {
        following = true;
        try {
            Optional<TreeItem<Object>> found =
                    subject.flatMap(s -> Optional.ofNullable(tree.getRoot()).flatMap(r -> find(r, s)));
            if (found.isPresent()) {
                if (tree.getSelectionModel().getSelectedItem() != found.get()
                        && (tree.getSelectionModel().getSelectedItem() == null
                                || tree.getSelectionModel().getSelectedItem().getParent() != found.get())) {
                    tree.getSelectionModel().select(found.get());
                    tree.scrollTo(Math.max(0, tree.getRow(found.get()) - 2));
                }
            } else {
                tree.getSelectionModel().clearSelection();
            }
        } finally {
            following = false;
        }
    }

    private static Optional<TreeItem<Object>> find(TreeItem<Object> item, SourceElement subject) {
        if (item.getValue() instanceof Branch b && b.subject().equals(subject)) {
            return Optional.of(item);
        }
        return item.getChildren().stream()
                .map(c -> find(c, subject))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static final class Cell extends TreeCell<Object> {
        @Override
        protected void updateItem(Object item, boolean empty) {
            super.updateItem(item, empty);
            setText(null);
            setGraphic(null);
            setTooltip(null);
            getStyleClass().remove("knob-cell");
            if (empty || item == null) {
                return;
            }
            switch (item) {
                case Branch b -> setGraphic(branch(b));
                case KnobLine k -> {
                    getStyleClass().add("knob-cell");
                    setGraphic(knob(k));
                    setTooltip(new Tooltip(
                            KnobLabels.whole(k.name()) + "\n" + k.explored().size() + " values: "
                                    + String.join(", ", k.explored()) + "\nwithout directives: " + k.baseline()));
                }
                default -> setText(item.toString());
            }
        }

        private static Node branch(Branch b) {
            var icon = new FontIcon(
                    switch (b.subject().kind()) {
                        case LOOP -> "mdi2s-sync";
                        case ARRAY -> "mdi2g-grid";
                        case FUNCTION -> "mdi2f-function-variant";
                    });
            icon.getStyleClass()
                    .add(
                            switch (b.subject().kind()) {
                                case LOOP -> "icon-loop";
                                case ARRAY -> "icon-array";
                                case FUNCTION -> "icon-function";
                            });
            var title = new Label(b.title(), icon);
            var detail = new Label(b.detail());
            detail.getStyleClass().add("secondary");
            var box = new HBox(title, detail);
            box.getStyleClass().add("tree-line");
            return box;
        }

        private static Node knob(KnobLine k) {
            var word = new Label(k.word());
            var values = new Label(shortened(k.explored()));
            values.getStyleClass().add("secondary");
            var box = new HBox(word, values);
            box.getStyleClass().add("tree-line");
            return box;
        }
    }

    /// The values, with the middle left out where there are many.
    static String shortened(List<String> values) {
        if (values.size() <= 7) {
            return String.join(" ", values);
        }
        var parts = new ArrayList<>(values.subList(0, 4));
        parts.add("\u2026");
        parts.addAll(values.subList(values.size() - 2, values.size()));
        return String.join(" ", parts) + "  (" + values.size() + ")";
    }
}

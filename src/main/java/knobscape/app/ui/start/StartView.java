package knobscape.app.ui.start;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.fxml.FXML;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Polyline;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.start.StartViewModel.Entry;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.network.source.NetworkNames;
import knobscape.network.zoo.Zoo;
import org.kordamp.ikonli.javafx.FontIcon;

/// The start page.
public final class StartView {
    private static final double THUMBNAIL_WIDTH = 64;
    private static final double THUMBNAIL_HEIGHT = 28;
    private static final Map<String, String> KINDS =
            Map.of(WorkKind.HLS, "FPGA", WorkKind.GPU, "GPU", WorkKind.FUSION, "fusion");
    private static final LastRun NOTHING = new LastRun("", "", "", "", "", false, List.of());

    private final StartViewModel model;
    private final Commands commands;
    private final Command openFile;
    private final Command openProject;
    private final Consumer<String> openNetwork;
    private final Parent root;

    @FXML
    private Button open;

    @FXML
    private Button project;

    @FXML
    private FlowPane samples;

    @FXML
    private FlowPane finished;

    @FXML
    private VBox finishedSection;

    @FXML
    private ToggleButton moreSamples;

    @FXML
    private ToggleButton moreNetworks;

    @FXML
    private FlowPane networks;

    @FXML
    private VBox recent;

    @FXML
    private VBox recentSection;

    /// @param model what to show
    /// @param commands what the buttons give
    /// @param openFile command behind "Open file"
    /// @param openProject command behind "Open project"
    /// @param openNetwork opens `zoo:NAME`
    public StartView(
            StartViewModel model,
            Commands commands,
            Command openFile,
            Command openProject,
            Consumer<String> openNetwork) {
        this.model = model;
        this.commands = commands;
        this.openFile = openFile;
        this.openProject = openProject;
        this.openNetwork = openNetwork;
        this.root = Fxml.load("start/start", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        commands.dress(open, openFile);
        commands.dress(project, openProject);
        networks.getChildren()
                .setAll(Stream.of(Zoo.values())
                        .map(z -> {
                            var button = new Button(z.label());
                            button.setMnemonicParsing(false);
                            button.getStyleClass().addAll("small", "flat", "network-chip");
                            button.setAccessibleText("Open the built-in network " + z.label());
                            button.setOnAction(e -> openNetwork.accept(NetworkNames.ZOO + z.label()));
                            return (Node) button;
                        })
                        .toList());
        folds(moreSamples, samples);
        folds(moreNetworks, networks);
        moreNetworks.setText("Built-in networks (" + Zoo.values().length + ")");
        model.samples().addListener((o, was, is) -> showSamples(is));
        model.recent().addListener((o, was, is) -> showRecent(is));
        showSamples(model.samples().get());
        showRecent(model.recent().get());
    }

    private void showSamples(List<Entry> entries) {
        List<Entry> done = entries.stream().filter(Entry::finished).toList();
        List<Entry> others = entries.stream().filter(e -> !e.finished()).toList();
        finished.getChildren().setAll(done.stream().map(this::card).toList());
        Nodes.show(finishedSection, !done.isEmpty());
        samples.getChildren().setAll(others.stream().map(this::card).toList());
        moreSamples.setText("More samples (" + others.size() + ")");
        Nodes.show(moreSamples, !others.isEmpty());
    }

    /// A line that shows and hides what is below it.
    private static void folds(ToggleButton line, Node body) {
        line.selectedProperty().subscribe(on -> {
            Nodes.show(body, on);
            line.setGraphic(new FontIcon(on ? "mdi2c-chevron-down" : "mdi2c-chevron-right"));
        });
    }

    private void showRecent(List<Entry> entries) {
        recent.getChildren().setAll(entries.stream().map(this::row).toList());
        Nodes.show(recentSection, !entries.isEmpty());
        if (entries.isEmpty()) {
            // Nothing else is there to look at.
            moreNetworks.setSelected(true);
        }
    }

    private Node card(Entry e) {
        VBox card = names(e, true);
        card.getStyleClass().add("card-words");
        e.last().ifPresent(l -> {
            var best = new Label(l.best());
            best.getStyleClass().add("emphasis");
            best.setMinWidth(Region.USE_PREF_SIZE);
            var words = new VBox();
            words.setAlignment(Pos.CENTER_LEFT);
            HBox.setHgrow(words, Priority.ALWAYS);
            Stream.of(l.front(), l.by())
                    .filter(t -> !t.isEmpty())
                    .map(Label::new)
                    .forEach(t -> {
                        t.getStyleClass().add("secondary");
                        words.getChildren().add(t);
                    });
            var line = new HBox(best, words, thumbnail(l));
            line.getStyleClass().add("recent-row");
            var rest = new Region();
            VBox.setVgrow(rest, Priority.ALWAYS);
            card.getChildren().addAll(rest, line);
        });
        Button button = button(e, "sample-card", card);
        if (e.finished()) {
            button.getStyleClass().add("finished-card");
        }
        return button;
    }

    private static Node thumbnail(LastRun last) {
        var place = new StackPane();
        place.getStyleClass().add("thumbnail-place");
        if (!last.thumbnail().isEmpty()) {
            place.getChildren().add(stairs(last.thumbnail()));
        }
        return place;
    }

    /// A line of earlier work: its front, name and place, best value, front, hours, state, and what a click does.
    private Node row(Entry e) {
        VBox names = names(e, false);
        HBox.setHgrow(names, Priority.ALWAYS);
        var row = new HBox(e.last().map(StartView::thumbnail).orElseGet(() -> thumbnail(NOTHING)), names);
        row.getStyleClass().add("recent-row");
        LastRun l = e.last().orElse(NOTHING);
        row.getChildren()
                .addAll(
                        cell(l.best(), "emphasis", 96),
                        cell(l.front(), "plain", 64),
                        cell(l.hours(), "secondary", 84),
                        cell(l.state(), "secondary", 180),
                        cell(verb(e), "recent-verb", 56));
        return button(e, "recent-entry", row);
    }

    /// The effect of a click: look on where a process works, else open.
    private static String verb(Entry e) {
        return e.last().filter(LastRun::running).isPresent() ? "Watch" : "Open";
    }

    private static Label cell(String words, String styleClass, double width) {
        var label = new Label(words);
        label.getStyleClass().add(styleClass);
        label.setMinWidth(width);
        label.setAlignment(Pos.CENTER_RIGHT);
        return label;
    }

    private static Polyline stairs(List<double[]> points) {
        var line = new Polyline();
        line.getStyleClass().add("thumbnail");
        double[] before = points.getFirst();
        for (double[] p : points) {
            line.getPoints().addAll(p[0] * THUMBNAIL_WIDTH, before[1] * THUMBNAIL_HEIGHT);
            line.getPoints().addAll(p[0] * THUMBNAIL_WIDTH, p[1] * THUMBNAIL_HEIGHT);
            before = p;
        }
        return line;
    }

    private static VBox names(Entry e, boolean wrapped) {
        var name = new Label(e.name());
        name.getStyleClass().add("emphasis");
        var title = new HBox(name);
        title.getStyleClass().add("recent-row");
        e.kind().map(k -> KINDS.getOrDefault(k, k)).ifPresent(k -> {
            var badge = new Label(k);
            badge.getStyleClass().add("badge");
            badge.setMinWidth(Region.USE_PREF_SIZE);
            title.getChildren().add(badge);
        });
        var words = new Label(e.words());
        words.getStyleClass().add("secondary");
        words.setWrapText(wrapped);
        var names = new VBox(title, words);
        names.setMinWidth(0);
        return names;
    }

    private Button button(Entry e, String styleClass, Node graphic) {
        var button = new Button(null, graphic);
        button.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        button.getStyleClass().addAll("flat", styleClass);
        button.setAccessibleText(verb(e) + " " + e.name() + ": " + e.words()
                + e.last().map(l -> ", " + l.best() + ", " + l.state()).orElse(""));
        button.setOnAction(a -> model.open(e.path()));
        return button;
    }
}

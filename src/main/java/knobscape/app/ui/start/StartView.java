package knobscape.app.ui.start;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.fxml.FXML;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Polyline;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.start.StartViewModel.Entry;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.network.zoo.Zoo;

/// The start page.
public final class StartView {
    private static final double THUMBNAIL_WIDTH = 64;
    private static final double THUMBNAIL_HEIGHT = 28;

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
    private VBox samplesSection;

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
                            button.setOnAction(e -> openNetwork.accept("zoo:" + z.label()));
                            return (Node) button;
                        })
                        .toList());
        model.samples().addListener((o, was, is) -> showSamples(is));
        model.recent().addListener((o, was, is) -> showRecent(is));
        showSamples(model.samples().get());
        showRecent(model.recent().get());
    }

    private void showSamples(List<Entry> entries) {
        samples.getChildren().setAll(entries.stream().map(this::card).toList());
        Nodes.show(samplesSection, !entries.isEmpty());
    }

    private void showRecent(List<Entry> entries) {
        recent.getChildren().setAll(entries.stream().map(this::row).toList());
        Nodes.show(recentSection, !entries.isEmpty());
    }

    private Node card(Entry e) {
        return button(e, "sample-card", names(e, true));
    }

    /// A line of earlier work: its front, name and place, best value, front, hours, state.
    private Node row(Entry e) {
        var thumbnail = new StackPane();
        thumbnail.getStyleClass().add("thumbnail-place");
        e.last()
                .map(LastRun::thumbnail)
                .filter(p -> !p.isEmpty())
                .ifPresent(p -> thumbnail.getChildren().add(stairs(p)));
        VBox names = names(e, false);
        HBox.setHgrow(names, Priority.ALWAYS);
        var row = new HBox(thumbnail, names);
        row.getStyleClass().add("recent-row");
        e.last()
                .ifPresent(l -> row.getChildren()
                        .addAll(
                                cell(l.best(), "emphasis", 110),
                                cell(l.front(), "plain", 64),
                                cell(l.hours(), "secondary", 84),
                                cell(l.state(), "secondary", 190)));
        return button(e, "recent-entry", row);
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
        var words = new Label(e.words());
        words.getStyleClass().add("secondary");
        words.setWrapText(wrapped);
        var names = new VBox(name, words);
        names.setMinWidth(0);
        return names;
    }

    private Button button(Entry e, String styleClass, Node graphic) {
        var button = new Button(null, graphic);
        button.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        button.getStyleClass().addAll("flat", styleClass);
        button.setAccessibleText("Open " + e.name() + ": " + e.words()
                + e.last().map(l -> ", " + l.best() + ", " + l.state()).orElse(""));
        button.setOnAction(a -> model.open(e.path()));
        return button;
    }
}

package knobscape.app.ui.start;

import knobscape.app.ui.view.Nodes;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.start.StartViewModel.Entry;
import knobscape.app.ui.view.Fxml;
import knobscape.network.zoo.Zoo;

/// The start page.
public final class StartView {
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
        recent.getChildren()
                .setAll(entries.stream()
                        .map(e -> {
                            var button = button(e, "recent-entry");
                            return (Node) button;
                        })
                        .toList());
        Nodes.show(recentSection, !entries.isEmpty());
    }

    private Node card(Entry e) {
        return button(e, "sample-card");
    }

    private Button button(Entry e, String styleClass) {
        var name = new Label(e.name());
        name.getStyleClass().add("emphasis");
        var words = new Label(e.words());
        words.getStyleClass().add("secondary");
        words.setWrapText(styleClass.equals("sample-card"));
        var button = new Button(null, new VBox(name, words));
        button.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        button.getStyleClass().addAll("flat", styleClass);
        button.setAccessibleText("Open " + e.name() + ": " + e.words());
        button.setOnAction(a -> model.open(e.path()));
        return button;
    }
}

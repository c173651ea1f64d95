package knobscape.app.ui.fusion;

import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.fusion.mapper.Constraint;
import knobscape.fusion.mapper.FusionMethod;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bar at the bottom: which searches, how long, and the one that runs.
final class SearchBarView {
    private static final int MOST_EVALUATIONS = 10_000_000;
    private final FusionSearches searches;
    private final HBox root = new HBox();
    private final Button search = new Button("Search", new FontIcon("mdi2p-play"));
    private final Button pause = new Button("Pause", new FontIcon("mdi2p-pause"));
    private final Button stop = new Button("Stop", new FontIcon("mdi2s-stop"));
    private final MenuButton methods = new MenuButton();
    private final MenuButton options = new MenuButton();
    private final ProgressBar progress = new ProgressBar();
    private final Label words = new Label();
    private final Label figures = new Label();

    SearchBarView(FusionViewModel model, Commands commands, Messages messages) {
        this.searches = model.searches();
        root.getStyleClass().add("run-bar");
        commands.dress(search, FusionCommands.SEARCH);
        commands.dress(pause, FusionCommands.PAUSE);
        commands.dress(stop, FusionCommands.STOP);
        search.setId("search");
        stop.setId("stopSearch");
        pause.setId("pauseSearch");
        search.getStyleClass().add("accent");
        buildMethods();
        buildOptions(messages);
        progress.getStyleClass().add("run-progress");
        progress.setMinWidth(80);
        words.getStyleClass().addAll("secondary", "status-words");
        words.setMinWidth(0);
        words.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(words, Priority.ALWAYS);
        figures.setMinWidth(Region.USE_PREF_SIZE);
        for (Region r : new Region[] {search, pause, stop, methods, options}) {
            r.setMinWidth(Region.USE_PREF_SIZE);
        }
        root.getChildren().addAll(search, pause, stop, methods, options, progress, figures, words);
        searches.status().subscribe(this::show);
    }

    Parent root() {
        return root;
    }

    private void buildMethods() {
        methods.setMnemonicParsing(false);
        methods.setId("methods");
        methods.setAccessibleText("Methods to search with");
        methods.getStyleClass().add("small");
        FusionMethod.Kind last = FusionMethod.Kind.SEARCH;
        for (FusionMethod m : searches.methods()) {
            if (m.kind() != last) {
                methods.getItems().add(new SeparatorMenuItem());
                last = m.kind();
            }
            var item = new CheckMenuItem(m.label() + "  \u2013  " + m.description());
            item.setMnemonicParsing(false);
            item.setSelected(searches.chosen().contains(m.name()));
            item.selectedProperty().addListener((o, was, is) -> {
                if (is) {
                    searches.chosen().add(m.name());
                } else {
                    searches.chosen().remove(m.name());
                }
                name();
            });
            methods.getItems().add(item);
        }
        methods.getItems().add(new SeparatorMenuItem());
        var all = new MenuItem("Choose all searches");
        all.setOnAction(e -> {
            int i = 0;
            for (MenuItem item : methods.getItems()) {
                if (item instanceof CheckMenuItem c) {
                    c.setSelected(searches.methods().get(i++).kind() == FusionMethod.Kind.SEARCH);
                }
            }
        });
        methods.getItems().add(all);
        name();
    }

    private void name() {
        var names = searches.methods().stream().filter(m -> searches.chosen().contains(m.name())).map(FusionMethod::label).toList();
        methods.setText(names.isEmpty() ? "Choose a method" : names.size() <= 2 ? String.join(", ", names) : names.getFirst() + " and " + (names.size() - 1) + " more");
    }

    private void buildOptions(Messages messages) {
        options.getStyleClass().add("small");
        options.setAccessibleText("Evaluations, seed, and strategies that do not fit");
        options.setMnemonicParsing(false);
        options.textProperty().bind(searches.evaluations().asString().concat(" evaluations, seed ").concat(searches.seed().asString()));
        options.getItems().addAll(entry("Evaluations of a search", Integer.toString(searches.evaluations().get()), t -> {
            int n = Integer.parseInt(t);
            if (n < 1 || n > MOST_EVALUATIONS) {
                throw new NumberFormatException();
            }
            searches.evaluations().set(n);
        }, "Evaluations are a whole number from 1 to " + MOST_EVALUATIONS + ".", messages),
                entry("Seed", Long.toString(searches.seed().get()), t -> searches.seed().set(Long.parseLong(t)), "A seed is a whole number.", messages), new SeparatorMenuItem());
        var group = new ToggleGroup();
        for (Constraint c : Constraint.values()) {
            var item = new RadioMenuItem(switch (c) {
                case DEATH -> "What does not fit is equally bad";
                case LEXI -> "What fits comes first, the rest by memory";
                case SOFT -> "Time times memory above the buffer";
            });
            item.setToggleGroup(group);
            item.setSelected(searches.constraint().get() == c);
            item.setOnAction(e -> searches.constraint().set(c));
            options.getItems().add(item);
        }
    }

    private interface Setter {
        void set(String text);
    }

    private static MenuItem entry(String name, String value, Setter setter, String wanted, Messages messages) {
        var label = new Label(name);
        var field = new TextField(value);
        field.setPrefColumnCount(8);
        field.setAccessibleText(name);
        field.getStyleClass().addAll("small", "number-field");
        Runnable take = () -> {
            try {
                setter.set(field.getText().strip());
            } catch (NumberFormatException e) {
                messages.show(Message.warning(wanted));
            }
        };
        field.setOnAction(e -> take.run());
        field.focusedProperty().addListener((o, was, is) -> {
            if (was) {
                take.run();
            }
        });
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var line = new HBox(label, spacer, field);
        line.getStyleClass().add("inspector-line");
        line.setMinWidth(300);
        var item = new CustomMenuItem(line, false);
        return item;
    }

    private void show(FusionSearches.Status s) {
        boolean active = s.state() != FusionSearches.State.IDLE;
        show(search, !active);
        show(methods, !active);
        show(options, !active);
        show(pause, active);
        show(stop, active);
        pause.setText(s.state() == FusionSearches.State.PAUSED ? "Resume" : "Pause");
        pause.setGraphic(new FontIcon(s.state() == FusionSearches.State.PAUSED ? "mdi2p-play" : "mdi2p-pause"));
        progress.getStyleClass().remove("waiting");
        if (s.state() == FusionSearches.State.PAUSED) {
            progress.getStyleClass().add("waiting");
        }
        show(progress, active);
        progress.setProgress(s.share());
        progress.setAccessibleText("Progress: " + s.words() + " " + s.figures());
        figures.setText(s.figures());
        words.setText(s.words());
    }

    private static void show(Node node, boolean on) {
        node.setVisible(on);
        node.setManaged(on);
    }
}

package knobscape.app.ui.fusion;

import java.util.List;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.ToggleGroup;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkBar;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bar at the bottom: which searches, how long, and the one that runs.
final class SearchBarView {
    private static final int MOST_EVALUATIONS = 10_000_000;
    private final FusionRuns searches;
    private final WorkBar bar;
    private final MenuButton methods = new MenuButton();
    private final MenuButton options = new MenuButton();

    SearchBarView(FusionViewModel model, Commands commands, Messages messages) {
        this.searches = model.searches();
        var search = new Button("Search", new FontIcon("mdi2p-play"));
        commands.dress(search, FusionCommands.SEARCH);
        search.setId("search");
        search.getStyleClass().add("accent");
        buildMethods();
        buildOptions(messages);
        this.bar = new WorkBar(
                commands, FusionCommands.PAUSE, FusionCommands.STOP, List.of(search), List.of(methods, options));
        searches.status().subscribe(bar::show);
    }

    Parent root() {
        return bar.root();
    }

    private void buildMethods() {
        methods.setId("methods");
        methods.setAccessibleText("Methods to search with");
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
        var names = searches.methods().stream()
                .filter(m -> searches.chosen().contains(m.name()))
                .map(FusionMethod::label)
                .toList();
        methods.setText(
                names.isEmpty()
                        ? "Choose a method"
                        : names.size() <= 2
                                ? String.join(", ", names)
                                : names.getFirst() + " and " + (names.size() - 1) + " more");
    }

    private void buildOptions(Messages messages) {
        options.setAccessibleText("Evaluations, seed, and strategies that do not fit");
        options.textProperty()
                .bind(searches.evaluations()
                        .asString()
                        .concat(" evaluations, seed ")
                        .concat(searches.seed().asString()));
        options.getItems()
                .addAll(
                        WorkBar.entry(
                                "Evaluations of a search",
                                searches.evaluations(),
                                t -> searches.evaluations().set(WorkBar.whole(t, 1, MOST_EVALUATIONS)),
                                "Evaluations are a whole number from 1 to " + MOST_EVALUATIONS + ".",
                                messages),
                        WorkBar.entry(
                                "Seed",
                                searches.seed(),
                                t -> searches.seed().set(Long.parseLong(t)),
                                "A seed is a whole number.",
                                messages),
                        new SeparatorMenuItem());
        var group = new ToggleGroup();
        for (Constraint c : Constraint.values()) {
            var item = new RadioMenuItem(
                    switch (c) {
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
}

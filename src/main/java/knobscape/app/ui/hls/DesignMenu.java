package knobscape.app.ui.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javafx.geometry.Bounds;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.input.ContextMenuEvent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import knobscape.app.ui.area.DesignCommands;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.keyboard.Commands;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// Commands on the selected design, as a menu where its mark or row is. Changes can be undone.
final class DesignMenu {
    private final HlsViewModel model;
    private final Commands commands;
    private final Supplier<List<MenuItem>> exports;
    private final ContextMenu menu = new ContextMenu();

    /// @param exports what the selected design can be exported as
    DesignMenu(HlsViewModel model, Commands commands, Supplier<List<MenuItem>> exports) {
        this.model = model;
        this.commands = commands;
        this.exports = exports;
        menu.setId("design-menu");
    }

    /// Shows the menu over a part of the window when the mouse or the keyboard asks for it.
    void serve(Node part) {
        part.addEventHandler(ContextMenuEvent.CONTEXT_MENU_REQUESTED, e -> {
            show(part, new Point2D(e.getScreenX(), e.getScreenY()));
            e.consume();
        });
        part.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.CONTEXT_MENU) {
                show(part);
                e.consume();
            }
        });
    }

    /// Shows the menu in the middle of a part of the window.
    void show(Node part) {
        Bounds b = part.localToScreen(part.getBoundsInLocal());
        show(part, new Point2D(b.getCenterX(), b.getCenterY()));
    }

    private void show(Node part, Point2D at) {
        List<MenuItem> items = items();
        if (!items.isEmpty()) {
            menu.getItems().setAll(items);
            menu.show(part, at.getX(), at.getY());
        }
    }

    /// Commands on the selected design; none where none is selected.
    List<MenuItem> items() {
        Results results = model.results();
        Optional<Design> selected = results.selectedDesign();
        if (selected.isEmpty()) {
            return List.of();
        }
        Design d = selected.get();
        boolean kernel = model.workbench().get().isPresent();
        boolean idle = !model.runs().anyActive() && !results.reading().get();
        var against = item("Compare other designs with this one", true, () -> compareWith(d.number()));
        Optional<EvaluatorInfo> info = results.set().info();
        String top = info.map(i -> i.top().name()).orElse("the highest stage");
        boolean known = info.filter(i -> d.at(i.top()).isPresent()).isPresent();
        var all = new ArrayList<>(commands.menuItems(List.of(DesignCommands.PIN, DesignCommands.DIFF)));
        all.add(against);
        all.add(new SeparatorMenuItem());
        all.add(item(
                "Evaluate at " + top,
                kernel && idle && !known,
                () -> model.models().insight().evaluate(d.configuration())));
        all.add(item(
                "Search only similar designs",
                kernel && idle,
                () -> model.edits().restrict("searching like " + Results.title(d.number()), KnobEdits::near)));
        var exclude = new Menu("Exclude a value");
        exclude.setMnemonicParsing(false);
        exclude.getItems().setAll(excluded(results.set(), d.configuration()));
        exclude.setDisable(!kernel || !idle || exclude.getItems().isEmpty());
        all.add(exclude);
        all.add(new SeparatorMenuItem());
        all.add(item("Copy knob values", true, () -> {
            var content = new ClipboardContent();
            content.putString(d.configuration().text());
            Clipboard.getSystemClipboard().setContent(content);
        }));
        all.add(new Menu("Export", null, exports.get().toArray(MenuItem[]::new)));
        return all;
    }

    /// Pins it where it is not, and compares with it.
    private void compareWith(int number) {
        Results results = model.results();
        if (number == Results.BASELINE || results.pinOf(number) > 0 || results.togglePin(number)) {
            model.models().inspector().against().set(number);
        }
    }

    /// The values in which it differs from the baseline.
    private List<MenuItem> excluded(DesignSet set, Configuration c) {
        Optional<Configuration> usual =
                set.baseline().map(Design::configuration).filter(b -> b.knobs().equals(c.knobs()));
        List<String> labels = KnobLabels.of(c.knobs());
        return IntStream.range(0, c.knobs().size())
                .filter(k -> usual.filter(b -> b.level(k) == c.level(k)).isEmpty())
                .mapToObj(k -> item(
                        labels.get(k) + " = " + c.value(k),
                        true,
                        () -> model.space().toggle(c.knobs().get(k).name(), c.value(k))))
                .toList();
    }

    private static MenuItem item(String words, boolean enabled, Runnable action) {
        var item = new MenuItem(words);
        item.setMnemonicParsing(false);
        item.setDisable(!enabled);
        item.setOnAction(e -> action.run());
        return item;
    }
}

package knobscape.app.ui.keyboard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.ComboBoxBase;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;

/// The commands with what they do: builds menu items, dresses buttons, and listens to the keyboard. Used from
/// the JavaFX thread.
public final class Commands {
    private static final BooleanExpression ALWAYS = new SimpleBooleanProperty(true);
    private final KeyBindings bindings;
    private final Map<String, Handler> handlers = new HashMap<>();
    private final List<Commands> areas = new ArrayList<>();
    private final BooleanExpression shown;

    private record Handler(Runnable action, BooleanExpression enabled) {}

    /// @param bindings which keys stand for which command
    public Commands(KeyBindings bindings) {
        this(bindings, ALWAYS);
    }

    private Commands(KeyBindings bindings, BooleanExpression shown) {
        this.bindings = bindings;
        this.shown = shown;
    }

    /// Commands of an area: the keyboard reaches them only while it is shown, so that two areas can give the
    /// same command a meaning of their own.
    ///
    /// @param areaShown whether it is
    public Commands in(BooleanExpression areaShown) {
        var area = new Commands(bindings, areaShown);
        areas.add(area);
        return area;
    }

    /// The keys.
    public KeyBindings bindings() {
        return bindings;
    }

    /// Adds a command that can always be given.
    public void add(Command command, Runnable action) {
        add(command, action, ALWAYS);
    }

    /// Adds a command.
    ///
    /// @param enabled whether it can be given now
    public void add(Command command, Runnable action, BooleanExpression enabled) {
        bindings.add(command);
        handlers.put(command.id(), new Handler(action, enabled));
    }

    /// Gives a command, where it can be given now.
    public boolean perform(Command command) {
        Handler handler = handlers.get(command.id());
        if (handler == null) {
            return areas.stream().anyMatch(a -> a.shown.get() && a.perform(command));
        }
        if (!handler.enabled().get()) {
            return false;
        }
        handler.action().run();
        return true;
    }

    /// The commands that can be given now, in the order added.
    public List<Command> possible() {
        return bindings.commands().stream().filter(this::isPossible).toList();
    }

    private boolean isPossible(Command command) {
        Handler handler = handlers.get(command.id());
        return handler == null
                ? areas.stream().anyMatch(a -> a.shown.get() && a.isPossible(command))
                : handler.enabled().get();
    }

    /// True if a command can be given now.
    public BooleanExpression enabled(Command command) {
        return Optional.ofNullable(handlers.get(command.id()))
                .map(Handler::enabled)
                .orElse(ALWAYS);
    }

    /// A menu item for a command, with its keys unless those are a plain letter or space.
    public MenuItem menuItem(Command command) {
        var item = new MenuItem(command.title());
        item.setOnAction(e -> perform(command));
        item.disableProperty().bind(enabled(command).not());
        item.acceleratorProperty()
                .bind(Bindings.createObjectBinding(
                        () -> bindings.keys(command)
                                .filter(k -> !KeyBindings.isTyping(k))
                                .orElse(null),
                        bindings.version()));
        return item;
    }

    /// Menu items that give commands, with a line between groups.
    @SafeVarargs
    public final List<MenuItem> menuItems(List<Command>... groups) {
        var items = new ArrayList<MenuItem>();
        for (List<Command> group : groups) {
            if (!items.isEmpty()) {
                items.add(new SeparatorMenuItem());
            }
            group.forEach(c -> items.add(menuItem(c)));
        }
        return items;
    }

    /// A menu of such items.
    @SafeVarargs
    public final Menu menu(String title, List<Command>... groups) {
        return new Menu(title, null, menuItems(groups).toArray(MenuItem[]::new));
    }

    /// Lets a button give a command, with a tooltip and a name for screen readers.
    public void dress(ButtonBase button, Command command) {
        button.setOnAction(e -> perform(command));
        button.disableProperty().bind(enabled(command).not());
        button.setAccessibleText(command.title());
        var tooltip = new Tooltip();
        tooltip.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> bindings.keys(command)
                                .map(k -> command.title() + "  (" + k.getDisplayText() + ")")
                                .orElse(command.title()),
                        bindings.version()));
        button.setTooltip(tooltip);
    }

    /// Listens to the keyboard of a scene. Keys that a person would type (letters, space) are left to text
    /// fields, and space and enter to the button that has the focus.
    ///
    /// @param deaf while this holds nothing is listened to (new keys for a command are being asked for)
    public void listen(Scene scene, BooleanSupplier deaf) {
        // What a key types goes to the field that its command may have moved to.
        var taken = new SimpleBooleanProperty();
        scene.addEventFilter(KeyEvent.KEY_PRESSED, event -> {
            List<Command> meant = bindings.commandsOf(event);
            taken.set(!meant.isEmpty()
                    && !deaf.getAsBoolean()
                    && !belongsToFocus(scene.getFocusOwner(), event)
                    && meant.stream().anyMatch(this::perform));
            if (taken.get()) {
                event.consume();
            }
        });
        scene.addEventFilter(KeyEvent.KEY_TYPED, event -> {
            if (taken.get()) {
                event.consume();
            }
        });
    }

    private static boolean belongsToFocus(Node focus, KeyEvent event) {
        boolean plain = !event.isShortcutDown()
                && !event.isAltDown()
                && !event.getCode().isFunctionKey();
        if (focus instanceof TextInputControl) {
            return (plain && event.getCode() != KeyCode.ESCAPE) || isTextEditing(event);
        }
        boolean pressesButton = focus instanceof ButtonBase || focus instanceof ComboBoxBase<?>;
        return pressesButton && plain && event.getCode() == KeyCode.SPACE;
    }

    /// Ctrl+A, C, V, X, Z and Y mean text in a text field.
    private static boolean isTextEditing(KeyEvent event) {
        return event.isShortcutDown()
                && switch (event.getCode()) {
                    case A, C, V, X, Z, Y, LEFT, RIGHT, HOME, END, BACK_SPACE, DELETE -> true;
                    default -> false;
                };
    }
}

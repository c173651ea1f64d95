package knobscape.app.ui.keyboard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import knobscape.app.ui.settings.Settings;

/// Which keys stand for which command: the defaults, less what the person changed. Used from the JavaFX thread.
public final class KeyBindings {
    private static final String PREFIX = "keys.";
    private final Settings settings;
    private final Map<String, Command> commands = new java.util.LinkedHashMap<>();
    private final Map<String, Optional<KeyCombination>> current = new HashMap<>();
    private final ReadOnlyIntegerWrapper version = new ReadOnlyIntegerWrapper();

    /// @param settings where changed shortcuts are kept
    public KeyBindings(Settings settings) {
        this.settings = settings;
    }

    /// Adds a command to the list; several areas may add the same. Throws `IllegalArgumentException` where its
    /// id is taken by another.
    public void add(Command command) {
        Command before = commands.putIfAbsent(command.id(), command);
        if (before != null) {
            if (!before.equals(command)) {
                throw new IllegalArgumentException("two commands are called " + command.id());
            }
            return;
        }
        current.put(
                command.id(),
                settings.get(PREFIX + command.id())
                        .map(KeyBindings::parse)
                        .orElseGet(() -> parse(command.defaultKeys())));
    }

    /// All commands in the order added.
    public List<Command> commands() {
        return List.copyOf(commands.values());
    }

    /// The keys of a command, empty where it has none.
    public Optional<KeyCombination> keys(Command command) {
        return current.getOrDefault(command.id(), Optional.empty());
    }

    /// The keys as shown to a person, empty where there are none.
    public String text(Command command) {
        return keys(command).map(KeyCombination::getDisplayText).orElse("");
    }

    /// The commands that a key press stands for: usually one, but areas that are not shown at the same time may
    /// use the same keys.
    public List<Command> commandsOf(KeyEvent event) {
        return commands.values().stream()
                .filter(c -> keys(c).filter(k -> k.match(event)).isPresent())
                .toList();
    }

    /// The command other than `except` that already has `keys`.
    public Optional<Command> owner(KeyCombination keys, Command except) {
        return commands.values().stream()
                .filter(c -> !c.equals(except))
                .filter(c -> keys(c).filter(keys::equals).isPresent())
                .findFirst();
    }

    /// Gives a command other keys, taking them from the command that had them. Returns that command.
    public Optional<Command> change(Command command, KeyCombination keys) {
        Optional<Command> owner = owner(keys, command);
        owner.ifPresent(o -> set(o, Optional.empty()));
        set(command, Optional.of(keys));
        return owner;
    }

    /// Takes a command's keys away.
    public void clear(Command command) {
        set(command, Optional.empty());
    }

    /// Gives every command its default keys.
    public void reset() {
        for (Command c : commands.values()) {
            settings.remove(PREFIX + c.id());
            current.put(c.id(), parse(c.defaultKeys()));
        }
        version.set(version.get() + 1);
    }

    /// Counts changes, so that menus and tooltips can follow.
    public ReadOnlyIntegerProperty version() {
        return version.getReadOnlyProperty();
    }

    /// The combination a key press makes, where it is one that can be bound: a lone modifier key is not.
    public static Optional<KeyCombination> combinationOf(KeyEvent event) {
        KeyCode code = event.getCode();
        if (code.isModifierKey() || code == KeyCode.UNDEFINED || code == KeyCode.TAB) {
            return Optional.empty();
        }
        var modifiers = new ArrayList<KeyCombination.Modifier>();
        if (event.isShortcutDown()) {
            modifiers.add(KeyCombination.SHORTCUT_DOWN);
        }
        if (event.isAltDown()) {
            modifiers.add(KeyCombination.ALT_DOWN);
        }
        if (event.isShiftDown()) {
            modifiers.add(KeyCombination.SHIFT_DOWN);
        }
        return Optional.of(new KeyCodeCombination(code, modifiers.toArray(KeyCombination.Modifier[]::new)));
    }

    /// True if keys are a plain letter, digit or space, which belong to a text field while someone types in it.
    public static boolean isTyping(KeyCombination keys) {
        return keys.getShortcut() == KeyCombination.ModifierValue.UP
                && keys.getAlt() == KeyCombination.ModifierValue.UP
                && keys instanceof KeyCodeCombination k
                && !k.getCode().isFunctionKey()
                && k.getCode() != KeyCode.ESCAPE;
    }

    private void set(Command command, Optional<KeyCombination> keys) {
        current.put(command.id(), keys);
        if (keys.equals(parse(command.defaultKeys()))) {
            settings.remove(PREFIX + command.id());
        } else {
            settings.put(
                    PREFIX + command.id(), keys.map(KeyCombination::getName).orElse(""));
        }
        version.set(version.get() + 1);
    }

    private static Optional<KeyCombination> parse(String keys) {
        if (keys.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(KeyCombination.valueOf(keys));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

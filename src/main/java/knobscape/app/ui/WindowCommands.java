package knobscape.app.ui;

import knobscape.app.ui.keyboard.Command;

/// The commands of the window itself. Areas add their own.
final class WindowCommands {
    private static final String FILE = "File";
    private static final String EDIT = "Edit";
    private static final String VIEW = "View";

    static final Command OPEN = new Command("file.open", "Open file", FILE, "Shortcut+O");
    static final Command OPEN_PROJECT =
            new Command("file.openProject", "Open project folder", FILE, "Shortcut+Shift+O");
    static final Command CLOSE = new Command("file.close", "Close project", FILE, "Shortcut+W");
    static final Command QUIT = new Command("file.quit", "Quit", FILE, "Shortcut+Q");
    static final Command UNDO = new Command("edit.undo", "Undo", EDIT, "Shortcut+Z");
    static final Command REDO = new Command("edit.redo", "Redo", EDIT, "Shortcut+Shift+Z");
    static final Command FIND = new Command("edit.find", "Find in the source or the table", EDIT, "Shortcut+F");
    static final Command LEFT = new Command("view.left", "Show or hide the left panel", VIEW, "Shortcut+B");
    static final Command RIGHT = new Command("view.right", "Show or hide the right panel", VIEW, "Shortcut+Shift+B");
    static final Command THEME = new Command("view.theme", "Next theme: system, light, dark", VIEW, "Shortcut+T");
    static final Command LARGER = new Command("view.larger", "Larger text", VIEW, "Shortcut+Equals");
    static final Command SMALLER = new Command("view.smaller", "Smaller text", VIEW, "Shortcut+Minus");
    static final Command DEFAULT_SIZE = new Command("view.usual", "Default text size", VIEW, "Shortcut+0");
    static final Command COMMANDS = new Command("view.commands", "Search commands", VIEW, "Shortcut+K");
    static final Command FIGURE = new Command("view.figure", "Maximise or restore the figure", VIEW, "F");
    static final Command SHORTCUTS = new Command("help.shortcuts", "Keyboard shortcuts", "Help", "F1");
    static final Command NOTIFY = new Command("view.notify", "Turn notifications of finished runs on or off", VIEW, "");
    static final Command FIRST_STEPS = new Command("help.steps", "First steps and what the figures mean", "Help", "");
    static final Command SETUP = new Command("help.setup", "Check set-up", "Help", "");
    static final Command LICENCES = new Command("help.licences", "Licences", "Help", "Shift+F1");

    private WindowCommands() {}

    /// Shows the area number `n`, from 1.
    static Command area(int n, String title) {
        return new Command("view.area." + n, title, VIEW, "Shortcut+" + n);
    }
}

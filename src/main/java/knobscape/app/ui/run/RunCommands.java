package knobscape.app.ui.run;

import knobscape.app.ui.keyboard.Command;

/// Commands on runs.
public final class RunCommands {
    private static final String CATEGORY = "Run";

    /// Starts a run.
    public static final Command RUN = new Command("run.start", "Run", CATEGORY, "Shortcut+R");
    /// Continues a finished run.
    public static final Command MORE = new Command("run.more", "Search more", CATEGORY, "Shortcut+M");
    /// Continues.
    public static final Command RESUME = new Command("run.resume", "Resume", CATEGORY, "Shortcut+Shift+R");
    /// Pauses or continues.
    public static final Command PAUSE = new Command("run.pause", "Pause or resume", CATEGORY, "Space");
    /// Stops, asking first.
    public static final Command STOP = new Command("run.stop", "Stop (asks first)", CATEGORY, "Esc");
    /// Shows the settings.
    public static final Command SETTINGS = new Command("run.settings", "Run settings", CATEGORY, "Shortcut+Comma");
    /// Shows the log.
    public static final Command LOG = new Command("run.log", "Show log", CATEGORY, "Shortcut+L");
    /// Deletes the run.
    public static final Command DELETE = new Command("run.delete", "Delete this run", CATEGORY, "");

    private RunCommands() {}
}

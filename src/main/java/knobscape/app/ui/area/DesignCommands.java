package knobscape.app.ui.area;

import java.util.List;
import knobscape.app.ui.keyboard.Command;

/// Commands on the designs of any area.
public final class DesignCommands {
    private static final String GROUP = "Design";

    /// Pins or unpins.
    public static final Command PIN = new Command("design.pin", "Pin or unpin the design", GROUP, "P");
    /// Compares with the next.
    public static final Command DIFF =
            new Command("design.diff", "Compare with the next pin or the baseline", GROUP, "D");
    static final Command COMPARE = new Command("design.compare", "Pinned designs side by side", GROUP, "C");
    static final Command BASELINE = new Command("design.baseline", "Show the baseline", GROUP, "B");
    static final Command NEXT = new Command("design.next", "Next design on the front", GROUP, "Alt+Right");
    static final Command PREVIOUS = new Command("design.previous", "Previous design on the front", GROUP, "Alt+Left");
    static final Command EVALUATE = new Command("design.evaluate", "Evaluate the what-if design", GROUP, "Enter");
    static final Command GOAL = new Command("design.goal", "Set a goal", GROUP, "G");
    static final Command CLEAR_FILTER =
            new Command("design.clearFilter", "Clear the filter", GROUP, "Shortcut+Shift+F");

    /// Those that stand in a menu, in its order.
    public static final List<Command> MENU = List.of(PIN, COMPARE, DIFF, BASELINE, NEXT, PREVIOUS, GOAL, CLEAR_FILTER);

    private DesignCommands() {}
}

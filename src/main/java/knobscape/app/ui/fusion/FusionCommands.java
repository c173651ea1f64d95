package knobscape.app.ui.fusion;

import knobscape.app.ui.keyboard.Command;

/// The commands of layer fusion.
final class FusionCommands {
    private static final String DESIGN = "Strategy";
    private static final String EXPORT = "Export";

    static final Command SYNC = new Command("fusion.sync", "Synchronise after the layer, or stage it", DESIGN, "S");
    static final Command MORE = new Command("fusion.more", "Double the micro-batch of the layer", DESIGN, "Alt+Up");
    static final Command LESS = new Command("fusion.less", "Halve the micro-batch of the layer", DESIGN, "Alt+Down");
    static final Command KEEP = new Command("fusion.keep", "Keep the strategy in the table", DESIGN, "K");
    static final Command EXPORT_MENU = new Command("fusion.export", "Export menu", EXPORT, "Shortcut+E");
    static final Command ANSWER = new Command("fusion.answer", "Exact answer as JSON", EXPORT, "");
    static final Command ANSWER_CSV = new Command("fusion.answer-csv", "Layers of the exact answer as CSV", EXPORT, "");
    static final Command REPORT = new Command("fusion.report", "Report of the exact answer (Markdown)", EXPORT, "");
    static final Command TIMELINE = new Command("fusion.timeline", "Timeline for Perfetto", EXPORT, "");
    static final Command JSON = new Command("fusion.json", "Paper's strategy as JSON", EXPORT, "");
    static final Command CSV = new Command("fusion.csv", "Layers of the paper's strategy as CSV", EXPORT, "");
    static final Command TABLE = new Command("fusion.table", "Table of the paper's strategies as CSV", EXPORT, "");
    static final Command PNG = new Command("fusion.png", "Figure as PNG", EXPORT, "");
    static final Command SVG = new Command("fusion.svg", "Figure as SVG", EXPORT, "");
    static final Command IMPORT = new Command("fusion.import", "Open a strategy", DESIGN, "");
    static final Command ACCELERATOR = new Command("fusion.accelerator", "Open an accelerator", DESIGN, "");

    private FusionCommands() {}
}

package knobscape.app.ui.hls;

import knobscape.app.ui.keyboard.Command;

/// Commands on designs and exports.
final class HlsCommands {
    private static final String DESIGN = "Design";
    private static final String EXPORT = "Export";

    static final Command MENU = new Command("design.menu", "Menu of the design", DESIGN, "Shift+F10");
    static final Command IMPORT = new Command("design.import", "Import directives\u2026", DESIGN, "");
    static final Command COPY_PRAGMAS = new Command("export.copyPragmas", "Copy pragmas", EXPORT, "");
    static final Command COPY_COMMAND = new Command("export.copyCommand", "Copy the export's command line", EXPORT, "");
    static final Command EXPORT_MENU = new Command("export.menu", "Export", EXPORT, "Shortcut+E");
    static final Command TCL = new Command("export.tcl", "Tcl directives for Vitis HLS", EXPORT, "");
    static final Command TCL_VIVADO = new Command("export.tclVivado", "Tcl directives for Vivado HLS", EXPORT, "");
    static final Command CFG = new Command("export.cfg", "Configuration file for Vitis (2024.2 and later)", EXPORT, "");
    static final Command SOURCE = new Command("export.source", "Annotated source for Vitis HLS", EXPORT, "");
    static final Command SOURCE_VIVADO =
            new Command("export.sourceVivado", "Annotated source for Vivado HLS", EXPORT, "");
    static final Command CSV = new Command("export.csv", "Designs shown as CSV", EXPORT, "");
    static final Command JSON = new Command("export.json", "Designs shown as JSON", EXPORT, "");
    static final Command HTML = new Command("export.html", "Report as one HTML page", EXPORT, "");
    static final Command PLOT_PNG = new Command("export.plotPng", "Plot as PNG", EXPORT, "");
    static final Command PLOT_SVG = new Command("export.plotSvg", "Plot as SVG", EXPORT, "");
    static final Command CURVE_PNG = new Command("export.curvePng", "Hypervolume as PNG", EXPORT, "");
    static final Command CURVE_SVG = new Command("export.curveSvg", "Hypervolume as SVG", EXPORT, "");

    private HlsCommands() {}
}

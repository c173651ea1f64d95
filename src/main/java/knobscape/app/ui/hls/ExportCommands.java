package knobscape.app.ui.hls;

import java.util.List;
import java.util.function.Supplier;
import javafx.beans.binding.BooleanExpression;
import javafx.scene.control.MenuItem;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.plot.PlotsView;
import knobscape.hls.export.Dialect;

/// The commands that take designs and pictures away.
final class ExportCommands {
    private ExportCommands() {}

    /// Adds them.
    ///
    /// @param design whether a design is selected
    /// @param kernel whether a kernel is open, not measured designs
    static void add(
            Commands commands,
            HlsViewModel model,
            Supplier<PlotsView> plots,
            BooleanExpression design,
            BooleanExpression kernel) {
        ExportViewModel exports = model.export();
        commands.add(HlsCommands.COPY_PRAGMAS, exports::copyPragmas, design.and(kernel));
        commands.add(HlsCommands.COPY_COMMAND, exports::copyCommand, design);
        BooleanExpression some = exports.canExportDesigns();
        commands.add(HlsCommands.TCL, () -> exports.tcl(Dialect.VITIS_HLS), design);
        commands.add(HlsCommands.TCL_VIVADO, () -> exports.tcl(Dialect.VIVADO_HLS), design);
        commands.add(HlsCommands.CFG, exports::configuration, design);
        commands.add(HlsCommands.SOURCE, () -> exports.annotatedSource(Dialect.VITIS_HLS), design);
        commands.add(HlsCommands.SOURCE_VIVADO, () -> exports.annotatedSource(Dialect.VIVADO_HLS), design);
        commands.add(HlsCommands.CSV, exports::csv, some);
        commands.add(HlsCommands.JSON, exports::json, some);
        commands.add(
                HlsCommands.HTML,
                () -> exports.html(
                        plots.get().shownPair(),
                        model.models().insight().insight().get()),
                some);
        commands.add(HlsCommands.PLOT_PNG, () -> plot(exports, plots, false), some);
        commands.add(HlsCommands.PLOT_SVG, () -> plot(exports, plots, true), some);
        commands.add(HlsCommands.CURVE_PNG, () -> exports.hypervolume(false), some);
        commands.add(HlsCommands.CURVE_SVG, () -> exports.hypervolume(true), some);
    }

    private static void plot(ExportViewModel exports, Supplier<PlotsView> plots, boolean svg) {
        plots.get().shownPair().ifPresent(p -> exports.plot(p, svg));
    }

    /// The exports, for a menu.
    static List<MenuItem> items(Commands commands) {
        return commands.menuItems(
                List.of(HlsCommands.COPY_PRAGMAS, HlsCommands.COPY_COMMAND),
                List.of(
                        HlsCommands.TCL,
                        HlsCommands.TCL_VIVADO,
                        HlsCommands.CFG,
                        HlsCommands.SOURCE,
                        HlsCommands.SOURCE_VIVADO),
                List.of(HlsCommands.CSV, HlsCommands.JSON, HlsCommands.HTML),
                List.of(HlsCommands.PLOT_PNG, HlsCommands.PLOT_SVG, HlsCommands.CURVE_PNG, HlsCommands.CURVE_SVG));
    }
}

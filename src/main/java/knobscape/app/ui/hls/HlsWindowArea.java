package knobscape.app.ui.hls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.area.CoverView;
import knobscape.app.ui.area.DesignCommands;
import knobscape.app.ui.area.DesignPanels;
import knobscape.app.ui.area.OpenWork;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.Headline;
import knobscape.app.ui.designs.HeadlineView;
import knobscape.app.ui.hls.report.DesignReportView;
import knobscape.app.ui.hls.report.ToolReportView;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.source.SourceView;
import knobscape.app.ui.hls.space.SpaceView;
import knobscape.app.ui.hls.space.SubjectView;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.plot.PlotsView;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Lazy;
import knobscape.project.Session;

/// The area of FPGA directives.
public final class HlsWindowArea implements WindowArea {
    private final HlsViewModel model;
    private final Commands commands;
    private final Lazy<SourceView> source;
    private final DesignPanels designs;
    private final Lazy<PlotsView> plots;
    private final DesignMenu menu;
    private final RunControls controls;
    private final Lazy<Places> places;
    private final MenuButton exports = new MenuButton();
    private final Lazy<HBox> breadcrumb;

    /// @param model what is shown
    /// @param plotContext what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    public HlsWindowArea(HlsViewModel model, PlotContext plotContext, Settings settings, Commands commands) {
        this.model = model;
        this.commands = commands;
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.workbench().get().isPresent(), model.workbench());
        this.controls = new RunControls(model.runs(), model.runs()::start, model.logs(), commands, open);
        this.source = new Lazy<>(() -> new SourceView(model.source()));
        this.designs = DesignPanels.of(
                model.models(),
                settings,
                commands,
                open,
                () -> {},
                List.of(HlsCommands.COPY_PRAGMAS, HlsCommands.COPY_COMMAND, HlsCommands.TCL, HlsCommands.TCL_VIVADO),
                Optional.of(new OtherKnobs(model)));
        this.plots = new Lazy<>(() -> DesignPanels.figures(model.work(), plotContext, settings, Optional::empty));
        this.menu = new DesignMenu(model, commands, () -> ExportCommands.items(commands));
        this.places = new Lazy<>(() -> places(plotContext));
        addCommands(open);
        exports.setAccessibleText("Export designs and plots");
        exports.getItems().setAll(ExportCommands.items(commands));
        this.breadcrumb = new Lazy<>(() -> WindowArea.breadcrumb(model, Optional.empty(), exports, controls));
    }

    private Places places(PlotContext plotContext) {
        menu.serve(plots.get().root());
        menu.serve(designs.tableView());
        ObservableValue<List<Headline>> headline = HlsHeadline.of(model, this::select);
        return new Places(
                Optional.of(new HeadlineView(headline).root()),
                List.of(
                        new Page("Source", new SourcePage(model, source.get().root()).root()),
                        new Page("Knobs", new SpaceView(model.space()).root()),
                        new Page(
                                "Report",
                                new DesignReportView(
                                                model.results(),
                                                () -> model.workbench().get().map(Session::bench),
                                                plotContext,
                                                id -> select(new SourceElement(SourceElement.Kind.LOOP, id)))
                                        .root(),
                                true)),
                new SubjectView(model.space(), designs.importanceView()).root(),
                designs.picturesPage(plots.get()),
                designs.tableView(),
                new CoverView(model, model.models(), model.space().size(), headline, controls, commands).cover(),
                new Page("Design", designPage()),
                new Controls(controls.sheet(), controls.log(), controls.bar()));
    }

    private void addCommands(BooleanExpression open) {
        BooleanExpression design = model.results().isAnySelected();
        commands.add(HlsCommands.MENU, () -> showMenu(), design);
        BooleanExpression kernel =
                Bindings.createBooleanBinding(() -> model.workbench().get().isPresent(), model.workbench());
        commands.add(HlsCommands.IMPORT, model::importDirectives, kernel);
        commands.add(HlsCommands.EXPORT_MENU, exports::show, open);
        ExportCommands.add(commands, model, plots, design, kernel);
    }

    private void showMenu() {
        Parent table = designs.tableView();
        menu.show(table.isFocusWithin() ? table : plots.get().root());
    }

    private Node designPage() {
        Parent sheet = designs.inspectorPage();
        var report = new ToolReportView(model.reports(), id -> select(new SourceElement(SourceElement.Kind.LOOP, id)));
        report.takeDropsOn(sheet);
        VBox.setVgrow(sheet, Priority.ALWAYS);
        return new VBox(sheet, report.root());
    }

    @Override
    public Face face() {
        return new Face(WorkKind.HLS, "FPGA directives", "FPGA", places, breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        var run = commands.menu("_Run", RunControls.VERBS, RunControls.OTHERS);
        var design = commands.menu("_Design", DesignCommands.MENU, List.of(HlsCommands.IMPORT));
        var exports = new Menu("E_xport", null, ExportCommands.items(commands).toArray(MenuItem[]::new));
        return List.of(run, design, exports);
    }

    @Override
    public boolean accepts(Path path) {
        return HlsFiles.accepts(path);
    }

    @Override
    public void open(Path path) {
        model.open(path);
    }

    @Override
    public OpenWork work() {
        return model;
    }

    @Override
    public void find() {
        if (source.get().hasFocus()) {
            source.get().openFind();
        } else {
            designs.focusFilter();
        }
    }

    /// The shown model.
    public HlsViewModel model() {
        return model;
    }

    /// Selects a loop, array or function, as a click in the source does.
    public void select(SourceElement subject) {
        model.space().select(subject);
    }
}

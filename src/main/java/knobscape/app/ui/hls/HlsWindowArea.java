package knobscape.app.ui.hls;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.value.ObservableValue;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.area.DesignCommands;
import knobscape.app.ui.area.DesignPanels;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.Headline;
import knobscape.app.ui.designs.HeadlineView;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.hls.report.ToolReportView;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.source.SourceView;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.hls.space.SpaceView;
import knobscape.app.ui.hls.space.SubjectView;
import knobscape.app.ui.insight.Importance;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.plot.PlotsView;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.run.RunsView;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.undo.UndoStack;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.export.Dialect;
import knobscape.project.Session;

/// The area of FPGA directives.
public final class HlsWindowArea implements WindowArea {
    private final HlsViewModel model;
    private final Commands commands;
    private final SourceView source;
    private final DesignPanels designs;
    private final PlotsView plots;
    private final DesignMenu menu;
    private final RunControls controls;
    private final Places places;
    private final Parent breadcrumb;

    @FXML
    private Label project;

    @FXML
    private MenuButton runs;

    @FXML
    private MenuButton export;

    @FXML
    private HBox sourceHead;

    @FXML
    private MenuButton top;

    @FXML
    private Label guessed;

    /// @param model what is shown
    /// @param plotContext what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    public HlsWindowArea(HlsViewModel model, PlotContext plotContext, Settings settings, Commands commands) {
        this.model = model;
        this.commands = commands;
        this.breadcrumb = Fxml.load("hls/breadcrumb", this);
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.workbench().get().isPresent(), model.workbench());
        this.controls = new RunControls(model.run(), model.run()::start, model.logs(), commands, open);
        addCommands(open);
        this.source = new SourceView(model.source());
        this.designs = DesignPanels.of(
                model.models(),
                settings,
                commands,
                open,
                () -> {},
                List.of(
                        Map.entry("Copy pragmas", HlsCommands.COPY_PRAGMAS),
                        Map.entry("Tcl\u2026", HlsCommands.TCL),
                        Map.entry("Copy command", HlsCommands.COPY_COMMAND)),
                Optional.of(this::fixOthers));
        this.plots = new PlotsView(
                plotContext,
                model.results(),
                model.curves(),
                settings,
                () -> model.workbench().get().map(Session::bench).flatMap(HlsWorkbench::measured),
                new RunsView(model.run(), model.pictures().table()).root());
        model.results().drawnBy(plots::whenDrawn);
        VBox.setVgrow(plots.root(), Priority.ALWAYS);
        var pictures =
                new VBox(new ColumnsView(model, commands).root(), designs.goal().root(), plots.root());
        pictures.setMinSize(0, 0);
        this.menu = new DesignMenu(model, commands, this::exportItems);
        menu.serve(plots.root());
        menu.serve(designs.table().root());
        this.places = new Places(
                Optional.of(new HeadlineView(headline()).root()),
                List.of(new Page("Source", sourcePage()), new Page("Knobs", new SpaceView(model.space()).root())),
                new SubjectView(model.space(), designs.importance()).root(),
                pictures,
                designs.table().root(),
                new CoverView(model, commands).root(),
                new Page("Design", designPage()),
                controls.sheet(),
                controls.log(),
                controls.bar());
        buildBreadcrumb();
    }

    /// The figures of the designs; before there are any, those of the baseline and the loop that limits it.
    private ObservableValue<List<Headline>> headline() {
        Results results = model.results();
        return Bindings.createObjectBinding(
                () -> Stream.concat(
                                results.headline().get().stream(),
                                model.source().design().get().limit().stream()
                                        .filter(l -> results.set().size() == 0)
                                        .map(l -> new Headline(
                                                "Limited by",
                                                l.name(),
                                                l.words(),
                                                Optional.of(() ->
                                                        select(new SourceElement(SourceElement.Kind.LOOP, l.loop()))))))
                        .toList(),
                results.headline(),
                results.shown(),
                model.source().design());
    }

    private void addCommands(BooleanExpression open) {
        BooleanExpression design = model.export().canExportDesign();
        commands.add(HlsCommands.MENU, () -> showMenu(), design);
        BooleanExpression kernel = Bindings.createBooleanBinding(
                () -> model.workbench()
                        .get()
                        .filter(w -> w.bench().measured().isEmpty())
                        .isPresent(),
                model.workbench());
        commands.add(HlsCommands.IMPORT, model.imports()::ask, kernel);
        commands.add(HlsCommands.COPY_PRAGMAS, model.export()::copyPragmas, design.and(kernel));
        commands.add(HlsCommands.COPY_COMMAND, model.export()::copyCommand, design);
        BooleanExpression some = model.export().canExportDesigns();
        commands.add(HlsCommands.EXPORT_MENU, export::show, open);
        commands.add(HlsCommands.TCL, () -> model.export().tcl(Dialect.VITIS_HLS), design);
        commands.add(HlsCommands.TCL_VIVADO, () -> model.export().tcl(Dialect.VIVADO_HLS), design);
        commands.add(HlsCommands.CFG, model.export()::configuration, design);
        commands.add(HlsCommands.SOURCE, () -> model.export().annotatedSource(Dialect.VITIS_HLS), design);
        commands.add(HlsCommands.SOURCE_VIVADO, () -> model.export().annotatedSource(Dialect.VIVADO_HLS), design);
        commands.add(HlsCommands.CSV, model.export()::csv, some);
        commands.add(HlsCommands.JSON, model.export()::json, some);
        commands.add(
                HlsCommands.HTML,
                () -> model.export()
                        .html(plots.shownPair(), model.insight().insight().get()),
                some);
        commands.add(HlsCommands.PLOT_PNG, () -> exportPlot(false), some);
        commands.add(HlsCommands.PLOT_SVG, () -> exportPlot(true), some);
        commands.add(HlsCommands.CURVE_PNG, () -> model.export().hypervolume(false), some);
        commands.add(HlsCommands.CURVE_SVG, () -> model.export().hypervolume(true), some);
    }

    /// The knobs that matter little for an objective keep the values of the selected design.
    private void fixOthers(Importance importance) {
        List<Integer> free =
                importance.top().stream().map(Importance.Share::knob).toList();
        model.restrict("fixing knobs", (space, c) -> KnobEdits.keeping(space, c, free));
    }

    private void showMenu() {
        Parent table = designs.table().root();
        menu.show(table.isFocusWithin() ? table : plots.root());
    }

    private Node designPage() {
        Parent sheet = designs.inspector().root();
        var report = new ToolReportView(model.reports(), id -> select(new SourceElement(SourceElement.Kind.LOOP, id)));
        report.takeDropsOn(sheet);
        VBox.setVgrow(sheet, Priority.ALWAYS);
        return new VBox(sheet, report.root());
    }

    private void exportPlot(boolean svg) {
        plots.shownPair().ifPresent(p -> model.export().plot(p, svg));
    }

    private Node sourcePage() {
        VBox page = Fxml.load("hls/source-page", this);
        model.workbench().addListener((o, was, is) -> {
            Optional<HlsWorkbench> kernel =
                    is.map(Session::bench).filter(w -> w.measured().isEmpty());
            Nodes.show(sourceHead, kernel.isPresent());
            kernel.ifPresent(w -> {
                top.setText("Top: " + w.kernel().top());
                guessed.setText(w.kernel().topGuessed() ? "guessed" : "");
                top.getItems()
                        .setAll(model.tops().stream()
                                .map(f -> {
                                    var item = new MenuItem(f);
                                    item.setMnemonicParsing(false);
                                    item.setOnAction(e -> model.openTop(f));
                                    return item;
                                })
                                .toList());
                top.setMouseTransparent(top.getItems().size() < 2);
                Nodes.style(top, "no-arrow", top.getItems().size() < 2);
            });
        });
        Node code = source.root();
        VBox.setVgrow(code, Priority.ALWAYS);
        page.getChildren().add(code);
        return page;
    }

    private void buildBreadcrumb() {
        project.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.workbench()
                                .get()
                                .map(w -> w.project().name())
                                .orElse(""),
                        model.workbench()));
        export.getItems().setAll(exportItems());
        breadcrumb
                .visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.workbench().get().isPresent(), model.workbench()));
        controls.dress(runs);
    }

    private List<MenuItem> exportItems() {
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

    @Override
    public Face face() {
        return new Face(WorkKind.HLS, "FPGA directives", "FPGA", () -> places, () -> breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        var run = commands.menu("_Run", RunControls.VERBS, RunControls.OTHERS);
        var design = commands.menu("_Design", DesignCommands.MENU, List.of(HlsCommands.IMPORT));
        var exports = new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new));
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
    public UndoStack undo() {
        return model.undo();
    }

    @Override
    public ObservableValue<Optional<String>> openName() {
        return model.workbench().map(w -> w.map(b -> b.project().name()));
    }

    @Override
    public RunViewModel runs() {
        return model.run();
    }

    @Override
    public void close(Runnable then) {
        model.close(then);
    }

    @Override
    public ReadOnlyBooleanProperty isOpen() {
        return model.isOpen();
    }

    @Override
    public void find() {
        if (source.hasFocus()) {
            source.openFind();
        } else {
            designs.table().focusFilter();
        }
    }

    @Override
    public void shutDown() {
        model.shutDown();
    }

    /// What is shown.
    public HlsViewModel model() {
        return model;
    }

    /// Selects a loop, array or function, as a click in the source does.
    public void select(SourceElement subject) {
        model.space().select(subject);
    }
}

package knobscape.app.ui.gpu;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import knobscape.app.ui.area.DesignCommands;
import knobscape.app.ui.area.DesignPanels;
import knobscape.app.ui.area.NetworkWindowArea;
import knobscape.app.ui.area.NetworkWork;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.HeadlineView;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureSet;
import knobscape.app.ui.plot.ParallelView;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunsView;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Lazy;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;

/// The area of GPU schedules.
public final class GpuWindowArea implements NetworkWindowArea {
    private static final String GRAPH = "Graph";
    private static final String DESIGN = "Design";
    private static final String DESIGNS = "Designs";

    private final GpuViewModel model;
    private final Commands commands;
    private final GpuExport export;
    private final Lazy<GraphView> graph;
    private final Lazy<FigureSet> figures;
    private final DesignPanels designs;
    private final Lazy<Tabs> tables;
    private final Lazy<Places> places;
    private final MenuButton exports = new MenuButton();
    private final Lazy<HBox> breadcrumb;
    private final RunControls controls;

    /// @param model what is shown
    /// @param plots what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    /// @param choices asks for files
    /// @param messages takes what goes wrong
    public GpuWindowArea(
            GpuViewModel model,
            PlotContext plots,
            Settings settings,
            Commands commands,
            FileChoices choices,
            Messages messages) {
        this.model = model;
        this.commands = commands;
        this.export = new GpuExport(plots.background(), choices, messages, model);
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.network().get().isPresent(), model.network());
        this.controls = new RunControls(model.runs(), model::tune, model.logs(), commands, open);
        addCommands(open);
        this.designs = DesignPanels.of(
                model.models(),
                settings,
                commands,
                open,
                () -> tables().turnTo(DESIGNS),
                List.of(GpuCommands.CUDA, GpuCommands.OPENCL, GpuCommands.JSON),
                Optional.empty());
        this.tables = new Lazy<>(() -> {
            return Tabs.boxed(
                    List.of(new Tab("Tasks", new TasksView(model).root()), new Tab(DESIGNS, designs.tablePage())),
                    settings,
                    "gpu.tab.table",
                    _ -> {});
        });
        this.graph = new Lazy<>(() -> new GraphView(model, plots));
        java.util.function.IntConsumer toTask = model.selected()::set;
        this.figures = new Lazy<>(() -> new FigureSet(
                "gpu",
                new GpuContents(model).entries(toTask),
                List.of(
                        Map.entry(GpuContents.KERNEL, new Tab("Knobs", new ParallelView(plots, model.results()))),
                        Map.entry(
                                GpuContents.SEARCH,
                                new Tab(
                                        "Runs",
                                        new RunsView(
                                                        model.runs(),
                                                        model.tunings().table())
                                                .root()))),
                plots,
                settings));
        this.places = new Lazy<>(() -> places(plots, messages));
        exports.setAccessibleText("Export kernels, schedules, logs and figures");
        exports.getItems().setAll(exportItems());
        this.breadcrumb = new Lazy<>(
                () -> WindowArea.breadcrumb(model, Optional.of(model.tunings().device()), exports, controls));
    }

    private Places places(PlotContext plots, Messages messages) {
        var design = new ScheduleView(
                        model,
                        designs.inspectorPage(),
                        plots.background(),
                        e -> messages.fail("The schedule cannot be shown", e))
                .root();
        return new Places(
                Optional.of(new HeadlineView(GpuHeadline.of(model, figures.get().view()::turnTo)).root()),
                List.of(
                        new Page(GRAPH, graph.get().root()),
                        new Page("History", new HistoryView(model, plots.background()).root())),
                designs.importancePage(),
                designs.compared(figures.get().view()),
                tables().box(),
                NetworkWindowArea.cover(model),
                new Page(DESIGN, design),
                new Controls(controls.sheet(), controls.log(), controls.bar()));
    }

    private Lazy<FigureSet> figures() {
        return figures;
    }

    private Tabs tables() {
        return tables.get();
    }

    private void addCommands(BooleanExpression open) {
        commands.add(GpuCommands.NEXT, () -> step(1), open);
        commands.add(GpuCommands.PREVIOUS, () -> step(-1), open);
        commands.add(GpuCommands.EXPORT_MENU, exports::show, open);
        export.addTo(commands, open, controls.active().not(), () -> figures().get());
    }

    private void step(int direction) {
        model.network()
                .get()
                .ifPresent(n -> model.selected()
                        .set(Math.clamp(
                                model.selected().get() + direction,
                                0,
                                Math.max(0, n.kernels().size() - 1))));
    }

    private List<MenuItem> exportItems() {
        return commands.menuItems(
                List.of(GpuCommands.CUDA, GpuCommands.OPENCL, GpuCommands.ALL_CUDA, GpuCommands.ALL_OPENCL),
                List.of(GpuCommands.JSON, GpuCommands.LOG, GpuCommands.AUTOTVM, GpuCommands.CSV),
                List.of(GpuCommands.PNG, GpuCommands.SVG));
    }

    /// The shown model.
    public GpuViewModel model() {
        return model;
    }

    @Override
    public Face face() {
        return new Face(WorkKind.GPU, "GPU schedules", "GPU", places, breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        var run = commands.menu(
                "_Run", RunControls.VERBS, RunControls.OTHERS, List.of(GpuCommands.IMPORT, GpuCommands.REPLAY));
        var design = commands.menu("_Design", List.of(GpuCommands.NEXT, GpuCommands.PREVIOUS), DesignCommands.MENU);
        return List.of(run, design, new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new)));
    }

    @Override
    public NetworkWork work() {
        return model;
    }

    @Override
    public void find() {
        graph.get().focusFind();
    }

    @Override
    public Optional<String> findsOn() {
        return Optional.of(GRAPH);
    }
}

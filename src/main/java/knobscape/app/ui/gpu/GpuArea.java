package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.Area;
import knobscape.app.ui.FileChoices;
import knobscape.app.ui.WorkKind;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureTabs;
import knobscape.app.ui.plot.FigureTabs.Tab;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.undo.UndoStack;
import knobscape.gpu.codegen.Dialect;
import knobscape.project.tune.TuneSettings;

/// The area of GPU schedules.
public final class GpuArea implements Area {
    private static final double ROOM = 400;

    private final GpuViewModel model;
    private final Commands commands;
    private final GpuExport export;
    private final GraphView graph;
    private final FigureTabs figures;
    private final List<Named> contents;
    private final Places places;
    private final HBox breadcrumb = new HBox();
    private final MenuButton exports = new MenuButton("Export");

    private record Named(String title, ObservableValue<Content> content) { }

    private record Looked(GpuNetwork network, List<KernelState> states, int kernel, String source) {
        KernelState state() {
            return states.get(kernel);
        }

        String task() {
            return network.kernels().get(kernel).task().name();
        }
    }

    /// @param model what is shown
    /// @param plots what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    /// @param choices asks for files
    /// @param messages takes what goes wrong
    public GpuArea(GpuViewModel model, PlotContext plots, Settings settings, Commands commands, FileChoices choices, Messages messages) {
        this.model = model;
        this.commands = commands;
        this.export = new GpuExport(plots.background(), choices, messages, model);
        addCommands();
        this.graph = new GraphView(model, plots);
        this.contents = List.of(new Named("Convergence", content(this::convergence)), new Named("Distribution", content(this::distribution)), new Named("Shares", content(this::shares)),
                new Named("Roofline", content(this::roofline)), new Named("Why rejected", content(this::rejections)));
        List<Tab> tabs = contents.stream().map(n -> new Tab(n.title(), (Node) new FigureView(plots, n.title(), n.content(), model.selected()::set))).toList();
        this.figures = new FigureTabs("gpu", tabs.subList(0, 2), tabs.subList(2, 5), settings);
        var noDrawer = new Region();
        noDrawer.setManaged(false);
        var noDetails = new Region();
        noDetails.setMaxHeight(0);
        var design = new ScheduleView(model, commands, plots.background(), e -> messages.fail("The schedule cannot be shown", e)).root();
        this.places = new Places(List.of(new Page("Graph", graph.root())), noDetails, figures, new TasksView(model).root(), cover(), new Page("Schedule", design), noDrawer,
                new TuneBarView(model, commands, messages).root());
        buildBreadcrumb();
    }

    private interface Maker {
        Content make(Looked l);
    }

    /// What a figure shows. Everything it needs is taken on the screen's thread, before the drawing.
    private ObservableValue<Content> content(Maker maker) {
        return Bindings.createObjectBinding(() -> {
            int k = model.selected().get();
            Optional<Looked> looked = model.network().get().filter(n -> k < n.kernels().size() && n.kernels().size() == model.states().get().size())
                    .map(n -> new Looked(n, model.states().get(), k, source()));
            return looked.map(maker::make).orElse(Content.empty("Nothing is open"));
        }, model.network(), model.states(), model.selected(), model.past());
    }

    private String source() {
        String device = model.shown().get().map(TuneSettings::device).orElse("");
        return device.startsWith("model:") ? "model of a GPU, " + device.substring("model:".length()) : device.isEmpty() ? "" : "measured on " + device;
    }

    private Content untuned(Looked l) {
        return Content.empty(l.task() + " has not been measured yet" + (model.status().get().state() == GpuViewModel.State.IDLE ? ": press Tune" : "; its turn comes"));
    }

    private Content convergence(Looked l) {
        List<GpuViewModel.Past> past = model.past().get();
        if (l.state().trials() == 0 && past.stream().allMatch(p -> p.kernels().get(l.kernel()).trials() == 0)) {
            return untuned(l);
        }
        String title = model.shown().get().map(GpuViewModel::title).orElse("now");
        String caption = l.task() + "  " + l.network().kernels().get(l.kernel()).task().workload().id() + " (" + l.source() + ")";
        return Content.of(() -> GpuFigures.convergence(title, l.state(), past, l.kernel(), caption));
    }

    private Content distribution(Looked l) {
        return l.state().measured().length == 0 ? l.state().trials() == 0 ? untuned(l) : Content.empty("Nothing of " + l.task() + " ran yet")
                : Content.of(() -> GpuFigures.distribution(l.task(), l.state(), l.source()));
    }

    private Content shares(Looked l) {
        double ms = model.latencyMilliseconds();
        return Content.of(() -> GpuFigures.shares(l.network(), l.states(), l.kernel(), ms, l.source()));
    }

    private Content roofline(Looked l) {
        String device = model.shown().get().map(TuneSettings::device).orElse(model.device().get());
        return GpuFigures.gpu(device).map(gpu -> l.states().stream().allMatch(s -> s.bestGflops() <= 0) ? untuned(l)
                : Content.of(() -> GpuFigures.roofline(l.network(), l.states(), l.kernel(), gpu, l.source())))
                .orElse(Content.empty("The roofs of " + device + " are not known to the program"));
    }

    private Content rejections(Looked l) {
        return l.state().rejections().isEmpty() ? l.state().trials() == 0 ? untuned(l) : Content.empty("Nothing of " + l.task() + " was rejected")
                : Content.of(() -> GpuFigures.rejections(l.task(), l.state()));
    }

    private void addCommands() {
        BooleanExpression open = Bindings.createBooleanBinding(() -> model.network().get().isPresent(), model.network());
        BooleanExpression active = Bindings.createBooleanBinding(() -> model.status().get().state() != GpuViewModel.State.IDLE, model.status());
        commands.add(GpuCommands.TUNE, model::tune, open.and(active.not()));
        commands.add(GpuCommands.RESUME, model::resume, open.and(active.not()).and(model.resumable()));
        commands.add(GpuCommands.PAUSE, model::togglePause, active);
        commands.add(GpuCommands.STOP, model::stop, active);
        commands.add(GpuCommands.NEXT, () -> step(1), open);
        commands.add(GpuCommands.PREVIOUS, () -> step(-1), open);
        commands.add(GpuCommands.PIN, model::togglePin, open);
        commands.add(GpuCommands.EXPORT_MENU, exports::show, open);
        commands.add(GpuCommands.CUDA, () -> export.source(Dialect.CUDA), open);
        commands.add(GpuCommands.OPENCL, () -> export.source(Dialect.OPENCL), open);
        commands.add(GpuCommands.ALL_CUDA, () -> export.allSources(Dialect.CUDA), open);
        commands.add(GpuCommands.ALL_OPENCL, () -> export.allSources(Dialect.OPENCL), open);
        commands.add(GpuCommands.JSON, export::json, open);
        commands.add(GpuCommands.LOG, export::log, open);
        commands.add(GpuCommands.CSV, export::csv, open);
        commands.add(GpuCommands.PNG, () -> exportFigure(false), open);
        commands.add(GpuCommands.SVG, () -> exportFigure(true), open);
    }

    private void step(int direction) {
        model.network().get().ifPresent(n -> model.selected().set(Math.clamp(model.selected().get() + direction, 0, Math.max(0, n.kernels().size() - 1))));
    }

    private void exportFigure(boolean svg) {
        contents.stream().filter(n -> n.title().equals(figures.shown().get())).findFirst().ifPresent(n -> export.figure(
                model.network().get().map(GpuNetwork::name).orElse("network") + "-" + n.title().toLowerCase(Locale.ROOT).replace(' ', '-'), n.content().getValue(), svg));
    }

    private Node cover() {
        var words = new Label();
        words.textProperty().bind(model.opening());
        words.getStyleClass().add("emphasis");
        var bar = new ProgressBar();
        bar.setAccessibleText("Working");
        var box = new VBox(words, bar);
        box.getStyleClass().add("empty-state");
        var cover = new StackPane(box);
        cover.getStyleClass().add("cover");
        cover.visibleProperty().bind(Bindings.createBooleanBinding(() -> model.network().get().isEmpty(), model.network()));
        return cover;
    }

    private void buildBreadcrumb() {
        breadcrumb.getStyleClass().add("breadcrumb");
        var name = new Label();
        name.getStyleClass().add("emphasis");
        name.textProperty().bind(model.network().map(n -> n.map(GpuNetwork::name).orElse("")));
        exports.setMinWidth(Region.USE_PREF_SIZE);
        var run = new Label();
        run.getStyleClass().add("secondary");
        // Where the header is full, the name matters more.
        run.visibleProperty().bind(Area.roomFor(breadcrumb, ROOM));
        run.managedProperty().bind(run.visibleProperty());
        run.textProperty().bind(model.shown().map(s -> s.map(GpuViewModel::title).orElse("not tuned yet")));
        exports.getStyleClass().add("flat");
        exports.setAccessibleText("Export kernels, schedules, log and figures");
        exports.getItems().setAll(exportItems());
        breadcrumb.getChildren().addAll(name, run, exports);
        breadcrumb.visibleProperty().bind(model.network().map(Optional::isPresent));
    }

    private List<MenuItem> exportItems() {
        var items = new ArrayList<MenuItem>(List.of(commands.menuItem(GpuCommands.CUDA), commands.menuItem(GpuCommands.OPENCL), commands.menuItem(GpuCommands.ALL_CUDA),
                commands.menuItem(GpuCommands.ALL_OPENCL), new SeparatorMenuItem(), commands.menuItem(GpuCommands.JSON), commands.menuItem(GpuCommands.LOG),
                commands.menuItem(GpuCommands.CSV), new SeparatorMenuItem()));
        items.addAll(List.of(commands.menuItem(GpuCommands.PNG), commands.menuItem(GpuCommands.SVG)));
        return items;
    }

    /// What is shown.
    public GpuViewModel model() {
        return model;
    }

    /// Turns to a figure by the title of its tab.
    public void turnTo(String title) {
        figures.turnTo(title);
    }

    @Override
    public String id() {
        return WorkKind.GPU;
    }

    @Override
    public String title() {
        return "GPU schedules";
    }

    @Override
    public String shortTitle() {
        return "GPU";
    }

    @Override
    public Places places() {
        return places;
    }

    @Override
    public Node breadcrumb() {
        return new StackPane(breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        var run = new Menu("_Run", null, commands.menuItem(GpuCommands.TUNE), commands.menuItem(GpuCommands.RESUME), commands.menuItem(GpuCommands.PAUSE),
                commands.menuItem(GpuCommands.STOP));
        var schedule = new Menu("_Schedule", null, commands.menuItem(GpuCommands.NEXT), commands.menuItem(GpuCommands.PREVIOUS), commands.menuItem(GpuCommands.PIN));
        return List.of(run, schedule, new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new)));
    }

    @Override
    public boolean accepts(Path path) {
        return WorkKind.isNetwork(path);
    }

    @Override
    public boolean takesNetworks() {
        return true;
    }

    @Override
    public void open(Path path) {
        model.open(path.toString());
    }

    @Override
    public void openNetwork(String source) {
        model.open(source);
    }

    @Override
    public UndoStack undo() {
        return model.undo();
    }

    @Override
    public ObservableValue<Optional<String>> openName() {
        return model.network().map(n -> n.map(GpuNetwork::name));
    }

    @Override
    public void close() {
        model.close();
    }

    @Override
    public ReadOnlyBooleanProperty isOpen() {
        return model.isOpen();
    }

    @Override
    public void find() {
        graph.focusFind();
    }

    @Override
    public void shutDown() {
        model.shutDown();
    }
}

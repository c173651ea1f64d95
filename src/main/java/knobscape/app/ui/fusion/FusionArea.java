package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
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
import javafx.scene.layout.Priority;
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
import knobscape.fusion.cost.CostModel;
import knobscape.fusion.cost.FusionReport;

/// The area of layer fusion.
public final class FusionArea implements Area {
    private static final double ROOM = 340;
    private static final String LAYERS = "Layers";
    private static final String NOTHING = "Nothing is open";

    private final FusionViewModel model;
    private final Commands commands;
    private final FusionExport export;
    private final ChainView chain;
    private final FigureTabs figures;
    private final List<Named> contents;
    private final Places places;
    private final HBox breadcrumb = new HBox();
    private final MenuButton exports = new MenuButton("Export");

    private record Named(String title, ObservableValue<Content> content) { }

    /// @param model what is shown
    /// @param plots what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    /// @param choices asks for files
    /// @param messages takes what goes wrong
    public FusionArea(FusionViewModel model, PlotContext plots, Settings settings, Commands commands, FileChoices choices, Messages messages) {
        this.model = model;
        this.commands = commands;
        this.export = new FusionExport(plots.background(), choices, messages, model);
        addCommands();
        this.chain = new ChainView(model);
        IntConsumer toLayer = i -> model.layer().set(i);
        this.contents = List.of(new Named(LAYERS, content((m, r) -> {
            int chosen = model.layer().get();
            return Content.of(() -> FusionFigures.layers(m, r, chosen));
        }, model.layer())),
                new Named("Groups", content((m, r) -> Content.of(() -> FusionFigures.groups(m, r)))), new Named("Compare", content(this::comparison, model.compared())),
                new Named("Pareto", content(this::front, model.seen(), model.compared())), new Named("Convergence", content(this::convergence, model.searches().curves())),
                new Named("Roofline", content((m, r) -> {
                    int chosen = model.layer().get();
                    return Content.of(() -> FusionFigures.roofline(m, r, chosen));
                }, model.layer())));
        List<Tab> tabs = contents.stream().map(n -> new Tab(n.title(), (Node) new FigureView(plots, n.title(), n.content(), n.title().equals("Pareto") ? this::chooseSeen : toLayer))).toList();
        this.figures = new FigureTabs("fusion", tabs.subList(0, 3), tabs.subList(3, 6), settings);
        VBox.setVgrow(figures, Priority.ALWAYS);
        var pictures = new VBox(new BufferStrip(model), figures);
        pictures.setMinSize(0, 0);
        var noDrawer = new Region();
        noDrawer.setManaged(false);
        this.places = new Places(List.of(new Page("Chain", chain.root()), new Page("Accelerator", new AcceleratorView(model, commands, messages).root())), new LayerView(model).root(),
                pictures, new CandidatesView(model).root(), cover(), new Page("Strategy", new StrategyView(model, commands, messages).root()), noDrawer,
                new SearchBarView(model, commands, messages).root());
        buildBreadcrumb();
    }

    private interface Maker {
        Content make(CostModel m, FusionReport r);
    }

    /// What a figure shows, made anew when the strategy or one of `others` changes. What is read from properties is read on the screen's thread, before the drawing.
    private ObservableValue<Content> content(Maker maker, Observable... others) {
        var watched = new java.util.ArrayList<Observable>(List.of(others));
        watched.add(model.report());
        return Bindings.createObjectBinding(() -> model.model().get().filter(m -> model.report().get().isPresent())
                .map(m -> maker.make(m, model.report().get().orElseThrow())).orElse(Content.empty(NOTHING)), watched.toArray(Observable[]::new));
    }

    private Content comparison(CostModel m, FusionReport r) {
        Optional<FusionReport> other = model.compared().get();
        if (other.isEmpty()) {
            return Content.empty(model.pinned().get().isPresent() ? "The pinned strategy needs a larger batch" : "Pin a strategy (P) to compare it layer by layer with the one looked at");
        }
        String now = model.origin().get();
        String pinned = model.pinned().get().map(Candidate::title).orElse("pinned");
        return Content.of(() -> FusionFigures.comparison(m, r, now, other.get(), pinned));
    }

    private Content front(CostModel m, FusionReport r) {
        SeenStrategies.Snapshot seen = model.seen().get();
        Optional<FusionReport> pinned = model.compared().get();
        return Content.of(() -> FusionFigures.front(m, seen, r, pinned));
    }

    private Content convergence(CostModel m, FusionReport r) {
        List<Curve> curves = model.searches().curves().get();
        return curves.stream().allMatch(c -> c.speedups().isEmpty()) ? Content.empty(curves.isEmpty() ? "Search to see how the best speedup grows" : "No strategy that fits was found yet")
                : Content.of(() -> FusionFigures.convergence(curves));
    }

    private void chooseSeen(int place) {
        List<SeenStrategies.Seen> front = model.seen().get().front();
        if (place >= 0 && place < front.size()) {
            model.choose(front.get(place).strategy(), "From the front");
        }
    }

    private void addCommands() {
        BooleanExpression open = Bindings.createBooleanBinding(() -> model.report().get().isPresent(), model.report());
        BooleanExpression active = Bindings.createBooleanBinding(() -> model.searches().status().get().state() != FusionSearches.State.IDLE, model.searches().status());
        commands.add(FusionCommands.SEARCH, model::search, open.and(active.not()));
        commands.add(FusionCommands.PAUSE, model.searches()::togglePause, active);
        commands.add(FusionCommands.STOP, model.searches()::stop, active);
        BooleanExpression layer = open.and(model.layer().greaterThanOrEqualTo(1));
        commands.add(FusionCommands.SYNC, () -> model.toggleSync(model.layer().get()), layer);
        commands.add(FusionCommands.MORE, () -> model.scaleEntry(model.layer().get(), 1), open);
        commands.add(FusionCommands.LESS, () -> model.scaleEntry(model.layer().get(), -1), open);
        commands.add(FusionCommands.KEEP, model::keepCurrent, open);
        commands.add(FusionCommands.PIN, model::pinCurrent, open);
        commands.add(FusionCommands.EXPORT_MENU, exports::show, open);
        commands.add(FusionCommands.JSON, export::json, open);
        commands.add(FusionCommands.CSV, export::csv, open);
        commands.add(FusionCommands.TABLE, export::table, open);
        commands.add(FusionCommands.PNG, () -> exportFigure(false), open);
        commands.add(FusionCommands.SVG, () -> exportFigure(true), open);
        commands.add(FusionCommands.IMPORT, export::open, open);
        commands.add(FusionCommands.ACCELERATOR, export::openAccelerator, open);
    }

    private void exportFigure(boolean svg) {
        contents.stream().filter(n -> n.title().equals(figures.shown().get())).findFirst()
                .ifPresent(n -> export.figure(model.network().get().map(x -> x.name()).orElse("network") + "-" + n.title().toLowerCase(java.util.Locale.ROOT), n.content().getValue(), svg));
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
        name.textProperty().bind(model.network().map(n -> n.map(x -> x.name()).orElse("")));
        exports.setMinWidth(Region.USE_PREF_SIZE);
        var layers = new Label();
        layers.getStyleClass().add("secondary");
        // Where the header is full, the name matters more.
        layers.visibleProperty().bind(Area.roomFor(breadcrumb, ROOM));
        layers.managedProperty().bind(layers.visibleProperty());
        layers.textProperty().bind(Bindings.createStringBinding(() -> model.network().get().map(n -> n.layers() + " layers, batch "
                + model.setup().get().map(s -> Integer.toString(s.batch())).orElse("")).orElse(""), model.network(), model.setup()));
        exports.getStyleClass().add("flat");
        exports.setAccessibleText("Export strategy, table and figures");
        exports.getItems().setAll(exportItems());
        breadcrumb.getChildren().addAll(name, layers, exports);
        breadcrumb.visibleProperty().bind(model.network().map(Optional::isPresent));
    }

    private List<MenuItem> exportItems() {
        return List.of(commands.menuItem(FusionCommands.JSON), commands.menuItem(FusionCommands.CSV), commands.menuItem(FusionCommands.TABLE), new SeparatorMenuItem(),
                commands.menuItem(FusionCommands.PNG), commands.menuItem(FusionCommands.SVG));
    }

    /// What is shown.
    public FusionViewModel model() {
        return model;
    }

    /// Turns to a figure by the title of its tab.
    public void turnTo(String title) {
        figures.turnTo(title);
    }

    @Override
    public String id() {
        return WorkKind.FUSION;
    }

    @Override
    public String title() {
        return "Layer fusion";
    }

    @Override
    public String shortTitle() {
        return "Fusion";
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
        var run = new Menu("_Search", null, commands.menuItem(FusionCommands.SEARCH), commands.menuItem(FusionCommands.PAUSE), commands.menuItem(FusionCommands.STOP));
        var strategy = new Menu("_Strategy", null, commands.menuItem(FusionCommands.SYNC), commands.menuItem(FusionCommands.MORE), commands.menuItem(FusionCommands.LESS),
                new SeparatorMenuItem(), commands.menuItem(FusionCommands.KEEP), commands.menuItem(FusionCommands.PIN), new SeparatorMenuItem(), commands.menuItem(FusionCommands.IMPORT),
                commands.menuItem(FusionCommands.ACCELERATOR));
        return List.of(run, strategy, new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new)));
    }

    @Override
    public boolean accepts(Path path) {
        return WorkKind.isProject(path) ? WorkKind.ofProject(path).filter(WorkKind.FUSION::equals).isPresent() : WorkKind.isNetwork(path);
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
        return model.network().map(n -> n.map(x -> x.name()));
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
        chain.focusFind();
    }

    @Override
    public void shutDown() {
        model.shutDown();
    }
}

package knobscape.app.ui.fusion;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.area.NetworkWindowArea;
import knobscape.app.ui.area.NetworkWork;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.HeadlineView;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureSet;
import knobscape.app.ui.plot.FigureSet.FigureEntry;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunsView;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.ExtentsQuestion;
import knobscape.app.ui.view.Lazy;
import knobscape.app.ui.view.Tabs.Tab;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;

/// The area of layer fusion.
public final class FusionWindowArea implements NetworkWindowArea {
    private static final double ROOM = 560;
    private static final String CHAIN = "Chain";
    private static final String LAYERS = "Paper: layers";
    private static final String COMPARE = "Paper: compare";
    private static final String STRATEGIES = "Paper: found";
    private static final String NOTHING = "Nothing is open";

    private final FusionViewModel model;
    private final Commands commands;
    private final FusionExport export;
    private final Lazy<ChainView> chain;
    private final Lazy<FigureSet> figures;
    private final Lazy<Places> places;
    private final MenuButton exports = new MenuButton("Export");
    private final Lazy<HBox> breadcrumb;
    private final RunControls controls;

    /// @param model what is shown
    /// @param plots what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    /// @param choices asks for files
    /// @param messages takes what goes wrong
    public FusionWindowArea(
            FusionViewModel model,
            PlotContext plots,
            Settings settings,
            Commands commands,
            FileChoices choices,
            Messages messages) {
        this.model = model;
        this.commands = commands;
        ExtentsQuestion.answer(model.question(), choices);
        this.export = new FusionExport(plots.background(), choices, messages, model);
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.report().get().isPresent(), model.report());
        this.controls = new RunControls(model.searches().runs(), model::search, model.logs(), commands, open);
        addCommands(open);
        this.chain = new Lazy<>(() -> new ChainView(model));
        IntConsumer toLayer = i -> model.layer().set(i);
        this.figures = new Lazy<>(() -> new FigureSet(
                "fusion",
                Stream.concat(
                                StripFigures.entries(model.strips()).stream(),
                                Stream.of(
                                        new FigureEntry(
                                                LAYERS,
                                                content(
                                                        (m, r) -> {
                                                            int chosen = model.layer()
                                                                    .get();
                                                            return Content.of(() -> FusionFigures.layers(m, r, chosen));
                                                        },
                                                        model.layer()),
                                                toLayer),
                                        new FigureEntry(COMPARE, content(this::comparison, model.compared()), toLayer),
                                        new FigureEntry(
                                                "Convergence",
                                                content(
                                                        this::convergence,
                                                        model.searches().curves()),
                                                toLayer),
                                        new FigureEntry(
                                                "Roofline",
                                                content(
                                                        (m, r) -> {
                                                            int chosen = model.layer()
                                                                    .get();
                                                            return Content.of(
                                                                    () -> FusionFigures.roofline(m, r, chosen));
                                                        },
                                                        model.layer()),
                                                toLayer)))
                        .toList(),
                4,
                List.of(
                        new Tab(
                                "Runs",
                                new RunsView(
                                                model.searches().runs(),
                                                model.searches().table())
                                        .root()),
                        new Tab(STRATEGIES, new CandidatesView(model).root())),
                plots,
                settings));
        this.places = new Lazy<>(() -> places(messages));
        exports.setAccessibleText("Export strategy, table and figures");
        exports.getItems().setAll(exportItems());
        this.breadcrumb = new Lazy<>(() -> NetworkWindowArea.breadcrumb(
                model,
                Bindings.createStringBinding(
                        () -> model.network()
                                .get()
                                .map(n -> n.layers() + " layers, batch "
                                        + model.setup()
                                                .get()
                                                .map(x -> Integer.toString(x.batch()))
                                                .orElse(""))
                                .orElse(""),
                        model.network(),
                        model.setup()),
                ROOM,
                exports,
                controls));
    }

    private Places places(Messages messages) {
        VBox.setVgrow(figures.get().view(), Priority.ALWAYS);
        var pictures = new VBox(new BufferStrip(model).root(), figures.get().view());
        pictures.setMinSize(0, 0);
        return new Places(
                Optional.of(new HeadlineView(
                                FusionHeadline.of(model.strips(), figures.get().view()::turnTo))
                        .root()),
                List.of(
                        new Page("Accelerator", new AcceleratorView(model, commands, messages).root()),
                        new Page(CHAIN, chain.get().root()),
                        new Page("Paper", new StrategyView(model, commands, messages).root())),
                new LayerView(model).root(),
                pictures,
                new StripGroupsView(model.strips()).root(),
                NetworkWindowArea.cover(model),
                new Page("Answer", new StripView(model.strips()).root()),
                controls.sheet(),
                controls.log(),
                controls.bar());
    }

    private interface Maker {
        Content make(FusionCostModel m, FusionReport r);
    }

    /// What a figure shows, made anew when the strategy or one of `others` changes. What is read from
    /// properties is read on the screen's thread, before the drawing.
    private ObservableValue<Content> content(Maker maker, Observable... others) {
        var watched = new java.util.ArrayList<Observable>(List.of(others));
        watched.add(model.report());
        return Bindings.createObjectBinding(
                () -> model.model()
                        .get()
                        .filter(m -> model.report().get().isPresent())
                        .map(m -> maker.make(m, model.report().get().orElseThrow()))
                        .orElse(Content.empty(NOTHING)),
                watched.toArray(Observable[]::new));
    }

    private Content comparison(FusionCostModel m, FusionReport r) {
        Optional<FusionReport> other = model.compared().get();
        if (other.isEmpty()) {
            return Content.empty(
                    model.pinned().get().isPresent()
                            ? "The pinned strategy needs a larger batch"
                            : "Pin a strategy (P) to compare it layer by layer with the selected one");
        }
        String now = model.origin().get();
        String pinned = model.pinned().get().map(Candidate::title).orElse("pinned");
        return Content.of(() -> FusionFigures.comparison(m, r, now, other.get(), pinned));
    }

    private Content convergence(FusionCostModel m, FusionReport r) {
        List<SpeedupCurve> curves = model.searches().curves().get();
        return curves.stream().allMatch(c -> c.speedups().isEmpty())
                ? Content.empty(
                        curves.isEmpty()
                                ? "Search to see how the best speedup grows"
                                : "No strategy that fits was found yet")
                : Content.of(() -> FusionFigures.convergence(curves));
    }

    private void addCommands(BooleanExpression open) {
        BooleanExpression layer = open.and(model.layer().greaterThanOrEqualTo(1));
        commands.add(FusionCommands.SYNC, () -> model.toggleSync(model.layer().get()), layer);
        commands.add(FusionCommands.MORE, () -> model.scaleEntry(model.layer().get(), 1), open);
        commands.add(FusionCommands.LESS, () -> model.scaleEntry(model.layer().get(), -1), open);
        commands.add(FusionCommands.KEEP, model::keepCurrent, open);
        commands.add(FusionCommands.PIN, model::pinCurrent, open);
        commands.add(FusionCommands.EXPORT_MENU, exports::show, open);
        BooleanExpression answered = Bindings.createBooleanBinding(
                () -> model.strips().answer().get().isPresent(), model.strips().answer());
        commands.add(FusionCommands.ANSWER, export::answer, answered);
        commands.add(FusionCommands.ANSWER_CSV, export::answerLayers, answered);
        commands.add(FusionCommands.REPORT, export::report, answered);
        commands.add(FusionCommands.TIMELINE, export::timeline, answered);
        commands.add(FusionCommands.JSON, export::json, open);
        commands.add(FusionCommands.CSV, export::csv, open);
        commands.add(FusionCommands.TABLE, export::table, open);
        commands.add(FusionCommands.PNG, () -> exportFigure(false), open);
        commands.add(FusionCommands.SVG, () -> exportFigure(true), open);
        commands.add(FusionCommands.IMPORT, export::open, open);
        commands.add(FusionCommands.ACCELERATOR, export::openAccelerator, open);
    }

    private void exportFigure(boolean svg) {
        figures.get()
                .shown(
                        model.network().get().map(n -> n.name()).orElse("network"),
                        (name, content) -> export.figure(name, content, svg));
    }

    private List<MenuItem> exportItems() {
        return commands.menuItems(
                List.of(
                        FusionCommands.ANSWER,
                        FusionCommands.ANSWER_CSV,
                        FusionCommands.REPORT,
                        FusionCommands.TIMELINE),
                List.of(FusionCommands.JSON, FusionCommands.CSV, FusionCommands.TABLE),
                List.of(FusionCommands.PNG, FusionCommands.SVG));
    }

    /// What is shown.
    public FusionViewModel model() {
        return model;
    }

    @Override
    public Face face() {
        return new Face(WorkKind.FUSION, "Layer fusion", "Fusion", places, breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        var run = commands.menu("_Run", RunControls.VERBS, RunControls.OTHERS);
        var strategy = commands.menu(
                "_Strategy",
                List.of(FusionCommands.SYNC, FusionCommands.MORE, FusionCommands.LESS),
                List.of(FusionCommands.KEEP, FusionCommands.PIN),
                List.of(FusionCommands.IMPORT, FusionCommands.ACCELERATOR));
        return List.of(run, strategy, new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new)));
    }

    @Override
    public NetworkWork work() {
        return model;
    }

    @Override
    public void find() {
        chain.get().focusFind();
    }

    @Override
    public Optional<String> findsOn() {
        return Optional.of(CHAIN);
    }
}

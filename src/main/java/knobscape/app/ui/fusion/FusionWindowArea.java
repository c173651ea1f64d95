package knobscape.app.ui.fusion;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
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
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.run.LogViewModel;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunsView;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Lazy;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;

/// The area of layer fusion.
public final class FusionWindowArea implements NetworkWindowArea {
    private static final String CHAIN = "Chain";
    private static final String STRATEGIES = "Found";

    private final FusionViewModel model;
    private final Commands commands;
    private final FusionExport export;
    private final Lazy<ChainView> chain;
    private final Lazy<FigureSet> figures;
    private final Lazy<Places> places;
    private final MenuButton exports = new MenuButton();
    private final Lazy<HBox> breadcrumb;
    private final RunControls controls;
    private final DesignPanels designs;

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
        this.export = new FusionExport(plots.background(), choices, messages, model);
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.report().get().isPresent(), model.report());
        this.controls = new RunControls(
                model.searches().runs(),
                model::search,
                new LogViewModel(model.searches().runs().log(), n -> {}),
                commands,
                open);
        addCommands(open);
        this.designs = DesignPanels.of(
                model.models(),
                settings,
                commands,
                open,
                () -> figures().view().turnTo(STRATEGIES),
                List.of(FusionCommands.JSON),
                Optional.empty());
        this.chain = new Lazy<>(() -> new ChainView(model));
        this.figures = new Lazy<>(() -> new FigureSet(
                "fusion",
                Stream.concat(
                                StripFigures.entries(model.strips()).stream(),
                                new FusionContents(model).entries().stream())
                        .toList(),
                List.of(
                        Map.entry(FusionContents.PAPER, new Tab(STRATEGIES, designs.tablePage())),
                        Map.entry(
                                "Runs",
                                new Tab(
                                        "Runs",
                                        new RunsView(
                                                        model.searches().runs(),
                                                        model.searches().table())
                                                .root()))),
                plots,
                settings));
        this.places = new Lazy<>(() -> places(messages, settings));
        exports.setAccessibleText("Export strategy, table and figures");
        exports.getItems().setAll(exportItems());
        this.breadcrumb = new Lazy<>(() -> WindowArea.breadcrumb(model, Optional.of(model.about()), exports, controls));
    }

    private Places places(Messages messages, Settings settings) {
        VBox.setVgrow(figures.get().view(), Priority.ALWAYS);
        var pictures = new VBox(new BufferStrip(model).root(), figures.get().view());
        pictures.setMinSize(0, 0);
        return new Places(
                Optional.of(new HeadlineView(
                                FusionHeadline.of(model.strips(), figures.get().view()::turnTo))
                        .root()),
                List.of(
                        new Page("Accelerator", new AcceleratorView(model, commands, messages).root(), true),
                        new Page(CHAIN, chain.get().root()),
                        new Page(
                                "Paper",
                                Tabs.boxed(
                                                List.of(
                                                        new Tab(
                                                                "Strategy",
                                                                new StrategyView(model, commands, messages).root()),
                                                        new Tab("Design", designs.inspectorPage())),
                                                settings,
                                                "fusion.tab.paper",
                                                _ -> {})
                                        .box())),
                new LayerView(model).root(),
                designs.compared(pictures),
                new StripGroupsView(model.strips()).root(),
                NetworkWindowArea.cover(model),
                new Page("Answer", new StripView(model.strips()).root()),
                new Controls(controls.sheet(), controls.log(), controls.bar()));
    }

    private FigureSet figures() {
        return figures.get();
    }

    private void addCommands(BooleanExpression open) {
        BooleanExpression layer = open.and(model.layer().greaterThanOrEqualTo(1));
        commands.add(FusionCommands.SYNC, () -> model.toggleSync(model.layer().get()), layer);
        commands.add(FusionCommands.MORE, () -> model.scaleEntry(model.layer().get(), 1), open);
        commands.add(FusionCommands.LESS, () -> model.scaleEntry(model.layer().get(), -1), open);
        commands.add(FusionCommands.KEEP, model::keepCurrent, open);
        commands.add(FusionCommands.EXPORT_MENU, exports::show, open);
        export.addTo(commands, open, () -> figures());
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

    /// The shown model.
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
                List.of(FusionCommands.KEEP),
                DesignCommands.MENU,
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

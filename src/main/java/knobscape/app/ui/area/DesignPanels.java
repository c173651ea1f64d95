package knobscape.app.ui.area;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignFilter;
import knobscape.app.ui.designs.DesignsView;
import knobscape.app.ui.designs.GoalView;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.insight.ImportanceView;
import knobscape.app.ui.insight.KnobFixing;
import knobscape.app.ui.inspector.CompareView;
import knobscape.app.ui.inspector.InspectorView;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.plot.PlotsView;
import knobscape.app.ui.run.RunsView;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Lazy;
import knobscape.evaluate.replay.ReplaySet;

/// The views of [DesignModels], made when they are first shown, and the commands of designs.
///
/// @param table the designs
/// @param goal the line with the goal
/// @param inspector the selected design
/// @param compare pinned designs side by side
/// @param importance what decides an objective
public record DesignPanels(
        Lazy<DesignsView> table,
        Lazy<GoalView> goal,
        Lazy<InspectorView> inspector,
        Lazy<CompareView> compare,
        Lazy<ImportanceView> importance) {
    private static final String COPY = "Copy";
    private static final String EXPORT = "Export";

    /// Makes the views, and adds the commands.
    ///
    /// @param open whether something is open
    /// @param toGoal brings the line with the goal to the front
    /// @param actions what takes a design away
    /// @param fix takes the values of knobs that matter little out of the space, where that is possible
    public static DesignPanels of(
            DesignModels models,
            Settings settings,
            Commands commands,
            BooleanExpression open,
            Runnable toGoal,
            List<Command> actions,
            Optional<KnobFixing> fix) {
        Results results = models.results();
        var goal = new Lazy<>(() -> new GoalView(results));
        BooleanExpression selected = results.isAnySelected();
        commands.add(
                DesignCommands.PIN, () -> results.togglePin(results.selected().get()), selected);
        commands.add(DesignCommands.DIFF, models.inspector()::nextComparison, selected);
        commands.add(
                DesignCommands.COMPARE,
                () -> models.inspector()
                        .comparing()
                        .set(!models.inspector().comparing().get()),
                selected);
        commands.add(DesignCommands.BASELINE, () -> results.select(Results.BASELINE), open);
        commands.add(DesignCommands.NEXT, () -> walk(results, 1), open);
        commands.add(DesignCommands.PREVIOUS, () -> walk(results, -1), open);
        commands.add(
                DesignCommands.EVALUATE,
                models.insight()::evaluate,
                Bindings.createBooleanBinding(() -> results.whatIf().get().isPresent(), results.whatIf()));
        commands.add(
                DesignCommands.GOAL,
                () -> {
                    toGoal.run();
                    goal.get().focusGoal();
                },
                open);
        commands.add(DesignCommands.CLEAR_FILTER, () -> results.setFilter(DesignFilter.none()), open);
        return new DesignPanels(
                new Lazy<>(() -> new DesignsView(models.table(), settings)),
                goal,
                new Lazy<>(() -> new InspectorView(models.inspector(), models.insight(), menus(commands, actions))
                        .quietWhile(results.reading().or(open.not()))),
                new Lazy<>(() -> new CompareView(results, models.inspector().comparing())),
                new Lazy<>(() -> new ImportanceView(models.insight(), settings, fix)));
    }

    /// The inspector's menus: what is copied behind one button, what is written behind another.
    private static List<Node> menus(Commands commands, List<Command> actions) {
        return Stream.of(COPY, EXPORT)
                .<MenuButton>map(verb -> {
                    var menu = new MenuButton(verb);
                    menu.getStyleClass().add("small");
                    menu.setMinWidth(Region.USE_PREF_SIZE);
                    menu.setAccessibleText(verb + " this design");
                    menu.getItems()
                            .setAll(commands.menuItems(actions.stream()
                                    .filter(c -> c.title().startsWith(COPY) == verb.equals(COPY))
                                    .toList()));
                    return menu;
                })
                .filter(m -> !m.getItems().isEmpty())
                .<Node>map(m -> m)
                .toList();
    }

    /// The middle of an area, with pinned designs side by side in a drawer over it.
    public Node compared(Node middle) {
        Node drawer = compare.get().root();
        StackPane.setAlignment(drawer, Pos.BOTTOM_CENTER);
        var stack = new StackPane(middle, drawer);
        stack.setMinSize(0, 0);
        return stack;
    }

    /// The figures of designs and the table of their runs.
    ///
    /// @param measured what the designs are of, where it is a table of measured ones
    public static PlotsView figures(
            DesignWork<?> work, PlotContext plots, Settings settings, Supplier<Optional<ReplaySet>> measured) {
        Results results = work.models().results();
        var figures = new PlotsView(
                plots,
                results,
                work.pictures().curves(),
                settings,
                measured,
                new RunsView(work.runs(), work.pictures().table()).root());
        results.drawnBy(figures::whenDrawn);
        return figures;
    }

    /// Those below the line with the goal.
    ///
    /// @param head stands above the line
    public Node picturesPage(PlotsView figures, Node... head) {
        VBox.setVgrow(figures.root(), Priority.ALWAYS);
        var pictures = new VBox(head);
        pictures.getChildren().addAll(goal.get().root(), figures.root());
        pictures.setMinSize(0, 0);
        return compared(pictures);
    }

    /// The goal above the table of designs.
    public Node tablePage() {
        VBox.setVgrow(tableView(), Priority.ALWAYS);
        return new VBox(goal.get().root(), tableView());
    }

    /// The table of designs.
    public Parent tableView() {
        return table.get().root();
    }

    /// Moves the keyboard to the filter of the table.
    public void focusFilter() {
        table.get().focusFilter();
    }

    /// The knobs that decide an objective.
    public Node importanceView() {
        return importance.get();
    }

    /// The selected design.
    public Parent inspectorPage() {
        return inspector.get().root();
    }

    /// The knobs that decide an objective, for the place below the left pages.
    public Node importancePage() {
        var body = new VBox(importance.get());
        body.getStyleClass().add("subject");
        var page = new ScrollPane(body);
        page.setFitToWidth(true);
        page.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        page.setAccessibleText("What decides each objective");
        page.setMinSize(0, 0);
        return page;
    }

    private static void walk(Results results, int direction) {
        results.set().objectives().stream().findFirst().ifPresent(m -> results.walkFront(m.name(), direction));
    }
}

package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javafx.beans.InvalidationListener;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tooltip;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.view.Lazy;
import knobscape.app.ui.view.PartsText;
import knobscape.project.Areas;
import knobscape.project.RunRecord;

/// The controls that every area has for its runs: the bar, the log, the commands, and the menu of stored runs.
public final class RunControls {
    /// The verbs, for a menu.
    public static final List<Command> VERBS =
            List.of(RunCommands.RUN, RunCommands.MORE, RunCommands.RESUME, RunCommands.PAUSE, RunCommands.STOP);
    /// The other commands on runs, for a menu.
    public static final List<Command> OTHERS = List.of(RunCommands.SETTINGS, RunCommands.LOG, RunCommands.DELETE);

    private static final String BEST = "Best of all runs";

    private final RunViewModel model;
    private final Commands commands;
    private final Lazy<RunBarView> bar;
    private final BooleanProperty first = new SimpleBooleanProperty();
    private final Lazy<LogView> log;
    private final Lazy<RunSheet> sheet;

    /// @param model the runs
    /// @param start starts what the form says
    /// @param logs log and warnings
    /// @param commands takes the commands
    /// @param open whether something is open
    public RunControls(
            RunViewModel model, Runnable start, LogViewModel logs, Commands commands, BooleanExpression open) {
        this.model = model;
        this.commands = commands;
        BooleanExpression idle =
                state(s -> !s.isActive()).and(open).and(model.reading().not());
        commands.add(RunCommands.RUN, start, idle);
        commands.add(
                RunCommands.RESUME,
                model::resume,
                state(s -> s == RunState.PAUSED || s == RunState.PAUSING || s.isResumable()));
        commands.add(
                RunCommands.PAUSE,
                model::togglePause,
                state(s -> s == RunState.RUNNING || s == RunState.PAUSED || s == RunState.PAUSING));
        commands.add(
                RunCommands.MORE,
                () -> RunContinuation.of(model).more(),
                Bindings.createBooleanBinding(
                        () -> RunContinuation.of(model).run().isPresent(),
                        model.status(),
                        model.current(),
                        model.best()));
        commands.add(RunCommands.STOP, model::askStop, state(RunState::isActive));
        commands.add(RunCommands.LOG, () -> logs.logShown().set(!logs.logShown().get()), open);
        commands.add(
                RunCommands.DELETE,
                () -> model.current().get().ifPresent(r -> model.delete(r.id())),
                Bindings.createBooleanBinding(() -> model.current().get().isPresent(), model.current())
                        .and(idle));
        this.bar = new Lazy<>(() -> {
            var made = new RunBarView(model, logs, commands, first);
            made.dress();
            return made;
        });
        this.sheet = new Lazy<>(() -> new RunSheet(model, commands));
        model.form().whenRefused(() -> sheet.get().show());
        commands.add(
                RunCommands.SETTINGS, () -> sheet.get().toggle(() -> bar.get().focusSettings()), idle);
        this.log = new Lazy<>(() -> new LogView(logs));
    }

    private BooleanExpression state(Predicate<RunState> holds) {
        return Bindings.createBooleanBinding(
                () -> holds.test(model.status().get().state()), model.status());
    }

    /// True if the selected run is active.
    public BooleanExpression active() {
        return state(RunState::isActive);
    }

    /// The bar at the bottom.
    public Node bar() {
        return bar.get().root();
    }

    /// Leaves it to another place to begin the first run.
    ///
    /// @param elsewhere whether that is shown
    public void leaveFirst(ObservableValue<Boolean> elsewhere) {
        first.bind(elsewhere);
    }

    /// Lets a button say what runs next, and open its settings.
    public void dressSettings(Button settings) {
        ObservableValue<List<String>> next = model.form().summary();
        commands.dress(settings, RunCommands.SETTINGS);
        PartsText.bind(settings, next);
        RunBarView.whole(settings, next);
    }

    /// The drawer above it.
    public Node log() {
        return log.get().root();
    }

    /// The settings of the next run, at the right.
    public Node sheet() {
        return sheet.get().root();
    }

    /// Lets a button show the selected run and choose another one.
    public void dress(MenuButton runs) {
        var title = new SimpleObjectProperty<>(List.of(""));
        PartsText.bindName(runs, title);
        InvalidationListener show = o -> {
            title.set(
                    model.reading().get()
                            ? List.of("Reading runs")
                            : model.current()
                                    .get()
                                    .map(RunControls::parts)
                                    .orElse(List.of(model.best().get() ? BEST : "No run")));
            runs.setDisable(model.runs().isEmpty());
            runs.setTooltip(model.current()
                    .get()
                    .map(r -> new Tooltip(capitalised(r.title()) + "\n" + searched(r)))
                    .orElse(null));
            var items = new ArrayList<MenuItem>();
            if (model.runs().size() > 1) {
                items.add(item(BEST, model::showBest));
            }
            model.runs().reversed().forEach(r -> {
                String note = model.notes().of(r.id());
                items.add(item(
                        capitalised(r.title()) + ", " + r.status().words() + (note.isEmpty() ? "" : ": " + note),
                        () -> model.show(r.id())));
            });
            items.add(new SeparatorMenuItem());
            items.add(commands.menuItem(RunCommands.DELETE));
            runs.getItems().setAll(items);
        };
        model.runs().addListener(show);
        model.current().addListener(show);
        model.reading().addListener(show);
        model.best().addListener(show);
        runs.setOnShowing(e -> show.invalidated(model.runs()));
        show.invalidated(model.current());
    }

    /// The title of a run in parts, which a narrow header says as many of as it has room for.
    private static List<String> parts(RunRecord run) {
        return run.name().isEmpty()
                ? List.of(
                        "Run " + run.id(), method(run), "seed " + run.settings().seed())
                : List.of(run.name());
    }

    /// The method of a run as a person knows it.
    static String method(RunRecord run) {
        return Areas.standard().of(run.work()).methods().label(run.settings().method());
    }

    /// Which space a run searched, and of what.
    public static String searched(RunRecord run) {
        String size = run.spaceSize();
        String space = run.subjects().size() > 1
                ? run.subjects().size() + " tasks"
                : (size.length() > 12 ? "about 10^" + (size.length() - 1) : size) + " configurations";
        return "Searched " + space + ": "
                + run.work().facts().entrySet().stream()
                        .map(e -> e.getKey() + " " + e.getValue())
                        .collect(Collectors.joining(", "));
    }

    private static MenuItem item(String words, Runnable action) {
        var item = new MenuItem(words);
        item.setMnemonicParsing(false);
        item.setOnAction(e -> action.run());
        return item;
    }

    private static String capitalised(String s) {
        return s.isEmpty() ? s : s.substring(0, 1).toUpperCase(Locale.ROOT) + s.substring(1);
    }
}

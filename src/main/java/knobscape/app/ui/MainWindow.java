package knobscape.app.ui;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javafx.application.Platform;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.binding.StringExpression;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.DoubleProperty;
import javafx.beans.property.SimpleDoubleProperty;
import javafx.beans.property.StringProperty;
import javafx.beans.value.ObservableValue;
import javafx.fxml.FXML;
import javafx.geometry.Insets;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextArea;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.input.DragEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.doctor.Diagnosis;
import knobscape.app.ui.area.NetworkWindowArea;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.keyboard.Command;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.keyboard.PaletteView;
import knobscape.app.ui.keyboard.ShortcutsView;
import knobscape.app.ui.message.BannerView;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.start.StartView;
import knobscape.app.ui.start.StartViewModel;
import knobscape.app.ui.start.StartViewModel.Entry;
import knobscape.app.ui.theme.Theme;
import knobscape.app.ui.theme.ThemeService;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Lazy;
import knobscape.hls.source.SourceEndings;

/// The shell: menus and header, messages, and one area at a time in its four places, or the start page.
final class MainWindow {
    private static final Kind SOURCES = new Kind(
            "Kernels, networks, projects, results",
            Stream.concat(
                            SourceEndings.all().stream(),
                            Stream.of(
                                    "onnx", "json", "csv", "csv.gz", "yaml", "cl", "cu", "db", "sqlite", "sqlite3",
                                    "xml", "rpt"))
                    .toList());

    /// Below this width, in sizes of text, the menus are one.
    private static final double ONE_MENU = 82;

    private final List<WindowArea> areas;
    private final Commands commands;
    private final Settings settings;
    private final ThemeService themes;
    private final Messages messages;
    private final FileChoices choices;
    private final StartViewModel start;
    private final Runnable quit;
    /// Open names by area: a mapped value tells of a change only once the last one was read from the same mapping.
    private final Map<WindowArea, ObservableValue<Optional<String>>> names = new LinkedHashMap<>();
    private final Map<WindowArea, Workspace> workspaces = new HashMap<>();
    private final Lazy<Parent> startPage;
    private final Lazy<ShortcutsView> shortcuts;
    private final Lazy<PaletteView> palette;
    private final Lazy<FirstSteps> firstSteps = new Lazy<>(() -> new FirstSteps(this::show));
    /// Width of the window in sizes of text.
    private final DoubleProperty room = new SimpleDoubleProperty();
    private final MaximisedFigure maximised = new MaximisedFigure();
    private final Parent root;
    private final Question question = new Question();
    private final StringProperty shownArea;
    private WindowArea area;

    @FXML
    private MenuBar menuBar;

    @FXML
    private HBox areaSwitch;

    @FXML
    private HBox crumbs;

    @FXML
    private MenuButton themeMenu;

    @FXML
    private Button help;

    @FXML
    private VBox banners;

    @FXML
    private StackPane content;

    @FXML
    private Overlay overlay;

    @FXML
    private Overlay questionOverlay;

    /// The parts of the window.
    ///
    /// @param shownArea takes the id of the area shown
    /// @param closing what closes
    record Parts(
            List<WindowArea> areas,
            Commands commands,
            Settings settings,
            ThemeService themes,
            Messages messages,
            FileChoices choices,
            StartViewModel start,
            StringProperty shownArea,
            Closing closing) {}

    /// Closes.
    ///
    /// @param work what is open in an area
    /// @param window the window
    record Closing(Consumer<WindowArea> work, Runnable window) {}

    MainWindow(Parts parts) {
        this.areas = parts.areas();
        this.commands = parts.commands();
        this.settings = parts.settings();
        this.themes = parts.themes();
        this.messages = parts.messages();
        this.shownArea = parts.shownArea();
        this.choices = parts.choices();
        this.start = parts.start();
        this.quit = parts.closing().window();
        this.area = areas.getFirst();
        areas.forEach(a -> names.put(a, a.openName()));
        shownArea.set(area.id());
        addCommands(parts.closing().work());
        this.startPage = new Lazy<>(() -> new StartView(
                        start, commands, WindowCommands.OPEN, WindowCommands.OPEN_PROJECT, this::openNetwork)
                .root());
        this.shortcuts = new Lazy<>(() -> new ShortcutsView(commands.bindings(), this::closeOverlay));
        this.palette = new Lazy<>(() -> new PaletteView(commands, this::recentEntries, this::closeOverlay));
        this.root = Fxml.load("window/main", this);
    }

    /// The window's content.
    Parent root() {
        return root;
    }

    /// True if the keyboard is asked for a new shortcut or for an answer.
    boolean isChangingShortcut() {
        boolean searching = palette.ifMade()
                .map(PaletteView::root)
                .filter(p -> p == overlay.getContent())
                .isPresent();
        return (overlay.isDisplay()
                        && (searching
                                || shortcuts
                                        .ifMade()
                                        .filter(ShortcutsView::isChanging)
                                        .isPresent()))
                || question.isAsking();
    }

    private void addCommands(Consumer<WindowArea> closeWork) {
        BooleanExpression open = whether(a -> a.isOpen().get(), WindowArea::isOpen);
        commands.add(
                WindowCommands.OPEN,
                () -> choices.openFile("Open a kernel, a network or a project", List.of(SOURCES))
                        .ifPresent(this::open));
        commands.add(
                WindowCommands.OPEN_PROJECT,
                () -> choices.openFolder("Open a project folder").ifPresent(this::open));
        commands.add(WindowCommands.CLOSE, () -> closeWork.accept(area), open);
        commands.add(WindowCommands.QUIT, quit);
        commands.add(
                WindowCommands.UNDO,
                () -> area.undo().undo(),
                whether(
                        a -> a.undo().undoName().get().isPresent(),
                        a -> a.undo().undoName()));
        commands.add(
                WindowCommands.REDO,
                () -> area.undo().redo(),
                whether(
                        a -> a.undo().redoName().get().isPresent(),
                        a -> a.undo().redoName()));
        commands.add(WindowCommands.FIND, this::find, open);
        commands.add(WindowCommands.LEFT, () -> toggle(workspace().leftShown()), open);
        commands.add(WindowCommands.RIGHT, () -> toggle(workspace().rightShown()), open);
        commands.add(
                WindowCommands.THEME,
                () -> themes.theme().set(Theme.values()[(themes.theme().get().ordinal() + 1) % Theme.values().length]));
        commands.add(WindowCommands.LARGER, () -> themes.resizeText(1));
        commands.add(WindowCommands.SMALLER, () -> themes.resizeText(-1));
        commands.add(WindowCommands.DEFAULT_SIZE, () -> themes.resizeText(0));
        commands.add(WindowCommands.COMMANDS, this::openPalette);
        commands.add(WindowCommands.FIGURE, () -> maximised.toggle(content), open);
        commands.add(WindowCommands.SHORTCUTS, this::toggleShortcuts);
        commands.add(WindowCommands.FIRST_STEPS, () -> {
            maximised.restore();
            content.getChildren().setAll(firstSteps.get().root());
            // A list of commands that closes gives the keyboard back first.
            Platform.runLater(firstSteps.get()::focus);
        });
        commands.add(WindowCommands.SETUP, this::checkSetUp);
        commands.add(
                WindowCommands.LICENCES, () -> Licences.show(menuBar.getScene().getWindow()));
        if (areas.size() > 1) {
            for (int i = 0; i < areas.size(); i++) {
                WindowArea a = areas.get(i);
                commands.add(WindowCommands.area(i + 1, a.title()), () -> turnTo(a));
            }
        }
    }

    /// True if something holds for the area shown.
    private BooleanExpression whether(Predicate<WindowArea> holds, Function<WindowArea, Observable> watched) {
        return Bindings.createBooleanBinding(
                () -> holds.test(area),
                Stream.concat(Stream.of(shownArea), areas.stream().map(watched)).toArray(Observable[]::new));
    }

    @FXML
    private void initialize() {
        room.bind(Bindings.createDoubleBinding(
                () -> content.getWidth() / help.getFont().getSize(), content.widthProperty(), help.fontProperty()));
        room.addListener((o, was, is) -> {
            if (was.doubleValue() < ONE_MENU != is.doubleValue() < ONE_MENU) {
                buildMenus();
            }
        });
        buildAreaSwitch();
        banners.getChildren().add(new BannerView(messages).root());
        commands.dress(help, WindowCommands.SHORTCUTS);
        buildThemeMenu();
        question.placeIn(questionOverlay);
        for (WindowArea a : areas) {
            if (a instanceof NetworkWindowArea n) {
                n.work().opener().question().subscribe(asked -> asked.ifPresent(q -> ExtentsForm.ask(question, q)));
            }
        }
        for (Overlay page : List.of(overlay, questionOverlay)) {
            page.displayProperty().addListener((o, was, is) -> {
                if (!is) {
                    content.requestFocus();
                }
            });
        }
        areas.forEach(a -> a.isOpen().addListener((o, was, is) -> {
            if (a == area) {
                show();
            }
        }));
        content.addEventHandler(DragEvent.DRAG_OVER, this::dragOver);
        content.addEventHandler(DragEvent.DRAG_DROPPED, this::dropped);
        buildMenus();
        // What was opened before is read when nothing else is: beside the start page, or after a project is open.
        names.values()
                .forEach(n -> n.addListener((o, was, is) -> {
                    if (is.isPresent() && start.samples().get().isEmpty()) {
                        start.refresh();
                    }
                }));
        // A project that is opened at once is shown without the start page before it.
        Platform.runLater(() -> {
            if (content.getChildren().isEmpty()) {
                show();
            }
        });
    }

    private void buildAreaSwitch() {
        if (areas.size() < 2) {
            areaSwitch.setManaged(false);
            return;
        }
        var group = new ToggleGroup();
        for (WindowArea a : areas) {
            var button = new ToggleButton(a.title());
            button.getStyleClass().add("tab-button");
            button.setMinWidth(Region.USE_PREF_SIZE);
            button.setToggleGroup(group);
            button.setSelected(a == area);
            button.setOnAction(e -> turnTo(a));
            // Arrow keys move the mark without an action.
            button.selectedProperty().addListener((o, was, is) -> {
                if (is && a != area) {
                    turnTo(a);
                }
            });
            button.setAccessibleText(a.title());
            room.subscribe(r -> button.setText(r.doubleValue() < Workspace.NARROW ? a.shortTitle() : a.title()));
            shownArea.addListener((o, was, is) -> {
                if (a.id().equals(is)) {
                    button.setSelected(true);
                }
            });
            areaSwitch.getChildren().add(button);
        }
        // One stays marked: a click on it changes nothing.
        group.selectedToggleProperty().addListener((o, was, is) -> {
            if (is == null) {
                group.selectToggle(was);
            }
        });
    }

    private void buildMenus() {
        var file = new Menu(
                "_File",
                null,
                item(WindowCommands.OPEN),
                item(WindowCommands.OPEN_PROJECT),
                entries("Open _recent", start.recent(), e -> e.name() + "  \u2013  " + e.words()),
                entries("Open _sample", start.samples(), Entry::name),
                new SeparatorMenuItem(),
                item(WindowCommands.CLOSE),
                item(WindowCommands.QUIT));
        MenuItem undoItem = item(WindowCommands.UNDO);
        undoItem.textProperty()
                .bind(area.undo().undoName().map(n -> n.map(x -> "Undo " + x).orElse("Undo")));
        MenuItem redoItem = item(WindowCommands.REDO);
        redoItem.textProperty()
                .bind(area.undo().redoName().map(n -> n.map(x -> "Redo " + x).orElse("Redo")));
        var edit = new Menu("_Edit", null, undoItem, redoItem, new SeparatorMenuItem(), item(WindowCommands.FIND));
        var view = new Menu(
                "_View",
                null,
                item(WindowCommands.LEFT),
                item(WindowCommands.RIGHT),
                item(WindowCommands.FIGURE),
                item(WindowCommands.COMMANDS),
                new SeparatorMenuItem(),
                item(WindowCommands.THEME),
                item(WindowCommands.LARGER),
                item(WindowCommands.SMALLER),
                item(WindowCommands.DEFAULT_SIZE),
                new SeparatorMenuItem(),
                item(WindowCommands.NOTIFY));
        var helpMenu = new Menu(
                "_Help",
                null,
                item(WindowCommands.FIRST_STEPS),
                item(WindowCommands.SHORTCUTS),
                item(WindowCommands.SETUP),
                item(WindowCommands.LICENCES));
        var all = new ArrayList<Menu>(List.of(file, edit));
        all.addAll(area.menus());
        all.addAll(List.of(view, helpMenu));
        boolean one = room.getValue().doubleValue() < ONE_MENU;
        menuBar.getMenus().setAll(one ? List.of(new Menu("_Menu", null, all.toArray(Menu[]::new))) : all);
    }

    private Menu entries(String title, ObservableValue<List<Entry>> all, Function<Entry, String> words) {
        var menu = new Menu(title);
        all.subscribe(now -> menu.getItems()
                .setAll(now.stream()
                        .map(e -> {
                            var item = new MenuItem(words.apply(e));
                            item.setMnemonicParsing(false);
                            item.setOnAction(a -> start.open(e.path()));
                            return item;
                        })
                        .toList()));
        return menu;
    }

    private MenuItem item(Command command) {
        return commands.menuItem(command);
    }

    private void buildThemeMenu() {
        var group = new ToggleGroup();
        for (Theme t : Theme.values()) {
            var choice = new RadioMenuItem(t.words());
            choice.setToggleGroup(group);
            choice.setSelected(themes.theme().get() == t);
            choice.setOnAction(e -> themes.theme().set(t));
            themes.theme().addListener((o, was, is) -> choice.setSelected(is == t));
            themeMenu.getItems().add(choice);
        }
    }

    private static void toggle(BooleanProperty p) {
        p.set(!p.get());
    }

    /// The places of the area shown.
    Workspace workspace() {
        return workspaces.computeIfAbsent(area, a -> new Workspace(a.id(), a.places(), settings));
    }

    private void find() {
        area.findsOn().ifPresent(workspace()::front);
        area.find();
    }

    private void turnTo(WindowArea next) {
        area = next;
        shownArea.set(next.id());
        buildMenus();
        show();
    }

    private void show() {
        boolean open = area.isOpen().get();
        maximised.restore();
        crumbs.getChildren().setAll(area.breadcrumb());
        content.getChildren().setAll(open ? workspace() : startPage.get());
        if (!open) {
            start.refresh();
        }
    }

    /// Opens whatever a path is, in the area that knows its kind; where several do in the one shown, else it asks.
    void open(Path path) {
        List<WindowArea> takers =
                preferred(areas.stream().filter(a -> a.accepts(path)).toList());
        // Whatever it is, the area says what is wrong with it better than a guess from its name.
        choose(
                String.valueOf(path.getFileName()),
                takers.isEmpty() ? List.of(areas.getFirst()) : takers,
                a -> a.open(path));
    }

    /// Opens a network, in the area shown if that takes networks, else in one that does.
    void openNetwork(String source) {
        choose(
                source.replaceFirst("^zoo:", ""),
                preferred(areas.stream().filter(WindowArea::takesNetworks).toList()),
                a -> a.openNetwork(source));
    }

    private List<WindowArea> preferred(List<WindowArea> takers) {
        return takers.contains(area) ? List.of(area) : takers;
    }

    private void choose(String name, List<WindowArea> takers, Consumer<WindowArea> opener) {
        if (takers.size() > 1) {
            question.ask(
                    "What do you want to optimise in " + name + "?",
                    "The same network can be open in both at once.",
                    takers.stream()
                            .map(a -> new Question.Answer(a.id(), a.title(), () -> choose(name, List.of(a), opener)))
                            .toList());
            return;
        }
        WindowArea chosen = takers.getFirst();
        opener.accept(chosen);
        if (chosen != area) {
            turnTo(chosen);
        }
    }

    private void dragOver(DragEvent e) {
        if (e.getDragboard().hasFiles()) {
            e.acceptTransferModes(TransferMode.COPY);
            e.consume();
        }
    }

    private void dropped(DragEvent e) {
        List<java.io.File> files = e.getDragboard().getFiles();
        if (files != null && !files.isEmpty()) {
            open(files.getFirst().toPath());
            if (files.size() > 1) {
                messages.show(Message.warning(
                        "Only " + files.getFirst().getName() + " was opened; drop one file or project at a time."));
            }
        }
        e.setDropCompleted(files != null && !files.isEmpty());
        e.consume();
    }

    /// The findings of `knobscape doctor`; tools are asked for some seconds.
    private void checkSetUp() {
        TextArea text =
                TextDialog.show(menuBar.getScene().getWindow(), "Check set-up", "Looking at this machine\u2026");
        Thread.ofVirtual().name("set-up").start(() -> {
            String found = Diagnosis.ofThisMachine(Path.of("").toAbsolutePath()).text();
            Platform.runLater(() -> text.setText(found));
        });
    }

    /// Puts a maximised figure back, or closes what lies over the places.
    void closeTopmost() {
        if (!maximised.restore() && area.isOpen().get()) {
            workspace().closeTopmost();
        }
    }

    private void toggleShortcuts() {
        if (overlay.isDisplay()) {
            closeOverlay();
        } else {
            open(shortcuts.get().root());
            shortcuts.get().focus();
        }
    }

    private void openPalette() {
        open(palette.get().root());
        palette.get().begin();
    }

    private void open(Parent page) {
        StackPane.setMargin(page, new Insets(48));
        overlay.show(page);
    }

    private List<PaletteView.Entry> recentEntries() {
        return Stream.concat(start.recent().get().stream(), start.samples().get().stream())
                .map(e -> new PaletteView.Entry("Open: " + e.name(), e.words(), () -> start.open(e.path())))
                .toList();
    }

    private void closeOverlay() {
        overlay.hide(true);
    }

    /// Asks something.
    void ask(String words, String explanation, List<Question.Answer> answers) {
        question.ask(words, explanation, answers);
    }

    /// Name of what is open in the area shown.
    Optional<String> openName() {
        return requireNonNull(names.get(area)).getValue();
    }

    /// Title of the window, as what is open in the area shown changes.
    StringExpression title() {
        return Bindings.createStringBinding(
                () -> title(openName()),
                Stream.concat(Stream.of(shownArea), names.values().stream()).toArray(Observable[]::new));
    }

    /// Title of the window.
    static String title(Optional<String> project) {
        return project.map(p -> p + " \u2013 Knobscape").orElse("Knobscape");
    }
}

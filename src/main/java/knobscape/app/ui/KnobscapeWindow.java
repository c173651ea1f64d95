package knobscape.app.ui;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringExpression;
import javafx.beans.property.SimpleStringProperty;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.StackPane;
import javafx.stage.Window;
import knobscape.app.system.Installation;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.fusion.FusionViewModel;
import knobscape.app.ui.fusion.FusionWindowArea;
import knobscape.app.ui.gpu.GpuViewModel;
import knobscape.app.ui.gpu.GpuWindowArea;
import knobscape.app.ui.hls.HlsViewModel;
import knobscape.app.ui.hls.HlsWindowArea;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.keyboard.KeyBindings;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.start.StartViewModel;
import knobscape.app.ui.study.StudyViewModel;
import knobscape.app.ui.study.StudyWindowArea;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.theme.PaletteProbe;
import knobscape.app.ui.theme.ThemeService;
import knobscape.app.ui.undo.UndoStack;
import knobscape.fusion.FusionMethods;
import knobscape.hls.HlsTools;
import knobscape.project.BackgroundRuns;
import knobscape.project.Folders;
import knobscape.project.Project;
import knobscape.project.Runner;

/// The whole window put together from its parts, with or without a stage around it. Made on the JavaFX thread.
public final class KnobscapeWindow implements AutoCloseable {
    private final Background background;
    private final Runner runner;
    private final Settings settings;
    private final Messages messages = new Messages();
    private final UndoStack undo = new UndoStack();
    private final ThemeService themes;
    private final Commands commands;
    private final HlsWindowArea hls;
    private final FusionWindowArea fusion;
    private final GpuWindowArea gpu;
    private final StudyWindowArea study;
    private final MainWindow main;
    private final StackPane root = new StackPane();
    private final ShutdownHandler closing;
    private final Runnable quit;

    /// The environment of the window, given from outside.
    ///
    /// @param tools the parts HLS work is put together from
    /// @param settings what is remembered
    /// @param background where work is done; closed with the window
    /// @param runner starts runs; closed with the window
    /// @param runs that go on without a window
    /// @param choices asks for files
    /// @param quit closes the program
    public record Environment(
            HlsTools tools,
            Settings settings,
            Background background,
            Runner runner,
            BackgroundRuns runs,
            FileChoices choices,
            Runnable quit) {
        public Environment {}
    }

    /// Builds the window.
    public KnobscapeWindow(Environment e) {
        this.background = e.background();
        this.runner = e.runner();
        this.settings = e.settings();
        this.quit = e.quit();
        this.closing = new ShutdownHandler(runner, e.runs(), background, messages, settings);
        this.themes = new ThemeService(settings);
        this.commands = new Commands(new KeyBindings(settings));
        var probe = new PaletteProbe();
        var plots = new PlotContext(
                background, probe.palette(), themes::textSize, x -> messages.fail("A plot cannot be drawn", x));
        var shownArea = new SimpleStringProperty("");
        this.hls = new HlsWindowArea(
                new HlsViewModel(background, e.tools(), runner, messages.ofProject(), undo, settings, e.choices()),
                plots,
                settings,
                commands.in(shownArea.isEqualTo(WorkKind.HLS)));
        Messages ofFusion = messages.ofProject();
        this.fusion = new FusionWindowArea(
                new FusionViewModel(
                        background,
                        runner,
                        FusionMethods.standard(),
                        ofFusion,
                        settings,
                        HlsViewModel.RECENT_KEY,
                        Folders.userRuns()),
                plots,
                settings,
                commands.in(shownArea.isEqualTo(WorkKind.FUSION)),
                e.choices(),
                ofFusion);
        Messages ofGpu = messages.ofProject();
        this.gpu = new GpuWindowArea(
                new GpuViewModel(
                        background,
                        runner,
                        ofGpu,
                        settings,
                        HlsViewModel.RECENT_KEY,
                        source -> GpuViewModel.usualFolder(source, Folders.userRuns())),
                plots,
                settings,
                commands.in(shownArea.isEqualTo(WorkKind.GPU)),
                e.choices(),
                ofGpu);
        this.study = new StudyWindowArea(
                new StudyViewModel(
                        background, runner, messages.ofProject(), settings, HlsViewModel.RECENT_KEY, e.choices()),
                plots,
                settings,
                commands.in(shownArea.isEqualTo(WorkKind.STUDY)));
        List<WindowArea> areas = List.of(hls, gpu, fusion, study);
        var start = new StartViewModel(
                background,
                messages,
                settings,
                HlsViewModel.RECENT_KEY,
                Installation.samples(),
                Folders.user().resolve("examples"),
                this::open);
        commands.add(WindowCommands.NOTIFY, closing::toggleNotifications);
        this.main = new MainWindow(new MainWindow.Parts(
                areas,
                commands,
                settings,
                themes,
                messages,
                e.choices(),
                start,
                shownArea,
                new MainWindow.Closing(this::closeWork, this::requestClose)));
        root.getChildren().addAll(main.root(), probe);
        runs().forEach(r -> r.onEnd(run -> closing.ended(
                r.project().map(Project::name).orElse(""),
                run,
                Optional.ofNullable(root.getScene())
                        .map(Scene::getWindow)
                        .filter(Window::isFocused)
                        .isPresent())));
        closing.welcome(this::open);
        settings.problem().ifPresent(p -> messages.show(Message.warning(p)));
    }

    /// The content.
    public Parent root() {
        return root;
    }

    /// A scene with the content, dressed in the theme and listening to the keyboard.
    public Scene scene(double width, double height) {
        var scene = new Scene(root, width, height);
        dress(scene);
        return scene;
    }

    /// Dresses a scene that holds the content.
    void dress(Scene scene) {
        themes.dress(scene);
        commands.listen(scene, main::isChangingShortcut);
        // Whatever has the focus and has no use of its own for the key leaves it.
        scene.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ESCAPE && !main.isChangingShortcut()) {
                main.closeTopmost();
            }
        });
    }

    /// Opens a file or project.
    public void open(Path path) {
        main.open(path);
    }

    /// Asks what shall become of active runs, then quits; quits at once where there are none.
    public void requestClose() {
        closing.ask(main, runs(), quit);
    }

    private List<RunViewModel> runs() {
        return List.of(hls.runs(), gpu.runs(), fusion.runs(), study.runs());
    }

    /// Asks what shall become of active runs of an area, then closes what is open in it.
    private void closeWork(WindowArea area) {
        closing.ask(main, area, this::open);
    }

    /// Name of what is open in the area shown.
    Optional<String> openName() {
        return main.openName();
    }

    /// Title of the window.
    StringExpression title() {
        return main.title();
    }

    /// The area of FPGA directives.
    public HlsWindowArea hls() {
        return hls;
    }

    /// The area of layer fusion.
    public FusionWindowArea fusion() {
        return fusion;
    }

    /// The area of GPU schedules.
    public GpuWindowArea gpu() {
        return gpu;
    }

    /// The area of studies.
    public StudyWindowArea study() {
        return study;
    }

    /// Opens a network, `zoo:NAME` for one that is built in.
    void openNetwork(String source) {
        main.openNetwork(source);
    }

    /// The messages at the top.
    public Messages messages() {
        return messages;
    }

    /// Stops what runs, hands it to the background where a person wants that, and writes the settings. Not on the
    /// JavaFX thread: it waits for what is in flight to be stored.
    /// The look of the window.
    ThemeService themes() {
        return themes;
    }

    @Override
    public void close() {
        closing.note();
        runner.close();
        hls.shutDown();
        fusion.shutDown();
        gpu.shutDown();
        study.shutDown();
        closing.handOver();
        settings.save();
        background.close();
    }
}

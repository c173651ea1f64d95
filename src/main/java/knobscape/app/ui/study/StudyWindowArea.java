package knobscape.app.ui.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextArea;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.area.CoverView;
import knobscape.app.ui.area.DesignCommands;
import knobscape.app.ui.area.DesignPanels;
import knobscape.app.ui.area.OpenWork;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.HeadlineView;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Lazy;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.project.NumberFormats;
import knobscape.study.StudyArea;
import knobscape.study.export.StudyExporter;
import knobscape.study.source.Study;
import knobscape.study.space.StudySpace;

/// The area of studies: any program with parameters of its own, and tables of results.
public final class StudyWindowArea implements WindowArea {
    private final StudyViewModel model;
    private final Commands commands;
    private final DesignPanels designs;
    private final RunControls controls;
    private final Lazy<Places> places;
    private final MenuButton exports = new MenuButton();
    private final Lazy<HBox> breadcrumb;

    /// @param model what is shown
    /// @param plots what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    public StudyWindowArea(StudyViewModel model, PlotContext plots, Settings settings, Commands commands) {
        this.model = model;
        this.commands = commands;
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.study().get().isPresent(), model.study());
        this.controls = new RunControls(model.runs(), model.runs()::start, model.logs(), commands, open);
        var results = model.models().results();
        BooleanExpression design = results.isAnySelected();
        commands.add(StudyCommands.EXPORT_MENU, exports::show, open);
        commands.add(StudyCommands.COMMAND, model.export()::copyCommand, design);
        commands.add(StudyCommands.HEADER, model.export()::header, design);
        commands.add(StudyCommands.TRITON, model.export()::copyTriton, design.and(fits(StudyExporter::isTriton)));
        commands.add(StudyCommands.VLLM, model.export()::vllm, fits(StudyExporter::isVllm));
        commands.add(StudyCommands.CSV, () -> model.export().table(true), open);
        commands.add(StudyCommands.JSON, () -> model.export().table(false), open);
        this.designs = DesignPanels.of(
                model.models(),
                settings,
                commands,
                open,
                () -> {},
                List.of(StudyCommands.COMMAND, StudyCommands.HEADER),
                Optional.empty());
        this.places = new Lazy<>(() -> places(plots, settings));
        exports.setAccessibleText("Export configurations");
        exports.getItems().setAll(exportItems());
        this.breadcrumb = new Lazy<>(() -> WindowArea.breadcrumb(model, Optional.empty(), exports, controls));
    }

    private Places places(PlotContext plots, Settings settings) {
        var results = model.models().results();
        return new Places(
                Optional.of(new HeadlineView(results.headline()).root()),
                List.of(new Page("Parameters", parameters()), new Page("File", file())),
                designs.importancePage(),
                designs.picturesPage(
                        DesignPanels.figures(
                                model.work(),
                                plots,
                                settings,
                                () -> model.study().get().flatMap(s -> s.bench().table())),
                        new ColumnsView(model, commands).root()),
                designs.tableView(),
                new CoverView(
                                model,
                                model.models(),
                                model.study().map(s -> model.size()),
                                results.headline(),
                                controls,
                                commands)
                        .cover(),
                new Page("Configuration", designs.inspectorPage()),
                new Controls(controls.sheet(), controls.log(), controls.bar()));
    }

    private List<MenuItem> exportItems() {
        return commands.menuItems(
                List.of(StudyCommands.COMMAND, StudyCommands.HEADER, StudyCommands.TRITON),
                List.of(StudyCommands.CSV, StudyCommands.JSON, StudyCommands.VLLM));
    }

    /// True if a study is open that can be written so.
    private BooleanExpression fits(Predicate<Study> form) {
        return Bindings.createBooleanBinding(
                () -> model.study()
                        .get()
                        .filter(s -> form.test(s.bench().study()))
                        .isPresent(),
                model.study());
    }

    /// The parameters with their values, and what a configuration has to keep.
    private Node parameters() {
        var grid = new GridPane();
        grid.setHgap(12);
        grid.setVgap(6);
        var body = new VBox(grid);
        body.getStyleClass().add("subject");
        model.study().addListener((o, was, is) -> {
            grid.getChildren().clear();
            body.getChildren().setAll(grid);
            is.ifPresent(s -> {
                show(s.bench().study(), grid, body);
                s.bench().table().map(StudyWindowArea::facts).ifPresent(all -> all.forEach(f -> say(f, body)));
            });
        });
        var page = new ScrollPane(body);
        page.setFitToWidth(true);
        page.setMinSize(0, 0);
        page.setAccessibleText("Parameters of the study");
        return page;
    }

    private static void show(Study study, GridPane grid, VBox body) {
        int row = 0;
        for (Study.StudyParameter p : study.parameters()) {
            var name = new Label(p.name());
            name.getStyleClass().add("emphasis");
            name.setMinWidth(javafx.scene.layout.Region.USE_PREF_SIZE);
            var values = new Label(KnobLabels.value(StudySpace.words(p.domain()))
                    + p.usual().map(u -> " (default " + u + ")").orElse(""));
            values.setWrapText(true);
            GridPane.setHgrow(values, Priority.ALWAYS);
            grid.addRow(row++, name, values);
        }
        study.constraints().stream().map(c -> c.formula().toString()).distinct().forEach(c -> {
            say(c, body);
        });
    }

    private static void say(String text, VBox body) {
        var line = new Label(text);
        line.getStyleClass().add("secondary");
        line.setWrapText(true);
        body.getChildren().add(line);
    }

    /// The contents of a table, a line each.
    private static List<String> facts(ReplaySet set) {
        var facts = new ArrayList<String>();
        facts.add("Columns read by "
                + set.mappingFile().map(f -> String.valueOf(f.getFileName())).orElse(set.mappingName()) + "; "
                + set.rows() + " rows.");
        for (ReplaySet.Coverage c : set.coverage()) {
            List<String> objectives = set.info().objectives().stream()
                    .filter(c.values()::containsKey)
                    .map(set.info()::metric)
                    .map(Metric::label)
                    .toList();
            int missing = c.values().keySet().stream().mapToInt(c::missing).sum();
            OptionalDouble seconds = set.seconds(c.fidelity());
            facts.add(c.fidelity().name() + ": " + c.designs() + " configurations"
                    + (c.refused() > 0 ? ", " + c.refused() + " refused" : "") + "; "
                    + (objectives.isEmpty() ? "no objective" : String.join(", ", objectives)) + "; "
                    + (seconds.isPresent() ? NumberFormats.duration(seconds.getAsDouble()) + " on average" : "no times")
                    + (missing > 0 ? "; " + missing + " empty cells" : "") + ".");
        }
        return List.copyOf(facts);
    }

    private Node file() {
        var text = new TextArea();
        text.setEditable(false);
        text.getStyleClass().add("code");
        text.setAccessibleText("The study file");
        model.study()
                .addListener((o, was, is) ->
                        text.setText(is.map(s -> s.bench().text()).orElse("")));
        return text;
    }

    @Override
    public Face face() {
        return new Face(WorkKind.STUDY, "Studies", "Studies", places, breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        return List.of(
                commands.menu("_Run", RunControls.VERBS, RunControls.OTHERS),
                commands.menu("_Design", DesignCommands.MENU),
                new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new)));
    }

    @Override
    public boolean accepts(Path path) {
        return WorkKind.isProject(path)
                ? WorkKind.ofProject(path).filter(WorkKind.STUDY::equals).isPresent()
                : new StudyArea().accepts(path);
    }

    @Override
    public void open(Path path) {
        model.open(path);
    }

    @Override
    public OpenWork work() {
        return model;
    }

    @Override
    public void find() {
        designs.focusFilter();
    }

    /// The shown model.
    public StudyViewModel model() {
        return model;
    }
}

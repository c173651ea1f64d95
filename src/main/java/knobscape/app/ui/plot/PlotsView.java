package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.SplitPane;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Standing;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;

/// The pictures of results: scatter plots of the objectives, hypervolume, parallel coordinates. Where there is height they stand together; where there is
/// not, one at a time behind three tabs.
public final class PlotsView extends StackPane {
    private static final double TALL = 430;
    private static final String PAIR_KEY = "plots.pair";
    private static final String LOG_KEY = "plots.log";
    private static final String TAB_KEY = "plots.tab";
    private static final String PROGRESS_KEY = "plots.progress";
    private static final String ALL = "All";

    private final PlotContext context;
    private final Results results;
    private final Settings settings;
    private final ParallelView parallel;
    private final VBox pareto = new VBox();
    private final HBox pairs = new HBox();
    private final HBox plots = new HBox();
    private final Legend legend;
    private final Label source = new Label();
    private final ToggleButton log = new ToggleButton("Log axes");
    private final Node paretoPanel;
    private final Node progressPanel;
    private final Node parallelPanel;
    private List<Metric> objectives = List.of();
    private List<ScatterView> scatters = List.of();
    private Set<Standing> hidden = EnumSet.noneOf(Standing.class);
    private final List<Label> titles = new ArrayList<>();
    private java.util.Optional<Boolean> tall = java.util.Optional.empty();

    /// @param context what plots need
    /// @param results the designs shared by the window
    /// @param curves hypervolume of the project's runs
    /// @param settings where choices are remembered
    /// @param measured the measured designs explored, where such are open; asked on the JavaFX thread
    public PlotsView(PlotContext context, Results results, ObservableValue<Curves> curves, Settings settings, Supplier<Optional<ReplaySet>> measured) {
        this.context = context;
        this.results = results;
        this.settings = settings;
        this.parallel = new ParallelView(context, results);
        this.legend = new Legend(this::hide);
        log.getStyleClass().addAll("small", "flat");
        log.setAccessibleText("Logarithmic axes");
        log.setMinWidth(Region.USE_PREF_SIZE);
        log.setSelected(settings.get(LOG_KEY).map(Boolean::parseBoolean).orElse(true));
        log.selectedProperty().addListener((o, was, is) -> settings.put(LOG_KEY, is.toString()));
        parallel.log().bind(log.selectedProperty());
        source.getStyleClass().add("secondary");
        source.setMinWidth(0);
        pairs.getStyleClass().add("segments");
        pairs.setMinWidth(Region.USE_PREF_SIZE);
        plots.getStyleClass().add("plot-row");
        plots.setMinSize(0, 0);
        VBox.setVgrow(plots, Priority.ALWAYS);
        pareto.getChildren().addAll(legend, plots);
        pareto.setMinSize(0, 0);
        paretoPanel = panel("Pareto", List.of(pairs, log, spacer(), source), pareto);
        progressPanel = progress(new HypervolumeView(context, results, curves), new TracesView(context, results), new FrontsView(context, results, measured));
        parallelPanel = panel("Parallel coordinates", List.of(), parallel);
        setMinSize(0, 0);
        results.shown().addListener((o, was, is) -> update(is.set()));
        update(results.set());
    }

    private void hide(Set<Standing> kinds) {
        hidden = kinds;
        scatters.forEach(s -> s.hide(kinds));
    }

    private void update(DesignSet set) {
        legend.update(set);
        source.setText(set.info().map(i -> i.fidelities().size() > 1 ? i.top().name() + ", " + set.sourceWords() : set.sourceWords()).orElse(""));
        if (!set.objectives().equals(objectives) || scatters.isEmpty() && !set.objectives().isEmpty()) {
            objectives = set.objectives();
            rebuild();
        }
    }

    private void rebuild() {
        var all = new ArrayList<ScatterView>();
        for (int a = 0; a < objectives.size(); a++) {
            for (int b = a + 1; b < objectives.size(); b++) {
                // Neighbours first and the ends last, as power-delay, delay-LUT, power-LUT.
                var view = new ScatterView(context, results, objectives.get(a), objectives.get(b));
                view.log().bind(log.selectedProperty());
                view.hide(hidden);
                all.add(b == a + 1 ? (int) all.stream().filter(v -> v.getUserData() == Boolean.TRUE).count() : all.size(), view);
                view.setUserData(b == a + 1);
                HBox.setHgrow(view, Priority.ALWAYS);
            }
        }
        scatters = List.copyOf(all);
        var group = new ToggleGroup();
        var buttons = new ArrayList<ToggleButton>();
        for (ScatterView s : scatters) {
            buttons.add(segment(s.title(), group, List.of(s)));
        }
        if (scatters.size() > 1) {
            buttons.add(segment(ALL, group, scatters));
        }
        pairs.getChildren().setAll(buttons);
        group.selectedToggleProperty().addListener((o, was, is) -> {
            if (is == null) {
                group.selectToggle(was);
            }
        });
        String remembered = settings.get(PAIR_KEY).orElse("");
        buttons.stream().filter(b -> b.getText().equals(remembered)).findFirst().or(() -> buttons.stream().findFirst()).ifPresent(b -> b.setSelected(true));
    }

    /// The pair of metrics of a scatter plot, and its scales.
    public record Pair(Metric x, Metric y, boolean log) { }

    /// The scatter plot shown, the first of them where several are.
    public java.util.Optional<Pair> shownPair() {
        return plots.getChildren().stream().filter(ScatterView.class::isInstance).map(ScatterView.class::cast).findFirst()
                .map(s -> new Pair(s.x(), s.y(), log.isSelected()));
    }

    private ToggleButton segment(String title, ToggleGroup group, List<ScatterView> shown) {
        var button = new ToggleButton(title);
        button.setMnemonicParsing(false);
        button.setToggleGroup(group);
        button.getStyleClass().addAll("small", "segment");
        button.setAccessibleText("Plot " + title);
        button.selectedProperty().addListener((o, was, is) -> {
            if (is) {
                plots.getChildren().setAll(shown);
                settings.put(PAIR_KEY, title);
            }
        });
        return button;
    }

    @Override
    protected void layoutChildren() {
        boolean now = getHeight() >= TALL;
        if (tall.isEmpty() || tall.get() != now) {
            tall = java.util.Optional.of(now);
            arrange(now);
        }
        super.layoutChildren();
    }

    private void arrange(boolean together) {
        titles.forEach(t -> {
            t.setVisible(together);
            t.setManaged(together);
        });
        if (together) {
            var below = new SplitPane(progressPanel, parallelPanel);
            below.setDividerPositions(settings.number("split.below").orElse(0.42));
            remember(below, "split.below");
            var split = new SplitPane(paretoPanel, below);
            split.setOrientation(Orientation.VERTICAL);
            split.setDividerPositions(settings.number("split.plots").orElse(0.6));
            remember(split, "split.plots");
            getChildren().setAll(split);
        } else {
            getChildren().setAll(tabs());
        }
    }

    private void remember(SplitPane split, String key) {
        split.getDividers().getFirst().positionProperty().addListener((o, was, is) -> settings.put(key, Double.toString(is.doubleValue())));
    }

    private VBox tabs() {
        var group = new ToggleGroup();
        var strip = new HBox();
        strip.getStyleClass().add("tab-strip");
        var body = new StackPane();
        body.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        String remembered = settings.get(TAB_KEY).orElse("Pareto");
        for (var tab : List.of(new Tab("Pareto", paretoPanel), new Tab("Progress", progressPanel), new Tab("Parallel coordinates", parallelPanel))) {
            var button = new ToggleButton(tab.title());
            button.getStyleClass().add("tab-button");
            button.setToggleGroup(group);
            button.setOnAction(e -> {
                button.setSelected(true);
                settings.put(TAB_KEY, tab.title());
            });
            button.selectedProperty().addListener((o, was, is) -> {
                if (is) {
                    body.getChildren().setAll(tab.body());
                }
            });
            button.setSelected(tab.title().equals(remembered));
            strip.getChildren().add(button);
        }
        return new VBox(strip, body);
    }

    /// How the run went, one picture at a time: hypervolume, what the surrogates went through, the front against the real one.
    private Node progress(Node hypervolume, Node traces, Node fronts) {
        var body = new StackPane();
        body.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        var group = new ToggleGroup();
        var segments = new HBox();
        segments.getStyleClass().add("segments");
        for (var tab : List.of(new Tab("Hypervolume", hypervolume), new Tab("Surrogate", traces), new Tab("Real front", fronts))) {
            var button = new ToggleButton(tab.title());
            button.setToggleGroup(group);
            button.getStyleClass().addAll("small", "segment");
            button.setMinWidth(0);
            button.setAccessibleText("Plot " + tab.title());
            button.selectedProperty().addListener((o, was, is) -> {
                if (is) {
                    body.getChildren().setAll(tab.body());
                    settings.put(PROGRESS_KEY, tab.title());
                }
            });
            segments.getChildren().add(button);
        }
        group.selectedToggleProperty().addListener((o, was, is) -> {
            if (is == null) {
                group.selectToggle(was);
            }
        });
        String remembered = settings.get(PROGRESS_KEY).orElse("Hypervolume");
        group.getToggles().stream().filter(t -> ((ToggleButton) t).getText().equals(remembered)).findFirst().orElse(group.getToggles().getFirst()).setSelected(true);
        var header = new HBox(segments);
        header.getStyleClass().add("panel-header");
        header.setMinWidth(0);
        var panel = new VBox(header, body);
        panel.getStyleClass().add("panel");
        panel.setMinSize(0, 0);
        return panel;
    }

    private record Tab(String title, Node body) { }

    private static Node spacer() {
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        return spacer;
    }

    private Node panel(String title, List<Node> tools, Node body) {
        var label = new Label(title);
        titles.add(label);
        label.getStyleClass().add("panel-title");
        label.setMinWidth(Region.USE_PREF_SIZE);
        var header = new HBox(label);
        header.getStyleClass().add("panel-header");
        header.getChildren().addAll(tools);
        if (tools.isEmpty()) {
            // Behind a tab a header without tools would be an empty line.
            header.visibleProperty().bind(label.visibleProperty());
            header.managedProperty().bind(label.managedProperty());
        }
        var panel = new VBox(header, body);
        panel.getStyleClass().add("panel");
        panel.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        return panel;
    }
}

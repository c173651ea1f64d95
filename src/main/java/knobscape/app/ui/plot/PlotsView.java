package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.animation.AnimationTimer;
import javafx.beans.value.ObservableValue;
import javafx.fxml.FXML;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;

/// The pictures of results: scatter plots of the objectives, hypervolume, parallel coordinates. Where there is
/// height they stand together; where there is not, one at a time behind three tabs.
public final class PlotsView {
    private static final List<String> SEGMENT = List.of("small", "segment");
    /// Below it each of three would be too low to read.
    private static final double TALL = 500;
    private static final String PAIR_KEY = "plots.pair";
    private static final String LOG_KEY = "plots.log";
    private static final String TAB_KEY = "plots.tab";
    private static final String PROGRESS_KEY = "plots.progress";
    private static final String ALL = "All";

    private final PlotContext context;
    private final Results results;
    private final Settings settings;
    private final ParallelView parallel;
    private final Legend legend;
    private final HypervolumeView hypervolume;
    private final Node runs;
    private final TracesView traces;
    private final FrontsView fronts;
    private final StackPane root;

    @FXML
    private VBox paretoPanel;

    @FXML
    private Label paretoTitle;

    @FXML
    private FlowPane pairs;

    @FXML
    private ToggleButton log;

    @FXML
    private Label source;

    @FXML
    private VBox pareto;

    @FXML
    private HBox scatters;

    @FXML
    private VBox progressPanel;

    @FXML
    private FlowPane progressSegments;

    @FXML
    private StackPane progressBody;

    @FXML
    private VBox parallelPanel;

    @FXML
    private HBox parallelHeader;

    @FXML
    private VBox tabbed;

    @FXML
    private HBox strip;

    @FXML
    private StackPane tabBody;

    private List<Metric> objectives = List.of();
    private List<ScatterView> views = List.of();
    private Set<DesignStanding> hidden = Legend.HIDDEN_AT_FIRST;
    private Optional<Boolean> tall = Optional.empty();

    /// @param context what plots need
    /// @param results the designs shared by the window
    /// @param curves hypervolume of the project's runs
    /// @param settings where choices are remembered
    /// @param measured the measured designs explored, where such are open; asked on the JavaFX thread
    /// @param runs the table of runs
    public PlotsView(
            PlotContext context,
            Results results,
            ObservableValue<Curves> curves,
            Settings settings,
            Supplier<Optional<ReplaySet>> measured,
            Node runs) {
        this.context = context;
        this.results = results;
        this.settings = settings;
        this.parallel = new ParallelView(context, results);
        this.legend = new Legend(this::hide);
        this.hypervolume = new HypervolumeView(context, results, curves);
        this.runs = runs;
        this.traces = new TracesView(context, results);
        this.fronts = new FrontsView(context, results, measured);
        this.root = Fxml.load("plot/plots", this);
        root.heightProperty().addListener((o, was, is) -> arrange(is.doubleValue() >= TALL));
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        log.setSelected(settings.get(LOG_KEY).map(Boolean::parseBoolean).orElse(true));
        log.selectedProperty().addListener((o, was, is) -> settings.put(LOG_KEY, is.toString()));
        parallel.log().bind(log.selectedProperty());
        pareto.getChildren().addFirst(legend);
        VBox.setVgrow(parallel, Priority.ALWAYS);
        parallelPanel.getChildren().add(parallel);
        // How the run went, one picture at a time: hypervolume, what the surrogates went through, the front
        // against the real one.
        var progress = new Tabs(
                progressSegments,
                progressBody,
                List.of(
                        new Tab("Hypervolume", hypervolume),
                        new Tab("Runs", runs),
                        new Tab("Surrogate", traces.root()),
                        new Tab("Real front", fronts.root())),
                SEGMENT,
                settings.get(PROGRESS_KEY).orElse("Hypervolume"),
                title -> settings.put(PROGRESS_KEY, title));
        progress.buttons().forEach(b -> {
            b.setMinWidth(Region.USE_PREF_SIZE);
            b.setAccessibleText("Plot " + b.getText());
        });
        results.shown().addListener((o, was, is) -> update(is));
        update(results.shown().get());
    }

    private void hide(Set<DesignStanding> kinds) {
        hidden = kinds;
        views.forEach(s -> s.hide(kinds));
    }

    private void update(VisibleDesigns shown) {
        DesignSet set = shown.set();
        legend.update(shown);
        source.setText(set.info()
                .map(i -> i.fidelities().size() > 1 ? i.top().name() + ", " + set.sourceWords() : set.sourceWords())
                .orElse(""));
        if (!set.objectives().equals(objectives)
                || (views.isEmpty() && !set.objectives().isEmpty())) {
            objectives = set.objectives();
            rebuild();
        }
    }

    private void rebuild() {
        var all = new ArrayList<ScatterView>();
        if (objectives.size() == 1) {
            all.add(scatter(DesignSet.NUMBER, objectives.getFirst()));
        }
        for (int a = 0; a < objectives.size(); a++) {
            for (int b = a + 1; b < objectives.size(); b++) {
                // Neighbours first and the ends last, as power-delay, delay-LUT, power-LUT.
                ScatterView view = scatter(objectives.get(a), objectives.get(b));
                all.add(
                        b == a + 1
                                ? (int) all.stream()
                                        .filter(v -> v.getUserData() == Boolean.TRUE)
                                        .count()
                                : all.size(),
                        view);
                view.setUserData(b == a + 1);
            }
        }
        views = List.copyOf(all);
        List<Tab> tabs =
                new ArrayList<>(views.stream().map(v -> new Tab(v.title(), v)).toList());
        if (views.size() > 1) {
            tabs.add(new Tab(ALL, List.copyOf(views)));
        }
        var segments = new Tabs(
                pairs,
                scatters,
                tabs,
                SEGMENT,
                settings.get(PAIR_KEY).orElse(""),
                title -> settings.put(PAIR_KEY, title));
        segments.buttons().forEach(b -> {
            Nodes.wrap(b, pairs);
            b.setAccessibleText("Plot " + b.getText());
        });
    }

    private ScatterView scatter(Metric x, Metric y) {
        var view = new ScatterView(context, results, x, y);
        view.log().bind(log.selectedProperty());
        view.hide(hidden);
        HBox.setHgrow(view, Priority.ALWAYS);
        return view;
    }

    /// The pair of metrics of a scatter plot, its scales, and the kinds of designs that are left out.
    public record Pair(Metric x, Metric y, boolean log, Set<DesignStanding> hidden) {
        /// The plot as it is seen.
        public FigureView.Content content(VisibleDesigns shown) {
            return FigureView.Content.plot(() -> Scatter.of(shown, x, y, log, hidden));
        }
    }

    /// The scatter plot shown, the first of them where several are.
    public Optional<Pair> shownPair() {
        return scatters.getChildren().stream()
                .filter(ScatterView.class::isInstance)
                .map(ScatterView.class::cast)
                .findFirst()
                .map(s -> new Pair(s.x(), s.y(), log.isSelected(), hidden));
    }

    /// Does something when a picture of the designs that are about to be shown stands on the screen; where no picture
    /// is in sight, as soon as they are shown.
    public void whenDrawn(Runnable then) {
        new AnimationTimer() {
            @Override
            public void handle(long now) {
                if (results.shown().get().set().size() == 0) {
                    return;
                }
                List<FigureView> seen = Stream.concat(views.stream(), Stream.of(parallel))
                        .map(FigureView.class::cast)
                        .filter(PlotsView::isInSight)
                        .toList();
                if (seen.isEmpty() || seen.stream().anyMatch(v -> v.drawn().isPresent())) {
                    stop();
                    then.run();
                }
            }
        }.start();
    }

    private static boolean isInSight(Node node) {
        return node.getScene() != null
                && Stream.<Node>iterate(node, Objects::nonNull, Node::getParent).allMatch(Node::isVisible);
    }

    private void arrange(boolean together) {
        if (tall.equals(Optional.of(together))) {
            return;
        }
        tall = Optional.of(together);
        // Behind a tab a heading would say it twice.
        for (Region r : List.of(paretoTitle, parallelHeader)) {
            Nodes.show(r, together);
        }
        root.getChildren().clear();
        tabBody.getChildren().clear();
        if (together) {
            var below =
                    Nodes.split(settings, "split.below", 0.42, Orientation.HORIZONTAL, progressPanel, parallelPanel);
            root.getChildren()
                    .setAll(Nodes.split(settings, "split.plots", 0.6, Orientation.VERTICAL, paretoPanel, below));
        } else {
            new Tabs(
                    strip,
                    tabBody,
                    List.of(
                            new Tab("Pareto", paretoPanel),
                            new Tab("Progress", progressPanel),
                            new Tab("Parallel coordinates", parallelPanel)),
                    List.of("tab-button"),
                    settings.get(TAB_KEY).orElse("Pareto"),
                    title -> settings.put(TAB_KEY, title));
            root.getChildren().setAll(tabbed);
        }
    }
}

package knobscape.app.ui.gpu;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanExpression;
import javafx.beans.value.ObservableValue;
import javafx.scene.Parent;
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
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.Headline;
import knobscape.app.ui.designs.HeadlineView;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.FigureSet;
import knobscape.app.ui.plot.FigureSet.FigureEntry;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.plot.ParallelView;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunsView;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.ExtentsQuestion;
import knobscape.app.ui.view.Lazy;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;
import knobscape.evaluate.EvaluatorKind;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.Sketch;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;

/// The area of GPU schedules.
public final class GpuWindowArea implements NetworkWindowArea {
    private static final double ROOM = 560;
    private static final String GRAPH = "Graph";
    private static final String DESIGN = "Design";
    private static final String DESIGNS = "Designs of the task";

    private final GpuViewModel model;
    private final Commands commands;
    private final GpuExport export;
    private final Lazy<GraphView> graph;
    private final Lazy<FigureSet> figures;
    private final DesignPanels designs;
    private final Lazy<Tabs> tables;
    private final Lazy<Places> places;
    private final MenuButton exports = new MenuButton("Export");
    private final Lazy<HBox> breadcrumb;
    private final RunControls controls;

    private record NetworkPreview(GpuNetwork network, List<KernelState> states, int kernel, String source) {
        KernelState state() {
            return states.get(kernel);
        }

        NetworkKernel shown() {
            return network.kernels().get(kernel);
        }

        String task() {
            return network.title(kernel);
        }
    }

    /// @param model what is shown
    /// @param plots what plots need
    /// @param settings what is remembered
    /// @param commands takes this area's commands
    /// @param choices asks for files
    /// @param messages takes what goes wrong
    public GpuWindowArea(
            GpuViewModel model,
            PlotContext plots,
            Settings settings,
            Commands commands,
            FileChoices choices,
            Messages messages) {
        this.model = model;
        this.commands = commands;
        ExtentsQuestion.answer(model.question(), choices);
        this.export = new GpuExport(plots.background(), choices, messages, model);
        BooleanExpression open =
                Bindings.createBooleanBinding(() -> model.network().get().isPresent(), model.network());
        this.controls = new RunControls(model.runs(), model::tune, model.logs(), commands, open);
        addCommands(open);
        this.designs = DesignPanels.of(
                model.models(),
                settings,
                commands,
                open,
                () -> tables().turnTo(DESIGNS),
                List.of(Map.entry("CUDA\u2026", GpuCommands.CUDA), Map.entry("JSON\u2026", GpuCommands.JSON)),
                Optional.empty());
        this.tables = new Lazy<>(() -> {
            Parent all = designs.table().root();
            VBox.setVgrow(all, Priority.ALWAYS);
            return Tabs.boxed(
                    List.of(
                            new Tab("Tasks", new TasksView(model).root()),
                            new Tab(DESIGNS, new VBox(designs.goal().root(), all))),
                    settings,
                    "gpu.tab.table",
                    _ -> {});
        });
        this.graph = new Lazy<>(() -> new GraphView(model, plots));
        java.util.function.IntConsumer toTask = model.selected()::set;
        this.figures = new Lazy<>(() -> new FigureSet(
                "gpu",
                List.of(
                        new FigureEntry("Network", content(this::network), toTask),
                        new FigureEntry("Convergence", content(this::convergence), toTask),
                        new FigureEntry("Distribution", content(this::distribution), toTask),
                        new FigureEntry("Shares", content(this::shares), toTask),
                        new FigureEntry("Roofline", content(this::roofline), toTask),
                        new FigureEntry("Why rejected", content(this::rejections), toTask),
                        new FigureEntry("Subgraph", content(this::subgraph), toTask),
                        new FigureEntry("Predicted", content(this::predictions), toTask),
                        new FigureEntry("Attention", content(this::attention), toTask),
                        new FigureEntry("Loss", content(this::losses), toTask),
                        new FigureEntry("Transfer", content(this::transfer), toTask)),
                3,
                List.of(
                        new Tab("Knobs", new ParallelView(plots, model.results())),
                        new Tab("Runs", new RunsView(model.runs(), model.runTable()).root())),
                plots,
                settings));
        this.places = new Lazy<>(() -> places(plots, messages));
        exports.setAccessibleText("Export kernels, schedules, logs and figures");
        exports.getItems().setAll(exportItems());
        this.breadcrumb = new Lazy<>(() -> NetworkWindowArea.breadcrumb(
                model, model.shown().map(s -> s.map(TuningState::device).orElse("")), ROOM, exports, controls));
    }

    private Places places(PlotContext plots, Messages messages) {
        var design = new ScheduleView(
                        model,
                        designs.inspector().root(),
                        plots.background(),
                        e -> messages.fail("The schedule cannot be shown", e))
                .root();
        return new Places(
                Optional.of(new HeadlineView(headline()).root()),
                List.of(
                        new Page(GRAPH, graph.get().root()),
                        new Page("History", new HistoryView(model, plots.background()).root())),
                designs.importancePage(),
                figures.get().view(),
                tables().box(),
                NetworkWindowArea.cover(model),
                new Page(DESIGN, design),
                controls.sheet(),
                controls.log(),
                controls.bar());
    }

    private ObservableValue<List<Headline>> headline() {
        return Bindings.createObjectBinding(
                () -> model.network()
                        .get()
                        .filter(n -> n.kernels().size() == model.states().get().size())
                        .map(n -> GpuHeadline.of(
                                n,
                                model.states().get(),
                                model.shown().get(),
                                model.past().get(),
                                model.roofs()
                                        .of(model.shown()
                                                .get()
                                                .map(t -> t.how().toolchain())
                                                .orElse(model.roofs().device().get())),
                                figures.get().view()::turnTo,
                                model.selected()::set))
                        .orElse(List.of()),
                model.network(),
                model.states(),
                model.shown(),
                model.past(),
                model.roofs().device(),
                model.roofs().changes());
    }

    private Tabs tables() {
        return tables.get();
    }

    private interface Maker {
        Content make(NetworkPreview l);
    }

    /// What a figure shows. Everything it needs is taken on the screen's thread, before the drawing.
    private ObservableValue<Content> content(Maker maker) {
        return Bindings.createObjectBinding(
                () -> {
                    int k = model.selected().get();
                    Optional<NetworkPreview> looked = model.network()
                            .get()
                            .filter(n -> k < n.kernels().size()
                                    && n.kernels().size()
                                            == model.states().get().size())
                            .map(n -> new NetworkPreview(n, model.states().get(), k, source()));
                    return looked.map(maker::make).orElse(Content.empty("Nothing is open"));
                },
                model.network(),
                model.states(),
                model.selected(),
                model.past(),
                model.ticks().changes(),
                model.roofs().changes());
    }

    private String source() {
        return model.shown()
                .get()
                .filter(s -> !s.isLog())
                .map(t -> t.how().toolchain())
                .map(d -> ModelDevice.KIND
                        .argument(d)
                        .map(gpu -> "model of a GPU, " + gpu)
                        .orElse(EvaluatorKind.REPLAY.isOf(d) ? "measured earlier, replayed" : "measured on " + d))
                .orElse(model.shown().get().isPresent() ? "from a log" : "");
    }

    private Content untuned(NetworkPreview l) {
        return Content.empty(l.task() + " has not been measured yet"
                + (model.runs().status().get().state().isActive() ? "; its turn comes" : ": press Run"));
    }

    private Content network(NetworkPreview l) {
        Optional<TuningState> now = model.shown().get();
        List<TuningState> past = model.drawn();
        return Stream.concat(now.stream(), past.stream())
                        .allMatch(t -> t.network().isEmpty())
                ? Content.empty("The network's time is known when every task has a kernel that ran")
                : Content.of(() -> GpuFigures.network(now, past, new TunedNetwork(l.states()).latencyMilliseconds()));
    }

    private Content convergence(NetworkPreview l) {
        List<TuningState> past = model.drawn().stream()
                .filter(p -> p.kernels().size() == l.states().size())
                .toList();
        if (l.state().trials() == 0
                && past.stream().allMatch(p -> p.kernels().get(l.kernel()).trials() == 0)) {
            return untuned(l);
        }
        GpuFigures.Curve now =
                model.shown().get().map(s -> curve(s, l.state())).orElse(new GpuFigures.Curve("now", "now", l.state()));
        List<GpuFigures.Curve> others =
                past.stream().map(p -> curve(p, p.kernels().get(l.kernel()))).toList();
        String caption = l.task() + "  " + l.shown().work() + " (" + l.source() + ")";
        return Content.of(() -> GpuFigures.convergence(now, others, l.shown().unit(), caption));
    }

    private static GpuFigures.Curve curve(TuningState s, KernelState state) {
        return new GpuFigures.Curve(s.group(), s.title(), state);
    }

    private Content distribution(NetworkPreview l) {
        return l.state().measured().length == 0
                ? l.state().trials() == 0 ? untuned(l) : Content.empty("Nothing of " + l.task() + " ran yet")
                : Content.of(() ->
                        GpuFigures.distribution(l.task(), l.state(), l.shown().unit(), l.source()));
    }

    private Content shares(NetworkPreview l) {
        double ms = model.tuned().latencyMilliseconds();
        return Content.of(() -> GpuFigures.shares(l.network(), l.states(), l.kernel(), ms, l.source()));
    }

    private Content roofline(NetworkPreview l) {
        if (l.network().what().isMeasured()) {
            return Content.empty(
                    "Measured kernels do not say how many bytes they move, so they have no place under a roof");
        }
        String device = model.shown()
                .get()
                .filter(s -> !s.isLog())
                .map(t -> t.how().toolchain())
                .orElse(model.roofs().device().get());
        return model.roofs()
                .of(device)
                .map(gpu -> l.states().stream().allMatch(s -> s.bestGflops() <= 0)
                        ? untuned(l)
                        : Content.of(() -> GpuFigures.roofline(l.network(), l.states(), l.kernel(), gpu, l.source())))
                .orElse(Content.empty(model.roofs().absence(device)));
    }

    private Content subgraph(NetworkPreview l) {
        Optional<Schedule> best = model.tuned().best(l.kernel());
        Epilogue tail = best.map(Schedule::epilogue)
                .orElse(l.shown().tails().stream()
                        .findFirst()
                        .map(FusedTail::epilogue)
                        .orElse(Epilogue.NONE));
        Optional<SketchSource> sketches = l.shown()
                .source()
                .flatMap(s -> s instanceof SketchSource own ? Optional.of(own) : SketchSource.of(s.workload()));
        if (sketches.isEmpty()) {
            return Content.empty("The operators inside " + l.task() + " are not known");
        }
        // Where a template computes it, the drawing shows what is computed and the template's loops.
        Optional<Sketch> sketch = sketches.filter(
                        s -> l.shown().source().filter(s::equals).isPresent())
                .map(s -> s.sketches(tail)
                        .get(best.map(b -> s.space().alternative(b.configuration()))
                                .orElse(0)));
        String caption = l.task() + ": operators, and the loops of the best schedule"
                + (best.isPresent() ? " (" + l.source() + ")" : "");
        return Content.plot(() -> {
            Computation computation = sketches.get().computation(tail);
            return (width, height) -> SubgraphFigure.of(caption, computation, sketch, best, width, height);
        });
    }

    private TuningState.Belief belief(NetworkPreview l) {
        return model.shown().get().map(t -> t.belief(l.kernel())).orElse(TuningState.Belief.NONE);
    }

    private Content predictions(NetworkPreview l) {
        TuningState.Belief b = belief(l);
        return b.predicted().isEmpty()
                ? Content.empty("No cost model has predicted times of " + l.task() + "; gtuner's does")
                : Content.of(() -> GpuFigures.predictions(l.task(), b, l.source()));
    }

    private Content attention(NetworkPreview l) {
        TuningState.Belief b = belief(l);
        return b.attention().length == 0
                ? Content.empty("No graph model has been asked about " + l.task() + "; gtuner has one")
                : Content.of(() -> GpuFigures.attention(l.task(), b));
    }

    private Content losses(NetworkPreview l) {
        TuningState.Belief b = belief(l);
        if (b.loss().length > 0) {
            return Content.of(() -> GpuFigures.losses(l.task(), b));
        }
        return model.shown()
                .get()
                .flatMap(t -> t.what().weights())
                .map(w -> Content.of(() -> GpuFigures.losses(w)))
                .orElse(Content.empty("No graph model was trained for " + l.task() + " in this run"));
    }

    private Content rejections(NetworkPreview l) {
        return l.state().rejections().isEmpty()
                ? l.state().trials() == 0 ? untuned(l) : Content.empty("Nothing of " + l.task() + " was rejected")
                : Content.of(() -> GpuFigures.rejections(l.task(), l.state()));
    }

    private Content transfer(NetworkPreview l) {
        SelectionLog picks = model.shown().get().map(TuningState::picks).orElse(SelectionLog.NONE);
        return TransferFigure.hasSomething(picks.of(l.kernel()))
                ? Content.of(() -> TransferFigure.of(l.task(), l.shown().unit(), picks.of(l.kernel()), picks.reached()))
                : l.state().trials() == 0
                        ? untuned(l)
                        : Content.empty(
                                "Nothing of " + l.task()
                                        + " was predicted, and no history was used: Transfer and Deep GP transfer learn from one");
    }

    private void addCommands(BooleanExpression open) {
        BooleanExpression active = Bindings.createBooleanBinding(
                () -> model.runs().status().get().state().isActive(),
                model.runs().status());
        commands.add(GpuCommands.NEXT, () -> step(1), open);
        commands.add(GpuCommands.PREVIOUS, () -> step(-1), open);
        commands.add(GpuCommands.EXPORT_MENU, exports::show, open);
        commands.add(GpuCommands.CUDA, () -> export.source(KernelLanguage.CUDA), open);
        commands.add(GpuCommands.OPENCL, () -> export.source(KernelLanguage.OPENCL), open);
        commands.add(GpuCommands.ALL_CUDA, () -> export.allSources(KernelLanguage.CUDA), open);
        commands.add(GpuCommands.ALL_OPENCL, () -> export.allSources(KernelLanguage.OPENCL), open);
        commands.add(GpuCommands.JSON, export::json, open);
        commands.add(GpuCommands.LOG, export::log, open);
        commands.add(GpuCommands.AUTOTVM, export::autoTvm, open);
        commands.add(GpuCommands.IMPORT, export::importLog, open.and(active.not()));
        commands.add(GpuCommands.REPLAY, export::openMeasured, active.not());
        commands.add(GpuCommands.CSV, export::csv, open);
        commands.add(GpuCommands.PNG, () -> exportFigure(false), open);
        commands.add(GpuCommands.SVG, () -> exportFigure(true), open);
    }

    private void step(int direction) {
        model.network()
                .get()
                .ifPresent(n -> model.selected()
                        .set(Math.clamp(
                                model.selected().get() + direction,
                                0,
                                Math.max(0, n.kernels().size() - 1))));
    }

    private void exportFigure(boolean svg) {
        figures.get()
                .shown(
                        model.network().get().map(GpuNetwork::name).orElse("network"),
                        (name, content) -> export.figure(name, content, svg));
    }

    private List<MenuItem> exportItems() {
        return commands.menuItems(
                List.of(GpuCommands.CUDA, GpuCommands.OPENCL, GpuCommands.ALL_CUDA, GpuCommands.ALL_OPENCL),
                List.of(GpuCommands.JSON, GpuCommands.LOG, GpuCommands.AUTOTVM, GpuCommands.CSV),
                List.of(GpuCommands.PNG, GpuCommands.SVG));
    }

    /// What is shown.
    public GpuViewModel model() {
        return model;
    }

    @Override
    public Face face() {
        return new Face(WorkKind.GPU, "GPU schedules", "GPU", places, breadcrumb);
    }

    @Override
    public List<Menu> menus() {
        var run = commands.menu(
                "_Run", RunControls.VERBS, RunControls.OTHERS, List.of(GpuCommands.IMPORT, GpuCommands.REPLAY));
        var design = commands.menu("_Design", List.of(GpuCommands.NEXT, GpuCommands.PREVIOUS), DesignCommands.MENU);
        return List.of(run, design, new Menu("E_xport", null, exportItems().toArray(MenuItem[]::new)));
    }

    @Override
    public NetworkWork work() {
        return model;
    }

    @Override
    public void find() {
        graph.get().focusFind();
    }

    @Override
    public Optional<String> findsOn() {
        return Optional.of(GRAPH);
    }
}

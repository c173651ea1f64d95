package knobscape.app.ui.gpu;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.plot.FigureSet.FigureEntry;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.evaluate.EvaluatorKind;
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

/// The contents of the figures of the GPU area.
final class GpuContents {
    static final String NETWORK = "Network";
    static final String KERNEL = "Kernel";
    static final String SEARCH = "Search";

    private final GpuViewModel model;

    /// @param model what is shown
    GpuContents(GpuViewModel model) {
        this.model = model;
    }

    /// The figures in the order of their tabs.
    ///
    /// @param toTask takes the task that is clicked
    List<FigureEntry> entries(IntConsumer toTask) {
        return List.of(
                new FigureEntry(NETWORK, "Time", content(this::network), toTask),
                new FigureEntry(NETWORK, "Shares", content(this::shares), toTask),
                new FigureEntry("Roofline", "Roofline", content(this::roofline), toTask),
                new FigureEntry(KERNEL, "Convergence", content(this::convergence), toTask),
                new FigureEntry(KERNEL, "Distribution", content(this::distribution), toTask),
                new FigureEntry(KERNEL, "Subgraph", content(this::subgraph), toTask),
                new FigureEntry(KERNEL, "Why rejected", content(this::rejections), toTask),
                new FigureEntry(SEARCH, "Predicted", content(this::predictions), toTask),
                new FigureEntry(SEARCH, "Attention", content(this::attention), toTask),
                new FigureEntry(SEARCH, "Loss", content(this::losses), toTask),
                new FigureEntry(SEARCH, "Transfer", content(this::transfer), toTask));
    }

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

    private interface Maker {
        Content make(NetworkPreview l);
    }

    /// The content of a figure. Everything it needs is taken on the screen's thread, before the drawing.
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
                model.tunings().past(),
                model.tunings().ticks().changes(),
                model.roofs().changes());
    }

    private String source() {
        return model.tunings()
                .shown()
                .get()
                .filter(s -> !s.isLog())
                .map(t -> t.how().toolchain())
                .map(d -> ModelDevice.KIND.isOf(d)
                        ? TuningState.device(d)
                        : EvaluatorKind.REPLAY.isOf(d) ? "measured earlier, replayed" : "measured on " + d)
                .orElse(model.tunings().shown().get().isPresent() ? "from a log" : "");
    }

    private Content untuned(NetworkPreview l) {
        return Content.empty(l.task() + " has no trial yet"
                + (model.runs().status().get().state().isActive() ? "; it is waiting for its turn" : ": press Run"));
    }

    private Content network(NetworkPreview l) {
        Optional<TuningState> now = model.tunings().shown().get();
        List<TuningState> past = model.tunings().drawn();
        return Stream.concat(now.stream(), past.stream())
                        .allMatch(t -> t.network().isEmpty())
                ? Content.empty("The network's time is shown once a task has a kernel that ran")
                : Content.of(() -> GpuFigures.network(now, past, new TunedNetwork(l.states()).wholeMilliseconds()));
    }

    private Content convergence(NetworkPreview l) {
        List<TuningState> past = model.tunings().drawn().stream()
                .filter(p -> p.kernels().size() == l.states().size())
                .toList();
        if (l.state().trials() == 0
                && past.stream().allMatch(p -> p.kernels().get(l.kernel()).trials() == 0)) {
            return untuned(l);
        }
        GpuFigures.Curve now = model.tunings()
                .shown()
                .get()
                .map(s -> curve(s, l.state()))
                .orElse(new GpuFigures.Curve("now", "now", l.state()));
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
                ? l.state().trials() == 0 ? untuned(l) : Content.empty("No schedule of " + l.task() + " has run yet")
                : Content.of(() ->
                        GpuFigures.distribution(l.task(), l.state(), l.shown().unit(), l.source()));
    }

    private Content shares(NetworkPreview l) {
        TunedNetwork tuned = model.tuned();
        return Content.of(() -> GpuFigures.shares(l.network(), tuned, l.kernel(), l.source()));
    }

    private Content roofline(NetworkPreview l) {
        if (l.network().what().isMeasured()) {
            return Content.empty(
                    "Measured kernels do not say how many bytes they move, so they cannot be placed on a roofline");
        }
        String device = model.tunings()
                .shown()
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
        return model.tunings().shown().get().map(t -> t.belief(l.kernel())).orElse(TuningState.Belief.NONE);
    }

    private Content predictions(NetworkPreview l) {
        TuningState.Belief b = belief(l);
        return b.predicted().isEmpty()
                ? Content.empty("This run predicted no times of " + l.task() + "; the method gtuner does")
                : Content.of(() -> GpuFigures.predictions(l.task(), b, l.source()));
    }

    private Content attention(NetworkPreview l) {
        TuningState.Belief b = belief(l);
        return b.attention().length == 0
                ? Content.empty("This run used no graph model for " + l.task() + "; the method gtuner does")
                : Content.of(() -> GpuFigures.attention(l.task(), b));
    }

    private Content losses(NetworkPreview l) {
        TuningState.Belief b = belief(l);
        if (b.loss().length > 0) {
            return Content.of(() -> GpuFigures.losses(l.task(), b));
        }
        return model.tunings()
                .shown()
                .get()
                .flatMap(t -> t.what().weights())
                .map(w -> Content.of(() -> GpuFigures.losses(w)))
                .orElse(Content.empty("No graph model was trained for " + l.task() + " in this run"));
    }

    private Content rejections(NetworkPreview l) {
        return l.state().rejections().isEmpty()
                ? l.state().trials() == 0 ? untuned(l) : Content.empty("No schedule of " + l.task() + " was rejected")
                : Content.of(() -> GpuFigures.rejections(l.task(), l.state()));
    }

    private Content transfer(NetworkPreview l) {
        SelectionLog picks =
                model.tunings().shown().get().map(TuningState::picks).orElse(SelectionLog.NONE);
        return TransferFigure.hasSomething(picks.of(l.kernel()))
                ? Content.of(() -> TransferFigure.of(l.task(), l.shown().unit(), picks.of(l.kernel()), picks.reached()))
                : l.state().trials() == 0
                        ? untuned(l)
                        : Content.empty(
                                "No schedule of " + l.task()
                                        + " was predicted, and no history was used; the methods Transfer and Deep GP transfer learn from one");
    }
}

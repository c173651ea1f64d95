package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.gpu.TuningState.NetworkTime;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.Figure.Axis;
import knobscape.app.ui.plot.Figure.AxisLabel;
import knobscape.app.ui.plot.Figure.Bar;
import knobscape.app.ui.plot.Figure.Dot;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Key;
import knobscape.app.ui.plot.Figure.Line;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Rule;
import knobscape.app.ui.plot.Figure.Shape;
import knobscape.app.ui.theme.Hue;
import knobscape.evaluate.UserError;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.search.FeatureGroups;
import knobscape.gpu.source.NetworkKernel;
import knobscape.surrogate.graph.GraphModelFile;

/// The pictures of tuning as data.
final class GpuFigures {
    private static final int BINS = 24;
    private static final double HALF = 0.36;
    private static final double HEADROOM = 1.08;
    private static final double HEADROOM_WHOLE = 1.5;
    private static final double HEADROOM_PARTLY = 4;
    /// The fullest colour on which words of either theme can be read.
    private static final double STRONGEST = 0.6;

    private GpuFigures() {}

    static String gflops(double v) {
        return speed(v, "GFLOPS");
    }

    static String speed(double v, String unit) {
        return (v >= 100 ? Quantity.count(Math.round(v)) : String.format(Locale.ROOT, "%.1f", v)) + " " + unit;
    }

    static String millis(double ms) {
        if (ms >= 1e3) {
            return String.format(Locale.ROOT, "%.3g s", ms / 1e3);
        }
        return ms >= 1
                ? String.format(Locale.ROOT, "%.3g ms", ms)
                : String.format(Locale.ROOT, "%.3g \u00b5s", ms * 1e3);
    }

    /// Time of the whole network against measurements: the selected run, and the others. While tasks have not run yet,
    /// they count at the best rate so far, on a broken line.
    ///
    /// @param now the selected run, or several taken together
    /// @param past others, oldest first
    /// @param latency milliseconds of what is shown, NaN where nothing is known
    static Figure network(Optional<TuningState> now, List<TuningState> past, double latency) {
        var items = new ArrayList<Item>();
        var legend = new ArrayList<Key>();
        double right = 1;
        double least = Double.isNaN(latency) ? Double.POSITIVE_INFINITY : latency;
        double most = Double.isNaN(latency) ? 0 : latency;
        boolean someEstimated = false;
        // The unit of the figure across the window.
        boolean micros = latency < 1;
        double scale = micros ? 1e3 : 1;
        List<TuningState> all = Stream.concat(past.stream(), now.stream())
                .filter(t -> !t.network().isEmpty())
                .toList();
        for (int i = 0; i < all.size(); i++) {
            TuningState t = all.get(i);
            boolean own = now.filter(t::equals).isPresent();
            double trials = t.kernels().stream().mapToInt(KernelState::trials).sum();
            NetworkTime last = t.network().getLast();
            // A task's first schedules say little of it: of those with as many tasks the last one counts.
            List<NetworkTime> partly = new ArrayList<>();
            int begun = 0;
            for (NetworkTime p : t.network()) {
                if (p.isWhole()) {
                    break;
                }
                if (!partly.isEmpty() && partly.getLast().left() == p.left()) {
                    partly.removeLast();
                }
                partly.add(p);
                begun++;
            }
            List<NetworkTime> whole = t.network().subList(begun, t.network().size());
            right = Math.max(right, trials);
            least = Stream.concat(partly.stream(), whole.stream())
                    .mapToDouble(NetworkTime::milliseconds)
                    .reduce(least, Math::min);
            // A task's first schedule may be slow beyond all scale: what is whole decides how high the axis is.
            most = Math.max(
                    most,
                    whole.isEmpty()
                            ? HEADROOM_PARTLY * last.milliseconds()
                            : HEADROOM_WHOLE * whole.getFirst().milliseconds());
            Hue hue = own ? Hue.FRONT : Hue.group(i + 1);
            int dash = own ? 0 : 1 + i % 4;
            if (!partly.isEmpty()) {
                double end = whole.isEmpty() ? trials : whole.getFirst().trials();
                items.add(line(
                        t.title() + ", tasks that have not run at the best rate so far",
                        partly,
                        end,
                        scale,
                        hue,
                        2,
                        1));
                someEstimated = true;
            }
            if (!whole.isEmpty()) {
                items.add(line(t.title(), whole, trials, scale, hue, dash, own ? 2 : 1.4));
            }
            legend.add(new Key(
                    t.title() + ": " + (whole.isEmpty() ? "about " : "") + millis(last.milliseconds()),
                    hue,
                    dash == 0 ? Shape.LINE : Shape.DASHES,
                    dash));
        }
        if (someEstimated) {
            legend.add(new Key("tasks that have not run at the best rate so far", Hue.FRONT, Shape.DASHES, 2));
        }
        now.filter(TuningState::isBest)
                .ifPresent(t -> items.add(
                        new Rule(false, scale * latency, Hue.FRONT, false, "best of all runs " + millis(latency))));
        return new Figure(
                List.of(new Panel(
                        Axis.amount("Trials of the network", right),
                        Axis.around(
                                micros ? "Network (\u00b5s)" : "Network (ms)",
                                most > 4 * least,
                                scale * least,
                                scale * most),
                        1,
                        items)),
                legend,
                "");
    }

    private static Line line(
            String title, List<NetworkTime> times, double end, double scale, Hue hue, int dash, double width) {
        return new Line(
                title,
                DoubleStream.concat(times.stream().mapToDouble(NetworkTime::trials), DoubleStream.of(end))
                        .toArray(),
                DoubleStream.concat(
                                times.stream().mapToDouble(NetworkTime::milliseconds),
                                DoubleStream.of(times.getLast().milliseconds()))
                        .map(ms -> scale * ms)
                        .toArray(),
                hue,
                true,
                dash,
                width);
    }

    /// A run in the picture of convergence.
    ///
    /// @param group what its seeds have in common: method and device
    /// @param title of the run
    /// @param state of the selected kernel
    record Curve(String group, String title, KernelState state) {}

    /// Best speed of a kernel against measurements: the selected run, and the others; runs that differ in
    /// their seed alone are a median with a band from the worst to the best.
    ///
    /// @param now the selected run
    /// @param past others, oldest first; those without measurements are left out
    /// @param unit of speed
    static Figure convergence(Curve now, List<Curve> past, String unit, String caption) {
        var groups = new LinkedHashMap<String, List<Curve>>();
        Stream.concat(past.stream(), Stream.of(now))
                .filter(c -> c.state().trials() > 0)
                .forEach(c -> groups.computeIfAbsent(c.group(), g -> new ArrayList<>())
                        .add(c));
        int right = groups.values().stream()
                .flatMap(List::stream)
                .mapToInt(c -> c.state().trials())
                .max()
                .orElse(1);
        double top = groups.values().stream()
                .flatMap(List::stream)
                .mapToDouble(c -> c.state().bestGflops())
                .max()
                .orElse(0);
        var bands = new ArrayList<Item>();
        var lines = new ArrayList<Item>();
        var legend = new ArrayList<Key>();
        int i = 0;
        for (Map.Entry<String, List<Curve>> g : groups.entrySet()) {
            boolean own = g.getKey().equals(now.group());
            i += own ? 0 : 1;
            Hue hue = own ? Hue.FRONT : Hue.group(i);
            List<Curve> runs = g.getValue();
            if (runs.size() > 1) {
                Spread spread = Spread.of(runs, right);
                bands.add(new Figure.Band(spread.x(), spread.low(), spread.high(), hue));
                lines.add(new Line(
                        g.getKey() + ", median of " + runs.size() + " seeds",
                        spread.x(),
                        spread.middle(),
                        hue,
                        true,
                        own ? 0 : 1 + (i - 1) % 4,
                        1.8));
                legend.add(new Key(
                        g.getKey() + ", " + runs.size() + " seeds: median "
                                + speed(spread.middle()[spread.middle().length - 1], unit),
                        hue,
                        own ? Shape.LINE : Shape.DASHES));
            } else {
                lines.add(line(
                        runs.getFirst().title(),
                        runs.getFirst().state(),
                        hue,
                        own ? 0 : 1 + (i - 1) % 4,
                        own ? 2 : 1.4));
                legend.add(new Key(
                        runs.getFirst().title() + ": " + found(runs.getFirst().state(), unit),
                        hue,
                        own ? Shape.LINE : Shape.DASHES));
            }
        }
        List<Curve> mine = groups.getOrDefault(now.group(), List.of());
        if (mine.size() > 1 && now.state().trials() > 0) {
            lines.add(line(now.title(), now.state(), Hue.SELECTED, 2, 1.4));
            legend.add(new Key(now.title() + ": " + found(now.state(), unit), Hue.SELECTED, Shape.DASHES));
        }
        bands.addAll(lines);
        return new Figure(
                List.of(new Panel(
                        Axis.amount("Trials of the task", right),
                        Axis.linear("Best " + unit, 0, Math.max(top, 1e-9) * HEADROOM),
                        1,
                        bands)),
                legend,
                caption);
    }

    private static String found(KernelState s, String unit) {
        return s.bestGflops() > 0 ? speed(s.bestGflops(), unit) : "nothing ran yet";
    }

    /// The spread of several runs after so many measurements; a run that ended keeps what it had.
    private record Spread(double[] x, double[] low, double[] middle, double[] high) {
        private static final int POINTS = 400;

        static Spread of(List<Curve> runs, int right) {
            int n = Math.min(right, POINTS);
            var s = new Spread(new double[n], new double[n], new double[n], new double[n]);
            for (int i = 0; i < n; i++) {
                int at = n == 1 ? 1 : 1 + (int) Math.round((right - 1.0) * i / (n - 1));
                double[] values = runs.stream()
                        .map(r -> r.state().curve())
                        .mapToDouble(c -> c[Math.min(at, c.length) - 1])
                        .sorted()
                        .toArray();
                s.x[i] = at;
                s.low[i] = values[0];
                s.high[i] = values[values.length - 1];
                s.middle[i] = (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
            }
            return s;
        }
    }

    private static Line line(String title, KernelState s, Hue hue, int dash, double width) {
        double[] x = new double[s.trials()];
        Arrays.setAll(x, k -> k + 1);
        return new Line(title, x, s.curve(), hue, true, dash, width);
    }

    /// How many kernels of a task reached how many GFLOPS.
    static Figure distribution(String task, KernelState s, String unit, String source) {
        double top = Math.max(s.bestGflops(), 1e-9) * 1.0001;
        int[] count = new int[BINS];
        for (double v : s.measured()) {
            count[(int) Math.min(BINS - 1, v / top * BINS)]++;
        }
        int most = Arrays.stream(count).max().orElse(1);
        var items = new ArrayList<Item>();
        for (int b = 0; b < BINS; b++) {
            if (count[b] > 0) {
                items.add(new Bar(
                        top * b / BINS + top * 0.002,
                        top * (b + 1) / BINS - top * 0.002,
                        0,
                        count[b],
                        Hue.FRONT,
                        1,
                        count[b]
                                + (count[b] == 1 ? " kernel" : " kernels")
                                + String.format(
                                        Locale.ROOT,
                                        " from %.4g to %.4g %s",
                                        top * b / BINS,
                                        top * (b + 1) / BINS,
                                        unit),
                        Figure.NO_KEY));
            }
        }
        double[] sorted = s.measured().clone();
        Arrays.sort(sorted);
        if (sorted.length > 0) {
            items.add(new Rule(true, sorted[sorted.length / 2], Hue.BASELINE, true, "median"));
        }
        int invalid =
                s.rejections().values().stream().mapToInt(Integer::intValue).sum();
        return new Figure(
                List.of(new Panel(
                        Axis.linear(unit + " (" + source + ")", 0, top * 1.02),
                        Axis.amount("Kernels", most * 1.1),
                        1,
                        items)),
                List.of(),
                task + ": " + Quantity.count(sorted.length) + " ran, " + Quantity.count(invalid) + " rejected, "
                        + Quantity.count(s.effort().failures()) + " failed or took too long");
    }

    /// All that was measured of a task, and the best of the others, against the roofs of the device.
    static Figure roofline(GpuNetwork n, List<KernelState> states, int chosen, DevicePeaks.Roof gpu, String source) {
        double ridge = gpu.peakGflops() / gpu.memoryGbs();
        double left = ridge;
        double right = ridge;
        double low = gpu.peakGflops();
        var items = new ArrayList<Item>();
        for (int k = 0; k < n.kernels().size(); k++) {
            double x = n.kernels().get(k).intensity().orElseThrow();
            left = Math.min(left, x);
            right = Math.max(right, x);
            KernelState s = states.get(k);
            String name = n.title(k);
            if (k == chosen) {
                for (double v : s.measured()) {
                    items.add(new Dot(x, v, Shape.DOT, Hue.DOMINATED, "", Figure.NO_KEY));
                    low = Math.min(low, Math.max(v, s.bestGflops() / 1000));
                }
            }
            if (s.bestGflops() > 0) {
                low = Math.min(low, s.bestGflops());
                double roof = gpu.most(n.kernels().get(k));
                items.add(new Dot(
                        x,
                        s.bestGflops(),
                        k == chosen ? Shape.SQUARE : Shape.DISC,
                        k == chosen ? Hue.SELECTED : Hue.FRONT,
                        name + "  " + n.kernels().get(k).work() + "\n" + gflops(s.bestGflops())
                                + String.format(
                                        Locale.ROOT,
                                        ", %.0f %% of its roof%n%.3g FLOP per byte at least",
                                        100 * s.bestGflops() / roof,
                                        x),
                        k));
            }
        }
        left /= 2;
        right *= 2;
        items.addFirst(new Line(
                "",
                new double[] {left, ridge, right},
                new double[] {left * gpu.memoryGbs(), gpu.peakGflops(), gpu.peakGflops()},
                Hue.MUTED,
                false,
                0,
                1.6));
        items.add(new Rule(false, gpu.peakGflops(), Hue.MUTED, true, gflops(gpu.peakGflops())));
        double top = n.kernels().stream().mapToDouble(gpu::peak).max().orElse(0);
        if (top > gpu.peakGflops()) {
            boolean integers = n.kernels().stream().anyMatch(NetworkKernel::isOfIntegers);
            items.add(new Rule(
                    false,
                    top,
                    Hue.MUTED,
                    true,
                    integers ? speed(top, "GOPS") + " on 8-bit integers" : gflops(top) + " on tensor cores"));
        }
        return new Figure(
                List.of(new Panel(
                        Axis.log("FLOP per byte (each tensor moved once)", left, right),
                        Axis.log(
                                n.kernels().stream().anyMatch(NetworkKernel::isOfIntegers) ? "GFLOPS, GOPS" : "GFLOPS",
                                Math.min(low, left * gpu.memoryGbs()) / 1.5,
                                Math.max(top, gpu.peakGflops()) * 1.8),
                        1,
                        items)),
                List.of(
                        new Key("best of a task", Hue.FRONT, Shape.DISC),
                        new Key("selected task", Hue.SELECTED, Shape.SQUARE),
                        new Key("its other kernels", Hue.DOMINATED, Shape.DOT)),
                gpu.label() + ": "
                        + String.format(Locale.ROOT, "%.0f GB/s memory; points: %s", gpu.memoryGbs(), source));
    }

    /// Share of every task in operations and in time.
    static Figure shares(GpuNetwork n, TunedNetwork tuned, int chosen, String source) {
        List<KernelState> states = tuned.states();
        double flops =
                n.kernels().stream().mapToDouble(NetworkKernel::totalFlops).sum();
        double whole = tuned.wholeMilliseconds();
        var items = new ArrayList<Item>();
        var names = new ArrayList<AxisLabel>();
        double most = 1e-9;
        for (int k = 0; k < n.kernels().size(); k++) {
            NetworkKernel kernel = n.kernels().get(k);
            double f = flops > 0 ? 100 * kernel.totalFlops() / flops : 0;
            double t = whole > 0 && states.get(k).placesMilliseconds() > 0
                    ? 100 * states.get(k).placesMilliseconds() / whole
                    : 0;
            String tip =
                    n.title(k) + "  " + kernel.work() + String.format(Locale.ROOT, "%n%.1f %% of the operations", f)
                            + (t > 0
                                    ? String.format(
                                            Locale.ROOT,
                                            "%n%.1f %% of the time, %d \u00d7 %s",
                                            t,
                                            kernel.count(),
                                            millis(states.get(k).bestMilliseconds()))
                                    : "");
            double middle = whole > 0 ? k + 1 : k + 1 + HALF / 2;
            items.add(new Bar(middle - HALF, middle, 0, f, Hue.DOMINATED, k == chosen ? 1 : 0.6, tip, k));
            if (whole > 0) {
                items.add(new Bar(middle, middle + HALF, 0, t, Hue.FRONT, 1, tip, k));
            }
            names.add(new AxisLabel(k + 1, n.title(k)));
            most = Math.max(most, Math.max(f, t));
        }
        items.add(new Rule(true, chosen + 1, Hue.SELECTED, true, ""));
        return new Figure(
                List.of(new Panel(
                        Axis.words("Task", 0.5, n.kernels().size() + 0.5, names),
                        Axis.linear("Share (%)", 0, most * HEADROOM),
                        1,
                        items)),
                whole > 0
                        ? List.of(
                                new Key("operations", Hue.DOMINATED, Shape.BOX),
                                new Key("time of the best kernels", Hue.FRONT, Shape.BOX))
                        : List.of(new Key("operations", Hue.DOMINATED, Shape.BOX)),
                whole > 0
                        ? tuned.soFar()
                                        .map(f -> "Kernels of the network: " + f.words())
                                        .orElse("Kernels of the network together: " + millis(whole))
                                + " (" + source + ")"
                        : "");
    }

    /// Why kernels were rejected before they ran.
    static Figure rejections(String task, KernelState s) {
        List<Map.Entry<String, Integer>> all = s.rejections().entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(8)
                .toList();
        var items = new ArrayList<Item>();
        int most = all.stream().mapToInt(Map.Entry::getValue).max().orElse(1);
        int n = all.size();
        for (int i = 0; i < n; i++) {
            double y = n - i;
            String words = all.get(i).getKey();
            items.add(new Bar(
                    0,
                    all.get(i).getValue(),
                    y - 0.42,
                    y - 0.08,
                    Hue.INVALID,
                    1,
                    words + "\n" + all.get(i).getValue() + " times",
                    Figure.NO_KEY));
            items.add(new Figure.Words(0, y, all.get(i).getValue() + "   " + words, Hue.TEXT, false));
        }
        return new Figure(
                List.of(new Panel(
                        Axis.amount("Configurations", most * 1.1),
                        Axis.words("", 0.4, n + 0.6, List.of(new AxisLabel(-1, " "))),
                        1,
                        items)),
                List.of(),
                task + ": rejected before they ran, by the first reason found");
    }

    /// Times that a cost model predicted against those measured.
    static Figure predictions(String task, TuningState.Belief belief, String source) {
        double low = Double.POSITIVE_INFINITY;
        double high = 0;
        var items = new ArrayList<Item>();
        for (double[] pair : belief.predicted()) {
            low = Math.min(low, Math.min(pair[0], pair[1]));
            high = Math.max(high, Math.max(pair[0], pair[1]));
            items.add(new Dot(
                    pair[0],
                    pair[1],
                    Shape.DISC,
                    Hue.FRONT,
                    "predicted " + millis(pair[0]) + "\nresult " + millis(pair[1]),
                    Figure.NO_KEY));
        }
        items.addFirst(
                new Line("as predicted", new double[] {low, high}, new double[] {low, high}, Hue.MUTED, false, 2, 1.4));
        return new Figure(
                List.of(new Panel(
                        Axis.around("Predicted (ms)", true, low, high),
                        Axis.around("Result (ms, " + source + ")", true, low, high),
                        1,
                        items)),
                List.of(new Key("a schedule", Hue.FRONT, Shape.DISC), new Key("as predicted", Hue.MUTED, Shape.DASHES)),
                task + ": " + Quantity.count(belief.predicted().size())
                        + " schedules by what the cost model expected of them");
    }

    /// The attention of a graph model's heads to a kernel.
    static Figure attention(String task, TuningState.Belief belief) {
        var panels = new ArrayList<Panel>();
        List<String> groups = FeatureGroups.names();
        int heads = belief.attention().length / groups.size();
        if (heads > 0) {
            double most = Math.max(1e-9, Arrays.stream(belief.attention()).max().orElse(0));
            var items = new ArrayList<Item>();
            var across = new ArrayList<AxisLabel>();
            var upwards = new ArrayList<AxisLabel>();
            for (int h = 0; h < heads; h++) {
                double y = heads - h;
                upwards.addFirst(new AxisLabel(y, heads == 1 ? "all" : "head " + (h + 1)));
                for (int g = 0; g < groups.size(); g++) {
                    double share = belief.attention()[h * groups.size() + g];
                    String words = String.format(Locale.ROOT, "%.0f %%", 100 * share);
                    items.add(new Bar(
                            g + 0.52,
                            g + 1.48,
                            y - 0.48,
                            y + 0.48,
                            Hue.FRONT,
                            Math.clamp(STRONGEST * share / most, 0.04, STRONGEST),
                            groups.get(g) + ": " + words,
                            Figure.NO_KEY));
                    items.add(new Figure.Words(g + 1, y, words, Hue.TEXT, true));
                }
            }
            for (int g = 0; g < groups.size(); g++) {
                across.add(new AxisLabel(g + 1, groups.get(g)));
            }
            panels.add(new Panel(
                    Axis.words("Features", 0.5, groups.size() + 0.5, across),
                    Axis.words("", 0.5, heads + 0.5, upwards),
                    1,
                    items));
        }
        return new Figure(panels, List.of(), task + ": share of each group of features in what the model's heads read");
    }

    /// Loss of the last training of a kernel's model, by epoch.
    static Figure losses(String task, TuningState.Belief belief) {
        return losses(belief.loss(), task + ": the model's last training on the measurements of the run");
    }

    /// Loss of the training of the model that a run began with, by epoch; words where its file is not as it was.
    static Figure losses(WeightsUse weights) {
        try {
            GraphModelFile.TrainedModel trained = weights.trained();
            return losses(
                    trained.curve(),
                    "Before the run: training on "
                            + Quantity.count(trained.provenance().rows()) + " schedules of "
                            + trained.provenance().networks());
        } catch (UserError e) {
            return losses(new double[0], e.getMessage());
        }
    }

    private static Figure losses(double[] loss, String caption) {
        double[] epochs = new double[loss.length];
        Arrays.setAll(epochs, i -> i + 1);
        return new Figure(
                List.of(new Panel(
                        Axis.amount("Epoch", Math.max(1, loss.length)),
                        Axis.around(
                                "Loss",
                                true,
                                Arrays.stream(loss).min().orElse(1e-3),
                                Arrays.stream(loss).max().orElse(1)),
                        1,
                        List.of(new Line("loss", epochs, loss, Hue.FRONT, false, 0, 2)))),
                List.of(),
                caption);
    }
}

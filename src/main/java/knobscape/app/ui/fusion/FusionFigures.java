package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
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
import knobscape.app.ui.plot.Figure.Words;
import knobscape.app.ui.theme.Hue;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.evaluate.FusionReport.Bound;
import knobscape.fusion.evaluate.FusionReport.Group;
import knobscape.fusion.evaluate.FusionReport.Layer;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;

/// The pictures of layer fusion as data. Every number is one of the cost model.
final class FusionFigures {
    private static final double MEGA = 1e6;
    private static final double MICRO = 1e6;
    private static final double HALF = 0.42;
    private static final double HEADROOM = 1.12;
    private static final double ROOMY = 1.25;
    private static final double LEAST_BATCH = 0.7;
    private static final int SYNC_KEY = Figure.NO_KEY;
    private static final List<Key> BOUNDS = List.of(
            new Key("compute", Hue.FRONT, Shape.BOX),
            new Key("off-chip memory", Hue.INVALID, Shape.BOX),
            new Key("on-chip buffer", Hue.PINNED, Shape.BOX),
            new Key("launches", Hue.PREDICTED, Shape.BOX));

    private FusionFigures() {}

    static String bound(Bound b) {
        return switch (b) {
            case COMPUTE -> "compute";
            case OFF_CHIP -> "off-chip memory";
            case ON_CHIP -> "on-chip buffer";
            case LAUNCH -> "launches";
        };
    }

    static Hue hue(Bound b) {
        return switch (b) {
            case COMPUTE -> Hue.FRONT;
            case OFF_CHIP -> Hue.INVALID;
            case ON_CHIP -> Hue.PINNED;
            case LAUNCH -> Hue.PREDICTED;
        };
    }

    static String micros(double seconds) {
        return String.format(
                Locale.ROOT,
                seconds * MICRO >= 100 ? "%.0f \u00b5s" : seconds * MICRO >= 10 ? "%.1f \u00b5s" : "%.2f \u00b5s",
                seconds * MICRO);
    }

    /// Micro-batch, room on chip and time of every layer, one above the other. Colour says what bounds a layer and
    /// nothing else; groups are numbered bands.
    ///
    /// @param chosen the selected layer
    static Figure layers(FusionCostModel model, FusionReport r, int chosen) {
        int n = model.layers();
        FusionReport alone = model.report(Strategy.noFusion(n, model.batch()));
        var micro = new ArrayList<Item>();
        var room = new ArrayList<Item>();
        var time = new ArrayList<Item>();
        double top = Math.max(r.budgetBytes(), r.cost().peakBytes()) / MEGA * ROOMY;
        double slowest = Math.max(slowest(r.layers()), slowest(alone.layers())) * HEADROOM;
        double most = model.batch() * 6.0;
        Axis across = Axis.count("Layer", 1, n);
        int g = 0;
        int fused = 0;
        for (Group group : r.groups()) {
            g++;
            if (group.last() > group.first()) {
                double left = group.first() - 0.5;
                double right = group.last() + 0.5;
                double strength = fused++ % 2 == 0 ? 0.14 : 0.3;
                micro.add(new Bar(left, right, LEAST_BATCH, most, Hue.MUTED, strength, "", Figure.NO_KEY));
                if (right - left > n / 40.0) {
                    micro.add(new Words((left + right) / 2, model.batch() * 2.0, "" + g, Hue.MUTED, true));
                }
            }
            double used = 0;
            for (Layer l : group.layers()) {
                int i = l.index();
                String tip = tip(r, l, g);
                micro.add(bar(i, HALF, LEAST_BATCH, l.microBatch(), Hue.DOMINATED, tip));
                if (r.strategy().get(i) <= 0) {
                    micro.add(new Dot(i, l.microBatch(), Shape.RING, Hue.TEXT, tip, i));
                }
                double bytes = l.stagedBytes() / MEGA;
                room.add(new Bar(i - 0.5, i + 0.5, 0, used, Hue.DOMINATED, 0.3, tip, i));
                room.add(bar(i, 0.5, used, used + bytes, Hue.DOMINATED, tip));
                used += bytes;
                time.add(bar(i, 0.36, 0, l.seconds() * MICRO, hue(l.bound()), tip));
            }
        }
        time.add(new Line(
                "without fusion",
                IntStream.rangeClosed(0, n).mapToDouble(i -> i + 0.5).toArray(),
                IntStream.rangeClosed(0, n)
                        .mapToDouble(i -> alone.layers().get(Math.min(i, n - 1)).seconds() * MICRO)
                        .toArray(),
                Hue.MUTED,
                true,
                1,
                1.3));
        room.add(new Rule(
                false,
                r.budgetBytes() / MEGA,
                r.isValid() ? Hue.MUTED : Hue.INVALID,
                true,
                "buffer " + ByteSize.shown(r.budgetBytes())));
        if (chosen >= 1) {
            List.of(micro, room, time).forEach(l -> l.add(new Rule(true, chosen, Hue.SELECTED, true, "")));
        }
        var legend = new ArrayList<>(BOUNDS);
        legend.add(new Key("without fusion", Hue.MUTED, Shape.DASHES));
        legend.add(new Key("output goes off chip", Hue.TEXT, Shape.RING));
        return new Figure(
                List.of(
                        new Panel(across, batches("Micro-batch", model.batch(), most), 3, micro),
                        new Panel(across, Axis.linear("On chip (MB)", 0, top), 3, room),
                        new Panel(across, Axis.linear("Time (\u00b5s)", 0, slowest), 3, time)),
                legend,
                "Bands with numbers are the groups of fused layers");
    }

    private static double slowest(List<Layer> layers) {
        return layers.stream().mapToDouble(Layer::seconds).max().orElse(0) * MICRO;
    }

    /// A bar of full strength around a layer or group, which a click selects.
    private static Bar bar(int at, double half, double bottom, double top, Hue hue, String tip) {
        return new Bar(at - half, at + half, bottom, top, hue, 1, tip, at);
    }

    private static Axis batches(String label, int batch, double most) {
        var named = new ArrayList<AxisLabel>();
        for (int m = 1; m <= batch; m *= 4) {
            named.add(new AxisLabel(m, Integer.toString(m)));
        }
        return new Axis(label, true, LEAST_BATCH, most, false, named);
    }

    private static String tip(FusionReport r, Layer l, int group) {
        boolean staged = r.strategy().get(l.index()) > 0;
        return "Layer " + l.index() + "  " + l.name() + "\n"
                + (staged ? "stages its output, " : "output goes off chip, ") + "micro-batch " + l.microBatch() + ", "
                + l.launches()
                + (l.launches() == 1 ? " launch" : " launches") + "\n" + micros(l.seconds()) + ", bound by "
                + bound(l.bound()) + "\non chip " + ByteSize.shown(l.stagedBytes())
                + ", off-chip traffic " + ByteSize.shown(l.traffic().offChipBytes()) + "\ngroup " + group + " of "
                + r.groups().size();
    }

    /// Every layer against the roofs of compute and off-chip bandwidth.
    static Figure roofline(FusionCostModel model, FusionReport r, int chosen) {
        double rate = model.accelerator().rate();
        double bandwidth = model.accelerator().offChipBandwidth();
        var points = new ArrayList<Item>();
        double low = Double.POSITIVE_INFINITY;
        double high = 0;
        double slow = rate;
        for (Layer l : r.layers()) {
            double macs = (double) model.network().macs(l.index()) * model.batch();
            double intensity = macs / Math.max(1, l.traffic().offChipBytes());
            double reached = macs / l.seconds();
            if (macs > 0) {
                low = Math.min(low, intensity);
                high = Math.max(high, intensity);
                slow = Math.min(slow, reached);
                points.add(new Dot(
                        intensity,
                        reached / 1e12,
                        l.index() == chosen ? Shape.SQUARE : Shape.DISC,
                        hue(l.bound()),
                        "Layer " + l.index() + "  " + l.name() + "\n"
                                + String.format(
                                        Locale.ROOT, "%.1f MAC/B off-chip, %.2f TMAC/s", intensity, reached / 1e12)
                                + "\nbound by " + bound(l.bound()),
                        l.index()));
            }
        }
        double ridge = rate / bandwidth;
        double left = Math.min(low, ridge) / 2;
        double right = Math.max(high, ridge) * 2;
        var items = new ArrayList<Item>();
        items.add(new Line(
                "",
                new double[] {left, ridge, right},
                new double[] {left * bandwidth / 1e12, rate / 1e12, rate / 1e12},
                Hue.MUTED,
                false,
                0,
                1.6));
        items.addAll(points);
        items.add(new Rule(
                false,
                rate / 1e12,
                Hue.MUTED,
                true,
                String.format(Locale.ROOT, rate >= 1e14 ? "%.0f TMAC/s" : "%.2f TMAC/s", rate / 1e12)));
        return new Figure(
                List.of(new Panel(
                        Axis.log("MACs per byte of off-chip traffic", left, right),
                        Axis.log("TMAC/s", Math.min(slow / 1e12, left * bandwidth / 1e12) / 1.5, rate / 1e12 * 1.8),
                        1,
                        items)),
                BOUNDS,
                String.format(
                        Locale.ROOT,
                        "The slope is the off-chip bandwidth, %.0f GB/s. Points below both roofs wait for the on-chip buffer or for launches.",
                        bandwidth / 1e9));
    }

    /// Best speedup against evaluations of several searches.
    static Figure convergence(List<SpeedupCurve> curves) {
        double right = curves.stream()
                .flatMap(c -> c.evaluations().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        double high = curves.stream()
                .flatMap(c -> c.speedups().stream())
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        double low = curves.stream()
                .flatMap(c -> c.speedups().stream())
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .min()
                .orElse(0.9);
        var items = new ArrayList<Item>();
        var legend = new ArrayList<Key>();
        for (int i = 0; i < curves.size(); i++) {
            SpeedupCurve c = curves.get(i);
            double[] x =
                    c.evaluations().stream().mapToDouble(Integer::doubleValue).toArray();
            double[] y = c.speedups().stream().mapToDouble(Double::doubleValue).toArray();
            Hue hue = Hue.group(i);
            items.add(new Line(c.title(), x, y, hue, true, i / 4, 1.8));
            String best = y.length == 0 ? "nothing fits yet" : String.format(Locale.ROOT, "%.2f", y[y.length - 1]);
            legend.add(new Key(c.title() + ": " + best, hue, i < 4 ? Shape.LINE : Shape.DASHES));
        }
        return new Figure(
                List.of(new Panel(
                        Axis.amount("Strategies evaluated", right),
                        Axis.linear(
                                "Best speedup that fits", Math.max(0, low - (high - low) * 0.05 - 0.02), high * 1.05),
                        1,
                        items)),
                legend,
                "");
    }

    /// Two strategies layer by layer (as Fig. 4 of the DNNFuser paper): micro-batches and times side by side.
    static Figure comparison(
            FusionCostModel model, FusionReport now, String nowName, FusionReport other, String otherName) {
        int n = model.layers();
        double most = model.batch() * 1.5;
        var micro = new ArrayList<Item>();
        var time = new ArrayList<Item>();
        double slowest = 1e-9;
        for (int i = 1; i <= n; i++) {
            Layer a = now.layers().get(i - 1);
            Layer b = other.layers().get(i - 1);
            pair(micro, i, now.strategy().get(i), other.strategy().get(i), a, b);
            String tip = "Layer " + i + "  " + a.name() + "\n" + nowName + ": " + micros(a.seconds()) + "\n" + otherName
                    + ": " + micros(b.seconds());
            time.add(new Bar(i - HALF, i, 0, a.seconds() * MICRO, Hue.FRONT, 1, tip, i));
            time.add(new Bar(i, i + HALF, 0, b.seconds() * MICRO, Hue.PINNED, 1, tip, i));
            slowest = Math.max(slowest, Math.max(a.seconds(), b.seconds()) * MICRO);
        }
        Axis across = Axis.count("Layer", 1, n);
        return new Figure(
                List.of(
                        new Panel(across, batches("Micro-batch", model.batch(), most), 1, micro),
                        new Panel(across, Axis.linear("Time (\u00b5s)", 0, slowest * HEADROOM), 1, time)),
                List.of(
                        new Key(nowName + ", " + summary(now), Hue.FRONT, Shape.BOX),
                        new Key(otherName + ", " + summary(other), Hue.PINNED, Shape.BOX),
                        new Key("synchronises", Hue.MUTED, Shape.CROSS)),
                "");
    }

    private static void pair(List<Item> micro, int i, int a, int b, Layer now, Layer other) {
        entry(micro, i, i - HALF, i, a, now, Hue.FRONT);
        entry(micro, i, i, i + HALF, b, other, Hue.PINNED);
    }

    private static void entry(List<Item> micro, int i, double left, double right, int value, Layer l, Hue hue) {
        String tip = "Layer " + i + "  " + l.name() + "\n" + (value > 0 ? "micro-batch " + value : "synchronises");
        if (value > 0) {
            micro.add(new Bar(left, right, LEAST_BATCH, value, hue, 1, tip, i));
        } else {
            micro.add(new Dot((left + right) / 2, LEAST_BATCH * 1.35, Shape.CROSS, hue, tip, SYNC_KEY));
        }
    }

    private static String summary(FusionReport r) {
        return String.format(
                Locale.ROOT,
                "speedup %.2f, %s",
                r.speedup(),
                ByteSize.shown(r.cost().peakBytes()));
    }
}

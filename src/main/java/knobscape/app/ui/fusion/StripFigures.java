package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import javafx.beans.binding.Bindings;
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
import knobscape.app.ui.plot.FigureSet.FigureEntry;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.theme.Hue;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.ByteSize;

/// The pictures of the exact answers in strips as data.
final class StripFigures {
    private static final double MEGA = 1e6;
    private static final double MICRO = 1e6;
    private static final double HEADROOM = 1.12;

    private StripFigures() {}

    /// The figures of the exact answers, each made anew when they change.
    static List<FigureEntry> entries(StripCurves strips) {
        return List.of(
                entry("Buffer", strips, StripFigures::curve),
                entry("Groups", strips, s -> answered(s, StripFigures::groups)),
                entry("Pareto", strips, s -> answered(s, StripFigures::front)),
                entry("Timeline", strips, s -> answered(s, StripFigures::timeline)));
    }

    private static FigureEntry entry(String title, StripCurves strips, Function<StripCurves, Content> content) {
        return new FigureEntry(
                "Answer",
                title,
                Bindings.createObjectBinding(() -> content.apply(strips), strips.answer(), strips.curve()),
                _ -> {});
    }

    private static Content curve(StripCurves strips) {
        Optional<StripReport> report = strips.answer().get();
        return strips.curve()
                .get()
                .map(StripCurves.Exact::curve)
                .filter(c -> c.points().stream().anyMatch(p -> p.answer().isPresent()))
                .map(c -> Content.of(() -> curve(c, report)))
                .orElseGet(() -> Content.empty("The exact answers for all sizes of the buffer are computed"));
    }

    private static Content answered(StripCurves strips, Function<StripReport, Figure> figure) {
        Optional<StripReport> report = strips.answer().get();
        return report.map(r -> Content.of(() -> figure.apply(r))).orElseGet(() -> Content.empty(strips.pending()));
    }

    /// Time and traffic of the exact answers over the buffer, with the knee and the answer shown.
    static Figure curve(StripSweep.Curve curve, Optional<StripReport> shown) {
        List<StripSweep.Point> points =
                curve.points().stream().filter(p -> p.answer().isPresent()).toList();
        double[] size = points.stream().mapToDouble(p -> p.value() / MEGA).toArray();
        List<StripAnswer> answers =
                points.stream().flatMap(p -> p.answer().stream()).toList();
        double[] time =
                answers.stream().mapToDouble(a -> a.total().seconds() * MICRO).toArray();
        double[] off =
                answers.stream().mapToDouble(a -> a.total().offChip() / MEGA).toArray();
        StripAnswer first = answers.getFirst();
        double now = shown.map(r -> r.model().machine().buffer() / MEGA).orElse(size[0]);
        Axis across = Axis.log("Buffer (MB)", Math.min(size[0], now), Math.max(size[size.length - 1], now));
        return new Figure(
                List.of(
                        new Panel(
                                across,
                                Axis.linear("Time (\u00b5s)", 0, highest(time) * HEADROOM),
                                3,
                                curve(curve, size, time, first.bound().seconds() * MICRO, answers, shown.map(r ->
                                        new double[] {now, r.answer().total().seconds() * MICRO}))),
                        new Panel(
                                across,
                                Axis.linear("Off chip (MB)", 0, highest(off) * HEADROOM),
                                2,
                                curve(curve, size, off, first.bound().offChip() / MEGA, answers, shown.map(r ->
                                        new double[] {now, r.answer().total().offChip() / MEGA})))),
                List.of(
                        new Key("exact answers", Hue.FRONT, Shape.LINE),
                        new Key("shown", Hue.SELECTED, Shape.DIAMOND),
                        new Key("least possible", Hue.MUTED, Shape.DASHES)),
                "");
    }

    private static double highest(double[] values) {
        return java.util.Arrays.stream(values).max().orElse(1);
    }

    private static List<Item> curve(
            StripSweep.Curve curve,
            double[] size,
            double[] value,
            double bound,
            List<StripAnswer> answers,
            Optional<double[]> shown) {
        var items = new ArrayList<Item>();
        items.add(new Line("exact answers", size, value, Hue.FRONT, true, 0, 1.8));
        for (int i = 0; i < size.length; i++) {
            String tip = String.format(Locale.ROOT, "%.3g MB: ", size[i]) + words(answers.get(i));
            items.add(new Dot(size[i], value[i], Shape.DOT, Hue.FRONT, tip, Figure.NO_KEY));
        }
        items.add(new Rule(false, bound, Hue.MUTED, true, ""));
        if (curve.knee() >= 0) {
            double knee = curve.points().get(curve.knee()).value();
            items.add(new Rule(true, knee / MEGA, Hue.PINNED, true, "knee"));
        }
        shown.ifPresent(s -> items.add(new Dot(s[0], s[1], Shape.DIAMOND, Hue.SELECTED, "shown", Figure.NO_KEY)));
        return items;
    }

    private static String words(StripAnswer a) {
        return FusionFigures.micros(a.total().seconds()) + ", "
                + ByteSize.shown(a.total().offChip()) + " off chip, "
                + StripView.times(a.speedup()) + ", room " + ByteSize.shown(a.room()) + ", "
                + a.groups().size() + (a.groups().size() == 1 ? " group" : " groups");
    }

    private static Hue hue(StripReport.Wait wait) {
        return switch (wait) {
            case COMPUTE -> Hue.FRONT;
            case OFF_CHIP -> Hue.INVALID;
            case ON_CHIP -> Hue.PINNED;
            case LAUNCHES -> Hue.PREDICTED;
        };
    }

    private static List<Key> waits() {
        var keys = new ArrayList<Key>();
        for (StripReport.Wait w : StripReport.Wait.values()) {
            keys.add(new Key("bound by " + w.words(), hue(w), Shape.BOX));
        }
        return keys;
    }

    private static String tip(StripReport r, int number, StripReport.Group g) {
        return "Group " + number + ": " + r.layers(g.plan()) + "\n"
                + g.plan().pieces().samples() + " samples, "
                + "rows " + r.strips(g.plan()) + "\n"
                + FusionFigures.micros(g.plan().cost().seconds()) + ", bound by "
                + g.waits().words() + "\noff chip "
                + ByteSize.shown(g.plan().cost().offChip()) + " (inputs "
                + ByteSize.shown(g.parts().input())
                + ", results " + ByteSize.shown(g.parts().output()) + ", weights "
                + ByteSize.shown(g.parts().weights()) + ", again "
                + ByteSize.shown(g.parts().again()) + ")\nroom "
                + ByteSize.shown(g.plan().room());
    }

    /// Time, traffic and room of every group.
    static Figure groups(StripReport r) {
        List<StripReport.Group> groups = r.groups();
        var time = new ArrayList<Item>();
        var off = new ArrayList<Item>();
        var room = new ArrayList<Item>();
        double buffer = r.model().machine().buffer() / MEGA;
        double slowest = 0;
        double most = 0;
        for (int i = 0; i < groups.size(); i++) {
            StripReport.Group g = groups.get(i);
            int n = i + 1;
            String tip = tip(r, n, g);
            double us = g.plan().cost().seconds() * MICRO;
            slowest = Math.max(slowest, us);
            most = Math.max(most, g.plan().cost().offChip() / MEGA);
            time.add(new Bar(n - 0.36, n + 0.36, 0, us, hue(g.waits()), 1, tip, Figure.NO_KEY));
            double at = 0;
            double[] parts = {
                g.parts().input(),
                g.parts().output(),
                g.parts().weights(),
                g.parts().again()
            };
            for (int p = 0; p < parts.length; p++) {
                double top = at + parts[p] / MEGA;
                off.add(new Bar(n - 0.36, n + 0.36, at, top, PARTS.get(p).hue(), 1, tip, Figure.NO_KEY));
                at = top;
            }
            room.add(new Bar(n - 0.36, n + 0.36, 0, g.plan().room() / MEGA, Hue.DOMINATED, 1, tip, Figure.NO_KEY));
        }
        room.add(new Rule(false, buffer, Hue.MUTED, true, "buffer"));
        Axis across = Axis.count("Group", 1, groups.size());
        var legend = new ArrayList<>(waits());
        legend.addAll(PARTS);
        return new Figure(
                List.of(
                        new Panel(across, Axis.linear("Time (\u00b5s)", 0, slowest * HEADROOM), 2, time),
                        new Panel(across, Axis.linear("Off chip (MB)", 0, most * HEADROOM), 2, off),
                        new Panel(across, Axis.linear("Room (MB)", 0, buffer * 1.25), 1, room)),
                legend,
                "");
    }

    private static final List<Key> PARTS = List.of(
            new Key("inputs", Hue.DOMINATED, Shape.BOX),
            new Key("results", Hue.SELECTED, Shape.BOX),
            new Key("weights once", Hue.BASELINE, Shape.BOX),
            new Key("loaded again", Hue.INVALID, Shape.BOX));

    /// The exact front of time against off-chip traffic under the buffer, the least possible and every layer alone.
    static Figure front(StripReport r) {
        List<StripAnswer> front = r.front();
        StripAnswer shown = r.answer();
        var items = new ArrayList<Item>();
        double[] x =
                front.stream().mapToDouble(a -> a.total().seconds() * MICRO).toArray();
        double[] y = front.stream().mapToDouble(a -> a.total().offChip() / MEGA).toArray();
        items.add(new Line("exact front", x, y, Hue.FRONT, true, 0, 1.6));
        front.forEach(a -> items.add(new Dot(
                a.total().seconds() * MICRO,
                a.total().offChip() / MEGA,
                Shape.DISC,
                Hue.FRONT,
                words(a),
                Figure.NO_KEY)));
        items.add(new Dot(
                shown.total().seconds() * MICRO,
                shown.total().offChip() / MEGA,
                Shape.DIAMOND,
                Hue.SELECTED,
                words(shown),
                Figure.NO_KEY));
        items.add(new Dot(
                shown.unfused().total().seconds() * MICRO,
                shown.unfused().total().offChip() / MEGA,
                Shape.SQUARE,
                Hue.BASELINE,
                "every layer alone: "
                        + FusionFigures.micros(shown.unfused().total().seconds()) + ", "
                        + ByteSize.shown(shown.unfused().total().offChip()) + " off chip",
                Figure.NO_KEY));
        double least = shown.bound().offChip() / MEGA;
        double leastTime = shown.bound().seconds() * MICRO;
        items.add(new Rule(false, least, Hue.MUTED, true, "least possible traffic"));
        items.add(new Rule(true, leastTime, Hue.MUTED, true, "least possible time"));
        double right = Math.max(shown.unfused().total().seconds() * MICRO, highest(x));
        double top = Math.max(shown.unfused().total().offChip() / MEGA, highest(y));
        return new Figure(
                List.of(new Panel(
                        Axis.log("Time (\u00b5s)", leastTime / 1.1, right * 1.1),
                        Axis.log("Off chip (MB)", least / 1.2, top * 1.2),
                        1,
                        items)),
                List.of(
                        new Key("exact front", Hue.FRONT, Shape.DISC),
                        new Key("shown", Hue.SELECTED, Shape.DIAMOND),
                        new Key("every layer alone", Hue.BASELINE, Shape.SQUARE)),
                front.size() + (front.size() == 1 ? " answer" : " answers") + " on the exact front");
    }

    /// When each group runs, and how long each resource works in it.
    static Figure timeline(StripReport r) {
        List<StripReport.Wait> resources = List.of(StripReport.Wait.values()).reversed();
        int rows = resources.size() + 1;
        var items = new ArrayList<Item>();
        double at = 0;
        int n = 0;
        for (StripReport.Group g : r.groups()) {
            n++;
            double whole = g.plan().cost().seconds() * MICRO;
            String tip = tip(r, n, g);
            for (int t = 0; t < rows; t++) {
                boolean group = t == resources.size();
                StripReport.Wait w = group ? g.waits() : resources.get(t);
                double length = group ? whole : r.seconds(g, w) * MICRO;
                double strength = group && n % 2 != 0 ? 0.7 : 1;
                items.add(new Bar(at, at + length, t + 0.15, t + 0.85, hue(w), strength, tip, Figure.NO_KEY));
            }
            at += whole;
        }
        return new Figure(
                List.of(new Panel(
                        Axis.linear("Time (\u00b5s)", 0, at * 1.02),
                        Axis.words(
                                "",
                                0,
                                rows,
                                IntStream.range(0, rows)
                                        .mapToObj(t -> new AxisLabel(
                                                t + 0.5,
                                                t == resources.size()
                                                        ? "groups"
                                                        : resources.get(t).words()))
                                        .toList()),
                        1,
                        items)),
                waits(),
                "Export > Timeline writes it for Perfetto or chrome://tracing");
    }
}

package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.Figure.Bar;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Key;
import knobscape.app.ui.plot.Figure.Line;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Shape;
import knobscape.app.ui.plot.Figure.Words;
import knobscape.app.ui.theme.Hue;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.nest.UnrollPlan;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.Sketch;
import knobscape.gpu.space.sketch.Stage;
import knobscape.gpu.space.sketch.TensorRef;
import knobscape.gpu.space.template.Schedule;

/// A subgraph as a layered drawing of its operators, and beside it the loop tree of a schedule of it: a row for each
/// run of loops of one kind, statements at the leaves. Lengths are in points; the drawing fits its place, and says how
/// many rows found no room.
final class SubgraphFigure {
    /// Share of the width that the graph has.
    private static final double GRAPH = 0.42;
    private static final double GAP = 12;
    private static final double HIGHEST = 30;
    private static final double TWO_LINES = 26;
    private static final double ROW = 14;
    private static final double INDENT = 10;
    /// Points that a letter takes about, and a row of letters above its base line.
    private static final double LETTER = 6.6;

    private static final double BASE = 4;

    private final double width;
    private final double height;
    private final List<Item> items = new ArrayList<>();

    private SubgraphFigure(double width, double height) {
        this.width = Math.max(width, 200);
        this.height = Math.max(height, 80);
    }

    /// A figure for a place of that size.
    ///
    /// @param sketch how the stages become kernels; empty where a template computes them
    /// @param best the schedule whose loops are drawn; empty before any ran
    static Figure of(
            String caption,
            Computation computation,
            Optional<Sketch> sketch,
            Optional<Schedule> best,
            double width,
            double height) {
        var f = new SubgraphFigure(width, height);
        f.graph(computation, sketch);
        f.tree(best);
        return new Figure(
                List.of(new Panel(Figure.Axis.hidden(0, f.width), Figure.Axis.hidden(0, f.height), 1, f.items)),
                List.of(
                        new Key("anchor", Hue.SELECTED, Shape.RING),
                        new Key("kernel of its own", Hue.FRONT, Shape.BOX),
                        new Key("computed where it is read", Hue.DOMINATED, Shape.BOX),
                        new Key("given", Hue.MUTED, Shape.CIRCLE)),
                caption);
    }

    private void words(double x, double y, String text, Hue hue, boolean centred, double room) {
        int most = Math.max(1, (int) (room / LETTER));
        String s = text.length() <= most ? text : text.substring(0, Math.max(1, most - 1)) + "\u2026";
        items.add(new Words(x, height - y, s, hue, centred));
    }

    private void box(double left, double top, double right, double bottom, Hue hue, double strength, String tip) {
        items.add(new Bar(left, right, height - bottom, height - top, hue, strength, tip, Figure.NO_KEY));
    }

    private void line(Hue hue, double width, double... xy) {
        double[] x = new double[xy.length / 2];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = xy[2 * i];
            y[i] = height - xy[2 * i + 1];
        }
        items.add(new Line("", x, y, hue, false, 0, width));
    }

    private static String shape(TensorRef t) {
        return t.shape().stream().map(String::valueOf).collect(Collectors.joining("\u00d7"));
    }

    /// The anchor of the schedule: the first stage that is tiled, else the first that gathers, else the result.
    private static int anchor(Computation c, Optional<Sketch> sketch) {
        return sketch.stream()
                .flatMap(s -> s.roots().stream())
                .filter(r -> r.rule() == Sketch.Rule.TILED)
                .map(Sketch.Root::stage)
                .findFirst()
                .or(() -> IntStream.range(0, c.stages().size())
                        .filter(i -> c.stages().get(i).isReduction())
                        .boxed()
                        .findFirst())
                .orElse(c.stages().size() - 1);
    }

    private record Node(String title, String shape, Hue hue, boolean isAnchor, String tip) {}

    private void graph(Computation c, Optional<Sketch> sketch) {
        int anchor = anchor(c, sketch);
        var nodes = new ArrayList<Node>();
        var tensors = new ArrayList<TensorRef>();
        for (TensorRef t : c.inputs()) {
            tensors.add(t);
            nodes.add(new Node(t.name(), shape(t), Hue.MUTED, false, t.name() + ", given: " + shape(t)));
        }
        for (int i = 0; i < c.stages().size(); i++) {
            Stage s = c.stages().get(i);
            tensors.add(s.result());
            nodes.add(new Node(
                    s.operator(),
                    shape(s.result()),
                    c.isInlined(s) ? Hue.DOMINATED : Hue.FRONT,
                    i == anchor,
                    tip(c, i, sketch, i == anchor)));
        }
        var edges = new ArrayList<int[]>();
        for (int i = 0; i < c.stages().size(); i++) {
            for (TensorRef t : c.stages().get(i).reads()) {
                edges.add(new int[] {tensors.indexOf(t), c.inputs().size() + i});
            }
        }
        draw(GraphLayout.of(nodes, edges));
    }

    private static String tip(Computation c, int stage, Optional<Sketch> sketch, boolean isAnchor) {
        Stage s = c.stages().get(stage);
        String gathers = s.isReduction()
                ? "\ngathers over "
                        + s.reduce().stream()
                                .map(a -> a.name() + " " + a.extent())
                                .collect(Collectors.joining(", "))
                : "";
        String how = sketch.flatMap(k -> k.roots().stream()
                        .filter(r -> r.stage() == stage
                                || r.consumer().filter(x -> x == stage).isPresent())
                        .findFirst()
                        .map(r -> r.stage() != stage
                                ? "\napplied before "
                                        + c.stages().get(r.stage()).operator() + " writes"
                                : switch (r.rule()) {
                                    case TILED -> "\ntiled";
                                    case CROSS_THREAD -> "\nacross threads";
                                    case PLAIN -> "\na thread for each element";
                                }))
                .orElse(c.isInlined(s) ? "\ncomputed where it is read" : "");
        return s.operator() + ": " + shape(s.result()) + gathers + how + (isAnchor ? "\nanchor" : "");
    }

    private void draw(GraphLayout<Node> g) {
        double step = (height - GAP) / g.depth();
        double boxHeight = Math.clamp(step - GAP, 9, HIGHEST);
        double across = GRAPH * width / (2 * g.halfWidth());
        double boxWidth = Math.min(150, across - 8);
        double room = Math.min(step, boxHeight + 3 * GAP);
        double top = Math.max(GAP / 2, (height - room * (g.depth() - 1) - boxHeight) / 2);
        double[] x = new double[g.nodes().size()];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = GRAPH * width / 2 + g.x()[i] * across;
            y[i] = top + g.layer()[i] * room;
        }
        for (int[] e : g.edges()) {
            boolean far = g.layer()[e[1]] - g.layer()[e[0]] > 1;
            // An edge over several layers leaves by the side, so that it does not hide behind the boxes between.
            double side = Math.min(GRAPH * width, x[e[0]] + boxWidth / 2 + 4);
            if (far && Math.abs(x[e[0]] - x[e[1]]) < boxWidth / 2) {
                line(
                        Hue.MUTED,
                        1,
                        x[e[0]],
                        y[e[0]] + boxHeight,
                        side,
                        y[e[0]] + room,
                        side,
                        y[e[1]] - room + boxHeight,
                        x[e[1]],
                        y[e[1]]);
            } else {
                line(Hue.MUTED, 1, x[e[0]], y[e[0]] + boxHeight, x[e[1]], y[e[1]]);
            }
            arrow(x[e[1]], y[e[1]]);
        }
        for (int i = 0; i < x.length; i++) {
            Node n = g.nodes().get(i);
            double left = x[i] - boxWidth / 2;
            double bottom = y[i] + boxHeight;
            boolean given = n.hue == Hue.MUTED;
            box(left, y[i], left + boxWidth, bottom, n.hue, given ? 0 : n.isAnchor ? 0.5 : 0.3, n.tip);
            if (given || n.isAnchor) {
                line(
                        n.isAnchor ? Hue.SELECTED : n.hue,
                        n.isAnchor ? 2 : 1,
                        left,
                        y[i],
                        left + boxWidth,
                        y[i],
                        left + boxWidth,
                        bottom,
                        left,
                        bottom,
                        left,
                        y[i]);
            }
            if (boxHeight >= TWO_LINES) {
                words(x[i], y[i] + boxHeight / 2, n.title, Hue.TEXT, true, boxWidth);
                words(x[i], bottom, n.shape, Hue.TEXT, true, boxWidth);
            } else {
                words(x[i], y[i] + boxHeight / 2 + 2 * BASE, n.title + " " + n.shape, Hue.TEXT, true, boxWidth);
            }
        }
    }

    private void arrow(double x, double y) {
        line(Hue.MUTED, 1, x - 3, y - 5, x, y, x + 3, y - 5);
    }

    /// A row of the loop tree.
    private record Row(int depth, String kind, String text, Hue hue) {}

    private void tree(Optional<Schedule> best) {
        double left = GRAPH * width + 2 * GAP;
        double room = width - left;
        if (best.isEmpty()) {
            words(left, height / 2, "No schedule of it has run yet", Hue.MUTED, false, room);
            return;
        }
        var rows = new ArrayList<Row>();
        best.get().all().forEach(k -> rows.addAll(new Tree(k).rows));
        int fit = Math.max(2, (int) (height / ROW));
        int shown = rows.size() <= fit ? rows.size() : fit - 1;
        for (int i = 0; i < shown; i++) {
            Row r = rows.get(i);
            double x = left + INDENT * r.depth;
            double y = ROW * i;
            box(x, y + 2, x + 3, y + ROW - 1, r.hue, 1, r.kind + " " + r.text);
            words(
                    x + 8,
                    y + ROW,
                    (r.kind + " " + r.text).strip(),
                    r.hue == Hue.MUTED ? r.hue : Hue.TEXT,
                    false,
                    width - x - 8);
        }
        if (shown < rows.size()) {
            words(
                    left,
                    ROW * fit,
                    "and " + (rows.size() - shown) + " more, in the panel Schedule",
                    Hue.MUTED,
                    false,
                    room);
        }
    }

    /// The rows of a kernel.
    private static final class Tree {
        private final UnrollPlan plan;
        private final List<Row> rows = new ArrayList<>();

        Tree(LoopNest nest) {
            this.plan = UnrollPlan.of(nest);
            rows.add(new Row(0, "kernel", nest.name(), Hue.FRONT));
            for (Buffer b : nest.allocations()) {
                long floats = b.scope() == Buffer.Scope.LOCAL ? nest.floatsPerThread(b) : b.elements();
                rows.add(new Row(
                        1,
                        b.scope().name().toLowerCase(Locale.ROOT),
                        b.name() + ", " + Quantity.count(floats) + (floats == 1 ? " float" : " floats"),
                        Hue.MUTED));
            }
            add(List.of(nest.body()), 1);
        }

        private void add(List<NestStatement> body, int depth) {
            for (NestStatement s : body) {
                switch (s) {
                    case NestStatement.Loop l -> loops(l, depth);
                    case NestStatement.Guard g -> add(g.body(), depth);
                    case NestStatement.Pragma p -> {
                        if (p.policy().maxStep() > 0) {
                            rows.add(new Row(
                                    depth, "unroll", "up to " + p.policy().maxStep() + " statements", Hue.MUTED));
                        }
                        add(p.body(), depth);
                    }
                    case NestStatement.Barrier _ -> rows.add(new Row(depth, "barrier", "", Hue.MUTED));
                    case NestStatement.Fragment f ->
                        rows.add(new Row(
                                depth,
                                "warp",
                                f.action().name().toLowerCase(Locale.ROOT) + " "
                                        + f.to().buffer().name(),
                                Hue.TEXT));
                    case NestStatement.Store t ->
                        rows.add(new Row(
                                depth,
                                "",
                                t.buffer().name() + (t.accumulate() ? " += " : " = ") + reads(t.value()),
                                Hue.TEXT));
                }
            }
        }

        /// Loops of one kind, each directly inside the one before, are one row.
        private void loops(NestStatement.Loop first, int depth) {
            var run = new ArrayList<Axis>();
            List<NestStatement> body = List.of(first);
            String kind = "";
            while (body.size() == 1 && body.getFirst() instanceof NestStatement.Loop l) {
                if (l.axis().extent() > 1) {
                    if (!run.isEmpty() && !kind(l.axis()).equals(kind)) {
                        break;
                    }
                    kind = kind(l.axis());
                    run.add(l.axis());
                }
                body = l.body();
            }
            if (run.isEmpty()) {
                add(body, depth);
                return;
            }
            String product = run.size() == 1
                    ? ""
                    : " = "
                            + Quantity.count(
                                    run.stream().mapToLong(Axis::extent).reduce(1, (a, b) -> a * b));
            rows.add(new Row(
                    depth,
                    kind,
                    run.stream().map(a -> a.name() + " " + a.extent()).collect(Collectors.joining(" \u00d7 "))
                            + product,
                    hue(run.getFirst())));
            add(body, depth + 1);
        }

        private String kind(Axis a) {
            return a.binding().isBlock()
                    ? "blocks"
                    : a.binding().isThread()
                            ? "threads"
                            : switch (a.binding()) {
                                case VTHREAD -> "virtual threads";
                                case VECTORIZED -> "vector";
                                default -> plan.isUnrolled(a) ? "unrolled" : "loop";
                            };
        }

        private Hue hue(Axis a) {
            return switch (kind(a)) {
                case "blocks" -> Hue.FRONT;
                case "virtual threads" -> Hue.PINNED;
                case "threads" -> Hue.BASELINE;
                case "loop" -> Hue.DOMINATED;
                default -> Hue.PREDICTED;
            };
        }

        private static String reads(NestValue v) {
            var all = new ArrayList<String>();
            collect(v, all);
            Set<String> once = new HashSet<>();
            List<String> names = all.stream().filter(once::add).toList();
            return v instanceof NestValue.Load
                    ? names.getFirst()
                    : v instanceof NestValue.Constant c
                            ? (c.value() <= -Float.MAX_VALUE ? "least float" : String.valueOf(c.value()))
                            : "f(" + String.join(", ", names) + ")";
        }

        private static void collect(NestValue v, List<String> to) {
            switch (v) {
                case NestValue.Load l -> to.add(l.buffer().name());
                case NestValue.Constant _ -> {}
                case NestValue.Unary u -> collect(u.of(), to);
                case NestValue.Binary b -> Stream.of(b.left(), b.right()).forEach(x -> collect(x, to));
                case NestValue.Select s -> Stream.of(s.then(), s.otherwise()).forEach(x -> collect(x, to));
            }
        }
    }
}

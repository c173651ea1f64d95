package knobscape.app.ui.gpu;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.Pane;
import javafx.scene.layout.StackPane;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;
import javafx.scene.text.TextAlignment;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.theme.Palette;
import knobscape.app.ui.theme.ThemeService;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.NameShortener;
import knobscape.network.subgraph.Subgraph;

/// The network as a layered drawing: a box a kernel, the darker the larger its share. A click shows what the file
/// says of the layer and selects its task, all boxes of which are framed; the wheel scrolls, with Ctrl it zooms;
/// dragging moves. Only what is in
/// sight is drawn.
final class GraphView {
    private static final double BOX_WIDTH = 140;
    private static final double BOX_HEIGHT = 26;
    private static final double GAP_X = 12;
    private static final double GAP_Y = 16;
    private static final double LEAST_TEXT = 7;
    private static final int MAX_NAME = 19;
    private final GpuViewModel model;
    private final PlotContext context;
    private final Canvas canvas = new Canvas();
    private final Parent root;

    @FXML
    private TextField find;

    @FXML
    private ToggleButton byTime;

    @FXML
    private StackPane place;

    @FXML
    private Label note;

    private double zoom = 1;
    private double left;
    private double top;
    private double pressX;
    private double pressY;
    private boolean dragged;
    private double[] share = new double[0];
    private Map<String, String> shortened = Map.of();
    private final IdentityHashMap<Subgraph, String> searched = new IdentityHashMap<>();

    GraphView(GpuViewModel model, PlotContext context) {
        this.model = model;
        this.context = context;
        this.root = Fxml.load("gpu/graph", this);
    }

    @FXML
    private void initialize() {
        var pane = new Pane(canvas) {
            @Override
            protected void layoutChildren() {
                if (canvas.getWidth() != getWidth() || canvas.getHeight() != getHeight()) {
                    boolean first = canvas.getWidth() == 0;
                    canvas.setWidth(getWidth());
                    canvas.setHeight(getHeight());
                    if (first) {
                        fit();
                    }
                    draw();
                }
            }
        };
        pane.setMinSize(0, 0);
        pane.setFocusTraversable(true);
        pane.setAccessibleText("Graph of the network; up and down walk the kernels, plus and minus zoom");
        place.getChildren().add(pane);
        pane.addEventHandler(ScrollEvent.SCROLL, this::scrolled);
        pane.addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            pane.requestFocus();
            pressX = e.getX();
            pressY = e.getY();
            dragged = false;
        });
        pane.addEventHandler(MouseEvent.MOUSE_DRAGGED, e -> {
            dragged |= Math.hypot(e.getX() - pressX, e.getY() - pressY) > 4;
            if (dragged) {
                move(e.getX() - pressX, e.getY() - pressY);
                pressX = e.getX();
                pressY = e.getY();
            }
        });
        pane.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            if (!dragged) {
                at(e.getX(), e.getY())
                        .ifPresent(i -> model.look(
                                network().orElseThrow().graph().nodes().get(i)));
            }
        });
        pane.addEventHandler(
                MouseEvent.MOUSE_MOVED,
                e -> note.setText(at(e.getX(), e.getY()).map(this::words).orElse(idle())));
        pane.addEventHandler(KeyEvent.KEY_PRESSED, this::pressed);
        find.textProperty().addListener((o, was, is) -> found());
        find.setOnAction(e -> found());
        byTime.setOnAction(e -> refresh());
        model.network().addListener((o, was, is) -> {
            find.clear();
            searched.clear();
            shortened = NameShortener.of(
                    is.map(n -> n.graph().nodes().stream().map(Subgraph::name).toList())
                            .orElse(List.of()),
                    MAX_NAME);
            fit();
            refresh();
        });
        model.states().addListener((o, was, is) -> {
            if (byTime.isSelected()) {
                refresh();
            }
        });
        model.selected().addListener((o, was, is) -> draw());
        model.layer().addListener((o, was, is) -> draw());
        context.palette().addListener((o, was, is) -> draw());
        refresh();
    }

    Parent root() {
        return root;
    }

    void focusFind() {
        find.requestFocus();
        find.selectAll();
    }

    private Optional<GpuNetwork> network() {
        return model.network().get();
    }

    private String idle() {
        if (network().filter(n -> n.what().isMeasured()).isPresent()) {
            return "Measured kernels of a file: there is no graph";
        }
        return byTime.isSelected()
                ? "Colour: share of the time of the best kernels"
                : "Colour: share of the operations";
    }

    private String words(int i) {
        GpuNetwork n = network().orElseThrow();
        Subgraph s = n.graph().nodes().get(i);
        String task = n.taskOf()[i] >= 0 ? n.kernels().get(n.taskOf()[i]).task() + ", " : "not tuned, ";
        return s.name() + ": " + task + s.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (s.nodes().size() > 1 ? " with " + (s.nodes().size() - 1) + " more operators" : "")
                + (share[i] > 0 ? String.format(Locale.ROOT, ", %.1f %%", 100 * share[i]) : "");
    }

    private void refresh() {
        share = network()
                .map(n -> {
                    double[] of = new double[n.graph().nodes().size()];
                    double sum = 0;
                    for (int i = 0; i < of.length; i++) {
                        int k = n.taskOf()[i];
                        if (k >= 0) {
                            double ms = k < model.states().get().size()
                                    ? model.states().get().get(k).bestMilliseconds()
                                    : Double.NaN;
                            of[i] = !byTime.isSelected() ? n.kernels().get(k).flops() : Double.isNaN(ms) ? 0 : ms;
                            sum += of[i];
                        }
                    }
                    double all = sum;
                    return all > 0
                            ? java.util.Arrays.stream(of).map(v -> v / all).toArray()
                            : of;
                })
                .orElse(new double[0]);
        note.setText(idle());
        draw();
    }

    /// As wide as the place allows, from the top.
    private void fit() {
        network().ifPresent(n -> {
            double width = 2 * n.graph().halfWidth() * (BOX_WIDTH + GAP_X) + GAP_X;
            zoom = Math.clamp(canvas.getWidth() / width, 0.35, 1);
            left = canvas.getWidth() / 2;
            top = GAP_Y;
        });
    }

    private double boxX(GraphLayout<Subgraph> g, int i) {
        return left + (g.x()[i] * (BOX_WIDTH + GAP_X) - BOX_WIDTH / 2) * zoom;
    }

    private double boxY(GraphLayout<Subgraph> g, int i) {
        return top + g.layer()[i] * (BOX_HEIGHT + GAP_Y) * zoom;
    }

    private Optional<Integer> at(double x, double y) {
        return network().flatMap(n -> {
            GraphLayout<Subgraph> g = n.graph();
            for (int i = 0; i < g.nodes().size(); i++) {
                if (x >= boxX(g, i)
                        && x <= boxX(g, i) + BOX_WIDTH * zoom
                        && y >= boxY(g, i)
                        && y <= boxY(g, i) + BOX_HEIGHT * zoom) {
                    return Optional.of(i);
                }
            }
            return Optional.empty();
        });
    }

    private void scrolled(ScrollEvent e) {
        if (e.isControlDown()) {
            zoomBy(e.getDeltaY() > 0 ? 1.15 : 1 / 1.15, e.getX(), e.getY());
        } else {
            move(e.getDeltaX(), e.getDeltaY());
        }
        e.consume();
    }

    private void zoomBy(double factor, double x, double y) {
        double before = zoom;
        zoom = Math.clamp(zoom * factor, 0.1, 3);
        left = x + (left - x) * zoom / before;
        top = y + (top - y) * zoom / before;
        draw();
    }

    private void move(double dx, double dy) {
        network().ifPresent(n -> {
            double height = n.graph().depth() * (BOX_HEIGHT + GAP_Y) * zoom;
            double width = n.graph().halfWidth() * (BOX_WIDTH + GAP_X) * zoom;
            top = Math.clamp(
                    top + dy,
                    Math.min(GAP_Y, canvas.getHeight() - height - GAP_Y),
                    Math.max(GAP_Y, canvas.getHeight() - height - GAP_Y));
            left = Math.clamp(
                    left + dx,
                    Math.min(canvas.getWidth() / 2, canvas.getWidth() - width),
                    Math.max(canvas.getWidth() / 2, width));
            draw();
        });
    }

    private void pressed(KeyEvent e) {
        switch (e.getCode()) {
            case PLUS, EQUALS, ADD -> zoomBy(1.15, canvas.getWidth() / 2, canvas.getHeight() / 2);
            case MINUS, SUBTRACT -> zoomBy(1 / 1.15, canvas.getWidth() / 2, canvas.getHeight() / 2);
            case DOWN -> walk(1);
            case UP -> walk(-1);
            case PAGE_DOWN -> move(0, -canvas.getHeight() * 0.8);
            case PAGE_UP -> move(0, canvas.getHeight() * 0.8);
            default -> {
                return;
            }
        }
        e.consume();
    }

    private void walk(int direction) {
        network().ifPresent(n -> {
            model.selected()
                    .set(Math.clamp(
                            model.selected().get() + direction,
                            0,
                            Math.max(0, n.kernels().size() - 1)));
            for (int i = 0; i < n.taskOf().length; i++) {
                if (n.taskOf()[i] == model.selected().get()) {
                    reveal(n.graph(), i);
                    return;
                }
            }
        });
    }

    private void reveal(GraphLayout<Subgraph> g, int i) {
        double y = boxY(g, i);
        if (y < GAP_Y || y > canvas.getHeight() - 2 * BOX_HEIGHT) {
            move(0, canvas.getHeight() / 3 - y);
        }
        draw();
    }

    private boolean matches(GpuNetwork n, Subgraph s) {
        return !find.getText().isBlank() && finds(find.getText(), searched.computeIfAbsent(s, _ -> searched(n, s)));
    }

    /// True if every part of a search, between commas, stands in a text; words may go on (`stride 2`).
    static boolean finds(String wanted, String text) {
        return Stream.of(plain(wanted).split(","))
                .map(part ->
                        Stream.of(part.strip().split(" +")).map(Pattern::quote).collect(Collectors.joining("\\w* +")))
                .allMatch(part -> Pattern.compile(part).matcher(text).find());
    }

    /// The layer's name, kind, operators with their attributes and tensors.
    static String searched(GpuNetwork n, Subgraph s) {
        return plain(s.name() + " " + s.kind().name().replace('_', ' ') + " "
                + n.facts(s).stream()
                        .map(f -> f.title() + " " + f.rows().toString().replace('=', ' '))
                        .collect(Collectors.joining(" ")));
    }

    /// In small letters, extents as `3x3`.
    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll(" ?\u00d7 ?", "x");
    }

    private void found() {
        network().ifPresent(n -> {
            int count = 0;
            int first = -1;
            for (int i = 0; i < n.graph().nodes().size(); i++) {
                if (matches(n, n.graph().nodes().get(i))) {
                    first = first < 0 ? i : first;
                    count++;
                }
            }
            note.setText(find.getText().isBlank() ? idle() : count + " found");
            if (first >= 0) {
                reveal(n.graph(), first);
            }
        });
        draw();
    }

    private static Color fx(java.awt.Color c) {
        return Color.rgb(c.getRed(), c.getGreen(), c.getBlue());
    }

    private void draw() {
        GraphicsContext g = canvas.getGraphicsContext2D();
        g.clearRect(0, 0, canvas.getWidth(), canvas.getHeight());
        network().ifPresent(n -> draw(g, n, context.palette().getValue()));
    }

    private void draw(GraphicsContext g, GpuNetwork n, Palette p) {
        GraphLayout<Subgraph> graph = n.graph();
        double w = BOX_WIDTH * zoom;
        double h = BOX_HEIGHT * zoom;
        g.setStroke(fx(p.of(Hue.MUTED)));
        g.setLineWidth(1);
        for (int[] e : graph.edges()) {
            double y0 = boxY(graph, e[0]) + h;
            double y1 = boxY(graph, e[1]);
            if (y1 >= 0 && y0 <= canvas.getHeight()) {
                double x0 = boxX(graph, e[0]) + w / 2;
                double x1 = boxX(graph, e[1]) + w / 2;
                boolean far = graph.layer()[e[1]] - graph.layer()[e[0]] > 1;
                // An edge over several layers swings out, so that it does not hide behind the boxes between.
                double swing = far ? w / 2 + 14 * zoom : 0;
                g.beginPath();
                g.moveTo(x0, y0);
                g.bezierCurveTo(x0 + swing * 1.3, y0 + (far ? h : 6), x1 + swing * 1.3, y1 - (far ? h : 6), x1, y1);
                g.stroke();
            }
        }
        double most = java.util.Arrays.stream(share).max().orElse(1);
        double size = 11 * zoom;
        g.setFont(Font.font(ThemeService.FONT, size));
        g.setTextAlign(TextAlignment.CENTER);
        for (int i = 0; i < graph.nodes().size(); i++) {
            double x = boxX(graph, i);
            double y = boxY(graph, i);
            if (y + h < 0 || y > canvas.getHeight()) {
                continue;
            }
            double s = most > 0 && i < share.length ? share[i] / most : 0;
            Color fill = n.taskOf()[i] >= 0
                    ? fx(p.of(Hue.BACKGROUND)).interpolate(fx(p.of(Hue.FRONT)), 0.15 + 0.75 * Math.sqrt(s))
                    : fx(p.of(Hue.BACKGROUND)).interpolate(fx(p.of(Hue.MUTED)), 0.15);
            g.setFill(fill);
            g.fillRoundRect(x, y, w, h, 6 * zoom, 6 * zoom);
            boolean looked =
                    model.layer().get().equals(Optional.of(graph.nodes().get(i)));
            boolean chosen = looked
                    || (n.taskOf()[i] >= 0 && n.taskOf()[i] == model.selected().get());
            boolean hit = matches(n, graph.nodes().get(i));
            if (chosen || hit) {
                g.setStroke(hit ? fx(p.of(Hue.BASELINE)) : fx(p.of(Hue.SELECTED)));
                g.setLineWidth(hit || looked ? 3 : 2);
                g.strokeRoundRect(x, y, w, h, 6 * zoom, 6 * zoom);
            }
            if (size >= LEAST_TEXT) {
                g.setFill(fill.getBrightness() * (1 - 0.35 * fill.getSaturation()) > 0.62 ? Color.BLACK : Color.WHITE);
                g.fillText(label(n, i), x + w / 2, y + h / 2 + size * 0.36, w - 6);
            }
        }
    }

    private String label(GpuNetwork n, int i) {
        String name = n.graph().nodes().get(i).name();
        String words = shortened.getOrDefault(name, name);
        return n.taskOf()[i] >= 0 ? n.kernels().get(n.taskOf()[i]).task() + "  " + words : words;
    }
}

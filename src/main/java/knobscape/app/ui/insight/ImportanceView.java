package knobscape.app.ui.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Nodes;
import knobscape.evaluate.Metric;

/// The knobs that decide an objective, with intervals, and an offer to search those alone.
public final class ImportanceView extends VBox {
    private static final String KEY = "importance.metric";
    /// Share of the variance that a surrogate has to explain of designs it was not fitted to before its effects are
    /// shown.
    private static final double LEAST_EXPLAINED = 0.2;

    private static final double NAME_WIDTH = 140;

    private final ObservableValue<Optional<Insight>> insight;
    private final ObservableValue<String> absent;
    private final Settings settings;
    private final Optional<KnobFixing> fix;

    /// @param model what is understood of the designs shown
    /// @param settings remembers the objective
    /// @param fix takes the values of knobs that matter little out of the space, where that is possible
    public ImportanceView(InsightViewModel model, Settings settings, Optional<KnobFixing> fix) {
        this.insight = model.insight();
        this.absent = model.absent();
        this.settings = settings;
        this.fix = fix;
        getStyleClass().add("importance");
        insight.addListener((o, was, is) -> refresh());
        absent.addListener((o, was, is) -> {
            if (insight.getValue().isEmpty()) {
                refresh();
            }
        });
        refresh();
    }

    private void refresh() {
        getChildren().clear();
        Optional<Insight> now = insight.getValue();
        if (now.isEmpty()) {
            getChildren().add(label(absent.getValue(), "secondary"));
            return;
        }
        List<Importance> all = now.get().importance();
        String wanted = settings.get(KEY).orElse("delay");
        Importance shown = all.stream()
                .filter(i -> i.metric().name().equals(wanted))
                .findFirst()
                .orElse(all.getFirst());
        var title = new Label("What decides");
        title.getStyleClass().add("emphasis");
        title.setMinWidth(Region.USE_PREF_SIZE);
        var segments = new FlowPane();
        segments.getStyleClass().add("segments");
        var group = new ToggleGroup();
        for (Importance i : all) {
            var b = new ToggleButton(i.metric().label());
            b.setMnemonicParsing(false);
            b.getStyleClass().addAll("small", "segment");
            b.setToggleGroup(group);
            b.setSelected(i == shown);
            b.setAccessibleText("What decides " + i.metric().label());
            b.setOnAction(e -> {
                settings.put(KEY, i.metric().name());
                refresh();
            });
            Nodes.wrap(b, segments);
            segments.getChildren().add(b);
        }
        segments.setMinWidth(0);
        HBox.setHgrow(segments, Priority.ALWAYS);
        var head = new HBox(title, segments);
        head.getStyleClass().add("importance-row");
        getChildren().add(head);
        var words = label(
                Importance.METHOD + ", 90 % interval; surrogate of "
                        + now.get().surrogate().designs() + " designs explains " + Math.round(100 * shown.explained())
                        + " %",
                "secondary");
        words.setTooltip(new Tooltip(Importance.MEANING
                + " Estimated from the mean of a Gaussian process; the explained share leaves each"
                + " design out in turn."));
        getChildren().add(words);
        if (shown.explained() < LEAST_EXPLAINED) {
            getChildren()
                    .add(label("That is too little to say which knobs decide: more designs may tell.", "secondary"));
            return;
        }
        List<String> labels = KnobLabels.of(now.get().surrogate().knobs());
        var rows = new ArrayList<HBox>();
        shown.top().forEach(s -> rows.add(row(labels.get(s.knob()), s)));
        int others = shown.shares().size() - shown.matter();
        if (others > 0) {
            rows.add(row(others == 1 ? labels.get(shown.shares().getLast().knob()) : others + " others", shown.rest()));
        }
        getChildren().addAll(rows);
        if (others > 0) {
            fix.ifPresent(f -> offer(f, shown, others));
        }
    }

    /// A first click says what it would do, a second one does it.
    private void offer(KnobFixing fixing, Importance shown, int others) {
        String what = others == 1 ? "it" : "the other " + others;
        var ask = new Button("Fix " + what + "\u2026");
        ask.getStyleClass().add("link");
        ask.setTooltip(new Tooltip("Says how much of the space would be left to search"));
        ask.setOnAction(e -> fixing.effect(shown, effect -> {
            if (ask.getParent() != this) {
                return;
            }
            var yes = new Button("Fix " + what);
            yes.setOnAction(x -> fixing.fix(shown));
            var no = new Button("Cancel");
            no.setOnAction(x -> refresh());
            for (Button b : List.of(yes, no)) {
                b.getStyleClass().add("small");
            }
            var answers = new HBox(yes, no);
            answers.getStyleClass().add("importance-row");
            getChildren().remove(ask);
            getChildren().addAll(label(effect, "secondary"), answers);
            yes.requestFocus();
        }));
        getChildren().add(ask);
    }

    private static HBox row(String name, Importance.Share share) {
        var label = new Label(name);
        label.setPrefWidth(NAME_WIDTH);
        label.setMinWidth(NAME_WIDTH);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        var bar = new Bar(share);
        HBox.setHgrow(bar, Priority.ALWAYS);
        var value = new Label(String.format(Locale.ROOT, "%.2f", Math.max(0, share.value())));
        value.getStyleClass().add("figure");
        value.setMinWidth(Region.USE_PREF_SIZE);
        var row = new HBox(label, bar, value);
        row.getStyleClass().add("importance-row");
        row.setAccessibleText(
                String.format(Locale.ROOT, "%s %.2f, %.2f to %.2f", name, share.value(), share.low(), share.high()));
        Tooltip.install(
                row,
                new Tooltip(
                        String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", share.value(), share.low(), share.high())));
        return row;
    }

    private static Label label(String text, String styleClass) {
        var label = new Label(text);
        label.getStyleClass().add(styleClass);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }

    /// The name of a metric inside a sentence.
    static String word(Metric m) {
        return m.label().equals(m.label().toUpperCase(Locale.ROOT))
                ? m.label()
                : m.label().toLowerCase(Locale.ROOT);
    }

    private static final class Bar extends Region {
        private static final double HEIGHT = 10;
        private final Importance.Share share;
        private final Region track = new Region();
        private final Region bar = new Region();

        Bar(Importance.Share share) {
            this.share = share;
            track.getStyleClass().add("importance-track");
            bar.getStyleClass().add("importance-bar");
            getChildren().addAll(track, bar);
            setMinHeight(HEIGHT);
            setPrefHeight(HEIGHT);
            setMaxHeight(HEIGHT);
            setMinWidth(40);
        }

        @Override
        protected void layoutChildren() {
            double w = getWidth();
            double low = Math.max(0, share.low());
            track.resizeRelocate(low * w, 0, Math.max(1, (Math.min(1, share.high()) - low) * w), HEIGHT);
            bar.resizeRelocate(0, 2, Math.max(1, share.value() * w), HEIGHT - 4);
        }
    }
}

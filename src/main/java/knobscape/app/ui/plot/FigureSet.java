package knobscape.app.ui.plot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.plot.FigureTabs.Piece;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Tabs.Tab;

/// The figures of an area behind tabs, and which of them is shown.
public final class FigureSet {
    private final List<FigureEntry> figures;
    private final FigureTabs tabs;

    /// A figure.
    ///
    /// @param group title of the tab it stands behind
    /// @param title on its button
    /// @param content what it shows; followed
    /// @param choose takes the key of what is clicked
    public record FigureEntry(String group, String title, ObservableValue<Content> content, IntConsumer choose) {
        /// For a file name.
        String slug() {
            return title.toLowerCase(Locale.ROOT).replace(' ', '-');
        }
    }

    /// @param name under which choices are remembered
    /// @param figures all, in the order of their buttons
    /// @param others besides the figures, by the title of the tab they stand behind
    public FigureSet(
            String name,
            List<FigureEntry> figures,
            List<Map.Entry<String, Tab>> others,
            PlotContext plots,
            Settings settings) {
        this.figures = List.copyOf(figures);
        var always = new SimpleBooleanProperty(true);
        this.tabs = new FigureTabs(
                name,
                Stream.concat(
                                figures.stream()
                                        .map(n -> new Piece(
                                                n.group(),
                                                n.title(),
                                                new FigureView(plots, n.title(), n.content(), n.choose()),
                                                n.content().map(c -> c.plot().isPresent()))),
                                others.stream()
                                        .map(o -> new Piece(
                                                o.getKey(),
                                                o.getValue().title(),
                                                o.getValue().bodies().getFirst(),
                                                always)))
                        .toList(),
                settings);
    }

    /// The view.
    public FigureTabs view() {
        return tabs;
    }

    /// Takes the figure shown.
    public interface Taker {
        /// Called with a name for files and what is shown.
        void take(String name, Content content);
    }

    /// Gives the figure shown to `taker`.
    public void shown(String prefix, Taker taker) {
        Optional<FigureEntry> now = figures.stream()
                .filter(n -> n.title().equals(tabs.shown().get()))
                .findFirst();
        now.ifPresent(n -> taker.take(prefix + "-" + n.slug(), n.content().getValue()));
    }
}

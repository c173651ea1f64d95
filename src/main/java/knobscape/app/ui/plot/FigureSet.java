package knobscape.app.ui.plot;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Tabs.Tab;

/// The figures of an area behind tabs, and which of them is shown.
public final class FigureSet {
    private final List<FigureEntry> figures;
    private final FigureTabs tabs;

    /// A figure.
    ///
    /// @param title on its tab
    /// @param content what it shows; followed
    /// @param choose takes the key of what is clicked
    public record FigureEntry(String title, ObservableValue<Content> content, IntConsumer choose) {
        /// For a file name.
        String slug() {
            return title.toLowerCase(Locale.ROOT).replace(' ', '-');
        }
    }

    /// @param name under which choices are remembered
    /// @param figures all, in the order of their tabs
    /// @param upper how many of them stand in the upper half
    /// @param others behind the last tabs, besides the figures
    public FigureSet(
            String name, List<FigureEntry> figures, int upper, List<Tab> others, PlotContext plots, Settings settings) {
        this.figures = List.copyOf(figures);
        List<Tab> all = Stream.concat(
                        figures.stream()
                                .map(n ->
                                        new Tab(n.title(), new FigureView(plots, n.title(), n.content(), n.choose()))),
                        others.stream())
                .toList();
        this.tabs = new FigureTabs(name, all.subList(0, upper), all.subList(upper, all.size()), settings);
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

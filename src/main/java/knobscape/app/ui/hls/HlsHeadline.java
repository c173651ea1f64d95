package knobscape.app.ui.hls;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.Headline;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.hls.source.SourceElement;

/// The few figures a person came for: those of the designs; before there are any, those of the baseline and the loop
/// that
/// limits it.
final class HlsHeadline {
    private HlsHeadline() {}

    /// The figures of what is open, as it changes.
    ///
    /// @param select selects a loop
    static ObservableValue<List<Headline>> of(HlsViewModel model, Consumer<SourceElement> select) {
        Results results = model.results();
        return Bindings.createObjectBinding(
                () -> Stream.concat(
                                results.headline().get().stream(),
                                model.source().design().get().limit().stream()
                                        .filter(l -> results.set().size() == 0)
                                        .map(l -> new Headline(
                                                "Limited by",
                                                l.name(),
                                                l.words(),
                                                Optional.of(() -> select.accept(
                                                        new SourceElement(SourceElement.Kind.LOOP, l.loop()))))))
                        .toList(),
                results.headline(),
                results.shown(),
                model.source().design());
    }
}

package knobscape.app.ui.fusion;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.Headline;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.source.ByteSize;

/// The few figures a person came for: those of the exact answer, beside every layer alone and the least possible.
final class FusionHeadline {
    private FusionHeadline() {}

    /// @param turn opens a figure by its title
    static ObservableValue<List<Headline>> of(StripCurves strips, Consumer<String> turn) {
        return strips.answer().map(report -> report.map(r -> of(r, turn)).orElse(List.of()));
    }

    private static List<Headline> of(StripReport report, Consumer<String> turn) {
        StripAnswer a = report.answer();
        return List.of(
                new Headline(
                        "Time, proven",
                        FusionFigures.micros(a.total().seconds()),
                        "alone " + FusionFigures.micros(a.unfused().total().seconds()),
                        Optional.of(() -> turn.accept("Timeline"))),
                new Headline(
                        "Speedup",
                        StripView.times(a.speedup()),
                        "over every layer alone",
                        Optional.of(() -> turn.accept("Buffer"))),
                new Headline(
                        "Off chip",
                        ByteSize.shown(a.total().offChip()),
                        StripView.times(a.trafficOverBound()) + " the least",
                        Optional.of(() -> turn.accept("Pareto"))),
                new Headline(
                        "Room",
                        ByteSize.shown(a.room()),
                        "of " + ByteSize.shown(report.model().machine().buffer()),
                        Optional.of(() -> turn.accept("Groups"))),
                new Headline(
                        "Groups",
                        Integer.toString(a.groups().size()),
                        "of " + report.model().graph().layers() + " layers",
                        Optional.of(() -> turn.accept("Groups"))));
    }
}

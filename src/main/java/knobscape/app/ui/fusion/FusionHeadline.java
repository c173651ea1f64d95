package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.app.ui.designs.Headline;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.source.ByteSize;

/// The few figures a person came for: the best strategy and how sure that is, how much faster than no fusion, its
/// groups.
final class FusionHeadline {
    private static final double ROUNDING = 1 + 1e-9;

    private FusionHeadline() {}

    /// @param report of the strategy looked at
    /// @param kept the strategies of the table
    /// @param proven time of a strategy than which none is faster under this model, seconds; empty where unknown
    /// @param turn opens a figure by its title
    /// @param choose selects a strategy
    static List<Headline> of(
            FusionCostModel model,
            FusionReport report,
            List<Candidate> kept,
            Optional<Double> proven,
            Consumer<String> turn,
            Consumer<Candidate> choose) {
        var all = new ArrayList<Headline>();
        Optional<Map.Entry<Candidate, Cost>> best = kept.stream()
                .flatMap(c -> c.cost(model).map(cost -> Map.entry(c, cost)).stream())
                .filter(e -> e.getValue().fits(report.budgetBytes()))
                .min(Comparator.comparingDouble(e -> e.getValue().seconds()));
        best.ifPresent(b -> {
            double seconds = b.getValue().seconds();
            boolean sure = proven.filter(p -> seconds <= p * ROUNDING).isPresent();
            all.add(new Headline(
                    sure ? "Paper's model, proven" : "Paper's model, best",
                    FusionFigures.micros(seconds),
                    b.getKey().title(),
                    Optional.of(() -> choose.accept(b.getKey()))));
            all.add(new Headline(
                    "Speedup",
                    times(report.baselineSeconds() / seconds),
                    "over no fusion, " + FusionFigures.micros(report.baselineSeconds()),
                    kept.stream().findFirst().map(c -> () -> choose.accept(c))));
            if (report.cost().seconds() > seconds * ROUNDING) {
                all.add(new Headline(
                        "Selected",
                        report.isValid() ? times(report.speedup()) : "does not fit",
                        FusionFigures.micros(report.cost().seconds()),
                        Optional.of(() -> turn.accept("Compare"))));
            }
        });
        all.add(new Headline(
                "Groups",
                Integer.toString(report.groups().size()),
                "of " + report.strategy().layers() + " layers",
                Optional.of(() -> turn.accept("Groups"))));
        all.add(new Headline(
                "On chip",
                ByteSize.shown(report.cost().peakBytes()),
                "of " + ByteSize.shown(report.budgetBytes()),
                Optional.of(() -> turn.accept("Layers"))));
        return all;
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, "%.2f\u00d7", ratio);
    }
}

package knobscape.app.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Goal.Best;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.project.Design;
import knobscape.project.NumberFormats;
import knobscape.project.RunFiles;
import knobscape.project.RunResults;
import tools.jackson.databind.node.ObjectNode;

/// The goal's verdict on a run's designs: which of those measured at the top keep its bounds, and which is best.
///
/// @param text as typed
/// @param goal read
record GoalReport(String text, Goal goal) {

    /// Reads a goal; throws [UserError] for a word that is neither a bound nor `min` or `max` of a metric.
    ///
    /// @param metrics that may be named; a number without a unit is in the metric's own
    static GoalReport parse(String text, List<Metric> metrics) {
        Goal goal = Goal.parse(text, metrics, m -> 1);
        if (!goal.rest().isEmpty()) {
            throw new UserError("'" + goal.rest().getFirst() + "' is not understood in a goal; write bounds and the"
                    + " metric to optimise, such as 'lut<20k delay min'. Metrics: "
                    + metrics.stream().map(Metric::name).collect(Collectors.joining(", ")) + ".");
        }
        return new GoalReport(text, goal);
    }

    private static Optional<Evaluation> top(RunResults results, Design d) {
        return d.at(results.run().info().top()).filter(Evaluation::isMeasured);
    }

    /// True if a design was measured at the top and keeps the bounds.
    boolean holds(RunResults results, Design d) {
        return top(results, d)
                .filter(e -> goal.holds(m -> e.value(m).orElse(Double.NaN)))
                .isPresent();
    }

    private Best wanted(RunResults results) {
        Metric first = RunFiles.objectives(results).getFirst();
        return goal.best().orElse(new Best(first.name(), first.direction() == Metric.Direction.MAXIMISE));
    }

    /// The best of the designs that keep the bounds, by the first objective where the goal names none.
    Optional<Design> best(RunResults results) {
        Best best = wanted(results);
        return results.designs().stream()
                .filter(d -> holds(results, d))
                .filter(d -> top(results, d).orElseThrow().value(best.metric()).isPresent())
                .min(Comparator.comparingDouble(d -> (best.largest() ? -1 : 1)
                        * top(results, d).orElseThrow().value(best.metric()).orElseThrow()));
    }

    /// The goal and its best design in a line.
    String line(RunResults results) {
        Optional<Design> best = best(results);
        long holding = results.designs().stream().filter(d -> holds(results, d)).count();
        if (best.isEmpty()) {
            return "Goal " + text + ": no design meets it.";
        }
        var names = new ArrayList<String>(List.of(wanted(results).metric()));
        goal.bounds().stream()
                .map(Goal.Bound::metric)
                .filter(n -> !names.contains(n))
                .forEach(names::add);
        return "Goal " + text + ": #" + best.get().number() + ", "
                + names.stream()
                        .map(n -> {
                            Metric m = results.run().info().metric(n);
                            return m.label() + " "
                                    + NumberFormats.shortest(top(results, best.get())
                                            .orElseThrow()
                                            .value(n)
                                            .orElse(Double.NaN))
                                    + (m.unit().isEmpty() ? "" : " " + m.unit());
                        })
                        .collect(Collectors.joining(", "))
                + " (" + holding + (holding == 1 ? " design meets it)." : " designs meet it).");
    }

    /// The mark beside a design of the front.
    String mark(RunResults results, Design d) {
        return best(results).filter(d::equals).isPresent() ? "best" : holds(results, d) ? "kept" : "missed";
    }

    /// A section of the report.
    String section(RunResults results) {
        return "\n## Goal\n\n" + line(results) + "\n";
    }

    /// Adds it to the document of a run.
    void write(ObjectNode root, RunResults results) {
        ObjectNode node = root.putObject("goal").put("text", text);
        best(results).ifPresentOrElse(d -> node.put("design", d.number()), () -> node.putNull("design"));
        var kept = node.putArray("kept");
        results.designs().stream().filter(d -> holds(results, d)).forEach(d -> kept.add(d.number()));
    }
}

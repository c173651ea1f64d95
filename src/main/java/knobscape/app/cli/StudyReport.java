package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.report.Printable;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.project.Design;
import knobscape.project.NumberFormats;
import knobscape.project.RunFiles;
import knobscape.project.RunResults;
import knobscape.study.StudyWorkbench;
import knobscape.study.export.StudyExporter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ObjectNode;

/// The report of `study`: the best configuration with its command line; of several objectives the front.
@Command
final class StudyReport implements RunReport {
    private final FrontReport front = new FrontReport();

    @Override
    public List<String> files() {
        return front.files();
    }

    @Override
    public List<CommandSpec> further(CommandContext context) {
        return List.of(StudyNewCommand.of(context));
    }

    @Override
    public List<RunListener> watchers(Start start, java.io.PrintWriter err, RunListener usual) {
        return List.of(usual, new Improvements(err));
    }

    /// Says each new best where there is one objective.
    private static final class Improvements implements RunListener {
        private final java.io.PrintWriter err;
        private Optional<Metric> metric = Optional.empty();
        private String top = "";
        private double best = Double.NaN;

        Improvements(java.io.PrintWriter err) {
            this.err = err;
        }

        @Override
        public void onEvent(RunEvent event) {
            if (event instanceof RunEvent.Started s) {
                top = s.info().top().name();
            } else if (event instanceof RunEvent.ObjectivesFixed o
                    && o.objectives().count() == 1) {
                metric = Optional.of(o.objectives().metrics().getFirst());
            } else if (event instanceof RunEvent.Evaluated e) {
                metric.ifPresent(m -> e.evaluations().stream()
                        .filter(s -> s.fidelity().name().equals(top))
                        .forEach(s -> seen(m, s)));
            }
        }

        private void seen(Metric m, Evaluation e) {
            double v = e.value(m.name()).orElse(Double.NaN);
            boolean isBetter = Double.isNaN(best) || (m.direction() == Metric.Direction.MAXIMISE ? v > best : v < best);
            if (!Double.isNaN(v) && isBetter) {
                best = v;
                err.println(Printable.text("best " + m.label() + " " + text(m, v) + ": " + e.configuration()));
                err.flush();
            }
        }
    }

    private static String text(Metric m, double v) {
        return NumberFormats.shortest(v) + (m.unit().isEmpty() ? "" : " " + m.unit());
    }

    @Override
    public Conclusion conclude(Start start, RunResults results, RunEvent.Finished end) {
        Conclusion all = front.conclude(start, results, end);
        List<Metric> objectives = RunFiles.objectives(results);
        Optional<GoalReport> goal = FrontReport.goal(results);
        // A configuration that misses the goal is not the best, however good it is.
        Optional<Design> best = goal.isPresent()
                ? goal.get().best(results)
                : results.front().stream().findFirst();
        if (objectives.size() != 1 || best.isEmpty() || !(start.opened().bench() instanceof StudyWorkbench bench)) {
            return all;
        }
        Metric m = objectives.getFirst();
        double value = value(best.get(), results, m);
        Path here = start.project().resolve(bench.settings().source()).resolveSibling("");
        String command = StudyExporter.commands(bench.study(), here, best.get().configuration());
        var lines = new ArrayList<String>();
        lines.add("Best of " + results.designs().size() + " configurations: " + m.label() + " " + text(m, value) + " (#"
                + best.get().number() + ")" + baseline(bench, results, m, value));
        lines.add("  " + best.get().configuration().toString().replace(";", "  "));
        command.lines().forEach(l -> lines.add("  " + l));
        goal.ifPresent(g -> lines.add(g.line(results)));
        ObjectNode document = all.json();
        document.put("command", command);
        return new Conclusion(
                document,
                Printable.text(String.join("\n", lines)) + "\n"
                        + start.folder()
                                .map(f -> "Files: " + f + " (front.csv, designs.csv, run.json, report.md)\n")
                                .orElse(""),
                all.note(),
                all.isOfUse());
    }

    private static double value(Design d, RunResults results, Metric m) {
        return d.at(results.run().info().top())
                .map(e -> e.value(m.name()).orElse(Double.NaN))
                .orElse(Double.NaN);
    }

    /// How the best compares with the defaults.
    private static String baseline(StudyWorkbench bench, RunResults results, Metric m, double best) {
        return bench.baseline()
                .flatMap(b -> results.designs().stream()
                        .filter(d -> d.configuration().equals(b))
                        .findFirst())
                .map(d -> value(d, results, m))
                .filter(v -> Double.isFinite(v) && v > 0 && best > 0)
                .map(v -> ", "
                        + NumberFormats.shortest(m.direction() == Metric.Direction.MAXIMISE ? best / v : v / best)
                        + " times better than the defaults (" + text(m, v) + ")")
                .orElse("");
    }
}

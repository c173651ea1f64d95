package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.explore.RunEvent;
import knobscape.hls.HlsWorkbench;
import knobscape.project.Design;
import knobscape.project.NumberFormats;
import knobscape.project.RunFiles;
import knobscape.project.RunResults;
import knobscape.space.Configuration;
import knobscape.work.Workbench;
import picocli.CommandLine.Command;
import tools.jackson.databind.node.ObjectNode;

/// The front of a run, with the goal where there is one: what every area tells that has nothing of its own to say.
@Command
final class FrontReport implements RunReport {
    /// Designs whose loops are listed.
    private static final int MOST_EXPLAINED = 20;

    @Override
    public List<String> files() {
        return RunFiles.names();
    }

    @Override
    public Conclusion conclude(Start start, RunResults results, RunEvent.Finished end) {
        Optional<GoalReport> wanted = goal(results);
        start.folder()
                .ifPresent(f -> RunFiles.write(
                        start.project(),
                        results,
                        f,
                        start.guard(),
                        report -> report + wanted.map(g -> g.section(results)).orElse("")));
        ObjectNode document = RunFiles.json(start.project(), results);
        if (start.opened().bench() instanceof HlsWorkbench bench) {
            loops(bench, results, document);
        }
        wanted.ifPresent(g -> g.write(document, results));
        return new Conclusion(
                document,
                front(start.opened().bench(), results, wanted)
                        + wanted.map(g -> g.line(results) + "\n").orElse("")
                        + start.folder()
                                .map(f -> "Files: " + f + " (front.csv, designs.csv, run.json, report.md)\n")
                                .orElse(""),
                "",
                true);
    }

    /// Adds to every design of the front what its loops come to by the built-in estimate.
    private static void loops(HlsWorkbench bench, RunResults results, ObjectNode document) {
        var nodes = new HashMap<Integer, ObjectNode>();
        document.path("front").forEach(n -> nodes.put(n.path("design").asInt(), (ObjectNode) n));
        RunFiles.front(results).stream()
                .limit(MOST_EXPLAINED)
                .forEach(d -> bench.explain(d.configuration())
                        .ifPresent(r -> LoopRows.json(
                                r, requireNonNull(nodes.get(d.number())).putArray("loops"))));
    }

    /// The goal that a run was begun with.
    static Optional<GoalReport> goal(RunResults results) {
        return Optional.of(results.run().settings().goal())
                .filter(g -> !g.isBlank())
                .map(g -> GoalReport.parse(g, results.run().info().metrics()));
    }

    private static String front(Workbench bench, RunResults results, Optional<GoalReport> wanted) {
        List<Metric> objectives = RunFiles.objectives(results);
        var headings = new ArrayList<String>(List.of(">design"));
        objectives.forEach(m -> headings.add(">" + m.heading()));
        wanted.ifPresent(g -> headings.add("goal"));
        Configuration usual = bench.baseline()
                .orElseGet(() -> Configuration.of(
                        bench.space().knobs(), new int[bench.space().knobs().size()]));
        headings.add(
                bench.baseline().isPresent()
                        ? "knobs that differ from the baseline"
                        : "knobs not at their first value");
        var table = new TextTable(headings);
        // Equal designs are one line, as they are one mark in the window.
        var alike = new LinkedHashMap<List<String>, List<Design>>();
        for (Design d : RunFiles.front(results)) {
            var cells = new ArrayList<String>();
            objectives.forEach(m ->
                    cells.add(NumberFormats.shortest(d.at(results.run().info().top())
                            .orElseThrow()
                            .value(m.name())
                            .orElse(Double.NaN))));
            wanted.ifPresent(g -> cells.add(g.mark(results, d)));
            alike.computeIfAbsent(cells, c -> new ArrayList<>()).add(d);
        }
        alike.forEach((values, designs) -> {
            Design first = designs.getFirst();
            var cells = new ArrayList<String>(List.of("#" + first.number()));
            cells.addAll(values);
            cells.add(KnobWords.differences(usual, first.configuration())
                    + (designs.size() == 1
                            ? ""
                            : designs.stream()
                                    .skip(1)
                                    .map(d -> "#" + d.number())
                                    .collect(Collectors.joining(", ", "; as good: ", ""))));
            table.add(cells);
        });
        String of = results.designs().size() + " designs at "
                + results.run().info().top().name() + " ("
                + results.run().info().source().words() + ")";
        var text = new StringBuilder();
        if (!results.front().isEmpty()) {
            text.append("Front of ").append(of).append(":\n").append(table.text());
        } else {
            text.append("No result of ").append(of).append(".\n");
            results.designs().stream()
                    .flatMap(d -> d.highest().stream())
                    .flatMap(e -> e.outcome() instanceof Outcome.Failure f ? Stream.of(f.reason()) : Stream.empty())
                    .findFirst()
                    .ifPresent(why ->
                            text.append("The first that failed: ").append(why).append('\n'));
        }
        return text.toString();
    }
}

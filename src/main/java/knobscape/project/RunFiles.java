package knobscape.project;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.DesignCsv;
import knobscape.evaluate.report.DesignTable;
import knobscape.evaluate.report.FileGuard;
import knobscape.work.Workbench;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The results of a run as documents: `front.csv`, `designs.csv`, `run.json` and `report.md`.
public final class RunFiles {
    /// Name of the JSON document.
    public static final String RUN_JSON = "run.json";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long LARGEST = 64L << 20;
    private static final int MAX_DIGITS = 12;
    /// Knobs in a cell of the report.
    private static final int MOST_SHOWN = 24;
    private static final double SECONDS_PER_HOUR = 3600;

    private RunFiles() {}

    /// The names of all four.
    public static List<String> names() {
        return List.of("front.csv", "designs.csv", RUN_JSON, "report.md");
    }

    /// Writes all four into a folder and gives their paths. Throws [knobscape.evaluate.UserError] where that
    /// cannot be done.
    public static List<Path> write(Project project, RunResults results, Path folder, FileGuard guard) {
        return write(project, results, folder, guard, report -> report);
    }

    /// The same with another report.
    ///
    /// @param report takes the usual report, gives what is written
    public static List<Path> write(
            Project project, RunResults results, Path folder, FileGuard guard, UnaryOperator<String> report) {
        DesignTable all = table(project, results, results.designs());
        DesignTable front = table(project, results, front(results));
        var files = new LinkedHashMap<String, String>();
        files.put("front.csv", DesignCsv.write(front));
        files.put("designs.csv", DesignCsv.write(all));
        files.put(RUN_JSON, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json(project, results)) + "\n");
        files.put("report.md", report.apply(report(project, results)));
        List<Path> written = guard.write(folder, FileGuard.bytes(files));
        if (project.isLocked()) {
            project.lock().results(results.run().id(), folder);
        }
        return written;
    }

    /// Notes where a run that has begun will leave its results, so that it finds the place again when it is resumed
    /// after a kill. Outside of the folder of runs its documents are written there at once.
    public static void promise(Project project, long run, Path folder, FileGuard guard) {
        RunStore store = project.lock();
        store.results(run, folder);
        // A store alone, which may be somebody else's, is not followed to another place.
        if (!folder.toAbsolutePath().normalize().startsWith(project.runsFolder())) {
            write(project, store.results(run), folder, guard);
        }
    }

    /// The folder for the results of an earlier start of a run: they are written anew when it is resumed. Of a run that
    /// does not say where, the folder of the store is used where its results are there.
    public static Optional<Path> earlier(Project project, RunRecord run) {
        return run.results()
                .filter(f -> f.startsWith(project.runsFolder()))
                .or(() ->
                        Optional.of(run.results().orElse(project.runsFolder())).filter(f -> hasResults(f, run)));
    }

    private static boolean hasResults(Path folder, RunRecord run) {
        try {
            return JSON.readTree(InputFile.bytes(folder.resolve(RUN_JSON), LARGEST))
                    .path("run")
                    .asString("")
                    .endsWith(":" + run.id());
        } catch (IOException | JacksonException | UserError e) {
            return false;
        }
    }

    /// Designs of a run as a table that can be written on; those without an evaluation are left out.
    public static DesignTable table(Project project, RunResults results, List<Design> designs) {
        RunRecord run = results.run();
        Set<Integer> front = new HashSet<>();
        results.front().forEach(d -> front.add(d.number()));
        return new DesignTable(
                project.name(),
                origin(project, run),
                run.info().metrics(),
                objectives(results).stream().map(Metric::name).toList(),
                run.info().fidelities().stream().map(Fidelity::name).toList(),
                designs.stream()
                        .filter(d -> !d.evaluations().isEmpty())
                        .map(d -> DesignTable.Row.of(d.number(), d.evaluations(), front.contains(d.number())))
                        .toList());
    }

    /// How the designs of a run came about, in the order shown.
    public static Map<String, String> origin(Project project, RunRecord run) {
        var origin = new LinkedHashMap<String, String>();
        origin.put("run", project.text(run.id()));
        origin.put("method", run.settings().method());
        origin.put(
                "toolchain",
                run.settings().toolchain() + " (" + run.info().source().words() + ")");
        origin.put("seed", Long.toString(run.settings().seed()));
        origin.putAll(run.work().facts());
        origin.put("program", "Knobscape " + run.program());
        return origin;
    }

    /// The metrics a run explores, in order.
    public static List<Metric> objectives(RunResults results) {
        return Workbench.objectives(results.run().settings(), results.run().info());
    }

    /// The front from best to worst in the first objective.
    public static List<Design> front(RunResults results) {
        Metric first = objectives(results).getFirst();
        Comparator<Design> byFirst = Comparator.comparingDouble(d -> topValue(results, d, first));
        return results.front().stream()
                .sorted((first.direction() == Metric.Direction.MAXIMISE ? byFirst.reversed() : byFirst)
                        .thenComparingInt(Design::number))
                .toList();
    }

    private static double topValue(RunResults results, Design d, Metric m) {
        return d.at(results.run().info().top()).orElseThrow().value(m.name()).orElse(Double.NaN);
    }

    /// The document that `explore --json` prints and `run.json` holds.
    public static ObjectNode json(Project project, RunResults results) {
        RunRecord run = results.run();
        ObjectNode root = JSON.createObjectNode();
        root.put("run", project.text(run.id()));
        root.put("project", project.name());
        root.put("status", run.status().words());
        root.put("reason", run.reason());
        root.put("method", run.settings().method());
        root.put("toolchain", run.settings().toolchain());
        root.put("source", run.info().source().words());
        root.put("seed", run.settings().seed());
        root.put("spaceSize", run.spaceSize());
        root.put("steps", Math.max(0, run.step()));
        root.put(
                "designs",
                results.designs().stream()
                        .filter(d -> !d.evaluations().isEmpty())
                        .count());
        // Of a population search only a part is stored, and every evaluation is a step.
        root.put(
                "evaluations",
                Math.max(
                        run.step(),
                        results.designs().stream()
                                .mapToInt(d -> d.evaluations().size())
                                .sum()));
        root.put("hours", run.toolSeconds() / SECONDS_PER_HOUR);
        root.put("algorithmSeconds", run.algorithmSeconds());
        var front = root.putArray("front");
        List<Metric> objectives = objectives(results);
        for (Design d : front(results)) {
            ObjectNode node = front.addObject();
            node.put("design", d.number());
            ObjectNode knobs = node.putObject("knobs");
            d.configuration().toMap().forEach(knobs::put);
            ObjectNode values = node.putObject("objectives");
            objectives.forEach(m -> values.put(m.name(), topValue(results, d, m)));
        }
        if (Double.isNaN(run.hypervolume())) {
            root.putNull("hypervolume");
        } else {
            root.put("hypervolume", run.hypervolume());
        }
        run.objectives().ifPresent(o -> {
            ObjectNode reference = root.putObject("referencePoint");
            for (int j = 0; j < o.count(); j++) {
                reference.put(o.metrics().get(j).name(), o.raw(j, o.reference().get(j)));
            }
        });
        root.put("command", run.command());
        return root;
    }

    private static String report(Project project, RunResults results) {
        RunRecord run = results.run();
        List<Metric> objectives = objectives(results);
        var b = new StringBuilder();
        b.append("# ").append(project.name()).append(": ").append(run.title()).append("\n\n");
        if (!project.file().description().isEmpty()) {
            b.append(project.file().description()).append("\n\n");
        }
        var facts = new LinkedHashMap<String, String>();
        facts.put("Method", run.settings().method() + ", seed " + run.settings().seed());
        facts.put(
                "Toolchain",
                run.settings().toolchain() + " (" + run.info().source().words() + ")");
        run.work()
                .facts()
                .forEach((label, value) ->
                        facts.put(Character.toUpperCase(label.charAt(0)) + label.substring(1), value));
        facts.put(
                "Space",
                size(run.spaceSize()) + " configurations, " + run.knobs().size() + " knobs");
        facts.put("State", run.status().words() + (run.reason().isEmpty() ? "" : ": " + run.reason()));
        facts.put("Steps", run.settings().stepsDone(run.step(), " of at most "));
        facts.put("Designs", results.designs().size() + ", " + results.front().size() + " on the front");
        facts.put(
                run.info().source().isMeasured() ? "Measured hours" : "Simulated hours",
                String.format(Locale.ROOT, "%.2f", run.toolSeconds() / SECONDS_PER_HOUR));
        facts.put("Algorithm time", String.format(Locale.ROOT, "%.1f s", run.algorithmSeconds()));
        if (!Double.isNaN(run.hypervolume())
                && objectives.size() > 1
                && results.front().size() > 1) {
            facts.put(
                    "Hypervolume",
                    String.format(Locale.ROOT, "%.6f", run.hypervolume())
                            + run.objectives()
                                    .map(o -> {
                                        var reference = new ArrayList<String>();
                                        for (int j = 0; j < o.count(); j++) {
                                            reference.add(o.metrics().get(j).label() + " "
                                                    + NumberFormats.shortest(o.raw(
                                                            j, o.reference().get(j)))
                                                    + unit(o.metrics().get(j)));
                                        }
                                        return " (reference point: " + String.join(", ", reference) + ")";
                                    })
                                    .orElse(""));
        }
        b.append("| | |\n|---|---|\n");
        for (Map.Entry<String, String> e : facts.entrySet()) {
            b.append("| ")
                    .append(e.getKey())
                    .append(" | ")
                    .append(cell(e.getValue()))
                    .append(" |\n");
        }
        b.append("\nThe same run again:\n\n```\n")
                .append(run.command())
                .append("\n```\n\n## Front\n\nValues at the stage `")
                .append(run.info().top().name())
                .append("`, ")
                .append(run.info().source().words())
                .append(".\n\n| design |");
        objectives.forEach(m -> b.append(' ')
                .append(m.label())
                .append(unit(m).isEmpty() ? "" : " (" + m.unit() + ")")
                .append(" |"));
        b.append(" knobs |\n|---:|").append("---:|".repeat(objectives.size())).append("---|\n");
        List<Design> front = front(results);
        Set<String> different = different(front);
        for (Design d : front) {
            b.append("| #").append(d.number()).append(" |");
            objectives.forEach(m -> b.append(' ')
                    .append(NumberFormats.shortest(topValue(results, d, m)))
                    .append(" |"));
            b.append(' ').append(cell(knobs(d, different))).append(" |\n");
        }
        return b.toString();
    }

    /// Knobs of a design: all of a few, else those in which the designs of the front differ, as far as a cell has room.
    private static String knobs(Design d, Set<String> different) {
        List<String> shown = d.configuration().toMap().entrySet().stream()
                .filter(e -> different.contains(e.getKey()))
                .map(e -> e.getKey() + "=" + e.getValue())
                .toList();
        return shown.isEmpty() || shown.size() > MOST_SHOWN ? "see front.csv" : String.join(", ", shown);
    }

    private static Set<String> different(List<Design> front) {
        var values = new LinkedHashMap<String, Set<String>>();
        front.forEach(d -> d.configuration()
                .toMap()
                .forEach((knob, value) ->
                        values.computeIfAbsent(knob, _ -> new HashSet<>()).add(value)));
        boolean all = values.size() <= MOST_SHOWN;
        values.values().removeIf(v -> !all && v.size() < 2);
        return values.keySet();
    }

    /// A size in full, or rounded where it has many digits.
    private static String size(String decimal) {
        int digits = decimal.replaceFirst("\\D.*", "").length();
        if (digits < decimal.length()) {
            // The store keeps the first digits of what is longer.
            return "more than 10^" + Math.max(0, digits - 1);
        }
        return decimal.length() <= MAX_DIGITS ? decimal : String.format(Locale.ROOT, "%.2e", new BigDecimal(decimal));
    }

    private static String unit(Metric m) {
        return m.unit().isEmpty() ? "" : " " + m.unit();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}

package knobscape.app.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.StripWorkbench;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.export.FusionResult;
import knobscape.fusion.export.StrategyFile;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Strategy;
import knobscape.project.NumberFormats;
import knobscape.project.RunFiles;
import knobscape.project.RunResults;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.parameter.Parameter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Layer fusion: the best strategy found and why it is good, or a strategy that is named explained.
@Command
final class FuseReport implements RunReport {
    /// Settings that only the paper's model knows.
    private static final List<Parameter<?>> PAPER =
            List.of(FusionSettings.CONSTRAINT, FusionSettings.EVALUATIONS, RunSettings.TOOLCHAIN, FusionSettings.MODEL);
    /// Settings that only strips know.
    private static final List<Parameter<?>> STRIPS = List.of(FusionSettings.OBJECTIVE, FusionSettings.PARETO);
    private static final List<String> FILES = List.of("strategy.json", "strategy.csv");

    @Option(
            names = "--strategy",
            paramLabel = "TEXT|FILE",
            description = "Explain this strategy instead of searching: entries like 64,6,-1^15, or a strategy.json.")
    private Optional<String> strategy = Optional.empty();

    private final Path here;

    /// @param here where files named on the command line are looked for
    FuseReport(Path here) {
        this.here = here;
    }

    @Override
    public List<String> files() {
        return Stream.of(RunFiles.names(), FILES, List.of(StripFusion.TRACE))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<CommandSpec> further(CommandContext context) {
        return List.of(FuseSweepCommand.of(context));
    }

    @Override
    public Optional<Integer> listed(Verb verb, Map<Parameter<?>, ParameterOptions.OptionUse> given) {
        return Optional.ofNullable(given.get(FusionSettings.ACCELERATOR))
                .filter(g -> g.values().contains("list"))
                .map(_ -> StripFusion.listAccelerators(verb));
    }

    /// Strips are worked on where they are named, by a project, or for a network without anything that only the
    /// paper's model knows.
    @Override
    public Area.Work settled(Area.Work asked, Set<Parameter<?>> given, boolean isProject) {
        var settings = (FusionSettings) asked.settings();
        String name = has(given, RunSettings.METHOD) ? asked.run().method() : FusionMethods.AUTO;
        boolean exact = FusionMethods.isOfStrips(name);
        boolean named = has(given, FusionSettings.COST_MODEL);
        if (named && settings.isStrips() && !exact) {
            throw new IllegalArgumentException("the method " + name
                    + " works in the paper's model; strips are answered by exact (--cost-model paper --method " + name
                    + ")");
        }
        boolean strips = named
                ? settings.isStrips()
                : exact
                        && strategy.isEmpty()
                        && PAPER.stream().noneMatch(p -> has(given, p))
                        && (settings.isStrips() || !isProject);
        if (!strips && STRIPS.stream().anyMatch(p -> has(given, p))) {
            throw new IllegalArgumentException(
                    "--objective and --pareto go with --cost-model strips; the paper's model has one objective");
        }
        return new Area.Work(
                settings.with(
                        FusionSettings.COST_MODEL,
                        strips ? FusionSettings.CostModelKind.STRIPS : FusionSettings.CostModelKind.PAPER),
                strips ? asked.run().with(RunSettings.METHOD, name) : asked.run());
    }

    private static boolean has(Set<Parameter<?>> given, Parameter<?> p) {
        return given.stream().anyMatch(g -> g.name().equals(p.name()));
    }

    @Override
    public boolean isAsked() {
        return strategy.isPresent();
    }

    private static FusionWorkbench bench(Start start) {
        return (FusionWorkbench) start.opened().bench();
    }

    @Override
    public Optional<Conclusion> instead(Start start, Set<Parameter<?>> given) {
        return strategy.map(text -> {
            FusionCostModel own = bench(start).model();
            if (!text.endsWith(".json")) {
                Strategy s = Strategy.parse(text);
                own.check(s);
                return explained(start, new FusionResult(own, s, Optional.empty(), Optional.empty()), "");
            }
            StrategyFile file = StrategyFile.read(here.resolve(text));
            FusionCostModel model = model(own, file, given);
            file.mismatch(model).ifPresent(why -> {
                throw new UserError("The strategy in " + text + " does not fit the network: " + why + ".");
            });
            boolean asMade = model.accelerator().equals(file.accelerator()) && model.batch() == file.batch();
            return explained(
                    start,
                    new FusionResult(model, file.strategy(), Optional.empty(), Optional.empty()),
                    asMade
                            ? "Evaluated on the accelerator, buffer and batch that the file was made for."
                            : "Evaluated on " + on(model.accelerator(), model.batch())
                                    + ", as asked; the file was made for " + on(file.accelerator(), file.batch())
                                    + ".");
        });
    }

    /// The strategy of a file is evaluated on the accelerator and with the batch of the file, as far as no option
    /// says otherwise.
    private static FusionCostModel model(FusionCostModel own, StrategyFile file, Set<Parameter<?>> given) {
        boolean other = given.contains(FusionSettings.ACCELERATOR);
        Accelerator base = other ? own.accelerator() : file.accelerator();
        return new FusionCostModel(
                own.network(),
                other || given.contains(FusionSettings.BUFFER)
                        ? base.withBuffer(own.accelerator().bufferBytes())
                        : base,
                given.contains(FusionSettings.BATCH) ? own.batch() : file.batch());
    }

    private static Conclusion explained(Start start, FusionResult r, String note) {
        start.folder().ifPresent(f -> write(start, r, f));
        return new Conclusion(r.json(), text(r.model(), r.strategy()), note, true);
    }

    private static String on(Accelerator a, int batch) {
        return a.name() + " with " + ByteSize.shown(a.bufferBytes()) + ", batch " + batch;
    }

    /// Methods that do not search answer at once, and their text says all that there is, unless they fail.
    @Override
    public List<RunListener> watchers(Start start, PrintWriter err, RunListener usual) {
        return start.opened().bench() instanceof FusionWorkbench b && b.isSearch(start.run())
                ? List.of(usual)
                : List.of(e -> {
                    if (e instanceof RunEvent.Finished f && f.ending() == RunEvent.Ending.FAILED) {
                        usual.onEvent(e);
                    }
                });
    }

    @Override
    public Conclusion conclude(Start start, RunResults results, RunEvent.Finished end) {
        if (start.opened().bench() instanceof StripWorkbench strips) {
            return new StripFusion(start, strips, results).conclusion(end);
        }
        FusionWorkbench bench = bench(start);
        FusionCostModel model = bench.model();
        Optional<Strategy> fastest = bench.best(results.designs().stream().flatMap(d -> d.evaluations().stream()));
        Optional<FusionResult> best = fastest.map(s -> bench.result(
                results.run().settings(),
                s,
                results.designs().stream()
                        .filter(d ->
                                bench.strategies().strategy(d.configuration()).equals(s))
                        .findFirst()
                        .orElseThrow()
                        .reason()));
        Optional<Strategy> nearest = results.designs().stream()
                .map(d -> bench.strategies().strategy(d.configuration()))
                .min(Comparator.comparingLong(s -> model.evaluate(s).peakBytes()));
        start.folder().ifPresent(f -> {
            RunFiles.write(
                    start.project(),
                    results,
                    f,
                    start.guard(),
                    report -> report + best.map(FusionResult::markdown).orElse(""));
            best.ifPresent(b -> write(start, b, f));
        });
        ObjectNode root = RunFiles.json(start.project(), results);
        root.put("network", model.network().name()).put("batch", model.batch()).put("bufferBytes", model.budget());
        best.map(FusionResult::json)
                .or(() -> nearest.map(s -> StrategyFile.json(model, s)))
                .ifPresentOrElse(json -> root.set("best", json), () -> root.putNull("best"));
        String files = start.folder()
                .map(f -> "Files: " + f + " (" + (best.isPresent() ? "strategy.json, strategy.csv, " : "")
                        + "front.csv, designs.csv, run.json, report.md)\n")
                .orElse("");
        boolean nothing = end.ending() == RunEvent.Ending.COMPLETED && best.isEmpty();
        return new Conclusion(
                root,
                best.map(b -> text(model, b.strategy())
                                        + Stream.concat(b.proofWords().stream(), b.remarkWords().stream())
                                                .map(w -> w + "\n")
                                                .collect(Collectors.joining()))
                                .orElse("")
                        + files,
                nothing
                        ? "No strategy that fits " + ByteSize.shown(model.budget())
                                + " was found (N/A); the smallest needs "
                                + nearest.map(s ->
                                                ByteSize.shown(model.evaluate(s).peakBytes()))
                                        .orElse("-")
                                + ". Try --method gsampler, or --constraint lexi with more --evaluations."
                        : "",
                !nothing);
    }

    private static void write(Start start, FusionResult r, Path folder) {
        start.guard()
                .write(
                        folder,
                        FileGuard.bytes(Map.of(
                                FILES.getFirst(),
                                StrategyFile.text(r.json()),
                                FILES.getLast(),
                                StrategyFile.csv(r.model(), r.strategy()))));
    }

    private static String text(FusionCostModel model, Strategy s) {
        FusionReport r = model.report(s);
        var text = new StringBuilder(model.network().name() + ", " + model.layers() + " layers, batch "
                + model.batch() + ", accelerator "
                + model.accelerator().name() + ", buffer "
                + ByteSize.shown(model.budget()) + "\n");
        text.append("Strategy: " + s.text() + "\n");
        text.append(String.format(
                Locale.ROOT,
                "Speedup %s over no fusion: %s us instead of %s us. %s\n",
                r.isValid() ? String.format(Locale.ROOT, "%.2f", r.speedup()) : "N/A",
                NumberFormats.shortest(r.cost().seconds() * 1e6),
                NumberFormats.shortest(r.baselineSeconds() * 1e6),
                r.verdict()));
        var table = new TextTable(
                ">group",
                "layers",
                "micro-batches",
                ">time (us)",
                ">off-chip (MB)",
                ">on-chip (MB)",
                ">staged (MB)",
                "weights",
                "waits for");
        for (int g = 0; g < r.groups().size(); g++) {
            FusionReport.Group group = r.groups().get(g);
            int[] entries = java.util.Arrays.copyOfRange(s.toArray(), group.first(), group.last() + 1);
            table.add(
                    "" + (g + 1),
                    group.first() == group.last() ? "" + group.first() : group.first() + "-" + group.last(),
                    entries.length == 1 ? "-" : runs(entries),
                    NumberFormats.shortest(group.cost().seconds() * 1e6),
                    NumberFormats.shortest(group.cost().offChipBytes() / 1e6),
                    NumberFormats.shortest(group.cost().onChipBytes() / 1e6),
                    NumberFormats.shortest(group.cost().peakBytes() / 1e6),
                    group.reloads() ? "reloaded" : "loaded once",
                    bounds(group));
        }
        return text.append(table.text()).toString();
    }

    private static String runs(int[] entries) {
        var b = new StringBuilder();
        for (int i = 0; i < entries.length; ) {
            int j = i;
            while (j < entries.length && entries[j] == entries[i]) {
                j++;
            }
            b.append(b.isEmpty() ? "" : ",")
                    .append(entries[i] < 1 ? "sync" : "" + entries[i])
                    .append(j - i > 1 ? "^" + (j - i) : "");
            i = j;
        }
        return b.toString();
    }

    /// The main bound of the group's time, by the time of its layers.
    private static String bounds(FusionReport.Group group) {
        return java.util.Arrays.stream(FusionReport.Bound.values())
                .max(Comparator.comparingDouble(b -> group.layers().stream()
                        .filter(l -> l.bound() == b)
                        .mapToDouble(FusionReport.Layer::seconds)
                        .sum()))
                .map(b -> switch (b) {
                    case COMPUTE -> "compute";
                    case OFF_CHIP -> "off-chip";
                    case ON_CHIP -> "on-chip";
                    case LAUNCH -> "launches";
                })
                .orElseThrow();
    }
}

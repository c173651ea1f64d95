package knobscape.app.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.StripWorkbench;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.export.PeerMappings;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripExplorer;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.project.Design;
import knobscape.project.NumberFormats;
import knobscape.project.RunFiles;
import knobscape.project.RunResults;
import knobscape.space.Configuration;
import tools.jackson.databind.node.ObjectNode;

/// The report of `fuse` on a run in strips, printed and written: the stored answer beside the least possible.
final class StripFusion {
    /// The timeline.
    static final String TRACE = "trace.json";

    private static final double MICRO = 1e6;
    private static final double MEGA = 1e6;
    private static final double KILO = 1e3;

    private final RunReport.Start start;
    private final StripWorkbench bench;
    private final RunResults results;
    private final Function<Configuration, Optional<StripAnswer>> answers;

    StripFusion(RunReport.Start start, StripWorkbench bench, RunResults results) {
        this.start = start;
        this.bench = bench;
        this.results = results;
        this.answers = bench.answers();
    }

    /// Prints the built-in accelerators.
    static int listAccelerators(Verb verb) {
        var table = new TextTable("accelerator", ">MAC/s (G)", ">off-chip (GB/s)", ">buffer", "source");
        for (Accelerator a : Accelerator.presets()) {
            table.add(
                    a.name(),
                    NumberFormats.shortest(a.rate() / 1e9),
                    NumberFormats.shortest(a.offChipBandwidth() / 1e9),
                    ByteSize.shown(a.bufferBytes()),
                    a.hardware().source().isEmpty()
                            ? "DNNFuser paper (arXiv 2201.11218)"
                            : a.hardware().source());
        }
        verb.out().print(table.text());
        verb.out().flush();
        return 0;
    }

    RunReport.Conclusion conclusion(RunEvent.Finished end) {
        Optional<StripReport> found = bench.best(results.designs().stream().flatMap(d -> d.evaluations().stream()))
                .flatMap(answers)
                .map(a -> report(a, claim(end), end.reason()));
        String files = start.folder().map(f -> written(found, f)).orElse("");
        ObjectNode root = RunFiles.json(start.project(), results);
        root.remove("hypervolume");
        root.remove("referencePoint");
        List<Design> front = RunFiles.front(results);
        for (int i = 0; i < front.size(); i++) {
            var point = (ObjectNode) root.get("front").get(i);
            answers.apply(front.get(i).configuration()).ifPresent(a -> StripReport.put(point, a));
        }
        root.put("costModel", "strips")
                .put("network", bench.work().graph().name())
                .put("batch", bench.work().batch())
                .put("bufferBytes", bench.work().accelerator().bufferBytes());
        found.ifPresentOrElse(r -> root.set("best", r.json()), () -> root.putNull("best"));
        found.ifPresent(r -> root.put("sensitivities", r.sensitivities()));
        boolean nothing = end.ending() == RunEvent.Ending.COMPLETED && found.isEmpty();
        return new RunReport.Conclusion(
                root,
                found.map(StripFusion::text).orElse("") + files,
                nothing ? "Nothing that fits the buffer was told." : "",
                !nothing);
    }

    /// Writes the results into a folder; gives a line that names them, and what of the answer other tools do not take.
    private String written(Optional<StripReport> found, Path folder) {
        RunFiles.write(
                start.project(),
                results,
                folder,
                start.guard(),
                usual -> found.map(StripReport::markdown).orElse(usual));
        var files = new LinkedHashMap<String, String>();
        var words = new ArrayList<String>();
        found.ifPresent(r -> {
            var mappings = new PeerMappings(r);
            files.put("strategy.json", r.text());
            files.put("strategy.csv", r.csv());
            files.put(TRACE, r.trace());
            files.putAll(mappings.files());
            start.guard().write(folder, FileGuard.bytes(files));
            words.addAll(mappings.words());
        });
        return "Files: " + folder + " ("
                + files.keySet().stream().map(n -> n + ", ").collect(Collectors.joining())
                + "front.csv, designs.csv, run.json, report.md)\n"
                + words.stream().map(w -> w + "\n").collect(Collectors.joining());
    }

    /// The exact methods prove their answer once they are through.
    private StripReport.Claim claim(RunEvent.Finished end) {
        var settings = results.run().settings();
        return end.ending() == RunEvent.Ending.COMPLETED
                        && !settings.method().equals(FusionMethods.NONE)
                        && settings.toolchain().equals(FusionEvaluator.NAME)
                ? StripReport.Claim.PROVEN
                : StripReport.Claim.SHOWN;
    }

    private StripReport report(StripAnswer answer, StripReport.Claim claim, String reason) {
        List<StripAnswer> front = bench.settings().isFrontAsked()
                ? results.front().stream()
                        .map(Design::configuration)
                        .flatMap(c -> answers.apply(c).stream())
                        .sorted(Comparator.comparingDouble(a -> a.total().seconds()))
                        .toList()
                : List.of();
        return new StripReport(
                bench.model(),
                bench.work().accelerator(),
                answer,
                front,
                front.isEmpty() ? "" : StripExplorer.thinned(reason),
                claim == StripReport.Claim.PROVEN
                        ? StripSweep.sensitivities(
                                bench.work().graph(),
                                bench.work().machine(),
                                bench.work().batch(),
                                answer,
                                new CancellationSignal())
                        : "",
                claim);
    }

    private static String text(StripReport report) {
        var text = new StringBuilder(report.subject() + "\n" + report.headline() + "\n");
        var table = new TextTable(
                ">group",
                "layers",
                ">samples",
                ">rows",
                ">time (us)",
                ">off-chip (MB)",
                ">room (kB)",
                "weights",
                "waits for");
        int n = 0;
        for (StripReport.Group g : report.groups()) {
            n++;
            table.add(
                    "" + n,
                    report.layers(g.plan()),
                    "" + g.plan().pieces().samples(),
                    report.strips(g.plan()),
                    NumberFormats.shortest(g.plan().cost().seconds() * MICRO),
                    NumberFormats.shortest(g.plan().cost().offChip() / MEGA),
                    NumberFormats.shortest(g.plan().room() / KILO),
                    StripReport.weights(g),
                    g.waits().words());
        }
        text.append(table.text());
        report.words().forEach(w -> text.append(w).append('\n'));
        if (!report.front().isEmpty()) {
            text.append(report.frontTitle() + ":\n");
            var front = new TextTable(">time (us)", ">off-chip (MB)", ">energy (uJ)", ">room (kB)", ">groups");
            for (StripAnswer a : report.front()) {
                front.add(
                        NumberFormats.shortest(a.total().seconds() * MICRO),
                        NumberFormats.shortest(a.total().offChip() / MEGA),
                        NumberFormats.shortest(a.total().joules() * MICRO),
                        NumberFormats.shortest(a.room() / KILO),
                        "" + a.groups().size());
            }
            text.append(front.text());
        }
        return text.toString();
    }
}

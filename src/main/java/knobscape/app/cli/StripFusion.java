package knobscape.app.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.report.FileGuard;
import knobscape.fusion.StripWork;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripFront;
import knobscape.fusion.search.strip.StripSweep;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.project.NumberFormats;
import tools.jackson.databind.node.ObjectNode;

/// `fuse` with strips: the exact answer, printed and written. Nothing is stored, since asking again costs as little.
final class StripFusion {
    private static final List<String> FILES = List.of("strategy.json", "strategy.csv", "report.md", "trace.json");
    private static final double MICRO = 1e6;
    private static final double MEGA = 1e6;
    private static final double KILO = 1e3;

    private final Verb verb;
    private final FileGuard guard;

    StripFusion(Verb verb, FileGuard guard) {
        this.verb = verb;
        this.guard = guard;
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

    int run(StripWork work, Objective objective, boolean pareto, Optional<Path> folder) {
        work.notes().forEach(n -> verb.err().println("Note: " + n));
        folder.ifPresent(f -> guard.check(f, FILES));
        var cancel = new CancellationSignal();
        StripAnswer answer = work.solve(objective, cancel);
        StripModel model = work.model();
        var report = new StripReport(model, work.accelerator(), answer);
        List<StripAnswer> front = pareto ? StripFront.of(model, answer, cancel) : List.of();
        String little = StripSweep.sensitivities(work.graph(), work.machine(), work.batch(), answer, cancel);
        folder.ifPresent(f -> {
            var files = new LinkedHashMap<String, String>();
            files.put("strategy.json", report.text());
            files.put("strategy.csv", report.csv());
            files.put("report.md", report.markdown());
            files.put("trace.json", report.trace());
            guard.write(f, FileGuard.bytes(files));
        });
        if (verb.isJson()) {
            verb.print(document(work, report, front, little));
            return 0;
        }
        verb.out().println(report.subject());
        verb.out().println(report.headline());
        table(report);
        report.words().forEach(verb.out()::println);
        verb.out().println("A little more: " + little);
        if (pareto) {
            verb.out().println("Exact front of time against off-chip traffic:");
            var table = new TextTable(">time (us)", ">off-chip (MB)", ">energy (uJ)", ">room (kB)", ">groups");
            for (StripAnswer a : front) {
                table.add(
                        NumberFormats.shortest(a.total().seconds() * MICRO),
                        NumberFormats.shortest(a.total().offChip() / MEGA),
                        NumberFormats.shortest(a.total().joules() * MICRO),
                        NumberFormats.shortest(a.room() / KILO),
                        "" + a.groups().size());
            }
            verb.out().print(table.text());
        }
        folder.ifPresent(f -> verb.out().println("Files: " + f + " (" + String.join(", ", FILES) + ")"));
        verb.out().flush();
        verb.err().flush();
        return 0;
    }

    private static ObjectNode document(
            StripWork work, StripReport report, List<StripAnswer> front, String sensitivities) {
        ObjectNode best = report.json();
        ObjectNode root = best.objectNode()
                .put("method", "exact")
                .put("costModel", "strips")
                .put("network", work.graph().name())
                .put("batch", work.batch())
                .put("bufferBytes", work.accelerator().bufferBytes())
                .put("evaluations", 1)
                .put("sensitivities", sensitivities);
        root.set("best", best);
        var points = root.putArray("front");
        for (StripAnswer a : front) {
            points.addObject()
                    .put("latencySeconds", a.total().seconds())
                    .put("offChipBytes", a.total().offChip())
                    .put("joules", a.total().joules())
                    .put("peakBytes", a.room())
                    .put("groups", a.groups().size());
        }
        return root;
    }

    private void table(StripReport report) {
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
                    "" + g.plan().samples(),
                    String.format(Locale.ROOT, "%d of %d", g.plan().strip(), report.rows(g.plan())),
                    NumberFormats.shortest(g.plan().cost().seconds() * MICRO),
                    NumberFormats.shortest(g.plan().cost().offChip() / MEGA),
                    NumberFormats.shortest(g.plan().room() / KILO),
                    StripReport.weights(g),
                    g.waits().words());
        }
        verb.out().print(table.text());
    }
}

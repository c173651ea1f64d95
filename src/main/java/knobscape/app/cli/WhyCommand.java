package knobscape.app.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.app.ui.insight.Importance;
import knobscape.app.ui.insight.Insight;
import knobscape.app.ui.insight.Waterfall;
import knobscape.project.Design;
import knobscape.project.NumberFormats;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape why`: which knobs decide each objective, and how a design came from the baseline to its results.
@Command(
        name = "why",
        description =
                "Show which knobs decide each objective of a run, and why a design is as good as it is: the way to it from the baseline, measured where something on it was, else predicted.")
final class WhyCommand extends Verb {
    @Parameters(paramLabel = "RUN", description = "PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private String run;

    @Option(
            names = "--design",
            paramLabel = "ID",
            description =
                    "Number of the design as shown (27 or #27), or its identifier (default: none, only what decides).")
    private Optional<String> design = Optional.empty();

    WhyCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        StoredDesigns known = StoredDesigns.read(run, context().here());
        Optional<Design> chosen = design.map(known.results()::named);
        Insight insight = known.insight();
        List<Waterfall> ways = chosen.stream()
                .flatMap(d -> Stream.iterate(0, i -> i + 1)
                        .limit(known.designs().objectives().size())
                        .flatMap(i -> Waterfall.of(known.designs(), d, i, Optional.of(insight)).stream()))
                .toList();
        if (isJson()) {
            print(json(known, insight, ways));
            return 0;
        }
        insight.importance().forEach(i -> out().print(text(known, i)));
        chosen.ifPresent(d -> {
            if (ways.isEmpty()) {
                out().println("There is no way to #" + d.number()
                        + ": no baseline was measured, or it is the baseline.");
            }
            ways.forEach(w -> out().print(text(d, w)));
        });
        out().flush();
        return 0;
    }

    private static String text(StoredDesigns known, Importance i) {
        var table = new TextTable("knob", ">share", ">90 % interval");
        i.top().forEach(s -> table.add(known.run().knobs().get(s.knob()).name(), share(s.value()), interval(s)));
        if (i.shares().size() > i.matter()) {
            table.add(
                    "the other " + (i.shares().size() - i.matter()),
                    share(i.rest().value()),
                    interval(i.rest()));
        }
        return "What decides " + i.metric().label() + " (" + share(i.explained())
                + " of the variance among the designs is explained):\n" + table.text() + "\n";
    }

    private static String share(double v) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * Math.max(0, v));
    }

    private static String interval(Importance.Share s) {
        return share(s.low()) + " to " + share(s.high());
    }

    private static String text(Design d, Waterfall w) {
        var table = new TextTable("set", ">" + w.metric().heading(), "");
        w.steps()
                .forEach(s -> table.add(
                        s.words(),
                        NumberFormats.shortest(s.value()),
                        s.measured()
                                ? w.verb()
                                : "predicted, " + NumberFormats.shortest(s.low()) + " to "
                                        + NumberFormats.shortest(s.high())));
        return "The way to #" + d.number() + ":\n" + table.text() + "\n";
    }

    private static ObjectNode json(StoredDesigns known, Insight insight, List<Waterfall> ways) {
        ObjectNode root = JsonMapper.shared().createObjectNode();
        root.put("run", known.run().id()).put("designs", known.designs().size());
        ArrayNode decides = root.putArray("importance");
        for (Importance i : insight.importance()) {
            ArrayNode knobs = decides.addObject()
                    .put("objective", i.metric().name())
                    .put("explained", i.explained())
                    .putArray("knobs");
            i.shares()
                    .forEach(s -> knobs.addObject()
                            .put("name", known.run().knobs().get(s.knob()).name())
                            .put("share", s.value())
                            .put("low", s.low())
                            .put("high", s.high()));
        }
        ArrayNode all = root.putArray("ways");
        for (Waterfall w : ways) {
            ArrayNode steps =
                    all.addObject().put("objective", w.metric().name()).putArray("steps");
            w.steps()
                    .forEach(s -> steps.addObject()
                            .put("set", s.words())
                            .put("value", s.value())
                            .put("low", s.low())
                            .put("high", s.high())
                            .put("measured", s.measured()));
        }
        return root;
    }
}

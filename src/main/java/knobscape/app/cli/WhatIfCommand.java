package knobscape.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.evaluate.Metric;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.explore.Prediction;
import knobscape.project.Design;
import knobscape.project.NumberFormats;
import knobscape.space.Configuration;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape what-if`: what a design with other values would come to, without evaluating it.
@Command(
        name = "what-if",
        description =
                "Predict, without evaluating anything, what a design of a run would come to with other values of its knobs; a design that is known is shown with its results.")
final class WhatIfCommand extends Verb {
    @Parameters(paramLabel = "RUN", description = "PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private String run;

    @Option(
            names = "--design",
            paramLabel = "ID",
            description = "The design to begin with (27 or #27, or its identifier; default: the first of the front).")
    private Optional<String> design = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            required = true,
            description = "Another value of a knob; may be repeated, or several parted by semicolons.")
    private List<String> changes = new ArrayList<>();

    WhatIfCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        StoredDesigns known = StoredDesigns.read(run, context().here());
        Configuration from = design.map(known.results()::named)
                .or(() -> first(known))
                .map(Design::configuration)
                .orElseThrow(() ->
                        new UserError("Run " + known.run().id() + " has no front yet; name a design with --design."));
        Configuration c = from;
        for (String all : changes) {
            for (String change : all.split(";")) {
                c = changed(c, change.strip());
            }
        }
        if (!known.space().contains(c)) {
            throw new UserError("The space has no configuration " + c.text().replace(";", ", ")
                    + ": its constraints rule it out, or a table has no such row.");
        }
        Configuration asked = c;
        Optional<Design> there = IntStream.range(0, known.designs().size())
                .mapToObj(known.designs()::get)
                .filter(d -> d.configuration().equals(asked))
                .findFirst();
        boolean isMeasured = there.isPresent()
                && known.designs().objectives().stream()
                        .allMatch(m -> there.get().value(m.name()).isPresent());
        Optional<Prediction> p =
                isMeasured ? Optional.empty() : Optional.of(known.surrogate().predict(asked));
        if (isJson()) {
            print(json(known, asked, there, p));
            return 0;
        }
        var table = new TextTable("objective", ">value", "");
        for (Metric m : known.designs().objectives()) {
            String name = m.heading();
            p.map(q -> q.metrics().get(m.name()))
                    .ifPresentOrElse(
                            i -> table.add(
                                    name,
                                    NumberFormats.shortest(i.median()),
                                    "predicted, 90 % between " + NumberFormats.shortest(i.low()) + " and "
                                            + NumberFormats.shortest(i.high())),
                            () -> table.add(
                                    name,
                                    NumberFormats.shortest(there.orElseThrow().valueOrNaN(m.name())),
                                    "known, #" + there.orElseThrow().number()));
        }
        out().println(asked.text().replace(";", "  "));
        out().print(table.text());
        out().flush();
        return 0;
    }

    private static Optional<Design> first(StoredDesigns known) {
        return IntStream.range(0, known.designs().size())
                .filter(i -> known.designs().standing(i) == DesignStanding.FRONT)
                .mapToObj(known.designs()::get)
                .findFirst();
    }

    private static Configuration changed(Configuration c, String change) {
        String[] sides = change.split("=", 2);
        KnobSet knobs = c.knobs();
        int knob = knobs.indexOf(sides[0].strip())
                .orElseThrow(() -> new UserError("There is no knob '" + sides[0].strip() + "'"
                        + NameSuggestions.didYouMean(
                                sides[0].strip(),
                                knobs.list().stream().map(Knob::name).toList())
                        + "."));
        String value = sides.length < 2 ? "" : sides[1].strip();
        int level = knobs.get(knob).domain().levelOf(value);
        if (level < 0) {
            throw new UserError("'" + value + "' is no value of "
                    + knobs.get(knob).name() + "; it has "
                    + knobs.get(knob).domain().labels().stream().limit(20).collect(Collectors.joining(", ")) + ".");
        }
        return c.with(knob, level);
    }

    private static ObjectNode json(
            StoredDesigns known, Configuration c, Optional<Design> there, Optional<Prediction> p) {
        ObjectNode root = JsonMapper.shared().createObjectNode();
        root.put("run", known.run().id());
        there.ifPresentOrElse(d -> root.put("design", d.number()), () -> root.putNull("design"));
        root.put("predicted", p.isPresent());
        ObjectNode knobs = root.putObject("knobs");
        c.toMap().forEach(knobs::put);
        ObjectNode objectives = root.putObject("objectives");
        for (Metric m : known.designs().objectives()) {
            ObjectNode o = objectives.putObject(m.name());
            p.map(q -> q.metrics().get(m.name()))
                    .ifPresentOrElse(
                            i -> o.put("value", i.median()).put("low", i.low()).put("high", i.high()),
                            () -> o.put("value", there.orElseThrow().valueOrNaN(m.name())));
        }
        return root;
    }
}

package knobscape.app.ui.hls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.DesignSummary;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.insight.Importance;
import knobscape.app.ui.insight.Insight;
import knobscape.app.ui.plot.Plot;
import knobscape.app.ui.plot.PlotExport;
import knobscape.evaluate.Metric;
import knobscape.project.Project;
import knobscape.project.RunRecord;

/// The shown work, as one page that needs nothing else: settings, figures, the front, what decides, where it
/// comes from.
///
/// @param project whose it is
/// @param runs the run, or all that were taken together
/// @param set the designs
/// @param figures by title
/// @param insight what is understood of them
record HtmlReport(
        Project project, List<RunRecord> runs, DesignSet set, Map<String, Plot> figures, Optional<Insight> insight) {
    private static final String STYLE =
            "body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;"
                    + "color:#1f2328}table{border-collapse:collapse;margin:.5em 0 1.5em}td,th{padding:.15em .8em .15em 0;text-align:left;"
                    + "vertical-align:top}td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}th{color:#59636e;font-weight:normal}"
                    + "img{max-width:100%}code{font-size:.92em}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:1.6em}";

    /// The page.
    String text() {
        RunRecord newest = runs.getLast();
        var b = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escaped(project.name()))
                .append("</title><style>")
                .append(STYLE)
                .append("</style></head><body>\n<h1>")
                .append(escaped(project.name()))
                .append(": ")
                .append(escaped(runs.size() > 1 ? "best of " + runs.size() + " runs" : newest.title()))
                .append("</h1>\n");
        if (!project.file().description().isBlank()) {
            b.append("<p>").append(escaped(project.file().description())).append("</p>\n");
        }
        figures.forEach((title, plot) -> b.append("<h2>")
                .append(escaped(title))
                .append("</h2>\n<img alt=\"")
                .append(escaped(title))
                .append("\" src=\"data:image/svg+xml;base64,")
                .append(Base64.getEncoder().encodeToString(PlotExport.svg(plot)))
                .append("\">\n"));
        front(b);
        insight.ifPresent(i -> decides(b, i));
        b.append("<h2>Settings and provenance</h2>\n");
        runs.forEach(r -> facts(b, r));
        return b.append("</body></html>\n").toString();
    }

    private void front(StringBuilder b) {
        List<Metric> objectives = set.objectives();
        b.append("<h2>Front: ")
                .append(set.frontSize())
                .append(" designs, ")
                .append(escaped(set.sourceWords()))
                .append("</h2>\n<table><tr><th class=\"n\">design</th>");
        var quantities = objectives.stream().map(m -> Results.quantity(set, m)).toList();
        for (int j = 0; j < objectives.size(); j++) {
            b.append("<th class=\"n\">")
                    .append(escaped(quantities.get(j).heading(objectives.get(j).label())))
                    .append("</th>");
        }
        b.append("<th>knobs that differ from the baseline</th></tr>\n");
        IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == DesignStanding.FRONT
                        && !set.repeats().containsKey(i))
                .boxed()
                .sorted(Comparator.comparingDouble(i -> objectives.isEmpty()
                        ? i
                        : set.shownOrNaN(i, objectives.getFirst().name())))
                .forEach(i -> {
                    b.append("<tr><td class=\"n\">#").append(i + 1).append("</td>");
                    for (int j = 0; j < objectives.size(); j++) {
                        Quantity q = quantities.get(j);
                        b.append("<td class=\"n\">")
                                .append(set.shownValue(i, objectives.get(j).name()).stream()
                                        .mapToObj(q::format)
                                        .findFirst()
                                        .orElse("\u2013"))
                                .append("</td>");
                    }
                    b.append("<td>")
                            .append(escaped(set.baseline()
                                    .map(base -> String.join(
                                            ", ",
                                            DesignSummary.differences(
                                                    base.configuration(),
                                                    set.get(i).configuration())))
                                    .orElseGet(() -> set.get(i).configuration().text())))
                            .append("</td></tr>\n");
                });
        b.append("</table>\n");
    }

    private void decides(StringBuilder b, Insight i) {
        List<String> labels = KnobLabels.of(set.knobs());
        b.append("<h2>What decides</h2>\n<p>" + Importance.METHOD + " of a Gaussian process over ")
                .append(i.surrogate().designs())
                .append(" designs, with 90 % intervals. " + Importance.MEANING
                        + "</p>\n<table><tr><th>objective</th><th>knob</th>")
                .append("<th class=\"n\">share</th><th class=\"n\">interval</th></tr>\n");
        for (Importance m : i.importance()) {
            var rows = new ArrayList<>(m.top());
            rows.add(m.rest());
            rows.forEach(s -> b.append("<tr><td>")
                    .append(escaped(m.metric().label()))
                    .append("</td><td>")
                    .append(escaped(s.knob() < 0 ? "the others together" : labels.get(s.knob())))
                    .append(String.format(
                            Locale.ROOT,
                            "</td><td class=\"n\">%.2f</td><td class=\"n\">%.2f to %.2f</td></tr>%n",
                            s.value(),
                            s.low(),
                            s.high())));
        }
        b.append("</table>\n");
    }

    private static void facts(StringBuilder b, RunRecord r) {
        var facts = new LinkedHashMap<String, String>();
        facts.put("Run", r.title());
        facts.put("Method", r.settings().method());
        facts.put("Seed", Long.toString(r.settings().seed()));
        facts.put(
                "Evaluator", r.settings().toolchain() + " (" + r.info().source().words() + ")");
        facts.putAll(r.work().facts());
        facts.put("Space", r.spaceSize() + " configurations, " + r.knobs().size() + " knobs");
        facts.put("Steps", r.settings().stepsDone(r.step(), " of at most "));
        facts.put("State", r.status().words() + (r.reason().isEmpty() ? "" : ": " + r.reason()));
        facts.put("Spent", Quantity.spent(r.toolSeconds(), r.info().source().hours()));
        facts.put("Begun", r.created().toString());
        facts.put("Program", "Knobscape " + r.program());
        facts.put("Source (SHA-256)", r.sourceHash());
        facts.put("Command", r.command());
        b.append("<table>\n");
        facts.forEach((name, value) -> b.append("<tr><th>")
                .append(escaped(name))
                .append("</th><td><code>")
                .append(escaped(value))
                .append("</code></td></tr>\n"));
        b.append("</table>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

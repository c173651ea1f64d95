package knobscape.app.cli;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunResults;
import knobscape.space.Knob;
import knobscape.study.StudyArea;
import knobscape.study.StudySettings;
import knobscape.study.StudyWorkbench;
import knobscape.study.export.StudyExporter;
import knobscape.study.space.StudySpace;
import tools.jackson.databind.json.JsonMapper;

/// What `space` and `export` have for studies alone.
final class StudyForms {
    private StudyForms() {}

    /// A C header or the command lines of a configuration, by default of the best.
    static String text(boolean isHeader, Project project, RunResults results, Optional<Design> chosen) {
        if (!(results.run().work() instanceof StudySettings settings)) {
            throw new UserError("Run " + results.run().id() + " is of no study; header and command are for studies.");
        }
        Design design = chosen.or(() -> results.front().stream().findFirst())
                .orElseThrow(() -> new UserError(
                        "Run " + results.run().id() + " measured nothing yet; name a configuration with --design."));
        if (isHeader) {
            return StudyExporter.header(
                    "Configuration #" + design.number() + " of run "
                            + results.run().id() + " of " + project.name(),
                    design.configuration());
        }
        Path file = project.resolve(settings.source());
        return "# Configuration #" + design.number() + " of run "
                + results.run().id() + " of " + project.name() + "\n"
                + StudyExporter.commands(
                        new StudyArea().open(settings, project).study(),
                        file.resolveSibling(""),
                        design.configuration());
    }

    /// Shows the space of a study; false where the project is of something else.
    static boolean space(Verb verb, Project project) {
        if (!(project.file().work() instanceof StudySettings settings)) {
            return false;
        }
        StudyWorkbench bench = new StudyArea().open(settings, project);
        if (verb.isJson()) {
            var root = JsonMapper.shared().createObjectNode();
            var knobs = root.putArray("knobs");
            for (Knob k : bench.space().knobs().list()) {
                var values = knobs.addObject().put("name", k.name()).putArray("values");
                k.domain().labels().forEach(values::add);
            }
            root.putObject("size")
                    .put("full", bench.space().fullSize().toString())
                    .put("pruned", bench.space().size().toString());
            bench.warnings().forEach(root.putArray("warnings")::add);
            verb.print(root);
            return true;
        }
        var table = new TextTable("parameter", "values", "default");
        bench.study()
                .parameters()
                .forEach(p -> table.add(p.name(), StudySpace.words(p), p.usual().orElse("")));
        verb.out().print(table.text());
        verb.out()
                .println("Configurations: " + bench.space().size()
                        + (bench.study().constraints().isEmpty()
                                ? ""
                                : ", of " + bench.space().fullSize() + " without the constraints"));
        bench.warnings().forEach(verb.out()::println);
        verb.out().flush();
        return true;
    }
}

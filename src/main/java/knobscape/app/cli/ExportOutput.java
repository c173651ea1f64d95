package knobscape.app.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.FilePlan;
import knobscape.hls.source.SourceNote;
import knobscape.project.RunResults;
import tools.jackson.databind.json.JsonMapper;

/// Where what a verb exports goes: files into a folder, or one text on standard output.
///
/// @param verb whose output it is
/// @param out the folder; empty for standard output
/// @param isDry whether it is only said what would be written
record ExportOutput(Verb verb, Optional<Path> out, boolean isDry) {
    /// Says what of a run is damaged.
    void noteDamage(RunResults results) {
        if (results.damaged() > 0) {
            verb.err()
                    .println("Note: " + results.damaged()
                            + " stored rows of this run are damaged and left out; the rest is exported.");
            verb.err().flush();
        }
    }

    /// A text, as a file of the folder where there is one.
    void text(String name, String text, FileGuard guard) {
        if (out.isPresent()) {
            write(name, text, guard);
        } else {
            document(name, text);
        }
    }

    /// The folder, where there is one.
    Path folder() {
        return verb.context().here().resolve(out.orElseThrow()).normalize();
    }

    /// A file of the folder.
    void write(String name, String text, FileGuard guard) {
        write(List.of(new FilePlan(guard, folder(), FileGuard.bytes(Map.of(name, text)), Map.of())));
    }

    /// Writes all, or nothing where one of the files must not be replaced; with `--dry-run` only says what
    /// would be written.
    void write(List<FilePlan> plans) {
        plans.forEach(p -> FileOutput.requireInside(folder(), p.folder()));
        plans.forEach(FilePlan::checked);
        if (!isDry) {
            wrote(plans.stream().flatMap(p -> p.write().stream()).toList());
        } else if (verb.isJson()) {
            var root = JsonMapper.shared().createObjectNode().put("dryRun", true);
            var list = root.putArray("files");
            plans.forEach(p -> p.files()
                    .forEach((name, content) -> list.addObject()
                            .put("path", p.folder().resolve(name).toString())
                            .put("state", p.state(name).word())
                            .put("bytes", content.length)));
            root.put("differences", plans.stream().map(FilePlan::differences).collect(Collectors.joining()));
            verb.print(root);
        } else {
            verb.out().print(FilePlan.text(plans));
        }
    }

    /// Says notes on standard error.
    void notes(List<SourceNote> notes) {
        notes.forEach(n -> verb.err().println("Note: " + n));
    }

    /// A text on standard output.
    void document(String name, String text) {
        if (verb.isJson()) {
            verb.print(JsonMapper.shared().createObjectNode().put("file", name).put("text", text));
        } else {
            verb.out().print(text.endsWith("\n") ? text : text + "\n");
        }
    }

    private void wrote(List<Path> files) {
        if (verb.isJson()) {
            var root = JsonMapper.shared().createObjectNode();
            var list = root.putArray("files");
            files.forEach(f -> list.add(f.toString()));
            verb.print(root);
        } else {
            files.forEach(verb.out()::println);
        }
    }
}

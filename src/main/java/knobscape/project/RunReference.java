package knobscape.project;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A run as a person names it: `PROJECT:3`, a project (its newest run), a folder of results or its `run.json`,
/// or just `3` inside a project folder.
///
/// @param project folder that holds the runs
/// @param id number of the run, the newest where empty
public record RunReference(Path project, Optional<Long> id) {
    private static final Pattern WITH_NUMBER = Pattern.compile("(.+):(\\d{1,18})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long LARGEST_FILE = 256L << 20;

    /// Reads what a person wrote. Throws [UserError] where it is none of the forms.
    ///
    /// @param text what was written
    /// @param here where the program was started
    public static RunReference parse(String text, Path here) {
        try {
            Path path = here.resolve(text);
            if (Files.isDirectory(path) && Files.isRegularFile(path.resolve(RunFiles.RUN_JSON))) {
                return ofResults(path.resolve(RunFiles.RUN_JSON));
            }
            if (Files.isRegularFile(path)
                    && path.getFileName().toString().endsWith(".json")
                    && !path.getFileName().toString().equals(ProjectFile.FILE_NAME)) {
                return ofResults(path);
            }
            if (Files.exists(path)) {
                return new RunReference(path, Optional.empty());
            }
            var numbered = WITH_NUMBER.matcher(text);
            if (numbered.matches()) {
                return new RunReference(here.resolve(numbered.group(1)), Optional.of(Long.valueOf(numbered.group(2))));
            }
            if (NUMBER.matcher(text).matches()) {
                if (!Files.isRegularFile(here.resolve(ProjectFile.FILE_NAME))) {
                    throw new UserError("There is no project in this folder that could have a run " + text
                            + "; write PROJECT:" + text + ".");
                }
                return new RunReference(here, Optional.of(Long.valueOf(text)));
            }
        } catch (InvalidPathException e) {
            // Said below: it is no run.
        }
        throw new UserError("'" + text
                + "' is no run; write PROJECT:NUMBER, a project folder (for its newest run) or a folder of results.");
    }

    private static RunReference ofResults(Path json) {
        try {
            JsonNode document = JSON.readTree(InputFile.text(json, LARGEST_FILE));
            var numbered = WITH_NUMBER.matcher(document.path("run").asString(""));
            if (!numbered.matches()) {
                throw new UserError(json + " does not say which run it is of.");
            }
            Path project = Path.of(numbered.group(1));
            Path here = requireNonNull(json.toAbsolutePath().getParent());
            long id = Long.parseLong(numbered.group(2));
            return new RunReference(hasRun(here, id, document) ? here : project, Optional.of(id));
        } catch (JacksonException | IOException e) {
            throw new UserError(json + " cannot be read as the results of a run: " + UserError.reason(e) + ".", e);
        }
    }

    /// True if a folder of results has the run itself beside them: one that was moved or copied has its own.
    private static boolean hasRun(Path folder, long id, JsonNode document) {
        if (!RunStore.isMade(folder)) {
            return false;
        }
        try (RunStore store = RunStore.openReadOnly(folder)) {
            return store.find(id)
                    .filter(r ->
                            r.settings().method().equals(document.path("method").asString(""))
                                    && r.settings().seed()
                                            == document.path("seed").asLong(0))
                    .isPresent();
        }
    }

    /// The project of the run; the caller closes it.
    public Project open() {
        return Project.open(project);
    }

    /// The run itself. Throws [UserError] where there is none.
    public RunRecord run(Project opened) {
        RunStore store = opened.runs()
                .orElseThrow(() -> new UserError("The project " + opened.runsFolder() + " has no runs yet."));
        return id.map(n -> store.find(n)
                        .orElseThrow(() -> new UserError("There is no run " + n + " in " + opened.runsFolder() + ".")))
                .orElseGet(() -> store.newest()
                        .orElseThrow(() -> new UserError("The project " + opened.runsFolder() + " has no runs yet.")));
    }
}

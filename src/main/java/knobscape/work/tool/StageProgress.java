package knobscape.work.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A stage that runs, kept in the design's folder, so that another start of the program can wait for its tool and then
/// go on with the steps that are left.
///
/// @param inputs hash of everything the result depends on
/// @param logFrom length of the log when the stage began, in bytes
/// @param steps programs with their arguments that follow the one that runs
/// @param environment of these
public record StageProgress(String inputs, long logFrom, List<List<String>> steps, Map<String, String> environment) {
    private static final long MAX_BYTES = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    public StageProgress {
        steps = List.copyOf(steps);
        environment = Map.copyOf(environment);
    }

    /// The content of a file where it is there, whole, and of these inputs.
    static Optional<StageProgress> read(Path file, String inputs) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            JsonNode n = JSON.readTree(InputFile.bytes(file, MAX_BYTES));
            if (!n.path("inputs").asString("").equals(inputs)) {
                return Optional.empty();
            }
            var steps = new ArrayList<List<String>>();
            for (JsonNode step : n.path("steps")) {
                var words = new ArrayList<String>();
                step.forEach(w -> words.add(w.asString("")));
                steps.add(words);
            }
            var environment = new HashMap<String, String>();
            n.path("environment")
                    .properties()
                    .forEach(e -> environment.put(e.getKey(), e.getValue().asString("")));
            return Optional.of(new StageProgress(inputs, n.path("logFrom").asLong(0), steps, environment));
        } catch (IOException | JacksonException | UserError e) {
            return Optional.empty(); // Not whole: the stage is begun again.
        }
    }

    /// Keeps it in a file.
    public void write(Path file) {
        var n = JSON.createObjectNode().put("inputs", inputs).put("logFrom", logFrom);
        var all = n.putArray("steps");
        for (List<String> step : steps) {
            step.forEach(all.addArray()::add);
        }
        environment.forEach(n.putObject("environment")::put);
        FileOutput.write(file, JSON.writeValueAsString(n));
    }
}

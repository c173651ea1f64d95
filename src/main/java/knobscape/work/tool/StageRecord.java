package knobscape.work.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Optional;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The result of a stage of a design, kept in the design's folder.
///
/// @param inputs hash of everything the result depends on
/// @param outcome the result
/// @param seconds the tool's time
/// @param wallSeconds time on the clock on the wall
record StageRecord(String inputs, Outcome outcome, double seconds, double wallSeconds) {
    private static final long MAX_BYTES = 1 << 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// The record in a file where it is there, whole, and for these inputs.
    static Optional<StageRecord> read(Path file, String inputs) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            JsonNode n = JSON.readTree(InputFile.bytes(file, MAX_BYTES));
            if (!n.path("inputs").asString("").equals(inputs)) {
                return Optional.empty();
            }
            var values = new LinkedHashMap<String, Double>();
            n.path("values")
                    .properties()
                    .forEach(e -> values.put(e.getKey(), e.getValue().asDouble()));
            Outcome outcome = n.path("kind").isMissingNode()
                    ? new Outcome.Measured(values)
                    : new Outcome.Failure(
                            FailureKind.valueOf(n.path("kind").asString("")),
                            n.path("reason").asString(""),
                            values);
            return Optional.of(new StageRecord(
                    inputs,
                    outcome,
                    n.path("seconds").asDouble(0),
                    n.path("wallSeconds").asDouble(0)));
        } catch (IOException | JacksonException | IllegalArgumentException | UserError e) {
            return Optional.empty(); // Not whole: the stage is run again.
        }
    }

    void write(Path file) {
        var n = JSON.createObjectNode().put("inputs", inputs);
        if (outcome instanceof Outcome.Failure f) {
            n.put("kind", f.kind().name()).put("reason", f.reason());
        }
        var values = n.putObject("values");
        (switch (outcome) {
                    case Outcome.Measured m -> m.values();
                    case Outcome.Failure f -> f.values();
                })
                .forEach(values::put);
        n.put("seconds", seconds).put("wallSeconds", wallSeconds);
        FileOutput.write(
                file,
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(n).getBytes(StandardCharsets.UTF_8));
    }
}

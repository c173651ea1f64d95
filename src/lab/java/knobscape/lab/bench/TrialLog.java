package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Finished trials of a bench, one JSON line each, appended as they end; thread-safe. A line cut off by a crash
/// is ignored.
///
/// @param <T> a record of a trial
final class TrialLog<T> {
    private record Line<T>(String key, T trial) {}

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path file;
    private final Map<String, T> finished = new HashMap<>();

    TrialLog(Path file, Class<T> type) {
        this.file = file;
        if (Files.isRegularFile(file)) {
            try {
                for (String text : Files.readAllLines(file)) {
                    try {
                        JsonNode node = JSON.readTree(text);
                        finished.put(node.path("key").asString(""), JSON.treeToValue(node.path("trial"), type));
                    } catch (JacksonException e) {
                        // The line that was being written when the process died: that trial is run again.
                    }
                }
            } catch (IOException e) {
                throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
            }
        }
    }

    /// A trial finished earlier under the same key (everything its figures depend on).
    synchronized Optional<T> find(String key) {
        return Optional.ofNullable(finished.get(key));
    }

    synchronized void add(String key, T trial) {
        var line = new Line<>(key, trial);
        finished.put(key, trial);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            // The line feed comes first: after a cut-off line the new one starts afresh.
            String before = Files.exists(file) && !endsWithLineFeed() ? "\n" : "";
            Files.writeString(
                    file,
                    before + JSON.writeValueAsString(line) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UserError("Cannot write " + file + ": " + e.getMessage() + ".", e);
        }
    }

    private boolean endsWithLineFeed() throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            if (channel.size() == 0) {
                return true;
            }
            var last = java.nio.ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) == '\n';
        }
    }
}

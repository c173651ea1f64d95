package knobscape.project.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Finished trials of a bench, one JSON line each, appended as they end; thread-safe. A line cut off by a crash is ignored.
final class TrialLog {
    private record Line(String key, Trial trial) { }

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path file;
    private final List<Line> lines = new ArrayList<>();

    /// @param file made when the first trial ends
    TrialLog(Path file) {
        this.file = file;
        if (Files.isRegularFile(file)) {
            try {
                for (String text : Files.readAllLines(file)) {
                    try {
                        lines.add(JSON.readValue(text, Line.class));
                    } catch (JacksonException e) {
                        // The line that was being written when the process died: that trial is run again.
                        continue;
                    }
                }
            } catch (IOException e) {
                throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
            }
        }
    }

    /// A trial finished earlier under the same key (everything its figures depend on).
    synchronized Optional<Trial> find(String key, String method) {
        return lines.stream().filter(l -> l.key().equals(key) && l.trial().method().equals(method)).map(Line::trial).findFirst();
    }

    synchronized void add(String key, Trial trial) {
        var line = new Line(key, trial);
        lines.add(line);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            // The line feed comes first: after a cut-off line the new one starts afresh.
            String before = Files.exists(file) && !endsWithLineFeed() ? "\n" : "";
            Files.writeString(file, before + JSON.writeValueAsString(line) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UserError("Cannot write " + file + ": " + e.getMessage() + ".", e);
        }
    }

    private boolean endsWithLineFeed() throws IOException {
        byte[] all = Files.readAllBytes(file);
        return all.length == 0 || all[all.length - 1] == '\n';
    }
}

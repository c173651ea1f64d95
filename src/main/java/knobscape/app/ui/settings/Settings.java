package knobscape.app.ui.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.project.Folders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// Names and texts kept in one small JSON file in the user's configuration folder: sizes, theme, recent files,
/// changed shortcuts. Thread-safe. A file that cannot be read is set aside and said so in [#problem()]; it is
/// never overwritten silently.
public final class Settings {
    private static final Logger LOG = LoggerFactory.getLogger(Settings.class);
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final long LARGEST_FILE = 1 << 20;

    private final Optional<Path> file;
    private final Map<String, String> values = new TreeMap<>();
    private final Optional<String> problem;
    private boolean changed;

    private Settings(Optional<Path> file, Map<String, String> values, Optional<String> problem) {
        this.file = file;
        this.values.putAll(values);
        this.problem = problem;
    }

    /// Settings kept nowhere.
    public static Settings inMemory() {
        return new Settings(Optional.empty(), Map.of(), Optional.empty());
    }

    /// Reads `file`; starts empty where it does not exist.
    public static Settings load(Path file) {
        if (!Files.exists(file)) {
            return new Settings(Optional.of(file), Map.of(), Optional.empty());
        }
        try {
            if (Files.size(file) > LARGEST_FILE) {
                throw new IOException("larger than a settings file can be");
            }
            Map<String, String> read =
                    JSON.readValue(Files.readString(file), new TypeReference<TreeMap<String, String>>() {});
            return new Settings(Optional.of(file), read, Optional.empty());
        } catch (IOException | JacksonException e) {
            LOG.warn(
                    "settings file {} cannot be read: {}",
                    file,
                    e.toString().lines().findFirst().orElse(""));
            return setAside(file);
        }
    }

    private static Settings setAside(Path file) {
        Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            return new Settings(
                    Optional.of(file),
                    Map.of(),
                    Optional.of("The settings file could not be read; it was kept as " + aside
                            + ", and the program starts with its defaults."));
        } catch (IOException e) {
            return new Settings(
                    Optional.empty(),
                    Map.of(),
                    Optional.of("The settings file " + file
                            + " can neither be read nor moved, so nothing is remembered this time."));
        }
    }

    /// The settings file of this user.
    public static Path defaultFile() {
        return Folders.user().resolve("settings.json");
    }

    /// One sentence for the person where the settings file could not be used.
    public Optional<String> problem() {
        return problem;
    }

    /// Everything whose key begins with `prefix`, by the rest of the key.
    public synchronized Map<String, String> under(String prefix) {
        var found = new TreeMap<String, String>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }

    /// The text kept under `key`.
    public synchronized Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /// The number kept under `key`, where there is one.
    public OptionalDouble number(String key) {
        try {
            return get(key).map(v -> OptionalDouble.of(Double.parseDouble(v))).orElse(OptionalDouble.empty());
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /// The whole number kept under `key`, where there is one.
    public OptionalLong whole(String key) {
        return get(key).filter(v -> v.matches("[0-9]{1,18}")).stream()
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /// Keeps `value` under `key`.
    public synchronized void put(String key, String value) {
        changed |= !value.equals(values.put(key, value));
    }

    /// Forgets `key`.
    public synchronized void remove(String key) {
        changed |= values.remove(key) != null;
    }

    /// The lines kept under `key`, none where it is unknown.
    public List<String> lines(String key) {
        return get(key).map(v -> v.lines().filter(l -> !l.isBlank()).toList()).orElse(List.of());
    }

    /// Keeps lines under `key`.
    public void putLines(String key, List<String> lines) {
        put(key, String.join("\n", lines));
    }

    /// Puts `line` first under `key`, once, keeping at most `most`.
    public void remember(String key, String line, int most) {
        var all = new ArrayList<>(lines(key));
        all.remove(line);
        all.addFirst(line);
        putLines(key, all.subList(0, Math.min(most, all.size())));
    }

    /// Writes what changed since the last time; called away from the screen. A file that cannot be written is
    /// logged: losing a window size is not worth a message.
    public synchronized void save() {
        if (!changed || file.isEmpty()) {
            return;
        }
        Path target = file.get();
        try {
            FileOutput.write(target, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(values));
            changed = false;
        } catch (UserError e) {
            LOG.warn("settings could not be written to {}: {}", target, e.getMessage());
        }
    }
}

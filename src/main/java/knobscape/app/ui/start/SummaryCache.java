package knobscape.app.ui.start;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import knobscape.app.ui.settings.Settings;
import knobscape.project.RunRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The results of the runs of earlier work when the start page last showed them, kept in the settings. A run of very
/// many designs takes seconds to read, and has mostly not changed since.
final class SummaryCache {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryCache.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PREFIX = "start.found.";
    /// More than any front that fits a thumbnail; more is read anew.
    private static final int LONGEST = 20_000;

    private final Settings settings;

    SummaryCache(Settings settings) {
        this.settings = settings;
    }

    /// @param of the runs it was read from, as they were then
    private record CachedSummary(String of, LastRun.Summary found) {}

    /// The results of runs: as they are known, or as they are read where one of them has changed.
    LastRun.Summary of(Path path, List<RunRecord> runs, Supplier<LastRun.Summary> reading) {
        String of = runs.stream().map(r -> r.id() + " " + r.updated()).collect(Collectors.joining(", "));
        return known(path)
                .filter(k -> k.of().equals(of))
                .map(CachedSummary::found)
                .orElseGet(() -> {
                    var now = new CachedSummary(of, reading.get());
                    String text = JSON.writeValueAsString(now);
                    if (text.length() <= LONGEST) {
                        settings.put(PREFIX + path, text);
                    }
                    return now.found();
                });
    }

    private Optional<CachedSummary> known(Path path) {
        return settings.get(PREFIX + path).flatMap(text -> {
            try {
                return Optional.of(JSON.readValue(text, CachedSummary.class));
            } catch (JacksonException e) {
                // Somebody changed the settings by hand; it is read again.
                LOG.debug("what {} had found cannot be read", path, e);
                return Optional.empty();
            }
        });
    }

    /// Forgets all other work.
    void keepOnly(Collection<Path> paths) {
        Set<String> keep = paths.stream().map(Path::toString).collect(Collectors.toUnmodifiableSet());
        settings.under(PREFIX).keySet().stream()
                .filter(p -> !keep.contains(p))
                .forEach(p -> settings.remove(PREFIX + p));
    }
}

package knobscape.gpu.space.nest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// How many configurations were rejected for each reason, with the first sentence of each. Thread-safe.
public final class RejectionCounts {
    private final Map<String, AtomicLong> counts = new LinkedHashMap<>();
    private final Map<String, String> examples = new LinkedHashMap<>();

    /// One reason.
    ///
    /// @param reason its short name
    /// @param count how often it was found
    /// @param example the first sentence
    public record Count(String reason, long count, String example) {
    }

    /// Counts a rejection.
    public synchronized void add(Rejection rejection) {
        counts.computeIfAbsent(rejection.reason(), _ -> new AtomicLong()).incrementAndGet();
        examples.putIfAbsent(rejection.reason(), rejection.sentence());
    }

    /// Number of rejections.
    public synchronized long total() {
        return counts.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /// The reasons, the most frequent first.
    public synchronized List<Count> byFrequency() {
        var all = new ArrayList<Count>();
        counts.forEach((reason, n) -> all.add(new Count(reason, n.get(), examples.get(reason))));
        all.sort(java.util.Comparator.comparingLong(Count::count).reversed().thenComparing(Count::reason));
        return List.copyOf(all);
    }
}

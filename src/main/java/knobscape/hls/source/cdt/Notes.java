package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import knobscape.hls.source.Location;
import knobscape.hls.source.SourceNote;
import knobscape.hls.source.SourceNote.Severity;

/// Collects what a person should know; the same thing at the same place once.
final class Notes {
    private static final int MAX_NOTES = 2_000;
    private final Set<SourceNote> notes = new LinkedHashSet<>();

    void info(Location at, String message) {
        add(Severity.INFO, at, message);
    }

    void warn(Location at, String message) {
        add(Severity.WARNING, at, message);
    }

    private void add(Severity severity, Location at, String message) {
        if (notes.size() < MAX_NOTES) {
            notes.add(new SourceNote(severity, at, message));
        }
    }

    /// How many there are, for [#dropSince].
    int size() {
        return notes.size();
    }

    /// Takes back those that were added after the first `kept` ones and are about places nobody asked for.
    void dropSince(int kept, Predicate<Location> vain) {
        var added =
                notes.stream().skip(kept).filter(n -> vain.test(n.location())).toList();
        added.forEach(notes::remove);
    }

    /// In source order, the main file first.
    List<SourceNote> inOrder(String mainFile) {
        var sorted = new ArrayList<>(notes);
        sorted.sort(Comparator.<SourceNote, Boolean>comparing(
                        n -> !n.location().file().equals(mainFile))
                .thenComparing(n -> n.location().file())
                .thenComparingInt(n -> n.location().offset())
                .thenComparing(SourceNote::message));
        return sorted;
    }
}

package knobscape.fusion.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A fusion strategy [s0, s1, ..., sN] (DNNFuser, Eq. 1); immutable. Entry 0 is the micro-batch of the
/// network's input. Entry i is the micro-batch, in samples, in which the output of layer i is kept on chip and
/// consumed from there, or [#SYNC]: the output goes to off-chip memory and the next layer starts when the whole
/// batch is done.
///
/// Layers between two synchronisations are a *group*; the last layer always ends one.
public final class Strategy {
    /// The entry that stands for a synchronisation.
    public static final int SYNC = -1;
    private static final int MOST_ENTRIES = 100_001;

    private final int[] entries;

    private Strategy(int[] entries) {
        this.entries = entries;
    }

    /// A strategy of N + 1 entries, N at least 1. Throws [IllegalArgumentException] where an entry is neither
    /// [#SYNC] nor positive, or entry 0 not positive. The array is copied.
    public static Strategy of(int... entries) {
        if (entries.length < 2) {
            throw new IllegalArgumentException(
                    "a strategy has an entry for the input and one for each layer, not " + entries.length);
        }
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] < 1 && (i == 0 || entries[i] != SYNC)) {
                throw new IllegalArgumentException("entry " + i + " of a strategy is " + entries[i] + "; "
                        + (i == 0 ? "1 or more" : "-1 (synchronise) or 1 or more") + " is wanted");
            }
        }
        return new Strategy(entries.clone());
    }

    /// The strategy that fuses nothing: every layer for itself, the paper's baseline.
    public static Strategy noFusion(int layers, int batch) {
        int[] s = new int[layers + 1];
        Arrays.fill(s, SYNC);
        s[0] = batch;
        return of(s);
    }

    /// Reads [#text()]: entries between commas, `x^k` for k entries of x. Spaces and square brackets are
    /// skipped. Throws [IllegalArgumentException] with the part that is wrong.
    public static Strategy parse(String text) {
        var entries = new ArrayList<Integer>();
        for (String part : text.replaceAll("[\\s\\[\\]]", "").split(",", -1)) {
            String[] power = part.split("\\^", -1);
            try {
                int value = Integer.parseInt(power[0]);
                int times = power.length == 1 ? 1 : Integer.parseInt(power[1]);
                if (power.length > 2 || times < 1 || entries.size() + (long) times > MOST_ENTRIES) {
                    throw new NumberFormatException();
                }
                for (int k = 0; k < times; k++) {
                    entries.add(value);
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'" + part + "' is not an entry of a strategy; write whole numbers like 64,-1,8^3", e);
            }
        }
        return of(entries.stream().mapToInt(Integer::intValue).toArray());
    }

    /// Number of layers, N.
    public int layers() {
        return entries.length - 1;
    }

    /// Entry 0..N.
    public int get(int index) {
        return entries[index];
    }

    /// True if layer `index` (1..N) synchronises, or is the last.
    public boolean endsGroup(int index) {
        return index == layers() || entries[index] < 1;
    }

    /// The largest entry.
    public int largest() {
        return Arrays.stream(entries).max().orElseThrow();
    }

    /// The same with one entry changed.
    public Strategy with(int index, int value) {
        int[] copy = entries.clone();
        copy[index] = value;
        return of(copy);
    }

    /// A copy of the N + 1 entries.
    public int[] toArray() {
        return entries.clone();
    }

    /// The groups in order, each as first and last layer.
    public List<int[]> groups() {
        var groups = new ArrayList<int[]>();
        int first = 1;
        for (int i = 1; i <= layers(); i++) {
            if (endsGroup(i)) {
                groups.add(new int[] {first, i});
                first = i + 1;
            }
        }
        return groups;
    }

    /// Short stable text, runs of three and more contracted: `64,6,-1^15`.
    public String text() {
        var b = new StringBuilder();
        for (int i = 0; i < entries.length; ) {
            int j = i;
            while (j < entries.length && entries[j] == entries[i]) {
                j++;
            }
            int run = j - i;
            for (int k = 0; k < (run < 3 ? run : 1); k++) {
                b.append(b.isEmpty() ? "" : ",").append(entries[i]);
            }
            b.append(run < 3 ? "" : "^" + run);
            i = j;
        }
        return b.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Strategy o && Arrays.equals(entries, o.entries);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(entries);
    }

    @Override
    public String toString() {
        return text();
    }
}

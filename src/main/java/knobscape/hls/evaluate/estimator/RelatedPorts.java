package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Ports of an array whose accesses are known by the relation of their banks alone: of one group, other banks never
/// meet; of two groups, one bank of the other may be the same. Accesses of which only one happens share a port.
final class RelatedPorts implements Ports {
    private final Layout layout;
    private final Graph.Relations relations;
    private final List<List<Integer>> states = new ArrayList<>();
    private final List<Integer> all = new ArrayList<>();
    private final Map<Integer, Boolean> writes = new HashMap<>();
    /// First state with a free port where all accesses meet each other.
    private int full;

    RelatedPorts(Layout layout, Graph.Relations relations) {
        this.layout = layout;
        this.relations = relations;
    }

    @Override
    public int place(Graph g, int n, int length, int earliest) {
        boolean write = g.kind[n] == Graph.STORE;
        int t = layout.banks == 1 ? Math.max(earliest, full) : earliest;
        while (!free(n, write, length, t)) {
            t++;
        }
        while (states.size() < t + length) {
            states.add(new ArrayList<>(2));
        }
        for (int s = t; s < t + length; s++) {
            states.get(s).add(n);
        }
        writes.put(n, write);
        for (int k = 0; k < length; k++) {
            all.add(n);
        }
        return t;
    }

    /// Takes an access into account, wherever it is placed.
    void count(int n, boolean write) {
        writes.put(n, write);
        all.add(n);
    }

    private boolean free(int n, boolean write, int length, int t) {
        for (int s = t; s < t + length && s < states.size(); s++) {
            if (!free(n, write, states.get(s))) {
                return false;
            }
        }
        return true;
    }

    private boolean free(int n, boolean write, List<Integer> there) {
        int total = 1 + meeting(n, there, false);
        int writing = (write ? 1 : 0) + meeting(n, there, true);
        return total <= layout.ports && writing <= layout.writePorts && (!layout.channels || total - writing <= 1);
    }

    /// The most accesses there that may be in the bank of `n` at once.
    private int meeting(int n, List<Integer> there, boolean writesOnly) {
        int own = 0;
        Map<Long, Integer> others = Map.of();
        for (int m : there) {
            if ((writesOnly && !Boolean.TRUE.equals(writes.get(m))) || relations.exclusive(n, m)) {
                continue;
            }
            if (relations.group(m) == relations.group(n)) {
                own += relations.bank(m) == relations.bank(n) ? 1 : 0;
            } else {
                others = others.isEmpty() ? new HashMap<>() : others;
                others.merge(((long) relations.group(m) << 32) + relations.bank(m), 1, Integer::sum);
            }
        }
        return own + worstOfGroups(others);
    }

    private static int worstOfGroups(Map<Long, Integer> counts) {
        var most = new HashMap<Long, Integer>();
        counts.forEach((key, n) -> most.merge(key >> 32, n, Math::max));
        return most.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public int interval() {
        int total = needed(all);
        List<Integer> writing =
                all.stream().filter(n -> Boolean.TRUE.equals(writes.get(n))).toList();
        int written = needed(writing);
        int need = Math.max(Math.ceilDiv(total, layout.ports), Math.ceilDiv(written, layout.writePorts));
        if (layout.channels) {
            List<Integer> reading = all.stream()
                    .filter(n -> !Boolean.TRUE.equals(writes.get(n)))
                    .toList();
            need = Math.max(need, needed(reading));
        }
        return Math.max(1, need);
    }

    /// Accesses of an iteration that may meet in one bank.
    private int needed(List<Integer> accesses) {
        var byBank = new HashMap<Long, List<Integer>>();
        for (int n : accesses) {
            byBank.computeIfAbsent(((long) relations.group(n) << 32) + relations.bank(n), _ -> new ArrayList<>())
                    .add(n);
        }
        var counts = new HashMap<Long, Integer>();
        byBank.forEach((bank, list) -> counts.put(bank, chain(list)));
        return worstOfGroups(counts);
    }

    /// The longest chain of accesses that can all happen in one iteration.
    private int chain(List<Integer> accesses) {
        int[] best = new int[accesses.size()];
        int longest = 0;
        boolean excluded = false;
        for (int i = 0; i < best.length; i++) {
            for (int k = i - 1; k >= 0; k--) {
                if (!relations.exclusive(accesses.get(k), accesses.get(i))) {
                    best[i] = Math.max(best[i], best[k]);
                    if (!excluded) {
                        break;
                    }
                } else {
                    excluded = true;
                }
            }
            best[i]++;
            longest = Math.max(longest, best[i]);
        }
        return longest;
    }
}

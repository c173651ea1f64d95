package knobscape.hls.evaluate.estimator;

import java.util.Arrays;

/// Use of the ports of one array's banks, state by state. Accesses to every bank at once, which are what an
/// unknown bank costs, are counted once for all of them.
final class PortTable implements Ports {
    private final Layout layout;
    private final int banks;
    private final int[][] used;
    private final int[][] written;
    private int[] usedByAll = new int[8];
    private int[] writtenByAll = new int[8];
    /// Busiest bank of each state, accesses to all banks included.
    private int[] most = new int[8];
    private int[] mostWritten = new int[8];
    private final int[] firstFree;
    private int firstFreeOfAll;
    private final int[] accesses;
    private final int[] writes;
    private int accessesToAll;
    private int writesToAll;

    PortTable(Layout layout) {
        this.layout = layout;
        banks = Math.max(1, layout.banks);
        used = new int[banks][];
        written = new int[banks][];
        firstFree = new int[banks];
        accesses = new int[banks];
        writes = new int[banks];
    }

    @Override
    public int place(Graph g, int n, int states, int earliest) {
        int[] at = g.banks[n];
        boolean write = g.kind[n] == Graph.STORE;
        return at.length == banks && banks > 1
                ? everywhere(write, states, earliest)
                : some(at, write, states, earliest);
    }

    private int everywhere(boolean write, int states, int earliest) {
        int t = Math.max(earliest, firstFreeOfAll);
        while (!fitsAll(write, states, t)) {
            t++;
        }
        room(t + states);
        for (int s = t; s < t + states; s++) {
            usedByAll[s]++;
            most[s]++;
            if (write) {
                writtenByAll[s]++;
                mostWritten[s]++;
            }
        }
        accessesToAll += states;
        writesToAll += write ? states : 0;
        advance();
        return t;
    }

    private boolean fitsAll(boolean write, int states, int t) {
        for (int s = t; s < t + states && s < most.length; s++) {
            if (!fits(write, most[s], mostWritten[s])) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(boolean write, int total, int writesNow) {
        return total < layout.ports
                && (write ? writesNow < layout.writePorts : !layout.channels || total - writesNow < 1);
    }

    private int some(int[] at, boolean write, int states, int earliest) {
        int t = earliest;
        for (int b : at) {
            t = Math.max(t, firstFree[b]);
        }
        while (!free(at, write, states, t)) {
            t++;
        }
        room(t + states);
        for (int b : at) {
            used[b] = ensure(used[b], t + states);
            written[b] = write ? ensure(written[b], t + states) : written[b];
            for (int s = t; s < t + states; s++) {
                most[s] = Math.max(most[s], ++used[b][s] + usedByAll[s]);
                if (write) {
                    mostWritten[s] = Math.max(mostWritten[s], ++written[b][s] + writtenByAll[s]);
                }
            }
            accesses[b] += states;
            writes[b] += write ? states : 0;
            while (firstFree[b] < used[b].length
                    && used[b][firstFree[b]] + all(usedByAll, firstFree[b]) >= layout.ports) {
                firstFree[b]++;
            }
        }
        advance();
        return t;
    }

    private boolean free(int[] at, boolean write, int states, int t) {
        for (int b : at) {
            for (int s = t; s < t + states; s++) {
                if (!fits(write, all(used[b], s) + all(usedByAll, s), all(written[b], s) + all(writtenByAll, s))) {
                    return false;
                }
            }
        }
        return true;
    }

    private void advance() {
        while (firstFreeOfAll < most.length && most[firstFreeOfAll] >= layout.ports) {
            firstFreeOfAll++;
        }
    }

    private static int all(int[] counts, int state) {
        return counts != null && state < counts.length ? counts[state] : 0;
    }

    private void room(int states) {
        usedByAll = ensure(usedByAll, states);
        writtenByAll = ensure(writtenByAll, states);
        most = ensure(most, states);
        mostWritten = ensure(mostWritten, states);
    }

    private static int[] ensure(int[] a, int length) {
        return a == null
                ? new int[Math.max(8, length)]
                : length <= a.length ? a : Arrays.copyOf(a, Math.max(length, a.length * 2));
    }

    @Override
    public int interval() {
        int need = 1;
        for (int b = 0; b < banks; b++) {
            int total = accesses[b] + accessesToAll;
            int writing = writes[b] + writesToAll;
            need = Math.max(need, (total + layout.ports - 1) / layout.ports);
            need = Math.max(need, (writing + layout.writePorts - 1) / layout.writePorts);
            if (layout.channels) {
                need = Math.max(need, total - writing);
            }
        }
        return need;
    }
}

package knobscape.fusion.evaluate.strip;

import java.util.Arrays;
import java.util.List;
import knobscape.fusion.evaluate.strip.GroupBound.Least;

/// The least need of strips of each length, learned from groups of one end: whatever a group keeps live and launches,
/// one with more layers in front keeps and launches too. Scratch memory for one thread.
final class StripFloors {
    private static final int NONE = -1;

    private final StripModel m;
    private final int[] blocks;
    private final int stripes;
    /// Weights of all layers before one.
    private final long[] weightsBefore;
    /// Layers of more than one row before one.
    private final int[] tallBefore;
    private int end;
    /// By rows of a strip: the first layer of the group it was learned from.
    private int[] from = new int[0];
    /// True if not even one sample fits.
    private boolean[] failed = new boolean[0];
    private long[] room = new long[0];
    private int[] weighed = new int[0];
    /// Launches of layers for one sample, most first, and the weights of those that are launched so often.
    private long[][] launches = new long[0][];
    private long[][] bytes = new long[0][];
    private long[] allLaunches = new long[0];
    private long[] reload = new long[0];
    private double[] fewest = new double[0];
    /// Multiply-accumulates that are done again.
    private double[] seconds = new double[0];
    private double[] joules = new double[0];
    private int leastFrom;
    private List<Least> everything = List.of();

    /// @param blocks numbers of samples that may go together, ascending
    /// @param stripes of columns in which every group runs
    StripFloors(StripModel model, int[] blocks, int stripes) {
        m = model;
        this.blocks = blocks;
        this.stripes = stripes;
        weightsBefore = new long[model.end() + 1];
        tallBefore = new int[model.end() + 1];
        for (int i = 0; i < model.end(); i++) {
            tallBefore[i + 1] = tallBefore[i] + (i >= model.first() && model.rows[i] > 1 ? 1 : 0);
            weightsBefore[i + 1] = weightsBefore[i] + model.weightBytes[i];
        }
    }

    /// Forgets everything: groups that end elsewhere, before layer `behind`, have other strips.
    void begin(int behind) {
        end = behind;
        Arrays.fill(from, NONE);
        leastFrom = NONE;
    }

    private void grow(int rows) {
        int old = from.length;
        if (old <= rows) {
            from = Arrays.copyOf(from, rows + 1);
            Arrays.fill(from, old, rows + 1, NONE);
            failed = Arrays.copyOf(failed, rows + 1);
            room = Arrays.copyOf(room, rows + 1);
            weighed = Arrays.copyOf(weighed, rows + 1);
            launches = Arrays.copyOf(launches, rows + 1);
            bytes = Arrays.copyOf(bytes, rows + 1);
            allLaunches = Arrays.copyOf(allLaunches, rows + 1);
            reload = Arrays.copyOf(reload, rows + 1);
            fewest = Arrays.copyOf(fewest, rows + 1);
            seconds = Arrays.copyOf(seconds, rows + 1);
            joules = Arrays.copyOf(joules, rows + 1);
        }
    }

    /// Learns what multiply-accumulates strips of t rows do again, or stripes whatever their strips where t is 0.
    void put(int t, int a, double secondsAgain, double joulesAgain, Strips strips) {
        grow(strips.paceRows());
        from[t] = a;
        seconds[t] = secondsAgain;
        joules[t] = joulesAgain;
    }

    /// Learns from a walk with strips of t rows through the layers `a` to `b`.
    void put(int t, int a, int b, Strips strips) {
        grow(strips.paceRows());
        from[t] = a;
        failed[t] = strips.floor() > m.machine().buffer();
        if (failed[t]) {
            return;
        }
        room[t] = strips.floor();
        long[] keys = new long[b - a + 1];
        long sum = 0;
        for (int i = a; i <= b; i++) {
            int n = stripes * strips.leastLaunches(i);
            sum += n;
            keys[i - a] = (long) (Integer.MAX_VALUE - n) << 32 | i;
        }
        Arrays.sort(keys);
        allLaunches[t] = sum;
        int classes = 0;
        long[] times = new long[keys.length];
        long[] weights = new long[keys.length];
        for (int at = 0; at < keys.length; at++) {
            long n = Integer.MAX_VALUE - (keys[at] >>> 32);
            if (classes == 0 || times[classes - 1] != n) {
                times[classes++] = n;
            }
            weights[classes - 1] += m.weightBytes[(int) keys[at]];
        }
        launches[t] = Arrays.copyOf(times, classes);
        bytes[t] = Arrays.copyOf(weights, classes);
        weigh(t, a);
    }

    /// True if it is known of an earlier group that strips of t rows do not fit one that begins with layer `a`.
    boolean fails(int t, int a) {
        return knows(t, a) && failed[t];
    }

    /// True if something is known of strips of t rows for groups that begin with layer `a`.
    boolean knows(int t, int a) {
        return t < from.length && from[t] != NONE && holds(from[t], a);
    }

    /// True if what was learned of a group that begins with a layer holds for one that begins with `a`: there is as
    /// much
    /// or more in front, and the pace is set by the same layer.
    private boolean holds(int learned, int a) {
        return learned >= a && (tallBefore[end] > tallBefore[learned] || tallBefore[learned] == tallBefore[a]);
    }

    /// True if another layer sets the pace where the group begins early enough.
    boolean isOpen(int a) {
        return tallBefore[end] == tallBefore[a] && tallBefore[a] > 0;
    }

    /// Takes the weights of layers in front into account that were not looked at yet.
    void weigh(int t, int a) {
        weighed[t] = a;
        long more = weightsBefore[from[t]] - weightsBefore[a];
        long least = Long.MAX_VALUE;
        double starts = Double.POSITIVE_INFINITY;
        for (int block : blocks) {
            long left = m.machine().buffer() - block * room[t];
            if (left < 0) {
                break;
            }
            long q = Math.ceilDiv(m.samples(), (long) block);
            long again = 0;
            for (int c = 0; c < bytes[t].length; c++) {
                long pinned = Math.min(left, bytes[t][c]);
                left -= pinned;
                again += (q * launches[t][c] - 1) * (bytes[t][c] - pinned);
            }
            again += (stripes * q - 1) * Math.max(0, more - left);
            least = Math.min(least, again);
            starts = Math.min(starts, (double) q * (allLaunches[t] + (long) stripes * (from[t] - a)));
        }
        reload[t] = least;
        fewest[t] = starts;
    }

    /// True if [#weigh] could tell more.
    boolean isStale(int t, int a) {
        return weighed[t] > a;
    }

    /// The least cost of strips of t rows.
    Least least(int t) {
        return new Least(reload[t], fewest[t], seconds[t], joules[t]);
    }

    /// The same of what is done again alone; of a group that begins with layer `a`.
    Least again(int t, int a) {
        return knows(t, a) ? new Least(0, 0, seconds[t], joules[t]) : Least.NONE;
    }

    /// Notes what everything costs at least in groups that begin with layer `a` or before: every way one of these.
    void all(int a, List<Least> ways) {
        leastFrom = a;
        everything = ways;
    }

    /// The least cost of every group that begins with layer `a`: one of these.
    List<Least> all(int a) {
        return leastFrom != NONE && holds(leastFrom, a) ? everything : List.of(Least.NONE);
    }
}

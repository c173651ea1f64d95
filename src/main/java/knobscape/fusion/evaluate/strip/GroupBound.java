package knobscape.fusion.evaluate.strip;

import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowEdge;

/// The least cost of a group, updated in the time of one layer as the group grows at its front. Scratch memory for
/// one thread.
///
/// Beside inputs, results and weights once it counts launches: a launch makes at most as many rows as the buffer holds,
/// and weights beyond the buffer are loaded at every launch.
public final class GroupBound {
    private final StripModel m;
    private final long samples;
    private final StripMachine machine;
    private final int[] wanted;
    private final int[] reads;
    private final int[] stamp;
    private int mark;
    private int last;
    /// By the first layer of the group.
    private final long[] off;
    private final long[] on;
    private final double[] macSeconds;
    private final double[] macJoules;
    private final double[] launches;
    private final long[] again;
    private double reload;
    private double mostLaunches;

    /// The least cost of every way to run a group beyond its inputs, results, weights and multiply-accumulates once.
    ///
    /// @param reload bytes loaded again
    /// @param launches of layers on strips
    /// @param seconds of multiply-accumulates done again
    /// @param joules of the same
    public record Least(long reload, double launches, double seconds, double joules) {
        /// Nothing known.
        static final Least NONE = new Least(0, 0, 0, 0);
        /// More than any group costs.
        static final Least NEVER = new Least(
                Long.MAX_VALUE / 4, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

        /// The common part of both.
        Least or(Least other) {
            return new Least(
                    Math.min(reload, other.reload),
                    Math.min(launches, other.launches),
                    Math.min(seconds, other.seconds),
                    Math.min(joules, other.joules));
        }
    }

    /// @param model network, accelerator, batch
    public GroupBound(StripModel model) {
        m = model;
        machine = model.machine();
        samples = model.samples();
        wanted = new int[model.end()];
        reads = new int[model.end()];
        stamp = new int[model.end()];
        off = new long[model.end() + 1];
        on = new long[model.end() + 1];
        macSeconds = new double[model.end() + 1];
        macJoules = new double[model.end() + 1];
        launches = new double[model.end() + 1];
        again = new long[model.end() + 1];
    }

    /// Begins with no layer, before the layer `end`.
    public void begin(int end) {
        mark++;
        last = end - 1;
        off[end] = 0;
        on[end] = 0;
        macSeconds[end] = 0;
        macJoules[end] = 0;
        launches[end] = 0;
        reload = 0;
        mostLaunches = 1;
    }

    /// Takes one more layer in front.
    public void extend(int a) {
        long bytes = m.bytes(a) * samples;
        long moved = m.weightBytes[a];
        long stays = 0;
        if (stamp[a] == mark) {
            moved -= wanted[a] * m.rowBytes[a] * samples;
            stays += bytes * reads[a];
        }
        if (m.lastUse[a] > last) {
            moved += bytes;
        } else {
            stays += bytes;
        }
        // A layer that reads only a few of its rows at once is launched once for each part that fits.
        long row = Math.min(m.rowBytes[a], m.blockBytes[a]);
        double least = Math.max(1, Math.ceil((double) m.rows[a] * row * samples / machine.buffer()));
        mostLaunches = Math.max(mostLaunches, least);
        reload += (least - 1) * m.weightBytes[a];
        for (RowEdge e : m.edges[a]) {
            int p = e.from();
            if (stamp[p] != mark) {
                stamp[p] = mark;
                wanted[p] = 0;
                reads[p] = 0;
            }
            int need = e.need(m.rows[a], m.rows[p]);
            moved += Math.max(0, need - wanted[p]) * m.rowBytes[p] * samples;
            wanted[p] = Math.max(wanted[p], need);
            reads[p]++;
        }
        off[a] = off[a + 1] + moved;
        on[a] = on[a + 1] + stays;
        macSeconds[a] = macSeconds[a + 1] + m.macSeconds[a];
        macJoules[a] = macJoules[a + 1]
                + m.graph().node(a).work().macs() * samples * machine.energy().mac();
        launches[a] = launches[a + 1] + least;
        // A layer alone may stream its input in place of its weights, so that these need not be loaded again.
        again[a] = a == last ? 0 : (long) Math.max(0, reload - machine.buffer() * (mostLaunches - 1));
    }

    /// The least cost of the group that begins with layer `a`.
    public Totals least(int a) {
        return least(a, Least.NONE);
    }

    /// The same where more is known.
    Totals least(int a, Least more) {
        long bytes = off[a] + Math.max(again[a], more.reload());
        double memory = Math.max(bytes / machine.offBandwidth(), (bytes + on[a]) / machine.onBandwidth());
        double time = Math.max(macSeconds[a] + more.seconds(), memory)
                + (machine.launchSeconds() > 0 ? machine.launchSeconds() * Math.max(launches[a], more.launches()) : 0);
        double joules = macJoules[a]
                + more.joules()
                + bytes * machine.energy().offByte()
                + on[a] * machine.energy().onByte();
        return new Totals(time, bytes, on[a], joules);
    }
}

package knobscape.fusion.evaluate.strip;

import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowEdge;

/// What a group costs at least, updated in the time of one layer as the group grows at its front. Scratch memory for
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
    private int layers;
    private long off;
    private long on;
    private double seconds;
    private long macs;
    private double launches;
    private double reload;
    private double mostLaunches;

    /// @param model network, accelerator, batch
    public GroupBound(StripModel model) {
        m = model;
        machine = model.machine();
        samples = model.samples();
        wanted = new int[model.end()];
        reads = new int[model.end()];
        stamp = new int[model.end()];
    }

    /// Begins with no layer, before the layer `end`.
    public void begin(int end) {
        mark++;
        last = end - 1;
        layers = 0;
        off = 0;
        on = 0;
        seconds = 0;
        macs = 0;
        launches = 0;
        reload = 0;
        mostLaunches = 1;
    }

    /// Takes one more layer in front.
    public void extend(int a) {
        long bytes = m.bytes(a) * samples;
        if (stamp[a] == mark) {
            off -= wanted[a] * m.rowBytes[a] * samples;
            on += bytes * reads[a];
        }
        if (m.lastUse[a] > last) {
            off += bytes;
        } else {
            on += bytes;
        }
        off += m.weightBytes[a];
        seconds += m.macSeconds[a];
        macs += m.graph().node(a).work().macs();
        layers++;
        // A layer that reads only a few of its rows at once is launched once for each part that fits.
        long row = Math.min(m.rowBytes[a], m.blockBytes[a]);
        double least = Math.max(1, Math.ceil((double) m.rows[a] * row * samples / machine.buffer()));
        launches += least;
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
            off += Math.max(0, need - wanted[p]) * m.rowBytes[p] * samples;
            wanted[p] = Math.max(wanted[p], need);
            reads[p]++;
        }
    }

    /// What the group costs at least. A layer alone may stream its input in place of its weights, so that its weights
    /// need not be loaded again.
    public Totals least() {
        double again = layers == 1 ? 0 : Math.max(0, reload - machine.buffer() * (mostLaunches - 1));
        long bytes = off + (long) again;
        double memory = Math.max(bytes / machine.offBandwidth(), (bytes + on) / machine.onBandwidth());
        double time = Math.max(seconds, memory) + machine.launchSeconds() * launches;
        double joules = macs * samples * machine.energy().mac()
                + bytes * machine.energy().offByte()
                + on * machine.energy().onByte();
        return new Totals(time, bytes, on, joules);
    }
}

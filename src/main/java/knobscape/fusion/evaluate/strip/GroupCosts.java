package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.space.GroupingSpace;

/// All ways to run a group of layers: samples at once, rows in a strip, weights pinned or streamed, and for a layer
/// alone passes over its input. Scratch memory for one thread.
public final class GroupCosts {
    private final StripModel model;
    private final StripMachine machine;
    private final Strips strips;
    private final long samples;
    private final int[] blocks;

    private final StripFloors floors;
    private int first;
    private int last;
    /// Traffic that no choice changes, of the whole batch.
    private long off;
    private long on;
    private double macSeconds;
    private double macJoules;

    /// Weights, K and V: bytes that can be pinned, the least that streams at once, and who reads them how.
    private final long[] size;
    private final long[] tile;
    private final int[] reader;
    private final boolean[] perSample;
    private int operands;
    /// Operands by what a pinned byte saves, most first: launches, whether for each sample, index.
    private final long[] ranked;
    /// Operands that a pinned byte of saves the same.
    private final long[] classLaunches;
    private final boolean[] classPerSample;
    private final long[] classBytes;
    private int classes;
    private long walkLaunches;
    private long pinned;
    /// The sizes of tiles that occur.
    private final long[] distinct;
    private int tileSizes;
    /// Off-chip bytes of each layer, where layers wait for their own memory.
    private final long[] layerOff;
    private final long[] layerOn;
    private final long[] again;

    /// Takes what a group costs.
    @FunctionalInterface
    public interface Sink {
        /// @param plan a way to run the group that fits the buffer
        void accept(GroupPlan plan);

        /// Whether a group of at least these costs is still of interest.
        default boolean wants(Totals least) {
            return true;
        }
    }

    /// @param model network, accelerator, batch
    public GroupCosts(StripModel model) {
        this.model = model;
        machine = model.machine();
        strips = new Strips(model);
        samples = model.samples();
        blocks = GroupingSpace.blocks(samples);
        floors = new StripFloors(model, blocks);
        int n = model.end();
        size = new long[2 * n];
        tile = new long[2 * n];
        reader = new int[2 * n];
        perSample = new boolean[2 * n];
        distinct = new long[2 * n];
        ranked = new long[2 * n];
        classLaunches = new long[2 * n];
        classPerSample = new boolean[2 * n];
        classBytes = new long[2 * n];
        again = new long[2 * n];
        layerOff = new long[n];
        layerOn = new long[n];
    }

    /// Everything that layers `a` to `b` can cost as a group.
    ///
    /// @return false where no group of this end that begins here or before fits the buffer
    public boolean group(int a, int b, Sink sink) {
        if (!model.isConnected(a, b)) {
            return false;
        }
        first = a;
        last = b;
        strips.group(a, b);
        fixed();
        if (!sink.wants(totals(0, last - first + 1))) {
            return true;
        }
        boolean fits = false;
        boolean all = true;
        long reload = Long.MAX_VALUE;
        double launches = Double.POSITIVE_INFINITY;
        int rows = strips.paceRows();
        for (int t = rows; t >= 1 && all; t = GroupingSpace.shorter(t, rows)) {
            if (!floors.fails(t, a) && (!floors.knows(t, a) || wants(t, sink))) {
                strips(t, sink);
            }
            if (!floors.fails(t, a)) {
                fits = true;
                reload = Math.min(reload, floors.reload(t));
                launches = Math.min(launches, floors.launches(t));
                all = sink.wants(totals(0, last - first + Math.ceilDiv(rows, t)));
            }
        }
        if (all && fits) {
            floors.all(a, reload, launches);
        }
        if (a == b) {
            passes(sink);
        }
        return fits || floors.isOpen(a);
    }

    /// The strips of a length, with every number of samples at once.
    private void strips(int t, Sink sink) {
        boolean fits = strips.walk(t, machine.buffer());
        floors.put(t, first, last, strips);
        if (fits) {
            rank();
            for (int m : blocks) {
                if (m * strips.room() > machine.buffer()) {
                    break;
                }
                choose(m, t, sink);
            }
        }
    }

    /// Whether strips of t rows may be of interest by what is known of a group that begins later.
    private boolean wants(int t, Sink sink) {
        if (!sink.wants(totals(floors.reload(t), floors.launches(t)))) {
            return false;
        }
        if (floors.isStale(t, first)) {
            floors.weigh(t, first);
            return sink.wants(totals(floors.reload(t), floors.launches(t)));
        }
        return true;
    }

    /// Groups that end elsewhere have other strips.
    ///
    /// @param end behind the last layer of all groups to come
    public void newEnd(int end) {
        floors.begin(end);
    }

    /// What layers from `a` to the end at hand cost at least, by what was seen of groups of this end.
    public Totals least(int a, GroupBound bound) {
        return bound.least(a, floors.leastReload(a), floors.leastLaunches(a));
    }

    private Totals totals(long reloaded, double launches) {
        long offChip = off + reloaded;
        double memory = Math.max(offChip / machine.offBandwidth(), (offChip + on) / machine.onBandwidth());
        double seconds = Math.max(macSeconds, memory) + machine.launchSeconds() * launches;
        return new Totals(seconds, offChip, on, joules(offChip));
    }

    private double joules(long offChip) {
        return macJoules
                + offChip * machine.energy().offByte()
                + on * machine.energy().onByte();
    }

    /// What every way to run the group has in common.
    private void fixed() {
        off = 0;
        on = 0;
        macSeconds = 0;
        macJoules = 0;
        operands = 0;
        tileSizes = 0;
        Arrays.fill(layerOff, first, last + 1, 0);
        Arrays.fill(layerOn, first, last + 1, 0);
        for (int o = 0; o < strips.outsides(); o++) {
            int p = strips.outside(o);
            long loaded = strips.wanted(p) * model.rowBytes[p];
            layerOff[strips.firstReader(p)] += loaded * samples;
            if (strips.streams(p)) {
                for (int i = first; i <= last; i++) {
                    for (RowEdge e : model.edges[i]) {
                        if (e.from() == p) {
                            operand(i, loaded, Math.min(StripModel.BLOCK, strips.wanted(p)) * model.rowBytes[p], true);
                        }
                    }
                }
            }
        }
        for (int i = first; i <= last; i++) {
            RowNode.Work work = model.graph().node(i).work();
            macSeconds += model.macSeconds[i];
            macJoules += work.macs() * samples * machine.energy().mac();
            long weights = model.weightBytes[i];
            if (weights > 0) {
                layerOff[i] += weights;
                operand(i, weights, tile(weights, work), false);
            }
            if (strips.stored(i)) {
                layerOff[i] += model.bytes(i) * samples;
            } else {
                layerOn[i] += model.bytes(i) * samples;
            }
            for (RowEdge e : model.edges[i]) {
                if (e.from() >= first) {
                    layerOn[i] += model.bytes(e.from()) * samples;
                }
            }
        }
        for (int i = first; i <= last; i++) {
            off += layerOff[i];
            on += layerOn[i];
        }
    }

    /// Weights that stream at once: those of an output channel, or what fills the array where that is more, and the
    /// next ones where buffers are double.
    private long tile(long weights, RowNode.Work work) {
        long channel = Math.ceilDiv(weights, Math.max(1, work.loops().k()));
        long fill = machine.array()
                .map(a -> StripMachine.Widths.bytes(
                        (long) a.k() * a.c(), machine.widths().weight()))
                .orElse(1L);
        return Math.max(channel, fill) * (machine.counting().doubleBuffered() ? 2 : 1);
    }

    private void operand(int by, long bytes, long least, boolean each) {
        size[operands] = bytes;
        tile[operands] = Math.min(bytes, least);
        reader[operands] = by;
        perSample[operands] = each;
        operands++;
    }

    /// The sizes of tiles that occur; they are looked for once for a group.
    private int tileSizes() {
        if (tileSizes == 0) {
            System.arraycopy(tile, 0, distinct, 0, operands);
            Arrays.sort(distinct, 0, operands);
            for (int o = 0; o < operands; o++) {
                if (tileSizes == 0 || distinct[o] != distinct[tileSizes - 1]) {
                    distinct[tileSizes++] = distinct[o];
                }
            }
        }
        return tileSizes;
    }

    /// Puts the operands in the order in which their bytes are pinned, after a walk: a byte saves most where its layer
    /// is launched most often, whatever number of samples go together. Those that come equally often are a class.
    private void rank() {
        walkLaunches = 0;
        for (int i = first; i <= last; i++) {
            walkLaunches += strips.launches(i);
        }
        for (int o = 0; o < operands; o++) {
            long rarely = (long) Integer.MAX_VALUE - strips.launches(reader[o]);
            ranked[o] = rarely << 33 | (perSample[o] ? 1L << 32 : 0) | o;
        }
        Arrays.sort(ranked, 0, operands);
        classes = 0;
        for (int at = 0; at < operands; at++) {
            int o = (int) ranked[at];
            if (at == 0 || ranked[at] >>> 32 != ranked[at - 1] >>> 32) {
                classLaunches[classes] = strips.launches(reader[o]);
                classPerSample[classes] = perSample[o];
                classBytes[classes] = 0;
                classes++;
            }
            classBytes[classes - 1] += size[o];
        }
    }

    /// Bytes that are loaded again at least: those of the best use of the buffer if nothing needed room to stream.
    private long leastReload(int m, long q, long free) {
        long left = free;
        long reload = 0;
        for (int c = 0; c < classes; c++) {
            long there = classPerSample[c] ? m * classBytes[c] : classBytes[c];
            long pinned = Math.min(left, there);
            left -= pinned;
            long times = saving(classLaunches[c], classPerSample[c], q);
            long all = classPerSample[c] ? (classLaunches[c] - 1) * samples * classBytes[c] : times * there;
            reload += Math.max(0, all - times * pinned);
        }
        return reload;
    }

    /// Bytes that a pinned byte saves. One of K or V is loaded once for each block of samples in any case.
    private static long saving(long launches, boolean each, long q) {
        return each ? q * (launches - 1) : q * launches - 1;
    }

    private long saving(int o, long q) {
        return saving(strips.launches(reader[o]), perSample[o], q);
    }

    /// The best use of what live rows leave of the buffer.
    private void choose(int m, int t, Sink sink) {
        long q = Math.ceilDiv(samples, (long) m);
        long live = m * strips.room();
        long free = machine.buffer() - live;
        double launches = (double) q * walkLaunches;
        if (!sink.wants(totals(leastReload(m, q, free), launches))) {
            return;
        }
        long reserve = reserve(m, q, free);
        if (reserve < 0) {
            return;
        }
        long reloaded = reload(m, q, free - reserve, reserve);
        emit(m, t, 1, live + reserve + pinned, reloaded, launches, sink);
    }

    /// Bytes of an operand that are loaded again.
    private long again(int o, int m, long q, long stays) {
        if (!perSample[o] || samples % m == 0) {
            return saving(o, q) * (inBuffer(o, m) - stays);
        }
        // The last block holds fewer samples.
        long full = (q - 1) * (inBuffer(o, m) - stays);
        return saving(o, q) / q * (full + Math.max(0, samples % m * size[o] - stays));
    }

    private long inBuffer(int o, int m) {
        return perSample[o] ? m * size[o] : size[o];
    }

    /// Room that the operands which are not pinned whole need to stream through: that of the largest tile among them.
    ///
    /// @return -1 where nothing fits
    private long reserve(int m, long q, long free) {
        long needed = 0;
        long onceTile = 0;
        for (int o = 0; o < operands; o++) {
            if (saving(o, q) == 0) {
                onceTile = Math.max(onceTile, tile[o]);
            } else {
                needed += inBuffer(o, m);
            }
        }
        if (needed + onceTile <= free) {
            return onceTile;
        }
        long bestReserve = -1;
        long bestReload = Long.MAX_VALUE;
        // Every tile is a candidate: what has a larger one must be pinned whole.
        for (int c = 0; c < tileSizes(); c++) {
            long candidate = distinct[c];
            if (candidate > free) {
                continue;
            }
            long reload = reload(m, q, free - candidate, candidate);
            if (reload >= 0 && (reload < bestReload || (reload == bestReload && candidate < bestReserve))) {
                bestReload = reload;
                bestReserve = candidate;
            }
        }
        return bestReserve;
    }

    /// Bytes loaded again where the rest of the buffer pins what saves most; -1 where operands of larger tiles do not
    /// fit whole. Leaves in [#pinned] the bytes that stay.
    private long reload(int m, long q, long room, long streamed) {
        pinned = 0;
        for (int o = 0; o < operands; o++) {
            if (tile[o] > streamed) {
                pinned += inBuffer(o, m);
                again[o] = 0;
            }
        }
        if (pinned > room) {
            return -1;
        }
        long reload = 0;
        for (int at = 0; at < operands; at++) {
            int o = (int) ranked[at];
            if (tile[o] <= streamed) {
                long stays = saving(o, q) > 0 ? Math.min(room - pinned, inBuffer(o, m)) : 0;
                pinned += stays;
                again[o] = again(o, m, q, stays);
                reload += again[o];
            }
        }
        return reload;
    }

    private void emit(int m, int t, int tiles, long used, long reloaded, double launches, Sink sink) {
        Totals shared = totals(reloaded, launches);
        Totals cost = machine.counting().perLayer()
                ? new Totals(
                        machine.launchSeconds() * launches + perLayer(tiles, reloaded),
                        shared.offChip(),
                        on,
                        shared.joules())
                : shared;
        sink.accept(new GroupPlan(first, last, m, t, tiles, used, cost));
    }

    private double perLayer(int tiles, long reloaded) {
        double sum = 0;
        for (int i = first; i <= last; i++) {
            long bytes = layerOff[i] + (tiles > 1 ? reloaded : 0);
            for (int o = 0; o < operands && tiles == 1; o++) {
                bytes += reader[o] == i ? again[o] : 0;
            }
            double memory = Math.max(bytes / machine.offBandwidth(), (bytes + layerOn[i]) / machine.onBandwidth());
            sum += Math.max(model.macSeconds[i], memory);
        }
        return sum;
    }

    /// A layer alone may keep the weights of some output channels, and stream its input once for each such part. The
    /// same goes for a product whose second matrix is K or V.
    private void passes(Sink sink) {
        RowNode node = model.graph().node(last);
        long k = node.work().loops().k();
        if (operands != 1 || k < 2) {
            return;
        }
        int streamed = data();
        if (streamed < 0) {
            return;
        }
        long weight = size[0];
        long input = strips.wanted(streamed) * model.rowBytes[streamed] * samples;
        int most = perSample[0] ? 1 : Integer.MAX_VALUE;
        int rows = strips.paceRows();
        for (int t = rows; t >= 1; t = GroupingSpace.shorter(t, rows)) {
            if (!strips.walk(t, Long.MAX_VALUE)) {
                continue;
            }
            long out = Math.min(t, node.rows()) * model.rowBytes[last];
            long in = Math.max(0, strips.room() - out);
            for (int m : blocks) {
                if (m > most) {
                    break;
                }
                long free = machine.buffer() - m * in;
                // Whole output channels: their weights, and their part of the output's rows.
                double each = (double) weight / k + (double) m * out / k;
                long channels = (long) Math.floor(free / each);
                while (channels > 0 && bytesOf(channels, k, weight) + m * bytesOf(channels, k, out) > free) {
                    channels--;
                }
                if (channels < 1) {
                    break;
                }
                long tiles = Math.ceilDiv(k, channels);
                if (tiles < 2 || tiles > Integer.MAX_VALUE) {
                    continue;
                }
                channels = Math.ceilDiv(k, tiles);
                long used = m * in + bytesOf(channels, k, weight) + m * bytesOf(channels, k, out);
                double launches = (double) tiles * Math.ceilDiv(samples, (long) m) * strips.launches(last);
                emit(m, t, (int) tiles, used, (tiles - 1) * input, launches, sink);
            }
        }
    }

    private static long bytesOf(long channels, long all, long bytes) {
        return Math.ceilDiv(bytes * channels, all);
    }

    /// The tensor that a layer's products reduce; -1 where there is none that streams by rows.
    private int data() {
        for (RowEdge e : model.edges[last]) {
            if (!strips.streams(e.from())) {
                return e.from();
            }
        }
        return -1;
    }

    /// One way to run layers `a` to `b`; empty where it does not fit the buffer, or they have nothing to do with one
    /// another.
    ///
    /// @param m samples at once
    /// @param t rows of the pace layer in a strip
    /// @param passes whether the layer alone reads its input again for each part of its output channels
    public Optional<GroupPlan> plan(int a, int b, int m, int t, boolean passes) {
        if (!model.isConnected(a, b)) {
            return Optional.empty();
        }
        first = a;
        last = b;
        strips.group(a, b);
        fixed();
        var found = new ArrayList<GroupPlan>(1);
        if (passes && a == b) {
            passes(p -> {
                if (p.samples() == m && p.strip() == t) {
                    found.add(p);
                }
            });
        } else if (!passes
                && t <= strips.paceRows()
                && strips.walk(t, machine.buffer())
                && m * strips.room() <= machine.buffer()) {
            rank();
            choose(m, t, found::add);
        }
        return found.stream().findFirst();
    }

    /// All ways to run a group, for reports and checks.
    public List<GroupPlan> all(int a, int b) {
        var plans = new ArrayList<GroupPlan>();
        newEnd(b + 1);
        group(a, b, plans::add);
        return plans;
    }

    /// What the traffic and the time of a group are made of, for the whole batch.
    ///
    /// @param input bytes of inputs, K and V once
    /// @param output bytes of results
    /// @param weights bytes of weights once
    /// @param again bytes loaded more than once: weights, K and V, or the input of a layer in several passes
    /// @param launches starts of a layer on a strip, all layers together
    /// @param computeSeconds time of the multiply-accumulates
    public record Parts(long input, long output, long weights, long again, double launches, double computeSeconds) {}

    /// Takes a plan of this model apart.
    public Parts parts(GroupPlan plan) {
        first = plan.first();
        last = plan.last();
        strips.group(first, last);
        fixed();
        strips.walk(plan.strip(), Long.MAX_VALUE);
        long weights = 0;
        long output = 0;
        double launches = 0;
        for (int i = first; i <= last; i++) {
            weights += model.weightBytes[i];
            output += strips.stored(i) ? model.bytes(i) * samples : 0;
            launches += (double) plan.tiles() * Math.ceilDiv(samples, (long) plan.samples()) * strips.launches(i);
        }
        return new Parts(off - weights - output, output, weights, plan.cost().offChip() - off, launches, macSeconds);
    }
}

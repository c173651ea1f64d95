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

    /// For each length of strips the last group of this end that they do not fit.
    private int[] failed = new int[0];
    private CostTable known = new CostTable();
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
    private final long[] saving;
    private final Integer[] order;
    private int operands;
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
        int n = model.end();
        size = new long[2 * n];
        tile = new long[2 * n];
        reader = new int[2 * n];
        perSample = new boolean[2 * n];
        distinct = new long[2 * n];
        saving = new long[2 * n];
        order = new Integer[2 * n];
        again = new long[2 * n];
        layerOff = new long[n];
        layerOn = new long[n];
    }

    /// Whether a group that does not fit stays too large with more layers in front of it.
    public boolean isMonotone() {
        for (int o = 0; o < strips.outsides(); o++) {
            int p = strips.outside(o);
            if (!strips.isPaced(p) || model.blockBytes[p] < model.rowBytes[p]) {
                return false;
            }
        }
        return !machine.counting().doubleBuffered();
    }

    /// Everything that layers `a` to `b` can cost as a group.
    ///
    /// @return false where not even its least live rows fit the buffer
    public boolean group(int a, int b, Sink sink) {
        first = a;
        last = b;
        strips.group(a, b);
        fixed();
        if (!sink.wants(totals(0, last - first + 1))) {
            return true;
        }
        boolean fits = false;
        int rows = strips.paceRows();
        boolean lasting = isMonotone();
        for (int t = rows; t >= 1; t = GroupingSpace.shorter(t, rows)) {
            if (failed.length > t && failed[t] >= a) {
                continue;
            }
            if (lasting && a < known.from(t) && !wanted(t, sink)) {
                fits = true;
                continue;
            }
            if (!strips.walk(t, machine.buffer())) {
                if (lasting) {
                    fail(t, a, rows);
                }
                continue;
            }
            fits = true;
            known.put(t, rows, this);
            for (int m : blocks) {
                if (m * strips.room() > machine.buffer()) {
                    break;
                }
                choose(m, t, sink);
            }
            if (!sink.wants(totals(0, last - first + Math.ceilDiv(rows, t)))) {
                break;
            }
        }
        if (a == b) {
            passes(sink);
        }
        return fits;
    }

    /// Groups that end elsewhere have other strips.
    public void newEnd() {
        failed = new int[0];
        known = new CostTable();
    }

    /// What is known of strips of t rows from a group of the same end that begins later: room and launches only grow.
    private static final class CostTable {
        private int[] from = new int[0];
        private long[] room = new long[0];
        private int[] most = new int[0];
        private double[] launches = new double[0];
        private double[] loads = new double[0];
        private long[] weights = new long[0];

        int from(int t) {
            return t < from.length ? from[t] : -1;
        }

        void put(int t, int rows, GroupCosts g) {
            if (from.length <= rows) {
                from = new int[rows + 1];
                Arrays.fill(from, -1);
                room = new long[rows + 1];
                most = new int[rows + 1];
                launches = new double[rows + 1];
                loads = new double[rows + 1];
                weights = new long[rows + 1];
            }
            from[t] = g.first;
            room[t] = g.strips.room();
            most[t] = 1;
            launches[t] = 0;
            loads[t] = 0;
            weights[t] = 0;
            for (int i = g.first; i <= g.last; i++) {
                int n = g.strips.launches(i);
                most[t] = Math.max(most[t], n);
                launches[t] += n;
                loads[t] += (double) n * g.model.weightBytes[i];
                weights[t] += g.model.weightBytes[i];
            }
        }
    }

    /// Whether strips of t rows may still be of interest, judged by a group that begins later.
    private boolean wanted(int t, Sink sink) {
        long all = 0;
        for (int i = first; i <= last; i++) {
            all += model.weightBytes[i];
        }
        int others = known.from[t] - first;
        for (int m : blocks) {
            long live = m * known.room[t];
            if (live > machine.buffer()) {
                break;
            }
            double q = Math.ceilDiv(samples, (long) m);
            double loads = q * (known.loads[t] + (all - known.weights[t])) - all;
            double reloaded = Math.max(0, loads - (machine.buffer() - live) * (q * known.most[t] - 1));
            Totals least = totals((long) reloaded, q * (known.launches[t] + others));
            if (sink.wants(least)) {
                return true;
            }
        }
        return false;
    }

    private Totals totals(long reloaded, double launches) {
        long offChip = off + reloaded;
        double memory = Math.max(offChip / machine.offBandwidth(), (offChip + on) / machine.onBandwidth());
        double seconds = Math.max(macSeconds, memory) + machine.launchSeconds() * launches;
        return new Totals(seconds, offChip, on, joules(offChip));
    }

    /// Remembers that strips of t rows do not fit, for groups that begin earlier.
    private void fail(int t, int a, int rows) {
        if (failed.length <= rows) {
            failed = new int[rows + 1];
            Arrays.fill(failed, -1);
        }
        failed[t] = Math.max(failed[t], a);
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
        order[operands] = operands;
        long own = tile[operands];
        operands++;
        for (int c = 0; c < tileSizes; c++) {
            if (distinct[c] == own) {
                return;
            }
        }
        distinct[tileSizes++] = own;
    }

    /// The best use of what live rows leave of the buffer.
    private void choose(int m, int t, Sink sink) {
        long q = Math.ceilDiv(samples, (long) m);
        long live = m * strips.room();
        long free = machine.buffer() - live;
        double launches = 0;
        for (int i = first; i <= last; i++) {
            launches += (double) q * strips.launches(i);
        }
        long needed = 0;
        for (int o = 0; o < operands; o++) {
            long times = q * strips.launches(reader[o]);
            // A pinned byte of K or V is loaded once for each block of samples in any case.
            saving[o] = perSample[o] ? times - q : times - 1;
            needed += saving[o] > 0 ? inBuffer(o, m) : 0;
        }
        long reserve = reserve(m, q, needed, free);
        if (reserve < 0) {
            return;
        }
        long used = live + reserve;
        long reloaded = 0;
        long left = free - reserve;
        for (int at = 0; at < operands; at++) {
            int o = order[at];
            if (saving[o] == 0) {
                again[o] = 0;
                continue;
            }
            long pinned = Math.min(left, inBuffer(o, m));
            left -= pinned;
            used += pinned;
            again[o] = again(o, m, q, pinned);
            reloaded += again[o];
        }
        emit(m, t, 1, used, reloaded, launches, sink);
    }

    /// Bytes of an operand that are loaded again.
    private long again(int o, int m, long q, long pinned) {
        if (!perSample[o] || samples % m == 0) {
            return saving[o] * (inBuffer(o, m) - pinned);
        }
        // The last block holds fewer samples.
        long full = (q - 1) * (inBuffer(o, m) - pinned);
        return saving[o] / q * (full + Math.max(0, samples % m * size[o] - pinned));
    }

    private long inBuffer(int o, int m) {
        return perSample[o] ? m * size[o] : size[o];
    }

    /// Room that the operands which are not pinned whole need to stream through: that of the largest tile among them.
    /// Orders the operands for pinning: first those that must be, then by what a byte saves.
    ///
    /// @param needed bytes of all operands that are worth pinning
    /// @return -1 where nothing fits
    private long reserve(int m, long q, long needed, long free) {
        long onceTile = 0;
        long mostTile = 0;
        for (int o = 0; o < operands; o++) {
            mostTile = Math.max(mostTile, tile[o]);
            if (saving[o] == 0) {
                onceTile = Math.max(onceTile, tile[o]);
            }
        }
        if (needed + onceTile <= free) {
            return onceTile;
        }
        long bestReserve = -1;
        long bestReload = Long.MAX_VALUE;
        // Every tile is a candidate: what has a larger one must be pinned whole.
        for (int c = 0; c < tileSizes; c++) {
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
        if (bestReserve >= 0) {
            reload(m, q, free - bestReserve, bestReserve);
        }
        return bestReserve;
    }

    /// Bytes loaded again where the rest of the buffer pins what saves most; -1 where operands of larger tiles do not
    /// fit whole.
    private long reload(int m, long q, long room, long streamed) {
        sort(streamed);
        long left = room;
        long reload = 0;
        for (int at = 0; at < operands; at++) {
            int o = order[at];
            boolean must = tile[o] > streamed;
            long pinned = must || saving[o] > 0 ? Math.min(left, inBuffer(o, m)) : 0;
            if (must && pinned < inBuffer(o, m)) {
                return -1;
            }
            left -= pinned;
            reload += again(o, m, q, pinned);
        }
        return reload;
    }

    private void sort(long streamed) {
        for (int at = 1; at < operands; at++) {
            int o = order[at];
            int to = at;
            while (to > 0 && goesBefore(o, order[to - 1], streamed)) {
                order[to] = order[to - 1];
                to--;
            }
            order[to] = o;
        }
    }

    private boolean goesBefore(int o, int other, long streamed) {
        boolean must = tile[o] > streamed;
        boolean mustOther = tile[other] > streamed;
        if (must != mustOther) {
            return must;
        }
        return saving[o] != saving[other] ? saving[o] > saving[other] : o < other;
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

    /// One way to run layers `a` to `b`; empty where it does not fit the buffer.
    ///
    /// @param m samples at once
    /// @param t rows of the pace layer in a strip
    /// @param passes whether the layer alone reads its input again for each part of its output channels
    public Optional<GroupPlan> plan(int a, int b, int m, int t, boolean passes) {
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
            choose(m, t, found::add);
        }
        return found.stream().findFirst();
    }

    /// All ways to run a group, for reports and checks.
    public List<GroupPlan> all(int a, int b) {
        var plans = new ArrayList<GroupPlan>();
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

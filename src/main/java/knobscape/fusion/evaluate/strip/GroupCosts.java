package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.fusion.evaluate.strip.GroupBound.Least;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.space.Grouping;
import knobscape.fusion.space.GroupingSpace;

/// All ways to run a group of layers: samples at once, rows in a strip, rows kept or made again, stripes of columns,
/// weights pinned or streamed, and for a layer alone passes over its input. Scratch memory for one thread.
public final class GroupCosts {
    private final StripModel model;
    private final StripMachine machine;
    private final Strips strips;
    private final long samples;
    private final int[] blocks;

    /// By stripes of columns less one: of strips that keep rows, and of those that keep nothing.
    private final StripFloors[] floors;
    private final StripFloors[] apart;
    private final Pieces across;
    private final Pieces down;
    private int first;
    private int last;
    /// How the group is laid out: stripes of columns, and whether strips keep nothing of one another.
    private int stripes;
    private boolean recomputes;
    private Fixed fixed = new Fixed(0, 0, 0, 0);
    /// The same for whole rows, none of them made again.
    private Fixed whole = fixed;

    /// The costs that no use of the buffer changes, of the whole batch.
    private record Fixed(long off, long on, double macSeconds, double macJoules) {}

    /// Off-chip bytes of each layer, where layers wait for their own memory.
    private final long[] layerOff;
    private final long[] layerOn;
    private final double[] layerSeconds;
    private final GroupOperands operands;
    private final LayerPasses passes;
    private long walkLaunches;
    /// The least cost of everything looked at or passed over; whether all was.
    private Least least = Least.NONE;
    /// The same of pieces that were passed over unseen.
    private Least passed = Least.NONE;

    private boolean known;

    /// Takes what a group costs.
    @FunctionalInterface
    public interface Sink {
        /// @param plan a way to run the group that fits the buffer
        void accept(GroupPlan plan);

        /// True if a group of at least these costs is still of interest.
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
        floors = new StripFloors[machine.counting().columns()];
        apart = new StripFloors[floors.length];
        for (int c = 0; c < floors.length; c++) {
            floors[c] = new StripFloors(model, blocks, c + 1);
            apart[c] = new StripFloors(model, blocks, c + 1);
        }
        across = new Pieces(model.columns, model.across, model.columnsAtOnce, true);
        down = new Pieces(model.rows, model.edges, model.rowsAtOnce, false);
        int n = model.end();
        operands = new GroupOperands(samples, 2 * n);
        passes = new LayerPasses(model, strips, operands, blocks);
        layerOff = new long[n];
        layerOn = new long[n];
        layerSeconds = new double[n];
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
        lay(1, 0);
        whole = fixed;
        int layers = last - first + 1;
        if (!sink.wants(totals(0, layers))) {
            return true;
        }
        least = Least.NEVER;
        boolean fits = strips(sink);
        Least uncut = known ? least : Least.NONE;
        if (a == b) {
            passes(sink);
        }
        least = Least.NEVER;
        passed = Least.NEVER;
        fits = (strips.isCuttable() && cuts(sink)) || fits;
        floors[0].all(a, List.of(uncut, least, passed));
        return fits || floors[0].isOpen(a);
    }

    /// True if a group of layers from `a` to the end at hand may be of interest, by what was seen of groups of this
    /// end.
    public boolean promises(int a, GroupBound bound, Sink sink) {
        return learned(a).stream().anyMatch(l -> sink.wants(bound.least(a, l)));
    }

    /// The least costs of groups that begin with layer `a` or before, by what was seen: one of these.
    public List<Least> learned(int a) {
        return floors[0].all(a);
    }

    /// Takes over what was seen of the same layers elsewhere.
    public void learn(int a, List<Least> ways) {
        floors[0].all(a, ways);
    }

    /// The group in strips, whole or in stripes of columns.
    ///
    /// @return false where none of them fits
    private boolean strips(Sink sink) {
        StripFloors f = floors[stripes - 1];
        boolean fits = false;
        boolean all = true;
        int rows = strips.paceRows();
        for (int t = rows; t >= 1 && all; t = GroupingSpace.shorter(t, rows)) {
            if (!f.fails(t, first) && (!f.knows(t, first) || wants(f, t, sink))) {
                strips(f, t, sink);
            }
            if (!f.fails(t, first)) {
                fits = true;
                least = least.or(f.least(t));
                all = sink.wants(totals(0, stripes * (last - first + (double) Math.ceilDiv(rows, t))));
            }
        }
        known = all;
        return fits;
    }

    /// The group in pieces that keep nothing of one another, along columns, rows or both. The weights of all layers
    /// cross the border for every piece, but for what the buffer holds of them.
    ///
    /// @return false where no piece fits, however small
    private boolean cuts(Sink sink) {
        int columns = strips.hasColumns() ? Math.min(floors.length, model.columns[strips.pace()]) : 1;
        int rows = strips.paceRows();
        long beyond = 0;
        for (int i = first; i <= last; i++) {
            beyond += model.weightBytes[i];
        }
        beyond = Math.max(0, beyond - machine.buffer());
        boolean fits = false;
        for (int c = 1; c <= columns; c++) {
            int size = Math.ceilDiv(model.columns[strips.pace()], c);
            if (c > 1 && Math.ceilDiv(model.columns[strips.pace()], size) < c) {
                continue;
            }
            StripFloors f = floors[c - 1];
            if (c > 1 && !wants(whole, c, beyond, f.again(0, first), sink)) {
                fits = true;
                continue;
            }
            Fixed striped = whole;
            if (c > 1) {
                lay(c, 0);
                learn(f, 0);
                striped = fixed;
                if (!wants(striped, c, beyond, Least.NONE, sink)) {
                    fits = true;
                    continue;
                }
                fits |= strips(sink);
            }
            for (int t = rows; t > 1 && strips.overlaps(); ) {
                t = GroupingSpace.shorter(t, rows);
                long pieces = (long) c * Math.ceilDiv(rows, t);
                // Stripes make no fewer rows again than whole rows do.
                Least again = c > 1 ? apart[0].again(t, first) : Least.NONE;
                if (!wants(striped, pieces, beyond, again, sink)) {
                    fits = true;
                    continue;
                }
                fits |= apart(c, t, sink);
            }
        }
        return fits || holds(columns);
    }

    /// True if so many pieces may be of interest.
    private boolean wants(Fixed f, long pieces, long beyond, Least again, Sink sink) {
        Least l =
                new Least((pieces - 1) * beyond, (double) pieces * (last - first + 1), again.seconds(), again.joules());
        if (sink.wants(totals(f, l))) {
            return true;
        }
        if (again == Least.NONE) {
            passed = passed.or(l);
        } else {
            least = least.or(l);
        }
        return false;
    }

    /// True if the buffer may hold the smallest piece.
    private boolean holds(int columns) {
        if (columns > 1) {
            across.sample(strips, Math.ceilDiv(model.columns[strips.pace()], columns));
        }
        strips.narrow(across, columns);
        down.sample(strips, 1);
        strips.walkApart(down, 1);
        return strips.room() <= machine.buffer();
    }

    /// The strips of a length, with every number of samples at once.
    private void strips(StripFloors f, int t, Sink sink) {
        boolean fits = strips.walk(t, machine.buffer());
        f.put(t, first, last, strips);
        Fixed even = fixed;
        idle(1);
        learn(f, t);
        if (fits) {
            blocks(t, sink);
        }
        fixed = even;
    }

    /// Strips of a length that keep nothing of one another.
    ///
    /// @return false where they do not fit
    private boolean apart(int columns, int t, Sink sink) {
        StripFloors f = apart[columns - 1];
        if (f.fails(t, first)) {
            return false;
        }
        if (!f.knows(t, first) || wants(f, t, sink)) {
            lay(columns, t);
            strips.walkApart(down, Math.ceilDiv(strips.paceRows(), t));
            f.put(t, first, last, strips);
            learn(f, t);
            if (f.fails(t, first)) {
                return false;
            }
            if (sink.wants(totals(f.least(t).reload(), f.least(t).launches()))) {
                blocks(t, sink);
            }
        }
        least = least.or(f.least(t));
        return true;
    }

    private void blocks(int t, Sink sink) {
        rank();
        for (int m : blocks) {
            if (m * strips.room() > machine.buffer()) {
                break;
            }
            choose(m, t, sink);
        }
    }

    /// Takes note of what is done again.
    private void learn(StripFloors f, int t) {
        double again = 0;
        for (int i = first; i <= last; i++) {
            again += model.macSeconds[i] * (work(i) * (t == 0 || recomputes ? 1 : strips.leastWork(i)) - 1);
        }
        f.put(t, first, again, fixed.macJoules - whole.macJoules, strips);
    }

    /// True if strips of t rows may be of interest by what is known of a group that begins later.
    private boolean wants(StripFloors f, int t, Sink sink) {
        if (!sink.wants(totals(whole, f.least(t)))) {
            return false;
        }
        if (f.isStale(t, first)) {
            f.weigh(t, first);
            return sink.wants(totals(whole, f.least(t)));
        }
        return true;
    }

    /// Groups that end elsewhere have other strips.
    ///
    /// @param end behind the last layer of all groups to come
    public void newEnd(int end) {
        for (int c = 0; c < floors.length; c++) {
            floors[c].begin(end);
            apart[c].begin(end);
        }
    }

    private Totals totals(long reloaded, double launches) {
        return totals(fixed, reloaded, launches);
    }

    private Totals totals(Fixed f, Least more) {
        return totals(
                new Fixed(f.off, f.on, f.macSeconds + more.seconds(), f.macJoules + more.joules()),
                more.reload(),
                more.launches());
    }

    private Totals totals(Fixed f, long reloaded, double launches) {
        long offChip = f.off + reloaded;
        double memory = Math.max(offChip / machine.offBandwidth(), (offChip + f.on) / machine.onBandwidth());
        double seconds = Math.max(f.macSeconds, memory) + machine.launchSeconds() * launches;
        double joules = f.macJoules
                + offChip * machine.energy().offByte()
                + f.on * machine.energy().onByte();
        return new Totals(seconds, offChip, f.on, joules);
    }

    /// Lays the group out.
    ///
    /// @param columns stripes
    /// @param apart rows of strips that keep nothing of one another; 0 where strips keep what the next ones need
    private void lay(int columns, int apart) {
        boolean same = stripes == columns && apart > 0;
        stripes = columns;
        recomputes = apart > 0;
        if (columns > 1 && !same) {
            across.cut(strips, Math.ceilDiv(model.columns[strips.pace()], columns));
            strips.narrow(across, columns);
        }
        if (apart > 0) {
            down.cut(strips, apart);
        }
        fixed();
    }

    /// Bytes of a tensor that are made or loaded for one sample, with what is made or loaded twice.
    private long moved(int tensor) {
        long rows = recomputes ? down.total(tensor) : tensor < first ? strips.wanted(tensor) : model.rows[tensor];
        long row = model.rowBytes[tensor];
        return rows * (stripes > 1 ? Strips.part(row, across.total(tensor), across.extent(tensor)) : row);
    }

    /// How often a layer makes its result, on average.
    private double repeats(int layer) {
        double rows = recomputes ? (double) down.total(layer) / model.rows[layer] : 1;
        return stripes > 1 ? rows * across.total(layer) / across.extent(layer) : rows;
    }

    /// How long a layer takes in pieces, over all at once.
    private double work(int layer) {
        return (recomputes ? down.work(layer) : 1) * (stripes > 1 ? across.work(layer) : 1);
    }

    /// Counts what strips of few rows, and passes of few output channels, leave idle of the array, after a walk.
    private void idle(long tiles) {
        if (machine.array().isPresent()) {
            double passes = tiles == 1 ? 1 : model.work(last, tiles);
            double seconds = 0;
            for (int i = first; i <= last; i++) {
                layerSeconds[i] = model.macSeconds[i] * work(i) * strips.work(i) * passes;
                seconds += layerSeconds[i];
            }
            fixed = new Fixed(fixed.off, fixed.on, seconds, fixed.macJoules);
        }
    }

    /// The common part of every use of the buffer.
    private void fixed() {
        double macSeconds = 0;
        double macJoules = 0;
        operands.clear();
        Arrays.fill(layerOff, first, last + 1, 0);
        Arrays.fill(layerOn, first, last + 1, 0);
        for (int o = 0; o < strips.outsides(); o++) {
            int p = strips.outside(o);
            long loaded = moved(p);
            layerOff[strips.firstReader(p)] += loaded * samples;
            if (strips.streams(p)) {
                for (int i = first; i <= last; i++) {
                    for (RowEdge e : model.edges[i]) {
                        if (e.from() == p) {
                            operands.add(
                                    i, loaded, Math.min(StripModel.BLOCK, strips.wanted(p)) * model.rowBytes[p], true);
                        }
                    }
                }
            }
        }
        for (int i = first; i <= last; i++) {
            RowNode.Work work = model.graph().node(i).work();
            double repeats = repeats(i);
            layerSeconds[i] = model.macSeconds[i] * work(i);
            macSeconds += layerSeconds[i];
            macJoules += work.macs() * repeats * samples * machine.energy().mac();
            long weights = model.weightBytes[i];
            if (weights > 0) {
                layerOff[i] += weights;
                operands.add(i, weights, model.tile(i), false);
            }
            if (strips.stored(i)) {
                layerOff[i] += model.bytes(i) * samples;
            } else {
                layerOn[i] += moved(i) * samples;
            }
            for (RowEdge e : model.edges[i]) {
                if (e.from() >= first) {
                    layerOn[i] += moved(e.from()) * samples;
                }
            }
        }
        long off = 0;
        long on = 0;
        for (int i = first; i <= last; i++) {
            off += layerOff[i];
            on += layerOn[i];
        }
        fixed = new Fixed(off, on, macSeconds, macJoules);
    }

    /// Strips in which a layer makes rows, those of all stripes together.
    private long launches(int layer) {
        return (long) stripes * strips.launches(layer);
    }

    private void rank() {
        walkLaunches = 0;
        for (int i = first; i <= last; i++) {
            walkLaunches += launches(i);
        }
        operands.rank(this::launches);
    }

    /// The best use of what live rows leave of the buffer.
    private void choose(int m, int t, Sink sink) {
        long q = Math.ceilDiv(samples, (long) m);
        long live = m * strips.room();
        long free = machine.buffer() - live;
        double launches = (double) q * walkLaunches;
        if (!sink.wants(totals(operands.leastReload(m, q, free), launches))) {
            return;
        }
        long reserve = operands.reserve(m, q, free);
        if (reserve < 0) {
            return;
        }
        long reloaded = operands.reload(m, q, free - reserve, reserve);
        emit(new LayerPasses.Way(m, t, 1, false, live + reserve + operands.pinned(), reloaded, 0, launches), sink);
    }

    private void emit(LayerPasses.Way w, Sink sink) {
        long on = fixed.on + w.onChip();
        Totals shared = totals(new Fixed(fixed.off, on, fixed.macSeconds, fixed.macJoules), w.reloaded(), w.launches());
        Totals cost = machine.counting().perLayer()
                ? new Totals(
                        machine.launchSeconds() * w.launches() + perLayer(w), shared.offChip(), on, shared.joules())
                : shared;
        var pieces = new GroupPlan.Pieces(w.samples(), w.rows(), stripes, recomputes, w.tiles(), w.sums());
        sink.accept(new GroupPlan(first, last, pieces, w.used(), cost));
    }

    private double perLayer(LayerPasses.Way w) {
        boolean passes = w.tiles() > 1 || w.sums();
        double sum = 0;
        for (int i = first; i <= last; i++) {
            long bytes = layerOff[i] + (passes ? w.reloaded() : operands.again(i));
            double memory =
                    Math.max(bytes / machine.offBandwidth(), (bytes + layerOn[i] + w.onChip()) / machine.onBandwidth());
            sum += Math.max(layerSeconds[i], memory);
        }
        return sum;
    }

    private void passes(Sink sink) {
        passes.all(last, new LayerPasses.Taker() {
            @Override
            public boolean wants(long reloaded, double launches) {
                return sink.wants(totals(whole, reloaded, launches));
            }

            @Override
            public void take(LayerPasses.Way way) {
                idle(way.tiles());
                emit(way, sink);
            }
        });
    }

    /// One way to run layers as a group; empty where it does not fit the buffer, where they cannot run like this, or
    /// where they have nothing to do with one another.
    public Optional<GroupPlan> plan(Grouping.Part p) {
        int a = p.first();
        int b = p.last();
        if (!model.isConnected(a, b) || p.columns() > floors.length) {
            return Optional.empty();
        }
        first = a;
        last = b;
        strips.group(a, b);
        boolean cut = p.columns() > 1 || p.run() == Grouping.Run.RECOMPUTED;
        boolean can = p.rows() <= strips.paceRows()
                && (!cut || strips.isCuttable())
                && (p.columns() == 1 || (strips.hasColumns() && p.columns() <= model.columns[strips.pace()]));
        var found = new ArrayList<GroupPlan>(1);
        if (p.run() == Grouping.Run.PASSES || p.run() == Grouping.Run.SUMS) {
            if (a == b && p.columns() == 1) {
                lay(1, 0);
                whole = fixed;
                passes(g -> {
                    boolean sums = p.run() == Grouping.Run.SUMS;
                    if (g.pieces().samples() == p.samples()
                            && g.pieces().strip() == p.rows()
                            && g.pieces().sums() == sums) {
                        found.add(g);
                    }
                });
            }
        } else if (can) {
            walk(p.columns(), p.run() == Grouping.Run.RECOMPUTED, p.rows());
            if (p.samples() * strips.room() <= machine.buffer()) {
                rank();
                choose(p.samples(), p.rows(), found::add);
            }
        }
        return found.stream().findFirst();
    }

    /// Lays the group out and goes through its strips.
    private void walk(int columns, boolean apart, int t) {
        lay(columns, 0);
        lay(columns, apart ? t : 0);
        if (apart) {
            strips.walkApart(down, Math.ceilDiv(strips.paceRows(), t));
        } else {
            strips.walk(t, Long.MAX_VALUE);
            idle(1);
        }
    }

    /// All ways to run a group, for reports and checks.
    public List<GroupPlan> all(int a, int b) {
        var plans = new ArrayList<GroupPlan>();
        newEnd(b + 1);
        group(a, b, plans::add);
        return plans;
    }

    /// The parts of a group's traffic and time, for the whole batch.
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
        walk(plan.pieces().columns(), plan.pieces().recomputes(), plan.pieces().strip());
        if (!plan.pieces().recomputes()) {
            idle(plan.pieces().tiles());
        }
        long weights = 0;
        long output = 0;
        double launches = 0;
        for (int i = first; i <= last; i++) {
            weights += model.weightBytes[i];
            output += strips.stored(i) ? model.bytes(i) * samples : 0;
            launches += (double) plan.pieces().tiles()
                    * Math.ceilDiv(samples, (long) plan.pieces().samples())
                    * launches(i);
        }
        return new Parts(
                fixed.off - weights - output,
                output,
                weights,
                plan.cost().offChip() - fixed.off,
                launches,
                fixed.macSeconds);
    }
}

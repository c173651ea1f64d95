package knobscape.fusion.evaluate.strip;

import java.util.Arrays;
import knobscape.fusion.source.rows.RowEdge;

/// The strips of one group of layers after another: rows made and kept, launches, and the room that live rows take.
/// Scratch memory for one thread.
final class Strips extends GroupRows {
    private int[] before;
    private int[] now;
    private int[] after;
    private final int[] start;
    private int[] kept;
    private int[] keeps;
    private final int[] made;
    private final int[] launches;
    private final int[] steps;
    private long room;
    private long floor;
    /// Fresh rows of tensors from off chip; of the floor without those that no reader needs.
    private final int[] fresh;

    Strips(StripModel model) {
        super(model);
        int n = model.rows.length;
        before = new int[n];
        now = new int[n];
        after = new int[n];
        start = new int[n];
        kept = new int[n];
        keeps = new int[n];
        made = new int[n];
        launches = new int[n];
        steps = new int[n];
        fresh = new int[n];
    }

    /// Goes through strips that keep nothing of one another.
    ///
    /// @param down the group cut into these strips
    void walkApart(Pieces down, int count) {
        clear(before);
        clear(kept);
        clear(keeps);
        for (int x : tensors()) {
            now[x] = down.most(x);
            after[x] = 2 * now[x];
            made[x] = now[x];
        }
        loadAll();
        room = live(bytes, false, m.machine().counting().doubleBuffered());
        floor = room;
        Arrays.fill(launches, first, last + 1, count);
    }

    /// Bytes of live rows of one sample, at most, after [#walk].
    long room() {
        return room;
    }

    /// Bytes that groups with more layers in front keep live at least, after [#walk]. Only what sets the pace counts:
    /// the
    /// strips of other layers may change.
    long floor() {
        return floor;
    }

    /// Strips in which a layer makes rows at least, whatever layers come in front, after [#walk].
    int leastLaunches(int layer) {
        return reaches[layer] ? launches[layer] : 1;
    }

    /// Strips in which a layer makes rows, after [#walk].
    int launches(int layer) {
        return launches[layer];
    }

    /// Steps of the array in which strips make a layer's rows, over those in which it makes all at once, after [#walk].
    double work(int layer) {
        return (double) steps[layer] / Math.ceilDiv(rows[layer], m.rowsAtOnce[layer]);
    }

    /// The same at least, whatever layers come in front.
    double leastWork(int layer) {
        return reaches[layer] ? Math.max(1, work(layer)) : 1;
    }

    /// Rows made by the end of each strip.
    private void ends(int strip, int strips, int t, int[] end) {
        boolean all = strip == strips - 1;
        for (int o = 0; o < outsides; o++) {
            int p = outside[o];
            end[p] = all ? wanted[p] : reaches[p] ? 0 : (int) Math.ceilDiv((long) wanted[p] * (strip + 1), strips);
        }
        if (all) {
            System.arraycopy(rows, first, end, first, last - first + 1);
            return;
        }
        Arrays.fill(end, first, last + 1, 0);
        end[pace] = Math.min(rows[pace], (strip + 1) * t);
        for (int i = pace; i >= first; i--) {
            if (reaches[i]) {
                for (RowEdge e : edges[i]) {
                    int p = e.from();
                    end[p] = Math.max(end[p], e.need(end[i], rows[p]));
                }
            }
        }
        for (int i = first; i <= last; i++) {
            if (!reaches[i]) {
                int can = rows[i];
                for (RowEdge e : edges[i]) {
                    can = Math.min(can, e.can(end[e.from()], wantedOf(e.from()), rows[i]));
                }
                end[i] = can;
            }
        }
    }

    /// Goes through all strips of one sample.
    ///
    /// @param t rows of the pace layer in a strip
    /// @param limit bytes beyond which nothing is wanted
    /// @return false where live rows of one sample take more than `limit` bytes
    boolean walk(int t, long limit) {
        int strips = Math.ceilDiv(rows[pace], t);
        boolean twice = m.machine().counting().doubleBuffered();
        clear(before);
        clear(kept);
        clear(made);
        Arrays.fill(launches, first, last + 1, 0);
        Arrays.fill(steps, first, last + 1, 0);
        ends(0, strips, t, now);
        copy(now, start);
        room = 0;
        floor = 0;
        boolean following = m.samples() > 1 || stripes > 1;
        for (int k = 0; k < strips; k++) {
            if (k < strips - 1) {
                ends(k + 1, strips, t, after);
            }
            keep();
            loadAll();
            room = Math.max(room, live(bytes, k == strips - 1, twice));
            if (floorIsRoom) {
                floor = room;
            } else {
                loadNeeded();
                floor = Math.max(floor, live(floorBytes, k == strips - 1, false));
            }
            if (room > limit) {
                return false;
            }
            for (int i = first; i <= last; i++) {
                launches[i] += now[i] > before[i] ? 1 : 0;
                steps[i] += Math.ceilDiv(now[i] - before[i], m.rowsAtOnce[i]);
            }
            if (k > 0 && k < strips - 2 && !sidelong) {
                k += skip(strips - 2 - k);
            }
            next();
        }
        if (twice && following) {
            room = Math.max(room, again(strips, t));
        }
        return room <= limit;
    }

    /// The room of the first strip where the last one of the sample or stripe before is still written.
    private long again(int strips, int t) {
        clear(before);
        clear(kept);
        ends(0, strips, t, now);
        if (strips > 1) {
            ends(1, strips, t, after);
        }
        keep();
        loadAll();
        return live(bytes, strips == 1, true);
    }

    private void clear(int[] values) {
        Arrays.fill(values, first, last + 1, 0);
        for (int o = 0; o < outsides; o++) {
            values[outside[o]] = 0;
        }
    }

    private void copy(int[] from, int[] to) {
        System.arraycopy(from, first, to, first, last - first + 1);
        for (int o = 0; o < outsides; o++) {
            to[outside[o]] = from[outside[o]];
        }
    }

    private void next() {
        for (int i = first; i <= last; i++) {
            made[i] = now[i] - before[i];
        }
        for (int o = 0; o < outsides; o++) {
            made[outside[o]] = now[outside[o]] - before[outside[o]];
        }
        int[] free = before;
        before = now;
        now = after;
        after = free;
        int[] old = kept;
        kept = keeps;
        keeps = old;
    }

    /// Rows that stay after the strip.
    private void keep() {
        for (int o = 0; o < outsides; o++) {
            keeps[outside[o]] = 0;
        }
        Arrays.fill(keeps, first, last + 1, 0);
        for (int i = first; i <= last; i++) {
            if (now[i] < rows[i]) {
                for (RowEdge e : edges[i]) {
                    int p = e.from();
                    keeps[p] = Math.max(keeps[p], now[p] - e.first(now[i], now[p]));
                }
            }
        }
    }

    private void loadAll() {
        for (int o = 0; o < outsides; o++) {
            int p = outside[o];
            fresh[p] = now[p] - before[p];
        }
    }

    /// Rows that windows leap over are loaded and dropped; where more layers read a tensor they may come earlier.
    private void loadNeeded() {
        for (int o = 0; o < outsides; o++) {
            fresh[outside[o]] = 0;
        }
        for (int i = first; i <= last; i++) {
            if (before[i] < rows[i]) {
                for (RowEdge e : edges[i]) {
                    int p = e.from();
                    if (p < first) {
                        fresh[p] = Math.max(fresh[p], now[p] - e.first(before[i], now[p]) - kept[p]);
                    }
                }
            }
        }
    }

    /// The largest room while one of the layers works on the strip.
    private long live(long[] bytes, boolean end, boolean twice) {
        long sum = 0;
        for (int o = 0; o < outsides; o++) {
            int p = outside[o];
            if (!streams[p]) {
                int following = end ? (m.samples() > 1 || stripes > 1 ? start[p] : 0) : after[p] - now[p];
                sum += bytes[p] * (kept[p] + (twice ? fresh[p] + following : 0));
            }
        }
        for (int i = first; i <= last; i++) {
            sum += bytes[i] * early(i, twice);
        }
        long most = sum;
        for (int i = first; i <= last; i++) {
            for (int p = comes[i]; p != NONE; p = comesNext[p]) {
                sum += bytes[p] * (p < first ? (twice || streams[p] ? 0 : fresh[p]) : onTurn(p, twice));
            }
            most = Math.max(most, sum);
            for (int p = goes[i]; p != NONE; p = goesNext[p]) {
                sum += bytes[p] * late(p, twice);
            }
        }
        return most;
    }

    /// Rows of a layer's result that are live before its turn.
    private int early(int i, boolean twice) {
        if (held[i]) {
            return rows[i];
        }
        return twice && stored[i] ? Math.max(kept[i], made[i]) : kept[i];
    }

    /// How many rows more are live from the turn of a layer's result on.
    private int onTurn(int i, boolean twice) {
        if (held[i]) {
            return 0;
        }
        int fresh = now[i] - before[i];
        return twice && stored[i] ? fresh : kept[i] + fresh - early(i, twice);
    }

    /// How many rows fewer are live after the last reader of a tensor.
    private int late(int p, boolean twice) {
        if (p < first) {
            return streams[p] || twice ? 0 : keeps[p] - kept[p] - fresh[p];
        }
        if (held[p]) {
            return 0;
        }
        int rows = now[p] - before[p];
        // What the strip before made is written all strip long.
        return twice && stored[p]
                ? Math.max(0, keeps[p] - made[p] - rows) - Math.max(0, kept[p] - made[p])
                : keeps[p] - kept[p] - rows;
    }

    /// Skips strips that are like this one: where every tensor moves on by as many rows as its readers ask for, and did
    /// so a strip ago, all that follows is the same until a tensor nears its end.
    ///
    /// @return strips skipped
    private int skip(int most) {
        int skip = most;
        for (int i = first; i <= last; i++) {
            int step = now[i] - before[i];
            if (step != made[i] || step != after[i] - now[i] || keeps[i] != kept[i]) {
                return 0;
            }
            skip = Math.min(skip, left(i, step, rows[i]));
            for (RowEdge e : edges[i]) {
                int p = e.from();
                int moved = now[p] - before[p];
                boolean steady = switch (e.kind()) {
                    case WINDOW -> moved == step * e.stride();
                    case TRANSPOSED -> moved * e.up() == step;
                    case FULL -> moved == 0 && (now[p] > 0 || step == 0);
                    case ACCUMULATING -> step == 0;
                };
                if (!steady) {
                    return 0;
                }
            }
        }
        for (int o = 0; o < outsides; o++) {
            int p = outside[o];
            int step = now[p] - before[p];
            if (step != made[p] || step != after[p] - now[p] || keeps[p] != kept[p]) {
                return 0;
            }
            skip = Math.min(skip, left(p, step, wanted[p]));
        }
        if (skip <= 0) {
            return 0;
        }
        for (int i = first; i <= last; i++) {
            launches[i] += now[i] > before[i] ? skip : 0;
            steps[i] += skip * Math.ceilDiv(now[i] - before[i], m.rowsAtOnce[i]);
            shift(i, skip);
        }
        for (int o = 0; o < outsides; o++) {
            shift(outside[o], skip);
        }
        return skip;
    }

    /// Strips that can be skipped before a tensor comes within two strips of its end.
    private int left(int tensor, int step, int end) {
        return step == 0 ? Integer.MAX_VALUE : (end - after[tensor]) / step - 2;
    }

    private void shift(int tensor, int strips) {
        int by = (now[tensor] - before[tensor]) * strips;
        before[tensor] += by;
        now[tensor] += by;
        after[tensor] += by;
    }
}

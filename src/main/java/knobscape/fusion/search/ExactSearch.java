package knobscape.fusion.search;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.space.Strategy;
import org.jspecify.annotations.Nullable;

/// The best of all strategies that fit, proven. It uses three facts of the cost model: groups do not influence
/// each other; inside a group whose weights fit, only the number of launches of each layer matters for time;
/// and of the micro-batches with the same number of launches the smallest needs least room. Hence a dynamic
/// program over groups, in each of which a second one finds the least room for every number of launches. Groups
/// that cannot be part of anything better than the best known are left out by a bound.
///
/// A group whose weights do not fit loads them at every launch, so that time is no whole number of launches;
/// the trade of time against room is then kept as a list of what is not dominated. Where that list becomes too
/// long, the group is left to its bound and the answer is marked as not proven ([Answer#isProven]).
public final class ExactSearch {
    private static final int MOST_LAYERS = 300;
    private static final int LARGEST_BATCH = 1024;
    /// Steps of the dynamic programs, some seconds; groups beyond are left to their bounds.
    private static final long MAX_WORK = 4_000_000_000L;
    /// Numbers in a table of a dynamic program.
    private static final long MAX_CELLS = 20_000_000;
    /// Steps that a label takes.
    private static final int LABEL = 30;

    /// The best strategy, as far as it is known.
    ///
    /// @param lowerBound seconds that no strategy which fits goes below
    /// @param isProven whether the strategy is the best there is
    public record Answer(Strategy strategy, Cost cost, double lowerBound, boolean isProven) {}

    private ExactSearch() {}

    /// The method.
    public static Searcher searcher() {
        return (problem, random) ->
                Search.once(left -> List.of(solve(problem).strategy().toArray()));
    }

    /// Solves and tells the proof.
    static Answer solve(Problem problem) {
        Answer answer = solve(problem.model(), problem.cancel()::throwIfCancelled);
        problem.proofs().accept(answer);
        return answer;
    }

    /// Why a model cannot be solved exactly, or empty.
    public static Optional<String> obstacle(FusionCostModel model) {
        CostOptions o = model.accelerator().options();
        var obstacles = new LinkedHashMap<String, Boolean>();
        obstacles.put(
                "its layers read further back than the layer before them",
                !model.network().hasLocalInputs());
        obstacles.put("the last micro-batch is padded", o.lastMicroBatch() != CostOptions.LastMicroBatch.SHORT);
        obstacles.put("residuals take room on chip", o.residuals() != CostOptions.Residuals.FREE);
        obstacles.put("layers run at the same time", o.execution() != CostOptions.Execution.INTERLEAVED);
        obstacles.put("it has more than " + MOST_LAYERS + " layers", model.layers() > MOST_LAYERS);
        obstacles.put("the batch is above " + LARGEST_BATCH, model.batch() > LARGEST_BATCH);
        return obstacles.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(e -> "The best strategy of '" + model.network().name() + "' cannot be proven: " + e.getKey() + ".")
                .findFirst();
    }

    /// Solves, or, where that takes too much work, gives the best known and a bound. Throws [UserError] where there
    /// is an [#obstacle].
    ///
    /// @param pulse called often; may throw to stop
    public static Answer solve(FusionCostModel model, Runnable pulse) {
        obstacle(model).ifPresent(why -> {
            throw new UserError(why + " Use gsampler or dp.");
        });
        return new Solver(model, pulse).answer();
    }

    private static final class Solver {
        private final FusionCostModel model;
        private final Runnable pulse;
        private final int n;
        /// The smallest micro-batch of each number of launches, rising, and those numbers.
        private final int[] sizes;
        private final int[] launches;
        /// Most samples that a layer can stage by itself.
        private final int[] most;
        private final double[][] bound;
        private final double[] suffix;
        /// The fastest way through the layers 1..b, and the entries of its last group.
        private final double[] best;
        private final int[][] lastGroup;
        private boolean proven = true;
        private long work;
        private double unproven = Double.POSITIVE_INFINITY;

        Solver(FusionCostModel model, Runnable pulse) {
            this.model = model;
            this.pulse = pulse;
            this.n = model.layers();
            int b = model.batch();
            sizes = IntStream.rangeClosed(1, b)
                    .map(r -> Math.ceilDiv(b, r))
                    .distinct()
                    .sorted()
                    .toArray();
            launches = Arrays.stream(sizes).map(m -> Math.ceilDiv(b, m)).toArray();
            most = new int[n + 1];
            for (int i = 1; i <= n; i++) {
                most[i] = (int) Math.min(b, room(i == 1 ? 1 : 2) / bytes(i));
            }
            bound = new double[n + 2][n + 1];
            best = new double[n + 1];
            lastGroup = new int[n + 1][];
            suffix = new double[n + 2];
        }

        private long bytes(int layer) {
            return Math.max(
                    1, model.network().output(layer) * model.accelerator().bytesPerElement());
        }

        /// Room of the group that begins at a; the input, where it counts, takes a single sample.
        private long room(int a) {
            boolean counted =
                    a == 1 && model.accelerator().options().networkInput() == CostOptions.NetworkInput.COUNTED;
            return model.budget() - (counted ? bytes(0) : 0);
        }

        Answer answer() {
            Strategy start = BaselineStrategies.grouping(model);
            Cost first = model.evaluate(start);
            double known = model.isValid(first) ? first.seconds() : Double.POSITIVE_INFINITY;
            bounds();
            Arrays.fill(best, 1, n + 1, Double.POSITIVE_INFINITY);
            for (int a = 1; a <= n; a++) {
                pulse.run();
                if (best[a - 1] < Double.POSITIVE_INFINITY) {
                    from(a, known);
                }
            }
            Strategy strategy = best[n] < known ? strategy() : start;
            Cost cost = model.evaluate(strategy);
            return new Answer(strategy, cost, Math.min(cost.seconds(), unproven), proven || unproven >= cost.seconds());
        }

        private Strategy strategy() {
            int[] s = new int[n + 1];
            s[0] = model.accelerator().options().networkInput() == CostOptions.NetworkInput.FREE ? model.batch() : 1;
            for (int b = n; b >= 1; b -= lastGroup[b].length) {
                System.arraycopy(lastGroup[b], 0, s, b - lastGroup[b].length + 1, lastGroup[b].length);
            }
            return Strategy.of(s);
        }

        /// Lower bounds of all groups, each layer having the whole buffer for itself, and of what follows a
        /// border.
        private void bounds() {
            for (int a = 1; a <= n; a++) {
                pulse.run();
                long ones = 0;
                for (int b = a; b <= n; b++) {
                    bound[a][b] = ones > room(a) ? Double.POSITIVE_INFINITY : groupBound(a, b);
                    ones += bytes(b);
                }
            }
            for (int a = n; a >= 1; a--) {
                suffix[a] = Double.POSITIVE_INFINITY;
                for (int b = a; b <= n; b++) {
                    suffix[a] = Math.min(suffix[a], bound[a][b] + suffix[b + 1]);
                }
            }
        }

        private double groupBound(int a, int b) {
            double sum = 0;
            for (int i = a; i <= b; i++) {
                int m = a == b
                        ? model.batch()
                        : i < b ? most[i] : b == n ? Math.max(most[b], most[b - 1]) : most[b - 1];
                sum += model.layerSeconds(a, b, i, Math.max(1, m));
            }
            return sum;
        }

        /// All groups that begin at a.
        private void from(int a, double known) {
            improve(a, a, new int[] {Strategy.SYNC}, model.layerSeconds(a, a, a, model.batch()));
            int last = a;
            for (int b = a + 1; b <= n; b++) {
                last = worthwhile(a, b, known) ? b : last;
            }
            if (work > MAX_WORK) {
                leave(a, a + 1, last, known);
                return;
            }
            int fits = a;
            while (fits < last && model.weightsFit(a, fits + 1)) {
                fits++;
            }
            if (fits > a) {
                counted(a, fits, known);
            }
            for (int b = fits + 1; b <= last; b++) {
                if (worthwhile(a, b, known)) {
                    pulse.run();
                    listed(a, b, known);
                }
            }
        }

        /// Leaves those groups from a to first..last that could be part of something better to their bounds.
        private void leave(int a, int first, int last, double known) {
            for (int b = first; b <= last; b++) {
                if (worthwhile(a, b, known)) {
                    proven = false;
                    unproven = Math.min(unproven, best[a - 1] + bound[a][b] + suffix[b + 1]);
                }
            }
        }

        private boolean worthwhile(int a, int b, double known) {
            return best[a - 1] + bound[a][b] + suffix[b + 1] < Math.min(known, best[n]);
        }

        private void improve(int a, int b, int[] entries, double seconds) {
            if (best[a - 1] + seconds < best[b]) {
                best[b] = best[a - 1] + seconds;
                lastGroup[b] = entries;
            }
        }

        private void counted(int a, int last, double known) {
            double launch = model.accelerator().launchSeconds();
            double[] base = new double[last + 1];
            int cap = 0;
            for (int b = a + 1; b <= last; b++) {
                for (int i = a; i <= b; i++) {
                    base[b] += model.layerSeconds(a, b, i, model.batch()) - launch;
                }
                double slack = Math.min(known, best[n]) - best[a - 1] - base[b] - suffix[b + 1];
                cap = Math.max(
                        cap,
                        launch > 0
                                ? (int) Math.min(
                                        (double) (b - a + 1) * model.batch(), Math.floor(slack / launch + 1e-6))
                                : b - a + 1);
            }
            int kinds = launch > 0 ? sizes.length : 1;
            // Launches cost nothing: the smallest micro-batch is as fast as any.
            int[] r = launch > 0 ? launches : new int[] {1};
            if ((last - a + 1L) * kinds * (cap + 1) > MAX_CELLS) {
                leave(a, a + 1, last, known);
                return;
            }
            long[][][] room = new long[last + 1][kinds][];
            for (int i = a; i <= last; i++) {
                pulse.run();
                if (work > MAX_WORK) {
                    leave(a, Math.max(i, a + 1), last, known);
                    return;
                }
                for (int k = 0; k < kinds; k++) {
                    room[i][k] = new long[cap + 1];
                    Arrays.fill(room[i][k], Long.MAX_VALUE);
                    if (i == a) {
                        if (r[k] <= cap && sizes[k] <= most[i]) {
                            room[i][k][r[k]] = 0;
                        }
                    } else if (sizes[k] <= most[i] || i == n) {
                        work += (long) kinds * cap;
                        for (int j = 0; j < kinds; j++) {
                            extend(
                                    room[i - 1][j],
                                    room[i][k],
                                    r[k],
                                    Math.max(sizes[j], sizes[k]) * bytes(i - 1),
                                    room(a));
                        }
                    }
                }
                if (i > a) {
                    close(a, i, base[i], r, room, launch);
                }
            }
        }

        private static void extend(long[] from, long[] to, int r, long bytes, long limit) {
            for (int c = 0; c + r < to.length; c++) {
                if (from[c] != Long.MAX_VALUE) {
                    long needed = from[c] + bytes;
                    if (needed <= limit && needed < to[c + r]) {
                        to[c + r] = needed;
                    }
                }
            }
        }

        /// Ends the group at b: the last layer synchronises and works at the pace of the one before it, or,
        /// where it is the network's last, at its own.
        private void close(int a, int b, double base, int[] r, long[][][] room, double launch) {
            int fewest = Integer.MAX_VALUE;
            int kind = -1;
            boolean staged = false;
            for (int k = 0; k < r.length; k++) {
                int c = least(room[b - 1][k], room(a) - sizes[k] * bytes(b - 1));
                if (c >= 0 && c + r[k] < fewest) {
                    fewest = c + r[k];
                    kind = k;
                    staged = false;
                }
                if (b == n) {
                    int own = least(room[b][k], room(a) - sizes[k] * bytes(b));
                    if (own >= 0 && own < fewest) {
                        fewest = own;
                        kind = k;
                        staged = true;
                    }
                }
            }
            if (kind < 0 || best[a - 1] + base + fewest * launch >= best[b]) {
                return;
            }
            int[] entries = new int[b - a + 1];
            int i = staged ? b : b - 1;
            int c = staged ? fewest : fewest - r[kind];
            entries[b - a] = Strategy.SYNC;
            while (true) {
                entries[i - a] = sizes[kind];
                if (i == a) {
                    break;
                }
                int before = c - r[kind];
                for (int j = 0; j < r.length; j++) {
                    long from = room[i - 1][j][before];
                    if (from != Long.MAX_VALUE
                            && from + Math.max(sizes[j], sizes[kind]) * bytes(i - 1) == room[i][kind][c]) {
                        kind = j;
                        break;
                    }
                }
                c = before;
                i--;
            }
            improve(a, b, entries, base + fewest * launch);
        }

        private static int least(long[] room, long limit) {
            for (int c = 0; c < room.length; c++) {
                if (room[c] <= limit) {
                    return c;
                }
            }
            return -1;
        }

        /// A way through the first layers of a group.
        private record Label(
                long room,
                double seconds,
                int kind,
                @Nullable Label before) {}

        private static final int MOST_LABELS = 20_000;

        private void listed(int a, int b, double known) {
            double limit = Math.min(known, best[n]) - best[a - 1] - suffix[b + 1];
            double[] after = new double[b + 2];
            for (int i = b; i >= a; i--) {
                int m = i < b ? most[i] : b == n ? Math.max(most[b], most[b - 1]) : most[b - 1];
                after[i] = after[i + 1] + model.layerSeconds(a, b, i, Math.max(1, m));
            }
            List<List<Label>> now = new ArrayList<>();
            for (int k = 0; k < sizes.length; k++) {
                now.add(
                        sizes[k] <= most[a]
                                ? List.of(new Label(0, model.layerSeconds(a, b, a, sizes[k]), k, null))
                                : List.of());
            }
            for (int i = a + 1; i < b; i++) {
                var next = new ArrayList<List<Label>>();
                for (int k = 0; k < sizes.length; k++) {
                    next.add(
                            sizes[k] <= most[i]
                                    ? merged(
                                            now,
                                            k,
                                            model.layerSeconds(a, b, i, sizes[k]),
                                            bytes(i - 1),
                                            room(a),
                                            limit - after[i + 1])
                                    : List.of());
                    if (next.getLast().size() > MOST_LABELS || work > MAX_WORK) {
                        leave(a, b, b, known);
                        return;
                    }
                }
                now = next;
            }
            for (int k = 0; k < sizes.length; k++) {
                for (Label l : now.get(k)) {
                    if (l.room() + sizes[k] * bytes(b - 1) <= room(a)) {
                        improve(
                                a,
                                b,
                                entries(l, a, b, Strategy.SYNC),
                                l.seconds() + model.layerSeconds(a, b, b, sizes[k]));
                    }
                    for (int own = 0; b == n && own < sizes.length; own++) {
                        if (l.room() + Math.max(sizes[k], sizes[own]) * bytes(b - 1) + sizes[own] * bytes(b)
                                <= room(a)) {
                            improve(
                                    a,
                                    b,
                                    entries(l, a, b, sizes[own]),
                                    l.seconds() + model.layerSeconds(a, b, b, sizes[own]));
                        }
                    }
                }
            }
        }

        private List<Label> merged(
                List<List<Label>> from, int kind, double seconds, long bytes, long room, double limit) {
            var all = new ArrayList<Label>();
            for (int j = 0; j < from.size(); j++) {
                long more = Math.max(sizes[j], sizes[kind]) * bytes;
                work += (long) LABEL * from.get(j).size();
                for (Label l : from.get(j)) {
                    if (l.room() + more <= room && l.seconds() + seconds <= limit) {
                        all.add(new Label(l.room() + more, l.seconds() + seconds, kind, l));
                    }
                }
            }
            all.sort(Comparator.comparingLong(Label::room).thenComparingDouble(Label::seconds));
            var kept = new ArrayList<Label>();
            double fastest = Double.POSITIVE_INFINITY;
            for (Label l : all) {
                if (l.seconds() < fastest) {
                    kept.add(l);
                    fastest = l.seconds();
                }
            }
            return kept;
        }

        private int[] entries(Label end, int a, int b, int last) {
            int[] entries = new int[b - a + 1];
            entries[b - a] = last;
            Label l = end;
            for (int i = b - 1; i >= a; i--) {
                entries[i - a] = sizes[requireNonNull(l).kind()];
                l = l.before();
            }
            return entries;
        }
    }
}

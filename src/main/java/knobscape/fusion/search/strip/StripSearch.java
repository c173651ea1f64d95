package knobscape.fusion.search.strip;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.GroupBound;
import knobscape.fusion.evaluate.strip.GroupCosts;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.evaluate.strip.LayerRepeats;
import knobscape.fusion.evaluate.strip.StripModel;
import org.jspecify.annotations.Nullable;

/// The best grouping of a network's layers, by dynamic programming over the borders of groups: the best up to a border
/// is the best up to an earlier one and the group between them. Groups exchange whole tensors through the off-chip
/// memory, so that costs add up, and the answer is exact for any graph within the model's space and the graph's order
/// of
/// execution.
public final class StripSearch {
    private final StripModel model;
    private final Objective objective;
    /// True if one grouping that fits is as good as another.
    private final boolean anything;
    private final CancellationSignal cancel;
    private final GroupCosts costs;
    private final GroupBound bound;
    private final Totals[] best;
    private final int[] start;
    /// For each first layer what a group up to the end at hand costs at least, with all before it.
    private final Totals[] least;
    private final @Nullable GroupPlan[] chosen;
    private final LayerRepeats repeats;
    /// By the end of groups and their first layer.
    private final @Nullable Looked[][] looked;

    /// The known facts of a group.
    ///
    /// @param limit costs below which it has no plan but this one
    /// @param plan its best; null where all cost as much as the limit or more
    /// @param fits whether a group of this end that begins here or before may fit
    /// @param least what it costs at least, and every one with more layers in front: one of these
    private record Looked(Totals limit, @Nullable GroupPlan plan, boolean fits, List<GroupBound.Least> least) {
        Looked moved(int by) {
            return plan == null || by == 0 ? this : new Looked(limit, plan.moved(by), fits, least);
        }
    }

    private StripSearch(StripModel model, Objective objective, boolean anything, CancellationSignal cancel) {
        this.model = model;
        this.objective = objective;
        this.anything = anything;
        this.cancel = cancel;
        costs = new GroupCosts(model);
        bound = new GroupBound(model);
        start = new int[model.end() + 1];
        Arrays.fill(start, model.first());
        least = new Totals[model.end() + 1];
        best = new Totals[model.end() + 1];
        chosen = new GroupPlan[model.end() + 1];
        repeats = new LayerRepeats(model);
        looked = new Looked[model.end() + 1][model.end() + 1];
    }

    /// The best grouping beside every layer alone; empty where no grouping fits the buffer.
    public static Optional<StripAnswer> solve(StripModel model, Objective objective, CancellationSignal cancel) {
        return groups(model, objective, cancel).map(groups -> {
            StripAnswer.Unfused unfused = unfused(model, objective, cancel);
            return new StripAnswer(objective, groups, total(groups), unfused, model.bound(), model.samples());
        });
    }

    /// The best grouping; empty where none fits the buffer.
    public static Optional<List<GroupPlan>> groups(StripModel model, Objective objective, CancellationSignal cancel) {
        if (objective != Objective.ROOM) {
            return new StripSearch(model, objective, false, cancel).groups(false);
        }
        return fits(model, cancel)
                ? groups(model.withBuffer(smallest(model, cancel)), Objective.TIME, cancel)
                : Optional.empty();
    }

    /// The best of every layer alone; empty where one does not fit the buffer.
    public static Optional<List<GroupPlan>> alone(StripModel model, Objective objective, CancellationSignal cancel) {
        return new StripSearch(model, objective, false, cancel).groups(true);
    }

    /// The costs of every layer alone: in the model's buffer, or in the smallest larger one that holds each of them.
    public static StripAnswer.Unfused unfused(StripModel model, Objective objective, CancellationSignal cancel) {
        long buffer = model.machine().buffer();
        if (alone(model, objective, cancel).isEmpty()) {
            buffer = smallest(
                    buffer,
                    b -> alone(model.withBuffer(b), Objective.TIME, cancel).isPresent());
        }
        return new StripAnswer.Unfused(
                total(alone(model.withBuffer(buffer), objective, cancel).orElseThrow()), buffer);
    }

    /// True if a grouping fits the buffer. A layer alone may not where groups do: alone it holds a whole row of scores,
    /// or of an image to be averaged.
    public static boolean fits(StripModel model, CancellationSignal cancel) {
        return alone(model, Objective.TIME, cancel).isPresent()
                || new StripSearch(model, Objective.TIME, true, cancel)
                        .groups(false)
                        .isPresent();
    }

    /// The smallest buffer in bytes that a grouping fits, smaller or larger than the model's.
    public static long smallest(StripModel model, CancellationSignal cancel) {
        return smallest(model.machine().buffer(), b -> fits(model.withBuffer(b), cancel));
    }

    /// The smallest number of bytes that does.
    ///
    /// @param fits holds for every number above one that it holds for
    private static long smallest(long around, LongPredicate fits) {
        long low = 0;
        long high = around;
        while (!fits.test(high)) {
            low = high;
            high *= 2;
        }
        while (high - low > 1) {
            long middle = (low + high) / 2;
            if (fits.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /// The total costs of groups.
    public static Totals total(List<GroupPlan> groups) {
        return groups.stream().map(GroupPlan::cost).reduce(Totals.ZERO, Totals::plus);
    }

    private static final Totals NEVER =
            new Totals(Double.POSITIVE_INFINITY, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, Double.POSITIVE_INFINITY);

    private Optional<List<GroupPlan>> groups(boolean alone) {
        Arrays.fill(best, NEVER);
        best[model.first()] = Totals.ZERO;
        for (int end = model.first() + 1; end <= model.end(); end++) {
            if (end < model.end() && !model.begins(end)) {
                start[end] = start[end - 1];
                continue;
            }
            cancel.throwIfCancelled();
            reach(end, alone);
        }
        if (chosen[model.end()] == null) {
            return Optional.empty();
        }
        var groups = new ArrayList<GroupPlan>();
        int at = model.end();
        while (at > model.first()) {
            GroupPlan g = requireNonNull(chosen[at]);
            groups.add(g);
            at = g.first();
        }
        return Optional.of(groups.reversed());
    }

    private void reach(int end, boolean alone) {
        costs.newEnd(end);
        bound.begin(end);
        int promising = -1;
        for (int a = end - 1; a >= model.first(); a--) {
            bound.extend(a);
            least[a] = best[a] == NEVER || !model.begins(a) ? NEVER : best[a].plus(bound.least(a));
            if (least[a] != NEVER
                    && a >= start[end - 1]
                    && (promising < 0 || objective.compare(least[a], least[promising]) < 0)) {
                promising = a;
            }
            if (alone && model.begins(a)) {
                break;
            }
        }
        remember(end);
        if (!alone) {
            // What is good early spares looking at the rest: the group that was best a layer ago, and what may be best.
            attempt(start[end - 1], end);
            if (promising >= 0 && isBetter(least[promising], best[end])) {
                attempt(promising, end);
            }
        }
        for (int a = end - 1; a >= model.first(); a--) {
            if (!model.begins(a)) {
                continue;
            }
            boolean fits = least[a] == NEVER || !isBetter(least[a], best[end]) || attempt(a, end);
            if (alone || !fits) {
                break;
            }
        }
        GroupPlan plan = chosen[end];
        start[end] = plan == null ? model.first() : plan.first();
    }

    /// Takes over what is known of groups of the same layers that end earlier.
    private void remember(int end) {
        int by = end - repeats.earlier(end);
        for (int a = end - 1; a >= end - repeats.length(end); a--) {
            Looked known = looked[end - by][a - by];
            if (known != null && best[a] != NEVER && model.isConnected(a, end - 1)) {
                Looked here = known.moved(by);
                looked[end][a] = here;
                if (here.plan != null) {
                    offer(best[a], here.plan, end);
                }
            }
        }
    }

    private boolean isBetter(Totals a, Totals b) {
        return anything ? b == NEVER : objective.compare(a, b) < 0;
    }

    private boolean offer(Totals before, GroupPlan plan, int end) {
        Totals sum = before.plus(plan.cost());
        if (!isBetter(sum, best[end])) {
            return false;
        }
        best[end] = sum;
        chosen[end] = plan;
        return true;
    }

    /// Looks at one group.
    ///
    /// @return false where it does not fit
    private boolean attempt(int a, int end) {
        Totals before = best[a];
        if (before == NEVER) {
            return true;
        }
        Looked known = looked[end][a];
        if (known != null) {
            costs.learn(a, known.least);
        }
        if (known != null && (known.plan != null || !isBetter(before.plus(known.limit), best[end]))) {
            return known.fits;
        }
        Totals limit = best[end].minus(before);
        var sink = new GroupCosts.Sink() {
            private @Nullable GroupPlan found;

            @Override
            public boolean wants(Totals least) {
                return isBetter(before.plus(least), best[end]);
            }

            @Override
            public void accept(GroupPlan plan) {
                if (offer(before, plan, end)) {
                    found = plan;
                }
            }
        };
        // A layer alone has ways of its own, of which what was seen of groups says nothing.
        boolean promising = a == end - 1 || costs.promises(a, bound, sink);
        boolean fits = !promising || costs.group(a, end - 1, sink);
        // Single rows in front of the network let others set the pace, elsewhere they do not.
        boolean open = !fits
                && IntStream.range(a, end).allMatch(i -> model.graph().node(i).rows() == 1);
        looked[end][a] = new Looked(limit, sink.found, fits || open, costs.learned(a));
        return fits;
    }
}

package knobscape.fusion.search.strip;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.GroupBound;
import knobscape.fusion.evaluate.strip.GroupCosts;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.evaluate.strip.StripModel;
import org.jspecify.annotations.Nullable;

/// The exact front of time and off-chip traffic of all groupings under one buffer. Energy is mostly that of traffic and
/// multiply-accumulates; a third dimension of its own makes fronts on the way thousands of groupings long. A front that
/// is too long all the same is thinned: of neighbours nearly as good one is left, and how nearly is told.
public final class StripFront {
    /// Answers that differ by less are one, so that fronts stay short.
    private static final double EQUAL = 1e-6;
    private static final int LONGEST = 4000;
    private static final double FIRST_THINNING = 1e-5;

    private final StripModel model;
    private final CancellationSignal cancel;
    private final int longest;
    private final List<List<Way>> ways = new ArrayList<>();
    /// For each border what thinning has cost the ways up to it at most, as a share.
    private final double[] lost;

    /// A grouping of the layers up to a border.
    private record Way(
            Totals total, @Nullable Way before, @Nullable GroupPlan group) {}

    /// A front.
    ///
    /// @param groupings fastest first
    /// @param within share of time and traffic by which what is left out may be better; 0 where nothing is
    public record Front(List<List<GroupPlan>> groupings, double within) {
        /// Copies the groupings.
        public Front {
            groupings = List.copyOf(groupings);
        }

        /// A sentence on groupings left out; empty where none was.
        public String words() {
            return within == 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "The front is longer than %d groupings and thinned: for each that is left out one is shown that is worse by at most %.2g %% in time and in traffic.",
                            LONGEST,
                            Math.max(0.01, 100 * within));
        }
    }

    private StripFront(StripModel model, int longest, CancellationSignal cancel) {
        this.model = model;
        this.longest = longest;
        this.cancel = cancel;
        lost = new double[model.end() + 1];
    }

    /// The front.
    public static Front of(StripModel model, CancellationSignal cancel) {
        return of(model, LONGEST, cancel);
    }

    /// The front, thinned where it is longer than so many groupings.
    static Front of(StripModel model, int longest, CancellationSignal cancel) {
        var front = new StripFront(model, longest, cancel);
        List<List<GroupPlan>> groupings =
                front.run().stream().map(StripFront::groups).toList();
        return new Front(groupings, front.lost[model.end()]);
    }

    private static List<GroupPlan> groups(Way end) {
        var groups = new ArrayList<GroupPlan>();
        for (Way w = end; w != null && w.group != null; w = w.before) {
            groups.add(w.group);
        }
        return groups.reversed();
    }

    private List<Way> run() {
        for (int i = 0; i <= model.end(); i++) {
            ways.add(List.of());
        }
        ways.set(model.first(), List.of(new Way(Totals.ZERO, null, null)));
        var costs = new GroupCosts(model);
        var bound = new GroupBound(model);
        for (int end = model.first() + 1; end <= model.end(); end++) {
            if (end < model.end() && !model.begins(end)) {
                continue;
            }
            cancel.throwIfCancelled();
            costs.newEnd(end);
            bound.begin(end);
            var front = new ArrayList<Way>();
            double earlier = 0;
            for (int a = end - 1; a >= model.first(); a--) {
                bound.extend(a);
                if (!model.begins(a) || ways.get(a).isEmpty()) {
                    continue;
                }
                List<Way> before = ways.get(a);
                earlier = Math.max(earlier, lost[a]);
                var plans = new ArrayList<GroupPlan>();
                var sink = new GroupCosts.Sink() {
                    @Override
                    public boolean wants(Totals group) {
                        return before.stream().anyMatch(w -> !isDominated(front, w.total.plus(group)));
                    }

                    @Override
                    public void accept(GroupPlan plan) {
                        add(plans, plan);
                    }
                };
                if (!costs.promises(a, bound, sink)) {
                    continue;
                }
                boolean fits = costs.group(a, end - 1, sink);
                for (GroupPlan p : plans) {
                    for (Way w : before) {
                        add(front, new Way(w.total.plus(p.cost()), w, p));
                    }
                }
                if (front.size() > 2 * longest) {
                    lost[end] = both(lost[end], thin(front));
                }
                if (!fits) {
                    break;
                }
            }
            if (front.size() > longest) {
                lost[end] = both(lost[end], thin(front));
            }
            lost[end] = both(lost[end], earlier);
            ways.set(end, List.copyOf(front));
        }
        return ways.get(model.end());
    }

    private static double both(double share, double more) {
        return (1 + share) * (1 + more) - 1;
    }

    /// Leaves ways that move clearly less than the one before, and the last.
    ///
    /// @return how much less, as a share: by so little those that are gone beat one that is left
    private double thin(List<Way> front) {
        double share = FIRST_THINNING;
        List<Way> left = thinned(front, share);
        while (left.size() > longest) {
            share *= 2;
            left = thinned(front, share);
        }
        front.clear();
        front.addAll(left);
        return share;
    }

    private static List<Way> thinned(List<Way> front, double share) {
        var left = new ArrayList<Way>();
        for (Way w : front) {
            if (left.isEmpty() || left.getLast().total.offChip() > w.total.offChip() * (1 + share)) {
                left.add(w);
            }
        }
        if (left.getLast() != front.getLast()) {
            left.add(front.getLast());
        }
        return left;
    }

    /// @param front in order of time, so that its last way in the time of `t` moves least
    private static boolean isDominated(List<Way> front, Totals t) {
        int within = from(front, w -> w.total.seconds() > t.seconds() * (1 + EQUAL));
        return within > 0 && isNoWorse(front.get(within - 1).total, t);
    }

    /// Index of the first way of a front in order of time from which on something holds.
    private static int from(List<Way> front, Predicate<Way> holds) {
        int low = 0;
        int high = front.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (holds.test(front.get(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static boolean isNoWorse(Totals a, Totals b) {
        return a.seconds() <= b.seconds() * (1 + EQUAL) && a.offChip() <= b.offChip() * (1 + EQUAL);
    }

    private static void add(List<GroupPlan> plans, GroupPlan plan) {
        if (plans.stream().noneMatch(p -> isNoWorse(p.cost(), plan.cost()))) {
            plans.removeIf(p -> isNoWorse(plan.cost(), p.cost()));
            plans.add(plan);
        }
    }

    private static void add(List<Way> front, Way way) {
        if (!isDominated(front, way.total)) {
            int at = from(front, w -> way.total.seconds() <= w.total.seconds() * (1 + EQUAL));
            int end = at;
            while (end < front.size() && isNoWorse(way.total, front.get(end).total)) {
                end++;
            }
            front.subList(at, end).clear();
            front.add(at, way);
        }
    }
}

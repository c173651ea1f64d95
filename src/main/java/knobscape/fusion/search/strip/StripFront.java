package knobscape.fusion.search.strip;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.GroupBound;
import knobscape.fusion.evaluate.strip.GroupCosts;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.evaluate.strip.StripModel;
import org.jspecify.annotations.Nullable;

/// The exact front of time and off-chip traffic of all groupings under one buffer. Energy is mostly that of traffic and
/// multiply-accumulates; a third dimension of its own makes fronts on the way thousands of groupings long.
public final class StripFront {
    /// Answers that differ by less are one, so that fronts stay short.
    private static final double EQUAL = 1e-6;
    private static final int LONGEST = 4000;

    private final StripModel model;
    private final CancellationSignal cancel;
    private final List<List<Way>> ways = new ArrayList<>();

    /// A grouping of the layers up to a border.
    private record Way(
            Totals total, @Nullable Way before, @Nullable GroupPlan group) {}

    private StripFront(StripModel model, CancellationSignal cancel) {
        this.model = model;
        this.cancel = cancel;
    }

    /// Groupings of the front, fastest first.
    public static List<List<GroupPlan>> of(StripModel model, CancellationSignal cancel) {
        return new StripFront(model, cancel)
                .run().stream().map(StripFront::groups).toList();
    }

    /// Answers of the front, fastest first.
    ///
    /// @param like gives the figures that all have in common; an answer of the same model
    public static List<StripAnswer> of(StripModel model, StripAnswer like, CancellationSignal cancel) {
        return of(model, cancel).stream().map(like::with).toList();
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
            for (int a = end - 1; a >= model.first(); a--) {
                bound.extend(a);
                if (!model.begins(a) || ways.get(a).isEmpty()) {
                    continue;
                }
                List<Way> before = ways.get(a);
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
                if (!fits) {
                    break;
                }
            }
            ways.set(end, List.copyOf(front));
        }
        return ways.get(model.end());
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
        if (front.size() < LONGEST && !isDominated(front, way.total)) {
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

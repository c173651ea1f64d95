package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.theme.Hue;
import knobscape.evaluate.Metric;
import knobscape.pareto.Dominance;
import knobscape.space.Domain;

/// The axes and lines of parallel coordinates: the objectives, then the knobs that explain most of them. Built
/// away from the screen.
///
/// @param axes from left to right
/// @param all every axis there is, in order, whether there is room for it or not
/// @param bests share of the best designs that have each level of a knob, by axis; empty for metrics and where nobody
/// asked
/// @param lines values per design, one per axis, in the axis's raw values; NaN where there is none
/// @param number design number of each line
/// @param standing of each line
/// @param matching whether the filter lets it pass
/// @param total designs that could be drawn
/// @param set the designs
record ParallelCoordinates(
        List<Scale> axes,
        List<Axis> all,
        double[][] bests,
        double[][] lines,
        int[] number,
        DesignStanding[] standing,
        boolean[] matching,
        int total,
        DesignSet set)
        implements Plot {
    private static final double LEFT = 30;
    private static final double RIGHT = 52;
    private static final double HEAD = 34;
    private static final double FOOT = 8;

    /// Most others that a design is compared with.
    private static final int MAX_RIVALS = 2_000;
    /// Length of a bar of a histogram that has all designs, in distances between axes.
    private static final double BAR = 0.42;

    /// Most lines drawn; the front is always drawn, of the rest every k-th.
    static final int MAX_LINES = 12_000;

    /// One axis.
    ///
    /// @param axis metric or knob
    /// @param label heading
    /// @param low smallest raw value
    /// @param high largest raw value
    /// @param log whether its scale is logarithmic
    /// @param ticks raw values with their labels, from low to high
    record Scale(Axis axis, String label, double low, double high, boolean log, List<Tick> ticks) {
        /// Share of the axis's length at which a value lies, 0 at the bottom.
        double share(double v) {
            if (high <= low) {
                return Double.isNaN(v) ? v : 0.5;
            }
            return log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
        }

        /// Value at a share of the axis's length.
        double value(double share) {
            return log ? low * Math.pow(high / low, share) : low + share * (high - low);
        }
    }

    /// A labelled value.
    record Tick(double value, String label) {}

    /// Gathers axes and lines; as many as `most` axes where nobody asked for more. A metric's scale is logarithmic
    /// where asked for and its values span more than a decade.
    static ParallelCoordinates of(VisibleDesigns shown, int most, boolean log, AxisChoice choice) {
        DesignSet set = shown.set();
        int[] drawable = IntStream.range(0, set.size())
                .filter(i -> set.standing(i) != DesignStanding.PENDING)
                .filter(i -> set.objectives().stream().anyMatch(m -> set.shows(i, m)))
                .toArray();
        int stride = Math.max(1, (drawable.length + MAX_LINES - 1) / MAX_LINES);
        int[] kept = IntStream.range(0, drawable.length)
                .filter(k -> k % stride == 0 || set.standing(drawable[k]) == DesignStanding.FRONT)
                .map(k -> drawable[k])
                .toArray();
        List<Axis> all = choice.order().isEmpty() ? order(set, drawable) : choice.order();
        List<String> labels = KnobLabels.of(set.knobs());
        var axes = new ArrayList<Scale>();
        for (Axis a : choice.of(all, shown.filter().ranges().keySet(), most)) {
            if (a.knob()) {
                set.knobs().indexOf(a.name()).ifPresent(k -> axes.add(knobScale(set, k, labels.get(k))));
            } else {
                set.objectives().stream()
                        .filter(m -> m.name().equals(a.name()))
                        .findFirst()
                        .flatMap(m -> metricScale(set, m, drawable, log))
                        .ifPresent(axes::add);
            }
        }
        int[] best = choice.best() > 0 ? best(set, drawable, choice.best()) : new int[0];
        double[][] bests = axes.stream()
                .map(s -> best.length > 0 && s.axis().knob() ? levels(set, s.axis(), best) : new double[0])
                .toArray(double[][]::new);
        double[][] lines = new double[kept.length][axes.size()];
        DesignStanding[] standing = new DesignStanding[kept.length];
        boolean[] matching = new boolean[kept.length];
        for (int r = 0; r < kept.length; r++) {
            for (int a = 0; a < axes.size(); a++) {
                lines[r][a] = value(set, kept[r], axes.get(a).axis());
            }
            standing[r] = set.standing(kept[r]);
            matching[r] = shown.matches(kept[r]);
        }
        return new ParallelCoordinates(
                List.copyOf(axes),
                List.copyOf(all),
                bests,
                lines,
                Arrays.stream(kept).map(i -> i + 1).toArray(),
                standing,
                matching,
                drawable.length,
                set);
    }

    /// Objectives, then the knobs that vary by importance.
    private static List<Axis> order(DesignSet set, int[] drawable) {
        return Stream.concat(
                        set.objectives().stream().map(m -> Axis.metric(m.name())),
                        Arrays.stream(telling(set, drawable))
                                .mapToObj(k -> Axis.knob(set.knobs().get(k).name())))
                .toList();
    }

    /// The best designs: the front, then those evaluated as high that the fewest others dominate.
    ///
    /// @param share of them, three at least
    static int[] best(DesignSet set, int[] drawable, double share) {
        int[] whole = Arrays.stream(drawable)
                .filter(i -> set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED)
                .filter(i -> set.objectives().stream().allMatch(m -> set.shows(i, m)))
                .toArray();
        double[][] values = Arrays.stream(whole)
                .mapToObj(i -> set.objectives().stream()
                        .mapToDouble(m -> (m.direction() == Metric.Direction.MAXIMISE ? -1 : 1)
                                * set.shownValue(i, m.name()).orElseThrow())
                        .toArray())
                .toArray(double[][]::new);
        // Against some thousand others a design's rank is known well enough.
        int stride = Math.max(1, whole.length / MAX_RIVALS);
        int[] dominators = new int[whole.length];
        for (int i = 0; i < whole.length; i++) {
            for (int j = 0; j < whole.length; j += stride) {
                dominators[i] += Dominance.dominates(values[j], values[i]) ? 1 : 0;
            }
        }
        return IntStream.range(0, whole.length)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> set.standing(whole[i]) != DesignStanding.FRONT)
                        .thenComparingInt(i -> dominators[i]))
                .limit(Math.max(3, Math.round(share * whole.length)))
                .mapToInt(i -> whole[i])
                .toArray();
    }

    private static double[] levels(DesignSet set, Axis axis, int[] best) {
        int k = set.knobs().indexOf(axis.name()).orElseThrow();
        double[] share = new double[set.knobs().get(k).domain().size()];
        for (int i : best) {
            share[set.get(i).configuration().level(k)] += 1.0 / best.length;
        }
        return share;
    }

    /// Left out lines first and faint, the front last; room above the axes for their headings.
    @Override
    public Figure figure(double width, double height) {
        int n = axes.size();
        double inner = Math.max(10, height - HEAD - FOOT - 14);
        double gap = n > 1 ? Math.max(1, (width - 22 - LEFT - RIGHT) / (n - 1)) : width;
        var items = new ArrayList<Figure.Item>();
        items.add(bundle(Hue.DOMINATED, 0.16, false, 1, false, r -> !matching[r]));
        items.add(bundle(
                Hue.DOMINATED,
                lines.length > 300 ? 0.35 : 0.55,
                true,
                1,
                true,
                r -> matching[r] && standing[r] != DesignStanding.FRONT));
        items.add(bundle(Hue.FRONT, 0.85, true, 1.5, true, r -> matching[r] && standing[r] == DesignStanding.FRONT));
        for (int a = 0; a < n; a++) {
            Scale s = axes.get(a);
            double thick = bests[a].length == 0 ? 0 : Math.min(0.03, 0.4 / bests[a].length);
            for (int l = 0; l < bests[a].length; l++) {
                if (bests[a][l] > 0) {
                    items.add(new Figure.Bar(
                            a - BAR * bests[a][l],
                            a,
                            s.share(l) - thick,
                            s.share(l) + thick,
                            Hue.FRONT,
                            0.45,
                            Math.round(100 * bests[a][l]) + " % of the best have " + s.label() + " "
                                    + set.knobs()
                                            .get(set.knobs()
                                                    .indexOf(s.axis().name())
                                                    .orElseThrow())
                                            .domain()
                                            .label(l),
                            Figure.NO_KEY));
                }
            }
            items.add(new Figure.Line("", new double[] {a, a}, new double[] {0, 1}, Hue.MUTED, false, 0, 1));
            for (Tick t : s.ticks()) {
                double y = s.share(t.value());
                if (y >= -0.01 && y <= 1.01) {
                    items.add(new Figure.Label(a, y, t.label(), Hue.MUTED, Figure.Spot.BESIDE, gap));
                }
            }
            // `unroll dot` and `Delay (µs)` on two lines, so that axes may stand close.
            int space = s.label().lastIndexOf(' ');
            items.add(new Figure.Label(
                    a,
                    1,
                    space < 0
                            ? s.label()
                            : s.label().substring(0, space) + "\n" + s.label().substring(space + 1),
                    Hue.TEXT,
                    Figure.Spot.ABOVE,
                    n > 1 ? gap - 8 : 200));
        }
        return new Figure(
                List.of(new Figure.Panel(
                        Figure.Axis.hidden(n > 1 ? -LEFT / gap : -1, n > 1 ? n - 1 + RIGHT / gap : 1),
                        Figure.Axis.hidden(-FOOT / inner, 1 + HEAD / inner),
                        1,
                        items)),
                List.of(),
                "");
    }

    private Figure.Bundle bundle(
            Hue hue, double strength, boolean through, double width, boolean found, IntPredicate choice) {
        int[] rows = IntStream.range(0, lines.length).filter(choice).toArray();
        double[][] y = new double[rows.length][axes.size()];
        for (int i = 0; i < rows.length; i++) {
            for (int a = 0; a < axes.size(); a++) {
                y[i][a] = axes.get(a).share(lines[rows[i]][a]);
            }
        }
        return new Figure.Bundle(
                y,
                found ? Arrays.stream(rows).map(r -> number[r]).toArray() : new int[0],
                hue,
                strength,
                through,
                width,
                k -> Scatter.tip(set, k));
    }

    static double value(DesignSet set, int index, Axis axis) {
        return axis.knob()
                ? set.get(index)
                        .configuration()
                        .level(set.knobs().indexOf(axis.name()).orElseThrow())
                : set.shownOrNaN(index, axis.name());
    }

    private static java.util.Optional<Scale> metricScale(DesignSet set, Metric m, int[] drawable, boolean log) {
        double[] values = Arrays.stream(drawable)
                .mapToObj(i -> set.shownValue(i, m.name()))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
        if (values.length == 0) {
            return java.util.Optional.empty();
        }
        double low = Arrays.stream(values).min().getAsDouble();
        double high = Arrays.stream(values).max().getAsDouble();
        Quantity q = Results.quantity(set, m, high);
        boolean logarithmic = log && low > 0 && high / low > 10;
        double d = q.divisor();
        List<Double> round =
                logarithmic ? AxisTicks.logarithmic(low / d, high / d, 5) : AxisTicks.linear(low / d, high / d, 5);
        double spacing = round.size() > 1 && !logarithmic ? round.get(1) - round.get(0) : 0;
        List<Tick> ticks = round.stream()
                .map(v -> new Tick(v * d, AxisTicks.label(v, spacing)))
                .toList();
        return java.util.Optional.of(
                new Scale(Axis.metric(m.name()), q.heading(m.label()), low, high, logarithmic, ticks));
    }

    private static Scale knobScale(DesignSet set, int k, String label) {
        Domain domain = set.knobs().get(k).domain();
        int step = Math.max(1, (domain.size() + 7) / 8);
        List<Tick> ticks = IntStream.range(0, domain.size())
                .filter(l -> l % step == 0 || l == domain.size() - 1)
                .mapToObj(l -> new Tick(l, KnobLabels.value(domain.label(l))))
                .toList();
        return new Scale(Axis.knob(set.knobs().get(k).name()), label, 0, domain.size() - 1.0, false, ticks);
    }

    /// Knobs in order of how much of the objectives' spread their levels explain (the largest share over the
    /// objectives of the variance between levels, of logarithms where values are positive); knobs that never
    /// vary are left out.
    static int[] telling(DesignSet set, int[] drawable) {
        double[] share = new double[set.knobs().size()];
        boolean[] varies = new boolean[set.knobs().size()];
        for (int k = 0; k < share.length; k++) {
            int levels = set.knobs().get(k).domain().size();
            for (Metric m : set.objectives()) {
                share[k] = Math.max(share[k], explained(set, k, levels, m.name(), drawable));
            }
            int knob = k;
            varies[k] = Arrays.stream(drawable)
                            .map(i -> set.get(i).configuration().level(knob))
                            .distinct()
                            .limit(2)
                            .count()
                    > 1;
        }
        return IntStream.range(0, share.length)
                .filter(k -> varies[k])
                .boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> -share[k]).thenComparing(k -> k))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static double explained(DesignSet set, int k, int levels, String metric, int[] drawable) {
        double[] sum = new double[levels];
        int[] n = new int[levels];
        double all = 0;
        double squares = 0;
        int count = 0;
        for (int i : drawable) {
            OptionalDouble v = set.shownValue(i, metric);
            if (v.isEmpty()) {
                continue;
            }
            double y = v.getAsDouble() > 0 ? Math.log(v.getAsDouble()) : v.getAsDouble();
            int level = set.get(i).configuration().level(k);
            sum[level] += y;
            n[level]++;
            all += y;
            squares += y * y;
            count++;
        }
        double spread = squares - all * all / Math.max(1, count);
        if (count < 2 || spread <= 1e-12) {
            return 0;
        }
        double between = -all * all / count;
        int used = 0;
        for (int l = 0; l < levels; l++) {
            if (n[l] > 0) {
                between += sum[l] * sum[l] / n[l];
                used++;
            }
        }
        // Each level used explains some spread by chance alone.
        return Math.max(0, between / spread - (used - 1.0) / Math.max(1, count - 1));
    }
}

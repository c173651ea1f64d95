package knobscape.fusion.search.strip;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.rows.RowGraph;

/// Exact answers for a range of machines or batches, and what they say: where more no longer helps, and what a little
/// more of everything would bring.
public final class StripSweep {
    /// Of the way from the worst to the best figure, what counts as nearly there.
    private static final double NEARLY = 0.9;
    private static final double HALF_OCTAVE = Math.sqrt(2);
    /// How much smaller buffers than the present one are looked at.
    private static final double SPAN = 128;

    private StripSweep() {}

    /// The varied quantity.
    public enum Axis {
        /// Bytes of the buffer.
        BUFFER,
        /// Off-chip bandwidth, as a factor.
        BANDWIDTH,
        /// Runs of the network.
        BATCH,
        /// Multiply-accumulates per second, as a factor.
        ARRAY
    }

    /// One answer.
    ///
    /// @param value of what is varied
    /// @param answer empty where no grouping fits
    public record Point(double value, Optional<StripAnswer> answer) {}

    /// Answers in order of what is varied.
    ///
    /// @param knee index of the first point that brings nine tenths of the whole gain; -1 where nothing is gained
    public record Curve(String network, Axis axis, List<Point> points, int knee) {
        /// Copies the points.
        public Curve {
            points = List.copyOf(points);
        }
    }

    /// The best answers over a range.
    ///
    /// @param values ascending
    public static Curve over(
            RowGraph graph,
            StripMachine machine,
            long batch,
            Objective objective,
            Axis axis,
            List<Double> values,
            CancellationSignal cancel) {
        var points = new ArrayList<Point>();
        for (double v : values) {
            StripModel model = switch (axis) {
                case BUFFER -> new StripModel(graph, machine.withBuffer(Math.round(v)), batch);
                case BANDWIDTH -> new StripModel(graph, machine.withBandwidth(v), batch);
                case BATCH -> new StripModel(graph, machine, Math.round(v));
                case ARRAY -> new StripModel(graph, machine.withRate(v), batch);
            };
            points.add(new Point(v, StripSearch.solve(model, objective, cancel)));
        }
        return new Curve(graph.name(), axis, points, knee(points, objective, axis));
    }

    private static int knee(List<Point> points, Objective objective, Axis axis) {
        List<Double> figures = points.stream()
                .flatMap(p -> p.answer().stream())
                .map(a -> objective.of(a.total()) / (axis == Axis.BATCH ? a.samples() : 1))
                .toList();
        if (figures.size() < 2) {
            return -1;
        }
        double worst = figures.getFirst();
        double best = figures.stream().min(Double::compare).orElseThrow();
        if (!(worst > best)) {
            return -1;
        }
        int skipped = points.size() - figures.size();
        for (int i = 0; i < figures.size(); i++) {
            if (worst - figures.get(i) >= NEARLY * (worst - best)) {
                return i + skipped;
            }
        }
        return -1;
    }

    /// Buffers from the smallest that a grouping fits, in half octaves, to where nothing more can be gained.
    ///
    /// @param around a size that is to be among them
    public static List<Double> buffers(RowGraph graph, StripMachine machine, long batch, long around) {
        var sizes = new ArrayList<Double>();
        double most = Math.max(around * 8.0, 1 << 20);
        for (double size = Math.max(1 << 14, around / SPAN); size < most * 1.01; size *= HALF_OCTAVE) {
            sizes.add((double) Math.round(size));
        }
        sizes.add((double) around);
        CancellationSignal never = new CancellationSignal();
        return sizes.stream()
                .distinct()
                .sorted()
                .filter(s -> StripSearch.fits(new StripModel(graph, machine.withBuffer(s.longValue()), batch), never))
                .toList();
    }

    /// The gain from a little more of everything, one sentence.
    public static String sensitivities(
            RowGraph graph, StripMachine machine, long batch, StripAnswer now, CancellationSignal cancel) {
        if (now.objective() == Objective.ROOM) {
            // The buffer follows the network.
            return "";
        }
        long more = Math.max(1, machine.buffer() / 4);
        var parts = new ArrayList<String>();
        change(graph, machine, batch, now, m -> m.withBuffer(m.buffer() + more), cancel)
                .ifPresent(f -> parts.add("+" + ByteSize.shown(more) + " of buffer: " + f));
        change(graph, machine, batch, now, m -> m.withBandwidth(1.1), cancel)
                .ifPresent(f -> parts.add("+10 % off-chip bandwidth: " + f));
        change(graph, machine, batch, now, m -> m.withRate(1.1), cancel)
                .ifPresent(f -> parts.add("+10 % multiply-accumulates: " + f));
        return String.join("; ", parts) + ".";
    }

    private static Optional<String> change(
            RowGraph graph,
            StripMachine machine,
            long batch,
            StripAnswer now,
            UnaryOperator<StripMachine> edit,
            CancellationSignal cancel) {
        return StripSearch.solve(new StripModel(graph, edit.apply(machine), batch), now.objective(), cancel)
                .map(a -> {
                    double faster = now.total().seconds() / a.total().seconds() - 1;
                    double less = 1 - (double) a.total().offChip() / now.total().offChip();
                    String time = faster < 0.005
                            ? "no faster"
                            : String.format(Locale.ROOT, "%.0f %% faster", Math.max(1, 100 * faster));
                    return less < 0.005
                            ? time
                            : time + String.format(Locale.ROOT, ", %.0f %% less traffic", Math.max(1, 100 * less));
                });
    }
}

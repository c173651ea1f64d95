package knobscape.fusion.evaluate.strip;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.space.Grouping;
import knobscape.fusion.space.GroupingSpace;

/// Groupings of a network in strips, evaluated one by one. A group that does not fit the part of the buffer that its
/// grouping may take makes the design invalid. One thread.
public final class StripEvaluator implements Evaluator {
    /// Off-chip traffic in MB.
    public static final String TRAFFIC = "offchip";
    /// Energy in microjoules.
    public static final String ENERGY = "energy";
    private static final double MICRO = 1e6;
    private static final double MEGA = 1e6;
    private static final Provenance PROVENANCE =
            new Provenance(FusionEvaluator.NAME, "strips 1", 0, Provenance.Source.MODEL);

    private final StripModel model;
    private final GroupingSpace space;
    private final Totals unfused;
    private final EvaluatorInfo info;
    private final Map<Long, GroupCosts> costs = new HashMap<>();

    /// @param unfused total of the best of every layer alone
    /// @param objectives names of the metrics that are made least
    public StripEvaluator(StripModel model, GroupingSpace space, Totals unfused, List<String> objectives) {
        this.model = model;
        this.space = space;
        this.unfused = unfused;
        var least = Metric.Direction.MINIMISE;
        var metrics = List.of(
                new Metric(FusionEvaluator.LATENCY, "Latency", "us", least, unfused.seconds() * MICRO),
                new Metric(TRAFFIC, "Off-chip traffic", "MB", least, unfused.offChip() / MEGA),
                new Metric(ENERGY, "Energy", "uJ", least, Math.max(unfused.joules() * MICRO, Double.MIN_NORMAL)),
                new Metric(
                        FusionEvaluator.MEMORY,
                        "Room on chip",
                        "MB",
                        least,
                        model.machine().buffer() / MEGA),
                new Metric(FusionEvaluator.SPEEDUP, "Speedup", "", Metric.Direction.MAXIMISE, Double.NaN),
                new Metric("onchip", "On-chip traffic", "MB", least, Double.NaN),
                new Metric("groups", "Groups", "", Metric.Direction.NEUTRAL, Double.NaN));
        info = new EvaluatorInfo(
                        FusionEvaluator.NAME,
                        "Exact costs of groups in strips on one buffer.",
                        Provenance.Source.MODEL,
                        List.of(FusionEvaluator.MODEL),
                        metrics,
                        Map.of(
                                FusionEvaluator.MODEL.name(),
                                Set.copyOf(metrics.stream().map(Metric::name).toList())),
                        objectives,
                        Map.of(FusionEvaluator.MODEL.name(), 0.0))
                .pure();
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        Grouping grouping = space.grouping(request.configuration());
        Outcome outcome = plans(grouping).<Outcome>map(this::measured).orElseGet(() -> tooLarge(grouping));
        stageDone.accept(new Evaluation(request.configuration(), FusionEvaluator.MODEL, outcome, 0, PROVENANCE));
    }

    /// How the groups of a grouping run; empty where one does not fit.
    public Optional<List<GroupPlan>> plans(Grouping grouping) {
        List<GroupPlan> plans = grouping.parts().stream()
                .flatMap(p -> plan(grouping.room(), p).stream())
                .toList();
        return Optional.of(plans).filter(x -> x.size() == grouping.parts().size());
    }

    private Optional<GroupPlan> plan(long room, Grouping.Part p) {
        return costs.computeIfAbsent(room, r -> new GroupCosts(model.withBuffer(r)))
                .plan(p);
    }

    private Outcome tooLarge(Grouping grouping) {
        Grouping.Part first = grouping.parts().stream()
                .filter(p -> plan(grouping.room(), p).isEmpty())
                .findFirst()
                .orElseThrow();
        return new Outcome.Failure(FailureKind.DOES_NOT_FIT, tooLarge(grouping.room(), first));
    }

    private String tooLarge(long room, Grouping.Part p) {
        int first = p.first() - model.first() + 1;
        int last = p.last() - model.first() + 1;
        if (!model.isConnected(p.first(), p.last())) {
            return "Layers " + first + " to " + last + " have nothing to do with one another.";
        }
        return (first == last ? "Layer " + first : "Layers " + first + " to " + last) + " with " + p.samples()
                + " samples at once and strips of " + p.rows() + " rows do not fit " + ByteSize.shown(room)
                + switch (p.run()) {
                    case STRIPS -> p.columns() > 1 ? " in " + p.columns() + " stripes of columns." : ".";
                    case RECOMPUTED -> " though no rows are kept.";
                    case PASSES -> " in passes.";
                    case SUMS -> " with partial sums.";
                };
    }

    private Outcome measured(List<GroupPlan> plans) {
        Totals t = plans.stream().map(GroupPlan::cost).reduce(Totals.ZERO, Totals::plus);
        var values = new LinkedHashMap<String, Double>();
        values.put(FusionEvaluator.LATENCY, t.seconds() * MICRO);
        values.put(TRAFFIC, t.offChip() / MEGA);
        values.put(ENERGY, t.joules() * MICRO);
        values.put(
                FusionEvaluator.MEMORY,
                plans.stream().mapToLong(GroupPlan::room).max().orElse(0) / MEGA);
        values.put(FusionEvaluator.SPEEDUP, unfused.seconds() / t.seconds());
        values.put("onchip", t.onChip() / MEGA);
        values.put("groups", (double) plans.size());
        return new Outcome.Measured(values);
    }
}

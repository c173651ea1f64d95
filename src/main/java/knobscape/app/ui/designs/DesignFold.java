package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.RunEvent;
import knobscape.pareto.Hypervolume;
import knobscape.pareto.ParetoFront;
import knobscape.project.Design;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunResults.TracePoint;
import knobscape.project.RunStore;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// Folds the events of a run into [DesignSet]s. The front is kept up to date one design at a time. Confined to
/// one thread at a time, never the JavaFX thread.
public final class DesignFold {
    private static final byte FRONT = (byte) DesignStanding.FRONT.ordinal();
    private static final byte DOMINATED = (byte) DesignStanding.DOMINATED.ordinal();

    private final KnobSet knobs;
    private final Optional<Design> baseline;
    private final List<Design> designs = new ArrayList<>();
    private final Map<Configuration, Integer> indexes = new HashMap<>();
    private final List<TracePoint> trace = new ArrayList<>();
    /// Steps that the trace has; a run may have very many.
    private final BitSet traced = new BitSet();
    private final BitSet complete = new BitSet();
    private Optional<ParetoFront<Integer>> front = Optional.empty();
    private Optional<Objectives> common = Optional.empty();
    private Optional<DesignSet.Promise> promise = Optional.empty();
    private byte[] standings = new byte[64];
    private Optional<EvaluatorInfo> info = Optional.empty();
    private List<Metric> objectives = List.of();
    private Optional<Objectives> scales = Optional.empty();

    /// @param knobs of the space explored
    /// @param baseline design to compare with, where there is one; without evaluations where only a run may ask for
    /// them
    public DesignFold(KnobSet knobs, Optional<Design> baseline) {
        this.knobs = knobs;
        this.baseline = baseline;
    }

    /// What is stored of runs, without a baseline: of one as it was, of several their designs together.
    ///
    /// @param runs of one space, oldest first, at least one
    public static DesignFold stored(RunStore store, List<RunRecord> runs) {
        var fold = new DesignFold(runs.getLast().knobs(), Optional.empty());
        if (runs.size() > 1) {
            runs.forEach(r -> fold.join(store.results(r.id())));
        } else {
            fold.load(store.results(runs.getLast().id()));
        }
        return fold;
    }

    /// Begins with what is stored of a run.
    public void load(RunResults stored) {
        ScreenThread.mustNotBe("reading a run");
        info = Optional.of(stored.run().info());
        objectives = metrics(stored.run().info(), stored.run().settings().objectives());
        stored.run().objectives().ifPresent(this::fix);
        stored.designs().forEach(this::put);
        stored.trace().forEach(this::trace);
    }

    /// Measures the hypervolume of steps to come by another reference point than the run's own.
    public void measureBy(Objectives reference) {
        common = Optional.of(reference);
    }

    /// Adds the designs of another run of the same space to those there are; an evaluation that is known stays. The
    /// objectives and their scales are those of the first run that has any.
    public void join(RunResults stored) {
        ScreenThread.mustNotBe("reading a run");
        if (info.isEmpty()) {
            begin(stored.run().info(), stored.run().settings().objectives());
        }
        if (scales.isEmpty()) {
            stored.run().objectives().ifPresent(this::fix);
        }
        for (Design d : stored.designs()) {
            if (d.evaluations().isEmpty()) {
                continue;
            }
            Integer known = indexes.get(d.configuration());
            if (known == null) {
                String origin = "run " + stored.run().id() + ", #" + d.number()
                        + (d.reason().isBlank() ? "" : ", " + d.reason());
                put(new Design(
                        designs.size() + 1, d.configuration(), d.evaluations(), d.step(), origin, d.prediction()));
            } else {
                Design old = designs.get(known);
                var stages = new ArrayList<>(old.evaluations());
                d.evaluations().stream()
                        .filter(e -> old.at(e.fidelity()).isEmpty())
                        .forEach(stages::add);
                stages.sort(Comparator.comparing(Evaluation::fidelity));
                put(new Design(old.number(), old.configuration(), stages, old.step(), old.reason(), old.prediction()));
            }
        }
        trace.clear();
        traced.clear();
        promise = DesignSet.Promise.of(stored.trace()).or(() -> promise);
    }

    /// Says which metrics are explored before the run fixed their scales.
    public void begin(EvaluatorInfo evaluator, List<String> names) {
        info = Optional.of(evaluator);
        objectives = metrics(evaluator, names);
    }

    /// Takes what was evaluated before any run.
    public void known(Stream<List<Evaluation>> evaluated) {
        evaluated
                .filter(stages -> !stages.isEmpty())
                .forEach(stages -> put(new Design(
                        designs.size() + 1,
                        stages.getFirst().configuration(),
                        stages,
                        0,
                        "measured",
                        Optional.empty())));
    }

    /// Takes events in order.
    public void apply(List<RunEvent> events) {
        ScreenThread.mustNotBe("folding run events");
        events.forEach(this::apply);
    }

    private void apply(RunEvent event) {
        switch (event) {
            case RunEvent.Started s -> {
                if (info.isEmpty()) {
                    begin(s.info(), s.info().objectives());
                }
            }
            case RunEvent.ObjectivesFixed o -> fix(o.objectives());
            case RunEvent.Proposed p -> {
                Integer known = indexes.get(p.proposal().configuration());
                if (known == null) {
                    put(new Design(
                            designs.size() + 1,
                            p.proposal().configuration(),
                            List.of(),
                            p.step(),
                            p.proposal().reason(),
                            p.proposal().prediction()));
                } else {
                    Design d = designs.get(known);
                    var prediction =
                            p.proposal().prediction().isPresent() ? p.proposal().prediction() : d.prediction();
                    put(new Design(d.number(), d.configuration(), d.evaluations(), d.step(), d.reason(), prediction));
                }
            }
            case RunEvent.StageDone d -> arrived(d);
            case RunEvent.StepDone s -> traced(s.step(), s.progress(), s.diagnostics());
            case RunEvent.Batch b -> {
                b.kept().forEach(this::arrived);
                traced(b.step(), b.progress(), Map.of());
            }
            default -> {}
        }
    }

    private void arrived(RunEvent.StageDone e) {
        Configuration configuration = e.proposal().configuration();
        Integer known = indexes.get(configuration);
        Design d = known != null
                ? designs.get(known)
                : new Design(
                        designs.size() + 1,
                        configuration,
                        List.of(),
                        e.step(),
                        e.proposal().reason(),
                        e.proposal().prediction());
        var evaluations = new ArrayList<>(d.evaluations());
        evaluations.removeIf(
                old -> old.fidelity().rank() == e.evaluation().fidelity().rank());
        evaluations.add(e.evaluation());
        evaluations.sort(java.util.Comparator.comparing(Evaluation::fidelity));
        put(new Design(d.number(), configuration, evaluations, d.step(), d.reason(), d.prediction()));
    }

    private void traced(int step, RunEvent.Progress p, Map<String, double[]> diagnostics) {
        if (!traced.get(step)) {
            double volume = Double.isNaN(p.hypervolume())
                    ? Double.NaN
                    : common.filter(o -> !scales.equals(common) && o.count() == objectives.size())
                            .flatMap(o -> front.map(f -> volume(o, f)))
                            .orElse(p.hypervolume());
            trace(new TracePoint(step, volume, p.frontSize(), p.toolSeconds(), p.algorithmSeconds(), diagnostics));
        }
    }

    private void trace(TracePoint p) {
        trace.add(p);
        traced.set(p.step());
    }

    private static double volume(Objectives o, ParetoFront<Integer> front) {
        double[][] vectors = front.members().stream()
                .map(m -> {
                    double[] y = m.values().clone();
                    for (int j = 0; j < y.length; j++) {
                        boolean mirrored = o.metrics().get(j).direction() == Metric.Direction.MAXIMISE;
                        y[j] = o.normalise(j, mirrored ? -y[j] : y[j]);
                    }
                    return y;
                })
                .toArray(double[][]::new);
        return vectors.length == 0 ? 0 : Hypervolume.of(vectors, o.referencePoint());
    }

    /// The metrics explored, in order.
    public List<Metric> objectives() {
        return objectives;
    }

    /// Number of the design with this configuration, where it was proposed.
    public OptionalInt number(Configuration configuration) {
        Integer index = indexes.get(configuration);
        return index == null ? OptionalInt.empty() : OptionalInt.of(index + 1);
    }

    /// The state now.
    public DesignSet set() {
        byte[] now = Arrays.copyOf(standings, designs.size());
        var first = new TreeMap<double[], Integer>(Arrays::compare);
        var repeats = new HashMap<Integer, Integer>();
        front.ifPresent(f -> f.members().stream()
                .sorted(Comparator.comparingInt(ParetoFront.Member::item))
                .forEach(m -> {
                    now[m.item()] = FRONT;
                    Integer earlier = first.putIfAbsent(m.values(), m.item());
                    if (earlier != null) {
                        repeats.put(m.item(), earlier);
                    }
                }));
        Design[] all = designs.toArray(Design[]::new);
        renew(all, now);
        // The run's own evaluation of the baseline, as far as it went.
        OptionalInt own = baseline.stream()
                .flatMapToInt(b -> number(b.configuration()).stream()
                        .filter(n -> all[n - 1].evaluations().size()
                                >= b.evaluations().size()))
                .findFirst();
        Optional<Design> compared = baseline.map(b -> own.isEmpty()
                ? b
                : new Design(
                        Results.BASELINE,
                        b.configuration(),
                        all[own.getAsInt() - 1].evaluations(),
                        0,
                        b.reason(),
                        Optional.empty()));
        return new DesignSet(
                info,
                objectives,
                scales,
                knobs,
                all,
                now,
                compared.filter(b -> !b.evaluations().isEmpty()),
                own.orElse(Results.BASELINE),
                repeats,
                trace,
                DesignSet.Promise.of(trace).or(() -> promise),
                new DesignSet.Columns());
    }

    /// Predicts designs that a lower stage has measured from what it said; the search predicted them before.
    private void renew(Design[] all, byte[] now) {
        if (info.isEmpty() || info.get().fidelities().size() < 2) {
            return;
        }
        StageRatios ratios = StageRatios.of(info.get(), designs);
        for (int i = 0; i < all.length; i++) {
            Design d = all[i];
            if (now[i] == DesignStanding.PREDICTED.ordinal() && d.highest().isPresent()) {
                Optional<Prediction> renewed = ratios.predict(d, objectives);
                all[i] = new Design(d.number(), d.configuration(), d.evaluations(), d.step(), d.reason(), renewed);
                now[i] = (byte) (renewed.isPresent() ? DesignStanding.PREDICTED : DesignStanding.LOWER).ordinal();
            }
        }
    }

    private void fix(Objectives fixed) {
        scales = Optional.of(fixed);
        objectives = fixed.metrics();
        front = Optional.of(new ParetoFront<>(objectives.size()));
        complete.clear();
        for (int i = 0; i < designs.size(); i++) {
            stand(i);
        }
    }

    private void put(Design design) {
        int index = design.number() - 1;
        if (index == designs.size()) {
            designs.add(design);
            indexes.put(design.configuration(), index);
            if (index == standings.length) {
                standings = Arrays.copyOf(standings, 2 * index);
            }
        } else {
            designs.set(index, design);
        }
        stand(index);
    }

    /// Decides where a design stands; a complete one counts as dominated unless the front has it when the state
    /// is taken.
    private void stand(int index) {
        Design d = designs.get(index);
        Optional<double[]> y = complete(d);
        if (y.isEmpty()) {
            standings[index] = (byte) incomplete(d).ordinal();
            return;
        }
        standings[index] = DOMINATED;
        if (!complete.get(index)) {
            complete.set(index);
            if (front.isEmpty()) {
                front = Optional.of(new ParetoFront<>(objectives.size()));
            }
            front.get().add(y.get(), index);
        }
    }

    private static DesignStanding incomplete(Design d) {
        if (d.highest().isPresent() && !d.highest().get().isMeasured()) {
            return DesignStanding.INVALID;
        }
        if (d.prediction().isPresent()) {
            return DesignStanding.PREDICTED;
        }
        return d.highest().isPresent() ? DesignStanding.LOWER : DesignStanding.PENDING;
    }

    /// Minimised values of the objectives at the top fidelity, where all of them were measured. Scales do not
    /// matter for dominance.
    private Optional<double[]> complete(Design d) {
        Optional<Evaluation> top = info.flatMap(i -> d.at(i.top())).filter(Evaluation::isMeasured);
        if (top.isEmpty() || objectives.isEmpty()) {
            return Optional.empty();
        }
        double[] y = new double[objectives.size()];
        for (int j = 0; j < y.length; j++) {
            Metric m = objectives.get(j);
            var v = top.get().value(m.name());
            if (v.isEmpty()) {
                return Optional.empty();
            }
            y[j] = m.direction() == Metric.Direction.MAXIMISE ? -v.getAsDouble() : v.getAsDouble();
        }
        return Optional.of(y);
    }

    private static List<Metric> metrics(EvaluatorInfo info, List<String> names) {
        return (names.isEmpty() ? info.objectives() : names)
                .stream().map(info::metric).toList();
    }
}

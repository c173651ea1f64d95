package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.Objectives;
import knobscape.explore.RunEvent;
import knobscape.pareto.ParetoFront;
import knobscape.project.Design;
import knobscape.project.RunResults;
import knobscape.project.RunResults.TracePoint;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// Folds the events of a run into [DesignSet]s. The front is kept up to date one design at a time. Confined to
/// one thread at a time, never the JavaFX thread.
public final class DesignFold {
    private static final byte FRONT = (byte) Standing.FRONT.ordinal();
    private static final byte DOMINATED = (byte) Standing.DOMINATED.ordinal();

    private final KnobSet knobs;
    private final Optional<Design> baseline;
    private final List<Design> designs = new ArrayList<>();
    private final Map<Configuration, Integer> indexes = new HashMap<>();
    private final List<TracePoint> trace = new ArrayList<>();
    private final Set<Integer> complete = new HashSet<>();
    private Optional<ParetoFront<Integer>> front = Optional.empty();
    private byte[] standings = new byte[64];
    private Optional<EvaluatorInfo> info = Optional.empty();
    private List<Metric> objectives = List.of();
    private Optional<Objectives> scales = Optional.empty();

    /// @param knobs of the space explored
    /// @param baseline design to compare with, evaluated, where there is one
    public DesignFold(KnobSet knobs, Optional<Design> baseline) {
        this.knobs = knobs;
        this.baseline = baseline;
    }

    /// Begins with what is stored of a run.
    public void load(RunResults stored) {
        ScreenThread.mustNotBe("reading a run");
        info = Optional.of(stored.run().info());
        objectives = metrics(stored.run().info(), stored.run().settings().objectives());
        stored.run().objectives().ifPresent(this::fix);
        stored.designs().forEach(this::put);
        trace.addAll(stored.trace());
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
        if (trace.stream().noneMatch(t -> t.step() == step)) {
            trace.add(new TracePoint(
                    step, p.hypervolume(), p.frontSize(), p.toolSeconds(), p.algorithmSeconds(), diagnostics));
        }
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
        front.ifPresent(f -> f.members().forEach(m -> now[m.item()] = FRONT));
        return new DesignSet(info, objectives, scales, knobs, designs.toArray(Design[]::new), now, baseline, trace);
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
        if (complete.add(index)) {
            if (front.isEmpty()) {
                front = Optional.of(new ParetoFront<>(objectives.size()));
            }
            front.get().add(y.get(), index);
        }
    }

    private static Standing incomplete(Design d) {
        if (d.highest().isPresent() && !d.highest().get().isMeasured()) {
            return Standing.INVALID;
        }
        if (d.prediction().isPresent()) {
            return Standing.PREDICTED;
        }
        return d.highest().isPresent() ? Standing.LOWER : Standing.PENDING;
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

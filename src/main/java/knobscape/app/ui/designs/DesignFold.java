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
import knobscape.explore.Promise;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.pareto.Hypervolume;
import knobscape.pareto.ParetoFront;
import knobscape.project.Design;
import knobscape.project.RepeatedDesigns;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunResults.TracePoint;
import knobscape.project.RunStore;
import knobscape.project.StoredSubject;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import knobscape.work.StoredEvaluation;

/// Folds the events of a run into [DesignSet]s. The front is kept up to date one design at a time. Confined to
/// one thread at a time, never the JavaFX thread.
public final class DesignFold {
    private static final byte FRONT = (byte) DesignStanding.FRONT.ordinal();
    private static final byte DOMINATED = (byte) DesignStanding.DOMINATED.ordinal();

    /// The words for a baseline where a subject has none of its own.
    private static final String FIRST = "the first design that ran";

    private final int subject;
    private final KnobSet knobs;
    private final Optional<Design> baseline;
    private final boolean firstIsBaseline;
    private final List<Design> designs = new ArrayList<>();
    private final Map<Configuration, Integer> indexes = new HashMap<>();
    private final List<TracePoint> trace = new ArrayList<>();
    /// Steps that the trace has; a run may have very many.
    private final BitSet traced = new BitSet();
    private final BitSet complete = new BitSet();
    private final RepeatedDesigns repeats = new RepeatedDesigns();
    private Optional<ParetoFront<Integer>> front = Optional.empty();
    private Optional<Objectives> common = Optional.empty();
    private Optional<Promise> promise = Optional.empty();
    private byte[] standings = new byte[64];
    private Optional<EvaluatorInfo> info = Optional.empty();
    private List<Metric> objectives = List.of();
    private Optional<Objectives> scales = Optional.empty();
    /// Why a design was evaluated that a person tried out; such runs have it as the name of their method.
    public static final String TRIED = "what-if";

    /// The state, until something changes it.
    private Optional<DesignSet> now = Optional.empty();

    /// @param knobs of the space explored
    /// @param baseline design to compare with, where there is one; without evaluations where only a run may ask for
    /// them
    public DesignFold(KnobSet knobs, Optional<Design> baseline) {
        this(0, knobs, baseline, false);
    }

    private DesignFold(int subject, KnobSet knobs, Optional<Design> baseline, boolean firstIsBaseline) {
        this.subject = subject;
        this.knobs = knobs;
        this.baseline = baseline;
        this.firstIsBaseline = firstIsBaseline;
    }

    /// The designs of one subject of a run of several, numbered by themselves. They are compared with the first of
    /// them that ran.
    public static DesignFold ofSubject(int subject, KnobSet knobs) {
        return new DesignFold(subject, knobs, Optional.empty(), true);
    }

    /// The stored designs of runs, without a baseline: of one as it was, of several their designs together.
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
        StoredSubject own = stored.run().subjects().get(subject);
        begin(own.info(), stored.run().settings().objectives());
        own.objectives().ifPresent(this::fix);
        own(stored)
                .forEach(d -> put(
                        stored.run().subjects().size() == 1
                                ? d
                                : design(d.configuration(), d.evaluations(), d.step(), d.reason(), d.prediction())));
        stored.trace().stream().filter(t -> t.subject() == subject).forEach(this::trace);
    }

    /// True if a stored run has designs of this subject and these knobs.
    public boolean matches(RunRecord run) {
        return subject < run.subjects().size()
                && run.subjects().get(subject).knobs().equals(knobs);
    }

    private Stream<Design> own(RunResults stored) {
        return stored.designs().stream().filter(d -> d.subject() == subject);
    }

    /// A design that is not known yet.
    private Design design(
            Configuration c, List<Evaluation> stages, int step, String reason, Optional<Prediction> prediction) {
        return new Design(designs.size() + 1, c, stages, step, reason, prediction);
    }

    /// Measures the hypervolume of steps to come by another reference point than the run's own.
    public void measureBy(Objectives reference) {
        common = Optional.of(reference);
    }

    /// Adds the designs of another run of the same space to those there are; an evaluation that is known stays. The
    /// objectives and their scales are those of the first run that has any.
    public void join(RunResults stored) {
        ScreenThread.mustNotBe("reading a run");
        StoredSubject mine = stored.run().subjects().get(subject);
        if (info.isEmpty()) {
            begin(mine.info(), stored.run().settings().objectives());
        }
        if (scales.isEmpty()) {
            mine.objectives().ifPresent(this::fix);
        }
        for (Design d : own(stored).filter(d -> !d.evaluations().isEmpty()).toList()) {
            Integer known = indexes.get(d.configuration());
            if (known == null) {
                String origin = "run " + stored.run().id() + ", #" + d.number()
                        + (d.reason().isBlank() ? "" : ", " + d.reason());
                put(design(d.configuration(), d.evaluations(), d.step(), origin, d.prediction()));
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
        now = Optional.empty();
        trace.clear();
        traced.clear();
        promise = promised(stored.trace()).or(() -> promise);
    }

    /// Adds designs that a person tried out beside a run; what the run knows stays as it is.
    ///
    /// @param expected what was predicted of them
    public void tried(RunResults stored, Map<Configuration, Prediction> expected) {
        own(stored)
                .filter(d -> !d.evaluations().isEmpty() && !indexes.containsKey(d.configuration()))
                .forEach(d -> put(design(
                        d.configuration(),
                        d.evaluations(),
                        StoredEvaluation.KNOWN,
                        TRIED,
                        Optional.ofNullable(expected.get(d.configuration())).or(d::prediction))));
    }

    /// Says which metrics are explored before the run fixed their scales.
    public void begin(EvaluatorInfo evaluator, List<String> names) {
        now = Optional.empty();
        info = Optional.of(evaluator);
        objectives = metrics(evaluator, names);
    }

    /// Takes what was evaluated before any run.
    public void known(Stream<List<Evaluation>> evaluated) {
        evaluated
                .filter(stages -> !stages.isEmpty())
                .forEach(stages ->
                        put(design(stages.getFirst().configuration(), stages, 0, "measured", Optional.empty())));
    }

    /// Takes a design that no run has.
    ///
    /// @param step evaluations it took to find it, [StoredEvaluation#KNOWN] for none
    /// @param reason where it comes from
    public void known(Evaluation evaluation, int step, String reason) {
        arrived(evaluation, step, reason, Optional.empty());
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
            case RunEvent.Known k
            when k.subject() == subject ->
                k.evaluations().forEach(e -> arrived(e, StoredEvaluation.KNOWN, "", Optional.empty()));
            case RunEvent.ObjectivesFixed o when o.subject() == subject -> fix(o.objectives());
            case RunEvent.Proposed p when p.subject() == subject -> proposed(p.step(), p.proposal());
            case RunEvent.StageDone d when d.subject() == subject -> arrived(d);
            case RunEvent.StepDone s when s.subject() == subject -> traced(s.step(), s.progress(), s.diagnostics());
            case RunEvent.Batch b
            when b.subject() == subject -> {
                b.kept().forEach(this::arrived);
                traced(b.step(), b.progress(), Map.of());
            }
            default -> {}
        }
    }

    private void proposed(int step, Proposal p) {
        Integer known = indexes.get(p.configuration());
        if (known == null) {
            put(design(p.configuration(), List.of(), step, p.reason(), p.prediction()));
        } else {
            Design d = designs.get(known);
            put(new Design(
                    d.number(),
                    d.configuration(),
                    d.evaluations(),
                    d.step(),
                    d.reason(),
                    p.prediction().or(d::prediction)));
        }
    }

    private void arrived(RunEvent.StageDone e) {
        arrived(e.evaluation(), e.step(), e.proposal().reason(), e.proposal().prediction());
    }

    private void arrived(Evaluation e, int step, String reason, Optional<Prediction> prediction) {
        Integer known = indexes.get(e.configuration());
        Design d = known != null ? designs.get(known) : design(e.configuration(), List.of(), step, reason, prediction);
        var evaluations = new ArrayList<>(d.evaluations());
        Optional<Evaluation> earlier = d.at(e.fidelity());
        earlier.ifPresent(evaluations::remove);
        Evaluation stands =
                earlier.map(old -> repeats.together(d.number(), step, old, e)).orElse(e);
        evaluations.add(stands);
        evaluations.sort(Comparator.comparing(Evaluation::fidelity));
        put(new Design(d.number(), d.configuration(), evaluations, d.step(), d.reason(), d.prediction()));
        if (earlier.isPresent() && !earlier.get().outcome().equals(stands.outcome())) {
            restand();
        }
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
        now = Optional.empty();
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
        DesignSet set = now.orElseGet(this::make);
        now = Optional.of(set);
        return set;
    }

    private DesignSet make() {
        byte[] standing = Arrays.copyOf(standings, designs.size());
        var first = new TreeMap<double[], Integer>(Arrays::compare);
        var twins = new HashMap<Integer, Integer>();
        front.ifPresent(f -> f.members().stream()
                .sorted(Comparator.comparingInt(ParetoFront.Member::item))
                .forEach(m -> {
                    standing[m.item()] = FRONT;
                    Integer earlier = first.putIfAbsent(m.values(), m.item());
                    if (earlier != null) {
                        twins.put(m.item(), earlier);
                    }
                }));
        Design[] all = designs.toArray(Design[]::new);
        renew(all, standing);
        Optional<Design> base = firstIsBaseline
                ? designs.stream()
                        .filter(d -> complete(d).isPresent())
                        .findFirst()
                        .map(d -> baseline(d.configuration(), d.evaluations(), FIRST))
                : baseline;
        // The run's own evaluation of the baseline, as far as it went.
        OptionalInt own = base.stream()
                .flatMapToInt(b -> number(b.configuration()).stream()
                        .filter(n -> all[n - 1].evaluations().size()
                                >= b.evaluations().size()))
                .findFirst();
        Optional<Design> compared = base.map(b ->
                own.isEmpty() ? b : baseline(b.configuration(), all[own.getAsInt() - 1].evaluations(), b.reason()));
        return new DesignSet(
                new DesignSet.Terms(info, objectives, scales, knobs),
                all,
                standing,
                compared.filter(b -> !b.evaluations().isEmpty()),
                own.orElse(Results.BASELINE),
                twins,
                trace,
                promised(trace).or(() -> promise),
                new DesignSet.Columns());
    }

    /// The expectation of the newest step that states one.
    private static Optional<Promise> promised(List<TracePoint> trace) {
        return trace.reversed().stream()
                .flatMap(t -> Promise.of(t.diagnostics()).stream())
                .findFirst();
    }

    private static Design baseline(Configuration c, List<Evaluation> stages, String reason) {
        return new Design(Results.BASELINE, c, stages, 0, reason, Optional.empty());
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
        now = Optional.empty();
        scales = Optional.of(fixed);
        objectives = fixed.metrics();
        restand();
    }

    private void restand() {
        front = Optional.of(new ParetoFront<>(objectives.size()));
        complete.clear();
        for (int i = 0; i < designs.size(); i++) {
            stand(i);
        }
    }

    private void put(Design design) {
        now = Optional.empty();
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

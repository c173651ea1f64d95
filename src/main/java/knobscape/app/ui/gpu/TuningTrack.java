package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.UserError;
import knobscape.explore.Prediction;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.history.EarlierBests;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.Session;
import knobscape.work.RunSettings;
import knobscape.work.StoredEvaluation;

/// The course of a tuning run, evaluation by evaluation. Confined to one thread at a time.
final class TuningTrack {
    private final TuningResults results;
    private final double[] fastest;
    private final List<TuningState.NetworkTime> network = new ArrayList<>();
    private final List<TuningState.Belief> beliefs;
    private final SelectionLog.Track picks;
    private final List<DesignFold> designs;
    private Optional<EarlierBests> reached = Optional.empty();
    private Optional<String> device = Optional.empty();
    private int trials;
    private int kernel = -1;

    TuningTrack(TunableNetwork network) {
        this.results = new TuningResults(network);
        this.beliefs = new ArrayList<>(Collections.nCopies(network.kernels().size(), TuningState.Belief.NONE));
        this.fastest = new double[network.kernels().size()];
        Arrays.fill(fastest, Double.POSITIVE_INFINITY);
        this.picks = new SelectionLog.Track(fastest.length);
        this.designs = folds(network);
    }

    /// Takes the designs of a stored run too.
    TuningTrack withDesigns(RunResults run) {
        designs.stream().filter(f -> f.matches(run.run())).forEach(f -> f.load(run));
        return this;
    }

    /// The designs of each kernel.
    List<DesignSet> sets() {
        return designs.stream().map(DesignFold::set).toList();
    }

    /// The stored track of a run.
    static TuningTrack of(Session<?> opened, RunResults run) {
        var track = new TuningTrack(opened.bench(GpuWorkbench.class).network());
        run.found().forEach(f -> track.add(f.subject(), f.step(), f.evaluation()));
        run.designs().forEach(d -> track.predicted(d.subject(), d.prediction(), d.evaluations()));
        run.trace().forEach(t -> track.diagnosed(t.subject(), t.diagnostics()));
        run.designs().stream()
                .filter(d -> d.step() != StoredEvaluation.KNOWN)
                .forEach(d -> track.picks.add(d.subject(), d.reason(), d.prediction(), d.evaluations()));
        track.look(
                opened,
                run.run().work(GpuSettings.class),
                run.run().settings(),
                run.run().info());
        return track;
    }

    /// Takes the events of a run, in order.
    void apply(Session<?> opened, RunSettings settings, List<RunEvent> events) {
        designs.forEach(f -> f.apply(events));
        for (RunEvent event : events) {
            switch (event) {
                case RunEvent.Started s -> {
                    device = ScheduleEvaluator.hardware(s.info()).or(() -> device);
                    look(opened, opened.bench(GpuWorkbench.class).settings(), settings, s.info());
                }
                case RunEvent.Known k -> k.evaluations().forEach(e -> add(k.subject(), StoredEvaluation.KNOWN, e));
                case RunEvent.Evaluated e -> {
                    e.evaluations().forEach(x -> add(e.subject(), e.step(), x));
                    predicted(e.subject(), e.proposal().prediction(), e.evaluations());
                    picks.add(e.subject(), e.proposal().reason(), e.proposal().prediction(), e.evaluations());
                    kernel = results.kernel(e.subject());
                }
                case RunEvent.StepDone d -> diagnosed(d.subject(), d.diagnostics());
                case RunEvent.Finished _ -> kernel = -1;
                default -> {}
            }
        }
    }

    private void predicted(int subject, Optional<Prediction> prediction, List<Evaluation> evaluations) {
        if (subject >= beliefs.size() || prediction.isEmpty() || evaluations.isEmpty()) {
            return;
        }
        Prediction.Interval expected = prediction.get().metrics().get("time");
        OptionalDouble measured = evaluations.getLast().value("time");
        if (expected != null && measured.isPresent()) {
            TuningState.Belief b = beliefs.get(subject);
            var pairs = new ArrayList<>(b.predicted());
            pairs.add(new double[] {expected.median(), measured.getAsDouble()});
            beliefs.set(subject, new TuningState.Belief(pairs, b.loss(), b.attention()));
        }
    }

    private void diagnosed(int subject, Map<String, double[]> diagnostics) {
        if (subject < beliefs.size()) {
            TuningState.Belief b = beliefs.get(subject);
            beliefs.set(
                    subject,
                    new TuningState.Belief(
                            b.predicted(),
                            diagnostics.getOrDefault("loss", b.loss()),
                            diagnostics.getOrDefault("attention", b.attention())));
        }
    }

    private void add(int subject, int step, Evaluation e) {
        results.add(subject, step, e);
        boolean tail = subject >= fastest.length;
        trials += tail || step == StoredEvaluation.KNOWN ? 0 : 1;
        double time = e.value("time").orElse(Double.POSITIVE_INFINITY);
        if (tail || time < fastest[subject]) {
            if (!tail) {
                fastest[subject] = time;
            }
            TunedNetwork now = results.picture();
            double latency = now.wholeMilliseconds();
            if (!Double.isNaN(latency)) {
                network.add(new TuningState.NetworkTime(
                        trials,
                        latency,
                        now.soFar().map(TunedNetwork.SoFar::left).orElse(0)));
            }
        }
    }

    /// Finds what the history had when the run began; a history that is gone or damaged has nothing.
    private void look(Session<?> opened, GpuSettings what, RunSettings how, EvaluatorInfo info) {
        try {
            reached = opened.bench(GpuWorkbench.class).with(what).reachedBefore(how, info);
        } catch (UserError e) {
            reached = Optional.empty();
        }
    }

    /// How the kernels stand.
    List<KernelState> states() {
        return results.picture().states();
    }

    /// The kernel being measured, -1 for none.
    int kernel() {
        return kernel;
    }

    /// The device's own name; empty before it was asked.
    Optional<String> device() {
        return device;
    }

    /// The network's time now; empty before a task has a kernel.
    Optional<TuningState.NetworkTime> latency() {
        return network.isEmpty() ? Optional.empty() : Optional.of(network.getLast());
    }

    /// The title of a subject's kernel for a person.
    String title(int subject) {
        NetworkKernel k = results.network().kernels().get(results.kernel(subject));
        return k.task() + " " + k.tag();
    }

    /// How a run stands, ready for the screen.
    ///
    /// @param kernels how its kernels stand
    /// @param whole whether why it measured what it did is wanted too
    Function<RunRecord, TuningState> state(List<KernelState> kernels, boolean whole) {
        List<TuningState.NetworkTime> faster = List.copyOf(network);
        List<TuningState.Belief> now = List.copyOf(beliefs);
        SelectionLog log =
                whole ? picks.picture(reached.flatMap(r -> r.words(kernels, results.turns()))) : SelectionLog.NONE;
        return r ->
                new TuningState(r.id(), r.work(GpuSettings.class), r.settings(), r.status(), kernels, faster, now, log);
    }

    /// A fold for the designs of each kernel.
    static List<DesignFold> folds(TunableNetwork network) {
        return IntStream.range(0, network.kernels().size())
                .mapToObj(k ->
                        DesignFold.ofSubject(k, network.kernels().get(k).space().knobs()))
                .toList();
    }
}

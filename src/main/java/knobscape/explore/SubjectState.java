package knobscape.explore;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;

/// A subject with everything its search has learned. Only the run's thread uses it.
final class SubjectState {
    /// A step that was asked for and is not yet answered in full.
    private static final class OpenStep {
        private final Map<String, double[]> diagnostics;
        private int unanswered;
        private boolean reachedTop;

        OpenStep(int proposals, Map<String, double[]> diagnostics) {
            this.unanswered = proposals;
            this.diagnostics = diagnostics;
        }
    }

    private final Subject subject;
    private final EvaluatorInfo info;
    private final History history = new History();
    private final List<Evaluation> beforeObjectives = new ArrayList<>();
    private final List<Termination.Step> steps = new ArrayList<>();
    private final Map<Integer, OpenStep> open = new TreeMap<>();
    private Optional<TopFront> front = Optional.empty();
    private Optional<String> ended = Optional.empty();
    private double initialHypervolume = Double.NaN;
    private String state = "";
    private boolean started;
    private boolean waiting;
    private int known;
    private final Set<Evaluation> elsewhere = Collections.newSetFromMap(new IdentityHashMap<>());
    private int sinceGain;
    private int runInFull;

    SubjectState(Subject subject) {
        this.subject = subject;
        this.info = subject.evaluator().info();
    }

    Subject subject() {
        return subject;
    }

    EvaluatorInfo info() {
        return info;
    }

    History history() {
        return history;
    }

    Optional<TopFront> front() {
        return front;
    }

    /// True if its initial designs were asked for.
    boolean isStarted() {
        return started;
    }

    /// The number of the next step, 0 for the initial designs.
    int nextStep() {
        return started ? history.asks() + 1 : 0;
    }

    /// State of the explorer after the last question that was answered.
    String state() {
        return state;
    }

    SearchStanding standing(boolean mayContinue) {
        boolean canBeAsked = ended.isEmpty() && !waiting && (!started || (mayContinue && front.isPresent()));
        return new SearchStanding(
                subject,
                canBeAsked,
                started ? history.asks() + 1 : 0,
                history,
                known,
                Collections.unmodifiableList(steps));
    }

    /// Ends the search where it has done enough.
    void endIfReached() {
        if (ended.isEmpty() && front.isPresent()) {
            ended = subject.termination().reached(initialHypervolume, steps);
        }
    }

    void end(String reason) {
        ended = Optional.of(reason);
    }

    Optional<String> ended() {
        return ended;
    }

    /// Nothing is worth asking for before something in flight is back.
    void waitForAnswer() {
        waiting = true;
    }

    void know(List<Evaluation> evaluations) {
        evaluations.forEach(history::add);
        evaluations.stream().filter(this::isTop).forEach(this::rank);
        known += evaluations.size();
        elsewhere.addAll(evaluations);
    }

    /// The initial designs that what is known does not stand for.
    List<Proposal> initial() {
        List<Proposal> all = subject.explorer().initial();
        return known == 0
                ? all
                : all.stream()
                        .filter(p -> history.find(p.configuration(), p.upTo()).isEmpty())
                        .limit(Math.max(0, all.size() - knownDesigns()))
                        .toList();
    }

    private long knownDesigns() {
        return elsewhere.stream().map(Evaluation::configuration).distinct().count();
    }

    void asked(RunEvent.Asked a) {
        started = true;
        state = a.explorerState();
        if (a.step() > 0) {
            history.countAsk();
        }
        open.put(a.step(), new OpenStep(a.proposals().size(), a.diagnostics()));
    }

    /// Asks the proposals of a step again.
    void reopen(RunEvent.Asked a) {
        open.put(a.step(), new OpenStep(a.proposals().size(), a.diagnostics()));
    }

    /// The stages of a configuration that need not be run again, lowest first.
    List<Evaluation> below(Configuration configuration, Fidelity upTo) {
        var below = new ArrayList<Evaluation>();
        for (Fidelity f : info.fidelities().subList(0, upTo.rank())) {
            Optional<Evaluation> e = history.find(configuration, f).filter(Evaluation::isMeasured);
            if (e.isEmpty()) {
                break;
            }
            below.add(e.get());
        }
        return List.copyOf(below);
    }

    /// Takes the answer of a proposal.
    void answered(DispatchedProposal flight) {
        waiting = false;
        history.clearPending(flight.place().proposal());
        flight.below().forEach(history::add);
        OpenStep step = requireNonNull(open.get(flight.place().step()));
        for (Evaluation e : flight.stages()) {
            history.add(e);
            if (isTop(e)) {
                rank(e);
                step.reachedTop = true;
                runInFull++;
            }
        }
        step.unanswered--;
    }

    private boolean isTop(Evaluation e) {
        return e.fidelity().rank() == info.top().rank();
    }

    private void rank(Evaluation e) {
        if (front.isEmpty()) {
            beforeObjectives.add(e);
        } else {
            sinceGain = front.get().add(e) ? 0 : sinceGain + 1;
        }
    }

    /// Counts an evaluation of a population search; whether it changed the front.
    boolean evaluated(int step, Evaluation e) {
        boolean gain = front.orElseThrow().improves(e);
        if (gain) {
            front.get().add(e);
        }
        sinceGain = gain ? 0 : sinceGain + 1;
        steps.add(new Termination.Step(step, front.get().hypervolume(), true, sinceGain, Double.NaN, Double.NaN));
        return gain;
    }

    /// Throws [UserError] where steps are stored without what has to stand before them: results of initial designs,
    /// which fix the objectives. Without these no step is ever asked for.
    void requireObjectives() {
        if (front.isEmpty() && (!steps.isEmpty() || open.keySet().stream().anyMatch(s -> s > 0))) {
            throw new UserError(
                    "What is stored of this run is damaged (it has steps but no results of initial designs); begin a new run, or put a copy of the store back.");
        }
    }

    /// True if a step has proposals that were not answered.
    boolean isOpen(int step) {
        return open.containsKey(step);
    }

    boolean isComplete(int step) {
        return requireNonNull(open.get(step)).unanswered == 0;
    }

    /// The open steps of which every proposal was answered.
    List<Integer> completeSteps() {
        // Asked after every event.
        var complete = new ArrayList<Integer>(1);
        for (Integer step : open.keySet()) {
            if (isComplete(step)) {
                complete.add(step);
            }
        }
        return complete;
    }

    /// Completes an optimisation step; gives the diagnostics of the question.
    Map<String, double[]> complete(int step) {
        OpenStep done = requireNonNull(open.remove(step));
        if (step > 0) {
            steps.add(new Termination.Step(
                    step,
                    front.orElseThrow().hypervolume(),
                    done.reachedTop,
                    sinceGain,
                    told(done, Termination.RUN_PROMISE),
                    told(done, Termination.RUNS_SPENT)));
        }
        return done.diagnostics;
    }

    private static double told(OpenStep step, String name) {
        return step.diagnostics.getOrDefault(name, new double[] {Double.NaN})[0];
    }

    /// Designs that were run to the highest stage.
    int runInFull() {
        return runInFull;
    }

    /// Steps answered, initial designs not counted.
    int stepsDone() {
        return steps.size();
    }

    /// Why no initial design has a result, where the tool and not the designs are at fault.
    Optional<String> toolFailure() {
        List<Evaluation> all = history.evaluations().stream()
                .filter(e -> !elsewhere.contains(e))
                .toList();
        return !all.isEmpty()
                        && all.stream()
                                .allMatch(e -> e.outcome() instanceof Outcome.Failure f
                                        && f.kind().mayRetry())
                ? Optional.of(((Outcome.Failure) all.getFirst().outcome()).reason())
                : Optional.empty();
    }

    /// Fixes scales and reference point from what is known, once the initial designs are back.
    Objectives fixObjectives() {
        Objectives objectives = Objectives.calibrate(subject.objectives(), highest(history.evaluations()));
        history.fixObjectives(objectives);
        front = Optional.of(new TopFront(objectives));
        beforeObjectives.forEach(this::rank);
        beforeObjectives.clear();
        initialHypervolume = front.get().hypervolume();
        return objectives;
    }

    /// The evaluation at the highest measured fidelity of each configuration, in order of first arrival.
    private static List<Evaluation> highest(List<Evaluation> evaluations) {
        var best = new LinkedHashMap<Configuration, Evaluation>();
        for (Evaluation e : evaluations) {
            if (e.isMeasured()) {
                best.merge(e.configuration(), e, (a, b) -> b.fidelity().compareTo(a.fidelity()) >= 0 ? b : a);
            }
        }
        return List.copyOf(best.values());
    }
}

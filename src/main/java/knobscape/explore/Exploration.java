package knobscape.explore;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loop of a run: asks the explorers of its subjects, has their evaluators answer, tells the watchers.
///
/// A slot that is free is filled at once: from the proposals of the last question, else the [Scheduler] names a
/// subject and its explorer is asked. One question is one step. The order in which answers arrive is told with
/// them; a run is resumed by taking the stored events in their order, sending out again what was in flight, and
/// running. Where evaluators simulate their time, or one design is in flight, the result equals that of a run
/// that was never interrupted.
///
/// [#run] works on the caller's thread; [#pause], [#resume] and [#stop] may be called from any other. A pause
/// lets what is in flight come back first; a stop cancels it.
public final class Exploration {
    private static final Logger LOG = LoggerFactory.getLogger(Exploration.class);

    /// How to explore.
    ///
    /// @param seed told to the watchers; the explorers were made with it
    /// @param maxSteps most questions to explorers, initial designs not counted; of a population search most
    /// evaluations
    /// @param maxEvaluations most proposals sent out, 0 for no limit
    /// @param maxMinutes wall-clock time of this start, pauses excluded, 0 for no limit
    /// @param parallel designs in flight at once, at least 1
    /// @param waitFactor seconds really waited per simulated second of tool time, for demonstrations; 0 does
    /// not wait
    /// @param maxToolSeconds tool time over all starts after which nothing more is sent, infinity for no limit
    /// @param maxDesigns most designs run to the highest stage over all starts, 0 for no limit
    public record Settings(
            long seed,
            int maxSteps,
            int maxEvaluations,
            double maxMinutes,
            int parallel,
            double waitFactor,
            double maxToolSeconds,
            int maxDesigns) {
        public Settings {
            if (parallel < 1) {
                throw new IllegalArgumentException("parallel must be at least 1, was " + parallel);
            }
        }

        /// No limit of tool time and of designs.
        public Settings(
                long seed, int maxSteps, int maxEvaluations, double maxMinutes, int parallel, double waitFactor) {
            this(seed, maxSteps, maxEvaluations, maxMinutes, parallel, waitFactor, Double.POSITIVE_INFINITY, 0);
        }

        /// So many steps, one design in flight.
        public static Settings steps(long seed, int maxSteps) {
            return new Settings(seed, maxSteps, 0, 0, 1, 0);
        }
    }

    private final List<SubjectState> subjects;
    private final Scheduler scheduler;
    private final Settings settings;
    private final LongSupplier nanoClock;
    /// True if what was stored is still being told again.
    private boolean replaying;
    private final RunChannel control;

    // Only the run's thread uses what follows.
    private final Dispatcher arrivals;
    private final PendingProposals outstanding = new PendingProposals();
    private final List<Integer> turns = new ArrayList<>();
    private final Set<Configuration> seen = new HashSet<>();
    private final RunProgress pace;
    private Optional<RuntimeException> problem = Optional.empty();
    private Optional<List<Proposal>> firstInitial = Optional.empty();
    private double waited;

    /// @param subjects what is explored, at least one
    /// @param scheduler whose turn it is
    /// @param settings how to explore
    /// @param nanoClock a clock that never goes back, in nanoseconds
    /// @param tools runs real evaluations side by side; must not be bounded below `parallel`
    public Exploration(
            List<Subject> subjects, Scheduler scheduler, Settings settings, LongSupplier nanoClock, Executor tools) {
        this.subjects = subjects.stream().map(SubjectState::new).toList();
        this.scheduler = Objects.requireNonNull(scheduler);
        this.settings = Objects.requireNonNull(settings);
        this.nanoClock = Objects.requireNonNull(nanoClock);
        this.pace = new RunProgress(nanoClock, settings);
        this.control = new RunChannel(nanoClock, pace);
        this.arrivals = new Dispatcher(
                this.subjects.stream().allMatch(s -> s.info().simulatesTime()), tools, control.stopSignal());
    }

    /// Adds a watcher. Whoever must not miss anything (the store) is added first: an exception of a watcher
    /// ends the run.
    public void addListener(RunListener listener) {
        control.addListener(listener);
    }

    /// Asks for a pause: what is in flight comes back and is told to the watchers, then the run waits.
    public void pause() {
        control.pause();
    }

    /// Ends a pause.
    public void resume() {
        control.resume();
    }

    /// Stops: what is in flight is cancelled, and the run ends as [RunEvent.Ending#STOPPED].
    public void stop() {
        control.stop();
    }

    /// Runs to an end. Called once.
    ///
    /// @param past [RunEvent.Known], [RunEvent.Asked], [RunEvent.Proposed] and [RunEvent.StageDone] of earlier
    /// starts in their order; others are passed over. Empty for
    ///     a run that begins
    /// @return the last event, which the watchers have got too
    public RunEvent.Finished run(List<? extends RunEvent> past) {
        pace.start();
        replaying = !past.isEmpty();
        RunEvent.Finished end;
        try {
            end = finished(RunEvent.Ending.COMPLETED, explore(past));
        } catch (CancellationException e) {
            end = finished(RunEvent.Ending.STOPPED, "stopped on request");
        } catch (UserError e) {
            end = finished(RunEvent.Ending.FAILED, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the run ended by a defect of the program, or of what is stored", e);
            end = finished(
                    RunEvent.Ending.FAILED,
                    replaying
                            ? "what is stored of this run is damaged (" + UserError.reason(e)
                                    + "); begin a new run, or put a copy of the store back"
                            : "internal error: " + e);
        }
        control.publish(end);
        return end;
    }

    private RunEvent.Finished finished(RunEvent.Ending ending, String reason) {
        return new RunEvent.Finished(ending, reason, progress());
    }

    private String explore(List<? extends RunEvent> past) {
        if (subjects.size() == 1
                && subjects.getFirst().info().isPure()
                && subjects.getFirst().subject().explorer() instanceof PopulationExplorer p) {
            return new PopulationRun(control, settings, subjects.getFirst(), p, past).run();
        }
        var replay = new Replay(past);
        if (subjects.size() == 1
                && past.isEmpty()
                && subjects.getFirst().subject().known().isEmpty()) {
            firstInitial = Optional.of(pace.thinking(subjects.getFirst()::initial));
        }
        replay.run();
        waited = arrivals.now();
        control.publish(new RunEvent.Started(
                subjects.getFirst().subject().explorer().name(),
                settings.seed(),
                subjects.getFirst().info(),
                settings.maxSteps(),
                firstInitial.map(List::size).orElse(subjects.size() == 1 ? replay.initialDesigns() : 0),
                replay.stages));
        for (int i = 0; i < subjects.size(); i++) {
            List<Evaluation> known = subjects.get(i).subject().known();
            if (!known.isEmpty() && !replay.knows(i) && !subjects.get(i).isStarted()) {
                subjects.get(i).know(known);
                control.publish(new RunEvent.Known(i, known));
            }
        }
        replay.finish();
        subjects.forEach(SubjectState::requireObjectives);
        replaying = false;
        pace.resumed();
        while (true) {
            control.throwIfStopped();
            Optional<String> over = problem.isPresent() ? Optional.of("") : fill(replay);
            if (outstanding.inFlight() > 0) {
                take(arrivals.next());
            } else if (problem.isPresent()) {
                throw problem.get();
            } else if (control.isPauseAsked()) {
                control.waitWhilePaused(this::progress);
            } else if (over.isPresent()) {
                return over.get();
            }
        }
    }

    /// Fills the free slots; why nothing more will be sent, where that is so.
    private Optional<String> fill(Replay replay) {
        while (outstanding.inFlight() < settings.parallel() && !control.isPauseAsked()) {
            control.throwIfStopped();
            Optional<String> spent = spent();
            if (spent.isPresent()) {
                return spent;
            }
            Optional<DispatchedProposal.Place> next = outstanding.next();
            if (next.isPresent()) {
                send(next.get());
                continue;
            }
            Optional<String> over = ask(replay);
            if (over.isPresent()) {
                return over;
            }
        }
        return Optional.empty();
    }

    private String hours() {
        return subjects.getFirst().info().source().hours();
    }

    private Optional<String> spent() {
        if (settings.maxEvaluations() > 0 && outstanding.sent() >= settings.maxEvaluations()) {
            return Optional.of("all " + settings.maxEvaluations() + " evaluations are done");
        }
        if (pace.toolSeconds() >= settings.maxToolSeconds()) {
            return Optional.of("the " + hours() + " are spent");
        }
        if (settings.maxDesigns() > 0 && designs() >= settings.maxDesigns()) {
            return Optional.of("all " + settings.maxDesigns() + " designs are run");
        }
        return settings.maxMinutes() > 0 && pace.elapsed() > settings.maxMinutes() * 60
                ? Optional.of("the time is over")
                : Optional.empty();
    }

    /// Asks the explorer whose turn it is; why nobody can be asked, where that is so.
    private Optional<String> ask(Replay replay) {
        boolean stepsLeft = asks() < settings.maxSteps();
        if (stepsLeft) {
            subjects.forEach(SubjectState::endIfReached);
        }
        List<SearchStanding> standings =
                subjects.stream().map(s -> s.standing(stepsLeft)).toList();
        OptionalInt turn = standings.stream().anyMatch(SearchStanding::canBeAsked)
                ? scheduler.next(standings, Collections.unmodifiableList(turns))
                : OptionalInt.empty();
        if (turn.isEmpty()) {
            String all = settings.maxSteps() == 1
                    ? "the step asked for is done"
                    : "all " + settings.maxSteps() + " steps are done";
            return Optional.of(
                    !stepsLeft
                            ? all
                            : !scheduler.ended().isEmpty()
                                    ? scheduler.ended()
                                    : subjects.size() == 1
                                            ? subjects.getFirst().ended().orElse("nothing is left to ask for")
                                            : "every search has ended");
        }
        int index = turn.getAsInt();
        SubjectState s = subjects.get(index);
        Explorer explorer = s.subject().explorer();
        int step = s.nextStep();
        int count = settings.maxEvaluations() > 0
                ? Math.min(s.subject().batch(), settings.maxEvaluations() - outstanding.sent())
                : s.subject().batch();
        List<Proposal> proposals = step > 0
                ? pace.thinking(() -> explorer.ask(s.history(), count))
                : replay.loose.added(index, firstInitial.orElseGet(() -> pace.thinking(s::initial)));
        if (proposals.isEmpty() && step > 0 && !replay.loose.has(index, step)) {
            if (outstanding.has(index)) {
                explorer.restore(s.state());
                s.waitForAnswer();
            } else {
                s.end(
                        settings.maxToolSeconds() < Double.POSITIVE_INFINITY
                                ? "nothing that the search would try fits the " + hours() + " left"
                                : "the search has nothing new to try");
            }
            return Optional.empty();
        }
        var asked = new RunEvent.Asked(
                index,
                step,
                proposals,
                explorer.state(),
                step == 0 ? Map.of() : explorer.diagnostics(),
                pace.algorithmSeconds());
        control.publish(asked);
        // Where there are several searches, whose words they are.
        String whose = subjects.size() > 1 ? s.subject().name() + ": " : "";
        explorer.remarks().forEach(r -> control.publish(new RunEvent.Note(whose + r)));
        asked(asked);
        replay.giveAnswers(asked);
        completeIfDone(index, step);
        return Optional.empty();
    }

    /// Designs that were run to the highest stage, and those on their way there.
    private long designs() {
        return subjects.stream().mapToInt(SubjectState::runInFull).sum()
                + outstanding.underWay().stream()
                        .filter(f -> f.place().proposal().upTo().rank()
                                == subjects.get(f.place().subject())
                                        .info()
                                        .top()
                                        .rank())
                        .count();
    }

    private int asks() {
        return subjects.stream().mapToInt(s -> s.history().asks()).sum();
    }

    private void asked(RunEvent.Asked a) {
        turns.add(a.subject());
        subjects.get(a.subject()).asked(a);
        outstanding.add(a);
    }

    private void send(DispatchedProposal.Place place) {
        DispatchedProposal flight = depart(place);
        control.publish(new RunEvent.Proposed(place.subject(), place.step(), place.position(), place.proposal()));
        arrivals.send(flight, subjects.get(place.subject()).subject().evaluator());
    }

    private DispatchedProposal depart(DispatchedProposal.Place place) {
        SubjectState s = subjects.get(place.subject());
        var flight = new DispatchedProposal(
                place,
                s.below(place.proposal().configuration(), place.proposal().upTo()),
                s.history()
                        .count(
                                place.proposal().configuration(),
                                place.proposal().upTo()),
                arrivals.now(),
                nanoClock.getAsLong());
        s.history().markPending(place.proposal());
        outstanding.departed(flight);
        return flight;
    }

    private void take(Dispatcher.Arrival arrival) {
        DispatchedProposal flight = arrival.flight();
        DispatchedProposal.Place p = flight.place();
        if (arrival.stage().isEmpty()) {
            outstanding.cancelled(flight);
            problem = problem.isEmpty() || Dispatcher.isStop(problem) ? arrival.problem() : problem;
            return;
        }
        control.waitSeconds((arrival.at() - waited) * settings.waitFactor());
        waited = Math.max(waited, arrival.at());
        Evaluation stage = arrival.stage().get();
        boolean last = flight.take(stage);
        arrived(stage);
        control.publish(new RunEvent.StageDone(p.subject(), p.step(), p.position(), p.proposal(), stage));
        if (last) {
            pace.answered(flight);
            answered(flight);
            control.publish(new RunEvent.Evaluated(
                    p.subject(), p.step(), p.position(), p.proposal(), flight.stages(), progress()));
            completeIfDone(p.subject(), p.step());
        }
    }

    private void arrived(Evaluation stage) {
        pace.spent(stage.costSeconds());
        seen.add(stage.configuration());
    }

    private void answered(DispatchedProposal flight) {
        outstanding.answered(flight);
        subjects.get(flight.place().subject()).answered(flight);
    }

    private void completeIfDone(int subject, int step) {
        SubjectState s = subjects.get(subject);
        if (!s.isOpen(step) || !s.isComplete(step)) {
            return;
        }
        if (step == 0) {
            s.toolFailure().filter(_ -> subjects.size() == 1).ifPresent(why -> {
                throw new UserError("All initial designs failed in the toolchain "
                        + s.info().name() + " (" + why + "); fix that and resume the run.");
            });
            control.publish(new RunEvent.ObjectivesFixed(subject, s.fixObjectives()));
        }
        Map<String, double[]> diagnostics = s.complete(step);
        pace.stepTook(step);
        control.publish(new RunEvent.StepDone(subject, step, progress(), diagnostics));
    }

    /// Takes what earlier starts told, in order, without telling it again.
    private final class Replay {
        /// Let go once all is told: a run of 100 000 designs has 60 MB of it.
        private List<? extends RunEvent> past;

        private final LooseAnswers loose = new LooseAnswers();
        private final Map<Integer, RunEvent.Asked> initial = new LinkedHashMap<>();
        private Optional<RunEvent.StageDone> last = Optional.empty();
        private int stages;

        Replay(List<? extends RunEvent> past) {
            this.past = past;
        }

        void run() {
            for (RunEvent event : past) {
                switch (event) {
                    case RunEvent.Known k -> subjects.get(k.subject()).know(k.evaluations());
                    case RunEvent.Asked a -> {
                        if (a.step() == 0) {
                            initial.put(a.subject(), a);
                        }
                        pace.replayed(a.algorithmSeconds());
                        asked(a);
                    }
                    case RunEvent.Proposed p -> {
                        if (isAsked(p.subject(), p.step())) {
                            flight(p.subject(), p.step(), p.position());
                        }
                    }
                    case RunEvent.StageDone d -> {
                        stages++;
                        if (!isAsked(d.subject(), d.step())) {
                            loose.add(d);
                        } else {
                            stage(flight(d.subject(), d.step(), d.position()), d);
                            last = Optional.of(d);
                        }
                    }
                    default -> {}
                }
                settle();
            }
        }

        private boolean isAsked(int subject, int step) {
            return step < subjects.get(subject).nextStep();
        }

        /// The flight of a place, which is sent where it is not under way yet.
        private DispatchedProposal flight(int subject, int step, int position) {
            return outstanding
                    .find(subject, step, position)
                    .orElseGet(() -> depart(outstanding.next(subject, step, position)));
        }

        private void stage(DispatchedProposal flight, RunEvent.StageDone d) {
            arrived(d.evaluation());
            boolean isLast = flight.take(d.evaluation());
            arrivals.replayed(flight);
            if (isLast) {
                answered(flight);
            }
        }

        /// Completes what is answered. Initial designs that all failed by the tool's fault are asked again:
        /// that is what the run is resumed for.
        private void settle() {
            for (SubjectState s : subjects) {
                for (int step : s.completeSteps()) {
                    if (step == 0 && subjects.size() == 1 && s.toolFailure().isPresent()) {
                        RunEvent.Asked a = requireNonNull(initial.get(subjects.indexOf(s)));
                        s.reopen(a);
                        outstanding.add(a);
                    } else {
                        if (step == 0) {
                            s.fixObjectives();
                        }
                        s.complete(step);
                    }
                }
            }
        }

        /// Tells what watchers that were not there need, gives the explorers their state back, and sends out
        /// again what was in flight.
        void finish() {
            for (int i = 0; i < subjects.size(); i++) {
                SubjectState s = subjects.get(i);
                if (s.isStarted()) {
                    s.history()
                            .objectives()
                            .ifPresent(o -> control.publish(new RunEvent.ObjectivesFixed(subjects.indexOf(s), o)));
                    pace.thinking(() -> {
                        s.subject().explorer().initial();
                        s.subject().explorer().restore(s.state());
                        return s;
                    });
                }
            }
            // The process may have died between the last answer of a step and the note that the step is done.
            last.filter(d -> !subjects.get(d.subject()).isOpen(d.step()))
                    .ifPresent(d -> control.publish(new RunEvent.StepDone(
                            d.subject(),
                            d.step(),
                            progress(),
                            past.stream()
                                    .filter(RunEvent.Asked.class::isInstance)
                                    .map(RunEvent.Asked.class::cast)
                                    .filter(a -> a.subject() == d.subject() && a.step() == d.step())
                                    .findFirst()
                                    .map(RunEvent.Asked::diagnostics)
                                    .orElse(Map.of()))));
            for (DispatchedProposal f : outstanding.underWay()) {
                DispatchedProposal.Place p = f.place();
                control.publish(new RunEvent.Proposed(p.subject(), p.step(), p.position(), p.proposal()));
                arrivals.send(f, subjects.get(p.subject()).subject().evaluator());
            }
            past = List.of();
        }

        boolean knows(int subject) {
            return past.stream().anyMatch(e -> e instanceof RunEvent.Known k && k.subject() == subject);
        }

        int initialDesigns() {
            return initial.containsKey(0) ? initial.get(0).proposals().size() : 0;
        }

        /// Gives a step that is asked again the answers it had.
        void giveAnswers(RunEvent.Asked a) {
            List<RunEvent.StageDone> stored = loose.take(a.subject(), a.step());
            for (RunEvent.StageDone d : stored) {
                OptionalInt position = LooseAnswers.position(a, d);
                if (position.isPresent()) {
                    stage(flight(a.subject(), a.step(), position.getAsInt()), d);
                } else {
                    control.publish(new RunEvent.Note("Step " + a.step()
                            + " had been asked differently before the run was interrupted (another version of the"
                            + " program?); a stored answer is passed over."));
                }
            }
            for (DispatchedProposal f : stored.isEmpty() ? List.<DispatchedProposal>of() : outstanding.underWay()) {
                if (f.place().subject() == a.subject() && f.place().step() == a.step()) {
                    arrivals.send(f, subjects.get(a.subject()).subject().evaluator());
                }
            }
        }
    }

    private RunEvent.Progress progress() {
        int done = subjects.stream().mapToInt(SubjectState::stepsDone).sum();
        double left = pace.secondsLeft(
                done,
                outstanding.initialOpen(),
                settings.maxEvaluations() - outstanding.sent() + outstanding.inFlight());
        return control.progress(
                subjects.size() == 1 ? subjects.getFirst().front() : Optional.empty(),
                done,
                settings.maxSteps(),
                seen.size(),
                left);
    }
}

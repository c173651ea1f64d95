package knobscape.project;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.ReportedResults;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.explore.Subject;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// A stored run whose designs are evaluated outside ([ReportedResults]): it hands designs out and takes what is told.
/// It is the
/// loop of every other run, started for each question and stopped when nothing is left to do; designs in flight are
/// those handed out. Everything is in the store, so it survives whatever ends the program.
///
/// The project is held only while an instance is open; several processes may take turns.
public final class AskTellRun implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final Project project;
    private final Workbench bench;
    private final RunStore store;
    private final RunRecord run;
    private final Clock clock;

    private AskTellRun(Project project, Workbench bench, RunStore store, RunRecord run, Clock clock) {
        this.project = project;
        this.bench = bench;
        this.store = store;
        this.run = run;
        this.clock = clock;
    }

    /// A design that was handed out and is not answered.
    ///
    /// @param number of the design
    /// @param subject what it belongs to (a kernel of a network)
    /// @param stages what is to be told of it, lowest first
    /// @param proposal what was asked
    public record Pending(int number, Subject subject, List<Fidelity> stages, Proposal proposal) {}

    /// An answer to a question.
    ///
    /// @param fresh designs handed out now
    /// @param before designs handed out earlier that still wait
    /// @param over why nothing more will be handed out; empty while something may
    public record Handout(List<Pending> fresh, List<Pending> before, Optional<String> over) {}

    /// Stores a run of which nothing was asked yet, and gives its number. Throws [UserError] as [Runner#start].
    public static long begin(Session<?> opened, RunSettings settings, Clock clock) {
        try (RunPlan plan = opened.bench().plan(settings)) {
            RunStore store = opened.project().lock();
            long id = Runner.create(store, opened, settings, plan, clock);
            store.status(id, RunStatus.STOPPED, "waits to be asked", clock.instant());
            return id;
        }
    }

    /// Opens a run, waiting for another process that holds the project. Throws [UserError] where the run is of
    /// another kind, its source has changed, or the project is still held when the patience is over.
    ///
    /// @param seconds how long to wait
    public static AskTellRun open(Project project, RunRecord run, double seconds, Clock clock) {
        if (!EvaluatorKind.TOLD.isOf(run.settings().toolchain())) {
            throw new UserError(
                    "Run " + run.id() + " is evaluated by " + run.settings().toolchain()
                            + ", not told; begin one with --toolchain told (--device told for a network's kernels).");
        }
        Workbench bench = Areas.standard().of(run.work()).open(run.work(), project);
        RunStore store = lock(project, seconds);
        return new AskTellRun(project, bench, store, store.find(run.id()).orElse(run), clock);
    }

    private static RunStore lock(Project project, double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        boolean wasFree = false;
        while (true) {
            try {
                return project.lock();
            } catch (UserError e) {
                // Given back just after it was refused it looks free; refused again it is for another reason.
                boolean isFree = project.lockedBy().isEmpty();
                if (System.nanoTime() >= end || (isFree && wasFree)) {
                    throw e;
                }
                wasFree = isFree;
                new CancellationSignal().sleep(POLL);
            }
        }
    }

    /// The explored work.
    public Workbench bench() {
        return bench;
    }

    /// Designs that were handed out and wait for answers.
    public List<Pending> pending() {
        try (RunPlan plan = plan()) {
            return pending(plan);
        }
    }

    /// Hands out designs.
    ///
    /// @param count most that are handed out now
    public Handout ask(int count) {
        try (RunPlan plan = plan()) {
            List<Pending> before = pending(plan);
            RunEvent.Finished end = loop(plan, before.size() + count, false);
            List<Pending> all = pending(plan);
            List<Pending> fresh = all.stream()
                    .filter(p -> before.stream().noneMatch(b -> b.proposal().equals(p.proposal())))
                    .toList();
            stand(end, all.size());
            return new Handout(
                    fresh,
                    before,
                    end.ending() == RunEvent.Ending.STOPPED ? Optional.empty() : Optional.of(end.reason()));
        }
    }

    /// How many answers were taken.
    ///
    /// @param asked of designs that were handed out
    /// @param elsewhere of others
    /// @param before that were told already
    public record Receipt(int asked, int elsewhere, int before) {}

    /// Takes answers: of designs that were handed out for what they were asked, of others as known from elsewhere. What
    /// was told before in the same words changes nothing, so that a teller that was killed tells all again.
    ///
    /// @param answers makes evaluations of a subject's [ReportedResults]
    public Receipt tell(java.util.function.Function<List<Subject>, Map<Subject, List<Evaluation>>> answers) {
        try (RunPlan plan = plan()) {
            List<Pending> open = pending(plan);
            Map<Subject, List<Evaluation>> told = answers.apply(plan.subjects());
            int asked = 0;
            int before = 0;
            int outside = 0;
            List<Design> designs = results().designs();
            for (var e : told.entrySet()) {
                var elsewhere = new ArrayList<Evaluation>();
                int subject = plan.subjects().indexOf(e.getKey());
                for (Evaluation answer : e.getValue()) {
                    if (isTold(designs, subject, answer)) {
                        before++;
                        continue;
                    }
                    Optional<Pending> asker = open.stream()
                            .filter(p -> p.subject() == e.getKey()
                                    && p.proposal().configuration().equals(answer.configuration()))
                            .findFirst();
                    if (asker.isPresent()) {
                        mustBeNext(asker.get(), answer, e.getValue());
                        ((ReportedResults) e.getKey().evaluator()).tell(answer);
                        asked++;
                    } else {
                        elsewhere.add(answer);
                    }
                }
                outside += elsewhere.size();
                if (!elsewhere.isEmpty()) {
                    store.known(
                            run.id(),
                            store.lastSequence(run.id()) + 1,
                            new RunEvent.Known(subject, elsewhere),
                            clock.instant());
                }
            }
            if (asked + before > 0) {
                stand(loop(plan, Math.max(1, open.size()), true), pending(plan).size());
            }
            return new Receipt(asked, outside, before);
        }
    }

    private static boolean isTold(List<Design> designs, int subject, Evaluation answer) {
        return designs.stream()
                .filter(d -> d.subject() == subject && d.configuration().equals(answer.configuration()))
                .flatMap(d -> d.at(answer.fidelity()).stream())
                .anyMatch(e -> e.outcome().equals(answer.outcome()));
    }

    /// Stages are told in order: a search of several fidelities builds each upon the one below.
    private static void mustBeNext(Pending p, Evaluation answer, List<Evaluation> all) {
        List<Fidelity> told = all.subList(0, all.indexOf(answer)).stream()
                .filter(e -> e.configuration().equals(answer.configuration()))
                .map(Evaluation::fidelity)
                .toList();
        List<Fidelity> left = p.stages().stream().filter(s -> !told.contains(s)).toList();
        if (left.isEmpty() || !left.getFirst().equals(answer.fidelity())) {
            throw new UserError("Of design #" + p.number() + " the stage "
                    + (left.isEmpty() ? "" : left.getFirst().name()) + " is to be told next, not "
                    + answer.fidelity().name()
                    + "; a run whose designs have one stage names it in a file (--toolchain told:FILE).");
        }
    }

    /// Runs the loop until everything in flight waits to be told.
    ///
    /// @param parallel most designs in flight
    /// @param answersOnly whether only answers are taken and nothing is asked
    private RunEvent.Finished loop(RunPlan plan, int parallel, boolean answersOnly) {
        Exploration.Settings s = plan.settings();
        var exploration = new Exploration(
                plan.subjects(),
                plan.scheduler(),
                new Exploration.Settings(s.seed(), s.maxSteps(), s.maxEvaluations(), s.maxMinutes(), parallel, 0),
                System::nanoTime,
                Runnable::run);
        var recorder = new RunRecorder(store, run.id(), clock);
        exploration.addListener(e -> {
            switch (e) {
                // How the run stands is told afterwards.
                case RunEvent.Started _, RunEvent.Resumed _, RunEvent.Finished _ -> {}
                case RunEvent.Paused _ -> exploration.stop();
                default -> recorder.onEvent(e);
            }
        });
        if (answersOnly) {
            exploration.pause();
        }
        return exploration.run(store.past(run));
    }

    private void stand(RunEvent.Finished end, int waiting) {
        RunStatus status = switch (end.ending()) {
            case COMPLETED -> RunStatus.COMPLETED;
            case STOPPED -> RunStatus.STOPPED;
            case FAILED -> RunStatus.FAILED;
        };
        String words = waiting == 0 ? "waits to be asked" : waiting + " designs wait to be told";
        store.status(run.id(), status, end.ending() == RunEvent.Ending.STOPPED ? words : end.reason(), clock.instant());
    }

    private RunPlan plan() {
        RunPlan plan = bench.plan(run.settings());
        try {
            Runner.mustBeSame(run, bench, plan);
            return plan;
        } catch (UserError e) {
            plan.close();
            throw e;
        }
    }

    private List<Pending> pending(RunPlan plan) {
        record Key(int subject, int step, int position) {}
        var open = new LinkedHashMap<Key, Proposal>();
        var left = new LinkedHashMap<Key, List<Fidelity>>();
        for (RunEvent e : store.past(run)) {
            switch (e) {
                case RunEvent.Proposed p -> {
                    var key = new Key(p.subject(), p.step(), p.position());
                    open.put(key, p.proposal());
                    left.put(
                            key,
                            List.copyOf(plan.subjects()
                                    .get(p.subject())
                                    .evaluator()
                                    .info()
                                    .fidelities()
                                    .subList(0, p.proposal().upTo().rank() + 1)));
                }
                case RunEvent.StageDone d -> {
                    var key = new Key(d.subject(), d.step(), d.position());
                    if (!d.evaluation().isMeasured()
                            || d.evaluation().fidelity().rank()
                                    >= d.proposal().upTo().rank()) {
                        open.remove(key);
                    }
                }
                default -> {}
            }
        }
        RunResults results = store.results(run.id());
        var all = new ArrayList<Pending>();
        open.forEach((key, p) -> {
            Design design = results.designs().stream()
                    .filter(d ->
                            d.subject() == key.subject() && d.configuration().equals(p.configuration()))
                    .findFirst()
                    .orElseThrow();
            List<Fidelity> stages = left.getOrDefault(key, List.of()).stream()
                    .filter(f -> design.at(f).filter(Evaluation::isMeasured).isEmpty())
                    .toList();
            all.add(new Pending(design.number(), plan.subjects().get(key.subject()), stages, p));
        });
        return List.copyOf(all);
    }

    /// Everything stored of it.
    public RunResults results() {
        return store.results(run.id());
    }

    @Override
    public void close() {
        project.close();
    }
}

package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.Termination;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.surrogate.ChosenModel;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.gp.ProcessTrainer;

/// Multi-objective, multi-fidelity Bayesian optimisation (thesis Algorithm 2): one surrogate and one
/// acquisition per fidelity; each step runs the candidate and fidelity of the largest penalised expected
/// improvement of Pareto hypervolume. With correlated Gaussian processes it is CGP; another [Model.Trainer]
/// makes another method of it.
///
/// The thesis's open points: candidates see [BayesSettings.Pool]; a design already run at a fidelity
/// may be run at a higher one, never again at the same; invalid designs are penalised at the fidelity that
/// refused them and above or count as [BayesSettings.Invalid] says, failed ones left alone; an objective that a
/// fidelity does not report is taken from
/// the highest fidelity's belief; where no candidate promises any improvement the one of which the least is
/// known is run. Several proposals at once are chosen one after another, each taking those in flight as
/// measured at their posterior mean.
public final class CgpExplorer implements Explorer {
    /// Words of a design that is screened beside a run because the front has not moved.
    public static final String LOOK = "least known of all, beside a run: the front has not moved";
    /// Words of a design that the second opinion chose.
    public static final String SECOND_OPINION = "second opinion: the front has not moved, and little is expected";
    /// Jitter above this share of the diagonal is worth a word.
    private static final double NOTABLE_JITTER = 1e-4;
    /// Designs screened at the start for each initial one that was asked for.
    private static final int SCREENED = 3;
    /// Most designs that a guess is asked about in a step.
    private static final int GUESSED = 2_000;
    /// Name of the process of [ValidityModel] among the warm starts.
    private static final String VALIDITY = "validity";
    /// Name of the process of [ToolTime] among them.
    private static final String TOOL_TIME = "tool-time";
    /// Beginning of the names among them that are the second opinion's.
    private static final String SECOND = "second.";
    /// Name among them of what was promised so far.
    private static final String PROMISES = "promises";
    /// Name among the diagnostics of what [Termination#PROMISE] follows from: the fall that the processes expect of
    /// the next run to the highest stage. Of earlier runs that promised about as much, by weight, how many there
    /// were, what they promised and what came of them. Runs in an hour, and the distance that is believed.
    public static final String PROMISE_RECORD = "promise.record";

    private static final double HOUR = 3600;

    private final String name;
    private final DesignSpace space;
    private final EvaluatorInfo info;
    private final BayesSettings settings;
    private final Model.Trainer trainer;
    private final long seed;
    private final LongSupplier nanoClock;
    private final CandidatePool candidates;
    private final Optional<PriorMean> prior;
    private final WarmStarts warmStarts;
    /// Other processes, asked for every second design where these expect too little of another one and the front
    /// has not moved for some: encoded knobs instead of ranked ones, no slopes known beforehand, objectives only.
    /// Where a process is sure and wrong it does not find out by itself.
    private final Optional<CgpExplorer> second;
    private List<Configuration> startDesigns = List.of();
    private Map<String, double[]> diagnostics = Map.of();

    /// CGP: correlated Gaussian processes (independent ones where the settings say so), timed by no clock.
    public CgpExplorer(DesignSpace space, Encoder encoder, EvaluatorInfo info, BayesSettings settings, long seed) {
        this("cgp", space, encoder, info, settings, gaussianProcesses(settings), seed, () -> 0);
    }

    /// Any surrogate, of which nothing is known beforehand.
    public CgpExplorer(
            String name,
            DesignSpace space,
            Encoder encoder,
            EvaluatorInfo info,
            BayesSettings settings,
            Model.Trainer trainer,
            long seed,
            LongSupplier nanoClock) {
        this(name, space, encoder, info, settings, trainer, seed, nanoClock, List.of(), Optional.empty());
    }

    /// Any surrogate.
    ///
    /// @param name as on the command line
    /// @param space what to search
    /// @param encoder features of a configuration
    /// @param info fidelities, metrics and typical costs
    /// @param settings see there
    /// @param trainer fits the surrogate of one fidelity
    /// @param seed of everything random
    /// @param nanoClock nanoseconds for the diagnostics' timings; decides nothing
    /// @param objectives the run's, in order; needed with a guess only
    /// @param guess the prior mean of the objectives; decides half of the first designs too
    public CgpExplorer(
            String name,
            DesignSpace space,
            Encoder encoder,
            EvaluatorInfo info,
            BayesSettings settings,
            Model.Trainer trainer,
            long seed,
            LongSupplier nanoClock,
            List<Metric> objectives,
            Optional<Guess> guess) {
        this(
                name,
                space,
                encoder,
                info,
                settings,
                trainer,
                seed,
                nanoClock,
                guess.flatMap(g -> PriorMean.of(g, objectives, info.top())),
                new WarmStarts());
    }

    private CgpExplorer(
            String name,
            DesignSpace space,
            Encoder encoder,
            EvaluatorInfo info,
            BayesSettings settings,
            Model.Trainer trainer,
            long seed,
            LongSupplier nanoClock,
            Optional<PriorMean> prior,
            WarmStarts warmStarts) {
        this.name = name;
        this.space = space;
        this.info = info;
        this.prior = prior;
        // A guess takes milliseconds a design, features take microseconds.
        this.settings = prior.isPresent()
                ? settings.with(new BayesSettings.Pool(
                        Math.min(settings.pool().whole(), GUESSED),
                        Math.min(settings.pool().uniform(), GUESSED / 2),
                        Math.min(settings.pool().neighbours(), GUESSED / 4)))
                : settings;
        this.trainer = trainer;
        this.seed = seed;
        this.nanoClock = nanoClock;
        this.candidates = new CandidatePool(space, encoder, this.settings, seed, prior);
        this.warmStarts = warmStarts;
        this.second = settings.choosing().stall() == BayesSettings.Stall.EXACT_AND_LOOK
                        && settings.limits().bounds().isEmpty()
                ? Optional.of(secondOpinion(encoder, settings))
                : Optional.empty();
    }

    /// Other processes for the same search, whose warm starts are kept among this one's.
    private CgpExplorer secondOpinion(Encoder encoder, BayesSettings own) {
        BayesSettings other = BayesSettings.FPL18.with(own.pool()).with(own.limits());
        return new CgpExplorer(
                SECOND_OPINION,
                space,
                encoder,
                info,
                other,
                gaussianProcesses(other),
                seed,
                () -> 0,
                Optional.empty(),
                warmStarts.part(SECOND));
    }

    /// The surrogate of CGP under these settings.
    public static Model.Trainer gaussianProcesses(BayesSettings settings) {
        var joint = new ProcessTrainer(settings.learning().gp());
        return switch (settings.learning().objectives()) {
            case CORRELATED -> joint;
            case INDEPENDENT -> IndependentOutputs.trainer(joint);
            case LIKELIER -> ChosenModel.trainer(List.of(joint, IndependentOutputs.trainer(joint)));
        };
    }

    @Override
    public String name() {
        return name;
    }

    /// Nested random sets: [BayesSettings.FirstDesigns#upward] designs to the highest fidelity, the others to the
    /// lowest. With [BayesSettings.Start#SCREENED] three times as many to the lowest alone, where that is
    /// cheap: some of them are run further by the first steps. Where the tool time is limited a third of those; the
    /// first step adds what there is room for.
    @Override
    public List<Proposal> initial() {
        if (isScreened()) {
            return screening(screenedFirst(screened()));
        }
        List<Configuration> drawn = first(settings.start().designs());
        List<Proposal> proposals = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            Fidelity upTo = i < settings.start().upward()
                    ? info.top()
                    : info.fidelities().getFirst();
            proposals.add(Proposal.of(drawn.get(i), upTo, "initial design"));
        }
        return proposals;
    }

    private List<Proposal> screening(List<Configuration> designs) {
        return designs.stream()
                .map(c -> Proposal.of(c, info.fidelities().getFirst(), "initial screening"))
                .toList();
    }

    /// The designs of the start, if all of them are screened.
    private List<Configuration> startDesigns() {
        if (startDesigns.isEmpty()) {
            startDesigns = first(SCREENED * settings.start().designs());
        }
        return startDesigns;
    }

    private boolean isTimed() {
        return !Double.isInfinite(settings.limits().budget().toolSeconds());
    }

    /// These in the order they are screened: where the tool time is limited the least ones first, as they tell
    /// nearly as much and a large one may take longer than all others together.
    private List<Configuration> screened() {
        return isTimed()
                ? startDesigns().stream()
                        .sorted(Comparator.comparingDouble(NearSource::distance))
                        .toList()
                : startDesigns();
    }

    /// Those of them that are screened before anything is known of what that takes.
    private List<Configuration> screenedFirst(List<Configuration> screened) {
        return isTimed()
                ? screened.subList(0, Math.min(screened.size(), settings.start().designs()))
                : screened;
    }

    /// The designs still to screen that a limited tool time leaves room for, judged by the first ones
    /// alone, and so the same at every step.
    private List<Configuration> furtherScreened(History history) {
        if (!isScreened() || !isTimed()) {
            return List.of();
        }
        List<Configuration> all = screened();
        List<Configuration> first = screenedFirst(all);
        int more = StartBudget.furtherScreened(
                first.stream()
                        .flatMap(c -> history.find(c, info.fidelities().getFirst()).stream())
                        .mapToDouble(Evaluation::costSeconds)
                        .toArray(),
                settings.limits().budget().toolSeconds(),
                all.size() - first.size());
        return all.subList(first.size(), first.size() + more);
    }

    /// Drawn at random; with a prior mean half of them are those it calls good.
    private List<Configuration> first(int count) {
        SplittableRandom random = StepRandom.of(seed, 0);
        Set<Configuration> chosen = new LinkedHashSet<>(candidates.promising((count + 1) / 2, random));
        chosen.addAll(Candidates.draw(space, chosen, count - chosen.size(), random));
        List<Configuration> mixed = new ArrayList<>(chosen);
        if (prior.isPresent()) {
            Collections.shuffle(mixed, random);
        }
        return mixed;
    }

    private boolean isScreened() {
        double lowest =
                info.typicalSeconds().getOrDefault(info.fidelities().getFirst().name(), 0.0);
        double full = info.typicalSeconds().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        return settings.start().kind() == BayesSettings.Start.SCREENED
                && info.fidelities().size() > 1
                && full > 0
                && lowest <= BayesSettings.Screening.CHEAP.longest() * full;
    }

    /// Runs in full of a start with screening.
    private int firstRuns() {
        return StartBudget.runs(
                settings.limits().budget().steps(), (3 * settings.start().designs() + 2) / 4);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Objectives objectives = history.objectives()
                .orElseThrow(() -> new IllegalStateException("the objectives have to be fixed before the first step"));
        objectives.metrics().stream()
                .filter(m -> !info.reports(info.top(), m.name()))
                .findFirst()
                .ifPresent(m -> {
                    throw new UserError("Objective '" + m.name() + "' is not reported at " + info.top() + " by "
                            + info.name() + "; choose objectives among what it reports there.");
                });
        List<Configuration> further = furtherScreened(history);
        if (further.stream().anyMatch(c -> history.highestRank(c) < 0)
                && history.pending().stream().noneMatch(p -> further.contains(p.configuration()))) {
            return screening(
                    further.stream().filter(c -> history.highestRank(c) < 0).toList());
        }
        // Screening in two parts draws what follows as screening in one does.
        SplittableRandom random = StepRandom.of(seed, history.asks() + (further.isEmpty() ? 1 : 0));
        long started = nanoClock.getAsLong();
        Observations observations = Observations.of(
                history,
                info,
                objectives,
                candidates::features,
                prior.map(PriorMean::columns).orElse(0),
                settings);
        Set<Configuration> finished = new HashSet<>();
        for (Observations.Design d : observations.designs()) {
            if (d.state() != Observations.State.MEASURED
                    || d.highestRank() == info.top().rank()) {
                finished.add(d.configuration());
            }
        }
        finished.addAll(history.inFlight());
        if (isScreened()) {
            List<Proposal> first = new ScreenedStart(observations, info, history, startDesigns())
                    .further(firstRuns(), settings.limits().budget().toolSeconds());
            if (!first.isEmpty()) {
                return first.stream().limit(count).toList();
            }
        }
        if (!topIsUsable(observations, objectives)) {
            Set<Configuration> known = new HashSet<>(finished);
            observations.designs().forEach(d -> known.add(d.configuration()));
            boolean isRefused = observations.designs().stream().anyMatch(d -> d.state() == Observations.State.INVALID);
            List<Configuration> drawn = isRefused
                    ? NearSource.draw(space, known, count, random)
                    : Candidates.draw(space, known, count, random);
            String how = isRefused ? "near the source" : "random";
            return drawn.stream()
                    .map(c -> new Proposal(
                            c,
                            info.top(),
                            Double.NaN,
                            Optional.empty(),
                            how + ": too few results at " + info.top() + " to learn from"))
                    .toList();
        }
        FidelityLadder ladder = fit(observations);
        long fitted = nanoClock.getAsLong();
        CandidatePool.Batch batch = draw(random, observations, objectives, finished);
        long drawn = nanoClock.getAsLong();
        ValidityModel validity = settings.learning().invalid() != BayesSettings.Invalid.PENALISED
                ? ValidityModel.of(
                        observations,
                        history,
                        info,
                        new ProcessTrainer(settings.learning().gp()),
                        warmStarts.get(VALIDITY),
                        seed)
                : ValidityModel.certain();
        validity.parameters().ifPresent(p -> warmStarts.put(VALIDITY, p));
        if (settings.learning().invalid() == BayesSettings.Invalid.EXPECTED) {
            observations = LadderPredictions.refusedAsExpected(observations, info, objectives, ladder);
            ladder = ladder.given(observations.ladder());
        }
        Deadline deadline = deadline(history, batch);
        deadline.parameters().ifPresent(p -> warmStarts.put(TOOL_TIME, p));
        var step = new BayesStep(
                settings,
                info,
                objectives,
                candidates,
                observations,
                ladder,
                batch,
                finished,
                random.nextLong(),
                settings.choosing().cost().of(info, history),
                validity,
                deadline,
                nanoClock);
        for (Proposal p : history.pending()) {
            step.imagine(p.configuration(), p.upTo());
        }
        List<Proposal> proposals = step.choose(count);
        long chosen = nanoClock.getAsLong();
        double posterior = step.posteriorSeconds();
        diagnose(
                ladder,
                observations,
                step,
                history,
                Map.of(
                        "seconds.fit",
                        (fitted - started) * 1e-9,
                        "seconds.candidates",
                        (drawn - fitted) * 1e-9,
                        "seconds.posterior",
                        posterior,
                        "seconds.acquisition",
                        (chosen - drawn) * 1e-9 - posterior));
        return step.isStalled() && history.asks() % 2 == 1 && expectsTooLittle()
                ? opinion(history, count, deadline).orElse(proposals)
                : proposals;
    }

    private boolean expectsTooLittle() {
        double[] told = diagnostics.get(Termination.RUN_PROMISE);
        return told != null && told[0] < Termination.LEAST_PROMISE;
    }

    /// The choice of the second opinion, as far as it is likely to end in time.
    private Optional<List<Proposal>> opinion(History history, int count, Deadline deadline) {
        return second.map(other -> other.ask(history, count).stream()
                        .filter(p -> deadline.worth(p.configuration()) > 0.5)
                        .map(p -> new Proposal(
                                p.configuration(), p.upTo(), p.acquisition(), p.prediction(), SECOND_OPINION))
                        .toList())
                .filter(chosen -> !chosen.isEmpty());
    }

    private Deadline deadline(History history, CandidatePool.Batch batch) {
        return settings.choosing().fidelity() == BayesSettings.FidelityRule.STAGED
                ? Deadline.of(
                        history,
                        info,
                        settings.limits().budget().toolSeconds(),
                        batch,
                        candidates::features,
                        new ProcessTrainer(settings.learning().gp()),
                        warmStarts.get(TOOL_TIME),
                        seed)
                : Deadline.NONE;
    }

    private boolean topIsUsable(Observations observations, Objectives objectives) {
        return !observations.levels().isEmpty()
                && observations.levels().getLast().fidelity().rank()
                        == info.top().rank()
                && Arrays.stream(observations.levels().getLast().outputs())
                                .filter(j -> j < objectives.count())
                                .count()
                        == objectives.count();
    }

    private FidelityLadder fit(Observations observations) {
        List<String> names =
                observations.levels().stream().map(l -> l.fidelity().name()).toList();
        // The seed is the run's: a refit from several starts tries the same ones.
        FidelityLadder ladder = FidelityLadder.fit(
                observations.ladder(),
                trainer,
                names.stream().map(warmStarts::get).toList(),
                seed);
        for (int k = 0; k < names.size(); k++) {
            warmStarts.put(names.get(k), ladder.models().get(k).parameters());
        }
        return ladder;
    }

    private CandidatePool.Batch draw(
            SplittableRandom random, Observations observations, Objectives objectives, Set<Configuration> finished) {
        var front = new ParetoFront<Configuration>(objectives.count());
        List<Configuration> upward = new ArrayList<>();
        for (Observations.Design d : observations.designs()) {
            if (d.state() == Observations.State.MEASURED && d.has(info.top().rank())) {
                double[] y = Arrays.copyOf(d.values()[info.top().rank()], objectives.count());
                if (Arrays.stream(y).noneMatch(Double::isNaN) && observations.keepsBounds(d)) {
                    front.add(y, d.configuration());
                }
            }
            if (!finished.contains(d.configuration())) {
                upward.add(d.configuration());
            }
        }
        return candidates.draw(
                random, front.members().stream().map(ParetoFront.Member::item).toList(), upward, finished);
    }

    private void diagnose(
            FidelityLadder ladder,
            Observations observations,
            BayesStep step,
            History history,
            Map<String, Double> seconds) {
        var all = new LinkedHashMap<String, double[]>();
        seconds.forEach((part, value) -> all.put(part, new double[] {value}));
        all.put("candidates", new double[] {step.size()});
        if (tellsPromise() && !Double.isNaN(step.promise().gain())) {
            promise(step, history, observations, all);
        }
        for (int k = 0; k < observations.levels().size(); k++) {
            String fidelity = observations.levels().get(k).fidelity().name();
            Model surrogate = ladder.models().get(k);
            all.put(
                    fidelity + ".designs",
                    new double[] {observations.levels().get(k).rows().length});
            all.put(fidelity + ".acquisition", new double[] {step.best(k)});
            all.put(fidelity + ".fitness", new double[] {surrogate.fitness()});
            surrogate.diagnostics().forEach((key, value) -> {
                if (!key.equals("jitter") || value[0] > NOTABLE_JITTER) {
                    all.put(fidelity + "." + key, value);
                }
            });
        }
        diagnostics = Map.copyOf(all);
    }

    /// Tells what is to be expected of the next run and of the next hour: what the processes expect, times what came
    /// of such promises.
    private void promise(BayesStep step, History history, Observations observations, Map<String, double[]> told) {
        double now = PromiseRecord.spent(history);
        double promised = step.promise().gain();
        var record = new PromiseRecord(warmStarts.get(PROMISES).orElse(new double[0]));
        PromiseRecord.Held held = record.held(
                now,
                step.runSeconds(),
                promised,
                PromiseRecord.arrivals(history, info, observations),
                observations.units());
        warmStarts.put(PROMISES, record.and(now, promised));
        double runs = HOUR / step.runSeconds();
        ExpectedGain expected = step.promise().times(held.factor(promised));
        ExpectedGain hour = expected.ofRuns(runs, step.left());
        told.put(Termination.PROMISE, new double[] {hour.gain(), hour.low(), hour.high()});
        told.put(Termination.RUN_PROMISE, new double[] {expected.gain()});
        told.put(Termination.RUNS_SPENT, new double[] {now / step.runSeconds()});
        told.put(PROMISE_RECORD, new double[] {promised, held.runs(), held.promised(), held.came(), runs, step.left()});
    }

    @Override
    public String state() {
        return warmStarts.text();
    }

    @Override
    public void restore(String state) {
        warmStarts.restore(state);
    }

    @Override
    public boolean tellsPromise() {
        return settings.start().kind() == BayesSettings.Start.SCREENED;
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return diagnostics;
    }
}

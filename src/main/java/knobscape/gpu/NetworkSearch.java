package knobscape.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.explore.Experience;
import knobscape.explore.Exploration;
import knobscape.explore.Scheduler;
import knobscape.explore.SearchStanding;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.gpu.export.ImportedLog;
import knobscape.gpu.history.KernelExperience;
import knobscape.gpu.search.Finish;
import knobscape.gpu.search.KernelRounds;
import knobscape.gpu.search.LeadersFirst;
import knobscape.gpu.search.RunRecords;
import knobscape.gpu.search.TailExplorer;
import knobscape.gpu.search.TaskScheduler;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.search.TuningProblem;
import knobscape.gpu.search.TurnScheduler;
import knobscape.gpu.search.ValidFirst;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.template.Schedule;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;

/// The searches of a run over the kernels of a network, and after them over the other tails.
///
/// @param budget measurements allowed in all
/// @param log records of elsewhere that count as measured; empty where there are none
record NetworkSearch(
        GpuSettings settings,
        TunableNetwork network,
        RunSettings run,
        TuningMethod method,
        int budget,
        Optional<ImportedLog> log) {
    /// Makes the evaluator of a kernel with what is fused behind it.
    interface Evaluators {
        Evaluator of(NetworkKernel kernel, Optional<FusedTail> tail);
    }

    /// The run made ready.
    ///
    /// @param canRun a check that costs little next to a measurement
    /// @param closing closes what the evaluators stand on
    RunPlan plan(Evaluators evaluators, Predicate<Schedule> canRun, Runnable closing) {
        List<NetworkKernel> kernels = network.kernels();
        List<Evaluator> searched = kernels.stream()
                .map(k -> evaluators.of(k, k.tails().stream().findFirst()))
                .toList();
        // Read before anything runs, so that a file that is not there is said at once.
        var records = new RunRecords(
                settings.weights().filter(_ -> method.graph().isPresent()).map(WeightsUse::model));
        var history = new KernelHistory(settings, network, run.toolchain());
        List<List<Experience.Earlier>> earlier =
                history.earlier(searched.stream().map(Evaluator::info).toList());
        List<TuningProblem> problems = IntStream.range(0, kernels.size())
                .mapToObj(k -> TuningProblem.of(kernels.get(k), searched.get(k).info(), settings.features(), run.seed())
                        .with(c -> kernels.get(k).schedule(c).map(canRun::test).orElse(true))
                        .with(KernelExperience.of(kernels.get(k), earlier.get(k)))
                        .with(records))
                .toList();
        List<TailExplorer> tails = network.otherTails().stream()
                .map(t -> new TailExplorer(t.kernel(), problems.get(t.kernel())))
                .toList();
        boolean again = !settings.isMeasured()
                && !EvaluatorKind.TOLD.isOf(run.toolchain())
                && searched.stream().noneMatch(e -> KernelHistory.isModel(e.info()));
        List<KernelRounds> rounds = problems.stream().map(KernelRounds::new).toList();
        var finish = new Finish(again ? rounds : List.of(), tails);
        long start = System.nanoTime();
        DoubleSupplier timeUsed =
                () -> settings.minutes() > 0 ? (System.nanoTime() - start) / (settings.minutes() * 60e9) : 0;
        int[] leaders = KernelExperience.leaders(kernels);
        var leadersFirst = new LeadersFirst(leaders, finish, budget, run.earlyStop(), timeUsed);
        var byGain = new TaskScheduler(
                kernels.stream()
                        .map(k -> new TaskScheduler.Task(k.count(), k.flops(), k.tag()))
                        .toList(),
                finish,
                budget,
                run.earlyStop(),
                settings.minutes() > 0,
                timeUsed);
        TurnScheduler scheduler = method.hasLeaders() ? leadersFirst : byGain;
        var subjects = new ArrayList<Subject>();
        for (int k = 0; k < kernels.size(); k++) {
            TuningProblem p = method.hasLeaders()
                    ? problems.get(k)
                            .part(
                                    leadersFirst.trials(k),
                                    leader(
                                            history,
                                            searched.get(leaders[k]).info(),
                                            leadersFirst,
                                            leaders[k],
                                            k,
                                            earlier.get(k)))
                    : problems.get(k);
            NetworkKernel kernel = kernels.get(k);
            List<Evaluation> known = log.isPresent() ? log.get().of(k) : List.of();
            var explorer = new ValidFirst(
                    method.factory().apply(p),
                    p,
                    c -> kernel.schedule(c).map(canRun::test).orElse(true),
                    scheduler,
                    known.size(),
                    again ? Optional.of(rounds.get(k)) : Optional.empty());
            subjects.add(new Subject(
                    kernel.id(),
                    kernel.count(),
                    kernel.space(),
                    explorer,
                    searched.get(k),
                    List.of(p.metric()),
                    method.batch(),
                    new Termination.Never(),
                    known));
        }
        for (int t = 0; t < tails.size(); t++) {
            TunableNetwork.Tail tail = network.otherTails().get(t);
            NetworkKernel kernel = kernels.get(tail.kernel());
            subjects.add(new Subject(
                    kernel.id()
                            + GpuWorkbench.OTHER_TAIL
                            + tail.tail().epilogue().id(),
                    tail.tail().count(),
                    kernel.space(),
                    tails.get(t),
                    evaluators.of(kernel, Optional.of(tail.tail())),
                    List.of(problems.get(tail.kernel()).metric()),
                    1,
                    new Termination.Never(),
                    List.of()));
        }
        return new RunPlan(
                subjects,
                new Scheduler() {
                    @Override
                    public OptionalInt next(List<SearchStanding> standings, List<Integer> turns) {
                        records.look(standings);
                        return scheduler.next(standings, turns);
                    }

                    @Override
                    public String ended() {
                        return scheduler.ended();
                    }
                },
                new Exploration.Settings(run.seed(), Integer.MAX_VALUE, 0, 0, run.parallel(), run.waitFactor()),
                closing);
    }

    /// Of a kernel that is not the first of its group, what the first adds to what was known.
    private Optional<Supplier<Optional<Experience>>> leader(
            KernelHistory history,
            EvaluatorInfo info,
            LeadersFirst turns,
            int leader,
            int kernel,
            List<Experience.Earlier> earlier) {
        if (leader == kernel) {
            return Optional.empty();
        }
        List<NetworkKernel> kernels = network.kernels();
        return Optional.of(() -> turns.trace(leader)
                .map(h -> KernelExperience.of(
                        kernels.get(kernel),
                        Stream.concat(
                                        Stream.of(history.trace(kernels.get(leader), info, h.evaluations())),
                                        earlier.stream())
                                .toList())));
    }
}

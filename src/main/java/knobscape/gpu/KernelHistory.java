package knobscape.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Provenance;
import knobscape.explore.Experience;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.history.EarlierBests;
import knobscape.gpu.history.HistoryTasks;
import knobscape.gpu.history.KernelExperience;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.HistoryUse;
import knobscape.work.history.TuningHistory;

/// The tuning history as one run on the kernels of a network sees it.
///
/// @param toolchain the run's
record KernelHistory(GpuSettings settings, TunableNetwork network, String toolchain) {
    /// By kernel, what is known before the run begins.
    ///
    /// @param answering by kernel, its evaluator
    List<List<Experience.Earlier>> earlier(List<EvaluatorInfo> answering) {
        List<NetworkKernel> kernels = network.kernels();
        if (settings.history().isEmpty()) {
            return kernels.stream().map(_ -> List.<Experience.Earlier>of()).toList();
        }
        HistoryUse use = settings.history().get();
        try (TuningHistory history = TuningHistory.existing(Path.of(use.file()))) {
            return IntStream.range(0, kernels.size())
                    .mapToObj(k -> KernelExperience.earlier(
                            history, use.upTo(), kernels.get(k), device(answering.get(k)), isModel(answering.get(k))))
                    .toList();
        }
    }

    /// The run's own measurements of a kernel, for others to learn from.
    Experience.Earlier trace(NetworkKernel kernel, EvaluatorInfo info, List<Evaluation> measured) {
        return KernelExperience.trace(kernel, device(info), isModel(info), measured);
    }

    static boolean isModel(EvaluatorInfo info) {
        return info.source() == Provenance.Source.MODEL;
    }

    private String device(EvaluatorInfo info) {
        return settings.isMeasured()
                ? HistoryTasks.of(network.kernels().getFirst().measured().orElseThrow())
                        .device()
                : HistoryTasks.device(
                        toolchain, ScheduleEvaluator.hardware(info).orElse(""));
    }

    /// The results reached before for the kernels, as far as the run saw the history; empty where it saw none, or the
    /// history is gone.
    ///
    /// @param info of the evaluator that answered
    Optional<EarlierBests> reached(EvaluatorInfo info) {
        return settings.history()
                .filter(u -> Files.isRegularFile(Path.of(u.file())))
                .map(u -> {
                    try (TuningHistory history = TuningHistory.existing(Path.of(u.file()))) {
                        int kernels = network.kernels().size();
                        return EarlierBests.of(history, u.upTo(), tasks(Collections.nCopies(kernels, info)));
                    }
                });
    }

    /// The names of the run's subjects in the history.
    ///
    /// @param answering by subject, its evaluator
    List<HistoryTask> tasks(List<EvaluatorInfo> answering) {
        if (settings.isMeasured()) {
            return List.of(
                    HistoryTasks.of(network.kernels().getFirst().measured().orElseThrow()));
        }
        var tasks = new ArrayList<HistoryTask>();
        for (int s = 0; s < answering.size(); s++) {
            int kernels = network.kernels().size();
            NetworkKernel k = network.kernels()
                    .get(s < kernels ? s : network.otherTails().get(s - kernels).kernel());
            FusedTail tail = s < kernels
                    ? k.tails().getFirst()
                    : network.otherTails().get(s - kernels).tail();
            EvaluatorInfo info = answering.get(s);
            tasks.add(HistoryTasks.of(
                    k.source().orElseThrow(),
                    tail.epilogue().id(),
                    NetworkKernel.words(k.source().orElseThrow().workload()),
                    device(info),
                    "",
                    isModel(info)));
        }
        return tasks;
    }
}

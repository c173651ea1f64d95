package knobscape.gpu.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.Quantization;
import knobscape.network.task.TuningTask;
import knobscape.network.task.Workload;

/// The tail that a network fuses behind a kernel, and at how many of its places.
///
/// @param epilogue the steps that the kernel does itself
/// @param count places of the network that end so
public record FusedTail(Epilogue epilogue, int count) {
    /// No steps at any place: what a task has where fusion is left out.
    static List<FusedTail> none(TuningTask task) {
        return List.of(new FusedTail(Epilogue.NONE, task.count()));
    }

    /// The distinct tails of a task's places, the most frequent first: a schedule is searched for with that
    /// one, because most of the task's time is spent there. Of equally frequent ones the one with more steps
    /// comes first (it needs the most registers and traffic, so a schedule found with it runs with the others
    /// too), then the one met first.
    ///
    /// @param integers how a place is quantised, where the task is on 8-bit integers
    static List<FusedTail> of(TuningTask task, Function<Subgraph, Optional<Quantization>> integers) {
        Map<Epilogue, Integer> counts = new LinkedHashMap<>();
        for (Subgraph s : task.subgraphs()) {
            counts.merge(
                    integers.apply(s)
                            .map(q -> ofIntegers(task.workload(), s, q))
                            .orElseGet(() -> Epilogue.of(s.tail())),
                    1,
                    Integer::sum);
        }
        return counts.entrySet().stream()
                .map(e -> new FusedTail(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingInt(FusedTail::count)
                        .thenComparingInt(t -> t.epilogue.steps().size())
                        .reversed())
                .toList();
    }

    /// Behind sums of integers: their scale, the bias with what the zero point adds, the place's own steps, and, where
    /// the
    /// result is rounded at once and its channels fill words, the rounding.
    private static Epilogue ofIntegers(Workload work, Subgraph s, Quantization q) {
        var steps = new ArrayList<Epilogue.Step>(List.of(new Epilogue.Rescale(), new Epilogue.Bias()));
        List<Epilogue.Step> all = Epilogue.of(s.tail()).steps();
        // A bias behind other steps is not the one that the zero point goes into.
        int bias = all.indexOf(new Epilogue.Bias());
        List<Epilogue.Step> own = bias > 0 ? all.subList(0, bias) : all;
        own.stream().filter(x -> !(x instanceof Epilogue.Bias)).forEach(steps::add);
        long channels = work instanceof Workload.Conv2d c ? c.filters() : ((Workload.Dense) work).n();
        if (own.size() == s.tail().size() && channels % 4 == 0) {
            q.result().ifPresent(r -> {
                steps.add(new Epilogue.Linear(1 / r.scale(), r.zero()));
                steps.add(new Epilogue.Quantize(r.unsigned()));
            });
        }
        return new Epilogue(steps);
    }

    /// Places of a task whose last steps no kernel can do itself, so that another kernel has to.
    static long cut(TuningTask task) {
        return task.subgraphs().stream()
                .filter(s -> Epilogue.of(s.tail()).steps().size() < s.tail().size())
                .count();
    }
}

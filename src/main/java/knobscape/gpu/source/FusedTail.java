package knobscape.gpu.source;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.TuningTask;

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
    static List<FusedTail> of(TuningTask task) {
        Map<Epilogue, Integer> counts = new LinkedHashMap<>();
        for (Subgraph s : task.subgraphs()) {
            counts.merge(Epilogue.of(s.tail()), 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(e -> new FusedTail(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingInt(FusedTail::count)
                        .thenComparingInt(t -> t.epilogue.steps().size())
                        .reversed())
                .toList();
    }

    /// Places of a task whose last steps no kernel can do itself, so that another kernel has to.
    static long cut(TuningTask task) {
        return task.subgraphs().stream()
                .filter(s -> Epilogue.of(s.tail()).steps().size() < s.tail().size())
                .count();
    }
}

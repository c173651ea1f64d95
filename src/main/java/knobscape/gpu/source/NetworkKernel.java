package knobscape.gpu.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.TuningTask;
import knobscape.network.task.TuningTasks;

/// A kernel of a network: a tuning task by one of its templates, with the tails of the task's places.
///
/// @param task the work and its places
/// @param template how it is computed
/// @param tails the most frequent first; never empty
public record NetworkKernel(TuningTask task, Template template, List<FusedTail> tails) {
    /// Tasks that a note names before it only counts them.
    private static final int NAMED = 6;

    /// Copies the list.
    public NetworkKernel {
        tails = List.copyOf(tails);
    }

    /// The kernels of a network in the order of its tasks.
    ///
    /// @param allTemplates every template of a task, or only the first
    /// @param fused with the tails of the places, or bare
    /// @param notes told in a sentence what is left out
    public static List<NetworkKernel> of(TuningTasks tasks, boolean allTemplates, boolean fused, Consumer<String> notes) {
        var kernels = new ArrayList<NetworkKernel>();
        var cut = new ArrayList<String>();
        for (TuningTask t : tasks.tasks()) {
            Template.obstacle(t.workload()).ifPresent(why -> notes.accept(t.name() + " (" + t.workload().id() + ") is left out: " + why + "."));
            List<Template> templates = Template.of(t.workload());
            for (Template template : allTemplates ? templates : templates.stream().limit(1).toList()) {
                kernels.add(new NetworkKernel(t, template, fused ? FusedTail.of(t) : FusedTail.none(t)));
            }
            if (fused && !templates.isEmpty() && FusedTail.cut(t) > 0) {
                cut.add(t.name());
            }
        }
        if (!cut.isEmpty()) {
            int shown = Math.min(NAMED, cut.size());
            String more = cut.size() > shown ? " and " + (cut.size() - shown) + " more" : "";
            notes.accept("The last steps behind " + String.join(", ", cut.subList(0, shown)) + more + " are more than these kernels do, or of another kind; they are left to kernels of their own.");
        }
        return kernels;
    }
}

package knobscape.app.ui.gpu;

import knobscape.gpu.source.NetworkKernel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.gpu.space.template.Schedule;
import knobscape.space.Configuration;

/// What a run has found for a network at a moment.
///
/// @param kernels of the network, none where none is open
/// @param states of the kernels, in their order
record TunedKernels(List<NetworkKernel> kernels, List<KernelState> states) {
    /// The best schedule of a kernel so far, with the tail it was searched with. Making it costs milliseconds.
    Optional<Schedule> best(int kernel) {
        return kernel < 0 || kernel >= Math.min(kernels.size(), states.size()) ? Optional.empty() : states.get(kernel).best().flatMap(kernels.get(kernel)::schedule);
    }

    /// The best schedules of a kernel, one for each distinct tail, by the tail's id; the one it was searched with first.
    Map<String, Schedule> bestOfEachTail(int kernel) {
        Map<String, Schedule> all = new LinkedHashMap<>();
        best(kernel).ifPresent(first -> {
            all.put(first.epilogue().id(), first);
            Map<String, Configuration> tailed = states.get(kernel).tailed();
            kernels.get(kernel).tails().stream().skip(1)
                    .forEach(t -> all.put(t.epilogue().id(), first.template().schedule(tailed.getOrDefault(t.epilogue().id(), first.configuration()), t.epilogue())));
        });
        return all;
    }

    /// Milliseconds of all places of all tasks, each task by its fastest template; NaN until each has one.
    double latencyMilliseconds() {
        Map<String, Double> tasks = new HashMap<>();
        for (int k = 0; k < kernels.size(); k++) {
            double ms = k < states.size() ? states.get(k).placesMilliseconds() : Double.NaN;
            tasks.merge(kernels.get(k).task(), ms, (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b));
        }
        return tasks.isEmpty() ? Double.NaN : tasks.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}

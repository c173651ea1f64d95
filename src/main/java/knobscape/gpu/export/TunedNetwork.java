package knobscape.gpu.export;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.gpu.space.template.Schedule;

/// What a run has found for the kernels of a network at a moment.
///
/// @param states of the kernels, in the order of the network's tasks; none where no network is open
public record TunedNetwork(List<KernelState> states) {
    /// Copies the list.
    public TunedNetwork {
        states = List.copyOf(states);
    }

    /// The better one last: the one with more kernels that ran, of equals the one with the lower latency.
    public static Comparator<TunedNetwork> byResult() {
        return Comparator.<TunedNetwork>comparingLong(
                        t -> t.states.stream().filter(s -> s.best().isPresent()).count())
                .thenComparing(
                        t -> t.states.stream()
                                .filter(s -> s.best().isPresent())
                                .mapToDouble(KernelState::placesMilliseconds)
                                .sum(),
                        Comparator.reverseOrder());
    }

    /// The best schedule of a kernel so far, with the tail it was searched with. Making it costs milliseconds.
    public Optional<Schedule> best(int kernel) {
        return kernel < 0 || kernel >= states.size()
                ? Optional.empty()
                : states.get(kernel).schedule();
    }

    /// The best schedules of a kernel, one for each distinct tail, by the tail's id; the one it was searched
    /// with first.
    public Map<String, Schedule> bestOfEachTail(int kernel) {
        return kernel < 0 || kernel >= states.size()
                ? Map.of()
                : states.get(kernel).schedules();
    }

    /// Milliseconds of all places of all tasks, each task by its fastest template; NaN until each has one.
    public double latencyMilliseconds() {
        Map<String, Double> tasks = new HashMap<>();
        states.forEach(s -> tasks.merge(
                s.kernel().task(),
                s.placesMilliseconds(),
                (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b)));
        return states.isEmpty()
                ? Double.NaN
                : tasks.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}

package knobscape.gpu.export;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import knobscape.gpu.space.template.Schedule;

/// The results of a run for the kernels of a network at a moment.
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

    /// True if its times are a model's, not measured.
    public boolean isModelled() {
        return states.stream().anyMatch(KernelState::isModelled);
    }

    /// The network's time before every task has run.
    ///
    /// @param milliseconds of all places of the tasks that have run
    /// @param left tasks that have not
    /// @param rest milliseconds that these take at least if none runs at a higher rate than the fastest so far; NaN
    /// where their operations are not counted
    public record SoFar(double milliseconds, int left, double rest) {
        /// `1.2 ms and at least 3.4 ms for 5 tasks at the best rate so far`.
        public String words() {
            return String.format(Locale.ROOT, "%.4g ms and ", milliseconds)
                    + (Double.isNaN(rest) ? "what is not known" : String.format(Locale.ROOT, "at least %.4g ms", rest))
                    + " for " + left + (left == 1 ? " task" : " tasks")
                    + (Double.isNaN(rest) ? "" : " at the best rate so far");
        }
    }

    /// The network's time so far, while some tasks have not run; empty where none has, or all have.
    public Optional<SoFar> soFar() {
        var measured = new HashMap<String, Double>();
        var flops = new HashMap<String, Double>();
        double rate = 0;
        for (KernelState s : states) {
            flops.merge(s.kernel().task(), s.kernel().totalFlops(), Math::max);
            double ms = s.placesMilliseconds();
            if (ms > 0) {
                measured.merge(s.kernel().task(), ms, Math::min);
                rate = Math.max(rate, s.kernel().totalFlops() / ms);
            }
        }
        flops.keySet().removeAll(measured.keySet());
        if (measured.isEmpty() || flops.isEmpty()) {
            return Optional.empty();
        }
        double left = flops.values().stream().mapToDouble(Double::doubleValue).sum();
        return Optional.of(new SoFar(
                measured.values().stream().mapToDouble(Double::doubleValue).sum(),
                flops.size(),
                flops.containsValue(0.0) || rate == 0 ? Double.NaN : left / rate));
    }

    /// Milliseconds of the whole network, of which tasks have their shares: tasks that have not run count as
    /// [SoFar#rest] says. NaN where nothing has run, or their operations are not counted.
    public double wholeMilliseconds() {
        return soFar().map(s -> s.milliseconds() + s.rest()).orElseGet(this::latencyMilliseconds);
    }

    /// Milliseconds of all places of all tasks, each task by its fastest template; NaN until each has one.
    public double latencyMilliseconds() {
        return sum(KernelState::placesMilliseconds);
    }

    /// Milliseconds of all places of all tasks with the first schedule of each that ran, each task by its faster
    /// template; NaN until each has one.
    public double firstMilliseconds() {
        return sum(s -> s.kernel().count() * s.firstMilliseconds());
    }

    private double sum(ToDoubleFunction<KernelState> milliseconds) {
        Map<String, Double> tasks = new HashMap<>();
        states.forEach(s -> tasks.merge(
                s.kernel().task(),
                milliseconds.applyAsDouble(s),
                (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b)));
        return states.isEmpty()
                ? Double.NaN
                : tasks.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}

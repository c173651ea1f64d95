package knobscape.hls.evaluate.estimator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.TripCount;
import knobscape.hls.space.Directive;

/// Estimates one kernel under any directives, from its source as the compiler sees it. Thread-safe. The reports asked
/// for last stay ready at hand.
public final class Estimator {
    private static final int REPORTS = 2_000;

    private final EstimatorSettings settings;
    private final Function<List<Directive>, EstimateReport> designs;
    private final Function<List<Directive>, List<LoopSchedule>> schedules;
    private final List<String> notes;
    private final Map<List<Directive>, EstimateReport> known = new LinkedHashMap<>(16, 0.75F, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Directive>, EstimateReport> eldest) {
            return size() > REPORTS;
        }
    };

    /// Prepares a kernel that was read by the compiler, for directives on top of its own.
    public Estimator(Kernel kernel, EstimatorSettings settings) {
        this(kernel, settings, _ -> false);
    }

    /// The same for designs of a space.
    ///
    /// @param controlled whether a design decides over a knob of that name: pragmas about it give way
    public Estimator(Kernel kernel, EstimatorSettings settings, Predicate<String> controlled) {
        this.settings = settings;
        var never = new CancellationSignal();
        var compiled = CompiledKernel.of(kernel, controlled, settings.unasked(), never);
        designs = compiled.designs(kernel, settings, never);
        schedules = compiled.schedules(kernel, settings, never);
        notes = Stream.concat(
                        compiled.unmodelled().stream(), kernel.loops().stream().flatMap(l -> assumption(l).stream()))
                .toList();
    }

    /// The settings in use.
    public EstimatorSettings settings() {
        return settings;
    }

    /// Assumptions about the kernel behind every figure (unknown trip counts, directives that are not modelled),
    /// one sentence each.
    public List<String> notes() {
        return notes;
    }

    private Optional<String> assumption(Loop loop) {
        TripCount t = loop.trip();
        String which = "the trip count of loop " + loop.id();
        return switch (t.certainty()) {
            case EXACT -> Optional.empty();
            case STATED -> Optional.of(which + " is the one stated in the source" + average(t));
            case MEASURED -> Optional.of(which + " was measured in a run" + average(t));
            case BOUNDED, UNKNOWN ->
                t.average().isPresent()
                        ? Optional.empty()
                        : t.max().isPresent()
                                ? Optional.of("loop " + loop.id() + " runs at most "
                                        + t.max().getAsLong() + " times; latency assumes "
                                        + switch (settings.trips().basis()) {
                                            case USUAL, WORST -> "that many";
                                            case MEAN -> "half as many";
                                            case BEST -> "the fewest";
                                        })
                                : Optional.of(which + " is unknown; latency assumes "
                                        + settings.trips().assumed());
        };
    }

    private static String average(TripCount t) {
        return t.average().isPresent() ? ": " + t.average().getAsDouble() + " on average" : "";
    }

    /// Figures of the stages from `hls` up to the one of rank `upTo` (0 .. 2); ends early with a stage that
    /// does not fit. Throws `IllegalArgumentException` where a directive names what the kernel does not have.
    public List<StageFigures> estimate(List<Directive> directives, int upTo) {
        List<StageFigures> all = explain(directives).stages();
        return all.subList(0, Math.min(all.size(), upTo + 1));
    }

    /// Schedules of the loops that are left under one choice of directives, the operations of an iteration cycle by
    /// cycle.
    public List<LoopSchedule> schedules(List<Directive> directives) {
        return schedules.apply(List.copyOf(directives));
    }

    /// Everything that was found about one choice of directives.
    public EstimateReport explain(List<Directive> directives) {
        List<Directive> key = List.copyOf(directives);
        synchronized (known) {
            EstimateReport before = known.get(key);
            if (before != null) {
                return before;
            }
        }
        EstimateReport made = designs.apply(key);
        synchronized (known) {
            known.put(key, made);
        }
        return made;
    }
}

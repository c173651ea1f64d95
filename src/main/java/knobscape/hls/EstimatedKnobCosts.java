package knobscape.hls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.StageFigures;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.space.Directive;
import knobscape.hls.space.KnobCosts;
import org.jspecify.annotations.Nullable;

/// [KnobCosts] by the built-in estimator: a directive is in vain where it makes neither the plain kernel nor the one
/// with pipelined innermost loops faster, and LUTs times cycles rise by more than [#MUCH] in one of the two. Such are
/// banks that are chosen while the design runs, by a division by a number that is no power of two or between loads and
/// stores that the tool can then no longer tell apart; and functions with several calls that are inlined.
final class EstimatedKnobCosts implements KnobCosts {
    static final double MUCH = 1.28;
    /// A latency this much smaller is a gain.
    private static final double FASTER = 0.99;

    /// An objective this much smaller makes a directive worth a knob.
    private static final double GAIN = 0.98;

    private static final int MOST_LOOPS = 100;
    private static final int MOST_ARRAYS = 40;

    private final Kernel kernel;
    private final EstimatorSettings settings;
    private final boolean large;
    private final Map<Directive, Boolean> known = new HashMap<>();

    private @Nullable Estimator estimator;
    private List<Context> contexts = List.of();

    /// Directives beside which one is tried.
    private record Context(List<Directive> directives, StageFigures figures) {}

    EstimatedKnobCosts(Kernel kernel, EstimatorSettings settings) {
        this.kernel = kernel;
        this.settings = settings;
        this.large = kernel.loops().size() > MOST_LOOPS || kernel.arrays().size() > MOST_ARRAYS;
    }

    @Override
    public synchronized boolean isVain(Directive directive) {
        return !large && known.computeIfAbsent(directive, this::ask);
    }

    /// In one of the two kernels at least one objective gets smaller by more than [#GAIN], and LUTs times cycles do
    /// not rise by more than [#MUCH].
    @Override
    public synchronized boolean pays(Directive directive, List<Directive> instead, List<Directive> beside) {
        if (large) {
            return false;
        }
        Estimator e = prepared();
        return contexts.stream().anyMatch(c -> {
            List<Directive> base = join(c.directives(), beside);
            Optional<StageFigures> with = last(e, join(base, List.of(directive)));
            List<StageFigures> others = Stream.of(List.<Directive>of(), instead)
                    .distinct()
                    .flatMap(d -> last(e, join(base, d)).stream())
                    .toList();
            return with.isPresent() && others.stream().allMatch(o -> isBetter(with.get(), o));
        });
    }

    private static boolean isBetter(StageFigures one, StageFigures other) {
        return one.latencyCycles() * one.lut() <= MUCH * other.latencyCycles() * other.lut()
                && (one.delayNs() < GAIN * other.delayNs()
                        || one.lut() < GAIN * other.lut()
                        || one.powerWatts() < GAIN * other.powerWatts());
    }

    private static List<Directive> join(List<Directive> a, List<Directive> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }

    /// Figures after implementation; empty where the design cannot be built.
    private static Optional<StageFigures> last(Estimator e, List<Directive> directives) {
        List<StageFigures> stages = e.estimate(directives, EstimatorEvaluator.IMPL.rank());
        return stages.size() > EstimatorEvaluator.IMPL.rank() ? Optional.of(stages.getLast()) : Optional.empty();
    }

    private boolean ask(Directive directive) {
        Estimator e = prepared();
        double worst = 0;
        for (Context c : contexts) {
            List<StageFigures> stages = e.estimate(
                    Stream.concat(c.directives().stream(), Stream.of(directive)).toList(), 1);
            if (stages.size() < 2 || isFaster(stages.getLast(), c.figures())) {
                return false;
            }
            StageFigures after = stages.getLast();
            worst = Math.max(
                    worst,
                    after.latencyCycles()
                            / c.figures().latencyCycles()
                            * (after.lut() / c.figures().lut()));
        }
        return worst > MUCH;
    }

    private static boolean isFaster(StageFigures after, StageFigures before) {
        return after.latencyCycles() < FASTER * before.latencyCycles();
    }

    private Estimator prepared() {
        if (estimator == null) {
            estimator = new Estimator(kernel, settings);
            List<Directive> pipelined = kernel.loops().stream()
                    .filter(this::isInnermost)
                    .<Directive>map(l -> new Directive.Pipeline(l.id(), true, 0))
                    .toList();
            contexts = contexts(estimator, List.of(List.of(), pipelined));
        }
        return estimator;
    }

    private static List<Context> contexts(Estimator e, List<List<Directive>> directives) {
        var found = new ArrayList<Context>();
        for (List<Directive> d : directives) {
            List<StageFigures> stages = e.estimate(d, 1);
            if (stages.size() == 2) {
                found.add(new Context(d, stages.getLast()));
            }
        }
        return found;
    }

    private boolean isInnermost(Loop loop) {
        return loop.children().isEmpty()
                && kernel.function(loop.function()).stream()
                        .flatMap(f -> f.callees().stream())
                        .allMatch(c ->
                                kernel.function(c).map(f -> f.loops().isEmpty()).orElse(true));
    }
}

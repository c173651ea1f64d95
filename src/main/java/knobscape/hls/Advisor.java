package knobscape.hls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.estimator.CompiledKernel;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.LoopCost;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import knobscape.hls.evaluate.estimator.StageFigures;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;

/// Tells where a kernel's cycles go and which directives save them: the loops that cost most, what limits each, and
/// the least directives that lift the limit, tried by estimates of the compiled source.
public final class Advisor {
    private static final int ROUNDS = 8;
    /// Designs tried; what is not tried counts as no better.
    private static final int MOST_ESTIMATES = 40;

    private static final EstimateReport REFUSED = new EstimateReport(
            List.of(StageFigures.none(0, "not estimated")),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Double.POSITIVE_INFINITY);
    private static final int MOST_BANKS = 32;
    private static final long MOST_REGISTERS = 256;
    private static final long MOST_WRITTEN_OUT = 64;
    /// Gain from which a change is worth a directive.
    private static final double GAIN = 0.995;

    private final Kernel kernel;
    private final Estimates estimates;
    private final Map<String, List<String>> bundles;
    private final Map<Remedy, EstimateReport> known = new HashMap<>();

    /// Estimates a design.
    @FunctionalInterface
    public interface Estimates {
        /// The estimate of the source as it stands with a remedy on top.
        EstimateReport of(Remedy remedy);
    }

    /// The changes.
    ///
    /// @param directives on top of the source's own
    /// @param bundles AXI port of arguments of the top, by name
    public record Remedy(List<Directive> directives, Map<String, String> bundles) {
        /// Nothing.
        public static final Remedy NONE = new Remedy(List.of(), Map.of());

        public Remedy {
            directives = List.copyOf(directives);
            bundles = Map.copyOf(bundles);
        }

        int size() {
            return directives.size() + bundles.size();
        }

        Remedy with(Directive d) {
            return new Remedy(Stream.concat(directives.stream(), Stream.of(d)).toList(), bundles);
        }

        Remedy without(Directive d) {
            return new Remedy(directives.stream().filter(x -> !x.equals(d)).toList(), bundles);
        }

        Remedy on(String argument, String bundle) {
            var all = new HashMap<>(bundles);
            all.put(argument, bundle);
            return new Remedy(directives, all);
        }
    }

    /// Advice on one loop, or on the overlap of a function's tasks.
    ///
    /// @param subject loop id, or the function whose tasks could overlap
    /// @param cycles that it takes by itself in one run
    /// @param share of all cycles, 0 to 1
    /// @param why what limits it
    /// @param remedy the least change found that lifts the limit, nothing where none does
    /// @param after the estimate with the remedy
    public record Advice(
            String subject, double cycles, double share, String why, Remedy remedy, EstimateReport after) {}

    /// A pragma that would lift a recurrence through an array.
    ///
    /// @param array its name in the source
    /// @param certain whether no iteration of the loop reads what an earlier one stored; else that is not known
    public record Assertion(String array, boolean certain) {
        /// The pragma, to be written into the loop.
        public String pragma() {
            return "#pragma HLS DEPENDENCE variable=" + array + " type=inter dependent=false";
        }
    }

    /// The pragma that tells the tool what it does not find out, where a loop is limited by a recurrence through an
    /// array; empty where the recurrence is there.
    public Optional<Assertion> assertion(Advice a) {
        return cost(before(), a.subject())
                .filter(c -> c.cause() == LoopCost.Cause.RECURRENCE)
                .flatMap(c -> named(c.through()).stream().findFirst())
                .filter(array -> array.elements() != 1)
                .flatMap(array -> kernel.loop(a.subject()).flatMap(loop -> {
                    List<Loop.Dependence> through = loop.dependences().stream()
                            .filter(d -> d.array() && d.variable().equals(array.id()))
                            .toList();
                    return through.stream().anyMatch(d -> d.distance().isPresent())
                            ? Optional.empty()
                            : Optional.of(new Assertion(array.variable(), through.isEmpty()));
                }));
    }

    /// @param bundles arguments of the top by AXI port
    public Advisor(Kernel kernel, Map<String, List<String>> bundles, Estimates estimates) {
        this.kernel = kernel;
        this.bundles = Map.copyOf(bundles);
        this.estimates = estimates;
    }

    /// An advisor for a kernel that was compiled.
    ///
    /// @param base directives that the project has beside the source's own; advice goes on top
    public static Advisor of(
            Kernel kernel, EstimatorSettings settings, List<Directive> base, CancellationSignal cancel) {
        var compiled = new CompiledKernel(
                kernel.compiled().orElseThrow(),
                Optional.of(kernel.top()),
                settings.unasked().assertsDependence(),
                cancel);
        var designs = compiled.designsAndPorts(kernel, settings, cancel);
        return new Advisor(kernel, compiled.bundles(), r -> designs.apply(onTop(base, r.directives()), r.bundles()));
    }

    /// A directive said again takes the place of the one before.
    private static List<Directive> onTop(List<Directive> base, List<Directive> more) {
        return Stream.concat(
                        base.stream().filter(b -> more.stream().noneMatch(m -> isOfSamePlace(b, m))), more.stream())
                .toList();
    }

    private static boolean isOfSamePlace(Directive x, Directive y) {
        return switch (x) {
            case Directive.Pipeline p ->
                y instanceof Directive.Pipeline q && q.loop().equals(p.loop());
            case Directive.Unroll u ->
                y instanceof Directive.Unroll v && v.loop().equals(u.loop());
            case Directive.Partition p ->
                y instanceof Directive.Partition q && q.array().equals(p.array()) && q.dimension() == p.dimension();
            default -> x.equals(y);
        };
    }

    /// The estimate of the source as it stands.
    public EstimateReport before() {
        return estimate(Remedy.NONE);
    }

    /// Advice on the loops that cost most, the dearest first, and behind it on overlapping tasks where that helps.
    public List<Advice> advise(int most) {
        EstimateReport before = before();
        double all = before.costs().stream().mapToDouble(LoopCost::cycles).sum();
        var advice = new ArrayList<Advice>();
        before.costs().stream()
                .filter(c -> c.cycles() > 0 && kernel.loop(c.loop()).isPresent())
                .limit(most)
                .forEach(c -> {
                    Remedy remedy = remedy(c.loop());
                    advice.add(new Advice(
                            c.loop(), c.cycles(), c.cycles() / all, why(before, c.loop()), remedy, estimate(remedy)));
                });
        overlap().ifPresent(advice::add);
        return advice;
    }

    private EstimateReport estimate(Remedy remedy) {
        return known.size() < MOST_ESTIMATES || remedy.equals(Remedy.NONE)
                ? known.computeIfAbsent(remedy, estimates::of)
                : known.getOrDefault(remedy, REFUSED);
    }

    private static double latency(EstimateReport r) {
        StageFigures f = r.stages().getFirst();
        return f.misfit().isEmpty() ? f.latencyCycles() : Double.POSITIVE_INFINITY;
    }

    private double latency(Remedy r) {
        return latency(estimate(r));
    }

    /// The limit left on the loops of an advice that is followed, of the first of them; empty where there is none.
    public static Optional<String> stillLimited(Advice a) {
        Set<String> on = new LinkedHashSet<>(List.of(a.subject()));
        a.remedy().directives().forEach(d -> {
            if (d instanceof Directive.Pipeline p) {
                on.add(p.loop());
            }
        });
        return on.stream()
                .flatMap(l -> row(a.after(), l).stream())
                .filter(l -> l.interval() > 1 && !l.limit().isEmpty())
                .map(l -> "II " + l.interval() + ", limited by " + l.limit())
                .findFirst();
    }

    private static Optional<LoopEstimate> row(EstimateReport r, String loop) {
        return r.loops().stream()
                .filter(l -> l.loop().equals(loop) && l.state() != LoopEstimate.State.FLATTENED)
                .max(Comparator.comparingDouble(l -> l.interval()));
    }

    private static Optional<LoopCost> cost(EstimateReport r, String loop) {
        return r.costs().stream().filter(c -> c.loop().equals(loop)).findFirst();
    }

    /// The limit of a loop, in one phrase.
    private String why(EstimateReport r, String loop) {
        Optional<LoopEstimate> row = row(r, loop);
        boolean outer = kernel.loops().stream().anyMatch(l -> l.parent().equals(Optional.of(loop)));
        return row.map(l -> !l.limit().isEmpty()
                        ? (l.interval() > 1 ? "II " + l.interval() + ", limited by " : "") + l.limit()
                        : l.state() == LoopEstimate.State.PIPELINED
                                ? "a new iteration every " + (l.interval() == 1 ? "cycle" : l.interval() + " cycles")
                                : outer
                                        ? "its own statements and the entry of the loops inside"
                                        : "not pipelined: " + l.depth() + (l.depth() == 1 ? " cycle" : " cycles")
                                                + " an iteration")
                .orElse("");
    }

    /// The best of several ways to start, each freed of its limits.
    private Remedy remedy(String loop) {
        EstimateReport before = before();
        var starts = new ArrayList<Remedy>(List.of(lifted(Remedy.NONE, loop)));
        boolean sequential = row(before, loop)
                .filter(l -> l.state() == LoopEstimate.State.SEQUENTIAL)
                .isPresent();
        if (sequential) {
            var pipelined = Remedy.NONE.with(new Directive.Pipeline(loop, true, 0));
            if (writtenOut(loop) <= MOST_WRITTEN_OUT) {
                starts.add(lifted(pipelined, loop));
            }
            kernel.loop(loop)
                    .flatMap(Loop::parent)
                    .filter(p -> writtenOut(p) <= MOST_WRITTEN_OUT)
                    .ifPresent(p -> starts.add(lifted(Remedy.NONE.with(new Directive.Pipeline(p, true, 0)), p)));
        }
        Remedy best = starts.stream()
                .min(Comparator.comparingDouble((Remedy r) -> latency(r)).thenComparingInt(Remedy::size))
                .orElse(Remedy.NONE);
        return latency(best) < GAIN * latency(before) ? trimmed(divided(best)) : Remedy.NONE;
    }

    /// Copies of the body that a pipeline around the loops inside would write out; very many where not constant.
    private double writtenOut(String loop) {
        double copies = 1;
        for (Loop l : kernel.loops()) {
            if (l.parent().equals(Optional.of(loop))) {
                double trips = l.trip().isExact() ? l.trip().max().orElse(Long.MAX_VALUE) : Double.MAX_VALUE;
                copies = Math.max(copies, trips * writtenOut(l.id()));
            }
        }
        return copies;
    }

    /// Takes away what limits a loop's interval as long as something helps.
    private Remedy lifted(Remedy start, String loop) {
        Remedy now = start;
        for (int round = 0; round < ROUNDS; round++) {
            EstimateReport r = estimate(now);
            Optional<LoopCost> cost = cost(r, loop);
            if (cost.isEmpty() || cost.get().cause() == LoopCost.Cause.NONE) {
                return now;
            }
            Remedy better = now;
            for (Remedy c : changes(now, loop, cost.get(), r)) {
                boolean moved = !limit(estimate(c), loop).equals(limit(r, loop)) && latency(c) <= latency(r);
                if (latency(c) < Math.min(GAIN * latency(r), latency(better)) || (moved && better.equals(now))) {
                    better = c;
                }
            }
            if (better.equals(now)) {
                return now;
            }
            now = better;
        }
        return now;
    }

    private static String limit(EstimateReport r, String loop) {
        return cost(r, loop).map(c -> c.cause() + " " + c.through()).orElse("");
    }

    private List<Remedy> changes(Remedy now, String loop, LoopCost cost, EstimateReport r) {
        var all = new ArrayList<Remedy>();
        switch (cost.cause()) {
            case PORTS -> {
                int interval = row(r, loop).map(LoopEstimate::interval).orElse(2);
                int banks = Math.min(MOST_BANKS, Math.max(2, Integer.highestOneBit(2 * interval - 1)));
                for (ArrayVariable a : named(cost.through())) {
                    for (int d = 1; d <= a.dims().size(); d++) {
                        long size = a.dims().get(d - 1);
                        int factor = size > 0 ? (int) Math.min(size, banks) : banks;
                        if (!isDivided(now, a.id())) {
                            all.add(now.with(new Directive.Partition(a.id(), d, PartitionType.CYCLIC, factor)));
                        }
                    }
                    complete(now, a).ifPresent(all::add);
                }
            }
            case RECURRENCE ->
                named(cost.through()).forEach(a -> complete(now, a).ifPresent(all::add));
            case BUS ->
                bundles.getOrDefault(cost.through(), List.of()).stream()
                        .skip(1)
                        .filter(a -> !now.bundles().containsKey(a))
                        .forEach(a -> all.add(now.on(a, cost.through() + "_" + a)));
            case NONE -> {}
        }
        return all;
    }

    /// Where memories are divided, those read before the loop may keep it waiting.
    private Remedy divided(Remedy remedy) {
        int banks = remedy.directives().stream()
                .mapToInt(d -> d instanceof Directive.Partition p ? p.factor() : 0)
                .max()
                .orElse(0);
        Remedy now = remedy;
        for (ArrayVariable a : banks > 1 ? kernel.arrays() : List.<ArrayVariable>of()) {
            int last = a.dims().size();
            if (last > 0 && !isDivided(now, a.id()) && a.dims().get(last - 1) >= banks) {
                Remedy more = now.with(new Directive.Partition(a.id(), last, PartitionType.CYCLIC, banks));
                now = latency(more) < GAIN * latency(now) ? more : now;
            }
        }
        return now;
    }

    private static boolean isDivided(Remedy r, String array) {
        return r.directives().stream()
                .anyMatch(d ->
                        d instanceof Directive.Partition p && name(p.array()).equals(name(array)));
    }

    /// A parameter stands for what its callers pass, often under the same name.
    private static String name(String array) {
        return array.substring(array.lastIndexOf('/') + 1);
    }

    private Optional<Remedy> complete(Remedy now, ArrayVariable a) {
        boolean small =
                a.elements() > 0 && a.elements() <= MOST_REGISTERS && a.dims().size() == 1;
        boolean own =
                a.scope() != ArrayVariable.Scope.PARAMETER || !a.function().equals(kernel.top());
        return small && own && !isDivided(now, a.id())
                ? Optional.of(now.with(new Directive.Partition(a.id(), 1, PartitionType.COMPLETE, 0)))
                : Optional.empty();
    }

    /// Arrays that the estimate calls so; the compiler puts a static local's function before its name.
    private List<ArrayVariable> named(String name) {
        return kernel.arrays().stream()
                .filter(a -> a.name().equals(name) || (a.function() + "." + a.name()).equals(name))
                .sorted(Comparator.comparing(a -> !a.function().equals(kernel.top())))
                .toList();
    }

    /// The same gain with fewer banks and directives.
    private Remedy trimmed(Remedy remedy) {
        Remedy now = remedy;
        double reached = latency(remedy);
        for (Directive d : remedy.directives()) {
            Remedy less = now.without(d);
            if (latency(less) <= reached) {
                now = less;
                continue;
            }
            if (d instanceof Directive.Partition p && p.type() != PartitionType.COMPLETE) {
                for (int factor = p.factor() / 2; factor >= 2; factor /= 2) {
                    less = now.without(d).with(new Directive.Partition(p.array(), p.dimension(), p.type(), factor));
                    if (latency(less) > reached) {
                        break;
                    }
                    now = less;
                    d = new Directive.Partition(p.array(), p.dimension(), p.type(), factor);
                }
            }
        }
        return wholeBanks(now, reached);
    }

    /// As many banks as elements are registers, and are said so.
    private Remedy wholeBanks(Remedy remedy, double reached) {
        Remedy now = remedy;
        for (Directive d : remedy.directives()) {
            if (d instanceof Directive.Partition p
                    && p.type() != PartitionType.COMPLETE
                    && kernel.array(p.array())
                            .filter(a -> a.dims().get(p.dimension() - 1) == p.factor())
                            .isPresent()) {
                Remedy whole = now.without(d)
                        .with(new Directive.Partition(p.array(), p.dimension(), PartitionType.COMPLETE, 0));
                now = latency(whole) <= reached ? whole : now;
            }
        }
        return now;
    }

    /// Overlapping tasks where the top runs several loops or calls one after the other.
    private Optional<Advice> overlap() {
        EstimateReport before = before();
        Set<String> parts = new LinkedHashSet<>();
        before.loops().stream()
                .filter(l ->
                        kernel.loop(l.loop()).filter(x -> x.parent().isEmpty()).isPresent())
                .forEach(l -> parts.add(l.loop()));
        if (parts.size() < 2) {
            return Optional.empty();
        }
        Remedy remedy = Remedy.NONE;
        for (String loop : parts) {
            boolean sequential = row(before, loop)
                    .filter(l -> l.state() == LoopEstimate.State.SEQUENTIAL)
                    .isPresent();
            if (sequential && writtenOut(loop) <= MOST_WRITTEN_OUT) {
                remedy = remedy.with(new Directive.Pipeline(loop, true, 0));
            }
        }
        EstimateReport pipelined = estimate(remedy);
        Remedy flowing = remedy.with(new Directive.Dataflow(kernel.top()));
        EstimateReport after = estimate(flowing);
        return after.interval() < GAIN * pipelined.interval() && latency(after) < Double.POSITIVE_INFINITY
                ? Optional.of(new Advice(
                        kernel.top(),
                        latency(before),
                        1,
                        parts.size() + " loops run one after the other; the next start waits for the last",
                        flowing,
                        after))
                : Optional.empty();
    }
}

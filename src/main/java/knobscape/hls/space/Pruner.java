package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.Loop;
import knobscape.hls.space.DirectiveSpace.PruningStep;
import knobscape.space.DiagramSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Turns a plan of knobs into the pruned space: orders the knobs, finds the groups of knobs that constrain each
/// other, and lets each [KnobGroup] prune itself.
final class Pruner {
    private static final int MANY_GROUPS = 32;
    private final PruningFacts facts;
    private final Nests nests;
    private final Map<String, Knob> knobs;

    Pruner(PruningFacts facts) {
        this.facts = facts;
        this.nests = facts.nests();
        this.knobs = facts.knobs();
    }

    /// The space that is left.
    ///
    /// @param knobs all knobs in their order
    /// @param parts independent spaces
    /// @param steps what was pruned
    record Result(KnobSet knobs, List<DiagramSpace> parts, List<PruningStep> steps) {}

    Result prune() {
        List<String> order = order();
        List<List<String>> scopes = scopes();
        var ties = new Ties();
        scopes.forEach(ties::tie);
        Map<String, List<List<String>>> byFirst = scopes.stream().collect(Collectors.groupingBy(List::getFirst));
        var parts = new ArrayList<DiagramSpace>();
        var clusters = new ArrayList<LoopCluster>();
        var rules = new ArrayList<PruningStep>();
        List<List<String>> groups = ties.groups(order).stream()
                .filter(group -> group.stream().anyMatch(knobs::containsKey))
                .toList();
        // One large group alone may take some hundred megabytes; many are small.
        Stream<List<String>> all = groups.size() < MANY_GROUPS ? groups.stream() : groups.parallelStream();
        for (KnobGroup pruned : all.map(group -> pruned(group, byFirst)).toList()) {
            parts.add(pruned.space());
            clusters.addAll(pruned.clusters());
            rules.addAll(pruned.steps());
        }
        var ordered = new KnobSet(
                order.stream().filter(knobs::containsKey).map(knobs::get).toList());
        var steps = new ArrayList<>(graphs(clusters));
        steps.addAll(rules);
        steps.addAll(leftOut());
        return new Result(ordered, parts, List.copyOf(steps));
    }

    private KnobGroup pruned(List<String> group, Map<String, List<List<String>>> scopes) {
        List<String> names = diagramOrder(group, scopes);
        return new KnobGroup(
                facts,
                names,
                names.stream().filter(knobs::containsKey).map(knobs::get).toList());
    }

    /// One step per merged graph: arrays that share loops, with those loops.
    private List<PruningStep> graphs(List<LoopCluster> clusters) {
        var ties = new Ties();
        var arrays = new LinkedHashSet<String>();
        for (LoopCluster cluster : clusters) {
            var tied = new LinkedHashSet<>(
                    cluster.dimensions().stream().map(ArrayDimension::array).toList());
            ties.tie(tied);
            arrays.addAll(tied);
        }
        var clustersOf = new HashMap<String, Set<Integer>>();
        for (int c = 0; c < clusters.size(); c++) {
            for (ArrayDimension at : clusters.get(c).dimensions()) {
                clustersOf.computeIfAbsent(at.array(), _ -> new TreeSet<>()).add(c);
            }
        }
        var steps = new ArrayList<PruningStep>();
        for (List<String> graph : ties.groups(arrays)) {
            var names = new LinkedHashSet<String>();
            var loops = new LinkedHashSet<String>();
            BigInteger after = BigInteger.ONE;
            var tied = new TreeSet<Integer>();
            graph.forEach(array -> tied.addAll(clustersOf.getOrDefault(array, Set.of())));
            for (LoopCluster cluster : tied.stream().map(clusters::get).toList()) {
                var own = new LinkedHashSet<String>();
                cluster.dimensions()
                        .forEach(at -> PruningFacts.dimensionKnobs(at)
                                .filter(knobs::containsKey)
                                .forEach(own::add));
                cluster.loops().stream()
                        .map(KnobNames::unroll)
                        .filter(knobs::containsKey)
                        .forEach(own::add);
                after = after.multiply(cluster.fitting().countOver(KnobGroup.variables(cluster.board(), own)));
                names.addAll(own);
                loops.addAll(cluster.loops());
            }
            List<String> ordered =
                    nests.loopsAmong(loops).stream().map(Loop::id).toList();
            String subject = (graph.size() == 1 ? "array " : "arrays ")
                    + String.join(", ", graph)
                    + (ordered.isEmpty()
                            ? ""
                            : (ordered.size() == 1 ? " with loop " : " with loops ") + String.join(", ", ordered));
            BigInteger before =
                    names.stream().map(n -> BigInteger.valueOf(values(n))).reduce(BigInteger.ONE, BigInteger::multiply);
            steps.add(new PruningStep(subject, List.copyOf(names), before, after));
        }
        return steps;
    }

    /// Arrays that can have no partition knob: said, so that nobody looks for it.
    private List<PruningStep> leftOut() {
        var steps = new ArrayList<PruningStep>();
        for (String array : KnobPlan.locations(KnobKind.PARTITION, nests, facts.uses())) {
            List<Long> dims = nests.array(array).orElseThrow().dims();
            boolean could = facts.dimensionsOf(array).findAny().isPresent()
                    || IntStream.rangeClosed(1, dims.size())
                            .anyMatch(d -> KnobPlan.isIndexed(
                                            new ArrayDimension(array, d), nests, facts.uses(), facts.limits())
                                    || (dims.get(d - 1) > 1
                                            && dims.get(d - 1) <= facts.limits().maxComplete()));
            if (!could) {
                steps.add(new PruningStep(
                        "array " + array
                                + " has no partition knob: no loop with a known trip count indexes it by an affine"
                                + " form, and it is too large for registers",
                        List.of(),
                        BigInteger.ONE,
                        BigInteger.ONE));
            }
        }
        return steps;
    }

    /// All variables, hidden ones (`unroll@` of implied loops) included, tied ones near each other: function by
    /// function, loop by loop, each array dimension right before the first loop that indexes it.
    private List<String> order() {
        var order = new LinkedHashSet<String>();
        for (Function f : nests.kernel().functions()) {
            add(order, KnobNames.inline(f.name()), KnobNames.dataflow(f.name()), KnobNames.multiplier(f.name()));
            for (Loop l : f.allLoops()) {
                facts.dimensionsOfLoop(l.id()).forEach(at -> addDimension(order, at));
                add(
                        order,
                        KnobNames.dataflow(l.id()),
                        KnobNames.pipeline(l.id()),
                        KnobNames.unroll(l.id()),
                        KnobNames.flatten(l.id()));
            }
        }
        facts.dimensions().keySet().forEach(at -> addDimension(order, at));
        facts.uses().physical().forEach(a -> add(order, KnobNames.storage(a.id())));
        // Knobs that constrain no other.
        knobs.keySet().forEach(name -> add(order, name));
        return List.copyOf(order);
    }

    private void addDimension(Set<String> order, ArrayDimension at) {
        add(
                order,
                KnobNames.storage(at.array()),
                KnobNames.partitionType(at.array(), at.dimension()),
                KnobNames.partitionFactor(at.array(), at.dimension()),
                KnobNames.reshape(at.array(), at.dimension()));
    }

    private void add(Set<String> order, String... names) {
        for (String name : names) {
            if (facts.isVariable(name)) {
                order.add(name);
            }
        }
    }

    /// Sets of variables that one rule speaks about.
    private List<List<String>> scopes() {
        var scopes = new ArrayList<List<String>>();
        facts.dimensions()
                .forEach((at, loops) -> scopes.add(Stream.concat(
                                PruningFacts.dimensionKnobs(at), loops.stream().map(KnobNames::unroll))
                        .toList()));
        for (Loop l : nests.loops()) {
            Stream<String> own = Stream.of(
                    KnobNames.dataflow(l.id()),
                    KnobNames.pipeline(l.id()),
                    KnobNames.unroll(l.id()),
                    KnobNames.flatten(l.id()));
            Stream<String> coverers = facts.coverage().coverers(l.id()).stream().map(KnobNames::pipeline);
            scopes.add(Stream.concat(own, coverers).toList());
            if (knobs.containsKey(KnobNames.flatten(l.id()))) {
                Stream<String> nest = nests.perfectNest(l).stream().map(o -> KnobNames.unroll(o.id()));
                scopes.add(Stream.concat(Stream.of(KnobNames.flatten(l.id())), nest)
                        .toList());
            }
        }
        for (String scope :
                requireNonNull(facts.plan().switches().get(KnobKind.DATAFLOW)).keySet()) {
            BodyFacts body = nests.isLoop(scope)
                    ? nests.loop(scope).body()
                    : nests.function(scope).orElseThrow().body();
            Stream<String> functions =
                    Stream.concat(body.tasks().stream(), Stream.of(scope)).map(KnobNames::inline);
            Stream<String> coverers = nests.isLoop(scope)
                    ? Stream.empty()
                    : facts.coverage().functionCoverers(scope).stream().map(KnobNames::pipeline);
            scopes.add(Stream.of(Stream.of(KnobNames.dataflow(scope)), functions, coverers)
                    .flatMap(s -> s)
                    .toList());
        }
        for (String array :
                requireNonNull(facts.plan().choices().get(KnobKind.STORAGE)).keySet()) {
            scopes.add(Stream.concat(
                            Stream.of(KnobNames.storage(array)),
                            facts.dimensionsOf(array).map(at -> KnobNames.partitionType(at.array(), at.dimension())))
                    .toList());
        }
        return scopes.stream()
                .map(s -> s.stream().filter(facts::isVariable).toList())
                .filter(s -> !s.isEmpty())
                .toList();
    }

    /// The variables of a group in an order that keeps its diagram small. The knobs of one dimension stay
    /// together.
    ///
    /// @param scopes sets of variables that one rule speaks about, by their first
    private List<String> diagramOrder(List<String> group, Map<String, List<List<String>>> scopes) {
        Board.checkSize(group.size());
        var blocks = new ArrayList<VariableOrder.Block>();
        var blockOf = new LinkedHashMap<String, Integer>();
        for (String name : group) {
            if (!blockOf.containsKey(name)) {
                Optional<ArrayDimension> at = facts.dimensionOfKnob(name);
                List<String> names = at.map(d -> PruningFacts.dimensionKnobs(d)
                                .filter(knobs::containsKey)
                                .toList())
                        .orElse(List.of(name));
                names.forEach(n -> blockOf.put(n, blocks.size()));
                // Most combinations of type and factor contradict each other: about two types remain for every
                // factor.
                double values = at.map(d -> 2.0
                                * values(KnobNames.partitionFactor(d.array(), d.dimension()))
                                * values(KnobNames.reshape(d.array(), d.dimension())))
                        .orElse((double) values(name));
                blocks.add(new VariableOrder.Block(
                        names, name.startsWith("pipeline@") ? pipelineWeight(name) : Math.log(values)));
            }
        }
        var order = new VariableOrder(blocks);
        for (String first : blockOf.keySet()) {
            for (List<String> scope : scopes.getOrDefault(first, List.of())) {
                scope.forEach(a -> scope.forEach(
                        b -> order.connect(requireNonNull(blockOf.get(a)), requireNonNull(blockOf.get(b)))));
            }
        }
        return order.names();
    }

    /// Of the loops inside each other at most one is pipelined: k of them together have k + 1 states, not 2^k.
    private double pipelineWeight(String name) {
        Loop loop = nests.loop(name.substring("pipeline@".length()));
        long inNest = nests.outermost(loop.id()).nest().stream()
                .filter(l -> facts.plan().pipeline().containsKey(l.id()))
                .count();
        return Math.log(inNest + 1.0) / inNest;
    }

    private int values(String name) {
        return knobs.containsKey(name)
                ? knobs.get(name).domain().size()
                : name.startsWith("unroll@")
                        ? facts.unrollFactors(name.substring("unroll@".length()))
                                .size()
                        : 1;
    }
}

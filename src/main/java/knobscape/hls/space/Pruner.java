package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.hls.space.DirectiveSpace.PruningStep;
import knobscape.space.DiagramSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Turns a plan of knobs into the pruned space: orders the knobs, finds the groups of knobs that constrain each
/// other, and lets each [KnobGroup] prune itself.
final class Pruner {
    private static final int MANY_GROUPS = 32;
    private final Nests nests;
    private final ArrayUses uses;
    private final SpaceLimits limits;
    private final KnobPlan plan;
    private final boolean algorithm1;
    private final KnobCosts costs;
    /// Knob name to label, where pragmas say one.
    private final Map<String, String> inSource;
    private final Coverage coverage;
    private final Map<String, Knob> knobs;
    /// Dimensions with a partition or reshape knob, each with its unrollable loops.
    private final Map<ArrayDimension, List<String>> dimensions = new LinkedHashMap<>();
    /// The same by their knobs, arrays and indexing loops.
    private final Map<String, ArrayDimension> dimensionOfKnob = new HashMap<>();

    private final Map<String, List<ArrayDimension>> dimensionsOfArray = new HashMap<>();
    private final Map<String, List<ArrayDimension>> dimensionsOfLoop = new HashMap<>();
    private final Map<ArrayDimension, Integer> ranks = new HashMap<>();
    /// Loops that have no unroll knob, but may be unrolled all the same, with the factors that partitions may
    /// match: by a pipelined loop around them, or by what the source says or the tool does where no knob decides.
    private final Map<String, List<Integer>> implied = new LinkedHashMap<>();

    Pruner(
            Nests nests,
            ArrayUses uses,
            SpaceLimits limits,
            KnobPlan plan,
            boolean algorithm1,
            SourcePragmas pragmas,
            KnobCosts costs) {
        this.nests = nests;
        this.uses = uses;
        this.limits = limits;
        this.plan = plan;
        this.algorithm1 = algorithm1;
        this.costs = costs;
        this.coverage = new Coverage(nests, plan.pipeline().keySet());
        this.inSource = uncovered(pragmas.values());
        this.knobs = plan.knobs();
        var planned = new LinkedHashSet<>(plan.partition().keySet());
        planned.addAll(plan.reshape().keySet());
        for (ArrayDimension at : planned) {
            var unrollable = new ArrayList<String>();
            for (String loop : uses.loops(at).keySet()) {
                if (!plan.unroll().containsKey(loop) && (isOpen(loop) || coverage.possible(loop))) {
                    List<Integer> factors = CandidateValues.served(nests.loop(loop), limits);
                    if (factors.size() > 1) {
                        implied.put(loop, factors);
                    }
                }
                if (plan.unroll().containsKey(loop) || implied.containsKey(loop)) {
                    unrollable.add(loop);
                }
            }
            dimensions.put(at, List.copyOf(unrollable));
            ranks.put(at, ranks.size());
            dimensionKnobs(at).forEach(name -> dimensionOfKnob.put(name, at));
            dimensionsOfArray
                    .computeIfAbsent(at.array(), _ -> new ArrayList<>())
                    .add(at);
            for (String loop : uses.loops(at).keySet()) {
                dimensionsOfLoop.computeIfAbsent(loop, _ -> new ArrayList<>()).add(at);
            }
        }
    }

    /// True if no knob says how far the loop is unrolled, so that it may be by any factor.
    boolean isOpen(String loop) {
        return !plan.unroll().containsKey(loop) && !plan.asTheyAre().contains(loop);
    }

    /// The space that is left.
    ///
    /// @param knobs all knobs in their order
    /// @param parts independent spaces
    /// @param steps what was pruned
    record Result(KnobSet knobs, List<DiagramSpace> parts, List<PruningStep> steps) {}

    Nests nests() {
        return nests;
    }

    ArrayUses uses() {
        return uses;
    }

    KnobPlan plan() {
        return plan;
    }

    Coverage coverage() {
        return coverage;
    }

    boolean algorithm1() {
        return algorithm1;
    }

    /// True if a directive is not worth offering.
    boolean isVain(Directive directive) {
        return algorithm1 && costs.isVain(directive);
    }

    /// True if two banks are not worth offering where no unrolled loop asks for them.
    boolean isVain(ArrayDimension at, String type) {
        return isVain(new Directive.Partition(
                at.array(), at.dimension(), Directive.PartitionType.valueOf(type.toUpperCase(Locale.ROOT)), 2));
    }

    /// Loops of a dimension whose unrolling can vary.
    Map<ArrayDimension, List<String>> dimensions() {
        return dimensions;
    }

    /// The dimensions of which some of these knobs are, in their order.
    List<ArrayDimension> dimensionsAmong(Collection<String> names) {
        return names.stream()
                .filter(dimensionOfKnob::containsKey)
                .map(dimensionOfKnob::get)
                .distinct()
                .sorted(Comparator.comparing(ranks::get))
                .toList();
    }

    /// Labels of the source as it stands: what its pragmas ask for, nothing elsewhere. A label need not be one of
    /// its knob.
    Map<String, String> asItStands(KnobSet of) {
        var labels = new LinkedHashMap<String, String>();
        of.list()
                .forEach(k -> labels.put(
                        k.name(), inSource.getOrDefault(k.name(), k.domain().label(Board.restLevel(k.domain())))));
        return labels;
    }

    /// Labels that directives of elsewhere ask for. A label need not be one of its knob.
    ///
    /// @param complete whether they say all, so that what they do not name rests; else it stays as in the source
    Map<String, String> asStated(KnobSet of, List<Pragma> stated, boolean complete) {
        var asked = new LinkedHashMap<>(complete ? Map.<String, String>of() : inSource);
        asked.putAll(new SourcePragmas(nests.kernel(), uses, stated).values());
        Map<String, String> labels = uncovered(asked);
        var all = new LinkedHashMap<String, String>();
        of.list()
                .forEach(k -> all.put(
                        k.name(), labels.getOrDefault(k.name(), k.domain().label(Board.restLevel(k.domain())))));
        // An interval of 1 is said as such where the knob tells it from the tool's choice.
        stated.stream()
                .filter(p -> p.options().containsKey("ii"))
                .forEach(p -> p.loop()
                        .map(KnobNames::pipeline)
                        .filter(name -> "on".equals(all.get(name))
                                && of.get(of.indexOf(name).orElseThrow())
                                                .domain()
                                                .levelOf("ii=" + p.options().get("ii"))
                                        >= 0)
                        .ifPresent(name -> all.put(name, "ii=" + p.options().get("ii"))));
        return all;
    }

    /// The values that directives ask for, less the knobs of loops that the tool unrolls completely: they rest.
    private Map<String, String> uncovered(Map<String, String> asked) {
        var labels = new LinkedHashMap<>(asked);
        Predicate<String> pipelined =
                l -> !asked.getOrDefault(KnobNames.pipeline(l), "off").equals("off");
        for (Loop loop : asked.isEmpty() ? List.<Loop>of() : nests.loops()) {
            boolean covered = coverage.covered(
                            loop.id(), Coverage.Calls.EVERY, pipelined::test, Boolean::logicalOr, Boolean::logicalAnd)
                    .orElse(false);
            boolean complete = loop.trip().isExact()
                    && Long.toString(loop.trip().max().getAsLong()).equals(labels.get(KnobNames.unroll(loop.id())));
            if (covered) {
                labels.put(KnobNames.unroll(loop.id()), "1");
                labels.put(KnobNames.dataflow(loop.id()), "off");
            }
            if (covered || complete) {
                labels.put(KnobNames.pipeline(loop.id()), "off");
                labels.put(KnobNames.flatten(loop.id()), "off");
            }
        }
        return labels;
    }

    /// Unroll factors of a loop: of its knob, or those implied.
    List<Integer> unrollFactors(String loop) {
        return plan.unroll().getOrDefault(loop, implied.getOrDefault(loop, List.of(1)));
    }

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
                this,
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
                        .forEach(at ->
                                dimensionKnobs(at).filter(knobs::containsKey).forEach(own::add));
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
        for (String array : KnobPlan.locations(KnobKind.PARTITION, nests, uses)) {
            List<Long> dims = nests.array(array).orElseThrow().dims();
            boolean could = dimensionsOf(array).findAny().isPresent()
                    || IntStream.rangeClosed(1, dims.size())
                            .anyMatch(d -> KnobPlan.isIndexed(new ArrayDimension(array, d), nests, uses, limits)
                                    || (dims.get(d - 1) > 1 && dims.get(d - 1) <= limits.maxComplete()));
            if (!could) {
                steps.add(new PruningStep(
                        "array " + array
                                + " has no partition knob: no loop with a known trip count indexes it by an affine form, "
                                + "and it is too large for registers",
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
                dimensionsOfLoop.getOrDefault(l.id(), List.of()).forEach(at -> addDimension(order, at));
                add(
                        order,
                        KnobNames.dataflow(l.id()),
                        KnobNames.pipeline(l.id()),
                        KnobNames.unroll(l.id()),
                        KnobNames.flatten(l.id()));
            }
        }
        dimensions.keySet().forEach(at -> addDimension(order, at));
        uses.physical().forEach(a -> add(order, KnobNames.storage(a.id())));
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
            if (isVariable(name)) {
                order.add(name);
            }
        }
    }

    /// Sets of variables that one rule speaks about.
    private List<List<String>> scopes() {
        var scopes = new ArrayList<List<String>>();
        dimensions.forEach((at, loops) ->
                scopes.add(Stream.concat(dimensionKnobs(at), loops.stream().map(KnobNames::unroll))
                        .toList()));
        for (Loop l : nests.loops()) {
            Stream<String> own = Stream.of(
                    KnobNames.dataflow(l.id()),
                    KnobNames.pipeline(l.id()),
                    KnobNames.unroll(l.id()),
                    KnobNames.flatten(l.id()));
            Stream<String> coverers = coverage.coverers(l.id()).stream().map(KnobNames::pipeline);
            scopes.add(Stream.concat(own, coverers).toList());
            if (knobs.containsKey(KnobNames.flatten(l.id()))) {
                Stream<String> nest = nests.perfectNest(l).stream().map(o -> KnobNames.unroll(o.id()));
                scopes.add(Stream.concat(Stream.of(KnobNames.flatten(l.id())), nest)
                        .toList());
            }
        }
        for (String scope :
                requireNonNull(plan.switches().get(KnobKind.DATAFLOW)).keySet()) {
            BodyFacts body = nests.isLoop(scope)
                    ? nests.loop(scope).body()
                    : nests.function(scope).orElseThrow().body();
            Stream<String> functions =
                    Stream.concat(body.tasks().stream(), Stream.of(scope)).map(KnobNames::inline);
            Stream<String> coverers = nests.isLoop(scope)
                    ? Stream.empty()
                    : coverage.functionCoverers(scope).stream().map(KnobNames::pipeline);
            scopes.add(Stream.of(Stream.of(KnobNames.dataflow(scope)), functions, coverers)
                    .flatMap(s -> s)
                    .toList());
        }
        for (String array : requireNonNull(plan.choices().get(KnobKind.STORAGE)).keySet()) {
            scopes.add(Stream.concat(
                            Stream.of(KnobNames.storage(array)),
                            dimensionsOf(array).map(at -> KnobNames.partitionType(at.array(), at.dimension())))
                    .toList());
        }
        return scopes.stream()
                .map(s -> s.stream().filter(this::isVariable).toList())
                .filter(s -> !s.isEmpty())
                .toList();
    }

    private Stream<ArrayDimension> dimensionsOf(String array) {
        return dimensionsOfArray.getOrDefault(array, List.of()).stream();
    }

    private static Stream<String> dimensionKnobs(ArrayDimension at) {
        return Stream.of(
                KnobNames.partitionType(at.array(), at.dimension()),
                KnobNames.partitionFactor(at.array(), at.dimension()),
                KnobNames.reshape(at.array(), at.dimension()));
    }

    private boolean isVariable(String name) {
        return knobs.containsKey(name)
                || (name.startsWith("unroll@") && implied.containsKey(name.substring("unroll@".length())));
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
                Optional<ArrayDimension> at = Optional.ofNullable(dimensionOfKnob.get(name));
                List<String> names = at.map(d ->
                                dimensionKnobs(d).filter(knobs::containsKey).toList())
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
                .filter(l -> plan.pipeline().containsKey(l.id()))
                .count();
        return Math.log(inNest + 1.0) / inNest;
    }

    private int values(String name) {
        return knobs.containsKey(name)
                ? knobs.get(name).domain().size()
                : name.startsWith("unroll@")
                        ? unrollFactors(name.substring("unroll@".length())).size()
                        : 1;
    }
}

package knobscape.hls.space;

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
import java.util.function.Predicate;
import java.util.stream.Stream;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Facts that pruning stands on, of a kernel and its planned knobs: loops, uses of arrays, what the source asks for,
/// which loops
/// may be unrolled without a knob.
final class PruningFacts {
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

    PruningFacts(
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

    SpaceLimits limits() {
        return limits;
    }

    /// Planned knobs by name.
    Map<String, Knob> knobs() {
        return knobs;
    }

    /// Dimensions that a loop indexes.
    List<ArrayDimension> dimensionsOfLoop(String loop) {
        return dimensionsOfLoop.getOrDefault(loop, List.of());
    }

    /// The dimension that a knob is of.
    Optional<ArrayDimension> dimensionOfKnob(String knob) {
        return Optional.ofNullable(dimensionOfKnob.get(knob));
    }

    Stream<ArrayDimension> dimensionsOf(String array) {
        return dimensionsOfArray.getOrDefault(array, List.of()).stream();
    }

    static Stream<String> dimensionKnobs(ArrayDimension at) {
        return Stream.of(
                KnobNames.partitionType(at.array(), at.dimension()),
                KnobNames.partitionFactor(at.array(), at.dimension()),
                KnobNames.reshape(at.array(), at.dimension()));
    }

    /// True of knobs and of hidden unrolling.
    boolean isVariable(String name) {
        return knobs.containsKey(name)
                || (name.startsWith("unroll@") && implied.containsKey(name.substring("unroll@".length())));
    }
}

package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.space.Domain;
import knobscape.space.Knob;

/// Which knobs a space has and which values each may take, before any constraint.
///
/// @param unroll loop id to factors
/// @param pipeline loop id to labels (`off`, `on`, `ii=N`)
/// @param partition dimension to types and factors
/// @param reshape dimension to factors
/// @param switches inline, flatten and dataflow: kind, then location, to labels
/// @param choices multiplier, storage, pipelined functions, bundles and numbers: kind, then location, to labels
/// @param asTheyAre loops whose unroll knob was left out for economy: they are not unrolled
record KnobPlan(
        Map<String, List<Integer>> unroll,
        Map<String, List<String>> pipeline,
        Map<ArrayDimension, Partition> partition,
        Map<ArrayDimension, List<Integer>> reshape,
        Map<KnobKind, Map<String, List<String>>> switches,
        Map<KnobKind, Map<String, List<String>>> choices,
        Set<String> asTheyAre) {

    /// Copies of a loop's body up to which a function is pipelined where nobody asks for it by name.
    private static final double MOST_COPIES = 1024;

    static final List<String> OFF_ON = List.of("off", "on");
    static final List<String> TYPES = List.of("none", "cyclic", "block", "complete");
    static final List<String> CORES = List.of("auto", "dsp", "fabric");
    static final List<String> STORAGES = List.of("auto", "bram_1p", "bram_2p", "lutram", "uram");

    /// Kinds whose values are `auto` and numbers.
    static final Set<KnobKind> NUMBERED =
            EnumSet.of(KnobKind.BURST, KnobKind.OUTSTANDING, KnobKind.FIFO, KnobKind.ALLOCATION);

    /// @param types labels, a subset of [#TYPES] in that order
    /// @param factors all levels of the factor knob: 1 for `none`, the size for `complete`
    record Partition(List<String> types, List<Integer> factors) {}

    static KnobPlan empty() {
        var switches = new LinkedHashMap<KnobKind, Map<String, List<String>>>();
        List.of(KnobKind.INLINE, KnobKind.FLATTEN, KnobKind.DATAFLOW)
                .forEach(k -> switches.put(k, new LinkedHashMap<>()));
        var choices = new LinkedHashMap<KnobKind, Map<String, List<String>>>();
        List.of(
                        KnobKind.MULTIPLIER,
                        KnobKind.STORAGE,
                        KnobKind.FUNCTION_PIPELINE,
                        KnobKind.BUNDLE,
                        KnobKind.BURST,
                        KnobKind.OUTSTANDING,
                        KnobKind.FIFO,
                        KnobKind.ALLOCATION)
                .forEach(k -> choices.put(k, new LinkedHashMap<>()));
        return new KnobPlan(
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                switches,
                choices,
                new HashSet<>());
    }

    /// The default knobs of `kinds`. Values that pragmas of the source ask for are added to the candidates.
    static KnobPlan defaults(
            Nests nests, ArrayUses uses, SpaceLimits limits, Set<KnobKind> kinds, SourcePragmas pragmas) {
        KnobPlan plan = empty();
        for (KnobKind kind : kinds) {
            for (String location : locations(kind, nests, uses)) {
                if (kind == KnobKind.PARTITION || kind == KnobKind.RESHAPE) {
                    ArrayVariable array = nests.array(location).orElseThrow();
                    for (int d = 1; d <= array.dims().size(); d++) {
                        plan.addDefault(kind, location, d, nests, uses, limits, pragmas);
                    }
                } else {
                    plan.addDefault(kind, location, 0, nests, uses, limits, pragmas);
                }
            }
        }
        return plan;
    }

    /// The places where a kind of knob can stand at all: loops, functions or physical arrays.
    static List<String> locations(KnobKind kind, Nests nests, ArrayUses uses) {
        // Names with the marks between knobs and values, of assignment operators, are no place for one.
        return everywhere(kind, nests, uses).stream()
                .filter(l -> l.indexOf('=') < 0 && l.indexOf(';') < 0)
                .toList();
    }

    private static List<String> everywhere(KnobKind kind, Nests nests, ArrayUses uses) {
        Kernel kernel = nests.kernel();
        return switch (kind) {
            case UNROLL, PIPELINE -> nests.loops().stream().map(Loop::id).toList();
            case FLATTEN ->
                nests.loops().stream()
                        .filter(l -> !nests.perfectNest(l).isEmpty())
                        .map(Loop::id)
                        .toList();
            case INLINE ->
                kernel.functions().stream()
                        .map(Function::name)
                        .filter(f -> !f.equals(kernel.top()))
                        .toList();
            case DATAFLOW -> {
                var scopes = new ArrayList<String>();
                kernel.functions().stream()
                        .filter(f -> f.body().isTaskSequence())
                        .forEach(f -> scopes.add(f.name()));
                nests.loops().stream().filter(l -> l.body().isTaskSequence()).forEach(l -> scopes.add(l.id()));
                yield scopes;
            }
            case MULTIPLIER, ALLOCATION ->
                kernel.functions().stream()
                        .map(Function::name)
                        .filter(nests::multiplies)
                        .toList();
            case PARTITION, RESHAPE ->
                uses.physical().stream()
                        // the tools divide no memory behind an AXI master port (UG1399)
                        .filter(a -> a.scope() != ArrayVariable.Scope.STREAM
                                && kernel.masterPort(a).isEmpty())
                        .map(ArrayVariable::id)
                        .toList();
            case STORAGE ->
                uses.physical().stream()
                        .filter(a ->
                                a.scope() != ArrayVariable.Scope.STREAM && a.scope() != ArrayVariable.Scope.PARAMETER)
                        .map(ArrayVariable::id)
                        .toList();
            case FUNCTION_PIPELINE ->
                kernel.functions().stream()
                        .filter(f -> canBePipelined(f) && copies(nests, f) <= MOST_COPIES)
                        .map(Function::name)
                        .toList();
            case BURST, OUTSTANDING ->
                kernel.arrays().stream()
                        .filter(a -> isMaster(kernel, a))
                        .map(ArrayVariable::id)
                        .toList();
            case FIFO ->
                uses.physical().stream()
                        .filter(a -> isQueue(kernel, a))
                        .map(ArrayVariable::id)
                        .toList();
            case BUNDLE ->
                kernel.arrays().stream()
                        .filter(a -> bundle(kernel, a)
                                .filter(b -> kernel.arrays().stream()
                                        .anyMatch(o -> !o.equals(a)
                                                && bundle(kernel, o).equals(Optional.of(b))))
                                .isPresent())
                        .map(ArrayVariable::id)
                        .toList();
        };
    }

    /// True if an array is a queue inside the design.
    static boolean isQueue(Kernel kernel, ArrayVariable array) {
        return array.scope() == ArrayVariable.Scope.STREAM
                && !array.function().isEmpty()
                && kernel.function(array.function())
                        .filter(f ->
                                array.location().file().equals(f.bodyStart().file())
                                        && array.location().offset()
                                                >= f.bodyStart().offset())
                        .isPresent();
    }

    /// True if an argument of the top function is behind an AXI master port.
    static boolean isMaster(Kernel kernel, ArrayVariable array) {
        return kernel.masterPort(array).isPresent();
    }

    /// `auto`, which leaves it to the source and the tool, and numbers; what the source says instead of `auto`.
    ///
    /// @param stated by the source, empty for nothing
    static List<String> numbers(KnobKind kind, Optional<String> stated) {
        var all = new LinkedHashSet<String>();
        all.add(stated.orElse("auto"));
        all.addAll(
                switch (kind) {
                    case BURST -> List.of("16", "64", "256");
                    case OUTSTANDING -> List.of("4", "16", "64");
                    case FIFO -> List.of("2", "16", "128", "1024");
                    case ALLOCATION -> List.of("1", "2", "4", "8");
                    default -> throw new IllegalArgumentException(kind + " has no numbers");
                });
        return List.copyOf(all);
    }

    /// Operations' copies that a pipelined function makes, about.
    private static double copies(Nests nests, Function f) {
        return f.allLoops().stream()
                .filter(l -> l.parent().isEmpty())
                .mapToDouble(l -> (double) l.trip().max().orElse(1) * nests.copiesInside(l))
                .sum();
    }

    /// True if every loop of a function can be written out.
    static boolean canBePipelined(Function f) {
        return f.allLoops().stream().allMatch(l -> l.trip().isExact());
    }

    /// The AXI master port of an argument of the top function as the source has it.
    static Optional<String> bundle(Kernel kernel, ArrayVariable array) {
        return kernel.masterPort(array).map(SourcePragmas::bundle);
    }

    /// The port as in the source, and one of its own.
    static List<String> bundles(Kernel kernel, ArrayVariable array) {
        String now = bundle(kernel, array).orElseThrow();
        return List.of(now, now + "_" + array.name());
    }

    /// Adds the default knob of a kind at a place, if there is anything to choose there.
    ///
    /// @param dimension 1-based for partition and reshape, else 0
    void addDefault(
            KnobKind kind,
            String location,
            int dimension,
            Nests nests,
            ArrayUses uses,
            SpaceLimits limits,
            SourcePragmas pragmas) {
        switch (kind) {
            case UNROLL -> {
                var factors = new TreeSet<>(CandidateValues.unroll(nests.loop(location), limits));
                factors.addAll(pragmas.unrollFactors(location));
                putIfChoice(unroll, location, List.copyOf(factors));
            }
            case PIPELINE ->
                putIfChoice(pipeline, location, defaultPipeline(nests.loop(location), nests, limits, pragmas));
            case PARTITION -> {
                var at = new ArrayDimension(location, dimension);
                Partition choice =
                        defaultPartition(at, size(nests, at), isIndexed(at, nests, uses, limits), limits, pragmas);
                if (choice.types().size() > 1) {
                    partition.put(at, choice);
                }
            }
            case RESHAPE -> {
                var at = new ArrayDimension(location, dimension);
                boolean walked = uses.loops(at).values().stream().anyMatch(ArrayUses.Move::walks);
                putIfChoice(reshape, at, walked ? CandidateValues.reshape(size(nests, at), limits) : List.of(1));
            }
            case INLINE, FLATTEN, DATAFLOW -> requireNonNull(switches.get(kind)).put(location, OFF_ON);
            case MULTIPLIER -> requireNonNull(choices.get(kind)).put(location, CORES);
            case FUNCTION_PIPELINE -> {
                var values = new LinkedHashSet<>(OFF_ON);
                pragmas.value(KnobNames.functionPipeline(location)).ifPresent(values::add);
                requireNonNull(choices.get(kind)).put(location, List.copyOf(values));
            }
            case BUNDLE ->
                requireNonNull(choices.get(kind))
                        .put(
                                location,
                                bundles(nests.kernel(), nests.array(location).orElseThrow()));
            case BURST, OUTSTANDING, FIFO, ALLOCATION ->
                requireNonNull(choices.get(kind)).put(location, numbers(kind, pragmas.value(kind.at(location))));
            case STORAGE ->
                requireNonNull(choices.get(kind))
                        .put(
                                location,
                                STORAGES.stream()
                                        .filter(s -> limits.ultraRam() || !s.equals("uram"))
                                        .toList());
        }
    }

    /// Adds knobs that are none by default where they pay: reshaping where a loop walks a dimension that can be
    /// partitioned, beside two copies of the loop's body and against two cyclic banks; cores of multipliers and
    /// kinds of storage, value by value.
    void addPaying(Nests nests, ArrayUses uses, SpaceLimits limits, SourcePragmas pragmas, KnobCosts costs) {
        for (ArrayDimension at : List.copyOf(partition.keySet())) {
            uses.loops(at).entrySet().stream()
                    .filter(e -> e.getValue().walks()
                            && unroll.getOrDefault(e.getKey(), List.of()).contains(2))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .filter(loop -> !reshape.containsKey(at)
                            && requireNonNull(partition.get(at)).factors().contains(2)
                            && costs.pays(
                                    new Directive.Reshape(
                                            at.array(), at.dimension(), Directive.PartitionType.CYCLIC, 2),
                                    List.of(new Directive.Partition(
                                            at.array(), at.dimension(), Directive.PartitionType.CYCLIC, 2)),
                                    List.of(new Directive.Unroll(loop, 2))))
                    .ifPresent(loop ->
                            addDefault(KnobKind.RESHAPE, at.array(), at.dimension(), nests, uses, limits, pragmas));
        }
        for (KnobKind kind : List.of(KnobKind.MULTIPLIER, KnobKind.STORAGE)) {
            Map<String, List<String>> chosen = requireNonNull(choices.get(kind));
            for (String location : locations(kind, nests, uses)) {
                if (chosen.containsKey(location)) {
                    continue;
                }
                addDefault(kind, location, 0, nests, uses, limits, pragmas);
                List<String> paying = requireNonNull(chosen.remove(location)).stream()
                        .filter(v -> Directive.of(kind.word(), location, v)
                                .map(d -> costs.pays(d, List.of(), List.of()))
                                .orElse(true))
                        .toList();
                putIfChoice(chosen, location, paying);
            }
        }
    }

    private static <K, V> void putIfChoice(Map<K, List<V>> map, K key, List<V> values) {
        if (values.size() > 1) {
            map.put(key, values);
        }
    }

    private static List<String> defaultPipeline(Loop loop, Nests nests, SpaceLimits limits, SourcePragmas pragmas) {
        boolean pointless = loop.trip().isExact() && loop.trip().max().getAsLong() < 2;
        if (pointless || nests.copiesInside(loop) > limits.maxCopies()) {
            return List.of("off");
        }
        var values = new LinkedHashSet<>(OFF_ON);
        pragmas.intervals(loop.id()).stream().filter(ii -> ii > 1).sorted().forEach(ii -> values.add("ii=" + ii));
        return List.copyOf(values);
    }

    static long size(Nests nests, ArrayDimension at) {
        return nests.array(at.array())
                .map(a -> a.dims().get(at.dimension() - 1))
                .orElse(0L);
    }

    /// The default partition of a dimension; only `none` and factor 1 where there is nothing to choose.
    ///
    /// @param indexed whether a loop that can be unrolled indexes the dimension
    static Partition defaultPartition(
            ArrayDimension at, long size, boolean indexed, SpaceLimits limits, SourcePragmas pragmas) {
        Set<Integer> asked = pragmas.partitionFactors(at);
        boolean complete = size > 1 && (size <= limits.maxComplete() || asked.contains((int) size));
        var factors = new TreeSet<Integer>();
        if (indexed && size > 2) {
            factors.addAll(CandidateValues.partition(size, limits));
        }
        asked.stream().filter(f -> f < size).forEach(factors::add);
        boolean some = !factors.isEmpty();
        var types = TYPES.stream()
                .filter(t -> t.equals("none") || (t.equals("complete") ? complete : some))
                .toList();
        factors.add(1);
        if (complete) {
            factors.add((int) size);
        }
        return new Partition(types, List.copyOf(factors));
    }

    /// True if a loop that can be unrolled by default indexes the dimension.
    static boolean isIndexed(ArrayDimension at, Nests nests, ArrayUses uses, SpaceLimits limits) {
        return uses.loops(at).keySet().stream()
                .anyMatch(l -> CandidateValues.unroll(nests.loop(l), limits).size() > 1);
    }

    /// All knobs by name, in no particular order of places.
    Map<String, Knob> knobs() {
        var all = new LinkedHashMap<String, Knob>();
        unroll.forEach((l, f) -> put(all, KnobNames.unroll(l), new Domain.Factors(f)));
        pipeline.forEach((l, v) -> put(all, KnobNames.pipeline(l), new Domain.Categories(v)));
        partition.forEach((at, p) -> {
            put(all, KnobNames.partitionType(at.array(), at.dimension()), new Domain.Categories(p.types()));
            put(all, KnobNames.partitionFactor(at.array(), at.dimension()), new Domain.Factors(p.factors()));
        });
        reshape.forEach((at, f) -> put(all, KnobNames.reshape(at.array(), at.dimension()), new Domain.Factors(f)));
        switches.forEach((kind, places) -> places.forEach((l, v) ->
                put(all, kind.word() + "@" + l, v.equals(OFF_ON) ? new Domain.Toggle() : new Domain.Categories(v))));
        choices.forEach((kind, places) -> {
            // By place, in whichever order they were asked for.
            var ordered = NUMBERED.contains(kind) ? new TreeMap<>(places) : places;
            ordered.forEach((l, v) -> put(all, kind.word() + "@" + l, new Domain.Categories(v)));
        });
        return all;
    }

    private static void put(Map<String, Knob> all, String name, Domain domain) {
        all.put(name, new Knob(name, domain));
    }
}

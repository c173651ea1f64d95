package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;

/// Turns a directive file into a plan for one kernel, checking every name and value against it.
final class FilePlanner {
    private final DirectiveFile file;
    private final Nests nests;
    private final ArrayUses uses;
    private final SpaceLimits limits;
    private final SourcePragmas pragmas;
    private final KnobPlan plan;
    /// Knob (word and place) to the line that gave it.
    private final Map<String, Integer> given = new HashMap<>();

    FilePlanner(DirectiveFile file, Nests nests, ArrayUses uses, SpaceLimits limits, SourcePragmas pragmas) {
        this.file = file;
        this.nests = nests;
        this.uses = uses;
        this.limits = limits;
        this.pragmas = pragmas;
        this.plan = KnobPlan.defaults(nests, uses, limits, file.defaults(), pragmas);
    }

    KnobPlan plan() {
        for (DirectiveFile.Entry entry : file.knobs()) {
            for (DirectiveFile.Place place : entry.at()) {
                switch (entry.kind()) {
                    case UNROLL -> unroll(entry, loop(entry, place), place);
                    case PIPELINE -> pipeline(entry, loop(entry, place), place);
                    case PARTITION, RESHAPE -> array(entry, place);
                    case FLATTEN -> flatten(entry, loop(entry, place), place);
                    case INLINE -> inline(entry, place);
                    case DATAFLOW -> dataflow(entry, place);
                    case MULTIPLIER -> multiplier(entry, place);
                    case STORAGE -> storage(entry, place);
                    case FUNCTION_PIPELINE -> functionPipeline(entry, place);
                    case BUNDLE, BURST, OUTSTANDING -> port(entry, place);
                    case FIFO -> fifo(entry, place);
                    case ALLOCATION -> multiplier(entry, place);
                }
            }
        }
        return plan;
    }

    private void once(DirectiveFile.Entry entry, String location, DirectiveFile.Place place) {
        Integer before = given.put(entry.kind().word() + "@" + location, place.line());
        if (before != null) {
            throw error(
                    place,
                    "the " + entry.kind().word() + " knob of " + location + " is given already on line " + before);
        }
    }

    // Loops

    private Loop loop(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        if (!nests.isLoop(place.name())) {
            throw unknown(
                    entry, place, "loop", nests.loops().stream().map(Loop::id).toList());
        }
        once(entry, place.name(), place);
        return nests.loop(place.name());
    }

    private void unroll(DirectiveFile.Entry entry, Loop loop, DirectiveFile.Place place) {
        List<Integer> factors = entry.factors().orElseGet(() -> CandidateValues.unroll(loop, limits));
        if (entry.factors().isEmpty() && factors.size() < 2) {
            throw error(place, "loop " + loop.id() + " has no known trip count to choose factors from; give 'factors'");
        }
        loop.trip()
                .max()
                .ifPresent(most -> factors.stream()
                        .filter(f -> f > most)
                        .findFirst()
                        .ifPresent(f -> {
                            throw error(
                                    place,
                                    "factor " + f + " is more than the " + most + " iterations of loop " + loop.id());
                        }));
        plan.unroll().put(loop.id(), List.copyOf(new TreeSet<>(factors)));
    }

    private void pipeline(DirectiveFile.Entry entry, Loop loop, DirectiveFile.Place place) {
        List<String> values = entry.values().orElse(KnobPlan.OFF_ON);
        boolean on = values.stream().anyMatch(v -> !v.equals("off"));
        if (on && nests.copiesInside(loop) >= Nests.ENDLESS) {
            throw error(
                    place,
                    "loop " + loop.id()
                            + " cannot be pipelined: a loop inside it would have to be unrolled, but its trip count is not known exactly");
        }
        plan.pipeline().put(loop.id(), byInterval(values));
    }

    private static List<String> byInterval(List<String> values) {
        var sorted = new ArrayList<>(values);
        sorted.sort(java.util.Comparator.comparingInt(
                v -> v.equals("off") ? -1 : v.equals("on") ? 0 : Integer.parseInt(v.substring(3))));
        return List.copyOf(sorted);
    }

    private void flatten(DirectiveFile.Entry entry, Loop loop, DirectiveFile.Place place) {
        if (nests.perfectNest(loop).isEmpty()) {
            List<String> ends = KnobPlan.locations(KnobKind.FLATTEN, nests, uses);
            throw error(
                    place,
                    "loop " + loop.id() + " is not the innermost loop of a perfect nest, so there is nothing to flatten"
                            + (ends.isEmpty() ? "" : "; such loops are " + String.join(", ", ends)));
        }
        requireNonNull(plan.switches().get(KnobKind.FLATTEN)).put(loop.id(), inOrder(entry, KnobPlan.OFF_ON));
    }

    // Arrays

    private void array(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        ArrayVariable array = physical(entry, place);
        int rank = array.dims().size();
        if (entry.dimension().isPresent()
                && (entry.dimension().getAsInt() < 1 || entry.dimension().getAsInt() > rank)) {
            throw error(
                    place,
                    "array " + array.id() + " has " + rank + (rank == 1 ? " dimension" : " dimensions")
                            + ", not a dimension " + entry.dimension().getAsInt()
                            + " (they count from 1; leave 'dim' out for all)");
        }
        List<Integer> dimensions = entry.dimension().isPresent()
                ? List.of(entry.dimension().getAsInt())
                : IntStream.rangeClosed(1, rank).boxed().toList();
        boolean any = false;
        for (int d : dimensions) {
            var at = new ArrayDimension(array.id(), d);
            once(entry, at.toString(), place);
            long size = array.dims().get(d - 1);
            any |= size != 1
                    && (entry.kind() == KnobKind.PARTITION
                            ? partition(entry, at, size, place)
                            : reshape(entry, at, size, place));
        }
        if (!any) {
            throw error(
                    place,
                    "array " + array.id()
                            + " has nothing to split: no loop indexes it by an affine form, and it is too large for registers; "
                            + "give 'types' if it is to be split all the same");
        }
    }

    /// Plans a partition; false where there is nothing to choose.
    private boolean partition(DirectiveFile.Entry entry, ArrayDimension at, long size, DirectiveFile.Place place) {
        List<Integer> factors = entry.factors().orElseGet(() -> CandidateValues.partition(size, limits));
        List<String> types = entry.values()
                .map(v -> inOrder(entry, KnobPlan.TYPES))
                .orElseGet(() -> defaultTypes(factors, at, size));
        if (size == 0 && (entry.values().isEmpty() || types.contains("complete") || types.contains("block"))) {
            throw error(
                    place,
                    "the size of dimension " + at.dimension() + " of " + at.array()
                            + " is not known; only 'types: [none, cyclic]' is possible");
        }
        if (types.contains("complete") && size > 4096) {
            throw error(
                    place,
                    "dimension " + at.dimension() + " of " + at.array() + " has " + size
                            + " elements, too many for a complete partition (4096)");
        }
        checkFactors(factors, at, size, place);
        if (entry.values().isEmpty() && types.size() < 2) {
            return false;
        }
        var levels = new TreeSet<Integer>();
        if (types.contains("none")) {
            levels.add(1);
        }
        if (types.contains("cyclic") || types.contains("block")) {
            factors.stream().filter(f -> f > 1 && (f < size || size == 0)).forEach(levels::add);
        }
        if (types.contains("complete")) {
            levels.add((int) size);
        }
        if (levels.isEmpty()) {
            throw error(place, "no factor above 1 is left for the partition of " + at.array());
        }
        plan.partition().put(at, new KnobPlan.Partition(types, List.copyOf(levels)));
        return true;
    }

    /// All types that can do something: cyclic and block need a factor between 1 and the size and a loop to
    /// serve, complete a small dimension or the size among the factors.
    private List<String> defaultTypes(List<Integer> factors, ArrayDimension at, long size) {
        boolean split = factors.stream().anyMatch(f -> f > 1 && f < size)
                && !uses.loops(at).isEmpty();
        boolean complete =
                size > 1 && (size <= limits.maxComplete() || factors.stream().anyMatch(f -> f == size));
        return KnobPlan.TYPES.stream()
                .filter(t -> t.equals("none") || (t.equals("complete") ? complete : split))
                .toList();
    }

    private boolean reshape(DirectiveFile.Entry entry, ArrayDimension at, long size, DirectiveFile.Place place) {
        List<Integer> factors = entry.factors().orElseGet(() -> CandidateValues.reshape(size, limits));
        if (entry.factors().isEmpty() && factors.size() < 2) {
            throw error(
                    place,
                    "the factors to try for dimension " + at.dimension() + " of " + at.array() + " (size "
                            + (size == 0 ? "unknown" : size) + ") are missing; give 'factors'");
        }
        checkFactors(factors, at, size, place);
        plan.reshape().put(at, List.copyOf(new TreeSet<>(factors)));
        return true;
    }

    private void checkFactors(List<Integer> factors, ArrayDimension at, long size, DirectiveFile.Place place) {
        factors.stream().filter(f -> size > 0 && f > size).findFirst().ifPresent(f -> {
            throw error(
                    place,
                    "factor " + f + " is more than the " + size + " elements of dimension " + at.dimension() + " of "
                            + at.array());
        });
    }

    private void storage(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        ArrayVariable array = physical(entry, place);
        once(entry, array.id(), place);
        requireNonNull(plan.choices().get(KnobKind.STORAGE))
                .put(
                        array.id(),
                        entry.values()
                                .map(v -> inOrder(entry, KnobPlan.STORAGES))
                                .orElseGet(() -> KnobPlan.STORAGES.stream()
                                        .filter(s -> limits.ultraRam() || !s.equals("uram"))
                                        .toList()));
    }

    private ArrayVariable physical(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        List<String> known = uses.physical().stream().map(ArrayVariable::id).toList();
        Optional<ArrayVariable> array = nests.kernel().array(place.name());
        if (array.isEmpty()) {
            throw unknown(entry, place, "array", known);
        }
        if (!known.contains(place.name())) {
            throw error(
                    place,
                    place.name() + " is a parameter that stands for " + String.join(" and ", uses.behind(place.name()))
                            + "; the knob belongs there");
        }
        if (array.get().scope() == ArrayVariable.Scope.STREAM) {
            throw error(
                    place,
                    place.name() + " is a stream, which has no " + entry.kind().word());
        }
        return array.get();
    }

    // Functions

    private Function function(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        return nests.function(place.name())
                .orElseThrow(() -> unknown(
                        entry,
                        place,
                        "function",
                        nests.kernel().functions().stream().map(Function::name).toList()));
    }

    private void inline(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        String function = function(entry, place).name();
        if (function.equals(nests.kernel().top())) {
            throw error(place, function + " is the top function and cannot be inlined");
        }
        once(entry, function, place);
        requireNonNull(plan.switches().get(KnobKind.INLINE)).put(function, inOrder(entry, KnobPlan.OFF_ON));
    }

    private void dataflow(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        boolean loop = nests.isLoop(place.name());
        var body = loop
                ? nests.loop(place.name()).body()
                : nests.function(place.name()).map(Function::body).orElseThrow(() -> {
                    var names = new ArrayList<>(nests.kernel().functions().stream()
                            .map(Function::name)
                            .toList());
                    nests.loops().forEach(l -> names.add(l.id()));
                    return unknown(entry, place, "function or loop", names);
                });
        if (!body.isTaskSequence()) {
            throw error(
                    place,
                    "the body of " + place.name()
                            + " is not a sequence of loops and calls, so dataflow has nothing to overlap");
        }
        once(entry, place.name(), place);
        requireNonNull(plan.switches().get(KnobKind.DATAFLOW)).put(place.name(), inOrder(entry, KnobPlan.OFF_ON));
    }

    private void functionPipeline(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        Function function = function(entry, place);
        if (!KnobPlan.canBePipelined(function)) {
            throw error(
                    place,
                    function.name()
                            + " cannot be pipelined: a loop in it would have to be unrolled, but its trip count is not known exactly");
        }
        once(entry, function.name(), place);
        requireNonNull(plan.choices().get(KnobKind.FUNCTION_PIPELINE))
                .put(function.name(), byInterval(entry.values().orElse(KnobPlan.OFF_ON)));
    }

    private void port(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        Kernel kernel = nests.kernel();
        List<String> ports = kernel.arrays().stream()
                .filter(a -> kernel.masterPort(a).isPresent())
                .map(ArrayVariable::id)
                .toList();
        ArrayVariable array = kernel.array(place.name()).orElseThrow(() -> unknown(entry, place, "argument", ports));
        if (!ports.contains(array.id())) {
            throw error(
                    place,
                    array.id() + " is not behind an AXI master port (INTERFACE m_axi), so it has no "
                            + entry.kind().word() + (ports.isEmpty() ? "" : "; those are " + String.join(", ", ports)));
        }
        once(entry, array.id(), place);
        requireNonNull(plan.choices().get(entry.kind()))
                .put(
                        array.id(),
                        entry.kind() == KnobKind.BUNDLE
                                ? entry.values().orElseGet(() -> KnobPlan.bundles(kernel, array))
                                : numbers(entry, array.id()));
    }

    private void fifo(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        Kernel kernel = nests.kernel();
        List<String> queues = KnobPlan.locations(KnobKind.FIFO, nests, uses);
        ArrayVariable array = kernel.array(place.name()).orElseThrow(() -> unknown(entry, place, "queue", queues));
        if (!queues.contains(array.id())) {
            throw error(
                    place,
                    array.id() + " is no queue between tasks (hls::stream), so it has no depth"
                            + (queues.isEmpty() ? "" : "; queues are " + String.join(", ", queues)));
        }
        once(entry, array.id(), place);
        requireNonNull(plan.choices().get(KnobKind.FIFO)).put(array.id(), numbers(entry, array.id()));
    }

    /// The entry's numbers; the default ones where it gives none.
    private List<String> numbers(DirectiveFile.Entry entry, String location) {
        return entry.values()
                .orElseGet(() -> KnobPlan.numbers(
                        entry.kind(), pragmas.value(entry.kind().at(location))));
    }

    private void multiplier(DirectiveFile.Entry entry, DirectiveFile.Place place) {
        String function = function(entry, place).name();
        if (!nests.multiplies(function)) {
            throw error(place, "function " + function + " has no multiplication of its own to bind");
        }
        once(entry, function, place);
        requireNonNull(plan.choices().get(entry.kind()))
                .put(
                        function,
                        entry.kind() == KnobKind.MULTIPLIER
                                ? inOrder(entry, KnobPlan.CORES)
                                : numbers(entry, function));
    }

    /// The entry's values in the order of `all`; all of them where it gives none.
    private static List<String> inOrder(DirectiveFile.Entry entry, List<String> all) {
        return entry.values()
                .map(v -> all.stream().filter(v::contains).toList())
                .orElse(all);
    }

    /// Says what there is instead of a name that does not exist, or that means another kind of thing.
    private UserError unknown(DirectiveFile.Entry entry, DirectiveFile.Place place, String wanted, List<String> names) {
        String found = nests.isLoop(place.name())
                ? "loop"
                : nests.kernel().array(place.name()).isPresent()
                        ? "array"
                        : nests.function(place.name()).isPresent() ? "function" : "";
        if (!found.isEmpty()) {
            return error(
                    place,
                    place.name() + " is " + (found.equals("array") ? "an " : "a ") + found + ", but "
                            + entry.kind().word() + " belongs to " + (wanted.startsWith("a") ? "an " : "a ") + wanted);
        }
        String hint = NameSuggestions.didYouMean(place.name(), names);
        return error(
                place,
                "there is no " + wanted + " '" + place.name() + "' in "
                        + nests.kernel().file()
                        + (hint.isEmpty() && !names.isEmpty()
                                ? "; there are "
                                        + String.join(
                                                ", ", names.stream().limit(8).toList())
                                : hint));
    }

    private UserError error(DirectiveFile.Place place, String message) {
        return YamlNode.error(file.name(), place.line(), message);
    }
}

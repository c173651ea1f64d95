package knobscape.hls.space;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;

/// Evaluates one configuration by the rules of the package documentation, one after the other and without the
/// machinery that builds spaces. It is slow, serves as the second opinion in tests, and can tell why a
/// configuration is not in a space.
public final class Compatibility {
    private final Kernel kernel;
    private final SpaceLimits limits;
    private final Configuration configuration;
    private final Nests nests;

    private Compatibility(Kernel kernel, SpaceLimits limits, Configuration configuration) {
        this.kernel = kernel;
        this.limits = limits;
        this.configuration = configuration;
        this.nests = new Nests(kernel);
    }

    /// Why the configuration does not belong to the pruned space, in one sentence; empty where it does.
    public static Optional<String> check(Kernel kernel, SpaceLimits limits, Configuration configuration) {
        var check = new Compatibility(kernel, limits, configuration);
        return check.contradiction().or(check::misfit);
    }

    /// Like [#check(Kernel, SpaceLimits, Configuration)] without Algorithm 1.
    public static Optional<String> checkContradictions(Kernel kernel, SpaceLimits limits, Configuration configuration) {
        return new Compatibility(kernel, limits, configuration).contradiction();
    }

    // What the configuration says

    private Optional<String> value(String knob) {
        var i = configuration.knobs().indexOf(knob);
        return i.isPresent() ? Optional.of(configuration.value(i.getAsInt())) : Optional.empty();
    }

    private boolean is(String knob, String value) {
        return value(knob).filter(value::equals).isPresent();
    }

    private int number(String knob) {
        return value(knob).map(Integer::parseInt).orElse(1);
    }

    /// Whether a knob, if there is one, has the value that asks for nothing; the first one where its domain has
    /// no such value.
    private boolean rests(String knob) {
        var i = configuration.knobs().indexOf(knob);
        if (i.isEmpty()) {
            return true;
        }
        Domain domain = configuration.knobs().get(i.getAsInt()).domain();
        String rest = domain.labels().stream()
                .filter(Set.of("1", "off", "none", "auto")::contains)
                .findFirst()
                .orElse(domain.label(0));
        return configuration.value(i.getAsInt()).equals(rest);
    }

    private boolean pipelined(String loop) {
        return value(KnobNames.pipeline(loop)).filter(v -> !v.equals("off")).isPresent();
    }

    private int unroll(String loop) {
        return number(KnobNames.unroll(loop));
    }

    /// Whether a pipelined loop around the loop, here or at every call, unrolls it.
    private boolean covered(Loop loop) {
        return nests.ancestors(loop.id()).stream().anyMatch(l -> pipelined(l.id()))
                || everyCallCovered(loop.function(), new HashSet<>());
    }

    /// Whether a pipelined loop around the loop unrolls it here or at one call at least.
    private boolean coveredSomewhere(Loop loop, Set<String> open) {
        return nests.ancestors(loop.id()).stream().anyMatch(l -> pipelined(l.id()))
                || anyCallCovered(loop.function(), open);
    }

    private boolean anyCallCovered(String function, Set<String> open) {
        return open.add(function)
                && nests.callSites(function).stream()
                        .anyMatch(s -> s.loop()
                                        .map(nests::loop)
                                        .filter(l -> pipelined(l.id())
                                                || nests.ancestors(l.id()).stream()
                                                        .anyMatch(a -> pipelined(a.id())))
                                        .isPresent()
                                || anyCallCovered(s.caller(), open));
    }

    private boolean everyCallCovered(String function, Set<String> open) {
        List<Nests.CallSite> sites = nests.callSites(function);
        if (sites.isEmpty() || !open.add(function)) {
            return false;
        }
        boolean all = sites.stream()
                .allMatch(s -> s.loop()
                                .map(nests::loop)
                                .filter(l -> pipelined(l.id())
                                        || nests.ancestors(l.id()).stream().anyMatch(a -> pipelined(a.id())))
                                .isPresent()
                        || everyCallCovered(s.caller(), open));
        open.remove(function);
        return all;
    }

    // Contradictions

    private Optional<String> contradiction() {
        var found = new ArrayList<String>();
        nests.loops().forEach(l -> loopContradictions(l, found));
        dimensions().forEach(at -> dimensionContradictions(at, found));
        for (ArrayVariable array : kernel.arrays()) {
            arrayContradictions(array, found);
        }
        for (Knob knob : configuration.knobs().list()) {
            if (knob.name().startsWith("dataflow@") && is(knob.name(), "on")) {
                dataflowContradictions(knob.name().substring("dataflow@".length()), found);
            }
        }
        return found.stream().findFirst();
    }

    private void loopContradictions(Loop loop, List<String> found) {
        String id = loop.id();
        boolean covered = covered(loop);
        for (String knob :
                List.of(KnobNames.unroll(id), KnobNames.pipeline(id), KnobNames.flatten(id), KnobNames.dataflow(id))) {
            if (covered && !rests(knob)) {
                found.add(knob + " has no effect: a pipelined loop around " + id + " unrolls it completely");
            }
        }
        boolean complete = configuration.knobs().indexOf(KnobNames.unroll(id)).isPresent()
                && loop.trip().isExact()
                && unroll(id) >= loop.trip().max().getAsLong();
        if (complete && !(rests(KnobNames.pipeline(id)) && rests(KnobNames.flatten(id)))) {
            found.add("loop " + id + " is unrolled completely, so nothing is left to pipeline or flatten");
        }
        if (is(KnobNames.flatten(id), "on")
                && nests.perfectNest(loop).stream().anyMatch(l -> !l.id().equals(id) && unroll(l.id()) > 1)) {
            found.add("flattening " + id + " needs the loops around it as they are, but one is unrolled");
        }
    }

    /// Dimensions with a partition or reshape knob.
    private Set<ArrayDimension> dimensions() {
        var found = new LinkedHashSet<ArrayDimension>();
        for (ArrayVariable array : kernel.arrays()) {
            for (int d = 1; d <= array.dims().size(); d++) {
                if (value(KnobNames.partitionType(array.id(), d)).isPresent()
                        || value(KnobNames.reshape(array.id(), d)).isPresent()) {
                    found.add(new ArrayDimension(array.id(), d));
                }
            }
        }
        return found;
    }

    private String type(ArrayDimension at) {
        return value(KnobNames.partitionType(at.array(), at.dimension())).orElse("none");
    }

    private int factor(ArrayDimension at) {
        return number(KnobNames.partitionFactor(at.array(), at.dimension()));
    }

    private int reshape(ArrayDimension at) {
        return number(KnobNames.reshape(at.array(), at.dimension()));
    }

    private void dimensionContradictions(ArrayDimension at, List<String> found) {
        long size = kernel.array(at.array()).orElseThrow().dims().get(at.dimension() - 1);
        int factor = factor(at);
        boolean fits = switch (type(at)) {
            case "none" -> factor == 1;
            case "complete" -> factor == size;
            default -> factor > 1 && factor != size;
        };
        if (!fits) {
            found.add("factor " + factor + " does not go with partition type " + type(at) + " of " + at);
        }
        if (reshape(at) > 1 && !List.of("none", "cyclic").contains(type(at))) {
            found.add(at + " is reshaped beside a partition of type " + type(at));
        }
        if (reshape(at) > 1 && type(at).equals("cyclic") && size > 0 && (long) factor * reshape(at) > size) {
            found.add(at + " has fewer elements than a word of every bank");
        }
    }

    private void arrayContradictions(ArrayVariable array, List<String> found) {
        boolean registers = !array.dims().isEmpty();
        for (int d = 1; d <= array.dims().size(); d++) {
            registers &= is(KnobNames.partitionType(array.id(), d), "complete");
        }
        if (registers && !rests(KnobNames.storage(array.id()))) {
            found.add("array " + array.id() + " is kept in registers, so there is no storage to bind");
        }
    }

    private void dataflowContradictions(String scope, List<String> found) {
        Optional<Function> function = kernel.function(scope);
        BodyFacts body =
                function.map(Function::body).orElseGet(() -> nests.loop(scope).body());
        if (function.isPresent() && everyCallCovered(scope, new HashSet<>())) {
            found.add("dataflow of " + scope + " has no effect inside a pipelined loop");
        }
        if (pipelined(scope)) {
            found.add("loop " + scope + " cannot be both pipelined and a dataflow region");
        }
        var functions = new LinkedHashSet<>(body.tasks());
        function.ifPresent(f -> functions.add(f.name()));
        functions.stream()
                .filter(f -> is(KnobNames.inline(f), "on"))
                .forEach(f -> found.add("dataflow of " + scope + " needs " + f + " not inlined"));
    }

    // Algorithm 1

    /// Strides of a loop through one dimension of an array, over all affine accesses it occurs in.
    private record Strides(Set<Long> inDimension, Set<Long> inMemory) {
        boolean walks() {
            return inDimension.stream().allMatch(s -> Math.abs(s) == 1);
        }

        boolean jumps() {
            return inMemory.stream().allMatch(s -> Math.abs(s) > 1);
        }

        boolean moves(String type) {
            return type.equals("cyclic") ? walks() : jumps();
        }
    }

    private Optional<String> misfit() {
        var indexing = new LinkedHashMap<ArrayDimension, Map<String, Strides>>();
        var open = new LinkedHashMap<String, List<Integer>>();
        for (ArrayDimension at : dimensions()) {
            Map<String, Strides> loops = loopsIndexing(at);
            loops.keySet()
                    .removeIf(l ->
                            value(KnobNames.unroll(l)).isEmpty() && implied(l).size() < 2);
            indexing.put(at, loops);
            loops.keySet().stream()
                    .filter(l ->
                            value(KnobNames.unroll(l)).isEmpty() || coveredSomewhere(nests.loop(l), new HashSet<>()))
                    .forEach(l -> open.put(l, factorsOf(l)));
        }
        return fits(indexing, open, new HashMap<>())
                ? Optional.empty()
                : Optional.of("the array partitions and the unroll factors do not fit each other");
    }

    /// Factors that a loop without a knob may be served for.
    private List<Integer> implied(String loop) {
        return CandidateValues.served(nests.loop(loop), limits);
    }

    private List<Integer> factorsOf(String loop) {
        var i = configuration.knobs().indexOf(KnobNames.unroll(loop));
        return i.isEmpty()
                ? implied(loop)
                : configuration.knobs().get(i.getAsInt()).domain().labels().stream()
                        .map(Integer::parseInt)
                        .toList();
    }

    /// Tries every factor of the loops that a pipelined loop unrolls: their arrays may be laid out for any of
    /// them.
    private boolean fits(
            Map<ArrayDimension, Map<String, Strides>> indexing,
            Map<String, List<Integer>> open,
            Map<String, Integer> chosen) {
        Optional<String> next =
                open.keySet().stream().filter(l -> !chosen.containsKey(l)).findFirst();
        if (next.isEmpty()) {
            return indexing.entrySet().stream()
                            .allMatch(e -> e.getValue().isEmpty() || serves(e.getKey(), e.getValue(), chosen))
                    && alike(indexing, chosen);
        }
        for (int factor : open.get(next.get())) {
            chosen.put(next.get(), factor);
            if (fits(indexing, open, chosen)) {
                return true;
            }
        }
        chosen.remove(next.get());
        return false;
    }

    private int copies(String loop, Map<String, Integer> chosen) {
        return chosen.getOrDefault(loop, unroll(loop));
    }

    private static boolean inStep(int copies, int banks) {
        return copies > 1 && (copies == banks || Math.ceilDiv(copies, 2) == banks);
    }

    private String servingType(ArrayDimension at) {
        return reshape(at) > 1 ? "cyclic" : type(at);
    }

    private int banks(ArrayDimension at) {
        return factor(at) * reshape(at);
    }

    /// Whether one memory with its two ports, or two, serve what is unrolled however the loops move: at most one
    /// loop on each path, and it by 2.
    private boolean hardlyUnrolled(ArrayDimension at, Map<String, Strides> loops, Map<String, Integer> chosen) {
        return !type(at).equals("complete")
                && banks(at) <= 2
                && nests.loops().stream()
                        .filter(l -> l.parent().isEmpty())
                        .flatMap(l -> nests.paths(l).stream())
                        .map(path -> path.stream()
                                .map(Loop::id)
                                .filter(l -> loops.containsKey(l) && copies(l, chosen) > 1)
                                .map(l -> copies(l, chosen))
                                .toList())
                        .allMatch(copies -> copies.isEmpty() || copies.equals(List.of(2)));
    }

    private boolean serves(ArrayDimension at, Map<String, Strides> loops, Map<String, Integer> chosen) {
        if (hardlyUnrolled(at, loops, chosen)) {
            return true;
        }
        String type = servingType(at);
        if (type.equals("none")) {
            return false;
        }
        if (type.equals("complete")) {
            return loops.keySet().stream().anyMatch(l -> copies(l, chosen) > 1);
        }
        int banks = banks(at);
        boolean used = false;
        for (Loop outermost :
                nests.loops().stream().filter(l -> l.parent().isEmpty()).toList()) {
            boolean nestUsed =
                    outermost.nest().stream().anyMatch(l -> loops.containsKey(l.id()) && copies(l.id(), chosen) > 1);
            used |= nestUsed;
            for (List<Loop> path : nests.paths(outermost)) {
                List<String> unrolled = path.stream()
                        .map(Loop::id)
                        .filter(l -> loops.containsKey(l) && copies(l, chosen) > 1)
                        .toList();
                boolean right = unrolled.stream()
                        .allMatch(l ->
                                inStep(copies(l, chosen), banks) && loops.get(l).moves(type));
                boolean wantsOne = nestUsed
                        && path.stream()
                                .anyMatch(l -> loops.containsKey(l.id())
                                        && loops.get(l.id()).moves(type)
                                        && value(KnobNames.unroll(l.id())).isPresent());
                if (!right || unrolled.size() > 1 || (wantsOne && unrolled.isEmpty())) {
                    return false;
                }
            }
        }
        return used;
    }

    /// Arrays that an unrolled loop indexes have as many banks as each other, and the same type where both
    /// would do.
    private boolean alike(Map<ArrayDimension, Map<String, Strides>> indexing, Map<String, Integer> chosen) {
        for (Loop loop : nests.loops()) {
            var banks = new TreeSet<Integer>();
            var types = new TreeSet<String>();
            indexing.forEach((at, loops) -> {
                if (loops.containsKey(loop.id())
                        && copies(loop.id(), chosen) > 1
                        && !type(at).equals("complete")
                        && !hardlyUnrolled(at, loops, chosen)) {
                    banks.add(banks(at));
                    boolean either =
                            loops.get(loop.id()).walks() && loops.get(loop.id()).jumps() && bothTypesOffered(at);
                    if (either) {
                        types.add(servingType(at));
                    }
                }
            });
            if (banks.size() > 1 || types.size() > 1) {
                return false;
            }
        }
        return true;
    }

    private boolean bothTypesOffered(ArrayDimension at) {
        var i = configuration.knobs().indexOf(KnobNames.partitionType(at.array(), at.dimension()));
        return i.isPresent()
                && configuration.knobs().get(i.getAsInt()).domain().labels().containsAll(List.of("cyclic", "block"));
    }

    private Map<String, Strides> loopsIndexing(ArrayDimension at) {
        var found = new LinkedHashMap<String, Strides>();
        ArrayVariable array = kernel.array(at.array()).orElseThrow();
        for (Function function : kernel.functions()) {
            for (Access access : function.body().allAccesses().toList()) {
                if (standsFor(access.array(), array.id(), new HashSet<>())
                        && access.index().size() == array.dims().size()
                        && access.index().get(at.dimension() - 1) instanceof IndexForm.Affine index) {
                    for (Loop loop : nests.loops()) {
                        if (index.coefficient(loop.id()) != 0 && around(loop, access)) {
                            Strides strides = found.computeIfAbsent(
                                    loop.id(), k -> new Strides(new HashSet<>(), new HashSet<>()));
                            strides.inDimension().add(index.stride(loop.id(), loop.step()));
                            strides.inMemory().add(memoryStride(array, access, loop));
                        }
                    }
                }
            }
        }
        return found;
    }

    private boolean around(Loop loop, Access access) {
        return loop.id().equals(access.loop())
                || (nests.isLoop(access.loop())
                        && nests.ancestors(access.loop()).stream().anyMatch(a -> a.id().equals(loop.id())));
    }

    private static long memoryStride(ArrayVariable array, Access access, Loop loop) {
        long stride = 0;
        for (int d = 0; d < array.dims().size(); d++) {
            long row = array.dims().stream().skip(d + 1).reduce(1L, (a, b) -> a * Math.max(1, b));
            stride += access.index().get(d) instanceof IndexForm.Affine index
                    ? index.stride(loop.id(), loop.step()) * row
                    : 0;
        }
        return stride;
    }

    /// Whether an access to `named` reaches `array`: they are the same, or a call passes something that reaches
    /// it.
    private boolean standsFor(String named, String array, Set<String> seen) {
        if (!seen.add(named)) {
            return false;
        }
        return named.equals(array)
                || kernel.functions().stream()
                        .flatMap(f -> f.bindings().stream())
                        .anyMatch(b -> b.arrays().entrySet().stream()
                                .anyMatch(e -> named.equals(b.callee() + "/" + e.getKey())
                                        && standsFor(e.getValue(), array, seen)));
    }
}

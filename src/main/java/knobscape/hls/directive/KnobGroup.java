package knobscape.hls.directive;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.hls.directive.DirectiveSpace.PruningStep;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Statement;
import knobscape.space.DiagramSpace;
import knobscape.space.Diagrams;
import knobscape.space.Diagrams.Diagram;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Knobs that constrain each other, directly or through others, and the set of their combinations that pruning keeps. First
/// Algorithm 1 on every merged graph, then the contradictions with the knobs outside the graphs; the rules are in the package documentation.
final class KnobGroup {
    private static final String SHARE = "share@";

    private final Pruner pruner;
    private final Nests nests;
    private final Map<String, Integer> variables = new LinkedHashMap<>();
    private final Map<String, Domain> domains = new HashMap<>();
    private final BitSet visible = new BitSet();
    private final KnobSet knobs;
    private final Diagrams workshop;
    private final List<PruningStep> steps = new ArrayList<>();
    private final Diagram kept;

    /// @param names knobs and hidden variables in order
    /// @param knobs the knobs among them
    KnobGroup(Pruner pruner, List<String> names, List<Knob> knobs) {
        this.pruner = pruner;
        this.nests = pruner.nests();
        this.knobs = new KnobSet(knobs);
        knobs.forEach(k -> domains.put(k.name(), k.domain()));
        var sizes = new ArrayList<Integer>();
        for (String name : names) {
            String loop = name.startsWith("unroll@") ? name.substring("unroll@".length()) : "";
            if (!loop.isEmpty()) {
                domains.putIfAbsent(name, new Domain.Factors(pruner.unrollFactors(loop)));
                int shareSize = shareSize(loop);
                if (shareSize > 1) {
                    variables.put(SHARE + loop, sizes.size());
                    sizes.add(shareSize);
                }
            }
            if (this.knobs.indexOf(name).isPresent()) {
                visible.set(sizes.size());
            }
            variables.put(name, sizes.size());
            sizes.add(domains.get(name).size());
        }
        workshop = new Diagrams(sizes.stream().mapToInt(Integer::intValue).toArray());
        Diagram all = graphs();
        kept = rules(all);
        if (kept.isEmpty()) {
            throw new UserError("the knobs " + String.join(", ", this.knobs.list().stream().map(Knob::name).toList())
                    + " leave no configuration that can be built: allow 'none', 'off' or factor 1 again, or set 'prune: false'");
        }
    }

    /// The kept combinations.
    DiagramSpace space() {
        return workshop.space(knobs, kept, visible.stream().toArray(), List.of(IntStream.range(0, knobs.size()).toArray()));
    }

    /// What was pruned, step by step.
    List<PruningStep> steps() {
        return List.copyOf(steps);
    }

    // Algorithm 1

    /// Levels of the hidden variable of a loop that says how all arrays indexed by it serve its copies: one or two accesses per bank (bit 0), cyclic or
    /// block where both would do (bit 1). Arrays agree by sharing the variable; where only one dimension is concerned there is nothing to agree on.
    private int shareSize(String loop) {
        List<ArrayDimension> served = pruner.dimensions().entrySet().stream().filter(e -> e.getValue().contains(loop)).map(Map.Entry::getKey).toList();
        if (served.size() < 2 || !pruner.algorithm1()) {
            return 1;
        }
        return served.stream().filter(at -> eitherType(at, loop)).count() > 1 ? 4 : 2;
    }

    /// Whether both cyclic and block can serve the loop in this dimension, and both can be chosen.
    private boolean eitherType(ArrayDimension at, String loop) {
        ArrayUses.Move move = pruner.uses().loops(at).get(loop);
        return move.walks() && move.jumps() && has(at);
    }

    private boolean has(ArrayDimension at) {
        KnobPlan.Partition p = pruner.plan().partition().get(at);
        return p != null && p.types().contains("cyclic") && p.types().contains("block");
    }

    /// The merged graphs: arrays that share loops. Each is pruned on its own knobs.
    private Diagram graphs() {
        var ties = new Ties();
        var here = new LinkedHashMap<ArrayDimension, List<String>>();
        pruner.dimensions().forEach((at, loops) -> {
            if (variables.containsKey(KnobNames.partitionType(at.array(), at.dimension()))
                    || variables.containsKey(KnobNames.reshape(at.array(), at.dimension()))) {
                here.put(at, loops);
                var names = new ArrayList<String>(List.of(at.array()));
                loops.forEach(l -> names.add("loop " + l));
                ties.tie(names);
            }
        });
        Diagram all = workshop.everything();
        for (List<String> arrays : ties.groups(here.keySet().stream().map(ArrayDimension::array).distinct().toList())) {
            all = all.and(graph(arrays, here));
        }
        return all;
    }

    private Diagram graph(List<String> arrays, Map<ArrayDimension, List<String>> here) {
        Diagram graph = workshop.everything();
        var names = new LinkedHashSet<String>();
        var loops = new LinkedHashSet<String>();
        for (Map.Entry<ArrayDimension, List<String>> e : here.entrySet()) {
            ArrayDimension at = e.getKey();
            if (arrays.contains(at.array())) {
                graph = graph.and(dimension(at, e.getValue()));
                names.addAll(List.of(KnobNames.partitionType(at.array(), at.dimension()),
                        KnobNames.partitionFactor(at.array(), at.dimension()), KnobNames.reshape(at.array(), at.dimension())));
                loops.addAll(e.getValue());
            }
        }
        for (String loop : loops) {
            graph = variables.containsKey(SHARE + loop) ? graph.exists(variables.get(SHARE + loop)) : graph;
            names.add(KnobNames.unroll(loop));
        }
        String subject = (arrays.size() == 1 ? "array " : "arrays ") + String.join(", ", arrays)
                + (loops.isEmpty() ? "" : (loops.size() == 1 ? " with loop " : " with loops ") + String.join(", ", loops));
        step(subject, names.stream().filter(n -> knobs.indexOf(n).isPresent()).toList(), workshop.everything(), graph);
        return graph;
    }

    /// Combinations of a dimension's partition and its loops' unroll factors that fit each other.
    private Diagram dimension(ArrayDimension at, List<String> loops) {
        String typeName = KnobNames.partitionType(at.array(), at.dimension());
        String factorName = KnobNames.partitionFactor(at.array(), at.dimension());
        String reshapeName = KnobNames.reshape(at.array(), at.dimension());
        KnobPlan.Partition partition = pruner.plan().partition().getOrDefault(at, new KnobPlan.Partition(List.of("none"), List.of(1)));
        long size = KnobPlan.size(nests.kernel(), at);
        boolean bound = pruner.algorithm1() && !loops.isEmpty();
        Diagram kept = workshop.nothing();
        for (String type : partition.types()) {
            for (int factor : partition.factors()) {
                boolean whole = factor == size;
                boolean matches = switch (type) {
                    case "none" -> factor == 1;
                    case "complete" -> whole;
                    default -> factor > 1 && !whole;
                };
                if (!matches) {
                    continue;
                }
                Diagram chosen = label(typeName, type).and(label(factorName, Integer.toString(factor)));
                for (int reshape : pruner.plan().reshape().getOrDefault(at, List.of(1))) {
                    Diagram loopsFit = workshop.everything();
                    if (reshape > 1 && !type.equals("none")) {
                        continue;
                    }
                    if (bound) {
                        loopsFit = reshape > 1 ? served(at, loops, "cyclic", reshape) : served(at, loops, type, factor);
                    }
                    kept = kept.or(chosen.and(label(reshapeName, Integer.toString(reshape))).and(loopsFit));
                }
            }
        }
        return kept;
    }

    /// Unroll factors of a dimension's loops that a partition into `banks` serves.
    private Diagram served(ArrayDimension at, List<String> loops, String type, int banks) {
        return switch (type) {
            case "complete" -> loops.stream().map(l -> rest(l).not()).reduce(workshop.nothing(), Diagram::or);
            case "none" -> {
                Diagram fit = workshop.everything();
                for (List<String> path : paths(loops)) {
                    Diagram quiet = allRest(path);
                    fit = fit.and(quiet.or(exactlyOne(at, path, path, type, 1)));
                }
                yield fit;
            }
            default -> servedByBanks(at, loops, type, banks);
        };
    }

    private Diagram servedByBanks(ArrayDimension at, List<String> loops, String type, int banks) {
        Diagram fit = workshop.everything();
        Diagram some = workshop.nothing();
        var nestsOfLoops = new LinkedHashMap<String, List<String>>();
        loops.forEach(l -> nestsOfLoops.computeIfAbsent(nests.outermost(l).id(), k -> new ArrayList<>()).add(l));
        for (List<String> nest : nestsOfLoops.values()) {
            List<String> movers = nest.stream().filter(l -> moves(at, l, type)).toList();
            if (movers.isEmpty()) {
                fit = fit.and(allRest(nest));
                continue;
            }
            Diagram matched = workshop.everything();
            for (List<String> path : paths(nest)) {
                List<String> onPath = path.stream().filter(movers::contains).toList();
                Diagram one = onPath.isEmpty() ? allRest(path) : exactlyOne(at, path, onPath, type, banks);
                boolean mayRest = onPath.stream().noneMatch(pruner.plan().unroll()::containsKey);
                matched = matched.and(mayRest ? one.or(allRest(path)) : one);
            }
            matched = matched.and(allRest(nest).not());
            fit = fit.and(matched.or(allRest(nest)));
            some = some.or(matched);
        }
        return fit.and(some);
    }

    private boolean moves(ArrayDimension at, String loop, String type) {
        ArrayUses.Move move = pruner.uses().loops(at).get(loop);
        return type.equals("cyclic") ? move.walks() : move.jumps();
    }

    /// Exactly one of `choice` is unrolled, in step with the banks; the others of the path are not unrolled.
    private Diagram exactlyOne(ArrayDimension at, List<String> path, List<String> choice, String type, int banks) {
        Diagram one = workshop.nothing();
        for (String loop : choice) {
            List<String> others = path.stream().filter(l -> !l.equals(loop)).toList();
            one = one.or(inStep(at, loop, type, banks).and(allRest(others)));
        }
        return one;
    }

    /// The loop is unrolled by as many copies as the banks have accesses: one or two each.
    private Diagram inStep(ArrayDimension at, String loop, String type, int banks) {
        List<Integer> factors = pruner.unrollFactors(loop);
        int unroll = variables.get(KnobNames.unroll(loop));
        Integer share = variables.get(SHARE + loop);
        if (share == null) {
            return workshop.relation(new int[] {unroll}, l -> inStep(factors.get(l[0]), 1, banks) || inStep(factors.get(l[0]), 2, banks));
        }
        boolean agree = !type.equals("none") && eitherType(at, loop);
        int wanted = type.equals("block") ? 1 : 0;
        return workshop.relation(new int[] {share, unroll},
                l -> inStep(factors.get(l[1]), 1 + (l[0] & 1), banks) && (!agree || l[0] >> 1 == wanted || shareSize(loop) == 2));
    }

    private static boolean inStep(int copies, int perBank, int banks) {
        return copies > 1 && Math.ceilDiv(copies, perBank) == banks;
    }

    private Diagram rest(String loop) {
        return where(KnobNames.unroll(loop), label -> label.equals("1"));
    }

    private Diagram allRest(List<String> loops) {
        return loops.stream().map(this::rest).reduce(workshop.everything(), Diagram::and);
    }

    /// The loops among `loops` on each way from an outermost to an innermost loop, where there are any.
    private List<List<String>> paths(List<String> loops) {
        var paths = new LinkedHashSet<List<String>>();
        var outermost = new LinkedHashSet<Loop>();
        loops.forEach(l -> outermost.add(nests.outermost(l)));
        for (Loop top : outermost) {
            for (List<Loop> path : nests.paths(top)) {
                paths.add(path.stream().map(Loop::id).filter(loops::contains).toList());
            }
        }
        paths.remove(List.<String>of());
        return List.copyOf(paths);
    }

    // Contradictions with the knobs outside the graphs

    private Diagram rules(Diagram start) {
        Diagram set = start;
        set = rule("inside a pipelined loop: unrolled completely by the tool, so its own knobs rest", set, covered(set));
        set = rule("completely unrolled loop: nothing left to pipeline or flatten", set, set.and(completelyUnrolled()));
        set = rule("more than " + pruner.limits().maxCopies() + " copies of one statement", set, set.and(copies()));
        set = rule("array in more than " + pruner.limits().maxBanks() + " memories", set, set.and(banks()));
        set = rule("flattening needs the outer loops of its nest as they are", set, set.and(flatten()));
        set = rule("dataflow: tasks stay functions and loops of their own", set, set.and(dataflow()));
        return rule("array in registers: no storage to bind", set, set.and(storage()));
    }

    private Diagram rule(String subject, Diagram before, Diagram after) {
        if (!before.equals(after)) {
            step(subject, knobs.list().stream().map(Knob::name).toList(), before, after);
        }
        return after;
    }

    private void step(String subject, List<String> names, Diagram before, Diagram after) {
        var over = new BitSet();
        names.forEach(n -> over.set(variables.get(n)));
        steps.add(new PruningStep(subject, names, before.countOver(over), after.countOver(over)));
    }

    private Diagram covered(Diagram start) {
        Diagram set = start;
        for (Loop loop : nests.loops()) {
            Optional<Diagram> covered = touches(loop) ? coveredWhen(loop.id()) : Optional.empty();
            boolean hidden = variables.containsKey(KnobNames.unroll(loop.id())) && !isKnob(KnobNames.unroll(loop.id()));
            if (covered.isEmpty()) {
                continue;
            }
            Diagram free = covered.get().not();
            Integer unroll = variables.get(KnobNames.unroll(loop.id()));
            if (unroll != null) {
                Diagram wherever = set.exists(unroll).and(covered.get()).and(atRest(KnobNames.unroll(loop.id())));
                set = set.and(hidden ? free.and(rest(loop.id())) : free).or(wherever);
            }
            for (String name : List.of(KnobNames.pipeline(loop.id()), KnobNames.flatten(loop.id()), KnobNames.dataflow(loop.id()))) {
                if (isKnob(name)) {
                    set = set.and(free.or(atRest(name)));
                }
            }
        }
        for (String function : nests.kernel().functions().stream().map(f -> f.name()).filter(f -> isKnob(KnobNames.dataflow(f))).toList()) {
            Optional<Diagram> covered = pruner.coverage().functionCovered(function, this::pipelined, Diagram::or, Diagram::and);
            if (covered.isPresent()) {
                set = set.and(covered.get().not().or(atRest(KnobNames.dataflow(function))));
            }
        }
        return set;
    }

    private boolean touches(Loop loop) {
        return List.of(KnobNames.unroll(loop.id()), KnobNames.pipeline(loop.id()), KnobNames.flatten(loop.id()), KnobNames.dataflow(loop.id()))
                .stream().anyMatch(variables::containsKey);
    }

    private Optional<Diagram> coveredWhen(String loop) {
        return pruner.coverage().covered(loop, this::pipelined, Diagram::or, Diagram::and);
    }

    private Diagram pipelined(String loop) {
        return label(KnobNames.pipeline(loop), "off").not();
    }

    private Diagram completelyUnrolled() {
        Diagram allowed = workshop.everything();
        for (Loop loop : nests.loops()) {
            String unroll = KnobNames.unroll(loop.id());
            if (!isKnob(unroll) || !loop.trip().isExact()) {
                continue;
            }
            long trip = loop.trip().max().getAsLong();
            Diagram partly = where(unroll, label -> Long.parseLong(label) < trip);
            for (String name : List.of(KnobNames.pipeline(loop.id()), KnobNames.flatten(loop.id()))) {
                if (isKnob(name)) {
                    allowed = allowed.and(partly.or(atRest(name)));
                }
            }
        }
        return allowed;
    }

    /// @param closed loops of the path read so far up to the first pipelined one, or -1 while none is
    /// @param copies product so far
    private record Copies(int closed, long copies) { }

    private Diagram copies() {
        Diagram allowed = workshop.everything();
        for (Loop top : nests.loops().stream().filter(l -> l.parent().isEmpty()).toList()) {
            for (List<Loop> path : nests.paths(top)) {
                if (path.stream().anyMatch(this::touches)) {
                    allowed = allowed.and(copies(path));
                }
            }
        }
        return allowed;
    }

    private Diagram copies(List<Loop> path) {
        var unrolls = new HashMap<Integer, Integer>();
        var pipelines = new HashMap<Integer, Integer>();
        for (int i = 0; i < path.size(); i++) {
            if (isKnob(KnobNames.unroll(path.get(i).id()))) {
                unrolls.put(variables.get(KnobNames.unroll(path.get(i).id())), i);
            }
            if (isKnob(KnobNames.pipeline(path.get(i).id()))) {
                pipelines.put(variables.get(KnobNames.pipeline(path.get(i).id())), i);
            }
        }
        return workshop.walk(new Copies(-1, 1), (state, variable, level) -> {
            Integer unrolled = unrolls.get(variable);
            Integer pipelined = pipelines.get(variable);
            Copies next = state;
            if (unrolled != null && (state.closed() < 0 || state.closed() >= unrolled)) {
                int factor = pruner.unrollFactors(path.get(unrolled).id()).get(level);
                next = new Copies(state.closed(), Nests.times(state.copies(), factor));
            } else if (pipelined != null && state.closed() < 0 && !domains.get(KnobNames.pipeline(path.get(pipelined).id())).label(level).equals("off")) {
                next = new Copies(pipelined, Nests.times(state.copies(), nests.copiesInside(path.get(pipelined))));
            }
            return next.copies() > pruner.limits().maxCopies() ? Optional.empty() : Optional.of(next);
        });
    }

    private Diagram banks() {
        Diagram allowed = workshop.everything();
        for (List<ArrayDimension> dimensions : dimensionsByArray()) {
            var factors = new HashMap<Integer, Domain>();
            for (ArrayDimension at : dimensions) {
                String name = KnobNames.partitionFactor(at.array(), at.dimension());
                factors.put(variables.get(name), domains.get(name));
            }
            allowed = allowed.and(workshop.walk(1L, (banks, variable, level) -> {
                long next = factors.containsKey(variable) ? Nests.times(banks, Long.parseLong(factors.get(variable).label(level))) : banks;
                return next > pruner.limits().maxBanks() ? Optional.empty() : Optional.of(next);
            }));
        }
        return allowed;
    }

    private List<List<ArrayDimension>> dimensionsByArray() {
        var byArray = new LinkedHashMap<String, List<ArrayDimension>>();
        pruner.plan().partition().keySet().stream().filter(at -> isKnob(KnobNames.partitionFactor(at.array(), at.dimension())))
                .forEach(at -> byArray.computeIfAbsent(at.array(), k -> new ArrayList<>()).add(at));
        return List.copyOf(byArray.values());
    }

    private Diagram flatten() {
        Diagram allowed = workshop.everything();
        for (Loop loop : nests.loops()) {
            if (isKnob(KnobNames.flatten(loop.id()))) {
                Diagram plain = workshop.everything();
                for (Loop outer : nests.perfectNest(loop)) {
                    if (!outer.id().equals(loop.id()) && isKnob(KnobNames.unroll(outer.id()))) {
                        plain = plain.and(rest(outer.id()));
                    }
                }
                allowed = allowed.and(plain.or(label(KnobNames.flatten(loop.id()), "off")));
            }
        }
        return allowed;
    }

    private Diagram dataflow() {
        Diagram allowed = workshop.everything();
        for (String scope : pruner.plan().switches().get(KnobKind.DATAFLOW).keySet()) {
            if (!isKnob(KnobNames.dataflow(scope))) {
                continue;
            }
            List<Statement> body = nests.isLoop(scope) ? nests.loop(scope).body() : nests.function(scope).orElseThrow().body();
            Set<String> stay = new LinkedHashSet<>(Nests.tasks(body));
            stay.add(scope);
            Diagram apart = workshop.everything();
            for (String function : stay) {
                apart = isKnob(KnobNames.inline(function)) ? apart.and(label(KnobNames.inline(function), "off")) : apart;
            }
            apart = isKnob(KnobNames.pipeline(scope)) ? apart.and(label(KnobNames.pipeline(scope), "off")) : apart;
            allowed = allowed.and(apart.or(label(KnobNames.dataflow(scope), "off")));
        }
        return allowed;
    }

    private Diagram storage() {
        Diagram allowed = workshop.everything();
        for (String array : pruner.plan().choices().get(KnobKind.STORAGE).keySet()) {
            int rank = nests.kernel().array(array).orElseThrow().dims().size();
            Diagram registers = workshop.everything();
            for (int d = 1; d <= rank; d++) {
                String type = KnobNames.partitionType(array, d);
                registers = isKnob(type) ? registers.and(label(type, "complete")) : workshop.nothing();
            }
            if (isKnob(KnobNames.storage(array))) {
                allowed = allowed.and(registers.not().or(atRest(KnobNames.storage(array))));
            }
        }
        return allowed;
    }

    // Small words

    private boolean isKnob(String name) {
        return knobs.indexOf(name).isPresent();
    }

    /// The knob takes the value called `label`; no condition where there is no such knob.
    private Diagram label(String name, String label) {
        return where(name, l -> l.equals(label));
    }

    /// The knob takes the value that means "no directive", or its first where the plan leaves that one out.
    private Diagram atRest(String name) {
        Domain domain = domains.get(name);
        return where(name, l -> l.equals(domain.label(restLevel(domain))));
    }

    /// Level of the value that changes nothing: factor 1, `off`, `none`, `auto`; else the first.
    static int restLevel(Domain domain) {
        for (String rest : List.of("1", "off", "none", "auto")) {
            if (domain.levelOf(rest) >= 0) {
                return domain.levelOf(rest);
            }
        }
        return 0;
    }

    private Diagram where(String name, java.util.function.Predicate<String> labels) {
        Integer variable = variables.get(name);
        if (variable == null) {
            return workshop.everything();
        }
        Domain domain = domains.get(name);
        IntPredicate allowed = level -> labels.test(domain.label(level));
        var set = new BitSet();
        IntStream.range(0, domain.size()).filter(allowed).forEach(set::set);
        return workshop.only(variable, set);
    }
}

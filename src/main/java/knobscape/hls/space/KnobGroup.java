package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.Loop;
import knobscape.hls.space.DirectiveSpace.PruningStep;
import knobscape.space.DiagramSpace;
import knobscape.space.Diagrams.Diagram;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Knobs that constrain each other, directly or through others, and the set of their combinations that pruning
/// keeps. The loops are taken cluster by cluster; then come the rules about nests and arrays as a whole. The
/// package documentation says what is kept.
final class KnobGroup {
    private final PruningFacts facts;
    private final Nests nests;
    private final KnobSet knobs;
    private final Board board;
    /// Loops and functions that knobs of the group are at, in their order.
    private final List<Loop> loops;

    private final List<Function> functions;
    private final List<LoopCluster> clusters;
    private final List<PruningStep> steps = new ArrayList<>();
    private final Diagram kept;

    /// @param names knobs and hidden variables in diagram order
    /// @param knobs the knobs among them
    KnobGroup(PruningFacts facts, List<String> names, List<Knob> knobs) {
        this.facts = facts;
        this.nests = facts.nests();
        this.knobs = new KnobSet(knobs);
        var domains = new LinkedHashMap<String, Domain>();
        for (String name : names) {
            domains.put(
                    name,
                    this.knobs.indexOf(name).isPresent()
                            ? this.knobs
                                    .get(this.knobs.indexOf(name).getAsInt())
                                    .domain()
                            : new Domain.Factors(facts.unrollFactors(name.substring("unroll@".length()))));
        }
        board = new Board(domains);
        Set<String> places =
                names.stream().map(n -> n.substring(n.indexOf('@') + 1)).collect(Collectors.toSet());
        loops = nests.loopsAmong(places);
        functions = nests.functionsAmong(places);
        clusters = clusters(domains);
        Diagram set = board.everything();
        for (LoopCluster cluster : clusters) {
            set = set.and(board.adopt(cluster.board(), cluster.kept()));
        }
        reportPipelining(set);
        Diagram fitting = rules(set);
        if (fitting.isEmpty()) {
            throw new UserError("the knobs "
                    + String.join(
                            ", ", this.knobs.list().stream().map(Knob::name).toList())
                    + " leave no configuration that can be built: allow 'none', 'off' or factor 1 again, or"
                    + " set 'prune: false'");
        }
        kept = fitting.or(asItStands());
    }

    /// The source as it stands; nothing where a knob does not offer its value.
    private Diagram asItStands() {
        Diagram own = board.everything();
        for (var e : facts.asItStands(knobs).entrySet()) {
            own = own.and(board.is(e.getKey(), e.getValue()));
        }
        return own;
    }

    /// The kept combinations. All knobs of the group may move together.
    DiagramSpace space() {
        int[] visible = board.names().stream()
                .filter(this::isKnob)
                .mapToInt(board::variable)
                .toArray();
        return board.diagrams()
                .space(
                        knobs,
                        kept,
                        visible,
                        List.of(IntStream.range(0, knobs.size()).toArray()));
    }

    /// Its dimensions and loops, those that index each other together.
    List<LoopCluster> clusters() {
        return clusters;
    }

    /// The pruning by the rules beyond Algorithm 1, step by step.
    List<PruningStep> steps() {
        return List.copyOf(steps);
    }

    private boolean isKnob(String name) {
        return knobs.indexOf(name).isPresent();
    }

    private List<LoopCluster> clusters(Map<String, Domain> domains) {
        var ties = new Ties();
        var members = new LinkedHashSet<String>();
        var dimensions = new LinkedHashMap<String, ArrayDimension>();
        for (ArrayDimension at : facts.dimensionsAmong(board.names())) {
            if (isHere(at)) {
                var tied = new ArrayList<String>(List.of("dimension " + at));
                dimensions.put(tied.getFirst(), at);
                requireNonNull(facts.dimensions().get(at)).forEach(l -> tied.add("loop " + l));
                ties.tie(tied);
                members.addAll(tied);
            }
        }
        for (Loop loop : loops) {
            if (List.of(
                            KnobNames.unroll(loop.id()),
                            KnobNames.pipeline(loop.id()),
                            KnobNames.flatten(loop.id()),
                            KnobNames.dataflow(loop.id()))
                    .stream()
                    .anyMatch(board::has)) {
                members.add("loop " + loop.id());
            }
        }
        var clusters = new ArrayList<LoopCluster>();
        for (List<String> tied : ties.groups(members)) {
            var loops = new LinkedHashSet<String>();
            tied.stream().filter(n -> n.startsWith("loop ")).forEach(n -> loops.add(n.substring("loop ".length())));
            clusters.add(new LoopCluster(
                    facts,
                    domains,
                    tied.stream()
                            .filter(dimensions::containsKey)
                            .map(dimensions::get)
                            .toList(),
                    loops));
        }
        return clusters;
    }

    private boolean isHere(ArrayDimension at) {
        return board.has(KnobNames.partitionType(at.array(), at.dimension()))
                || board.has(KnobNames.reshape(at.array(), at.dimension()));
    }

    // Report

    static BitSet variables(Board board, Set<String> names) {
        var set = new BitSet();
        names.forEach(n -> set.set(board.variable(n)));
        return set;
    }

    private BigInteger product(Set<String> names) {
        return names.stream()
                .map(n -> BigInteger.valueOf(board.domain(n).size()))
                .reduce(BigInteger.ONE, BigInteger::multiply);
    }

    private void reportPipelining(Diagram after) {
        Set<String> all =
                new LinkedHashSet<>(knobs.list().stream().map(Knob::name).toList());
        var free = new LinkedHashSet<>(all);
        BigInteger before = BigInteger.ONE;
        for (LoopCluster cluster : clusters) {
            var own = new LinkedHashSet<>(
                    cluster.board().names().stream().filter(free::contains).toList());
            free.removeAll(own);
            before = before.multiply(cluster.fitting().countOver(variables(cluster.board(), own)));
        }
        before = before.multiply(product(free));
        BigInteger is = after.countOver(variables(board, all));
        if (!before.equals(is)) {
            steps.add(new PruningStep(
                    "pipelining: loops inside a pipelined one are unrolled by the tool and rest, completely unrolled"
                            + " ones are not pipelined",
                    List.copyOf(all),
                    before,
                    is));
        }
    }

    // Rules about nests and arrays as a whole

    private Diagram rules(Diagram start) {
        Diagram set = rule("flattening needs the outer loops of its nest as they are", start, flatten());
        set = rule("dataflow: tasks stay functions and loops of their own", set, dataflow());
        set = rule("array in registers: no storage to bind", set, storage());
        return rule("inlining that the estimate finds larger and no faster", set, vain());
    }

    private Diagram rule(String subject, Diagram before, Diagram allowed) {
        Diagram after = before.and(allowed);
        if (!after.equals(before)) {
            List<String> names = knobs.list().stream().map(Knob::name).toList();
            BitSet over = variables(board, new LinkedHashSet<>(names));
            steps.add(new PruningStep(subject, names, before.countOver(over), after.countOver(over)));
        }
        return after;
    }

    private Diagram flatten() {
        Diagram allowed = board.everything();
        for (Loop loop : loops) {
            if (board.has(KnobNames.flatten(loop.id()))) {
                Diagram plain = board.everything();
                for (Loop outer : nests.perfectNest(loop)) {
                    if (!outer.id().equals(loop.id()) && isKnob(KnobNames.unroll(outer.id()))) {
                        plain = plain.and(board.is(KnobNames.unroll(outer.id()), "1"));
                    }
                }
                allowed = allowed.and(plain.or(board.is(KnobNames.flatten(loop.id()), "off")));
            }
        }
        return allowed;
    }

    private Diagram dataflow() {
        Diagram allowed = board.everything();
        for (String scope :
                requireNonNull(facts.plan().switches().get(KnobKind.DATAFLOW)).keySet()) {
            if (!board.has(KnobNames.dataflow(scope))) {
                continue;
            }
            BodyFacts body = nests.isLoop(scope)
                    ? nests.loop(scope).body()
                    : nests.function(scope).map(Function::body).orElseThrow();
            Set<String> stay = new LinkedHashSet<>(body.tasks());
            stay.add(scope);
            Diagram apart = board.everything();
            for (String function : stay) {
                apart = apart.and(board.is(KnobNames.inline(function), "off"));
            }
            apart = apart.and(board.is(KnobNames.pipeline(scope), "off"));
            allowed = allowed.and(apart.or(board.is(KnobNames.dataflow(scope), "off")));
            if (!nests.isLoop(scope)) {
                Optional<Diagram> covered = facts.coverage()
                        .functionCovered(
                                scope,
                                l -> board.is(KnobNames.pipeline(l), "off").not(),
                                Diagram::or,
                                Diagram::and);
                allowed = covered.isPresent()
                        ? allowed.and(covered.get().not().or(board.rests(KnobNames.dataflow(scope))))
                        : allowed;
            }
        }
        return allowed;
    }

    /// Functions that the estimate finds in vain to inline stay functions.
    private Diagram vain() {
        Diagram allowed = board.everything();
        for (Function f : functions) {
            String name = KnobNames.inline(f.name());
            if (isKnob(name) && facts.isVain(new Directive.Inline(f.name(), true))) {
                allowed = allowed.and(board.is(name, "off"));
            }
        }
        return allowed;
    }

    private Diagram storage() {
        Diagram allowed = board.everything();
        for (String array :
                requireNonNull(facts.plan().choices().get(KnobKind.STORAGE)).keySet()) {
            if (!board.has(KnobNames.storage(array))) {
                continue;
            }
            int rank = nests.array(array).orElseThrow().dims().size();
            Diagram registers = board.everything();
            for (int d = 1; d <= rank; d++) {
                String type = KnobNames.partitionType(array, d);
                registers = isKnob(type) ? registers.and(board.is(type, "complete")) : board.nothing();
            }
            allowed = allowed.and(registers.not().or(board.rests(KnobNames.storage(array))));
        }
        return allowed;
    }
}

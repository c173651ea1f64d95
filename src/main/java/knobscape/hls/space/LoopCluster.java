package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import knobscape.hls.source.Loop;
import knobscape.space.Diagrams.Diagram;
import knobscape.space.Domain;

/// Loops tied to each other by the array dimensions they index, with the pipelining that concerns them:
/// Algorithm 1, then what pipelining changes, on a small board of their own.
final class LoopCluster {
    private static final String SHARE = "share@";

    private final PruningFacts facts;
    private final Nests nests;
    private final List<ArrayDimension> dimensions;
    private final Set<String> loops;
    private final Board board;
    private final Diagram fitting;
    private final Diagram kept;

    /// @param domains of the group's knobs and hidden variables, in its order
    /// @param dimensions dimensions of the cluster
    /// @param loops loops of the cluster
    LoopCluster(PruningFacts facts, Map<String, Domain> domains, List<ArrayDimension> dimensions, Set<String> loops) {
        this.facts = facts;
        this.nests = facts.nests();
        this.dimensions = List.copyOf(dimensions);
        // In order, which Set.copyOf does not keep from one start of the program to the next.
        this.loops = Collections.unmodifiableSet(new LinkedHashSet<>(loops));
        this.board = new Board(variables(domains));
        Diagram fit = board.everything();
        for (ArrayDimension at : dimensions) {
            fit = fit.and(dimension(at, requireNonNull(facts.dimensions().get(at))));
        }
        for (String loop : loops) {
            fit = board.has(SHARE + loop) ? fit.exists(board.variable(SHARE + loop)) : fit;
        }
        fitting = fit;
        kept = pipelining(fit);
    }

    private Map<String, Domain> variables(Map<String, Domain> domains) {
        var own = new LinkedHashSet<String>();
        for (ArrayDimension at : dimensions) {
            own.addAll(List.of(
                    KnobNames.partitionType(at.array(), at.dimension()),
                    KnobNames.partitionFactor(at.array(), at.dimension()),
                    KnobNames.reshape(at.array(), at.dimension())));
        }
        for (String loop : loops) {
            own.addAll(List.of(
                    KnobNames.unroll(loop),
                    KnobNames.pipeline(loop),
                    KnobNames.flatten(loop),
                    KnobNames.dataflow(loop)));
            facts.coverage().coverers(loop).forEach(c -> own.add(KnobNames.pipeline(c)));
        }
        var variables = new LinkedHashMap<String, Domain>();
        domains.forEach((name, domain) -> {
            if (own.contains(name)) {
                String loop = name.substring(name.indexOf('@') + 1);
                if (name.startsWith("unroll@") && shareSize(loop) > 1) {
                    variables.put(
                            SHARE + loop,
                            new Domain.Factors(
                                    IntStream.range(0, shareSize(loop)).boxed().toList()));
                }
                variables.put(name, domain);
            }
        });
        return variables;
    }

    Board board() {
        return board;
    }

    /// The combinations that Algorithm 1 keeps.
    Diagram fitting() {
        return fitting;
    }

    /// The combinations kept when pipelining is taken into account.
    Diagram kept() {
        return kept;
    }

    Set<String> loops() {
        return loops;
    }

    List<ArrayDimension> dimensions() {
        return dimensions;
    }

    /// Levels of the hidden variable of a loop that says how all arrays indexed by it serve its copies: one or
    /// two accesses per bank (bit 0), cyclic or block where both would do (bit 1). Arrays agree by sharing the
    /// variable; where only one dimension is concerned there is nothing to agree on.
    private int shareSize(String loop) {
        List<ArrayDimension> served = dimensions.stream()
                .filter(at -> requireNonNull(facts.dimensions().get(at)).contains(loop))
                .toList();
        if (served.size() < 2 || !facts.algorithm1()) {
            return 1;
        }
        return served.stream().filter(at -> eitherType(at, loop)).count() > 1 ? 4 : 2;
    }

    /// True if both cyclic and block can serve the loop in this dimension, and both can be chosen.
    private boolean eitherType(ArrayDimension at, String loop) {
        ArrayUses.Move move = requireNonNull(facts.uses().loops(at).get(loop));
        KnobPlan.Partition p = facts.plan().partition().get(at);
        return move.walks()
                && move.jumps()
                && p != null
                && p.types().contains("cyclic")
                && p.types().contains("block");
    }

    /// Combinations of a dimension's partition and its loops' unroll factors that fit each other.
    private Diagram dimension(ArrayDimension at, List<String> indexing) {
        String typeName = KnobNames.partitionType(at.array(), at.dimension());
        String factorName = KnobNames.partitionFactor(at.array(), at.dimension());
        String reshapeName = KnobNames.reshape(at.array(), at.dimension());
        KnobPlan.Partition partition =
                facts.plan().partition().getOrDefault(at, new KnobPlan.Partition(List.of("none"), List.of(1)));
        long size = KnobPlan.size(nests, at);
        boolean bound = facts.algorithm1() && !indexing.isEmpty();
        Diagram fit = board.nothing();
        for (String type : partition.types()) {
            for (int factor : partition.factors()) {
                boolean consistent = switch (type) {
                    case "none" -> factor == 1;
                    case "complete" -> factor == size;
                    default -> factor > 1 && factor != size;
                };
                for (int reshape :
                        consistent ? facts.plan().reshape().getOrDefault(at, List.of(1)) : List.<Integer>of()) {
                    if (reshape == 1 || type.equals("none") || isWords(type, (long) factor * reshape, size)) {
                        Diagram chosen = board.is(typeName, type)
                                .and(board.is(factorName, Integer.toString(factor)))
                                .and(board.is(reshapeName, Integer.toString(reshape)));
                        Diagram served = !bound
                                ? board.everything()
                                : reshape > 1
                                        ? served(at, indexing, "cyclic", factor * reshape, false)
                                        : served(at, indexing, type, factor, factor == 2 && facts.isVain(at, type));
                        fit = fit.or(chosen.and(served));
                    }
                }
            }
        }
        return fit;
    }

    /// True if a dimension can be split into banks of wider words: in turn, so that a word of every bank together holds
    /// neighbours.
    private static boolean isWords(String type, long elements, long size) {
        return type.equals("cyclic") && (size == 0 || elements <= size);
    }

    /// Unroll factors of a dimension's loops that a partition into `banks` serves.
    ///
    /// @param vain whether two banks have to be asked for by an unrolled loop
    private Diagram served(ArrayDimension at, List<String> indexing, String type, int banks, boolean vain) {
        return switch (type) {
            case "complete" -> indexing.stream().map(l -> rest(l).not()).reduce(board.nothing(), Diagram::or);
            case "none" -> hardlyUnrolled(indexing);
            default -> {
                Diagram matched = servedByBanks(at, indexing, type, banks);
                yield banks == 2 && !vain ? matched.or(hardlyUnrolled(indexing)) : matched;
            }
        };
    }

    /// On each path at most one of the loops is unrolled, and it by 2: what the two ports of one memory serve.
    private Diagram hardlyUnrolled(List<String> indexing) {
        Diagram fit = board.everything();
        for (List<String> path : paths(indexing)) {
            Diagram one = allRest(path);
            for (String loop : path) {
                List<String> others = path.stream().filter(l -> !l.equals(loop)).toList();
                one = one.or(board.is(KnobNames.unroll(loop), "2").and(allRest(others)));
            }
            fit = fit.and(one);
        }
        return fit;
    }

    private Diagram servedByBanks(ArrayDimension at, List<String> indexing, String type, int banks) {
        Diagram fit = board.everything();
        Diagram some = board.nothing();
        var byNest = new LinkedHashMap<String, List<String>>();
        indexing.forEach(l -> byNest.computeIfAbsent(nests.outermost(l).id(), k -> new ArrayList<>())
                .add(l));
        for (List<String> nest : byNest.values()) {
            List<String> movers = nest.stream().filter(l -> moves(at, l, type)).toList();
            if (movers.isEmpty()) {
                fit = fit.and(allRest(nest));
                continue;
            }
            Diagram matched = board.everything();
            for (List<String> path : paths(nest)) {
                List<String> onPath = path.stream().filter(movers::contains).toList();
                Diagram one = onPath.isEmpty() ? allRest(path) : exactlyOne(at, path, onPath, type, banks);
                boolean mayRest = onPath.stream().noneMatch(facts.plan().unroll()::containsKey);
                matched = matched.and(mayRest ? one.or(allRest(path)) : one);
            }
            matched = matched.and(allRest(nest).not());
            fit = fit.and(matched.or(allRest(nest)));
            some = some.or(matched);
        }
        return fit.and(some);
    }

    private boolean moves(ArrayDimension at, String loop, String type) {
        ArrayUses.Move move = requireNonNull(facts.uses().loops(at).get(loop));
        return type.equals("cyclic") ? move.walks() : move.jumps();
    }

    /// Exactly one of `choice` is unrolled, in step with the banks; the others of the path are not unrolled.
    private Diagram exactlyOne(ArrayDimension at, List<String> path, List<String> choice, String type, int banks) {
        Diagram one = board.nothing();
        for (String loop : choice) {
            List<String> others = path.stream().filter(l -> !l.equals(loop)).toList();
            one = one.or(inStep(at, loop, type, banks).and(allRest(others)));
        }
        return one;
    }

    /// The loop is unrolled by as many copies as the banks have accesses: one or two each.
    private Diagram inStep(ArrayDimension at, String loop, String type, int banks) {
        List<Integer> factors = facts.unrollFactors(loop);
        int unroll = board.variable(KnobNames.unroll(loop));
        if (!board.has(SHARE + loop)) {
            return board.where(
                    KnobNames.unroll(loop),
                    l -> inStep(Integer.parseInt(l), 1, banks) || inStep(Integer.parseInt(l), 2, banks));
        }
        boolean agree = eitherType(at, loop) && shareSize(loop) > 2;
        int wanted = type.equals("block") ? 1 : 0;
        return board.diagrams()
                .relation(
                        new int[] {board.variable(SHARE + loop), unroll},
                        l -> inStep(factors.get(l[1]), 1 + (l[0] & 1), banks) && (!agree || l[0] >> 1 == wanted));
    }

    private static boolean inStep(int copies, int perBank, int banks) {
        return copies > 1 && Math.ceilDiv(copies, perBank) == banks;
    }

    private Diagram rest(String loop) {
        return board.is(KnobNames.unroll(loop), "1");
    }

    private Diagram allRest(List<String> some) {
        return some.stream().map(this::rest).reduce(board.everything(), Diagram::and);
    }

    /// The loops among `some` on each way from an outermost to an innermost loop, where there are any.
    private List<List<String>> paths(List<String> some) {
        var paths = new LinkedHashSet<List<String>>();
        // By their ids: the hash of a loop goes through all of its body.
        var outermost = new LinkedHashSet<String>();
        some.forEach(l -> outermost.add(nests.outermost(l).id()));
        for (Loop top : outermost.stream().map(nests::loop).toList()) {
            for (List<Loop> path : nests.paths(top)) {
                paths.add(path.stream().map(Loop::id).filter(some::contains).toList());
            }
        }
        paths.remove(List.<String>of());
        return List.copyOf(paths);
    }

    /// The effect of pipelining: a covered loop is unrolled completely by the tool, so that its knobs rest, and
    /// its arrays may be laid out for any of its factors; a completely unrolled loop has nothing left to
    /// pipeline or flatten.
    private Diagram pipelining(Diagram fit) {
        Diagram set = fit;
        for (String loop : loops) {
            String unroll = KnobNames.unroll(loop);
            if (board.has(unroll)) {
                boolean hidden = !facts.plan().unroll().containsKey(loop);
                Diagram somewhere = facts.isOpen(loop)
                        ? board.everything()
                        : covered(loop, Coverage.Calls.ANY).orElse(board.nothing());
                Diagram served = set.exists(board.variable(unroll)).and(somewhere);
                set = set.and(somewhere.not()).or(served);
                set = hidden ? set.and(rest(loop)) : set;
            }
            Optional<Diagram> covered = covered(loop, Coverage.Calls.EVERY);
            if (covered.isPresent()) {
                Diagram free = covered.get().not();
                set = set.and(free.or(board.rests(unroll)));
                for (String name :
                        List.of(KnobNames.pipeline(loop), KnobNames.flatten(loop), KnobNames.dataflow(loop))) {
                    set = board.has(name) ? set.and(free.or(board.rests(name))) : set;
                }
            }
            set = set.and(partlyUnrolled(loop));
        }
        return set;
    }

    private Optional<Diagram> covered(String loop, Coverage.Calls calls) {
        return facts.coverage()
                .covered(
                        loop, calls, l -> board.is(KnobNames.pipeline(l), "off").not(), Diagram::or, Diagram::and);
    }

    private Diagram partlyUnrolled(String loop) {
        var trip = nests.loop(loop).trip();
        Diagram allowed = board.everything();
        if (facts.plan().unroll().containsKey(loop) && trip.isExact()) {
            Diagram partly = board.where(
                    KnobNames.unroll(loop),
                    label -> Long.parseLong(label) < trip.max().getAsLong());
            for (String name : List.of(KnobNames.pipeline(loop), KnobNames.flatten(loop))) {
                allowed = board.has(name) ? allowed.and(partly.or(board.rests(name))) : allowed;
            }
        }
        return allowed;
    }
}

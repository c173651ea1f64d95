package knobscape.hls.space;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.hls.source.Loop;

/// When a loop is covered: a loop around it is pipelined, so that the tool unrolls it completely. A loop around
/// a call covers the called function's loops. A function called at several places is covered when every call is;
/// its arrays have to serve what is unrolled as soon as one is ([Calls]).
final class Coverage {
    /// Which of a function's calls have to be covered.
    enum Calls {
        EVERY,
        ANY
    }

    private final Nests nests;
    private final Set<String> pipelinable;

    /// @param pipelinable loops that have a pipeline knob
    Coverage(Nests nests, Set<String> pipelinable) {
        this.nests = nests;
        this.pipelinable = Set.copyOf(pipelinable);
    }

    /// True if anything may cover the loop, at one call of its function at least.
    boolean possible(String loop) {
        return !coverers(loop).isEmpty();
    }

    /// The loops whose pipelining decides whether the loop is covered, here or at any call.
    Set<String> coverers(String loop) {
        var found = new LinkedHashSet<String>();
        covered(loop, Calls.ANY, Set::of, Coverage::union, Coverage::union).ifPresent(found::addAll);
        return found;
    }

    /// The loops whose pipelining decides whether all calls of the function are covered.
    Set<String> functionCoverers(String function) {
        return functionCovered(function, Set::of, Coverage::union, Coverage::union)
                .orElse(Set.of());
    }

    private static Set<String> union(Set<String> a, Set<String> b) {
        var both = new LinkedHashSet<>(a);
        both.addAll(b);
        return both;
    }

    /// Pipelinable loops around a call in the caller.
    private List<String> siteLoops(Nests.CallSite site) {
        return site.loop().stream()
                .flatMap(l ->
                        Stream.concat(Stream.of(l), nests.ancestors(l).stream().map(Loop::id)))
                .filter(pipelinable::contains)
                .toList();
    }

    /// The condition under which a loop is covered, in any algebra of conditions; empty where it never is.
    ///
    /// @param calls which calls of its function count
    /// @param pipelined the condition that a loop is pipelined
    <C> Optional<C> covered(
            String loop, Calls calls, Function<String, C> pipelined, BinaryOperator<C> or, BinaryOperator<C> and) {
        Optional<C> own = nests.ancestors(loop).stream()
                .map(Loop::id)
                .filter(pipelinable::contains)
                .map(pipelined)
                .reduce(or);
        return either(
                own, functionCovered(nests.loop(loop).function(), calls, pipelined, or, and, new HashMap<>()), or);
    }

    /// The condition under which every call of a function is covered; empty where it never holds.
    <C> Optional<C> functionCovered(
            String function, Function<String, C> pipelined, BinaryOperator<C> or, BinaryOperator<C> and) {
        return functionCovered(function, Calls.EVERY, pipelined, or, and, new HashMap<>());
    }

    /// @param found what is known of functions; a recursive call covers nothing
    private <C> Optional<C> functionCovered(
            String function,
            Calls calls,
            Function<String, C> pipelined,
            BinaryOperator<C> or,
            BinaryOperator<C> and,
            Map<String, Optional<C>> found) {
        if (found.containsKey(function)) {
            return found.get(function);
        }
        found.put(function, Optional.empty());
        List<Nests.CallSite> sites = nests.callSites(function);
        List<Optional<C>> each = sites.stream()
                .map(site -> either(
                        siteLoops(site).stream().map(pipelined).reduce(or),
                        functionCovered(site.caller(), calls, pipelined, or, and, found),
                        or))
                .toList();
        Optional<C> condition = calls == Calls.EVERY && each.stream().anyMatch(Optional::isEmpty)
                ? Optional.empty()
                : each.stream().flatMap(Optional::stream).reduce(calls == Calls.EVERY ? and : or);
        found.put(function, condition);
        return condition;
    }

    private static <C> Optional<C> either(Optional<C> a, Optional<C> b, BinaryOperator<C> or) {
        return a.isPresent() && b.isPresent() ? Optional.of(or.apply(a.get(), b.get())) : a.or(() -> b);
    }
}

package knobscape.hls.space;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import knobscape.hls.source.Loop;

/// When a loop is covered: a loop around it is pipelined, so that the tool unrolls it completely. A loop around
/// a call covers the called function's loops; a function called at several places is covered when every call
/// is.
final class Coverage {
    private final Nests nests;
    private final Set<String> pipelinable;

    /// @param pipelinable loops that have a pipeline knob
    Coverage(Nests nests, Set<String> pipelinable) {
        this.nests = nests;
        this.pipelinable = Set.copyOf(pipelinable);
    }

    /// Whether anything may cover the loop.
    boolean possible(String loop) {
        return !coverers(loop).isEmpty();
    }

    /// The loops whose pipelining decides whether the loop is covered.
    Set<String> coverers(String loop) {
        var found = new LinkedHashSet<String>();
        nests.ancestors(loop).stream()
                .map(Loop::id)
                .filter(pipelinable::contains)
                .forEach(found::add);
        found.addAll(functionCoverers(nests.loop(loop).function()));
        return found;
    }

    /// The loops whose pipelining decides whether all calls of the function are covered.
    Set<String> functionCoverers(String function) {
        var found = new LinkedHashSet<String>();
        if (functionMay(function, new HashSet<>())) {
            collect(function, found, new HashSet<>());
        }
        return found;
    }

    private boolean functionMay(String function, Set<String> open) {
        List<Nests.CallSite> sites = nests.callSites(function);
        if (sites.isEmpty() || !open.add(function)) {
            return false;
        }
        boolean may = sites.stream().allMatch(s -> !siteLoops(s).isEmpty() || functionMay(s.caller(), open));
        open.remove(function);
        return may;
    }

    private void collect(String function, Set<String> found, Set<String> seen) {
        if (seen.add(function)) {
            for (Nests.CallSite site : nests.callSites(function)) {
                found.addAll(siteLoops(site));
                if (functionMay(site.caller(), new HashSet<>())) {
                    collect(site.caller(), found, seen);
                }
            }
        }
    }

    /// Pipelinable loops around a call in the caller.
    private List<String> siteLoops(Nests.CallSite site) {
        return site.loop()
                .map(l -> {
                    var around = new java.util.ArrayList<String>();
                    around.add(l);
                    nests.ancestors(l).forEach(a -> around.add(a.id()));
                    return around.stream().filter(pipelinable::contains).toList();
                })
                .orElse(List.of());
    }

    /// The condition under which a loop is covered, in any algebra of conditions; empty where it never is.
    ///
    /// @param pipelined the condition that a loop is pipelined
    <C> Optional<C> covered(String loop, Function<String, C> pipelined, BinaryOperator<C> or, BinaryOperator<C> and) {
        Optional<C> own = nests.ancestors(loop).stream()
                .map(Loop::id)
                .filter(pipelinable::contains)
                .map(pipelined)
                .reduce(or);
        return either(own, functionCovered(nests.loop(loop).function(), pipelined, or, and), or);
    }

    /// The condition under which every call of a function is covered; empty where it never holds.
    <C> Optional<C> functionCovered(
            String function, Function<String, C> pipelined, BinaryOperator<C> or, BinaryOperator<C> and) {
        return functionCovered(function, pipelined, or, and, new HashSet<>());
    }

    /// @param open functions being evaluated; a recursive call covers nothing
    private <C> Optional<C> functionCovered(
            String function,
            Function<String, C> pipelined,
            BinaryOperator<C> or,
            BinaryOperator<C> and,
            Set<String> open) {
        if (!functionMay(function, new HashSet<>()) || !open.add(function)) {
            return Optional.empty();
        }
        Optional<C> all = Optional.empty();
        for (Nests.CallSite site : nests.callSites(function)) {
            Optional<C> here = either(
                    siteLoops(site).stream().map(pipelined).reduce(or),
                    functionCovered(site.caller(), pipelined, or, and, open),
                    or);
            if (here.isEmpty()) {
                all = Optional.empty();
                break;
            }
            all = Optional.of(all.isPresent() ? and.apply(all.get(), here.get()) : here.get());
        }
        open.remove(function);
        return all;
    }

    private static <C> Optional<C> either(Optional<C> a, Optional<C> b, BinaryOperator<C> or) {
        return a.isPresent() && b.isPresent() ? Optional.of(or.apply(a.get(), b.get())) : a.or(() -> b);
    }
}

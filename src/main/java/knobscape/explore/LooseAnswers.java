package knobscape.explore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import knobscape.space.Configuration;

/// Stored answers of steps whose question was not stored (stores up to version 2 did not), by step.
final class LooseAnswers {
    private record Step(int subject, int step) {}

    private final Map<Step, List<RunEvent.StageDone>> answers = new LinkedHashMap<>();

    void add(RunEvent.StageDone d) {
        answers.computeIfAbsent(new Step(d.subject(), d.step()), _ -> new ArrayList<>())
                .add(d);
    }

    boolean has(int subject, int step) {
        return answers.containsKey(new Step(subject, step));
    }

    /// The answers of a step, which are forgotten.
    List<RunEvent.StageDone> take(int subject, int step) {
        List<RunEvent.StageDone> taken = answers.remove(new Step(subject, step));
        return taken == null ? List.of() : taken;
    }

    /// Initial designs with those added that were answered, wherever the search has begun with others since: a space
    /// may be pruned otherwise, a run may begin with its baseline.
    List<Proposal> added(int subject, List<Proposal> initial) {
        var all = new LinkedHashMap<Configuration, Proposal>();
        initial.forEach(p -> all.put(p.configuration(), p));
        answers.getOrDefault(new Step(subject, 0), List.of())
                .forEach(d -> all.putIfAbsent(d.proposal().configuration(), d.proposal()));
        return List.copyOf(all.values());
    }

    /// The proposal that a stored answer belongs to: the one at its place, else one of the same configuration.
    static OptionalInt position(RunEvent.Asked a, RunEvent.StageDone d) {
        return IntStream.concat(
                        IntStream.of(d.position()),
                        IntStream.range(0, a.proposals().size()))
                .filter(i -> i < a.proposals().size()
                        && a.proposals()
                                .get(i)
                                .configuration()
                                .equals(d.evaluation().configuration()))
                .findFirst();
    }
}

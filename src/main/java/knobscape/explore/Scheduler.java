package knobscape.explore;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// Decides whose turn it is. It decides from what it is given alone and keeps nothing, so that a resumed run
/// continues with the same turns.
@FunctionalInterface
public interface Scheduler {
    /// The subject to ask next; empty where none that can be asked is worth it, which ends the run once
    /// everything in flight is back.
    ///
    /// @param subjects all of them, in order
    /// @param turns index of the subject asked at every turn so far, oldest first; grows with the run
    OptionalInt next(List<SearchStanding> subjects, List<Integer> turns);

    /// Why the last answer of [#next] was empty, in words; empty where it does not say.
    default String ended() {
        return "";
    }

    /// The one that was asked least often, of equals the first.
    static Scheduler roundRobin() {
        return (subjects, turns) -> IntStream.range(0, subjects.size())
                .filter(i -> subjects.get(i).canBeAsked())
                .boxed()
                .min(Comparator.comparingInt((Integer i) -> subjects.get(i).turns()))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }
}

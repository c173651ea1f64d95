package knobscape.gpu.search;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import knobscape.explore.SearchStanding;

/// The steps after the searches of a run: the best are measured again, then with the other tails.
///
/// @param rounds of every kernel, in their order; none on devices whose answers do not vary
/// @param tails the other tails of the kernels: the subjects after the kernels
public record Finish(List<KernelRounds> rounds, List<TailExplorer> tails) {
    /// Why a run ends whose time is over.
    public static final String TIME = "the time is over";
    /// Where measuring again is due, the part of the time that the search has.
    private static final double SEARCH = 0.9;

    /// Copies the lists.
    public Finish {
        rounds = List.copyOf(rounds);
        tails = List.copyOf(tails);
    }

    /// The part of the time after which the search is over.
    double from() {
        return rounds.isEmpty() ? 1 : SEARCH;
    }

    /// The subject that is next.
    ///
    /// @param kernels how many of the subjects are kernels, the first ones
    /// @param hurry whether no time is left for measuring again
    OptionalInt next(List<SearchStanding> subjects, int kernels, boolean hurry) {
        List<SearchStanding> searched = subjects.subList(0, kernels);
        boolean idle = searched.stream().allMatch(s -> s.history().pending().isEmpty());
        OptionalInt again = IntStream.range(0, hurry || !idle ? 0 : rounds.size())
                .filter(k -> searched.get(k).canBeAsked()
                        && rounds.get(k).open(searched.get(k).history()))
                .findFirst();
        return again.isPresent() || !idle ? again : TailExplorer.next(tails, subjects, kernels);
    }
}

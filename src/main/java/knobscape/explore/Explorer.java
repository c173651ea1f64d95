package knobscape.explore;

import java.util.List;

/// A search strategy in the ask-and-tell form. All it knows is handed to it: the space and evaluator's
/// description at construction, the [History] at every call. Its randomness is derived from its seed and the
/// number of [History#asks()], never from a stream that would have to be saved.
public interface Explorer {

    /// Name as on the command line (`cgp`, `random`).
    String name();

    /// The initial designs, asked for once before the first step; may be empty.
    List<Proposal> initial();

    /// The next proposals, enough for `count` slots and at least one unless the space is exhausted, given
    /// everything known, including what is still pending. A slot holds one run, or several to lower fidelities
    /// that together cost no more than one to the highest. Called whenever a slot is free, once per
    /// optimisation step. An empty list means that nothing is worth asking for before something in flight is
    /// back, and ends the search where nothing is.
    List<Proposal> ask(History history, int count);

    /// The state to be kept, besides the history, to continue exactly where the run stopped (hyper-parameters
    /// for a warm start); a small text, empty where nothing is needed.
    default String state() {
        return "";
    }

    /// Restores what [#state()] returned after the last question, initial designs included.
    default void restore(String state) {}

    /// Sentences for the log that the last question, the initial designs included, gave rise to.
    default List<String> remarks() {
        return List.of();
    }

    /// True if [#diagnostics()] say what it expects of another hour ([Termination#PROMISE]).
    default boolean tellsPromise() {
        return false;
    }

    /// Diagnostics of the last [#ask] for plots and logs (losses, hyper-parameters, seconds per part), name to
    /// values.
    default java.util.Map<String, double[]> diagnostics() {
        return java.util.Map.of();
    }
}

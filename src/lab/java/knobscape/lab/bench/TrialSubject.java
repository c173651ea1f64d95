package knobscape.lab.bench;

import java.util.Map;
import java.util.Optional;

/// A member of a suite: what methods are compared on.
///
/// @param <F> a record of what a trial comes to
interface TrialSubject<F> {

    /// Name in tables.
    String name();

    /// Everything besides method and seed that the figures of a method depend on: trials under the same key are kept
    /// between runs. Empty where they are run anew each time.
    Optional<String> key(String method);

    /// Runs a trial.
    ///
    /// @param earlier figures of the methods before it, with the same seed
    F run(String method, long seed, Map<String, F> earlier);

    /// Figures as a line of progress says them.
    String words(F figures);

    /// Repetitions of a method.
    ///
    /// @param asked those of the bench
    default int seeds(String method, int asked) {
        return asked;
    }
}

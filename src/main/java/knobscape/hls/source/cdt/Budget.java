package knobscape.hls.source.cdt;

import knobscape.evaluate.UserError;

/// What a source may ask of the front end: bounds far above what synthesis takes, so that a short text that
/// multiplies when it is read ends in one sentence.
final class Budget {
    /// Most headers that are read, each time counted.
    static final int INCLUSIONS = 10_000;
    /// Most characters of headers, each time counted.
    static final long INCLUDED_CHARACTERS = 64L << 20;
    /// Most instances of one template function.
    static final int INSTANCES_OF_ONE = 256;
    /// Most cases of one `switch`.
    static final int CASES = 2_000;
    /// Most statements and expressions in one another.
    static final int LEVELS = 10_000;

    private Budget() {}

    /// The error for more than a bound allows.
    ///
    /// @param where file or place, for the message
    /// @param what the count that is too large, as "it has 3 cases"
    /// @param advice what to do
    static UserError exceeded(String where, String what, String advice) {
        return new UserError(where + ": " + what + ", the most that is read; " + advice + ".");
    }
}

package knobscape.evaluate;

/// Why an evaluation has no result. The first ones say that the design is invalid: asked again, it comes out
/// the same. The others say that the tool failed: another attempt may succeed.
public enum FailureKind {
    /// A directive is not legal here, or two choices contradict one another.
    ILLEGAL_DIRECTIVE("illegal directive", "invalid"),
    /// It needs more than the target has.
    DOES_NOT_FIT("does not fit", "invalid"),
    /// The clock period is not met.
    TIMING("timing not met", "invalid"),
    /// Its wires cannot be routed.
    ROUTING("cannot be routed", "invalid"),
    /// Refused for another reason, by a check before the tool or by the tool itself.
    REJECTED("rejected", "invalid"),
    /// It runs and computes something else.
    WRONG_RESULT("wrong result", "invalid"),
    /// No licence was to be had.
    LICENCE("no licence", "failed"),
    /// The tool ended without a result.
    CRASHED("crashed", "failed"),
    /// The tool was stopped when its time was over.
    TIMED_OUT("timed out", "timed out");

    private final String words;
    private final String status;

    FailureKind(String words, String status) {
        this.words = words;
        this.status = status;
    }

    /// For a person.
    public String words() {
        return words;
    }

    /// The word in files and stores: `invalid`, `failed` or `timed out`.
    public String status() {
        return status;
    }

    /// True if the design is at fault, so that asking again gives the same.
    public boolean isInvalid() {
        return status.equals("invalid");
    }

    /// True if the tool is at fault, so that asking again may help.
    public boolean mayRetry() {
        return !isInvalid();
    }
}

package knobscape.project;

/// How a stored run stands.
public enum RunStatus {
    /// A live process works on it.
    RUNNING("running"),
    /// Stopped by a person; can be resumed.
    STOPPED("stopped"),
    /// The process that ran it ended without saying so (killed, power lost); can be resumed.
    INTERRUPTED("interrupted"),
    /// All steps done, converged, or space exhausted.
    COMPLETED("completed"),
    /// Could not continue; can be resumed once the reason is fixed.
    FAILED("failed");

    private final String words;

    RunStatus(String words) {
        this.words = words;
    }

    /// The word shown to a person and written to files.
    public String words() {
        return words;
    }
}

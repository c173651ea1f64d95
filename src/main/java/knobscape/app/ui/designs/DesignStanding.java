package knobscape.app.ui.designs;

/// Where a design stands; the same mark, colour and word everywhere in the window.
public enum DesignStanding {
    /// Measured at the top fidelity and dominated by nothing measured there.
    FRONT("front"),
    /// Measured at the top fidelity and dominated.
    DOMINATED("dominated"),
    /// Evaluated at a lower fidelity only, with nothing predicted above.
    LOWER("lower fidelity"),
    /// In flight or evaluated at a lower fidelity only, with a prediction of the top fidelity.
    PREDICTED("predicted"),
    /// Cannot be built, or the tool failed on it.
    INVALID("invalid"),
    /// Sent out, nothing known yet.
    PENDING("in flight");

    private final String words;

    DesignStanding(String words) {
        this.words = words;
    }

    /// The words shown to a person.
    public String words() {
        return words;
    }
}

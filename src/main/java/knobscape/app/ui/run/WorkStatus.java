package knobscape.app.ui.run;

/// What is said about work that is running in the background.
///
/// @param state what it does
/// @param share done, 0..1
/// @param words what is done, or how it ended
/// @param figures how far it is
public record WorkStatus(State state, double share, String words, String figures) {
    /// What the work does.
    public enum State {
        /// Nothing runs.
        IDLE,
        /// It continues.
        RUNNING,
        /// It waits.
        PAUSED
    }

    /// Nothing runs.
    public static WorkStatus idle(String words) {
        return new WorkStatus(State.IDLE, 0, words, "");
    }

    /// Whether something runs or waits.
    public boolean isActive() {
        return state != State.IDLE;
    }

    /// The same work further on; it stays paused where it was.
    ///
    /// @param what the work in words
    public WorkStatus at(double newShare, String what, String newFigures) {
        State s = state == State.IDLE ? State.RUNNING : state;
        return new WorkStatus(s, newShare, (s == State.PAUSED ? "Paused: " : "") + what, newFigures);
    }

    /// Paused work continues, running work pauses.
    ///
    /// @param what the work in words
    public WorkStatus toggled(String what) {
        return new WorkStatus(state == State.RUNNING ? State.PAUSED : State.RUNNING, share, what, figures)
                .at(share, what, figures);
    }
}

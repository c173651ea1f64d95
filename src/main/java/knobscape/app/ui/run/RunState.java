package knobscape.app.ui.run;

import knobscape.project.RunStatus;

/// The state of the selected run.
public enum RunState {
    /// Nothing is open, or nothing was run yet.
    NONE,
    /// Being set up.
    STARTING,
    /// Exploring.
    RUNNING,
    /// A pause was asked for; what is in flight is still coming back.
    PAUSING,
    /// Waiting.
    PAUSED,
    /// A stop was asked for.
    STOPPING,
    /// Stopped by a person.
    STOPPED,
    /// Left behind by a process that ended without saying so.
    INTERRUPTED,
    /// Done.
    COMPLETED,
    /// Could not continue.
    FAILED;

    /// True if a process works on it.
    public boolean isActive() {
        return switch (this) {
            case STARTING, RUNNING, PAUSING, PAUSED, STOPPING -> true;
            case NONE, STOPPED, INTERRUPTED, COMPLETED, FAILED -> false;
        };
    }

    /// True if it can continue from what is stored.
    public boolean isResumable() {
        return this == STOPPED || this == INTERRUPTED || this == FAILED;
    }

    /// The state of a stored run that this process does not work on.
    static RunState of(RunStatus status) {
        return switch (status) {
            case RUNNING -> INTERRUPTED;
            case STOPPED -> STOPPED;
            case INTERRUPTED -> INTERRUPTED;
            case COMPLETED -> COMPLETED;
            case FAILED -> FAILED;
        };
    }
}

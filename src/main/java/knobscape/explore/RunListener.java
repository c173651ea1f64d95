package knobscape.explore;

/// Watches a run; called on the run's thread, so it must return quickly.
@FunctionalInterface
public interface RunListener {
    /// Something happened.
    void onEvent(RunEvent event);
}

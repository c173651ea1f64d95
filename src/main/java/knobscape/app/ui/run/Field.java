package knobscape.app.ui.run;

import java.util.List;

/// A field of the form with the settings of the next run.
///
/// @param label the words beside it
/// @param help what it means, in one sentence
/// @param choices what can be chosen; empty where text is typed
public record Field(String label, String help, List<String> choices) {
    /// Seed of everything random.
    public static final Field SEED = typed("Seed", "Seed of everything random; the same seed repeats the run");
    /// Runs that begin with one press.
    public static final Field RUNS = typed("Runs", "Runs one after the other, each with the next seed");
    /// Most optimisation steps.
    public static final Field STEPS = typed("Steps", "Most optimisation steps after the initial designs");
    /// Designs before the first step.
    public static final Field INITIAL = typed("Initial designs", "Designs drawn before the first step");
    /// Steps without gain that end the run.
    public static final Field EARLY_STOP =
            typed("Early stop", "Ends the run after this many steps without hypervolume gain; 0 never");
    /// Designs in flight at once.
    public static final Field PARALLEL = typed("In parallel", "Designs in flight at once");
    /// Real waiting per tool time.
    public static final Field WAIT = typed(
            "Simulated tool delay",
            "Seconds really waited per second of tool time, for demonstrations; 0 does not wait");
    /// What every area has, in the order shown.
    static final List<Field> COMMON = List.of(SEED, RUNS, INITIAL, STEPS, PARALLEL, EARLY_STOP, WAIT);

    /// Copies the list.
    public Field {
        choices = List.copyOf(choices);
    }

    /// A field for text.
    public static Field typed(String label, String help) {
        return new Field(label, help, List.of());
    }
}

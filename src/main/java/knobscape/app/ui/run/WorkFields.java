package knobscape.app.ui.run;

import java.util.List;
import java.util.function.Function;
import knobscape.work.Area;
import knobscape.work.Named;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// What an area adds to the form of a run: settings of the work itself that change with every run.
public interface WorkFields {
    /// The fields, in the order shown.
    List<Field> fields();

    /// What work says in a field.
    String text(Area.Work work, Field field);

    /// Whether a field of the form (one of these, or a common one) means anything for this work.
    boolean isShown(WorkSettings settings, Field field);

    /// Whether a field says anything to an evaluator, by its name.
    default boolean isShown(Field field, String evaluator) {
        return true;
    }

    /// What the text of a field must be (`a number above 0`), where it is not; empty where it is right.
    ///
    /// @param texts of all fields
    String problem(Field field, Function<Field, String> texts);

    /// The work with what was typed, after every field was found right.
    Area.Work apply(Area.Work work, Function<Field, String> texts);

    /// What can evaluate, as a person chooses it.
    default List<? extends Named> evaluators(Workbench bench) {
        return bench.evaluators();
    }

    /// What the bar says of these fields (`64 per task`), in parts, what matters most first.
    default List<String> summary(Function<Field, String> texts) {
        return List.of();
    }
}

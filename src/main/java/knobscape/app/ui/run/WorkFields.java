package knobscape.app.ui.run;

import java.util.List;
import java.util.function.Function;
import knobscape.work.WorkSettings;

/// What an area adds to the form of a run: settings of the work itself that change with every run.
public interface WorkFields {
    /// An area that adds nothing.
    WorkFields NONE = new WorkFields() {
        @Override
        public List<Field> fields() {
            return List.of();
        }

        @Override
        public String text(WorkSettings settings, Field field) {
            return "";
        }

        @Override
        public boolean isShown(WorkSettings settings, Field field) {
            return true;
        }

        @Override
        public String problem(Field field, String text) {
            return "";
        }

        @Override
        public WorkSettings apply(WorkSettings settings, Function<Field, String> texts) {
            return settings;
        }
    };

    /// The fields, in the order shown.
    List<Field> fields();

    /// What settings say in a field.
    String text(WorkSettings settings, Field field);

    /// Whether a field of the form (one of these, or a common one) means anything for this work.
    boolean isShown(WorkSettings settings, Field field);

    /// What the text of a field must be (`a number above 0`), where it is not; empty where it is right.
    String problem(Field field, String text);

    /// The settings with what was typed, after every field was found right.
    WorkSettings apply(WorkSettings settings, Function<Field, String> texts);
}

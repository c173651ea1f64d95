package knobscape.app.ui.fusion;

import java.util.List;
import java.util.function.Function;
import knobscape.app.ui.run.Field;
import knobscape.app.ui.run.WorkFields;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.search.Constraint;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// What a search for strategies may change besides accelerator and batch, which have places of their own.
final class FusionFields implements WorkFields {
    static final Field EVALUATIONS = Field.typed("Evaluations", "Strategies that a search evaluates");
    /// In the order of [Constraint].
    static final Field CONSTRAINT = new Field(
            "Too large",
            "How a search sees strategies that do not fit the buffer",
            List.of("Equally bad", "Behind what fits, by memory", "Time times memory above the buffer"));

    @Override
    public List<Field> fields() {
        return List.of(EVALUATIONS, CONSTRAINT);
    }

    @Override
    public String text(Area.Work work, Field field) {
        return field == EVALUATIONS
                ? Integer.toString(work.run().steps())
                : CONSTRAINT
                        .choices()
                        .get(((FusionSettings) work.settings()).constraint().ordinal());
    }

    @Override
    public boolean isShown(WorkSettings settings, Field field) {
        return fields().contains(field) || field == Field.SEED || field == Field.RUNS;
    }

    @Override
    public String problem(Field field, Function<Field, String> texts) {
        String text = texts.apply(field);
        return field == CONSTRAINT
                        || (text.matches("\\d{1,9}")
                                && Integer.parseInt(text) >= 1
                                && Integer.parseInt(text) <= FusionWorkbench.MOST_EVALUATIONS)
                ? ""
                : "a whole number from 1 to " + FusionWorkbench.MOST_EVALUATIONS;
    }

    @Override
    public Area.Work apply(Area.Work work, Function<Field, String> texts) {
        int constraint = Math.max(0, CONSTRAINT.choices().indexOf(texts.apply(CONSTRAINT)));
        return new Area.Work(
                ((FusionSettings) work.settings()).with(FusionSettings.CONSTRAINT, Constraint.values()[constraint]),
                work.run().with(RunSettings.STEPS, Integer.parseInt(texts.apply(EVALUATIONS))));
    }

    @Override
    public List<String> summary(Function<Field, String> texts) {
        return List.of(texts.apply(EVALUATIONS) + " evaluations");
    }
}

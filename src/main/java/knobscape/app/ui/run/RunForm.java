package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import knobscape.work.Area;
import knobscape.work.Named;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// The settings of the next run as a person types them, checked when asked for.
public final class RunForm {

    private static final long MOST_STEPS = 10_000_000;

    private final Map<Field, StringProperty> texts = new LinkedHashMap<>();
    private final ObjectProperty<Optional<Named>> method = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<Optional<Named>> toolchain = new SimpleObjectProperty<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Map<Field, String>> errors = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyObjectWrapper<List<Named>> methods = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Named>> toolchains = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Set<Field>> shown = new ReadOnlyObjectWrapper<>(Set.of());
    private final WorkFields own;
    private Optional<RunSettings> base = Optional.empty();
    private String toolchainArgument = "";

    /// An empty form.
    ///
    /// @param own what the area adds
    public RunForm(WorkFields own) {
        this.own = own;
        fields().forEach(f -> texts.put(f, new SimpleStringProperty("")));
    }

    /// Every field, the common ones first.
    public List<Field> fields() {
        return Stream.concat(Field.COMMON.stream(), own.fields().stream()).toList();
    }

    /// Fills the form.
    ///
    /// @param settings of the last run, or the project's
    /// @param work settings of the work
    /// @param knownMethods to choose from
    /// @param knownToolchains to choose from
    public void fill(
            RunSettings settings,
            WorkSettings work,
            List<? extends Named> knownMethods,
            List<? extends Named> knownToolchains) {
        base = Optional.of(settings);
        methods.set(List.copyOf(knownMethods));
        toolchains.set(List.copyOf(knownToolchains));
        method.set(methods.get().stream()
                .filter(m -> m.name().equals(settings.method()))
                .findFirst()
                .or(() -> methods.get().stream().findFirst()));
        int colon = settings.toolchain().indexOf(':');
        String name = colon < 0 ? settings.toolchain() : settings.toolchain().substring(0, colon);
        toolchainArgument = colon < 0 ? "" : settings.toolchain().substring(colon);
        toolchain.set(toolchains.get().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .or(() -> toolchains.get().stream().findFirst()));
        shown.set(fields().stream().filter(f -> own.isShown(work, f)).collect(Collectors.toUnmodifiableSet()));
        own.fields().forEach(f -> text(f).set(own.text(work, f)));
        text(Field.SEED).set(Long.toString(settings.seed()));
        text(Field.STEPS).set(Integer.toString(settings.steps()));
        text(Field.INITIAL).set(Integer.toString(settings.initialDesigns()));
        text(Field.EARLY_STOP).set(Integer.toString(settings.earlyStop()));
        text(Field.PARALLEL).set(Integer.toString(settings.parallel()));
        text(Field.WAIT).set(plain(settings.waitFactor()));
        errors.set(Map.of());
    }

    /// The text of a field.
    public StringProperty text(Field field) {
        return texts.get(field);
    }

    /// The search strategy.
    public ObjectProperty<Optional<Named>> method() {
        return method;
    }

    /// Who evaluates.
    public ObjectProperty<Optional<Named>> toolchain() {
        return toolchain;
    }

    /// The fields that mean something for what is open.
    public ReadOnlyObjectProperty<Set<Field>> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The search strategies there are.
    public ReadOnlyObjectProperty<List<Named>> methods() {
        return methods.getReadOnlyProperty();
    }

    /// The toolchains there are.
    public ReadOnlyObjectProperty<List<Named>> toolchains() {
        return toolchains.getReadOnlyProperty();
    }

    /// What is wrong, by field; set by [#check()].
    public ReadOnlyObjectProperty<Map<Field, String>> errors() {
        return errors.getReadOnlyProperty();
    }

    /// Checks every field and tells what is wrong by [#errors()].
    public boolean isRight() {
        return checked().isPresent();
    }

    private record Numbers(Map<Field, Long> whole, double waitFactor) {}

    private Optional<Numbers> checked() {
        var wrong = new LinkedHashMap<Field, String>();
        var values = new LinkedHashMap<Field, Long>();
        whole(Field.SEED, wrong, values, v -> true, "a whole number");
        whole(Field.STEPS, wrong, values, v -> v >= 0 && v <= MOST_STEPS, "a whole number from 0 to " + MOST_STEPS);
        whole(Field.INITIAL, wrong, values, v -> v >= 1 && v <= MOST_STEPS, "a whole number from 1");
        whole(Field.EARLY_STOP, wrong, values, v -> v >= 0 && v <= MOST_STEPS, "a whole number from 0");
        whole(Field.PARALLEL, wrong, values, v -> v >= 1 && v <= 256, "a whole number from 1 to 256");
        for (Field f : own.fields()) {
            String must = own.problem(f, text(f).get().strip());
            if (!must.isEmpty()) {
                wrong.put(f, f.label() + " must be " + must + ".");
            }
        }
        var wait = new ArrayList<Double>();
        number(Field.WAIT, wrong, v -> v >= 0 && v <= 10, "a number from 0 to 10", wait::add);
        errors.set(Map.copyOf(wrong));
        return wrong.isEmpty() ? Optional.of(new Numbers(values, wait.getFirst())) : Optional.empty();
    }

    /// What the form says; empty where something is wrong, which [#errors()] then says.
    ///
    /// @param work settings that the area's own fields refine
    public Optional<Area.Work> check(WorkSettings work) {
        Optional<Numbers> right = checked();
        if (right.isEmpty() || method.get().isEmpty() || toolchain.get().isEmpty() || base.isEmpty()) {
            return Optional.empty();
        }
        Map<Field, Long> values = right.get().whole();
        Named chosen = toolchain.get().get();
        boolean sameTool = (chosen.name() + toolchainArgument).equals(base.get().toolchain());
        var run = new RunSettings(
                method.get().get().name(),
                sameTool ? base.get().toolchain() : chosen.name(),
                values.get(Field.SEED),
                values.get(Field.STEPS).intValue(),
                values.get(Field.INITIAL).intValue(),
                values.get(Field.EARLY_STOP).intValue(),
                values.get(Field.PARALLEL).intValue(),
                base.get().objectives(),
                right.get().waitFactor());
        return Optional.of(new Area.Work(own.apply(work, f -> text(f).get().strip()), run));
    }

    private void whole(
            Field field, Map<Field, String> wrong, Map<Field, Long> values, LongPredicate holds, String what) {
        try {
            long v = Long.parseLong(text(field).get().strip());
            if (holds.test(v)) {
                values.put(field, v);
                return;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        wrong.put(field, field.label() + " must be " + what + ".");
    }

    private void number(
            Field field,
            Map<Field, String> wrong,
            java.util.function.DoublePredicate holds,
            String what,
            Consumer<Double> value) {
        try {
            double v = Double.parseDouble(text(field).get().strip().replace(',', '.'));
            if (holds.test(v)) {
                value.accept(v);
                return;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        wrong.put(field, field.label() + " must be " + what + ".");
    }

    private static String plain(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e9 ? Long.toString((long) v) : Double.toString(v);
    }
}

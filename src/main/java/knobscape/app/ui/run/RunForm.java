package knobscape.app.ui.run;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.beans.value.ObservableValue;
import javafx.collections.FXCollections;
import javafx.collections.ObservableSet;
import knobscape.project.RunRecord;
import knobscape.work.Area;
import knobscape.work.Named;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// The settings of the next run as a person types them, checked when asked for.
public final class RunForm {
    private static final long MAX_STEPS = 10_000_000;
    private static final int MAX_RUNS = 20;

    private final Map<Field, StringProperty> texts = new LinkedHashMap<>();
    private final ObjectProperty<Optional<Named>> method = new SimpleObjectProperty<>(Optional.empty());
    private final ObservableSet<String> also = FXCollections.observableSet();
    private final ObjectProperty<Optional<Named>> toolchain = new SimpleObjectProperty<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Map<Field, String>> errors = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyObjectWrapper<Map<Field, String>> taken = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyObjectWrapper<List<Named>> methods = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Named>> toolchains = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Set<Field>> shown = new ReadOnlyObjectWrapper<>(Set.of());
    private final WorkFields own;
    private Optional<RunSettings> base = Optional.empty();
    private Optional<WorkSettings> settingsOf = Optional.empty();
    private String toolchainArgument = "";

    /// An empty form.
    ///
    /// @param own what the area adds
    public RunForm(WorkFields own) {
        this.own = own;
        fields().forEach(f -> texts.put(f, new SimpleStringProperty("")));
        toolchain.addListener((o, was, is) -> showFields());
    }

    /// Every field, the area's own first.
    public List<Field> fields() {
        return Stream.concat(own.fields().stream(), Field.COMMON.stream()).toList();
    }

    /// Fills the form.
    ///
    /// @param work of the last run, or the project's
    /// @param bench knows what there is to choose from
    public void fill(Area.Work work, Workbench bench) {
        fill(work, bench.methods().offered(work.run().method()), own.evaluators(bench));
    }

    void fill(Area.Work work, List<? extends Named> knownMethods, List<? extends Named> knownToolchains) {
        RunSettings settings = work.run();
        base = Optional.of(settings);
        methods.set(List.copyOf(knownMethods));
        toolchains.set(List.copyOf(knownToolchains));
        method.set(find(methods.get(), settings.method())
                .or(() -> method.get().flatMap(m -> find(methods.get(), m.name())))
                .or(() -> methods.get().stream().findFirst()));
        also.clear();
        Optional<Named> whole = find(toolchains.get(), settings.toolchain());
        int colon = settings.toolchain().indexOf(':');
        toolchainArgument =
                whole.isPresent() || colon < 0 ? "" : settings.toolchain().substring(colon);
        toolchain.set(whole.or(() -> find(
                        toolchains.get(),
                        colon < 0 ? settings.toolchain() : settings.toolchain().substring(0, colon)))
                .or(() -> toolchain.get().flatMap(t -> find(toolchains.get(), t.name())))
                .or(() -> toolchains.get().stream().findFirst()));
        settingsOf = Optional.of(work.settings());
        showFields();
        own.fields().forEach(f -> text(f).set(own.text(work, f)));
        text(Field.SEED).set(Long.toString(settings.seed()));
        text(Field.RUNS).set("1");
        text(Field.STEPS).set(Integer.toString(settings.steps()));
        text(Field.INITIAL).set(Integer.toString(settings.initialDesigns()));
        text(Field.EARLY_STOP).set(Integer.toString(settings.earlyStop()));
        text(Field.PARALLEL).set(Integer.toString(settings.parallel()));
        text(Field.WAIT).set(plain(settings.waitFactor()));
        errors.set(Map.of());
        taken.set(Map.of());
    }

    private void showFields() {
        String evaluator = toolchain.get().map(Named::name).orElse("");
        shown.set(fields().stream()
                .filter(f -> settingsOf.filter(s -> own.isShown(s, f)).isPresent()
                        && (own.isShown(f, evaluator) || errors.get().containsKey(f)))
                .collect(Collectors.toUnmodifiableSet()));
    }

    private static Optional<Named> find(List<Named> all, String name) {
        return all.stream().filter(n -> n.name().equals(name)).findFirst();
    }

    /// The text of a field.
    public StringProperty text(Field field) {
        return requireNonNull(texts.get(field));
    }

    /// The search method.
    public ObjectProperty<Optional<Named>> method() {
        return method;
    }

    /// Names of methods that run after the first one.
    public ObservableSet<String> also() {
        return also;
    }

    /// What evaluates.
    public ObjectProperty<Optional<Named>> toolchain() {
        return toolchain;
    }

    /// The fields that mean something for what is open.
    public ReadOnlyObjectProperty<Set<Field>> shown() {
        return shown.getReadOnlyProperty();
    }

    /// The search methods there are.
    public ReadOnlyObjectProperty<List<Named>> methods() {
        return methods.getReadOnlyProperty();
    }

    /// The toolchains there are.
    public ReadOnlyObjectProperty<List<Named>> toolchains() {
        return toolchains.getReadOnlyProperty();
    }

    /// What is wrong, by field; set by [#isRight()].
    public ReadOnlyObjectProperty<Map<Field, String>> errors() {
        return errors.getReadOnlyProperty();
    }

    /// What a person typed when [#isRight()] last found it right; empty after the form was filled.
    public ReadOnlyObjectProperty<Map<Field, String>> taken() {
        return taken.getReadOnlyProperty();
    }

    /// The next run in a few words, what matters most first: `BTED+BAO`, `GTX 1080 Ti`, `64 per task`, `seed 1`.
    public ObservableValue<List<String>> summary() {
        return Bindings.createObjectBinding(
                this::parts,
                Stream.concat(Stream.of(method, also, toolchain, toolchains), texts.values().stream())
                        .toArray(Observable[]::new));
    }

    private List<String> parts() {
        var parts = new ArrayList<String>();
        parts.add(method.get().map(Named::label).orElse("") + (also.isEmpty() ? "" : " and " + also.size() + " more"));
        if (toolchains.get().size() > 1) {
            toolchain.get().map(Named::label).ifPresent(parts::add);
        }
        parts.addAll(own.summary(this::value));
        parts.add(
                value(Field.RUNS).equals("1")
                        ? "seed " + value(Field.SEED)
                        : value(Field.RUNS) + " seeds from " + value(Field.SEED));
        parts.removeIf(String::isEmpty);
        return parts;
    }

    /// Takes the next seed that no run of the same method and evaluator had, so that a new run repeats none.
    void skipSeeds(List<RunRecord> runs) {
        if (base.isEmpty() || !errors.get().isEmpty()) {
            return;
        }
        Set<Long> used = runs.stream()
                .map(RunRecord::settings)
                .filter(s ->
                        method.get().filter(m -> m.name().equals(s.method())).isPresent()
                                && toolchain
                                        .get()
                                        .filter(t -> s.toolchain().startsWith(t.name()))
                                        .isPresent())
                .map(RunSettings::seed)
                .collect(Collectors.toSet());
        long seed = Long.parseLong(value(Field.SEED));
        while (used.contains(seed)) {
            seed++;
        }
        text(Field.SEED).set(Long.toString(seed));
    }

    private String value(Field field) {
        return text(field).get().strip();
    }

    /// Checks every field and tells what is wrong by [#errors()].
    public boolean isRight() {
        var wrong = new LinkedHashMap<Field, String>();
        whole(wrong, Field.SEED, Long.MIN_VALUE, Long.MAX_VALUE, "a whole number");
        whole(wrong, Field.RUNS, 1, MAX_RUNS, "a whole number from 1 to " + MAX_RUNS);
        whole(wrong, Field.STEPS, 0, MAX_STEPS, "a whole number from 0 to " + MAX_STEPS);
        whole(wrong, Field.INITIAL, 1, MAX_STEPS, "a whole number from 1");
        whole(wrong, Field.EARLY_STOP, 0, MAX_STEPS, "a whole number from 0");
        whole(wrong, Field.PARALLEL, 1, 256, "a whole number from 1 to 256");
        number(wrong, Field.WAIT, v -> number(v) >= 0 && number(v) <= 10, "a number from 0 to 10");
        for (Field f : own.fields()) {
            String must = own.problem(f, this::value);
            if (!must.isEmpty()) {
                wrong.put(f, f.label() + " must be " + must + ".");
            }
        }
        errors.set(Map.copyOf(wrong));
        showFields();
        if (wrong.isEmpty()) {
            taken.set(texts.keySet().stream().collect(Collectors.toUnmodifiableMap(f -> f, this::value)));
        }
        return wrong.isEmpty();
    }

    private void whole(Map<Field, String> wrong, Field field, long least, long most, String what) {
        number(wrong, field, v -> Long.parseLong(v) >= least && Long.parseLong(v) <= most, what);
    }

    private void number(Map<Field, String> wrong, Field field, Predicate<String> holds, String what) {
        try {
            if (holds.test(value(field))) {
                return;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        wrong.put(field, field.label() + " must be " + what + ".");
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(',', '.'));
    }

    /// The runs that the form describes, method after method and seed after seed; empty where something is
    /// wrong, which [#errors()] then says.
    ///
    /// @param work settings that the area's own fields refine
    public List<Area.Work> check(WorkSettings work) {
        if (!isRight() || method.get().isEmpty() || toolchain.get().isEmpty() || base.isEmpty()) {
            return List.of();
        }
        Named chosen = toolchain.get().get();
        boolean sameTool = (chosen.name() + toolchainArgument).equals(base.get().toolchain());
        Function<Field, Integer> whole = f -> Integer.parseInt(value(f));
        var run = base.get()
                .with(RunSettings.METHOD, method.get().get().name())
                .with(RunSettings.TOOLCHAIN, sameTool ? base.get().toolchain() : chosen.name())
                .with(RunSettings.SEED, Long.parseLong(value(Field.SEED)))
                .with(RunSettings.STEPS, whole.apply(Field.STEPS))
                .with(RunSettings.INITIAL, whole.apply(Field.INITIAL))
                .with(RunSettings.EARLY_STOP, whole.apply(Field.EARLY_STOP))
                .with(RunSettings.PARALLEL, whole.apply(Field.PARALLEL))
                .with(RunSettings.WAIT, number(value(Field.WAIT)));
        Area.Work first = own.apply(new Area.Work(work, run), this::value);
        var names = new ArrayList<>(List.of(run.method()));
        methods.get().stream()
                .map(Named::name)
                .filter(n -> also.contains(n) && !names.contains(n))
                .forEach(names::add);
        return names.stream()
                .flatMap(m -> LongStream.range(0, whole.apply(Field.RUNS))
                        .mapToObj(i -> new Area.Work(
                                first.settings(),
                                first.run().with(RunSettings.METHOD, m).with(RunSettings.SEED, run.seed() + i))))
                .toList();
    }

    /// The settings of the work as the fields that were found right say them.
    public WorkSettings refined(WorkSettings work) {
        return own.apply(
                        new Area.Work(work, base.orElseThrow()),
                        f -> taken.get().get(f))
                .settings();
    }

    private static String plain(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e9 ? Long.toString((long) v) : Double.toString(v);
    }
}

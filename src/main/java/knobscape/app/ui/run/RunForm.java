package knobscape.app.ui.run;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.project.RunRecord;
import knobscape.project.Session;
import knobscape.work.Area;
import knobscape.work.Named;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;

/// The settings of the next run as a person types them, checked when asked for. Its fields are those that the area
/// declares.
public final class RunForm {
    private static final String TOOLS = "Tools";
    private static final Pattern QUOTED = Pattern.compile("'([^']+)'");
    /// Runs that begin with one press.
    public static final Parameter<Integer> RUNS =
            Parameter.count("runs", 1, 1, 20).words("Runs", "Runs one after the other, each with the next seed");
    /// Where an evaluator that has a place finds its tool.
    public static final Parameter<String> PLACE = Parameter.text("place")
            .usually("")
            .words("Tool", "Your own program, or the folder of the vendor's installation; empty for the search path");

    private final Area area;
    private final List<Parameter<?>> fields;
    private final Parameters extras;
    private final Map<String, StringProperty> texts = new LinkedHashMap<>();
    private final ObjectProperty<Optional<Named>> method = new SimpleObjectProperty<>(Optional.empty());
    private final ObservableSet<String> also = FXCollections.observableSet();
    private final ObjectProperty<Optional<Named>> toolchain = new SimpleObjectProperty<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Map<Parameter<?>, String>> errors = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyObjectWrapper<Optional<Values>> taken = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Named>> methods = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Named>> toolchains = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Set<Parameter<?>>> shown = new ReadOnlyObjectWrapper<>(Set.of());
    private Optional<Values> base = Optional.empty();
    private String toolchainArgument = "";
    private Runnable refused = () -> {};

    /// An empty form.
    ///
    /// @param area declares the settings
    /// @param own further fields, which no run has
    /// @param elsewhere settings that have places of their own in the window
    public RunForm(Area area, List<Parameter<?>> own, Set<Parameter<?>> elsewhere) {
        this.area = area;
        this.extras = new Parameters(
                Stream.concat(Stream.of(RUNS, PLACE), own.stream()).toList(), List.of());
        Set<String> absent = Stream.concat(elsewhere.stream(), Stream.of(RunSettings.METHOD, RunSettings.TOOLCHAIN))
                .map(Parameter::name)
                .collect(Collectors.toSet());
        List<Parameter<?>> declared = Stream.of(
                        area.parameters().list().stream(), area.runParameters().list().stream(), extras.list().stream())
                .<Parameter<?>>flatMap(s -> s)
                .filter(p -> p.hasField() && !absent.contains(p.name()))
                .toList();
        this.fields = groups(declared)
                .flatMap(g -> declared.stream().filter(p -> p.words().group().equals(g)))
                .toList();
        fields.forEach(p -> texts.put(p.name(), new SimpleStringProperty("")));
        toolchain.addListener((o, was, is) -> showFields());
        method.addListener((o, was, is) -> showFields());
        also.addListener((Observable o) -> showFields());
    }

    /// An empty form with the fields of an area.
    public RunForm(Area area) {
        this(area, List.of(), Set.of());
    }

    /// Those without a group first.
    private static Stream<String> groups(List<Parameter<?>> all) {
        var groups = new LinkedHashSet<>(List.of(""));
        all.forEach(p -> groups.add(p.words().group()));
        return groups.stream();
    }

    /// Where a field stands in the form.
    public enum Section {
        /// The goal of a run, and its limits.
        BUDGET,
        /// The target of designs.
        TARGET,
        /// Settings that few people change.
        FURTHER
    }

    /// The section of a field: what a project file keeps with a run, or with the answer wanted, is
    /// of its goal and budget, the rest of its target.
    public Section section(Parameter<?> field) {
        if (field.words().further() || field.words().group().equals(TOOLS)) {
            return Section.FURTHER;
        }
        return field.name().equals(RUNS.name()) || field.key().matches("(run|strips)\\..*")
                ? Section.BUDGET
                : Section.TARGET;
    }

    /// Every field, by groups.
    public List<Parameter<?>> fields() {
        return fields;
    }

    /// Says what the project of a workbench says.
    public void fill(Session<?> opened) {
        fill(new Area.Work(opened.bench().settings(), opened.project().file().run()), opened.bench());
    }

    /// Fills the form.
    ///
    /// @param work of the last run, or the project's
    /// @param bench knows what there is to choose from
    public void fill(Area.Work work, Workbench bench) {
        fill(work, bench.methods().offered(work.run().method()), bench.evaluators());
    }

    void fill(Area.Work work, List<? extends Named> knownMethods, List<? extends Named> knownToolchains) {
        RunSettings settings = work.run();
        Values values = work.values();
        base = Optional.of(values);
        methods.set(List.copyOf(knownMethods));
        toolchains.set(List.copyOf(knownToolchains));
        method.set(find(methods.get(), settings.method())
                .or(() -> method.get().flatMap(m -> find(methods.get(), m.name())))
                .or(() -> methods.get().stream().findFirst()));
        also.clear();
        Optional<Named> whole = find(toolchains.get(), settings.toolchain());
        String kind = EvaluatorKind.of(settings.toolchain()).word();
        toolchainArgument = whole.isPresent() ? "" : settings.toolchain().substring(kind.length());
        toolchain.set(whole.or(() -> find(toolchains.get(), kind))
                .or(() -> toolchain.get().flatMap(t -> find(toolchains.get(), t.name())))
                .or(() -> toolchains.get().stream().findFirst()));
        fields.stream().filter(p -> !isExtra(p)).forEach(p -> text(p).set(values.text(p)));
        text(RUNS).set("1");
        text(PLACE).set(toolchainArgument.isEmpty() ? "" : toolchainArgument.substring(1));
        errors.set(Map.of());
        taken.set(Optional.empty());
        showFields();
    }

    private boolean isExtra(Parameter<?> p) {
        return extras.find(p.name()).isPresent();
    }

    private void showFields() {
        base.ifPresent(b -> {
            Values values = typed(b, new LinkedHashMap<>());
            shown.set(fields.stream()
                    .filter(p -> errors.get().containsKey(p)
                            || (p.name().equals(PLACE.name())
                                    ? toolchain.get().filter(Named::takesPlace).isPresent()
                                    : values.applies(p)
                                            && (spendsSteps() || !p.name().equals(RunSettings.STEPS.name()))))
                    .collect(Collectors.toUnmodifiableSet()));
        });
    }

    /// True if one of the chosen methods goes on for as many steps as it is given.
    private boolean spendsSteps() {
        return method.get().filter(m -> !m.spendsSteps()).isEmpty()
                || methods.get().stream().anyMatch(m -> also.contains(m.name()) && m.spendsSteps());
    }

    private static Optional<Named> find(List<Named> all, String name) {
        return all.stream().filter(n -> n.name().equals(name)).findFirst();
    }

    /// The text of a field, by the name of its setting.
    public StringProperty text(Parameter<?> field) {
        return requireNonNull(texts.get(field.name()), field.name());
    }

    /// The search method.
    public ObjectProperty<Optional<Named>> method() {
        return method;
    }

    /// Names of methods that run after the first one.
    public ObservableSet<String> also() {
        return also;
    }

    /// The toolchain that evaluates.
    public ObjectProperty<Optional<Named>> toolchain() {
        return toolchain;
    }

    /// The fields that mean something for what is open and chosen.
    public ReadOnlyObjectProperty<Set<Parameter<?>>> shown() {
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

    /// The errors, by field; set by [#isRight()].
    public ReadOnlyObjectProperty<Map<Parameter<?>, String>> errors() {
        return errors.getReadOnlyProperty();
    }

    /// The values typed when [#isRight()] last found them right, with the form's own fields; empty after the form was
    /// filled.
    public ReadOnlyObjectProperty<Optional<Values>> taken() {
        return taken.getReadOnlyProperty();
    }

    /// The setting that most changes the work where an area has it.
    private static final String BATCH = "batch";

    /// The next run in a few words, what matters most first: `BTED+BAO`, `GTX 1080 Ti`, `640 trials`, `seed 1`.
    public ObservableValue<List<String>> summary() {
        return Bindings.createObjectBinding(
                this::parts,
                Stream.concat(Stream.of(method, also, toolchain, toolchains, shown), texts.values().stream())
                        .toArray(Observable[]::new));
    }

    private List<String> parts() {
        var parts = new ArrayList<String>();
        parts.add(method.get().map(Named::label).orElse("") + (also.isEmpty() ? "" : " and " + also.size() + " more"));
        if (toolchains.get().size() > 1) {
            toolchain.get().map(Named::label).ifPresent(parts::add);
        }
        area.runParameters()
                .find(RunSettings.STEPS.name())
                .filter(p -> texts.containsKey(p.name()) && spendsSteps())
                .ifPresent(p -> parts.add(amount(value(p), p.words().label().toLowerCase(Locale.ROOT))));
        area.parameters()
                .find(BATCH)
                .filter(p -> texts.containsKey(p.name()) && !value(p).equals(p.usualText()))
                .ifPresent(p -> parts.add("batch " + value(p)));
        parts.add(
                value(RUNS).equals("1")
                        ? "seed " + value(RunSettings.SEED)
                        : value(RUNS) + " seeds from " + value(RunSettings.SEED));
        parts.removeIf(String::isBlank);
        return parts;
    }

    /// `40 trials`, `256 trials per kernel`; nothing where there is no limit.
    private static String amount(String value, String what) {
        int space = value.indexOf(' ');
        return value.isEmpty() || !Character.isDigit(value.charAt(0))
                ? ""
                : space < 0 ? value + " " + what : value.substring(0, space) + " " + what + value.substring(space);
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
        long seed = Long.parseLong(value(RunSettings.SEED));
        while (used.contains(seed)) {
            seed++;
        }
        text(RunSettings.SEED).set(Long.toString(seed));
    }

    private String value(Parameter<?> field) {
        return text(field).get().strip();
    }

    /// Values of all settings and of the form's own fields as far as what was typed is right.
    ///
    /// @param wrong takes what is not
    private Values typed(Values from, Map<Parameter<?>, String> wrong) {
        Values values = from.with(
                        RunSettings.METHOD, method.get().map(Named::name).orElse(""))
                .with(RunSettings.TOOLCHAIN, evaluator())
                .and(extras.usual());
        for (Parameter<?> p : fields) {
            try {
                values = values.typed(p, p.label(), value(p));
            } catch (UserError e) {
                wrong.put(p, requireNonNull(e.getMessage()));
            }
        }
        return values;
    }

    /// The chosen evaluator with its place, or with whatever it was filled with.
    private String evaluator() {
        return toolchain
                .get()
                .map(t -> t.takesPlace()
                        ? t.name() + (value(PLACE).isEmpty() ? "" : ":" + value(PLACE))
                        : base.map(b -> b.get(RunSettings.TOOLCHAIN))
                                .filter((t.name() + toolchainArgument)::equals)
                                .orElse(t.name()))
                .orElse("");
    }

    /// Checks every field and tells what is wrong by [#errors()].
    public boolean isRight() {
        if (base.isEmpty()) {
            return true;
        }
        var wrong = new LinkedHashMap<Parameter<?>, String>();
        Values values = typed(base.get(), wrong);
        for (Parameters.Rule rule : area.allParameters().rules()) {
            if (!rule.holds().test(values) && texts.containsKey(rule.about().name())) {
                fields.stream()
                        .filter(p -> p.name().equals(rule.about().name()))
                        .forEach(p -> wrong.putIfAbsent(p, p.label() + " must be " + rule.must() + "."));
            }
        }
        errors.set(Map.copyOf(wrong));
        showFields();
        if (wrong.isEmpty()) {
            taken.set(Optional.of(values));
        }
        return wrong.isEmpty();
    }

    /// Shows the form whenever a run cannot begin because of a field.
    void whenRefused(Runnable show) {
        refused = show;
    }

    /// Says why a run cannot begin under the field that has what the sentence quotes first; false where none has.
    boolean blames(Exception why) {
        Optional<Parameter<?>> field = Optional.of(why)
                .filter(UserError.class::isInstance)
                .map(e -> QUOTED.matcher(requireNonNull(e.getMessage())))
                .filter(Matcher::find)
                .flatMap(m -> fields.stream()
                        .filter(p -> value(p).contains(m.group(1)))
                        .findFirst());
        field.ifPresent(p -> {
            errors.set(Map.of(p, requireNonNull(why.getMessage())));
            showFields();
            refused.run();
        });
        return field.isPresent();
    }

    /// The runs that the form describes, method after method and seed after seed; empty where something is
    /// wrong, which [#errors()] then says.
    ///
    /// @param work settings that the fields refine
    public List<Area.Work> check(WorkSettings work) {
        if (!isRight() || method.get().isEmpty() || toolchain.get().isEmpty() || base.isEmpty()) {
            refused.run();
            return List.of();
        }
        Values all = typed(work.values().and(base.get().only(area.runParameters())), new LinkedHashMap<>());
        Values run = all.only(area.allParameters());
        var names = new ArrayList<>(List.of(run.get(RunSettings.METHOD)));
        methods.get().stream()
                .map(Named::name)
                .filter(n -> also.contains(n) && !names.contains(n))
                .forEach(names::add);
        return names.stream()
                .flatMap(m -> LongStream.range(0, all.get(RUNS))
                        .mapToObj(i -> area.work(
                                run.with(RunSettings.METHOD, m).with(RunSettings.SEED, run.get(RunSettings.SEED) + i))))
                .toList();
    }

    /// The settings of the work as the fields that were found right say them.
    public WorkSettings refined(WorkSettings work) {
        return taken.get()
                .map(v -> area.work(v.only(area.allParameters())).settings())
                .orElse(work);
    }
}

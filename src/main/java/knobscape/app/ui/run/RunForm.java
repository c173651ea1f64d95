package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import knobscape.project.HlsSettings;
import knobscape.project.Method;
import knobscape.project.RunSettings;
import knobscape.project.Toolchain;

/// The settings of the next run as a person types them, checked when asked for.
public final class RunForm {

    /// A field of the form.
    public enum Field {
        /// Seed of everything random.
        SEED("Seed", "Seed of everything random; the same seed repeats the run"),
        /// Most optimisation steps.
        STEPS("Steps", "Most optimisation steps after the initial designs"),
        /// Designs before the first step.
        INITIAL("Initial designs", "Designs drawn before the first step"),
        /// Steps without gain that end the run.
        EARLY_STOP("Early stop", "Ends the run after this many steps without hypervolume gain; 0 never"),
        /// Designs in flight at once.
        PARALLEL("In parallel", "Designs in flight at once"),
        /// Target clock period.
        CLOCK("Clock (ns)", "Target clock period in nanoseconds"),
        /// Real waiting per tool time.
        WAIT("Wait factor", "Seconds really waited per second of tool time, for demonstrations; 0 does not wait");

        private final String label;
        private final String help;

        Field(String label, String help) {
            this.label = label;
            this.help = help;
        }

        /// The word beside the field.
        public String label() {
            return label;
        }

        /// What it means, in one sentence.
        public String help() {
            return help;
        }
    }

    private static final long MOST_STEPS = 10_000_000;

    private final Map<Field, StringProperty> texts = new LinkedHashMap<>();
    private final ObjectProperty<Optional<Method>> method = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<Optional<Toolchain>> toolchain = new SimpleObjectProperty<>(Optional.empty());
    private final ObjectProperty<String> part = new SimpleObjectProperty<>("");
    private final ReadOnlyObjectWrapper<Map<Field, String>> errors = new ReadOnlyObjectWrapper<>(Map.of());
    private final ReadOnlyObjectWrapper<List<Method>> methods = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Toolchain>> toolchains = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyBooleanWrapper measured = new ReadOnlyBooleanWrapper();
    private RunSettings base = RunSettings.defaults();
    private String toolchainArgument = "";

    /// An empty form.
    public RunForm() {
        for (Field f : Field.values()) {
            texts.put(f, new SimpleStringProperty(""));
        }
    }

    /// Fills the form.
    ///
    /// @param settings of the last run, or the project's
    /// @param kernel part and clock
    /// @param knownMethods to choose from
    /// @param knownToolchains to choose from
    public void fill(RunSettings settings, HlsSettings kernel, List<Method> knownMethods, List<Toolchain> knownToolchains) {
        base = settings;
        methods.set(knownMethods);
        toolchains.set(knownToolchains);
        method.set(knownMethods.stream().filter(m -> m.name().equals(settings.method())).findFirst().or(() -> knownMethods.stream().findFirst()));
        int colon = settings.toolchain().indexOf(':');
        String name = colon < 0 ? settings.toolchain() : settings.toolchain().substring(0, colon);
        toolchainArgument = colon < 0 ? "" : settings.toolchain().substring(colon);
        toolchain.set(knownToolchains.stream().filter(t -> t.name().equals(name)).findFirst().or(() -> knownToolchains.stream().findFirst()));
        part.set(kernel.part().orElse(""));
        measured.set(kernel.isMeasured());
        text(Field.SEED).set(Long.toString(settings.seed()));
        text(Field.STEPS).set(Integer.toString(settings.steps()));
        text(Field.INITIAL).set(Integer.toString(settings.initialDesigns()));
        text(Field.EARLY_STOP).set(Integer.toString(settings.earlyStop()));
        text(Field.PARALLEL).set(Integer.toString(settings.parallel()));
        text(Field.CLOCK).set(plain(kernel.clockNs()));
        text(Field.WAIT).set(plain(settings.waitFactor()));
        errors.set(Map.of());
    }

    /// The text of a field.
    public StringProperty text(Field field) {
        return texts.get(field);
    }

    /// The search strategy.
    public ObjectProperty<Optional<Method>> method() {
        return method;
    }

    /// Who judges.
    public ObjectProperty<Optional<Toolchain>> toolchain() {
        return toolchain;
    }

    /// Whether measured designs are explored, for which there is no part or clock to choose and no flow to wait for.
    public ReadOnlyBooleanProperty measured() {
        return measured.getReadOnlyProperty();
    }

    /// Name of the FPGA part, empty for the default one.
    public ObjectProperty<String> part() {
        return part;
    }

    /// The search strategies there are.
    public ReadOnlyObjectProperty<List<Method>> methods() {
        return methods.getReadOnlyProperty();
    }

    /// The toolchains there are.
    public ReadOnlyObjectProperty<List<Toolchain>> toolchains() {
        return toolchains.getReadOnlyProperty();
    }

    /// What is wrong, by field; set by [#check()].
    public ReadOnlyObjectProperty<Map<Field, String>> errors() {
        return errors.getReadOnlyProperty();
    }

    /// What a checked form says.
    ///
    /// @param run how to explore
    /// @param part name of the part, the default one where empty
    /// @param clockNs target clock period
    public record Checked(RunSettings run, Optional<String> part, double clockNs) {
        /// Kernel settings with this part and clock.
        public HlsSettings kernel(HlsSettings settings) {
            if (settings.isMeasured()) {
                return settings;
            }
            HlsSettings clocked = settings.withClockNs(clockNs);
            return part.isPresent() ? clocked.withPart(part.get()) : clocked;
        }
    }

    /// Checks every field; empty where something is wrong, which [#errors()] then says.
    public Optional<Checked> check() {
        var wrong = new LinkedHashMap<Field, String>();
        var values = new LinkedHashMap<Field, Long>();
        whole(Field.SEED, wrong, values, v -> true, "a whole number");
        whole(Field.STEPS, wrong, values, v -> v >= 0 && v <= MOST_STEPS, "a whole number from 0 to " + MOST_STEPS);
        whole(Field.INITIAL, wrong, values, v -> v >= 1 && v <= MOST_STEPS, "a whole number from 1");
        whole(Field.EARLY_STOP, wrong, values, v -> v >= 0 && v <= MOST_STEPS, "a whole number from 0");
        whole(Field.PARALLEL, wrong, values, v -> v >= 1 && v <= 256, "a whole number from 1 to 256");
        var clock = new ArrayList<Double>();
        number(Field.CLOCK, wrong, v -> v > 0 && v <= 1000, "a number above 0, at most 1000", clock::add);
        var wait = new ArrayList<Double>();
        number(Field.WAIT, wrong, v -> v >= 0 && v <= 10, "a number from 0 to 10", wait::add);
        errors.set(Map.copyOf(wrong));
        if (!wrong.isEmpty() || method.get().isEmpty() || toolchain.get().isEmpty()) {
            return Optional.empty();
        }
        Toolchain chosen = toolchain.get().get();
        boolean sameTool = (chosen.name() + toolchainArgument).equals(base.toolchain());
        var run = new RunSettings(method.get().get().name(), sameTool ? base.toolchain() : chosen.name(), values.get(Field.SEED),
                values.get(Field.STEPS).intValue(), values.get(Field.INITIAL).intValue(), values.get(Field.EARLY_STOP).intValue(),
                values.get(Field.PARALLEL).intValue(), base.objectives(), wait.getFirst());
        return Optional.of(new Checked(run, Optional.of(part.get()).filter(p -> !p.isBlank()), clock.getFirst()));
    }

    private void whole(Field field, Map<Field, String> wrong, Map<Field, Long> values, LongPredicate holds, String what) {
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

    private void number(Field field, Map<Field, String> wrong, java.util.function.DoublePredicate holds, String what, Consumer<Double> value) {
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

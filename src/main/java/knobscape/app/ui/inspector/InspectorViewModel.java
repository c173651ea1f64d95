package knobscape.app.ui.inspector;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.ListChangeListener;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.explore.Prediction;
import knobscape.project.Design;

/// The inspector's view of the selected design.
public final class InspectorViewModel {

    /// The direction of a change: for the better, or not.
    public enum Verdict {
        BETTER,
        WORSE,
        SAME
    }

    /// An objective of the design against the design compared with.
    ///
    /// @param label name of the metric
    /// @param value with unit
    /// @param change against the other design, empty where it has none
    /// @param verdict whether the change is for the better
    /// @param source word that says where the value comes from
    /// @param accuracy how near such estimates came to measured values; may be empty
    /// @param prediction what was predicted at the top fidelity, where something was
    public record Objective(
            String label,
            String value,
            String change,
            Verdict verdict,
            String source,
            String accuracy,
            Optional<PredictionCheck> prediction) {}

    /// Prediction and result, in shown units.
    ///
    /// @param median predicted
    /// @param low 5 % quantile
    /// @param high 95 % quantile
    /// @param measured at the top fidelity, NaN where not yet
    /// @param words the same as a sentence
    public record PredictionCheck(double median, double low, double high, double measured, String words) {}

    /// One metric at every fidelity.
    ///
    /// @param label with unit
    /// @param values by fidelity, empty text where not reported
    /// @param objective whether it is explored
    public record Ladder(String label, List<String> values, boolean objective) {}

    /// The metrics at every stage.
    ///
    /// @param fidelities names of the stages
    /// @param rows one per metric
    public record Stages(List<String> fidelities, List<Ladder> rows) {}

    /// One knob.
    ///
    /// @param label short name
    /// @param name full name
    /// @param other value of the design compared with
    /// @param value value of this design
    /// @param differs whether they differ
    public record KnobRow(String label, String name, String other, String value, boolean differs) {}

    /// Everything shown of one design.
    ///
    /// @param number of the design
    /// @param title `Design #27` or `Baseline`
    /// @param standing where it stands; empty for the baseline
    /// @param origin when and why it was proposed
    /// @param reason why it is invalid or failed
    /// @param objectives against the other design
    /// @param stages all metrics at all fidelities
    /// @param knobs all knobs
    /// @param pin its slot, 0 where it is not pinned
    public record Sheet(
            int number,
            String title,
            Optional<DesignStanding> standing,
            String origin,
            Optional<String> reason,
            List<Objective> objectives,
            Stages stages,
            List<KnobRow> knobs,
            int pin) {
        /// Where its figures come from, in words; empty where it has none.
        public String source() {
            return objectives.stream()
                    .map(Objective::source)
                    .filter(w -> !w.isEmpty())
                    .distinct()
                    .collect(joining("; "));
        }

        /// How many knobs differ.
        public long differences() {
            return knobs.stream().filter(KnobRow::differs).count();
        }
    }

    /// Says how near the estimates of a stage and metric came to measured ones.
    @FunctionalInterface
    public interface Accuracy {
        /// A few words (`rank correlation 0.94 on gemm`); empty where it is not known.
        Optional<String> words(String stage, String metric);
    }

    private final Results results;
    private Accuracy accuracy = (_, _) -> Optional.empty();
    private final ReadOnlyObjectWrapper<Optional<Sheet>> sheet = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final IntegerProperty against = new SimpleIntegerProperty(Results.BASELINE);
    private final BooleanProperty comparing = new SimpleBooleanProperty();
    private final ObjectProperty<List<Integer>> choices = new SimpleObjectProperty<>(List.of());

    /// @param results the designs shared by the window
    public InspectorViewModel(Results results) {
        this.results = results;
        results.shown().addListener((o, was, is) -> refresh());
        results.selected().addListener((o, was, is) -> refresh());
        results.pins().addListener((ListChangeListener<Integer>) c -> refresh());
        against.addListener((o, was, is) -> refresh());
        refresh();
    }

    /// The accuracy told beside built-in estimates from now on.
    public void accuracy(Accuracy known) {
        accuracy = known;
        refresh();
    }

    /// The selected design, described; empty where none is selected.
    public ReadOnlyObjectProperty<Optional<Sheet>> sheet() {
        return sheet.getReadOnlyProperty();
    }

    /// Number of the design compared with: the baseline, or a pinned one.
    public IntegerProperty against() {
        return against;
    }

    /// True if designs are shown side by side.
    public BooleanProperty comparing() {
        return comparing;
    }

    /// Numbers of the designs one can compare with: the baseline and the pins.
    public ObjectProperty<List<Integer>> choices() {
        return choices;
    }

    /// Results shared by the window.
    public Results results() {
        return results;
    }

    /// Compares with the next possibility: baseline, first pin, ... and round again.
    public void nextComparison() {
        // A design beside itself says nothing.
        int shown = results.selected().get();
        List<Integer> all = choices.get().stream()
                .filter(n -> n != shown || n == against.get())
                .toList();
        if (!all.isEmpty()) {
            against.set(all.get((all.indexOf(against.get()) + 1) % all.size()));
        }
    }

    private void refresh() {
        DesignSet set = results.set();
        var all = new ArrayList<Integer>();
        if (set.baseline().isPresent()) {
            all.add(Results.BASELINE);
        }
        all.addAll(results.pins());
        choices.set(List.copyOf(all));
        if (!all.contains(against.get())) {
            against.set(all.isEmpty() ? Results.BASELINE : all.getFirst());
        }
        // Of another run it is described when its designs are shown.
        sheet.set(results.selectedDesign()
                .filter(d -> d.configuration().knobs().equals(set.knobs()))
                .map(d -> describe(set, d)));
    }

    private Sheet describe(DesignSet set, Design d) {
        boolean isBaseline = set.isBaseline(d.number());
        Optional<Design> other = set.byNumber(against.get());
        var index = set.indexOf(d.number());
        Optional<DesignStanding> standing =
                index.isPresent() ? Optional.of(set.standing(index.getAsInt())) : Optional.empty();
        List<Fidelity> fidelities = set.info().map(EvaluatorInfo::fidelities).orElse(List.of());
        var objectives = new ArrayList<Objective>();
        for (Metric m : set.objectives()) {
            objectives.add(objective(
                    set,
                    d,
                    m,
                    other.filter(o -> o.number() != d.number() && !(isBaseline && set.isBaseline(o.number())))));
        }
        var ladder = new ArrayList<Ladder>();
        set.info()
                .ifPresent(info -> info.metrics()
                        .forEach(m -> ladder(
                                        set, d, m, fidelities, set.objectives().contains(m))
                                .ifPresent(ladder::add)));
        String origin = isBaseline
                ? set.baseline()
                        .map(Design::reason)
                        .map(InspectorViewModel::sentence)
                        .orElse("")
                : d.step() < 0 && !d.reason().isBlank()
                        ? d.reason()
                        : (d.step() == 0
                                        ? "Initial design"
                                        : d.step() < 0 ? "Known before the run" : "Step " + d.step())
                                + (d.reason().isBlank() || d.step() == 0 ? "" : ", " + d.reason());
        return new Sheet(
                d.number(),
                isBaseline
                        ? "Baseline" + (d.number() == Results.BASELINE ? "" : " #" + d.number())
                        : "Design #" + d.number(),
                standing,
                origin,
                DesignSet.reason(d),
                objectives,
                new Stages(fidelities.stream().map(Fidelity::name).toList(), ladder),
                knobs(set, d, other),
                results.pinOf(d.number()));
    }

    private static String sentence(String words) {
        return words.isEmpty() ? "" : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private Objective objective(DesignSet set, Design d, Metric m, Optional<Design> other) {
        var index = set.indexOf(d.number());
        OptionalDouble v = index.isPresent() ? set.shownValue(index.getAsInt(), m.name()) : d.value(m.name());
        OptionalDouble o = other.map(x -> x.value(m.name())).orElse(OptionalDouble.empty());
        Optional<Prediction.Interval> predicted =
                d.prediction().flatMap(p -> Optional.ofNullable(p.metrics().get(m.name())));
        if (v.isEmpty()) {
            return new Objective(m.label(), "\u2013", "", Verdict.SAME, "", "", Optional.empty());
        }
        Quantity q = Results.quantity(set, m, v.getAsDouble());
        String change = o.isPresent() ? Quantity.change(m, o.getAsDouble(), v.getAsDouble()) : "";
        Verdict verdict = o.isEmpty() || o.getAsDouble() == v.getAsDouble() || m.direction() == Metric.Direction.NEUTRAL
                ? Verdict.SAME
                : o.getAsDouble() > v.getAsDouble() == (m.direction() == Metric.Direction.MINIMISE)
                        ? Verdict.BETTER
                        : Verdict.WORSE;
        String source = index.isPresent() ? set.source(index.getAsInt()) : DesignSet.source(d);
        return new Objective(
                m.label(),
                q.withUnit(v.getAsDouble()),
                change,
                verdict,
                set.shownSource(source),
                estimated(source)
                        .flatMap(stage -> accuracy.words(stage, m.name()))
                        .orElse(""),
                predicted.map(p -> predicted(set, d, m, p)));
    }

    /// The stage that the shown value was estimated for; empty where it was not.
    private static Optional<String> estimated(String source) {
        String words = ", " + Provenance.Source.BUILT_IN_ESTIMATE.words();
        return source.endsWith(words)
                ? Optional.of(source.substring(0, source.length() - words.length()))
                : Optional.empty();
    }

    private static PredictionCheck predicted(DesignSet set, Design d, Metric m, Prediction.Interval p) {
        OptionalDouble measured = set.info()
                .flatMap(i -> d.at(i.top()))
                .map(e -> e.value(m.name()))
                .orElse(OptionalDouble.empty());
        Quantity q = Quantity.of(m, p.low(), p.high());
        double u = q.divisor();
        String words = Provenance.Source.PREDICTED.words() + " " + q.withUnit(p.median()) + " (" + q.format(p.low())
                + " to " + q.format(p.high()) + ")";
        return new PredictionCheck(
                p.median() / u,
                p.low() / u,
                p.high() / u,
                measured.isPresent() ? measured.getAsDouble() / u : Double.NaN,
                words);
    }

    private static Optional<Ladder> ladder(
            DesignSet set, Design d, Metric m, List<Fidelity> fidelities, boolean objective) {
        Map<Fidelity, Double> values = new LinkedHashMap<>();
        for (Fidelity f : fidelities) {
            d.at(f)
                    .map(e -> e.value(m.name()))
                    .filter(OptionalDouble::isPresent)
                    .ifPresent(v -> values.put(f, v.getAsDouble()));
        }
        if (values.isEmpty()) {
            return Optional.empty();
        }
        Quantity q = Results.quantity(
                set, m, values.values().stream().min(Double::compare).orElseThrow());
        return Optional.of(new Ladder(
                q.heading(m.label()),
                fidelities.stream()
                        .map(f -> values.containsKey(f)
                                ? q.format(values.get(f))
                                : d.at(f).map(InspectorViewModel::outcomeWord).orElse(""))
                        .toList(),
                objective));
    }

    private static String outcomeWord(Evaluation e) {
        return switch (e.outcome()) {
            case knobscape.evaluate.Outcome.Measured m -> "\u2013";
            case knobscape.evaluate.Outcome.Failure f -> f.kind().status();
        };
    }

    private static List<KnobRow> knobs(DesignSet set, Design d, Optional<Design> other) {
        List<String> labels = KnobLabels.of(set.knobs());
        var rows = new ArrayList<KnobRow>();
        for (int k = 0; k < set.knobs().size(); k++) {
            String value = d.configuration().value(k);
            int knob = k;
            String was = other.map(o -> o.configuration().value(knob)).orElse("");
            rows.add(new KnobRow(
                    labels.get(k), set.knobs().get(k).name(), was, value, other.isPresent() && !was.equals(value)));
        }
        return List.copyOf(rows);
    }

    /// A choice of the comparison menu in words.
    public String choiceTitle(int number) {
        return number == Results.BASELINE ? "baseline" : "#" + number + " (pin " + results.pinOf(number) + ")";
    }
}

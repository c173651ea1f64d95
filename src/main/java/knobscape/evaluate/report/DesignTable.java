package knobscape.evaluate.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;

/// Designs with their results, as written to a file: it can be read again without the source or the space they
/// came from.
///
/// @param subject what was explored (`gemm`)
/// @param origin how the designs came about, for a person: run, method, seed, part, clock, in the order shown
/// @param metrics everything reported, with units, in the order shown
/// @param objectives names of the metrics that were explored, in order
/// @param fidelities names of the fidelities, lowest first
/// @param designs the rows
/// @param notes what a person wrote, with tags as words that begin with `#`, by number of the design
public record DesignTable(
        String subject,
        Map<String, String> origin,
        List<Metric> metrics,
        List<String> objectives,
        List<String> fidelities,
        List<Row> designs,
        Map<Integer, String> notes) {
    /// Without notes.
    public DesignTable(
            String subject,
            Map<String, String> origin,
            List<Metric> metrics,
            List<String> objectives,
            List<String> fidelities,
            List<Row> designs) {
        this(subject, origin, metrics, objectives, fidelities, designs, Map.of());
    }

    /// The same with notes.
    public DesignTable withNotes(Map<Integer, String> written) {
        return new DesignTable(subject, origin, metrics, objectives, fidelities, designs, written);
    }

    public DesignTable {
        notes = Map.copyOf(notes);
        origin = Collections.unmodifiableMap(new LinkedHashMap<>(origin));
        metrics = List.copyOf(metrics);
        objectives = List.copyOf(objectives);
        fidelities = List.copyOf(fidelities);
        designs = List.copyOf(designs);
    }

    /// One design.
    ///
    /// @param number shown as `#1`, stable within its run; 0 where there is none
    /// @param id stable identifier, [knobscape.space.Configuration#id()]
    /// @param front whether it is on the front of its run
    /// @param knobs knob name to chosen value, in knob order
    /// @param results at most one per fidelity, lowest first
    public record Row(int number, String id, boolean front, Map<String, String> knobs, List<Stage> results) {
        public Row {
            knobs = Collections.unmodifiableMap(new LinkedHashMap<>(knobs));
            results = List.copyOf(results);
        }

        /// A row of one configuration's evaluations, of which there must be at least one.
        public static Row of(int number, List<Evaluation> evaluations, boolean front) {
            var configuration = evaluations.getFirst().configuration();
            return new Row(
                    number,
                    configuration.id(),
                    front,
                    configuration.toMap(),
                    evaluations.stream().map(Stage::of).toList());
        }

        /// The result at a fidelity, if there is one.
        public Optional<Stage> at(String fidelity) {
            return results.stream().filter(s -> s.fidelity().equals(fidelity)).findFirst();
        }
    }

    /// The result at one fidelity.
    ///
    /// @param fidelity its name
    /// @param outcome values, or why there are none
    /// @param costSeconds tool time of this stage alone
    /// @param provenance where it comes from
    public record Stage(String fidelity, Outcome outcome, double costSeconds, Provenance provenance) {
        static Stage of(Evaluation e) {
            return new Stage(e.fidelity().name(), e.outcome(), e.costSeconds(), e.provenance());
        }
    }

    /// Names of all knobs, in the order of their first appearance.
    public List<String> knobNames() {
        Set<String> names = new LinkedHashSet<>();
        designs.forEach(d -> names.addAll(d.knobs().keySet()));
        return List.copyOf(names);
    }
}

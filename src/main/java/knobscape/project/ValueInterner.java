package knobscape.project;

import java.util.HashMap;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;

/// Equal values read from many rows, held once: a run of 100 000 designs has a handful of fidelities, tools and
/// reasons, and a text of its own in every row.
final class ValueInterner {
    private final Map<Object, Object> known = new HashMap<>();

    /// The first value read that equals this one.
    @SuppressWarnings("unchecked")
    <T> T one(T value) {
        // What equals a value here is of its class: texts and records.
        return (T) known.computeIfAbsent(value, v -> v);
    }

    Evaluation evaluation(Evaluation e) {
        Provenance p = e.provenance();
        return new Evaluation(
                e.configuration(),
                one(e.fidelity()),
                e.outcome(),
                e.costSeconds(),
                one(new Provenance(one(p.toolchain()), one(p.version()), p.seed(), p.source())));
    }
}

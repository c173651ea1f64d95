package knobscape.work;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.work.parameter.NamedValues;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Values;

/// The optimised work of a project or run: values of the settings that its area declares, with names for them.
public interface WorkSettings {
    /// The main source as the project file names it.
    Parameter<String> SOURCE = Parameter.file("source");

    /// Extents that a network's file leaves open.
    Parameter<Map<String, Long>> DIMS = Parameter.of("dims", NamedValues.counts(), Optional.of(Map.<String, Long>of()))
            .further()
            .words("Extents", "An extent that the ONNX file leaves open, by its name or as INPUT:AXIS; may be repeated")
            .option("--dim", "NAME=N");

    /// The values.
    Values values();

    /// Settings of the same area with other values.
    WorkSettings of(Values other);

    /// The main source as the project file names it.
    default String source() {
        return values().get(SOURCE);
    }

    /// Files besides the source that the work is made from, as the project file names them; some may be no
    /// files.
    default List<String> inputs() {
        return List.of();
    }

    /// These settings as those of their area. Throws [IllegalArgumentException] where they are another area's, which
    /// only a mistake of the program can bring about.
    default <S extends WorkSettings> S as(Class<S> area) {
        if (!area.isInstance(this)) {
            throw new IllegalArgumentException(getClass().getSimpleName() + " are no " + area.getSimpleName());
        }
        return area.cast(this);
    }

    /// The same with paths as a stored run keeps them ([WorkLocation#stored]).
    default WorkSettings stored(WorkLocation place) {
        return of(values().moved(place::stored));
    }

    /// The facts that tables and reports name beside a run: label to value, in order.
    Map<String, String> facts();
}

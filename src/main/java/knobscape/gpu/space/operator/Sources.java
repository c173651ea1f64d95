package knobscape.gpu.space.operator;

import java.util.Optional;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.task.Workload;

/// The sources that compute a piece of work, by name: a template or the sketches.
public final class Sources {
    private Sources() {}

    /// The source called `name`; empty where it does not apply.
    public static Optional<ScheduleSource> of(Workload workload, String name) {
        return name.equals(SketchSource.NAME)
                ? SketchSource.of(workload).map(s -> s)
                : Templates.of(workload).stream()
                        .filter(t -> t.name().equals(name))
                        .findFirst()
                        .map(t -> t);
    }
}

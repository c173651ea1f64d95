package knobscape.work;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.report.JsonFields;

/// The areas of this program, in the order shown.
///
/// @param areas every area
public record Registry(List<Area> areas) {
    /// Copies the list.
    public Registry {
        areas = List.copyOf(areas);
    }

    /// The area with this name in files.
    public Optional<Area> find(String kind) {
        return areas.stream().filter(a -> a.kind().equals(kind)).findFirst();
    }

    /// The area of work that a file keeps under this name, also where another area took it over since.
    ///
    /// @param work a project file, or what a stored run says of the work
    public Optional<Area> find(String kind, JsonFields work) {
        return areas.stream().filter(a -> a.tookOver(kind, work)).findFirst().or(() -> find(kind));
    }

    /// The area whose settings these are.
    public Area of(WorkSettings settings) {
        return areas.stream()
                .filter(a -> a.parameters().equals(settings.values().parameters()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no area has settings of " + settings.getClass()));
    }

    /// The area that a file without a project is opened in; the first where none claims it, which then says
    /// what is wrong.
    public Area accepting(Path file) {
        return areas.stream().filter(a -> a.accepts(file)).findFirst().orElse(areas.getFirst());
    }
}

package knobscape.work;

import java.util.List;
import java.util.Map;

/// What a project or run optimises; each area has its own record, whose components JSON can hold.
public interface WorkSettings {
    /// The main source as the project file names it.
    String source();

    /// Files besides the source that the work is made from, as the project file names them; some may be no
    /// files.
    default List<String> inputs() {
        return List.of();
    }

    /// The same with paths as a stored run keeps them ([Place#stored]).
    WorkSettings stored(Place place);

    /// What tables and reports name beside a run: label to value, in order.
    Map<String, String> facts();

    /// Words of the command line that say this, as far as they differ from what `project` says: options with
    /// values.
    ///
    /// @param project what the project file says
    /// @param place paths start here
    List<String> options(WorkSettings project, Place place);
}

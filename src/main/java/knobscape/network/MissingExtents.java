package knobscape.network;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;

/// A network file leaves extents open that nobody has given. A window can ask for them and read the file again.
public final class MissingExtents extends UserError {
    private static final long serialVersionUID = 1;

    private final transient List<Extent> extents;
    private final transient OptionalLong batch;

    /// An extent that is not known.
    ///
    /// @param key under which [ImportOptions#dims()] gives it
    /// @param words where it is: `axis 2 of input 'images'`
    /// @param option of the command line that gives it: `--dim height=N`
    /// @param axis from 0
    /// @param rank axes of the input
    public record Extent(String key, String words, String option, int axis, int rank) {}

    /// @param file that was read
    /// @param extents what is missing, at least one
    /// @param batch samples it was to be read for, where the file leaves that open too
    public MissingExtents(String file, List<Extent> extents, OptionalLong batch) {
        super(file + " leaves open "
                + extents.stream()
                        .map(e -> e.words() + " (" + e.option() + ")")
                        .distinct()
                        .collect(Collectors.joining(" and "))
                + "; give " + (extents.size() == 1 ? "it." : "them."));
        this.extents = List.copyOf(extents);
        this.batch = batch;
    }

    /// Samples it was to be read for; empty where the file fixes them or knows of none.
    public OptionalLong batch() {
        return batch;
    }

    /// The missing extents; one of each key.
    public List<Extent> extents() {
        return extents;
    }
}

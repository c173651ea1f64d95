package knobscape.explore;

import java.util.List;
import java.util.Map;

/// An explorer around another one, which it is in everything that it does not do itself.
public interface DelegatingExplorer extends Explorer {
    /// The explorer inside.
    Explorer search();

    @Override
    default String name() {
        return search().name();
    }

    @Override
    default List<Proposal> initial() {
        return search().initial();
    }

    @Override
    default List<Proposal> ask(History history, int count) {
        return search().ask(history, count);
    }

    @Override
    default String state() {
        return search().state();
    }

    @Override
    default void restore(String state) {
        search().restore(state);
    }

    @Override
    default List<String> remarks() {
        return search().remarks();
    }

    @Override
    default boolean tellsPromise() {
        return search().tellsPromise();
    }

    @Override
    default Map<String, double[]> diagnostics() {
        return search().diagnostics();
    }
}

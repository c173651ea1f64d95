package knobscape.work;

import java.util.List;
import java.util.Optional;
import knobscape.work.store.Database;

/// Runs that earlier versions kept in a store of the area's own. They are taken over into the store of all runs
/// once.
public interface EarlierRuns {
    /// Name of that store's file in a folder of runs.
    String fileName();

    /// What the newest of them optimised and how; empty where there is none.
    Optional<Area.Work> newest(Database old);

    /// Numbers of all of them, oldest first.
    List<Long> numbers(Database old);

    /// One of them.
    ///
    /// @param place where relative paths of its settings start
    PastRun read(Database old, long number, Place place);
}

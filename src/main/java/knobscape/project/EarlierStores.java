package knobscape.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.work.Area;
import knobscape.work.EarlierRuns;
import knobscape.work.PastRun;
import knobscape.work.Place;
import knobscape.work.store.Database;
import knobscape.work.store.StoreProblem;

/// Takes runs that earlier versions kept in stores of single areas into `runs.db`, once: all of them or none.
/// The old file is kept beside it as `NAME.v1`.
final class EarlierStores {
    private EarlierStores() {}

    private static Stream<EarlierRuns> in(Path folder) {
        return Areas.standard().areas().stream()
                .flatMap(a -> a.earlierRuns().stream())
                .filter(e -> Files.isRegularFile(folder.resolve(e.fileName())));
    }

    /// Whether a folder has runs to be taken over.
    static boolean isDue(Path folder) {
        return in(folder).findAny().isPresent();
    }

    /// What the newest of the old runs optimised and how.
    static Optional<ProjectFile> newest(Path folder) {
        return in(folder)
                .flatMap(e -> {
                    try (Database old = Database.open(folder.resolve(e.fileName()))) {
                        return newest(e, old).stream();
                    }
                })
                .findFirst()
                .map(w -> new ProjectFile(
                        folder.getFileName().toString().replaceFirst("\\.knobscape$", ""), "", w.settings(), w.run()));
    }

    /// Takes the old runs into a store, all or none. The old files are not touched.
    ///
    /// @param place where relative paths of their settings start
    static void read(Path folder, RunStore store, Place place) {
        store.together(() -> {
            // Left where a process was killed between taking the runs over and renaming the file.
            Set<String> done = store.list().stream().map(RunRecord::program).collect(Collectors.toSet());
            in(folder).forEach(e -> {
                try (Database old = Database.open(folder.resolve(e.fileName()))) {
                    for (long number : e.numbers(old)) {
                        String mark = "0.1 (run " + number + " of " + e.fileName() + ")";
                        if (!done.contains(mark)) {
                            RunStory.write(store, past(e, old, number, place), "", mark);
                        }
                    }
                }
            });
        });
    }

    private static Optional<Area.Work> newest(EarlierRuns earlier, Database old) {
        try {
            return earlier.newest(old);
        } catch (NullPointerException | IllegalArgumentException e) {
            throw StoreProblem.damaged(old.file(), e);
        }
    }

    private static PastRun past(EarlierRuns earlier, Database old, long number, Place place) {
        try {
            return earlier.read(old, number, place);
        } catch (UserError e) {
            throw e;
        } catch (RuntimeException e) {
            // What is missing in a damaged file can break a reader anywhere.
            throw StoreProblem.damaged(old.file(), e);
        }
    }

    /// Keeps the old files under another name, so that they are not taken over again.
    static void keep(Path folder) {
        for (EarlierRuns e : in(folder).toList()) {
            Path file = folder.resolve(e.fileName());
            try {
                try (Database old = Database.open(file)) {
                    old.query("PRAGMA wal_checkpoint(TRUNCATE)", r -> 0);
                    old.query("PRAGMA journal_mode=DELETE", r -> 0);
                }
                Files.move(file, file.resolveSibling(e.fileName() + ".v1"), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException problem) {
                throw new UserError(
                        "The earlier runs in " + file + " are in " + RunStore.FILE_NAME
                                + " now, but the file cannot be renamed; rename it.",
                        problem);
            }
        }
    }
}

package knobscape.study.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.space.Sha256;
import knobscape.study.source.Study.StudyParameter;

/// A table of results as the study that it is: its columns are parameters and objectives, and its rows are all there
/// is to measure.
///
/// @param set the rows
/// @param study what a study file would say of them; no stages, as nothing is run
/// @param hash of the table and the mapping of its columns
public record ResultTable(ReplaySet set, Study study, String hash) {
    /// File beside the runs with the mapping of the columns as a person corrected it; holds where no other is named.
    public static final String COLUMNS = "columns.yaml";

    /// Reads a table. Throws [UserError] with file and line.
    ///
    /// @param file the table, or a mapping that names it
    /// @param mapping explains the columns; empty for the one that is found
    public static ResultTable open(Path file, Optional<Path> mapping) {
        ReplaySet set = ReplaySet.open(file, mapping);
        return new ResultTable(
                set, study(set), Sha256.of(bytes(set.file()), set.mappingText().getBytes(StandardCharsets.UTF_8)));
    }

    private static Study study(ReplaySet set) {
        EvaluatorInfo info = set.info();
        return new Study(
                set.file().toString(),
                "",
                set.space().knobs().list().stream()
                        .map(k -> new StudyParameter(k.name(), k.domain(), Optional.empty(), 1))
                        .toList(),
                List.of(),
                info.metrics(),
                info.objectives(),
                positive(set),
                List.of(),
                Map.of());
    }

    /// The objectives that no row has at 0 or below it.
    private static List<String> positive(ReplaySet set) {
        Set<String> not = new HashSet<>();
        set.all()
                .flatMap(List::stream)
                .forEach(e -> set.info().objectives().stream()
                        .filter(o -> e.value(o).orElse(1) <= 0)
                        .forEach(not::add));
        return set.info().objectives().stream().filter(o -> !not.contains(o)).toList();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
    }
}

package knobscape.lab.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A published table, transcribed: a CSV of `knobscape/lab/published` whose first line names the columns, without
/// commas inside cells. An empty cell was not published.
///
/// @param columns names in order
/// @param rows cells by column
record PublishedTable(List<String> columns, List<List<String>> rows) {
    /// Reads a table of this program's resources; throws where there is none.
    static PublishedTable named(String name) {
        try (InputStream in = PublishedTable.class.getResourceAsStream("/knobscape/lab/published/" + name + ".csv")) {
            if (in == null) {
                throw new IllegalStateException("no published table " + name);
            }
            List<List<String>> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(l -> Arrays.asList(l.split(",", -1)))
                    .toList();
            return new PublishedTable(lines.getFirst(), lines.subList(1, lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The figure in a column of the row that begins with these cells; NaN where it was not published.
    double figure(String column, Object... begins) {
        int at = columns.indexOf(column);
        if (at < 0) {
            throw new IllegalArgumentException("no column " + column + " in " + columns);
        }
        return row(begins)
                .map(r -> r.get(at))
                .filter(c -> !c.isEmpty())
                .map(Double::valueOf)
                .orElse(Double.NaN);
    }

    /// True if there is a row that begins with these cells.
    boolean has(Object... begins) {
        return row(begins).isPresent();
    }

    private Optional<List<String>> row(Object... begins) {
        return rows.stream()
                .filter(r ->
                        IntStream.range(0, begins.length).allMatch(i -> r.get(i).equals(String.valueOf(begins[i]))))
                .findFirst();
    }
}

package knobscape.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableTest {
    @TempDir
    Path folder;

    private CsvTable read(String text) throws IOException {
        Path file = folder.resolve("table.csv");
        Files.writeString(file, text);
        return CsvTable.read(file);
    }

    @Test
    void timeSpansOfPandasAreSeconds() {
        assertThat(CsvTable.number("0 days 00:00:12.5")).isEqualTo(12.5);
        assertThat(CsvTable.number("2 days 01:02:03")).isEqualTo(((48 + 1) * 60 + 2) * 60 + 3);
        assertThat(CsvTable.number("16:32:64")).isNaN();
    }

    @Test
    void durationsOfOptunasTrialsAreTheirCosts() throws IOException {
        Path file = folder.resolve("optuna.csv");
        Files.writeString(file, """
                number,value,duration,params_x,state
                0,2.5,0 days 00:00:03,1,COMPLETE
                1,1.5,0 days 00:01:00.500000,2,COMPLETE
                """);

        assertThat(ReplaySet.open(file, Optional.empty()).all().flatMap(List::stream))
                .extracting(e -> e.costSeconds())
                .containsExactlyInAnyOrder(3.0, 60.5);
    }

    @Test
    void whatIsWrittenByTheRulesIsReadBack() throws IOException {
        // Large enough that cells, quotes and line ends fall on the borders of whatever is read at once.
        var random = new SplittableRandom(1);
        List<String> pieces =
                List.of("a", "17", "0.25", ",", "\"", "\n", "\r\n", "\r", " ", "\u00e4", "\u20ac", "x".repeat(30), "");
        var rows = new ArrayList<List<String>>();
        for (int r = 0; r < 12_000; r++) {
            var row = new ArrayList<String>();
            row.add("r" + r);
            for (int c = 0; c < 4; c++) {
                row.add(random.ints(random.nextInt(5), 0, pieces.size())
                        .mapToObj(pieces::get)
                        .collect(Collectors.joining()));
            }
            rows.add(row);
        }
        var text = new StringBuilder("a,b,c,d,e\r\n");
        var lines = new ArrayList<Integer>();
        int line = 2;
        for (List<String> row : rows) {
            lines.add(line);
            String written = row.stream().map(CsvTableTest::quoted).collect(Collectors.joining(","));
            line += 1
                    + (int) Pattern.compile("\r\n|[\r\n]")
                            .matcher(written)
                            .results()
                            .count();
            text.append(written).append(random.nextBoolean() ? "\n" : "\r\n");
        }
        CsvTable table = read(text.toString());
        assertThat(table.header()).containsExactly("a", "b", "c", "d", "e");
        assertThat(table.rowCount()).isEqualTo(rows.size());
        for (int r = 0; r < rows.size(); r++) {
            assertThat(table.line(r)).isEqualTo(lines.get(r));
            for (int c = 0; c < 5; c++) {
                assertThat(table.cell(r, c)).isEqualTo(rows.get(r).get(c));
            }
        }
    }

    private static String quoted(String cell) {
        return cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + cell.replace("\"", "\"\"") + '"'
                : cell;
    }

    @Test
    void manyDifferentCellsAreReadAndRepeatedOnesShared() throws IOException {
        int n = 130_000;
        var text = new StringBuilder("x,y\n");
        for (int i = 0; i < n; i++) {
            text.append(i).append(',').append(i % 7).append('\n');
        }
        CsvTable table = read(text.toString());
        assertThat(table.rowCount()).isEqualTo(n);
        for (int i = 0; i < n; i++) {
            assertThat(Integer.parseInt(table.cell(i, 0))).isEqualTo(i);
        }
        assertThat(IntStream.range(0, n)
                        .mapToObj(i -> table.cell(i, 1))
                        .collect(Collectors.toCollection(() -> Collections.newSetFromMap(new IdentityHashMap<>()))))
                .as("objects that hold the seven texts")
                .hasSizeLessThan(1000);
    }

    @Test
    void mistakesAreNamedWithTheirLine() throws IOException {
        assertThat(read("\uFEFFx,y\n1,2\n\n3,4").rowCount()).isEqualTo(2);
        assertThatThrownBy(() -> read("")).isInstanceOf(UserError.class).hasMessageContaining("is empty");
        assertThatThrownBy(() -> read("x,y\n1,2\n3\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("table.csv:3: 1 cells");
        assertThatThrownBy(() -> read("x,y\n1,2\n\"3,4\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("table.csv:3: a quoted cell is not closed");
        assertThatThrownBy(() -> read("x,y\n1,\0\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("binary");
        assertThatThrownBy(() -> read("x,x\n1,2\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("two columns");
        assertThatThrownBy(() -> read(",".repeat(CsvTable.MAX_COLUMNS + 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("columns");
    }
}
